import type { ServerResponse } from "node:http";

import { isBefore, MOST_AT_ONCE, newestPlace, placeOf, readEvents } from "../ledger/events/events.ts";
import type { LedgerEvent, Place } from "../ledger/events/events.ts";
import { tokensInForce } from "../ledger/ground/api-tokens.ts";
import type { HttpDeps } from "./deps.ts";
import { cursorOf } from "./cursor.ts";
import { eventView, isWanted, type EventFilter } from "./event-view.ts";
import { maskedEvent } from "./plugins/masking.ts";

/*
 * The live feed.
 *
 * 1. One reader a process asks the ledger, once a second, while anybody listens, and hands what it finds to all. What
 *    listeners cost the ledger does not grow with their number.
 * 2. The newest events are kept here, some thousands. Whoever comes back within those is served from here; whoever was
 *    away for longer reads the pages between by itself first, and joins behind them.
 * 3. Nobody is waited for: a listener that takes too little is cut off, told so, and comes back by the id of what it
 *    had last.
 * 4. A listener whose token was revoked, or has expired, is let go within half a minute.
 */

const LOOK_EVERY_MS = 1_000;
const BEAT_EVERY_MS = 15_000;
const TOKENS_EVERY_MS = 30_000;

/** What is kept for whoever comes back: a busy minute or two. A megabyte or two. */
const MOST_KEPT = 4_000;

/** What waits for a listener on its way out: thousands of events. */
const MOST_WAITING_BYTES = 1024 * 1024;

/** By then a listener that was cut off has taken what was on its way, or does not. */
const LAST_WORDS_MS = 5_000;

/** When a browser comes back by itself. */
const RETRY_MS = 3_000;

/** Below the connections that a server takes (app.ts), with room for requests. */
export const MOST_LISTENERS = 400;
export const MOST_LISTENERS_A_TOKEN = 250;

interface Listener {
  readonly raw: ServerResponse;
  readonly filter: EventFilter;
  readonly isMasked: boolean;
  readonly callerName: string;
  /** Of a token; undefined: the system's own, which does not end. */
  readonly tokenId: string | undefined;
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
  /** How many listen, in all and with one name. */
  count(callerName: string): { all: number; ofCaller: number };
  /** The place from which a listener begins that asks for nothing before: behind all there is. */
  head(): Promise<Place>;
  /** Sends everything behind its place from here on, until the response ends. */
  join(listener: Listener): Promise<void>;
  /** Ends all of them. */
  stop(): void;
}

export function createLiveEvents({ ledger, log, now }: Pick<HttpDeps, "ledger" | "log" | "now">): LiveEvents {
  const listeners = new Set<Listener>();
  const coming = new Set<Listener>();
  /** What is kept; undefined: nobody has looked yet, or nobody listens any more. */
  let recent: Recent | undefined;
  let timers: NodeJS.Timeout[] = [];
  let looking: Promise<void> | undefined;
  let isStopped = false;

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
      recent = { from: place, through: place, kept: [] };
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
  function end(listener: Listener, event: string, detail: string): void {
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

  /** Says that it is there, and how far it is: whoever comes back has passed over what is not wanted. */
  function beat(): void {
    for (const { raw, place } of listeners) raw.write(`id: ${cursorOf(place)}\n: still here\n\n`);
  }

  async function checkTokens(): Promise<void> {
    const ids = new Set([...listeners, ...coming].flatMap(({ tokenId }) => tokenId ?? []));
    if (ids.size === 0) return;
    const inForce = await tokensInForce(ledger.db, [...ids], now());
    for (const listener of [...listeners, ...coming]) {
      const { tokenId } = listener;
      if (tokenId !== undefined && !inForce.has(tokenId))
        end(listener, "unauthorized", "the token was revoked, or has expired");
    }
  }

  /** Of one that was away for longer than events are kept here. */
  async function catchUp(listener: Listener): Promise<void> {
    const { raw } = listener;
    for (;;) {
      const target = recent?.from;
      if (raw.writableEnded || raw.destroyed || !target || !isBefore(listener.place, target)) return;
      const { types } = listener.filter;
      const found = await readEvents(ledger.db, { after: listener.place, types, limit: MOST_AT_ONCE });
      send(
        listener,
        found.map((event) => ({ event, place: placeOf(event) })),
      );
      // All there was then is read, and that was no less.
      if (found.length < MOST_AT_ONCE && isBefore(listener.place, target)) listener.place = target;
      await drained(raw);
    }
  }

  return {
    count: (name) => {
      const all = [...listeners, ...coming];
      return { all: all.length, ofCaller: all.filter(({ callerName }) => callerName === name).length };
    },
    async head() {
      if (!recent) await look();
      return recent?.through ?? newestPlace(ledger.db);
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
      raw.write(`retry: ${RETRY_MS}\nid: ${cursorOf(listener.place)}\n: hello\n\n`);
      if (!recent) await look();
      await catchUp(listener);
      if (!coming.delete(listener)) return;
      send(listener, recent?.kept ?? []);
      if (!raw.destroyed && !raw.writableEnded) listeners.add(listener);
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

function wordsOf(told: Told, isMasked: boolean): string {
  if (isMasked) return (told.masked ??= wordsWith(told.event, true));
  return (told.plain ??= wordsWith(told.event, false));
}

function wordsWith(event: LedgerEvent, isMasked: boolean): string {
  const view = eventView(event);
  const shown = isMasked ? { ...view, data: maskedEvent(view.data) } : view;
  return `id: ${view.id}\nevent: ${view.type}\ndata: ${JSON.stringify(shown)}\n\n`;
}

/** Whoever reads pages waits for its listener; a listener that takes nothing waits for its connection's end. */
async function drained(raw: ServerResponse): Promise<void> {
  if (!raw.writableNeedDrain || raw.destroyed || raw.writableEnded) return;
  await new Promise<void>((resolve) => {
    raw.once("drain", resolve);
    raw.once("close", resolve);
  });
}
