import { expect, it } from "vitest";

import type { BatchStream } from "../../../src/platform/index.ts";
import { batchCall, type BatchCall } from "../../../src/platform/operations/batch-calls.ts";
import { follow } from "../../../src/platform/stream/events.ts";
import { BATCH } from "../fake-platform.ts";

const batchIn = (status: string): BatchCall => batchCall.parse({ id: BATCH, status });

/** A stream that whoever opened it has closed. */
const closedStream = (): BatchStream => ({
  state: "closed",
  counters: { frames: 0, malformed: 0, hints: 0, reconnects: 0 },
  closed: Promise.resolve(),
  close: () => Promise.resolve(),
});

it("goes on looking once its stream is closed, and lets everything else go on meanwhile", async () => {
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  const turnsAtLook: number[] = [];
  const look = () => {
    turnsAtLook.push(turns);
    return Promise.resolve(batchIn(turnsAtLook.length < 3 ? "in_progress" : "completed"));
  };
  try {
    for await (const { kind } of follow(BATCH, { open: closedStream, look }, { lookEveryMs: 50 }))
      expect(kind).toBe("batch");
  } finally {
    clearImmediate(counting);
  }
  const [first = 0, second = 0, third = 0] = turnsAtLook;
  expect(second).toBeGreaterThan(first);
  expect(third).toBeGreaterThan(second);
});

it("ends at once where it is aborted after its stream is closed", async () => {
  const aborter = new AbortController();
  const look = () => Promise.resolve(batchIn("in_progress"));
  const options = { lookEveryMs: 3_600_000, signal: aborter.signal };
  const events = follow(BATCH, { open: closedStream, look }, options);
  expect(await events.next()).toMatchObject({ value: { kind: "batch" } });
  const last = events.next();
  setImmediate(() => aborter.abort());
  expect(await last).toEqual({ done: true, value: undefined });
});
