import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import {
  FIRST_WAIT_MS,
  listen,
  LONGEST_WAIT_MS,
  PATIENCE_MS,
  SILENT_FOR_MS,
  UNSEEN_FOR_MS,
  type EventStream,
  type ListenInput,
} from "../../dashboard/src/api/listening.ts";
import { EVENT_TYPE_NAMES } from "../../src/domain/ground/event-types.ts";
import { BEAT_EVERY_MS, STREAM_WORDS } from "../../src/http/wire/events.ts";

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 2;

class FakeSource implements EventStream {
  readyState = CONNECTING;
  readonly #listeners = new Map<string, ((event: object) => void)[]>();

  addEventListener(type: string, listener: (event: object) => void): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  close(): void {
    this.readyState = CLOSED;
  }

  tell(type: string, event: object = {}): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event);
  }

  /** @param place behind which it begins */
  opens(place = "6"): void {
    this.readyState = OPEN;
    this.tell("open");
    this.tell("listening", { data: "{}", lastEventId: place });
  }

  /** The browser comes back by itself. */
  isCut(): void {
    this.readyState = CONNECTING;
    this.tell("error");
  }

  /** It does not. */
  isRefused(): void {
    this.readyState = CLOSED;
    this.tell("error");
  }
}

function listening(changes: Partial<ListenInput> = {}) {
  const sources: FakeSource[] = [];
  const said: string[] = [];
  const places: string[] = [];
  const looks = new Set<() => void>();
  const page = {
    hidden: false,
    addEventListener: (_: string, listener: () => void) => void looks.add(listener),
    removeEventListener: (_: string, listener: () => void) => void looks.delete(listener),
  };
  const leave = listen({
    open: () => {
      const source = new FakeSource();
      sources.push(source);
      return source;
    },
    page,
    types: ["call.ended"],
    told: (type, data, id) => said.push(`${type} ${data} ${id}`),
    from: (id) => void places.push(id),
    changed: (feed) => said.push(feed),
    missed: () => said.push("missed"),
    random: () => 1,
    ...changes,
  });
  const look = (isLookedAt: boolean) => {
    page.hidden = !isLookedAt;
    for (const one of looks) one();
  };
  const newest = () => {
    const source = sources.at(-1);
    if (!source) throw new Error("nothing was opened");
    return source;
  };
  const take = () => said.splice(0);
  const open = () => sources.filter(({ readyState }) => readyState !== CLOSED).length;
  return { sources, places, page, leave, look, newest, take, open, looks };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the live feed of a page", () => {
  it("is live once it is open, and tells what comes", () => {
    const { newest, take, leave, looks } = listening();
    expect(take()).toEqual([]);
    newest().opens();
    newest().tell("call.ended", { data: "{}", lastEventId: "7" });
    vi.advanceTimersByTime(SILENT_FOR_MS - 1);
    expect(take()).toEqual(["live", "call.ended {} 7"]);
    leave();
    newest().tell("call.ended", { data: "{}", lastEventId: "8" });
    newest().tell("error");
    vi.advanceTimersByTime(60_000);
    expect(take()).toEqual([]);
    expect([newest().readyState, looks.size]).toEqual([CLOSED, 0]);
  });

  it("is live once it is said from where on, and not before", () => {
    const { newest, take, places } = listening();
    newest().tell("open");
    expect([take(), places]).toEqual([[], []]);
    newest().opens("41");
    expect([take(), places]).toEqual([["live"], ["41"]]);
    newest().isCut();
    newest().opens("43");
    expect([take(), places]).toEqual([
      ["cut", "live", "missed"],
      ["41", "43"],
    ]);
  });

  it("is waited for no longer than a moment, and everything is old where it came after that", () => {
    const { newest, take } = listening();
    vi.advanceTimersByTime(PATIENCE_MS);
    expect(take()).toEqual(["cut"]);
    newest().opens();
    expect(take()).toEqual(["live", "missed"]);
  });

  it("that begins where something was asked for already makes that old", () => {
    const { newest, take } = listening({ isLate: true });
    newest().opens();
    expect(take()).toEqual(["live", "missed"]);
  });

  it("knows how often the server says that it is there, and by which word", () => {
    expect(SILENT_FOR_MS).toBe(3 * BEAT_EVERY_MS);
    expect(STREAM_WORDS).toEqual(expect.arrayContaining(["listening", "still_here"]));
    expect(STREAM_WORDS.filter((word) => word.includes("."))).toEqual([]);
    expect(EVENT_TYPE_NAMES.filter((type) => !type.includes("."))).toEqual([]);
  });

  it("stays for as long as the server says that it is there", () => {
    const { sources, newest, take } = listening();
    newest().opens();
    for (let n = 0; n < 20; n += 1) {
      vi.advanceTimersByTime(SILENT_FOR_MS - 1);
      newest().tell("still_here", { data: "{}" });
    }
    expect([sources.length, take()]).toEqual([1, ["live"]]);
  });

  it("that is silent is cut, whatever the browser makes of it, and opened anew until something is heard", () => {
    const { sources, newest, take, open } = listening();
    newest().opens();
    newest().tell("call.ended", { data: "{}", lastEventId: "7" });
    vi.advanceTimersByTime(SILENT_FOR_MS);
    expect([take(), sources.length, open()]).toEqual([["live", "call.ended {} 7", "cut"], 1, 0]);
    vi.advanceTimersByTime(FIRST_WAIT_MS);
    expect([sources.length, open()]).toEqual([2, 1]);
    // The way is as dead as it was.
    vi.advanceTimersByTime(SILENT_FOR_MS + 2 * FIRST_WAIT_MS);
    expect([sources.length, open()]).toEqual([3, 1]);
    newest().opens("9");
    expect(take().slice(-2)).toEqual(["live", "missed"]);
  });

  it("is the browser's to bring back after a cut", () => {
    const { sources, newest, take } = listening();
    newest().opens();
    newest().isCut();
    vi.advanceTimersByTime(SILENT_FOR_MS - 1);
    expect(take()).toEqual(["live", "cut"]);
    newest().opens();
    expect(take()).toEqual(["live", "missed"]);
    expect(sources).toHaveLength(1);
  });

  it("is opened anew after a refusal, later each time, and soon again once it was good", () => {
    const { sources, newest, take, open } = listening();
    newest().opens();
    const waits = [FIRST_WAIT_MS, 2_000, 4_000, 8_000, 16_000, LONGEST_WAIT_MS, LONGEST_WAIT_MS];
    for (const waitMs of waits) {
      newest().isRefused();
      const before = sources.length;
      expect(open()).toBe(0);
      vi.advanceTimersByTime(waitMs - 1);
      expect(sources).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(sources).toHaveLength(before + 1);
    }
    expect(new Set(take().slice(1))).toEqual(new Set(["cut"]));
    newest().opens();
    expect(take()).toEqual(["live", "missed"]);
    newest().isRefused();
    const before = sources.length;
    vi.advanceTimersByTime(FIRST_WAIT_MS);
    expect(sources).toHaveLength(before + 1);
  });

  it("comes back at another moment than that of other pages, and not at once", () => {
    for (const [drawn, waitMs] of [
      [0, 500],
      [0.5, 750],
    ] as const) {
      const { sources, newest, leave } = listening({ random: () => drawn });
      newest().isRefused();
      vi.advanceTimersByTime(waitMs - 1);
      expect(sources).toHaveLength(1);
      vi.advanceTimersByTime(1);
      expect(sources).toHaveLength(2);
      leave();
    }
  });

  it("is left by a page that nobody looks at, and makes everything old when somebody looks again", () => {
    const { sources, newest, take, look, open } = listening();
    newest().opens();
    look(false);
    vi.advanceTimersByTime(UNSEEN_FOR_MS);
    expect([take(), open()]).toEqual([["live", "connecting"], 0]);
    vi.advanceTimersByTime(3_600_000);
    expect(sources).toHaveLength(1);
    look(true);
    expect([sources.length, open(), take()]).toEqual([2, 1, []]);
    newest().opens();
    expect(take()).toEqual(["live", "missed"]);
  });

  it("costs nothing of a quick look elsewhere", () => {
    const { sources, newest, take, look } = listening();
    newest().opens();
    for (let n = 0; n < 5; n += 1) {
      look(false);
      vi.advanceTimersByTime(UNSEEN_FOR_MS - 1);
      look(true);
      vi.advanceTimersByTime(UNSEEN_FOR_MS);
      newest().tell("still_here", { data: "{}" });
    }
    expect([sources.length, take()]).toEqual([1, ["live"]]);
  });

  it("is not tried again by a page that nobody looks at, and is at once by one that somebody looks at again", () => {
    const { sources, newest, look, open } = listening();
    newest().isRefused();
    look(false);
    vi.advanceTimersByTime(UNSEEN_FOR_MS);
    newest().isRefused();
    const before = sources.length;
    vi.advanceTimersByTime(3_600_000);
    expect([sources.length, open()]).toEqual([before, 0]);
    look(true);
    expect([sources.length, open()]).toEqual([before + 1, 1]);
  });

  it("of a page that is opened behind another one is left, too", () => {
    const page = { hidden: true, addEventListener: () => {}, removeEventListener: () => {} };
    const { newest, take, open } = listening({ page });
    newest().opens();
    vi.advanceTimersByTime(UNSEEN_FOR_MS);
    expect([take(), open()]).toEqual([["live", "connecting"], 0]);
  });
});
