import type { ServerResponse } from "node:http";

import {
  BEGINNING,
  isBefore,
  MOST_AT_ONCE,
  newestPlace,
  placeOf,
  readEvents,
} from "../ledger/events/events.ts";
import type { LedgerEvent, Place } from "../ledger/events/events.ts";
import { tokensInForce } from "../ledger/ground/api-tokens.ts";
import { sessionsInForce } from "../ledger/ground/sessions.ts";
import type { HttpDeps } from "./deps.ts";
import { cursorOf } from "./cursor.ts";
import { createGathering } from "./gathering.ts";
import { eventView, isWanted, type EventFilter } from "./event-view.ts";
import { maskedEvent } from "./plugins/masking.ts";
import { BEAT_EVERY_MS, type StreamWord } from "./wire/events.ts";

/*
 * The live feed.
 *
 * 1. One reader a process asks the ledger, once a second, while anybody listens, and hands what it finds to all. What
 *    listeners cost the ledger does not grow with their number.
 * 2. The newest events are kept here, some thousands. Whoever comes back within those is served from here; whoever was
 *    away for longer reads the pages between by itself first, and joins behind them.
 * 3. Nobody is waited for: a listener that takes too little is cut off, told so, and comes back by the id of what it
 *    had last.
 * 4. The first words are the place behind which a listener is told everything: whoever asks for something beside it
 *    knows by that which answers are too old.
 * 5. A listener whose token was revoked, or has expired, or whose session has ended, is let go within half a minute.
 */

const LOOK_EVERY_MS = 1_000;
const TOKENS_EVERY_MS = 30_000;

/** What is kept for whoever comes back: a busy minute or two. A megabyte or two. */
const MOST_KEPT = 4_000;

/** What waits for a listener on its way out: thousands of events. */
const MOST_WAITING_BYTES = 1024 * 1024;

/** What a listener that comes back is sent before it is asked whether it takes that. */
const SENT_AT_ONCE = 100;

/** Whoever has not taken that by then takes nothing. */
const MOST_WAIT_MS = 30_000;

/** By then a listener that was cut off has taken what was on its way, or does not. */
const LAST_WORDS_MS = 5_000;

/** When a browser comes back by itself. */
const RETRY_MS = 3_000;

/** Each may be a browser's, with five more connections: below what a server takes (app.ts), with room for others. */
export const MOST_LISTENERS = 400;
export const MOST_LISTENERS_A_TOKEN = 250;

interface Listener {
  readonly raw: ServerResponse;
  readonly filter: EventFilter;
  readonly isMasked: boolean;
  readonly callerName: string;
  /** Of a token; undefined: the system's own, which does not end. */
  readonly tokenId: string | undefined;
  /** Of a session; undefined: there is none that could end. */
  readonly sessionId: string | undefined;
  /** Everything up to here was sent, or is not wanted. */
  place: Place;
}

/** An event, and its words once somebody wants them. */
interface Told {
  event: LedgerEvent;
  place: Place;
  plain?: string;
  masked?: string;
}

/** The newest events: everything behind `from`, as far as `through`. */
interface Recent {
  from: Place;
  through: Place;
  readonly kept: Told[];
}

export interface LiveEvents {
  /** How many listen or are about to, in all and with one name. */
  count(callerName: string): { all: number; ofCaller: number };
  /** Counts one that is about to join, until that is called which it returns. */
  reserve(callerName: string): () => void;
  /** The place from which a listener begins that asks for nothing before: behind all there is. */
  head(): Promise<Place>;
  /** Everything up to there happened by now, as far as is known here: what is not known that far is looked for. */
  through(atLeast: Place): Promise<Place>;
  /** Sends everything behind its place from here on, until the response ends. */
  join(listener: Listener): Promise<void>;
  /** Ends all of them. */
  stop(): void;
}

