import type { RehearsedWire, RulesSummaryWire, RulesTestWire } from "../../http/wire/rules.ts";
import type { Colours } from "../view/colours.ts";
import { countText } from "../view/words.ts";

/** Calls of which every one is shown; of more there are counts, and all of them with --json. */
const MOST_SHOWN = 50;
/** Calls that are named for each change. */
const SAMPLES = 3;

interface Shown {
  items: readonly RehearsedWire[];
  summary: RulesSummaryWire;
  unreadable: RulesTestWire["unreadable"];
  hasMore: boolean;
  /** What is compared with; undefined: nothing. */
  against: string | undefined;
}

/** What rules make of calls, in words. Of a comparison, the calls that change; otherwise all of them. */
export function rehearsalLines(colours: Colours, shown: Shown): string[] {
  const { items, summary, unreadable, hasMore, against } = shown;
  const compared = items.some(({ before }) => before !== null);
  const told = compared ? items.filter(({ differs }) => differs.length > 0) : items;
  const more = told.length - MOST_SHOWN;
  return [
    ...told.slice(0, MOST_SHOWN).flatMap(callLines),
    ...(more > 0 ? [`and ${countText(more, "call")} more: --json has all of them`] : []),
    ...summaryLines(summary, hasMore),
    ...(compared && against !== undefined ? changeLines(items, summary, against) : []),
    ...summary.problems.map(({ problem, calls }) =>
      colours.yellow(`no value for ${countText(calls, "call")}: ${problem}`),
    ),
    ...unreadable
      .slice(0, SAMPLES)
      .map(({ call_id: id, why }) => colours.yellow(`${id} can't be read: ${why}`)),
    ...(unreadable.length > SAMPLES
      ? [colours.yellow(`and ${countText(unreadable.length - SAMPLES, "call")} more can't be read`)]
      : []),
  ];
}

function callLines(call: RehearsedWire): string[] {
  const { before, differs } = call;
  const word = call.disposition ?? "not over";
  const was = differs.includes("disposition") ? `${before?.disposition ?? "not over"} -> ` : "";
  return [
    `${call.call_id}  ${was}${word}  (${call.reason})`,
    ...call.follow_ups.map(({ rule, actions }) => `  follow-up ${rule}: ${actions.join(", ")}`),
    ...(before && differs.includes("follow_ups") ? [`  follow-ups were: ${followUpNames(before)}`] : []),
    ...wayLines(call),
  ];
}

type Rehearsed = Pick<RehearsedWire, "follow_ups" | "way">;

function followUpNames({ follow_ups: followUps }: Rehearsed): string {
  return followUps.length === 0 ? "none" : followUps.map(({ rule }) => rule).join(", ");
}

function wayLines(call: RehearsedWire): string[] {
  if (call.way === null) return [];
  const was = call.before && call.differs.includes("way") ? [`  went: ${wayWords(call.before)}`] : [];
  return [`  goes: ${wayWords(call)}`, ...was];
}

function wayWords({ way }: Rehearsed): string {
  if (way === null) return "nowhere";
  const end = way.outcome === null ? `at step ${way.step ?? "none"}` : `ends as ${way.outcome}`;
  return [...way.passed, end].join("; ");
}

function summaryLines(summary: RulesSummaryWire, hasMore: boolean): string[] {
  const { calls, undecided, dispositions, by_rule: byRule, follow_ups: followUps } = summary;
  const counts = (of: Record<string, number>, named: (word: string) => string) =>
    Object.entries(of)
      .sort(([, one], [, other]) => other - one)
      .map(([word, n]) => `${named(word)} ${n}`)
      .join(", ");
  return [
    `${countText(calls, "call")}${hasMore ? " of more" : ""}: ${counts(dispositions, (word) => word) || "none is over"}`,
    ...(undecided > 0 ? [`not over: ${undecided}`] : []),
    ...(Object.keys(byRule).length > 0 ? [`decided by ${counts(byRule, (n) => `rule ${n}:`)}`] : []),
    ...(Object.keys(followUps).length > 0
      ? [`followed up by ${counts(followUps, (rule) => `${rule}:`)}`]
      : []),
  ];
}

function changeLines(
  items: readonly RehearsedWire[],
  { changed }: RulesSummaryWire,
  against: string,
): string[] {
  const samplesOf = (from: string, to: string) =>
    items
      .filter(
        ({ before, disposition, differs }) =>
          differs.includes("disposition") &&
          (before?.disposition ?? "undecided") === from &&
          (disposition ?? "undecided") === to,
      )
      .slice(0, SAMPLES)
      .map(({ call_id: id }) => id)
      .join(", ");
  return [
    `compared with ${against}: ${changed.calls === 0 ? "no call changes" : `${countText(changed.calls, "call")} of ${items.length} would come out otherwise`}`,
    ...changed.dispositions.map(
      ({ from, to, calls }) => `  ${from} -> ${to}: ${calls}, such as ${samplesOf(from, to)}`,
    ),
    ...(changed.follow_ups > 0 ? [`  other follow-ups: ${changed.follow_ups}`] : []),
    ...(changed.ways > 0 ? [`  another way: ${changed.ways}`] : []),
  ];
}
