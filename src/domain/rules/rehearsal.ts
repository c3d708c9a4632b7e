import { factsOfCall, type RawCall } from "../campaigns/call-facts.ts";
import { isProcessed, readCall, readErrorText, readItem, type CallFacts } from "../campaigns/call-outcome.ts";
import { decideByRules, isTaken, needOf } from "../campaigns/call-rules.ts";
import type { CallAccount } from "../campaigns/call-values.ts";
import type { CampaignSpec } from "../campaigns/campaign-spec.ts";
import { planFollowUp } from "../follow-ups/follow-up-plan.ts";
import { needsProcessing, rulesFor } from "../follow-ups/follow-up-rules.ts";
import { keptOf, needOfKept } from "../campaigns/kept-facts.ts";
import type { Disposition } from "../policy/disposition.ts";
import type { SequenceDefinition } from "../sequences/definition.ts";
import { actionWords } from "./action-words.ts";
import { wayAfter, type Way } from "./way-after.ts";

/*
 * Rules over stored calls: what they would make of each, by the very code that decides when calls end. Nothing is
 * written, sent or dialed.
 *
 * A stored call is the platform's record of it. What the batch's item said beside it (voicemail, a SIP code) is told by
 * whoever has it; without that the call's own status and duration decide.
 */

/** A campaign's rules, or those of one call step of a sequence with the way that follows it. */
export interface RuleSet {
  spec: CampaignSpec;
  sequence?: { definition: SequenceDefinition; stepId: string } | undefined;
}

/** A call that is over, with what is known beside the platform's record of it. */
export interface StoredCall {
  raw: RawCall;
  itemStatus?: string | undefined;
  errorText?: string | undefined;
  /** From 1. */
  attempt?: number | undefined;
  contact?: { phone: string; region: string | null; variables: Record<string, string> } | undefined;
  zones?: readonly string[] | undefined;
}

export interface RehearsedFollowUp {
  rule: string;
  /** What would be planned, in words. */
  actions: string[];
}

/** What rules make of one call. */
export interface RehearsedCall {
  /** Undefined: the call is not over, or nobody can tell what it came to. */
  disposition: Disposition | undefined;
  reason: string;
  /** The number of the rule that decided, from 1; undefined: the tables did. */
  rule: number | undefined;
  followUps: RehearsedFollowUp[];
  /** Of a sequence: where the person goes. */
  way: Way | undefined;
  /** Rules and conditions without a value. */
  problems: string[];
}

type MomentOf = (value: string | number | null | undefined) => number | undefined;

/** @param clock `momentOf` reads the platform's times; `nowMs` stands for the time of a call that tells none. */
export function rehearse(
  rules: RuleSet,
  stored: StoredCall,
  clock: { momentOf: MomentOf; nowMs: number },
): RehearsedCall {
  const call = factsOfCall(stored.raw, clock.momentOf);
  const tables = tablesOf(stored, call);
  if (!tables)
    return {
      disposition: undefined,
      reason: `call ${call.status === "" ? "without a status" : call.status}: not over`,
      rule: undefined,
      followUps: [],
      way: undefined,
      problems: [],
    };
  const account = { ...accountOf(stored, call), ...tables };
  const ruling = decideByRules({ rules: rules.spec.analysis?.rules ?? [], account, isOverdue: true });
  if (ruling.kind === "waits") throw new Error("a call that is over waits for nothing");
  const { disposition, reason } = ruling;
  const problems = [...ruling.problems, ...unprocessedProblem(rules, call, tables.disposition)];
  const followUps = followUpsOf(
    rules.spec,
    stored,
    { ...account, disposition, reason },
    clock.nowMs,
    problems,
  );
  const way =
    rules.sequence && wayOf(rules, rules.sequence, stored, { ...account, disposition, reason }, clock.nowMs);
  if (way) problems.push(...way.problems);
  return { disposition, reason, rule: ruling.rule, followUps, way, problems };
}

/** Calls as lists show them: what asks for their analysis passes over them, and would look as if it fitted nobody. */
const UNPROCESSED =
  "the record says nothing of what processing made of the call, as lists of calls do not, and what asks for that is not asked: read the call by itself";

function unprocessedProblem(rules: RuleSet, call: CallFacts, disposition: Disposition): string[] {
  if (call.processingStatus !== undefined || call.analysis !== undefined || !isTaken(disposition)) return [];
  const { analysis, follow_ups: followUps = [] } = rules.spec;
  const isAsked =
    (analysis?.rules ?? []).some((rule) => needOf(rule) === "processing") ||
    rulesFor(followUps, disposition).some(needsProcessing) ||
    (rules.sequence !== undefined && needOfKept(analysis?.keep ?? []) === "processing");
  return isAsked ? [UNPROCESSED] : [];
}

