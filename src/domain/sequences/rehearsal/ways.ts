import { callSpecsOf, workOf, type SequenceDefinition, type Step } from "../definition.ts";
import { policyOf, type CampaignSpec } from "../../campaigns/campaign-spec.ts";
import type { CallingWindow } from "../../policy/calling-window.ts";
import { DISPOSITIONS, type Disposition } from "../../policy/disposition.ts";
import { DAY_MS } from "../../time/local-day.ts";
import {
  startPosition,
  takeTurn,
  type JourneyEntry,
  type Position,
  type TurnFacts,
  type Turn,
  type TurnInput,
} from "../turn.ts";
import {
  branchTargetsOf,
  hasProcessing,
  isOpenBranch,
  possibleTargets,
  withDecided,
  withoutOpenWays,
} from "./open-branches.ts";
import { tryCall, type CalledPerson, type PastCall, type TriedCall } from "./tried-call.ts";

/*
 * The ways that one person may take through a sequence, on a simulated clock.
 *
 * 1. Every step is taken by `takeTurn`, as the engine has it taken: conditions, dates, days off and limits are its own.
 * 2. What nobody can know beforehand is a fork: what a call comes to, whether an event comes, whether an action is done,
 *    which way of a split, what the analysis of a call says to a branch. Each of its ways is walked to the end, unless one of them is assumed.
 * 3. Ways of a fork that are the same to the minute are one, under the names of all.
 * 4. Bounded: a way that comes round to a fork ends there; and by ends, by steps on a way, by time. What is cut says so.
 */

/** Something on the way. */
export interface WayPoint extends JourneyEntry {
  atMs: number;
}

export interface Way {
  points: WayPoint[];
  end:
    | { kind: "done"; atMs: number; outcome: string; reason: string }
    | { kind: "fork"; atMs: number; step: string; about: ForkAbout; branches: Branch[] }
    /** It goes on, and that is not shown. */
    | { kind: "cut"; atMs: number; why: string };
}

export type ForkAbout = "call" | "event" | "action" | "split" | "branch";

export interface Branch {
  /** What leads here: dispositions, `event` or `timeout`, `done` or `failed`, the way of a split or a branch. */
  when: string[];
  /** Of a call: when its tries are made. */
  triedMs: number[];
  way: Way;
}

export interface WaysQuestion extends Omit<CalledPerson, "zones"> {
  definition: SequenceDefinition;
  facts: TurnFacts;
  variables: Readonly<Record<string, string>>;
  /** The window of a step's policy as it is in force, with blackouts. */
  windowOf: (window: CallingWindow) => CallingWindow;
  fromMs: number;
  /** What is taken to happen at a step, by its id; absent: all that may. */
  assumed: ReadonlyMap<string, readonly string[]>;
}

export interface Ways {
  way: Way;
  /** Ends that are shown. */
  ends: number;
  /** Dispositions that are not shown, by call step. */
  untold: Map<string, Disposition[]>;
}

/** What a journey tells of forks: their branches say it, and two that differ by nothing else are one way. */
const OF_FORKS: ReadonlySet<string> = new Set([
  "call",
  "call_over",
  "automation",
  "webhook",
  "action_over",
  "split",
  "waits_for_event",
  "timeout",
  "ended",
]);

/** More ends than these nobody reads. */
const MOST_ENDS = 64;
const MOST_POINTS = 200;
const LONGEST_MS = 400 * DAY_MS;
/** Turns without a point in them; a turn that asks for nothing ends the way. */
const MOST_TURNS = 2_000;

/** Someone on the way: all that a fork has to keep. */
interface Walker {
  position: Position;
  nowMs: number;
  inputs: TurnInput[];
  calls: readonly PastCall[];
  isSuppressed: boolean;
  /** Steps at which the way forked. */
  forked: ReadonlySet<string>;
  /** Where branches of the coming turn lead that go by what nobody knows. */
  decided: ReadonlyMap<string, string>;
}

const NOTHING_DECIDED: ReadonlyMap<string, string> = new Map();

/** Work that pauses by itself, at each turn: whoever has it done has other things to do between. */
type Pausing<Result> = Generator<void, Result>;

