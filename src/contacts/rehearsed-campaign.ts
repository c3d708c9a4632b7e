import { policyOf, type CampaignSpec } from "../domain/campaigns/campaign-spec.ts";
import type { CallRate } from "../domain/campaigns/call-rate.ts";
import type { Forecast } from "../domain/campaigns/rehearsal/forecast.ts";
import type { LinesAnswer } from "../domain/campaigns/rehearsal/lines-needed.ts";
import type { OutcomeModel } from "../domain/campaigns/rehearsal/outcome-model.ts";
import type { PlannedLines } from "../domain/campaigns/rehearsal/plan-of-spec.ts";
import { asksConsent } from "../domain/policy/dialing-policy.ts";
import type { ContactsValidation } from "./validate-contacts.ts";

/** What was asked for elsewhere. Not `ok`: it could not be learnt, for the reason. */
export type Learnt<Value> = { ok: true; value: Value } | { ok: false; why: string };

/** A rehearsal with all that it went by: what is told of it, and written as JSON. */
export interface Rehearsed {
  spec: CampaignSpec;
  listName: string;
  digest: string;
  validation: ContactsValidation;
  forecast: Forecast;
  fromMs: number;
  /** By whose clocks moments are told. */
  zone: string;
  lines: number;
  /** What keeps it from having the lines that its spec says, where something does. */
  linesOf: PlannedLines["linesOf"];
  rate: CallRate | undefined;
  model: OutcomeModel;
  /** Where the outcomes are from, in words. */
  outcomesFrom: string;
  suppressedNumbers: number | undefined;
  /** How many blackout days there are to come. */
  blackouts: Learnt<number>;
  /** US dollars a minute of talk. */
  price: Learnt<number> & { from: string };
  /** US dollars that the platform's account has. */
  balance: Learnt<number>;
  wanted: { endByMs: number; answer: LinesAnswer } | undefined;
  /** How long the rehearsal took. */
  tookMs: number;
}

/** What a minute of talk makes of a campaign's talk, in US dollars. */
export function costOf(talkMs: number, perMinuteUsd: number): number {
  return (talkMs / 60_000) * perMinuteUsd;
}

/**
 * What the forecast does not know of, in words: whoever reads a date has to know what it leaves out.
 */
export function unknownsOf({ blackouts, suppressedNumbers, spec }: Rehearsed): string[] {
  const policy = policyOf(spec, 1);
  return [
    ...(blackouts.ok ? [] : [`blackouts: ${blackouts.why}, and none are kept`]),
    ...(suppressedNumbers === undefined ? ["suppressed numbers: --suppressed names a list of them"] : []),
    ...(asksConsent(policy)
      ? ["consent that is recorded already, or was withdrawn: the list's columns count alone"]
      : []),
    ...(policy.frequency.length > 0 || policy.notCalledWithinMs !== undefined
      ? ["earlier calls to these numbers, which frequency, presets and not_called_within would count"]
      : []),
    ...pausesOf(spec),
    ...(spec.variants === undefined ? [] : ["variants: all of them are taken to fare, and to cost, alike"]),
    ...(spec.caller_ids === undefined
      ? []
      : ["caller_ids: each number is taken to be free, whatever it may call an hour or a day"]),
    ...(spec.transfers?.answer === undefined
      ? []
      : ["transfers: their share is taken to stay as `expect` says, whatever calls would teach"]),
    ...(spec.on_agent_change === "pause"
      ? ["on_agent_change: another version of its agent would pause it"]
      : []),
    "other campaigns that call at the same time, and share lines or numbers",
    ...(spec.inbound === "ignore" ? [] : ["contacts who call back, whom inbound is about"]),
    "callbacks, and calls of sequences",
  ];
}

/** Where a campaign would stop and wait for somebody. */
function pausesOf({ canary, breaker }: CampaignSpec): string[] {
  return [
    ...(canary === undefined
      ? []
      : [
          `canary: it pauses after ${canary.toLocaleString("en-US")} ${canary === 1 ? "call" : "calls"} until they are approved, here at once`,
        ]),
    ...(breaker === undefined ? [] : ["breaker: bad calls would pause it, and here nothing does"]),
  ];
}
