import { expect, onTestFinished, test } from "vitest";

import { Clock } from "../../src/sandbox/clock.ts";
import { Random } from "../../src/sandbox/random.ts";
import { eventually } from "./support.ts";

function openClock(speed: number): Clock {
  const clock = new Clock(speed);
  onTestFinished(() => {
    clock.close();
  });
  return clock;
}

test("timers run in the order in which they are due, ties in the order in which they were set", async () => {
  const clock = openClock(1_000);
  const random = new Random(1, "clock test");
  const delays = Array.from({ length: 2_000 }, () => random.between(0, 40) * 1_000);
  const ran: number[] = [];
  // Set from within a timer, they all count from the same moment.
  clock.afterReal(0, () => {
    delays.forEach((delay, index) => {
      clock.afterSimulated(delay, () => {
        ran.push(index);
      });
    });
  });
  await eventually(() => {
    expect(ran).toHaveLength(delays.length);
  });
  const order = delays.map((delay, index) => ({ delay, index }));
  order.sort((one, other) => one.delay - other.delay || one.index - other.index);
  expect(ran).toEqual(order.map(({ index }) => index));
});

test("a cancelled timer does not run, and a closed clock runs nothing", async () => {
  const clock = openClock(1);
  const ran: string[] = [];
  const cancelled = clock.afterReal(1, () => ran.push("cancelled"));
  clock.cancel(cancelled);
  clock.afterReal(2, () => ran.push("kept"));
  await eventually(() => {
    expect(ran).toEqual(["kept"]);
  });
  clock.afterReal(0, () => ran.push("after close"));
  clock.close();
  clock.afterReal(0, () => ran.push("set after close"));
  const other = openClock(1);
  await other.wait(5);
  expect(ran).toEqual(["kept"]);
});

test("a chain of timers takes as long as its parts, however late each of them ran", async () => {
  const clock = openClock(1);
  const dueAt: number[] = [];
  let firstSet = { beforeMs: 0, afterMs: 0 };
  await new Promise<void>((resolve) => {
    const step = () => {
      const timer = clock.afterReal(5, () => {
        dueAt.push(timer.dueMs);
        // A busy loop that makes the next timer late.
        const untilMs = performance.now() + 3;
        while (performance.now() < untilMs);
        if (dueAt.length < 10) {
          step();
        } else {
          resolve();
        }
      });
    };
    const beforeMs = performance.now();
    step();
    firstSet = { beforeMs, afterMs: performance.now() };
  });
  expect((dueAt.at(-1) ?? 0) - (dueAt[0] ?? 0)).toBeCloseTo(45, 5);
  // The first one counts from the moment when it was set.
  expect(dueAt[0]).toBeGreaterThanOrEqual(firstSet.beforeMs + 5);
  expect(dueAt[0]).toBeLessThanOrEqual(firstSet.afterMs + 5);
});
