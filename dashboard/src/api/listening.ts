/*
 * The source of the live feed: one connection, for as long as somebody looks.
 *
 * 1. A browser has six connections for a host, which all of its pages share: one that nobody looks at has its own for a
 *    while only, so that a look at another tab and back costs nothing. Whoever looks again has it opened anew.
 * 2. After a cut the browser comes back by itself, and is told what it missed. After a refusal it does not: another
 *    source is opened then, later each time.
 * 3. Whatever was opened anew was not told what happened before: everything is old then.
 * 4. The server says every fifteen seconds that it is there. A source that is silent for longer is taken for cut, whatever
 *    the browser makes of it: a tunnel, a sleeping machine or a proxy may keep a connection that nothing comes by.
 * 5. It listens once the server has said from where on: nothing is asked for without that place, or an answer of before,
 *    which the server shares with other pages, could be taken for new.
 */

/** Where it stands: not listening yet, or not any more since nobody looks; listening; or cut, so that the clock goes on. */
export type Feed = "connecting" | "live" | "cut";

interface Message {
  data?: unknown;
  lastEventId?: string;
}

/** What is used of an `EventSource`. */
export interface EventStream {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: Message) => void): void;
  close(): void;
}

/** What is used of a `document`. */
export interface Looked {
  readonly hidden: boolean;
  addEventListener(type: "visibilitychange", listener: () => void): void;
  removeEventListener(type: "visibilitychange", listener: () => void): void;
}

export interface ListenInput {
  open: () => EventStream;
  page: Looked;
  /** The types of events that are listened for. */
  types: readonly string[];
  told: (type: string, data: string, id: string) => void;
  /** What comes from now on is behind that event. */
  from: (id: string) => void;
  changed: (feed: Feed) => void;
  /** Something may have happened that was not told. */
  missed: () => void;
  /** Something was asked for before it listens. */
  isLate?: boolean;
  /** From 0 to 1. */
  random?: () => number;
}

/** `EventSource.CLOSED`. */
const CLOSED = 2;

/** Quick looks elsewhere are shorter. */
export const UNSEEN_FOR_MS = 10_000;

/** Nobody waits longer for the feed before what they came for is asked for. */
export const PATIENCE_MS = 1_500;

/** Three times what the server takes to say that it is there (src/http/wire/events.ts): one may be late, another lost. */
export const SILENT_FOR_MS = 45_000;

/** Between tries after a refusal: a server that starts anew is back in seconds, and all of its pages come then. */
export const FIRST_WAIT_MS = 1_000;
export const LONGEST_WAIT_MS = 30_000;

/** Listens until what is returned is called. */
export function listen({
  open,
  page,
  types,
  told,
  from,
  changed,
  missed,
  isLate = false,
  random = Math.random,
}: ListenInput): () => void {
  let source: EventStream | undefined;
  let refusals = 0;
  // An opened page asks for nothing before it listens, and so misses nothing.
  let isFirst = !isLate;
  let isAway = false;
  let patience: Timer;
  let silence: Timer;
  let again: Timer;
  let unseen: Timer;
  const cut = () => {
    isFirst = false;
    changed("cut");
  };
  const leave = () => {
    clearTimeout(patience);
    clearTimeout(silence);
    clearTimeout(again);
    source?.close();
    source = undefined;
  };
  const comeBack = () => {
    leave();
    again = setTimeout(begin, waitMs(refusals, random()));
    refusals += 1;
  };
  const begin = () => {
    leave();
    const opened = open();
    source = opened;
    patience = setTimeout(cut, PATIENCE_MS);
    // One that was left may still have something on its way.
    const on = (type: string, does: (event: Message) => void) =>
      opened.addEventListener(type, (event) => {
        if (source === opened) does(event);
      });
    const heard = () => {
      clearTimeout(silence);
      // All pages that a way is dead for notice it in one moment.
      silence = setTimeout(() => {
        cut();
        comeBack();
      }, SILENT_FOR_MS);
    };
    heard();
    on("listening", ({ lastEventId }) => {
      heard();
      clearTimeout(patience);
      refusals = 0;
      from(lastEventId ?? "");
      changed("live");
      if (!isFirst) missed();
      isFirst = false;
    });
    on("still_here", heard);
    on("error", () => {
      clearTimeout(patience);
      // Where the browser comes back by itself, that may be into silence as well.
      heard();
      cut();
      if (opened.readyState !== CLOSED) return;
      comeBack();
    });
    for (const type of types)
      on(type, ({ data, lastEventId }) => {
        heard();
        told(type, String(data), lastEventId ?? "");
      });
  };
  const look = () => {
    clearTimeout(unseen);
    if (page.hidden) {
      unseen = setTimeout(() => {
        leave();
        isFirst = false;
        refusals = 0;
        isAway = true;
        changed("connecting");
      }, UNSEEN_FOR_MS);
    } else if (isAway) {
      isAway = false;
      begin();
    }
  };
  page.addEventListener("visibilitychange", look);
  begin();
  if (page.hidden) look();
  return () => {
    page.removeEventListener("visibilitychange", look);
    clearTimeout(unseen);
    leave();
  };
}

type Timer = ReturnType<typeof setTimeout> | undefined;

/** Twice as long each time, and not at the same moment as everybody else. @param drawn from 0 to 1 */
function waitMs(refusals: number, drawn: number): number {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** refusals);
  return most / 2 + (most / 2) * drawn;
}
