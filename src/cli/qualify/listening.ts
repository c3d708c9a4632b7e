import type { BatchCallItem, BatchStream, Hint, Platform, StreamStateChange } from "../../platform/index.ts";
import { waitFor } from "../interrupts.ts";
import type { Study } from "./study.ts";
import { phaseOf } from "./looking.ts";

/** What the streams of one batch told. */
export interface Listening {
  /** Resolves when each stream is open, or has failed once. */
  readonly settled: Promise<unknown>;
  /** Compares with the items listing: which of the two was first to tell of an end? */
  note(items: readonly BatchCallItem[]): void;
  /** Keeps what was heard and closes the streams. */
  close(): Promise<void>;
}

/** Hints are heard as they come: what is measured is the platform, not our own gathering. */
const TIMING = { hintWindowMs: 20 } as const;

/** What the listing showed before the stream told of it is waited for a little longer. */
const LAST_WORDS_MS = 2_000;

/** Listens twice, with the key in the header alone and with the token beside it: which of the two opens? */
export function listen(study: Study, batchId: string): Listening {
  const { platform, headerOnly, found } = study;
  const heardMs = new Map<string, number>();
  const shownMs = new Map<string, { keys: readonly string[]; atMs: number }>();
  const { stream: facts } = found;
  const byToken = openOne(platform, batchId, (hint) => {
    if (hint.items.size > 0) facts.names_items = true;
    if (hint.batchStatus !== undefined) facts.names_batch_status = true;
    if (hint.counts !== undefined) facts.gives_counts = true;
    for (const [key, status] of hint.items) {
      if (phaseOf({ item_id: key, status }) === "ended" && !heardMs.has(key))
        heardMs.set(key, performance.now());
    }
  });
  const byHeader = openOne(headerOnly, batchId, () => {});
  const heardOf = (keys: readonly string[]) =>
    keys.map((key) => heardMs.get(key)).find((at) => at !== undefined);
  return {
    settled: Promise.all([byToken.settled, byHeader.settled]),
    note(items) {
      for (const item of items) {
        if (phaseOf(item) !== "ended" || shownMs.has(item.item_id)) continue;
        const keys = [item.item_id, item.call_id, item.phone_number].flatMap((key) => key ?? []);
        shownMs.set(item.item_id, { keys, atMs: performance.now() });
      }
    },
    async close() {
      const deadlineMs = performance.now() + LAST_WORDS_MS;
      const isMissed = () => [...shownMs.values()].some(({ keys }) => heardOf(keys) === undefined);
      while (facts.names_items && isMissed() && performance.now() < deadlineMs && !study.signal.aborted) {
        await waitFor(study.pace.lookMs, study.signal);
      }
      for (const { keys, atMs } of shownMs.values()) noteLead(study, heardOf(keys), atMs);
      noteStream(facts, byToken, byHeader);
      await Promise.all([byToken.stream.close(), byHeader.stream.close()]);
    },
  };
}

/** A look that was made a moment later is no lateness of the listing. */
function noteLead({ found, pace }: Study, heardMs: number | undefined, shownMs: number): void {
  if (heardMs === undefined) return;
  const { timings_ms: timings } = found;
  const listingMs = Math.max(0, shownMs - heardMs - pace.lookMs);
  const streamMs = Math.max(0, heardMs - shownMs);
  timings.listing_behind_stream = Math.round(Math.max(timings.listing_behind_stream ?? 0, listingMs));
  timings.stream_behind_listing = Math.round(Math.max(timings.stream_behind_listing ?? 0, streamMs));
}

function noteStream(facts: Study["found"]["stream"], byToken: One, byHeader: One): void {
  const { frames, malformed } = byToken.stream.counters;
  facts.frames = (facts.frames ?? 0) + frames;
  facts.malformed = (facts.malformed ?? 0) + malformed;
  if (frames > malformed) {
    facts.names_items ??= false;
    facts.names_batch_status ??= false;
    facts.gives_counts ??= false;
  }
  facts.opens_with_token = better(facts.opens_with_token, byToken.opened());
  facts.opens_with_header = better(facts.opens_with_header, byHeader.opened());
}

/** It opened once, and so it does. */
function better(before: boolean | undefined, now: boolean | undefined): boolean | undefined {
  return before === true ? true : (now ?? before);
}

interface One {
  readonly stream: BatchStream;
  readonly settled: Promise<void>;
  /** Undefined: nobody said yes or no. */
  opened(): boolean | undefined;
}

function openOne(platform: Platform, batchCallId: string, onHint: (hint: Hint) => void): One {
  let opened: boolean | undefined;
  let settle = (): void => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const onState = (change: StreamStateChange): void => {
    if (change.state === "open") opened = true;
    // An HTTP status is an answer to who we are; a lost connection is none.
    if (change.state === "waiting" && (change.code === 401 || change.code === 403)) opened ??= false;
    if (change.state !== "connecting") settle();
  };
  return {
    stream: platform.openBatchStream({ batchCallId, onHint, onState, timing: TIMING }),
    settled,
    opened: () => opened,
  };
}
