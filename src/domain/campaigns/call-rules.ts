import {
  evaluateCondition,
  pathsOf,
  TakenIn,
  type FieldPath,
  type ScopeValues,
} from "../expressions/expressions.ts";
import { LISTED_FIELDS, PROCESSED_FIELDS } from "../expressions/call-fields.ts";
import type { AnalysisRule } from "../policy/dialing-policy.ts";
import type { Disposition } from "../policy/disposition.ts";
import { isProcessed, readAnalysis, readCall, type CallFacts } from "./call-outcome.ts";
import { callValues, type CallAccount } from "./call-values.ts";

/*
 * Rules over calls: what a call came to, by its analysis and whatever else is known of it.
 *
 * 1. The first rule that fits decides. One that waits for something that is to come keeps those behind it waiting.
 * 2. A rule without a value, since a key is missing or is something else than the rule takes it for, does not fit.
 *    That is told beside the outcome (I7), and stops nothing.
 * 3. No rule makes another word of an opt-out, of a number that does not exist, or of a call of which nobody knows
 *    whether it was made: that would dial more.
 */

/** What has to be known before something can be decided: nothing more, the call as it is listed, or its processing. */
export type Need = "nothing" | "call" | "processing";

/** What reading these paths below a call needs. */
export function needOfPaths(paths: readonly FieldPath[]): Need {
  if (paths.some(([field]) => field === undefined || PROCESSED_FIELDS.has(field))) return "processing";
  return paths.some(([field]) => field !== undefined && LISTED_FIELDS.has(field)) ? "call" : "nothing";
}

export function needOf({ when }: Pick<AnalysisRule, "when">): Need {
  return when === undefined ? "processing" : needOfPaths(pathsOf(when, "call", "call"));
}

const BEYOND_RULES: ReadonlySet<Disposition> = new Set(["invalid_number", "opted_out", "unknown"]);

/** Whether somebody, or something, took the call: only of those is there an analysis worth waiting for. */
export function isTaken(disposition: Disposition): boolean {
  return disposition === "answered" || disposition === "voicemail";
}

/** The rules that are asked of a call which the tables say came to this, each with its number from 1. */
function rulesAskedOf(
  rules: readonly AnalysisRule[],
  disposition: Disposition,
): { rule: AnalysisRule; n: number; need: Need }[] {
  if (BEYOND_RULES.has(disposition)) return [];
  return rules
    .map((rule, index) => ({ rule, n: index + 1, need: needOf(rule) }))
    .filter(({ need }) => need !== "processing" || isTaken(disposition));
}

export type Ruling =
  /** `rule`: its number, from 1; absent where none fits. */
  | { kind: "decided"; disposition: Disposition; reason: string; rule?: number; problems: string[] }
  | { kind: "waits"; need: Exclude<Need, "nothing"> };

export interface RulingInput {
  rules: readonly AnalysisRule[];
  /** What is known of the call; its `disposition` and `reason` are what the tables say. */
  account: CallAccount & { disposition: Disposition };
  /** It was waited for long enough: what is known decides. */
  isOverdue: boolean;
}

/** What rules make of a call, or what they wait for. */
export function decideByRules({ rules, account, isOverdue }: RulingInput): Ruling {
  const { call, disposition, reason } = account;
  const problems: string[] = [];
  let waits: Exclude<Need, "nothing"> | undefined;
  let values: ScopeValues | undefined;
  for (const { rule, n, need } of rulesAskedOf(rules, disposition)) {
    if (rule.when === undefined) {
      // An answer that is there is one, whatever the platform calls the state of its processing.
      const read = call && readAnalysis([rule], call);
      if (read && waits === undefined) return { kind: "decided", ...read, rule: n, problems };
      if (account.callId !== undefined && !isSettled(call, isOverdue)) waits ??= "processing";
      continue;
    }
    const missing = missingFor(need, account, isOverdue);
    if (missing === "skip") continue;
    if (missing !== undefined) return { kind: "waits", need: waits ?? missing };
    values ??= { call: new TakenIn(callValues(account)) };
    const result = evaluateCondition(rule.when, "call", values);
    if (!result.ok) problems.push(`rule ${n} ${result.problem}`);
    else if (result.value) {
      if (waits !== undefined) return { kind: "waits", need: waits };
      return {
        kind: "decided",
        disposition: rule.disposition,
        reason: ruleWords(rule.when, n),
        rule: n,
        problems,
      };
    }
  }
  if (waits !== undefined) return { kind: "waits", need: waits };
  return { kind: "decided", disposition, reason: withProblems(reason, problems), problems };
}

function isSettled(call: CallFacts | undefined, isOverdue: boolean): boolean {
  return isOverdue || (call !== undefined && isProcessed(call));
}

/** What a condition still waits for. `skip`: it will not come, and the condition is for calls that have it. */
function missingFor(
  need: Need,
  { call, callId }: CallAccount,
  isOverdue: boolean,
): Exclude<Need, "nothing"> | "skip" | undefined {
  if (need === "nothing" || callId === undefined) return need === "processing" ? "skip" : undefined;
  if (call && isProcessed(call)) return undefined;
  if (need === "call") return isOverdue || (call && readCall(call)) ? undefined : "call";
  if (!isOverdue) return "processing";
  return call?.analysis === undefined ? "skip" : undefined;
}

/** A reason is 300 characters at most, and says the rest of what decided, too. */
const MOST_RULE_CHARS = 200;

function ruleWords(when: string, n: number): string {
  const said = when.replaceAll(/\s+/g, " ").trim();
  return `rule ${n}: ${said.length <= MOST_RULE_CHARS ? said : `${said.slice(0, MOST_RULE_CHARS - 1)}…`}`;
}

function withProblems(reason: string, problems: readonly string[]): string {
  return problems.length === 0 ? reason : `${reason}; no value: ${problems.join("; ")}`;
}