export function createLiveEvents({
  ledger,
  sessions,
  log,
  now,
}: Pick<HttpDeps, "ledger" | "sessions" | "log" | "now">): LiveEvents {
  const listeners = new Set<Listener>();
  const coming = new Set<Listener>();
  const reserved = new Set<{ readonly callerName: string }>();
  /** What is kept; undefined: nobody has looked yet, or nobody listens any more. */
  let recent: Recent | undefined;
  let timers: NodeJS.Timeout[] = [];
  let looking: Promise<void> | undefined;
  let isStopped = false;

  /** Of who is told of events by another process. */
  const newest = createGathering({
    most: Number.POSITIVE_INFINITY,
    perform: async (asked: readonly undefined[]) => {
      const place = await newestPlace(ledger.db);
      return asked.map(() => place);
    },
    isOfAll: () => true,
  });

  const look = () => {
    looking ??= lookOnce().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  async function lookOnce(): Promise<void> {
    // Whoever leaves last drops what is kept: a look that is under way then tells nobody.
    const mine = recent;
    if (!mine) {
      const place = await newestPlace(ledger.db);
      // For nobody it would stay as it is, and be old for whoever comes.
      if (listeners.size + coming.size > 0) recent = { from: place, through: place, kept: [] };
      return;
    }
    for (let isFull = true; isFull;) {
      const found = await readEvents(ledger.db, { after: mine.through, limit: MOST_AT_ONCE });
      isFull = found.length === MOST_AT_ONCE;
      const told = found.map((event) => ({ event, place: placeOf(event) }));
      mine.through = told.at(-1)?.place ?? mine.through;
      mine.kept.push(...told);
      const gone = mine.kept.splice(0, Math.max(0, mine.kept.length - MOST_KEPT));
      mine.from = gone.at(-1)?.place ?? mine.from;
      if (mine !== recent) return;
      for (const listener of listeners) send(listener, told);
    }
  }

  function send(listener: Listener, told: readonly Told[]): void {
    for (const one of told) {
      if (!isBefore(listener.place, one.place)) continue;
      if (isWanted(one.event, listener.filter)) {
        if (listener.raw.writableLength > MOST_WAITING_BYTES) return cutOff(listener);
        listener.raw.write(wordsOf(one, listener.isMasked));
      }
      listener.place = one.place;
    }
  }

  function leave(listener: Listener): void {
    coming.delete(listener);
    listeners.delete(listener);
    if (listeners.size + coming.size > 0) return;
    for (const timer of timers) clearInterval(timer);
    timers = [];
    // What happens while nobody listens is not kept, and the next one begins behind it.
    recent = undefined;
  }

  /** Ends a stream with a reason. What it has not taken within seconds is dropped with its connection. */
  function end(listener: Listener, event: StreamWord, detail: string): void {
    leave(listener);
    const { raw } = listener;
    raw.end(`event: ${event}\ndata: ${JSON.stringify({ detail })}\n\n`);
    setTimeout(() => raw.destroy(), LAST_WORDS_MS).unref();
  }

  function cutOff(listener: Listener): void {
    end(listener, "cut_off", "events were not taken as fast as they came: connect again with Last-Event-ID");
  }

  function begin(): void {
    if (timers.length > 0) return;
    const every = (ms: number, work: () => Promise<void> | void) => {
      const timer = setInterval(() => void perform(work), ms);
      timer.unref();
      return timer;
    };
    timers = [every(LOOK_EVERY_MS, look), every(BEAT_EVERY_MS, beat), every(TOKENS_EVERY_MS, checkTokens)];
  }

  async function perform(work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ error: String(error) }, "the live feed could not be read; it goes on as soon as it can");
    }
  }

  /**
   * Says that it is there, and how far it is: whoever comes back has passed over what is not wanted. Also to those who are
   * brought up to now, which may take long and give them nothing that they want.
   */
  function beat(): void {
    for (const { raw, place } of [...coming, ...listeners]) raw.write(word("still_here", place));
  }

  async function checkTokens(): Promise<void> {
    const all = () => [...listeners, ...coming];
    const tokenIds = new Set(all().flatMap(({ tokenId }) => tokenId ?? []));
    const sessionIds = new Set(all().flatMap(({ sessionId }) => sessionId ?? []));
    const nowMs = now();
    const tokens = tokenIds.size === 0 ? tokenIds : await tokensInForce(ledger.db, [...tokenIds], nowMs);
    const opened =
      sessionIds.size === 0
        ? sessionIds
        : await sessionsInForce(ledger.db, [...sessionIds], { idleMs: sessions.idleMs, nowMs });
    for (const listener of all()) {
      const { tokenId, sessionId } = listener;
      // One that came meanwhile is looked at the next time.
      if (tokenId !== undefined && tokenIds.has(tokenId) && !tokens.has(tokenId))
        end(listener, "unauthorized", "the token was revoked, or has expired");
      else if (sessionId !== undefined && sessionIds.has(sessionId) && !opened.has(sessionId))
        end(listener, "unauthorized", "the session has ended: sign in again");
    }
  }

  /** Of one that was away for longer than events are kept here. */
  async function catchUp(listener: Listener): Promise<void> {
    for (;;) {
      const target = recent?.from;
      if (isGone(listener) || !target || !isBefore(listener.place, target)) return;
      const { types } = listener.filter;
      const found = await readEvents(ledger.db, { after: listener.place, types, limit: MOST_AT_ONCE });
      await sendAsTaken(
        listener,
        found.map((event) => ({ event, place: placeOf(event) })),
      );
      if (isGone(listener)) return;
      // All there was then is read, and that was no less.
      if (found.length < MOST_AT_ONCE && isBefore(listener.place, target)) listener.place = target;
    }
  }

  /** To one that comes back: no more at once than it takes. */
  async function sendAsTaken(listener: Listener, told: readonly Told[]): Promise<void> {
    for (let sent = 0; sent < told.length && !isGone(listener); sent += SENT_AT_ONCE) {
      send(listener, told.slice(sent, sent + SENT_AT_ONCE));
      if (!(await drained(listener.raw))) cutOff(listener);
    }
  }

  function isGone({ raw }: Listener): boolean {
    return raw.destroyed || raw.writableEnded;
  }

  /** Sends what came behind the place of one that is coming, and then counts it among those who listen. */
  async function bringUp(listener: Listener): Promise<void> {
    while (coming.has(listener) && !isGone(listener)) {
      if (!recent) {
        // One that is under way may be of those who left, and keep nothing: then another.
        await look();
        continue;
      }
      if (isBefore(listener.place, recent.from)) {
        await catchUp(listener);
        continue;
      }
      const first = recent.kept.findIndex(({ place }) => isBefore(listener.place, place));
      if (first === -1) {
        // In the tick in which nothing is missing: what is found from here on is sent to it.
        coming.delete(listener);
        listeners.add(listener);
        return;
      }
      await sendAsTaken(listener, recent.kept.slice(first));
    }
  }

  return {
    count: (name) => {
      const all = [...listeners, ...coming, ...reserved];
      return { all: all.length, ofCaller: all.filter(({ callerName }) => callerName === name).length };
    },
    reserve: (callerName) => {
      const one = { callerName };
      reserved.add(one);
      return () => void reserved.delete(one);
    },
    async head() {
      return recent?.through ?? newestPlace(ledger.db);
    },
    async through(atLeast) {
      const isBehind = () => recent !== undefined && isBefore(recent.through, atLeast);
      if (isBehind()) await look();
      // That one may have been under way, and have begun before it happened.
      if (isBehind()) await look();
      if (recent) return recent.through;
      return isBefore(BEGINNING, atLeast) ? newest(undefined) : BEGINNING;
    },
    async join(listener) {
      const { raw } = listener;
      // Whoever left before is told nothing, and is not waited for.
      if (isStopped || raw.destroyed) {
        raw.end();
        return;
      }
      coming.add(listener);
      begin();
      raw.once("close", () => leave(listener));
      raw.on("error", () => leave(listener));
      raw.write(`retry: ${RETRY_MS}\n${word("listening", listener.place)}`);
      await bringUp(listener);
    },
    stop() {
      isStopped = true;
      for (const listener of [...listeners, ...coming]) {
        leave(listener);
        listener.raw.end();
        listener.raw.socket?.end();
      }
    },
  };
}