/** What the tables say: by the item where its word is known, by the call where not. */
function tablesOf(
  { itemStatus, errorText }: StoredCall,
  call: CallFacts,
): { disposition: Disposition; reason: string } | undefined {
  const byCall = readCall(call);
  if (itemStatus !== undefined) {
    const reading = readItem({
      status: itemStatus,
      errorText,
      callId: call.callId,
      dialCount: undefined,
      startedAtMs: undefined,
      completedAtMs: undefined,
    });
    if (reading.phase === "ended") {
      const { disposition, reason } = reading;
      if (disposition !== undefined) return { disposition, reason };
      if (byCall) return { disposition: byCall.disposition, reason: `${reason}, ${byCall.reason}` };
    }
  }
  if (byCall?.disposition !== "failed") return byCall;
  const said = readErrorText(errorText);
  return said ? { disposition: said.disposition, reason: `${byCall.reason}: ${said.reason}` } : byCall;
}

function accountOf(
  stored: StoredCall,
  call: CallFacts,
): Omit<CallAccount, "call" | "disposition" | "reason"> & { call: CallFacts } {
  return {
    callId: call.callId,
    call,
    itemStatus: stored.itemStatus,
    errorText: stored.errorText,
    attempt: stored.attempt ?? 1,
    startedAtMs: call.startedAtMs,
    endedAtMs: call.endedAtMs,
  };
}

const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

type Decided = CallAccount & { call: CallFacts; disposition: Disposition };

function followUpsOf(
  spec: CampaignSpec,
  { raw, contact, zones = [] }: StoredCall,
  account: Decided,
  nowMs: number,
  problems: string[],
): RehearsedFollowUp[] {
  const rules = spec.follow_ups ?? [];
  const { call, disposition } = account;
  const isNeeded = rulesFor(rules, disposition).some(needsProcessing);
  const isoOf = (momentMs: number | undefined) =>
    momentMs === undefined ? null : new Date(momentMs).toISOString();
  const plan = planFollowUp({
    followUpId: UNKNOWN_ID,
    contactId: 0,
    facts: {
      rules,
      attempt: {
        number: account.attempt,
        disposition,
        reason: account.reason,
        call_id: call.callId,
        started_at: isoOf(account.startedAtMs),
        ended_at: isoOf(account.endedAtMs),
        duration_seconds: call.durationSeconds ?? null,
      },
      item: { status: account.itemStatus ?? null, error: account.errorText ?? null },
      contact: { phone: contact?.phone ?? numberIn(raw), region: contact?.region ?? null },
      zones,
      variables: contact?.variables ?? {},
      sensitive: spec.sensitive,
      campaign: { id: UNKNOWN_ID, name: spec.name, brand: spec.brand, run: 1 },
    },
    call: isNeeded ? raw : undefined,
    isUnprocessed: isNeeded && !isProcessed(call),
    nowMs: account.endedAtMs ?? nowMs,
  });
  problems.push(...plan.problems.map(({ rule, problem }) => `follow-up ${rule}: ${problem}`));
  return plan.rules.map((rule) => ({
    rule,
    actions: plan.actions
      .filter(({ owner }) => owner === rule)
      .map(({ spec: action }) => actionWords(action)),
  }));
}

/** Whom the call was to; somebody whom nobody knows where its record does not tell. */
function numberIn(raw: RawCall): string {
  const { to_number: number } = raw;
  return typeof number === "string" && /^\+\d{7,15}$/.test(number) ? number : "+12025550100";
}

function wayOf(
  { spec }: RuleSet,
  sequence: NonNullable<RuleSet["sequence"]>,
  { contact, zones = [], raw }: StoredCall,
  account: Decided,
  nowMs: number,
): Way {
  const { call } = account;
  return wayAfter({
    ...sequence,
    variables: contact?.variables ?? {},
    facts: {
      sequenceId: UNKNOWN_ID,
      enrolmentId: UNKNOWN_ID,
      phone: contact?.phone ?? numberIn(raw),
      region: contact?.region ?? undefined,
      zones,
      key: "",
    },
    over: {
      disposition: account.disposition,
      reason: account.reason,
      attempts: account.attempt,
      callId: call.callId,
      durationSeconds: call.durationSeconds,
      startedAtMs: account.startedAtMs,
      endedAtMs: account.endedAtMs,
      itemStatus: account.itemStatus,
      errorText: account.errorText,
      kept: keptOf(spec.analysis?.keep ?? [], call),
    },
    nowMs: account.endedAtMs ?? nowMs,
  });
}
