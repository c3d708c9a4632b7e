import { microsOf, usdText } from "../../domain/campaigns/money.ts";
import type { ProgressWire } from "../../http/wire/campaigns.ts";
import type { Colours } from "./colours.ts";
import type { Pace } from "./pace.ts";
import { textWidth } from "./text-width.ts";
import { byCount, countText, durationText, momentText, numberText, tallyText } from "./words.ts";

/*
 * A campaign's progress as a picture and as a line. Pure: what is shown depends on what is given alone.
 */

export interface Picture {
  progress: ProgressWire;
  pace: Pace;
  columns: number;
  colours: Colours;
  /** The command that ends a stop of everything. */
  goOn: string;
  /** Said under the rest, such as what an interrupted run waits for. */
  note?: string | undefined;
  /** Why contacts were excluded, with how many, where somebody asked. */
  excluded?: Readonly<Record<string, number>> | undefined;
}

/** Why nobody is dialed, in words. */
const HOLD_WORDS: Readonly<Record<string, string>> = {
  window: "outside the calling window",
  before_start: "before the campaign's start",
  after_end: "its end comes before a call could begin",
  slots: "every slot is in use",
  stop_all: "everything is stopped",
  recovery: "dialing is held until the ledger is recovered",
  clock: "clocks disagree",
  disk: "the disk under the ledger is almost full",
  scheduled: "not started",
  caller_ids: "every number to call from rests or is at its cap",
  budget: "a budget is used up",
  credit: "the platform's account has no credit",
  breaker: "its breaker opened",
  canary: "its first calls are looked at",
  agent: "its agent can't call",
  transfer_closed: "those who take transferred calls are not there",
  paused: "paused",
  draining: "ending",
};

const LONGEST_BAR = 40;
const HOLDS_SHOWN = 4;
const REASONS_SHOWN = 5;

export function progressPicture(picture: Picture): string[] {
  const { progress, pace, columns, colours, goOn, note, excluded = {} } = picture;
  const { contacts, held_slots, concurrency, live_batches } = progress;
  const label = (text: string) => colours.dim(text.padEnd(10));
  const lines = [
    titleLine(progress, columns, colours),
    barLine(progress, pace, columns, colours),
    label("contacts") +
      [
        `done ${numberText(contacts.done)}`,
        `excluded ${numberText(contacts.excluded)}`,
        `dialing ${numberText(contacts.leased)}`,
        `waiting ${numberText(contacts.open - contacts.leased)}`,
      ].join(" · "),
    ...excludedTexts(excluded).map((text, index) => label(index === 0 ? "excluded" : "") + text),
    `${label("slots")}${numberText(held_slots)} of ${numberText(concurrency)} in use · ${countText(live_batches, "batch", "batches")}`,
    `${label("calls")}${numberText(progress.attempts)} made${rateText(pace)}`,
    `${label("outcomes")}${tallyText(progress.dispositions) || "none yet"}`,
    ...moneyTexts(progress).map((text, index) => label(index === 0 ? "money" : "") + text),
    ...transferTexts(progress).map((text) => label("transfers") + text),
    ...agentTexts(progress).map(
      ({ text, isNews }, index) => label(index === 0 ? "agent" : "") + (isNews ? colours.yellow(text) : text),
    ),
    ...afterwardsTexts(progress).map((text) => label("after") + text),
    ...holdLines(progress, goOn).map(
      (line, index) => label(index === 0 ? "held" : "") + colours.yellow(line),
    ),
  ];
  return note === undefined ? lines : [...lines, colours.yellow(note)];
}

function titleLine(
  { name, run, state, state_reason, started_at, ended_at, now }: ProgressWire,
  columns: number,
  colours: Colours,
) {
  const reason = state_reason === null ? "" : ` (${state_reason})`;
  const left = `${colours.bold(name)} run ${run} · ${paintState(state, colours)}${reason}`;
  // The clock of one that is over stands still.
  const right = started_at === null ? "" : durationText(Date.parse(ended_at ?? now) - Date.parse(started_at));
  const gap = columns - 1 - textWidth(left) - textWidth(right);
  return right === "" || gap < 2 ? left : `${left}${" ".repeat(gap)}${colours.dim(right)}`;
}

function paintState(state: ProgressWire["state"], colours: Colours): string {
  switch (state) {
    case "running":
    case "completed":
      return colours.green(state);
    case "paused":
    case "draining":
    case "scheduled":
      return colours.yellow(state);
    case "cancelled":
      return colours.red(state);
  }
}

function barLine({ contacts }: ProgressWire, pace: Pace, columns: number, colours: Colours): string {
  const through = contacts.done + contacts.excluded;
  const share = contacts.total === 0 ? 0 : through / contacts.total;
  const eta = pace.leftMs === undefined ? "" : ` · ETA ${durationText(pace.leftMs)}`;
  // Never "100 %" before it is all; of whole numbers, since 58 of 100 as a share are a little less than 58 %.
  const percent = contacts.total === 0 ? 0 : Math.floor((100 * through) / contacts.total);
  const words = `${numberText(through)} of ${numberText(contacts.total)} (${percent} %)${eta}`;
  const width = Math.max(0, Math.min(LONGEST_BAR, columns - 3 - textWidth(words)));
  const full = Math.floor(share * width);
  return `${colours.green("█".repeat(full))}${colours.dim("░".repeat(width - full))} ${words}`;
}

