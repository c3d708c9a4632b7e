import { setImmediate, setTimeout } from "node:timers/promises";

/** The loop has other things to do: health, a stop, heartbeats. Nobody notices so much. */
const AT_A_STRETCH_MS = 10;

/** For work that is long and never waits: called again and again, it lets the loop turn when it is time for that. */
export function createBreather(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < AT_A_STRETCH_MS) return;
    await setImmediate();
    sinceMs = performance.now();
  };
}

/** For work of minutes beside those who dial: it rests twice as long as it worked, so that it has a third of a thread. */
export function createGuestBreather(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    const workedMs = performance.now() - sinceMs;
    if (workedMs < AT_A_STRETCH_MS) return;
    await setTimeout(2 * workedMs);
    sinceMs = performance.now();
  };
}

/** Runs work that pauses by itself to its end, and breathes at each pause. */
export async function finishBreathing<Result>(
  work: Generator<void, Result>,
  breathe = createBreather(),
): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await breathe();
  }
}
