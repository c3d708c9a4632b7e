import { sql } from "drizzle-orm";

import { callbackSpecOf } from "../../domain/campaigns/callback-spec.ts";
import { policyOf, type CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { objectionTo } from "../../domain/campaigns/campaign-state.ts";
import { AmendmentEffects, type AmendmentEffect } from "../../domain/campaigns/amendment-effects.ts";
import { specDifference } from "../../domain/campaigns/spec-difference.ts";
import { createWindowMemo, type WindowStatus } from "../../domain/policy/calling-window.ts";
import { scrubbersOf, type SourceInScope } from "../../domain/policy/suppression-source.ts";
import { asksConsent, type DialingPolicy } from "../../domain/policy/dialing-policy.ts";
import { decide } from "../../domain/policy/policy-gate.ts";
import { readSourcesInScope } from "../ground/suppression-sources.ts";
import { windowInForce } from "../ground/blackouts.ts";
import { rows, type Db } from "../ground/connection.ts";
import type { PlanningPace } from "../ground/planning-pace.ts";
import { at, ms } from "../ground/sql.ts";
import { findAgainst, type Objected } from "./amending.ts";
import { listCallbacksOf, type Campaign } from "./campaigns.ts";
import { readContactFacts } from "./contact-facts.ts";
import { readLanes } from "./planning-lanes.ts";

/*
 * What an amendment would do, before it does it: the gate is asked twice about people who wait, under the policy in
 * force and under the other one, with the same facts. Nothing is written and nobody is locked, so that it is true of the
 * moment; and it is a count of single reads, each short, over no more people than a bound.
 */

/** People who are asked about at most; of more, evenly, one in so many. Some seconds of a ledger's reading. */
const MOST_ASKED = 10_000;

/** In one statement, and in one breath of the loop: others wait no longer for the embedded ledger than for that. */
const A_CHUNK = 200;

/** What an amendment would do in a campaign, or among its callbacks. */
export interface PreviewPart {
  campaignId: string;
  name: string;
  isCallbacks: boolean;
  /** Who waits, and how many of them were asked about: one in `oneIn`. */
  open: number;
  asked: number;
  oneIn: number;
  /** Of those who were asked about. */
  unchanged: number;
  effects: AmendmentEffect[];
  /** Batches that would be stopped, with how many of their calls may still be to come. */
  stopped: Objected[];
}

interface PreviewInput {
  campaign: Campaign;
  spec: CampaignSpec;
  pace: Pick<PlanningPace, "dialByMarginMs" | "openAttemptWaitMs">;
  nowMs: number;
  mostAsked?: number;
}

/** Of the campaign first, then of its callbacks. A campaign whose state takes no amendment has none. */
export async function previewAmendment(db: Db, input: PreviewInput): Promise<PreviewPart[]> {
  const { campaign, spec } = input;
  const parts: PreviewPart[] = [];
  for (const one of [campaign, ...(await listCallbacksOf(db, campaign.id))]) {
    if (objectionTo("amend", one.state) !== undefined) continue;
    parts.push(
      await previewOne(db, { ...input, campaign: one, spec: one.standing ? callbackSpecOf(spec) : spec }),
    );
  }
  return parts;
}

async function previewOne(db: Db, input: PreviewInput): Promise<PreviewPart> {
  const { campaign, spec, mostAsked = MOST_ASKED } = input;
  const { id: campaignId, name, standing: isCallbacks, tallies } = campaign;
  const effects = new AmendmentEffects();
  const oneIn = Math.max(1, Math.ceil(tallies.open / mostAsked));
  const differences = specDifference(campaign.spec, spec);
  const isOtherwise = differences.some(({ field }) => !UNASKED.has(field));
  if (isOtherwise) await askAll(db, input, oneIn, effects);
  const amended = {
    ...campaign,
    spec,
    policyVersion: campaign.policyVersion + 1,
    concurrency: spec.concurrency,
  };
  const stopped = await findAgainst(db, amended, {
    ...input,
    ...input.pace,
    before: campaign.spec,
    differences,
  });
  const { asked, unchanged } = isOtherwise ? effects : { asked: 0, unchanged: 0 };
  return {
    campaignId,
    name,
    isCallbacks,
    open: tallies.open,
    asked,
    oneIn,
    unchanged,
    effects: effects.all(),
    stopped,
  };
}

/** What no rule of the gate reads. */
const UNASKED: ReadonlySet<string> = new Set([
  "concurrency",
  "ramp_up",
  "weight",
  "priority",
  "order",
  "caller_ids",
  "canary",
  "breaker",
  "budget",
  "analysis",
  "follow_ups",
  "contacts",
]);

/** A policy with the answers of its window. */
interface Asked {
  policy: DialingPolicy;
  windowOf: (zones: readonly string[], nowMs: number) => WindowStatus;
  lists: readonly SourceInScope[];
}

async function askedOf(db: Db, { campaign, nowMs }: PreviewInput, spec: CampaignSpec): Promise<Asked> {
  const policy = policyOf(spec, campaign.policyVersion);
  const window = await windowInForce(db, { window: policy.window, brand: campaign.brand, nowMs });
  const lists = await readSourcesInScope(db, campaign.brand);
  return { policy, windowOf: createWindowMemo(window), lists };
}

async function askAll(db: Db, input: PreviewInput, oneIn: number, effects: AmendmentEffects): Promise<void> {
  const before = await askedOf(db, input, input.campaign.spec);
  const after = await askedOf(db, input, input.spec);
  for await (const waiting of chunksOf(db, input.campaign.id, oneIn)) {
    const [now, then] = await answersOf(db, input, { before, after }, waiting);
    for (const [index, { phone }] of now.entries()) {
      const other = then[index];
      if (other) effects.add(phone, now[index]?.decision ?? other.decision, other.decision);
    }
  }
}

type Answers = { phone: string; decision: ReturnType<typeof decide> }[];

/** Under either policy, in the same order. */
async function answersOf(
  db: Db,
  { campaign: { brand }, pace, nowMs }: PreviewInput,
  { before, after }: { before: Asked; after: Asked },
  waiting: readonly Waiting[],
): Promise<[Answers, Answers]> {
  const contactIds = waiting.map(({ id }) => id);
  const putOff = new Set(waiting.flatMap(({ id, isPutOff }) => (isPutOff ? [id] : [])));
  const { openAttemptWaitMs } = pace;
  const answer = async (
    { policy, windowOf, lists }: Asked,
    known?: Awaited<ReturnType<typeof readContactFacts>>,
  ) => {
    const facts =
      known ??
      (await readContactFacts(db, {
        contactIds,
        brand,
        policy,
        scrubberIds: scrubbersOf(lists).map(({ sourceId }) => sourceId),
        nowMs,
      }));
    const answers = facts.map(({ id, phone, facts: read }) => {
      // Whoever the gate put off is due: that it is asked again is what a change of the policy does (asking-again.ts).
      const dueAtMs = putOff.has(id) ? Math.min(read.dueAtMs, nowMs) : read.dueAtMs;
      const question = { facts: { ...read, dueAtMs }, policy, nowMs, openAttemptWaitMs, windowOf, lists };
      return { id, phone, decision: decide(question) };
    });
    return { facts, answers: answers.toSorted((a, b) => a.id - b.id) };
  };
  const now = await answer(before);
  const then = await answer(after, looksBackAlike(before.policy, after.policy) ? now.facts : undefined);
  return [now.answers, then.answers];
}

/** Whether the facts query reads the same for both. */
function looksBackAlike(one: DialingPolicy, other: DialingPolicy): boolean {
  const lookBack = (policy: DialingPolicy) => {
    const { frequency, leastGapMs, notCalledWithinMs } = policy;
    return JSON.stringify([frequency, leastGapMs, notCalledWithinMs, asksConsent(policy)]);
  };
  return lookBack(one) === lookBack(other);
}

interface Waiting {
  id: number;
  /** Its due time is what the gate said when it put it off. */
  isPutOff: boolean;
  dueMs: number;
}

/**
 * Whoever is open and not held, by the planner's own index: lane by lane, whoever was called before and whoever was not.
 * One in so many, by the order in which they were accepted.
 */
async function* chunksOf(db: Db, campaignId: string, oneIn: number): AsyncGenerator<Waiting[]> {
  for (const { id: laneId } of await readLanes(db, campaignId)) {
    for (const isFirst of [false, true]) {
      let last: Pick<Waiting, "id" | "dueMs"> | undefined;
      for (;;) {
        const behind =
          last === undefined ? sql`` : sql`and (c.due_at, c.id) > (${at(last.dueMs)}, ${last.id}::bigint)`;
        const found: Waiting[] = await rows(
          db,
          sql`select c.id, ${ms(sql`c.due_at`)} as "dueMs",
                exists (select 1 from refusals f where f.contact_id = c.id and f.until_at = c.due_at) as "isPutOff"
              from contacts c
              where c.lane_id = ${laneId} and c.state = 'open' and (c.attempts = 0) = ${isFirst} and not c.held
                and c.id % ${oneIn} = 0 ${behind}
              order by c.due_at, c.id limit ${A_CHUNK}`,
        );
        if (found.length > 0) yield found;
        last = found.at(-1);
        if (found.length < A_CHUNK) break;
      }
    }
  }
}