export function* waysOf(question: WaysQuestion): Pausing<Ways> {
  const walking = new Walking(question);
  const position = startPosition(question.definition, question.variables);
  const way = yield* walking.walk(
    {
      position,
      nowMs: question.fromMs,
      inputs: [],
      calls: [],
      isSuppressed: false,
      forked: new Set(),
      decided: NOTHING_DECIDED,
    },
    0,
  );
  return { way, ends: walking.ends, untold: walking.untold };
}

class Walking {
  ends = 0;
  readonly untold = new Map<string, Disposition[]>();
  readonly #question: WaysQuestion;
  readonly #specs: ReadonlyMap<string, CampaignSpec>;
  /** Dispositions that some expression of the sequence asks for. */
  readonly #askedFor: ReadonlySet<string>;

  constructor(question: WaysQuestion) {
    this.#question = question;
    const { definition } = question;
    this.#specs = new Map(callSpecsOf(definition).map(({ stepId, spec }) => [stepId, spec]));
    const text = JSON.stringify(definition);
    this.#askedFor = new Set(
      DISPOSITIONS.filter((word) => text.includes(`\\"${word}\\"`) || text.includes(`'${word}'`)),
    );
  }

  *walk(walker: Walker, pointsBefore: number): Pausing<Way> {
    const points: WayPoint[] = [];
    const ended = (end: Way["end"]): Way => {
      if (end.kind !== "fork") this.ends += 1;
      return { points, end };
    };
    const cut = (why: string) => ended({ kind: "cut", atMs: walker.nowMs, why });
    const { definition, facts, fromMs } = this.#question;
    for (let turns = 0; turns < MOST_TURNS; turns += 1) {
      yield;
      const { position, nowMs, inputs, decided } = walker;
      if (this.ends >= MOST_ENDS) return cut(`more than ${MOST_ENDS} ends`);
      if (pointsBefore + points.length > MOST_POINTS)
        return cut(`more than ${MOST_POINTS} things on one way`);
      if (nowMs - fromMs > LONGEST_MS) return cut("more than 400 days");
      const turn = takeTurn({
        definition: withDecided(definition, decided),
        position,
        inputs,
        facts,
        nowMs,
      });
      const split = splitIn(turn.journey, position);
      if (split !== undefined)
        return ended(yield* this.#forkSplit(walker, split, pointsBefore + points.length));
      const fork = this.#forkBranch(walker, turn, pointsBefore + points.length);
      if (fork) return ended(yield* fork);
      const told = turn.journey.filter(
        ({ what, step }) => !OF_FORKS.has(what) && !(what === "branch" && decided.has(step ?? "")),
      );
      points.push(...told.map((entry) => ({ ...entry, atMs: nowMs })));
      walker.position = turn.position;
      walker.decided = NOTHING_DECIDED;
      walker.inputs = inputs.slice(turn.taken);
      walker.isSuppressed ||= turn.effects.some(({ kind }) => kind === "suppress");
      const { next } = turn;
      const depth = pointsBefore + points.length;
      if (next.kind === "done") return ended({ ...next, atMs: nowMs });
      if (next.kind === "call") return ended(yield* this.#forkCall(walker, next, depth));
      if (next.kind === "action") return ended(yield* this.#forkAction(walker, next, depth));
      if (next.kind === "withdraw")
        walker.inputs = [{ kind: "withdrawal", callNo: next.callNo, result: "withdrawn" }];
      else if (walker.position.waiting?.for === "event") return ended(yield* this.#forkEvent(walker, depth));
      else if (next.untilMs === undefined) return cut("waits for something that only a person tells");
      else walker.nowMs = Math.max(nowMs, next.untilMs);
    }
    return cut(`more than ${MOST_TURNS} turns`);
  }

  /** A way that comes round to a fork is not walked again from there, unless what happens at it is assumed. */
  *#fork<Word extends string>(
    walker: Walker,
    { step, about, words, depth }: { step: Step; about: ForkAbout; words: readonly Word[]; depth: number },
    take: (word: Word, next: Walker) => Omit<Branch, "way">,
  ): Pausing<Way["end"]> {
    const { nowMs: atMs, forked } = walker;
    if (words.length > 1 && forked.has(step.id))
      return { kind: "cut", atMs, why: `comes to ${step.id} again` };
    const next = words.length > 1 ? { ...walker, forked: new Set([...forked, step.id]) } : walker;
    const branches: Branch[] = [];
    for (const word of words) {
      const walking = { ...next };
      const taken = take(word, walking);
      branches.push({ ...taken, way: yield* this.walk(walking, depth) });
    }
    return { kind: "fork", atMs, step: step.id, about, branches: joined(branches) };
  }

  #forkCall(
    walker: Walker,
    { stepId, callNo }: { stepId: string; callNo: number },
    depth: number,
  ): Pausing<Way["end"]> {
    const { waiting } = walker.position;
    const spec = this.#specs.get(stepId);
    if (!spec || waiting?.for !== "call") throw new Error(`step ${stepId} waits for no call`);
    const { facts, number, places, consents, windowOf } = this.#question;
    const step = this.#stepOf(stepId);
    return this.#fork(
      walker,
      { step, about: "call", words: this.#dispositionsAt(step), depth },
      (disposition, next) => {
        const { calls, end, triedMs } = tryCall({
          step: stepId,
          spec,
          window: windowOf(policyOf(spec, 1).window),
          person: { number, places, consents, zones: facts.zones, isSuppressed: walker.isSuppressed },
          before: walker.calls,
          fromMs: walker.nowMs,
          untilMs: waiting.untilMs,
          disposition,
        });
        const isOver = end.kind === "over";
        const input: TurnInput = {
          kind: "call_over",
          callNo,
          disposition: isOver ? disposition : undefined,
          reason: end.kind === "refused" ? end.reason : undefined,
          attempts: triedMs.length,
          ...(isOver && { durationSeconds: end.seconds, endedAtMs: end.atMs }),
        };
        next.nowMs = end.atMs;
        // At the end of its time the turn gives it up by itself.
        next.inputs = end.kind === "gave_up" ? [] : [input];
        next.calls = [...walker.calls, ...calls];
        next.isSuppressed ||= isOver && disposition === "opted_out";
        return { when: [wordsOf(end, disposition)], triedMs };
      },
    );
  }

  /** What is told apart somewhere, and what is usual; `assumed` goes before. */
  #dispositionsAt(step: Step): Disposition[] {
    const assumed = this.#question.assumed.get(step.id);
    if (assumed) return DISPOSITIONS.filter((word) => assumed.includes(word));
    const shown = DISPOSITIONS.filter(
      (word) =>
        word === "answered" ||
        word === "no_answer" ||
        step.on?.[word] !== undefined ||
        this.#askedFor.has(word),
    );
    const rest = DISPOSITIONS.filter((word) => !shown.includes(word));
    if (rest.length > 0) this.untold.set(step.id, rest);
    return shown;
  }

  #forkEvent(walker: Walker, depth: number): Pausing<Way["end"]> {
    const { position } = walker;
    const { waiting } = position;
    const step = this.#stepOf(position.step ?? "");
    if (waiting?.for !== "event") throw new Error(`step ${step.id} waits for no event`);
    const words = this.#assumedOf(step.id, ["event", "timeout"]);
    return this.#fork(walker, { step, about: "event", words, depth }, (when, next) => {
      if (when === "timeout") next.nowMs = waiting.untilMs;
      else next.position = this.#withEvent(next, step);
      return { when: [when], triedMs: [] };
    });
  }

  /** Comes at once. One without data may not be what the step waits for; it is taken to be. */
  #withEvent({ position, nowMs }: Walker, step: Step): Position {
    const { steps } = this.#question.definition;
    const next = step.on?.["event"] ?? step.next ?? steps[steps.indexOf(step) + 1]?.id ?? null;
    const event = { name: step.wait_for?.event ?? "", data: {}, at: new Date(nowMs).toISOString() };
    return { ...position, waiting: null, step: next, events: [...position.events, event] };
  }

  #forkAction(
    walker: Walker,
    { stepId, n }: { stepId: string; n: number },
    depth: number,
  ): Pausing<Way["end"]> {
    const step = this.#stepOf(stepId);
    const states = ["done", "failed", "unknown"] as const;
    const possible = workOf(step).kind === "automation" ? states : states.filter((one) => one !== "unknown");
    const words = this.#assumedOf(stepId, possible);
    return this.#fork(walker, { step, about: "action", words, depth }, (state, next) => {
      next.inputs = [{ kind: "action_over", n, state }];
      return { when: [state], triedMs: [] };
    });
  }

  #forkSplit(walker: Walker, stepId: string, depth: number): Pausing<Way["end"]> {
    const step = this.#stepOf(stepId);
    const words = this.#assumedOf(stepId, [...new Set(step.split?.map(({ to }) => to))]);
    return this.#fork(walker, { step, about: "split", words, depth }, (to, next) => {
      next.position = { ...next.position, splits: { ...next.position.splits, [stepId]: to } };
      return { when: [to], triedMs: [] };
    });
  }

  /** The first branch of a turn that goes by what processing makes of the last call, where more than one way may be. */
  #forkBranch(walker: Walker, turn: Turn, depth: number): Pausing<Way["end"]> | undefined {
    if (!hasProcessing(turn.position.last_call.disposition)) return undefined;
    const { definition, facts } = this.#question;
    const { position, nowMs, inputs, decided } = walker;
    for (const { what, step: stepId } of turn.journey) {
      if (what !== "branch" || stepId === undefined || decided.has(stepId)) continue;
      const step = this.#stepOf(stepId);
      if (!isOpenBranch(step)) continue;
      const known = withoutOpenWays(withDecided(definition, decided), stepId);
      const journey = takeTurn({ definition: known, position, inputs, facts, nowMs }).journey;
      const taken = journey.find((entry) => entry.what === "branch" && entry.step === stepId)?.detail["when"];
      const possible = possibleTargets(step, typeof taken === "string" ? taken : undefined);
      if (possible.length < 2) continue;
      const assumed = this.#assumedOf(stepId, possible);
      const words = assumed.length === 0 ? possible : assumed;
      return this.#fork(walker, { step, about: "branch", words, depth }, (target, next) => {
        next.decided = new Map([...decided, [stepId, target]]);
        return { when: [target], triedMs: [] };
      });
    }
    return undefined;
  }

  #assumedOf<Word extends string>(step: string, words: readonly Word[]): Word[] {
    const assumed = this.#question.assumed.get(step);
    return words.filter((word) => assumed?.includes(word) ?? true);
  }

  #stepOf(id: string): Step {
    const step = this.#question.definition.steps.find((one) => one.id === id);
    if (!step) throw new Error(`no step ${id}`);
    return step;
  }
}

