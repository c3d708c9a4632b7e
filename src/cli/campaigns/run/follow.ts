import { reasonWords } from "../../../domain/ground/reason-words.ts";
import { isOver } from "../../../domain/campaigns/campaign-state.ts";
import type { ProgressWire } from "../../../http/wire/campaigns.ts";
import type { Api } from "../../api/client.ts";
import { ApiProblemError } from "../../api/errors.ts";
import type { Voice } from "../../context.ts";
import { waitFor } from "../../interrupts.ts";
import { INTERRUPTED_REASON } from "./run-decision.ts";
import { commandText, goOnText, type Place } from "../../hints.ts";
import { watchPace } from "../../view/pace.ts";
import { holdLines, progressLine, progressPicture } from "../../view/progress.ts";
import { countText } from "../../view/words.ts";

export interface FollowInput {
  api: Api;
  campaignId: string;
  voice: Voice;
  signal: AbortSignal;
  /** The campaign is ours to pause when the signal is given; otherwise it just is not watched any more. */
  pauseOnSignal: boolean;
  /** Where the commands that are named find the campaign. */
  place?: Place;
}

export interface FollowEnd {
  progress: ProgressWire;
  /** The signal was given, and what was to be waited for has ended. */
  interrupted: boolean;
}

/** As often as a person sees a difference; three probes of an index each. */
const LOOK_MS = 500;

/** Plain lines come this far apart, and whenever something else than numbers changed. */
const LINE_EVERY_MS = 10_000;

/** Watches a campaign until it is over, or interrupted, or paused by another `run` that was. */
export async function follow(input: FollowInput): Promise<FollowEnd> {
  const { voice, signal, place = {} } = input;
  const show = progressShow(voice, place);
  const look = patientLook(input);
  let halt: Halt | undefined;
  try {
    for (;;) {
      const progress = await look();
      if (!progress) continue;
      show(progress, halt?.note(progress));
      if (isOver(progress.state)) return { progress, interrupted: halt !== undefined };
      if (signal.aborted) {
        if (!input.pauseOnSignal) return { progress, interrupted: true };
        halt ??= haltCampaign(input, progress);
        if (halt.answered() && progress.live_batches === 0) return { progress, interrupted: true };
      } else if (progress.state === "paused" && progress.state_reason === INTERRUPTED_REASON) {
        return { progress, interrupted: false };
      }
      await (halt ? waitFor(LOOK_MS, NEVER) : waitFor(LOOK_MS, signal));
    }
  } finally {
    voice.screen.clear();
  }
}

const NEVER = new AbortController().signal;

/** A ledger or a server that restarts is back within minutes; the campaign itself waits far longer. */
const FAILING_BOUND_MS = 10 * 60_000;
const FAILING_LOOK_MS = 2_000;

/** Looks at the campaign. Undefined where the system could not tell just now; it is asked again, for a while. */
function patientLook({
  api,
  campaignId,
  voice,
  signal,
}: FollowInput): () => Promise<ProgressWire | undefined> {
  let failingSinceMs: number | undefined;
  return async () => {
    try {
      const progress = await api.campaigns.progress(campaignId);
      failingSinceMs = undefined;
      return progress;
    } catch (error) {
      const isPassing = error instanceof ApiProblemError && (error.status >= 500 || error.status === 429);
      if (!isPassing || signal.aborted) throw error;
      if (failingSinceMs === undefined)
        voice.screen.say(`the system can't answer now: ${error.message}; asking again`);
      failingSinceMs ??= performance.now();
      if (performance.now() - failingSinceMs > FAILING_BOUND_MS) throw error;
      await waitFor(FAILING_LOOK_MS, signal);
      return undefined;
    }
  };
}

interface Halt {
  /** Whether the pause was answered, so that no new call begins. */
  answered(): boolean;
  note(progress: ProgressWire): string;
}

/** Pauses the campaign, once, beside the watching. */
function haltCampaign({ api, campaignId, voice }: FollowInput, { state }: ProgressWire): Halt {
  let answered = state !== "running";
  let trouble: string | undefined;
  const pause = async () => {
    try {
      const { in_flight } = await api.campaigns.pause(campaignId, { reason: INTERRUPTED_REASON });
      answered = true;
      voice.screen.say(
        in_flight.calls_up + in_flight.uncertain === 0
          ? "no new call begins, and none is up"
          : `no new call begins; ${countText(in_flight.calls_up, "call")} up${in_flight.uncertain > 0 ? `, ${in_flight.uncertain} more may be` : ""}`,
      );
    } catch (error) {
      // It is over, or paused by somebody else: as good.
      if (error instanceof ApiProblemError && error.code === "command_refused") answered = true;
      else trouble = reasonWords(error);
    }
  };
  voice.screen.say(
    "stopping: no new call is to begin, and calls that are up may end (Ctrl-C again leaves at once)",
  );
  if (!answered) void pause();
  return {
    answered: () => answered,
    note({ live_batches }) {
      const waitsFor = answered
        ? `waiting for calls that are up (${countText(live_batches, "batch", "batches")} to end)`
        : "waiting until no new call can begin";
      return `${trouble === undefined ? waitsFor : `the pause got no answer: ${trouble}`}; Ctrl-C again leaves at once`;
    },
  };
}

/** Pictures in a terminal; elsewhere lines, now and then and when something changes. */
function progressShow(voice: Voice, place: Place): (progress: ProgressWire, note?: string) => void {
  const { screen, colours } = voice;
  const paceOf = watchPace();
  const goOn = goOnText(place);
  let lastLineMs = Number.NEGATIVE_INFINITY;
  let lastNews = "";
  return (progress, note) => {
    const pace = paceOf(progress);
    const hint = note ?? pauseHint(progress, place);
    if (screen.live) {
      screen.show(progressPicture({ progress, pace, columns: screen.columns, colours, goOn, note: hint }));
      return;
    }
    const nowMs = Date.now();
    const news = [
      progress.state,
      progress.state_reason,
      hint === undefined ? "" : "hint",
      ...holdLines(progress, goOn),
    ].join("\n");
    if (news === lastNews && nowMs - lastLineMs < LINE_EVERY_MS) return;
    screen.say(progressLine({ progress, pace, goOn }));
    if (hint !== undefined) screen.say(hint);
    lastLineMs = nowMs;
    lastNews = news;
  };
}

function pauseHint({ state, state_reason, name }: ProgressWire, place: Place): string | undefined {
  if (state !== "paused" || state_reason === INTERRUPTED_REASON) return undefined;
  // One that waits for approval is not to be resumed before it has that.
  if (state_reason?.startsWith("canary") === true)
    return `\`${commandText("canary", name, place)}\` shows its first calls, \`${commandText("approve", name, place)}\` goes on; Ctrl-C leaves`;
  return `\`${commandText("resume", name, place)}\` goes on; Ctrl-C leaves`;
}