/** Of the stream itself: behind that place it tells everything, or up to it has told all. */
function word(event: StreamWord, place: Place): string {
  return `id: ${cursorOf(place)}\nevent: ${event}\ndata: {}\n\n`;
}

function wordsOf(told: Told, isMasked: boolean): string {
  if (isMasked) return (told.masked ??= wordsWith(told.event, true));
  return (told.plain ??= wordsWith(told.event, false));
}

function wordsWith(event: LedgerEvent, isMasked: boolean): string {
  const view = eventView(event);
  // Ids, types and times hold nothing of a person.
  const { brand, campaign, data } = view;
  const shown = isMasked
    ? {
        ...view,
        brand: maskedEvent(brand),
        campaign: maskedEvent(campaign),
        data: maskedEvent(data),
      }
    : view;
  return `id: ${view.id}\nevent: ${view.type}\ndata: ${JSON.stringify(shown)}\n\n`;
}

/** Whoever sends pages waits for its listener, for a while: false, where it did not take them. */
async function drained(raw: ServerResponse): Promise<boolean> {
  if (!raw.writableNeedDrain || raw.destroyed || raw.writableEnded) return true;
  return new Promise((resolve) => {
    const over = (isTaken: boolean) => {
      clearTimeout(timer);
      raw.off("drain", taken);
      raw.off("close", taken);
      resolve(isTaken);
    };
    const taken = () => over(true);
    const timer = setTimeout(over, MOST_WAIT_MS, false);
    timer.unref();
    raw.once("drain", taken);
    raw.once("close", taken);
  });
}
