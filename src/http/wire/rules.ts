import { z } from "zod";

import { DISPOSITIONS } from "../../domain/policy/disposition.ts";
import { differencesOf, type ComparedCall } from "../../domain/rules/comparison.ts";
import type { RehearsedCall } from "../../domain/rules/rehearsal.ts";

/*
 * What rules make of calls, as the API shows it. The command line reads it, and makes the same of calls in a file.
 */

const count = z.int().min(0);
const counts = z.record(z.string(), count);
const disposition = z.enum(DISPOSITIONS).nullable();

const rehearsedSchema = z.object({
  /** Null: the call is not over. */
  disposition,
  reason: z.string(),
  /** The number of the rule that decided, from 1; null: the tables did. */
  rule: z.int().nullable(),
  follow_ups: z.array(z.object({ rule: z.string(), actions: z.array(z.string()) })),
  /** Of a sequence: where the person goes. */
  way: z
    .object({ passed: z.array(z.string()), step: z.string().nullable(), outcome: z.string().nullable() })
    .nullable(),
  /** Rules and conditions without a value. */
  problems: z.array(z.string()),
});

const itemSchema = rehearsedSchema.extend({
  call_id: z.string(),
  /** What the ledger holds; null: the call is not from there. */
  recorded: z.string().nullable(),
  /** What the rules that these are compared with make of it; null: they are compared with none. */
  before: rehearsedSchema.nullable(),
  differs: z.array(z.enum(["disposition", "follow_ups", "way"])),
});

const summarySchema = z.object({
  calls: count,
  /** Not over: in no count but those of changes. */
  undecided: count,
  dispositions: counts,
  /** Calls that a rule decided, by its number. */
  by_rule: counts,
  /** Calls for which a follow-up rule would act. */
  follow_ups: counts,
  /** Rules and conditions without a value, and for how many calls. */
  problems: z.array(z.object({ problem: z.string(), calls: count })),
  /** Of a comparison. A disposition of `undecided` is none. */
  changed: z.object({
    calls: count,
    dispositions: z.array(z.object({ from: z.string(), to: z.string(), calls: count })),
    follow_ups: count,
    ways: count,
  }),
});

export const rulesTestSchema = z.object({
  items: z.array(itemSchema),
  /** Of these items. */
  summary: summarySchema,
  /** Calls that the platform did not show. */
  unreadable: z.array(z.object({ call_id: z.string(), why: z.string() })),
  /** Of a campaign's calls: `after` of the next page; null: these are the last ones. */
  next_after: z.int().nullable(),
});

export type RulesTestWire = z.output<typeof rulesTestSchema>;
export type RehearsedWire = z.output<typeof itemSchema>;
export type RulesSummaryWire = z.output<typeof summarySchema>;

export function rehearsedCallView(call: ComparedCall): RehearsedWire {
  return {
    call_id: call.callId,
    recorded: call.recorded ?? null,
    ...rehearsedView(call.now),
    before: call.before ? rehearsedView(call.before) : null,
    differs: differencesOf(call),
  };
}

function rehearsedView({ disposition, reason, rule, followUps, way, problems }: RehearsedCall) {
  return {
    disposition: disposition ?? null,
    reason,
    rule: rule ?? null,
    follow_ups: followUps,
    way: way ? { passed: way.passed, step: way.step, outcome: way.outcome } : null,
    problems,
  };
}

/** Different problems that are told: a rule has one, or a few. */
const MOST_PROBLEMS = 50;

/** What rules make of calls together: of a page, or of all pages. */
export function rulesSummaryOf(items: readonly RehearsedWire[]): RulesSummaryWire {
  const dispositions = new Map<string, number>();
  const byRule = new Map<string, number>();
  const followUps = new Map<string, number>();
  const problems = new Map<string, number>();
  const moves = new Map<string, { from: string; to: string; calls: number }>();
  for (const item of items) {
    if (item.disposition !== null) add(dispositions, item.disposition);
    if (item.rule !== null) add(byRule, String(item.rule));
    for (const { rule } of item.follow_ups) add(followUps, rule);
    for (const problem of new Set(item.problems)) {
      if (problems.size < MOST_PROBLEMS || problems.has(problem)) add(problems, problem);
    }
    if (!item.differs.includes("disposition")) continue;
    const [from, to] = [item.before?.disposition ?? "undecided", item.disposition ?? "undecided"];
    const before = moves.get(`${from} ${to}`)?.calls ?? 0;
    moves.set(`${from} ${to}`, { from, to, calls: before + 1 });
  }
  const changing = (what: RehearsedWire["differs"][number]) =>
    items.filter(({ differs }) => differs.includes(what)).length;
  return {
    calls: items.length,
    undecided: items.filter(({ disposition: one }) => one === null).length,
    dispositions: Object.fromEntries(dispositions),
    by_rule: Object.fromEntries(byRule),
    follow_ups: Object.fromEntries(followUps),
    problems: [...problems].map(([problem, calls]) => ({ problem, calls })),
    changed: {
      calls: items.filter(({ differs }) => differs.length > 0).length,
      dispositions: [...moves.values()].sort((one, other) => other.calls - one.calls),
      follow_ups: changing("follow_ups"),
      ways: changing("way"),
    },
  };
}

function add(to: Map<string, number>, word: string): void {
  to.set(word, (to.get(word) ?? 0) + 1);
}
