/*
 * What a worker or server says to `outdial up`, where that started it, over the channel between the two: that it is up,
 * and from then on that its loop turns. The disk has no part in it: one that is full must not look like a process that
 * hangs.
 */

const TURNS_EVERY_MS = 10_000;

/** `up`: it does its work. `turns`: it still does. */
export type Said = "up" | "turns";

/**
 * Says that this process is up to whoever started it. If they are gone, or go, it ends in good order: nobody else would
 * know of it.
 */
export function speakToSupervisor(): { end(): void } {
  const say = (what: Said) => process.send?.(what, undefined, {}, () => {});
  const leave = () => void process.kill(process.pid, "SIGTERM");
  // Killed while this came up.
  if (!process.connected) {
    leave();
    return { end: () => {} };
  }
  process.once("disconnect", leave);
  say("up");
  const timer = setInterval(() => say("turns"), TURNS_EVERY_MS);
  timer.unref();
  // Neither keeps a process that is through.
  process.channel?.unref();
  return {
    end() {
      clearInterval(timer);
      process.off("disconnect", leave);
    },
  };
}
