import { setImmediate } from "node:timers/promises";

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