/** A reason a line, most first; those of few together. */
function excludedTexts(reasons: Readonly<Record<string, number>>): string[] {
  const all = byCount(reasons);
  const [shown, others] = [all.slice(0, REASONS_SHOWN), all.slice(REASONS_SHOWN)];
  const rest = others.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...shown.map(([reason, count]) => `${numberText(count)} ${reason.replaceAll("_", " ")}`),
    ...(rest > 0 ? [`${numberText(rest)} for ${countText(others.length, "other reason")}`] : []),
  ];
}

/** What it spent, holds, and may spend; nothing where there is none of it. */
function moneyTexts({ money }: ProgressWire): string[] {
  const { spent, held, today, total, per_day: perDay, zone } = money;
  if (spent === 0 && held === 0 && total === null && perDay === null) return [];
  const of = (cap: number | null) => (cap === null ? "" : ` of ${usd(cap)}`);
  return [
    `${usd(spent)}${of(total)} spent · ${usd(held)} held for calls under way`,
    ...(perDay === null
      ? []
      : [`today (${zone}) ${usd(today.spent + today.held)}${of(perDay)} spent and held`]),
  ];
}

function usd(amount: number): string {
  return usdText(microsOf(amount));
}

/** What those who take transferred calls leave it. */
function transferTexts({ transfers }: ProgressWire): string[] {
  if (transfers === null) return [];
  const { people, lines, share } = transfers;
  const who = people === 1 ? "1 person" : `${numberText(people)} people`;
  return [
    `paced by transfers: ${who}, ${countText(lines, "line")} (${Math.round(share * 1_000) / 10} % of its calls are taken to be transferred)`,
  ];
}

/** Which versions it calls with, and what they were before they changed under way. */
function agentTexts({ agents, now }: ProgressWire): { text: string; isNews: boolean }[] {
  return agents.map(({ agent_id: id, name, state, version, was_version: was, changed_at: changedAt }) => {
    const what = STATE_WORDS[state] ?? (version === null ? "" : ` version ${version}`);
    const since =
      changedAt === null
        ? ""
        : `, changed under way: version ${was ?? "unknown"} until ${momentText(changedAt, Date.parse(now))}`;
    return {
      text: `${name === id ? id : `${name} (${id})`}${what}${since}`,
      isNews: changedAt !== null || state !== "published",
    };
  });
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  draft: " is not published any more",
  gone: " is not on the platform any more",
};

/** What is open behind its calls, in one line; none where nothing is. */
function afterwardsTexts({ follow_ups, callbacks }: ProgressWire): string[] {
  const parts = [
    ...(follow_ups.open === 0 ? [] : [`${countText(follow_ups.open, "follow-up")} open`]),
    ...(callbacks.open === 0 ? [] : [`${countText(callbacks.open, "callback")} to come`]),
  ];
  return parts.length === 0 ? [] : [parts.join(" · ")];
}

function rateText({ callsAMinute }: Pace): string {
  return callsAMinute === undefined ? "" : ` · ${numberText(Math.round(callsAMinute))} a minute`;
}

/** Why due contacts wait, in words; being out of slots is how it should be, and no news. */
export function holdLines({ holds, now }: ProgressWire, goOn: string): string[] {
  const worthSaying = holds.filter(
    ({ reason }) => reason !== "slots" && reason !== "paused" && reason !== "draining",
  );
  const lines = worthSaying.slice(0, HOLDS_SHOWN).map(({ reason, detail, until, zone_sets }) => {
    const what = budgetText(reason, detail) ?? HOLD_WORDS[reason] ?? reason.replaceAll("_", " ");
    const why =
      until === null ? (detail === "" ? "" : `: ${detail}`) : ` until ${momentText(until, Date.parse(now))}`;
    const where =
      zone_sets > 0 ? ` (${countText(zone_sets, "group of time zones", "groups of time zones")})` : "";
    const remedy = reason === "stop_all" ? `; go on with \`${goOn}\`` : "";
    return `${what}${why}${where}${remedy}`;
  });
  const more = worthSaying.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** Of several budgets the one that is used up, where it is told until when and no more. */
function budgetText(reason: string, detail: string): string | undefined {
  const [, budget] = (reason === "budget" && /^until \S+: (the budget of .+?) has /.exec(detail)) || [];
  return budget === undefined ? undefined : `${budget} is used up`;
}

/** The same in one line, for a file or a pipe. */
export function progressLine({ progress, pace, goOn }: Pick<Picture, "progress" | "pace" | "goOn">): string {
  const { contacts, attempts, dispositions, held_slots, concurrency, state, state_reason } = progress;
  const why = state_reason === null ? "" : ` (${state_reason})`;
  const through = contacts.done + contacts.excluded;
  const parts = [
    `${state}${why}: ${numberText(through)} of ${countText(contacts.total, "contact")} through (done ${numberText(contacts.done)}, excluded ${numberText(contacts.excluded)}, dialing ${numberText(contacts.leased)}, waiting ${numberText(contacts.open - contacts.leased)})`,
    `slots ${numberText(held_slots)} of ${numberText(concurrency)}`,
    `${countText(attempts, "call")}${rateText(pace).replace(" · ", ", ")}`,
    tallyText(dispositions, ", "),
    pace.leftMs === undefined ? "" : `ETA ${durationText(pace.leftMs)}`,
    ...agentTexts(progress).flatMap(({ text, isNews }) => (isNews ? [`agent ${text}`] : [])),
    ...afterwardsTexts(progress).map((text) => text.replace(" · ", ", ")),
    ...holdLines(progress, goOn).map((line) => `held: ${line}`),
  ];
  return parts.filter((part) => part !== "").join("; ");
}
