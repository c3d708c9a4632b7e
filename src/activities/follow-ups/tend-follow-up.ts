import { isProcessed } from "../../domain/campaigns/call-outcome.ts";
import { planFollowUp, type FollowUpPlan } from "../../domain/follow-ups/follow-up-plan.ts";
import { needsProcessing, rulesFor } from "../../domain/follow-ups/follow-up-rules.ts";
import { createActions } from "../../ledger/follow-ups/actions.ts";
import { raiseAttention } from "../../ledger/ground/attention.ts";
import {
  advanceFollowUp,
  beginActing,
  dueActions,
  lockFollowUp,
  readFollowUp,
  readFollowUpFacts,
  recordLook,
  type FollowUp,
  type Processing,
} from "../../ledger/follow-ups/follow-ups.ts";
import { noteLook } from "../../ledger/ground/look-by.ts";
import type { FollowUpFacts } from "../../domain/follow-ups/follow-up-plan.ts";
import { NotFoundError, PlatformError, type Call } from "../../platform/index.ts";
import { noteWork } from "../../tracing/work.ts";
import { callFactsOf } from "../campaigns/batch-reading.ts";
import type { ActivityDeps } from "../deps.ts";
import { holdAsUnknown } from "../campaigns/restore-check.ts";

export interface TendFollowUpInput {
  followUpId: string;
  /** When its workflow was started. Unix milliseconds. */
  startedAtMs: number;
}

export interface FollowUpLook {
  /** Nothing of it goes on by itself any more. */
  done: boolean;
  /** Actions that are to be tried now. */
  actionIds: string[];
  /** When to look again, at the latest. */
  waitMs: number;
  /** For what, in words for people who look into Temporal. */
  waitsFor?: string;
}

const OVER: FollowUpLook = { done: true, actionIds: [], waitMs: 0 };

/** A call that takes long to be processed is looked at this rarely; a webhook makes it sooner. */
const SLOWEST_LOOK_MS = 10 * 60_000;

/** One that waits for nothing that is known is moved on by whoever tells it; this is for what nobody foresaw. */
const RARELY_MS = 6 * 60 * 60_000;

/** Actions are tried for so long before their follow-up is looked at again: a quarter of an hour of polls is no turn. */
const TRIES_MS = 5 * 60_000;

/** So soon after a webhook said that there is something to see, the platform may be a moment behind it. */
const HINT_LASTS_MS = 60_000;

/**
 * Moves a follow-up on: looks whether its call is processed, classifies it, writes its actions down, and says which
 * of them are to be tried now.
 *
 * Safe to retry: it reads, and writes what it found once, in one transaction.
 */
export async function tendFollowUp(
  deps: ActivityDeps,
  { followUpId, startedAtMs }: TendFollowUpInput,
): Promise<FollowUpLook> {
  const followUp = await readFollowUp(deps.ledger.db, followUpId);
  if (!followUp) {
    await holdAsUnknown(deps, { what: `follow-up ${followUpId}`, startedAtMs });
    return OVER;
  }
  const { campaignId, attemptId, traceParent } = followUp;
  noteWork({ campaignId, attemptId }, traceParent);
  if (followUp.state === "waiting") {
    const waitMs = await lookAtCall(deps, followUp);
    if (waitMs !== undefined)
      return { done: false, actionIds: [], waitMs, waitsFor: "its call to be processed" };
  }
  return nextActions(deps, followUpId);
}

async function nextActions(deps: ActivityDeps, followUpId: string): Promise<FollowUpLook> {
  const nowMs = deps.now();
  const state = await deps.ledger.transaction(async (tx) => {
    const before = await lockFollowUp(tx, followUpId);
    return before === undefined || before === "waiting" ? before : advanceFollowUp(tx, followUpId, nowMs);
  });
  if (state !== "acting") return state === "waiting" ? { done: false, actionIds: [], waitMs: 0 } : OVER;
  const { actionIds, waitMs = RARELY_MS } = await dueActions(deps.ledger.db, followUpId, nowMs);
  const lookMs = actionIds.length > 0 ? Math.min(waitMs, TRIES_MS) : waitMs;
  await noteLook(deps.ledger.db, "follow_up", followUpId, { nowMs, waitMs: lookMs });
  return { done: false, actionIds, waitMs: lookMs, waitsFor: "the next try of an action, or a person" };
}

