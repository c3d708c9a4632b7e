import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openHintWindow } from "../../../src/platform/stream/hint-window.ts";
import { type Hint, mergeHints, readHint } from "../../../src/platform/stream/hint.ts";

describe("a frame", () => {
  test.each<[string, object, object]>([
    [
      "about the batch",
      { status: "running", pending: 3, active: 1 },
      { batchStatus: "running", terminal: false, counts: { pending: 3, active: 1 } },
    ],
    ["about the end of the batch", { status: "Completed" }, { batchStatus: "Completed", terminal: true }],
    ["about an item", { item_id: "i", status: "completed" }, { items: new Map([["i", "completed"]]) }],
    [
      "about an item inside",
      { type: "x", item: { id: "i", status: "busy" } },
      { items: new Map([["i", "busy"]]) },
    ],
    [
      "about a call in data",
      { event: "x", data: { call_id: "c", to_number: "+12025550123", status: "ended" } },
      { items: new Map([["c", "ended"]]) },
    ],
    [
      "about an item, with the batch's word around it",
      { type: "item_update", status: "running", item: { id: "i", status: "completed" } },
      { items: new Map([["i", "completed"]]), batchStatus: "running", terminal: false },
    ],
    [
      "about an item, wrapped twice, with the batch's word around it",
      { type: "x", data: { batch_call_id: "b", status: "running", item: { item_id: "i", state: "busy" } } },
      { items: new Map([["i", "busy"]]), batchStatus: "running", terminal: false },
    ],
    [
      "about an item, with the batch beside it",
      { item: { call_id: "c", status: "failed" }, batch: { id: "b", status: "completed" } },
      { items: new Map([["c", "failed"]]), batchStatus: "completed", terminal: true },
    ],
    [
      "about an item, flat, with the batch in a part of its own",
      { item_id: "i", status: "no_answer", batch: { status: "running", completed: 3 } },
      {
        items: new Map([["i", "no_answer"]]),
        batchStatus: "running",
        terminal: false,
        counts: { completed: 3 },
      },
    ],
    [
      "about an item whose word stands deeper",
      { item_id: "i", data: { status: "completed" } },
      { items: new Map([["i", "completed"]]) },
    ],
    [
      "about an item whose word stands around it, since nothing else is said",
      { status: "completed", data: { item_id: "i" } },
      { items: new Map([["i", "completed"]]) },
    ],
    ["about an item without a word", { event: "x", data: { call_id: "c" } }, { unclear: 1 }],
    ["with counts by status", { payload: { counts: { failed: 2, odd: "x" } } }, { counts: { failed: 2 } }],
    ["that tells nothing", { type: "heartbeat" }, {}],
    ["that says that it is there", { event: "keep-alive", data: {} }, {}],
    ["that nobody understands", { event: "call.hangup", uuid: "c" }, { unclear: 1 }],
    [
      "of other types than expected",
      { item_id: 7, status: { a: 1 }, call_id: "", counts: [] },
      { unclear: 1 },
    ],
    ["with an endless word", { status: "x".repeat(256) }, { unclear: 1 }],
  ])("%s", (_, frame, expected) => {
    expect(readHint(JSON.stringify(frame), 17)).toEqual({ items: new Map(), ...expected, receivedAtMs: 17 });
  });

  test.each(["", "ping", "[]", "null", "7", '"completed"', '{"a":', "[".repeat(200_000)])(
    "that is no JSON object is no hint: %.20j",
    (frame) => {
      expect(readHint(frame, 0)).toBeUndefined();
    },
  );

  test("of any content is survived", () => {
    fc.assert(fc.property(fc.json(), (frame) => void readHint(frame, 0)));
    fc.assert(fc.property(fc.string(), (frame) => void readHint(frame, 0)));
  });
});

test("two hints become one that knows the newest word about each item", () => {
  const older: Hint = {
    items: new Map([
      ["a", "completed"],
      ["b", "ringing"],
    ]),
    counts: { active: 2 },
    terminal: true,
    receivedAtMs: 1,
  };
  expect(mergeHints(older, { items: new Map([["b", "busy"]]), receivedAtMs: 2 })).toEqual({
    items: new Map([
      ["a", "completed"],
      ["b", "busy"],
    ]),
    counts: { active: 2 },
    terminal: true,
    receivedAtMs: 2,
  });
  expect(
    mergeHints(older, { items: new Map(), batchStatus: "running", terminal: false, receivedAtMs: 3 }),
  ).toMatchObject({ terminal: false, items: older.items });
  const unclear: Hint = { items: new Map(), unclear: 2, receivedAtMs: 4 };
  expect(mergeHints(unclear, { items: new Map(), unclear: 1, receivedAtMs: 5 })).toMatchObject({
    unclear: 3,
  });
  expect(mergeHints(unclear, { items: new Map(), receivedAtMs: 5 })).toMatchObject({ unclear: 2 });
});

describe("hints in a hurry", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const open = (maxFrames = 1_000) => {
    const delivered: number[] = [];
    const ends: number[] = [];
    const window = openHintWindow({
      windowMs: 100,
      maxFrames,
      deliver: (hint) => delivered.push(hint.receivedAtMs),
      onWindowEnd: () => ends.push(Date.now()),
    });
    return { window, delivered, ends };
  };

  test("the first is handed over at once, the rest as one at the window's end", () => {
    const { window, delivered } = open();
    for (let at = 1; at <= 50; at++) window.frame({ items: new Map(), receivedAtMs: at });
    expect(delivered).toEqual([1]);
    vi.advanceTimersByTime(100);
    expect(delivered).toEqual([1, 50]);
    window.frame({ items: new Map(), receivedAtMs: 51 });
    expect(delivered).toEqual([1, 50]);
    vi.advanceTimersByTime(100);
    expect(delivered).toEqual([1, 50, 51]);
  });

  test("a quiet time lets the next one through at once again", () => {
    const { window, delivered } = open();
    window.frame({ items: new Map(), receivedAtMs: 1 });
    vi.advanceTimersByTime(500);
    expect(vi.getTimerCount()).toBe(0);
    window.frame({ items: new Map(), receivedAtMs: 2 });
    expect(delivered).toEqual([1, 2]);
  });

  test("a malformed frame is counted and never handed over", () => {
    const { window, delivered } = open();
    window.frame(undefined);
    window.frame({ items: new Map(), receivedAtMs: 1 });
    window.frame(undefined);
    vi.advanceTimersByTime(100);
    expect(delivered).toEqual([1]);
  });

  test("a window has its fill of frames, and says so until it ends", () => {
    const { window, ends } = open(3);
    expect([1, 2, 3, 4].map((at) => window.frame({ items: new Map(), receivedAtMs: at }))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    vi.advanceTimersByTime(100);
    expect(ends.length).toBe(1);
    expect(window.frame({ items: new Map(), receivedAtMs: 5 })).toBe(true);
  });

  test("nothing is handed over once it is cleared", () => {
    const { window, delivered } = open();
    window.frame({ items: new Map(), receivedAtMs: 1 });
    window.frame({ items: new Map(), receivedAtMs: 2 });
    window.clear();
    vi.advanceTimersByTime(1_000);
    expect(delivered).toEqual([1]);
  });
});