/** A call that is refused, or given up, is so whatever its tries came to. */
function wordsOf(end: TriedCall["end"], disposition: Disposition): string {
  if (end.kind === "over") return disposition;
  return end.kind === "refused" ? `refused (${end.reason})` : `${disposition} until it is given up`;
}

/** The step of a split that was taken in this turn and that nothing had decided before. */
function splitIn(journey: readonly JourneyEntry[], { splits }: Position): string | undefined {
  return journey.find(
    ({ what, step }) => what === "split" && step !== undefined && !Object.hasOwn(splits, step),
  )?.step;
}

/** Ways that are the same are one. */
function joined(branches: readonly Branch[]): Branch[] {
  const byWay = new Map<string, Branch>();
  for (const branch of branches) {
    const key = JSON.stringify([branch.triedMs, branch.way]);
    const known = byWay.get(key);
    if (known) known.when.push(...branch.when.filter((word) => !known.when.includes(word)));
    else byWay.set(key, branch);
  }
  return [...byWay.values()];
}

/** What may be assumed at a step; undefined where nothing of it is open. */
export function assumableAt(step: Step): readonly string[] | undefined {
  const { kind } = workOf(step);
  if (kind === "call") return DISPOSITIONS;
  if (kind === "wait_for") return ["event", "timeout"];
  if (kind === "automation") return ["done", "failed", "unknown"];
  if (kind === "webhook") return ["done", "failed"];
  if (kind === "split") return step.split?.map(({ to }) => to);
  if (kind === "branch" && isOpenBranch(step)) return branchTargetsOf(step);
  return undefined;
}