/** How long the call still has to be waited for; undefined once the actions are written down. */
async function lookAtCall(deps: ActivityDeps, followUp: FollowUp): Promise<number | undefined> {
  const facts = await readFollowUpFacts(deps.ledger.db, followUp.id);
  if (!facts) throw new Error(`follow-up ${followUp.id} has no policy`);
  const isNeeded = rulesFor(facts.rules, followUp.disposition).some(needsProcessing);
  if (!isNeeded) {
    await act(deps, followUp, facts, { processing: "not_needed", call: undefined });
    return undefined;
  }
  if (followUp.callId === undefined) {
    await act(deps, followUp, facts, { processing: "no_call", call: undefined });
    return undefined;
  }
  const { call, retryAfterMs } = await readCall(deps, followUp.callId);
  const isOverdue = deps.now() >= followUp.waitUntilMs;
  const processing = processingOf(call) ?? (isOverdue ? "overdue" : undefined);
  if (processing === undefined) {
    const waitMs = Math.max(waitBeforeLook(deps, followUp), retryAfterMs);
    await recordLook(deps.ledger.db, followUp.id, deps.now() + waitMs);
    return waitMs;
  }
  await act(deps, followUp, facts, { processing, call });
  return undefined;
}

/** The call, where it can be read. What the platform answers instead passes, or the wait's end decides. */
async function readCall(
  deps: ActivityDeps,
  callId: string,
): Promise<{ call: Call | undefined; retryAfterMs: number }> {
  try {
    return { call: await deps.platform.calls.get(callId), retryAfterMs: 0 };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (!(error instanceof NotFoundError))
      deps.log.warn({ callId, error: error.message }, "a call that a follow-up waits for can't be read");
    return { call: undefined, retryAfterMs: error.retryAfterMs ?? 0 };
  }
}

function processingOf(call: Call | undefined): Processing | undefined {
  if (!call) return undefined;
  const facts = callFactsOf(call);
  if (!isProcessed(facts)) return undefined;
  return /fail/i.test(facts.processingStatus ?? "") ? "processing_failed" : "processed";
}

/** Twice as long each time; soon again after a webhook; never beyond the end of the wait. */
function waitBeforeLook({ pace, now }: ActivityDeps, followUp: FollowUp): number {
  const nowMs = now();
  const isHinted = followUp.hintedAtMs !== undefined && nowMs - followUp.hintedAtMs < HINT_LASTS_MS;
  const backedOffMs = pace.processingLookMs * 2 ** Math.min(followUp.looks, 10);
  const waitMs = isHinted ? pace.lookMs : Math.min(backedOffMs, SLOWEST_LOOK_MS);
  return Math.max(0, Math.min(waitMs, followUp.waitUntilMs - nowMs));
}

async function act(
  deps: ActivityDeps,
  followUp: FollowUp,
  facts: FollowUpFacts,
  seen: { processing: Processing; call: Call | undefined },
): Promise<void> {
  const nowMs = deps.now();
  const plan = planFollowUp({
    followUpId: followUp.id,
    contactId: followUp.contactId,
    facts,
    call: seen.call,
    isUnprocessed: seen.processing !== "processed" && seen.processing !== "not_needed",
    nowMs,
  });
  await deps.ledger.transaction(async (tx) => {
    await lockFollowUp(tx, followUp.id);
    const { rules, labels } = plan;
    const begun = await beginActing(tx, {
      followUpId: followUp.id,
      processing: seen.processing,
      rules,
      labels,
    });
    if (!begun) return;
    await createActions(tx, {
      of: { followUpId: followUp.id },
      actions: plan.actions.map((action) => ({ ...action, state: "waiting" as const })),
      nowMs,
    });
    for (const problem of problemsByRule(plan)) {
      await raiseAttention(tx, {
        kind: "rule_problem",
        subject: `${followUp.campaignId} ${problem.rule}`,
        brand: facts.campaign.brand,
        summary: `follow-up rule ${problem.rule} of ${facts.campaign.name}: ${problem.texts}`,
        remedy:
          "have the rule ask whether there is a value, as in has(analysis.x) && analysis.x, and amend the campaign",
        nowMs,
      });
    }
  });
}

/** Of one call, one line a rule. */
function problemsByRule({ problems }: FollowUpPlan): { rule: string; texts: string }[] {
  const rules = [...new Set(problems.map(({ rule }) => rule))];
  return rules.map((rule) => ({
    rule,
    texts: problems
      .filter((problem) => problem.rule === rule)
      .map(({ problem }) => problem)
      .join("; ")
      .slice(0, 500),
  }));
}
