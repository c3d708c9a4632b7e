import type { ActivityDeps } from "../../activities/deps.ts";
import { takePass } from "../../ledger/ground/passes.ts";
import type { WorkerPresence } from "../../ledger/ground/worker-presence.ts";
import { lookAgain } from "./look-again.ts";

/*
 * A worker that is killed is missed by Temporal when its heartbeats are, ten seconds later; until then nobody hears its
 * calls end, and their lines stand idle. The other workers see it go within a second, and one of them has its batches
 * looked at.
 */

/** A small read each. */
const EVERY_MS = 1_000;

/** A connection that comes and goes must not have every batch looked at all the time. */
const LOOK_AT_MOST_EVERY_MS = 20_000;

/** The others see the same worker go up to so much sooner: a tick, and what their clocks differ by. */
const SEEN_SOONER_BY_MS = 2 * EVERY_MS;

type Deps = Pick<ActivityDeps, "ledger" | "log" | "now">;

/**
 * One look at who is there, each time that it is called.
 *
 * @returns resolves with whether somebody had gone, and was looked after
 */
export function looksForGone(deps: Deps, presence: Pick<WorkerPresence, "peers">): () => Promise<boolean> {
  const { log, now } = deps;
  let seen = new Set<string>();
  let gone = 0;
  let lostAtMs = 0;
  return async () => {
    const { peers, isConnectedAnew } = await presence.peers();
    const nowMs = now();
    const there = new Set(peers.map(({ name }) => name));
    // What cut this one off may have cut off the others, who are not back yet.
    const lost = isConnectedAnew ? [] : [...seen].filter((name) => !there.has(name));
    // Whoever was asked to end hands over what it has.
    seen = new Set(peers.flatMap(({ name, leaves }) => (leaves ? [] : [name])));
    if (lost.length > 0) {
      gone += lost.length;
      lostAtMs = nowMs;
    }
    if (gone === 0) return false;
    // All see the same loss, and one of them looks after it. A pass from before does not count for it, and is waited out.
    const sinceLostMs = nowMs - lostAtMs + SEEN_SOONER_BY_MS;
    const everyMs = Math.max(LOOK_AT_MOST_EVERY_MS, sinceLostMs);
    const isTaken = await takePass(deps.ledger.db, { name: "a worker is gone", everyMs, nowMs });
    if (isTaken)
      log.warn({ workers: gone }, "a worker is gone without having ended: what it followed is looked at");
    // By now, a refusal says that another took a pass after the loss.
    if (isTaken || sinceLostMs >= LOOK_AT_MOST_EVERY_MS) gone = 0;
    if (isTaken) await lookAgain(deps);
    return isTaken;
  };
}

/** Begins to look, and tells the others of this one. */
export function watchWorkers(deps: Deps, presence: WorkerPresence): { stop(): Promise<void> } {
  const look = looksForGone(deps, presence);
  let isAway = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const tick = async () => {
    try {
      await look();
      isAway = false;
    } catch (error) {
      // Whoever is cut off is told so by all else; and heartbeats are missed without this.
      if (!isAway) deps.log.warn({ error: String(error) }, "the other workers can't be seen");
      isAway = true;
    }
    if (!isStopped) timer = setTimeout(next, EVERY_MS);
  };
  let underWay: Promise<void> = Promise.resolve();
  const next = () => {
    underWay = tick();
  };
  next();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await underWay;
      await presence.leave().catch(() => {});
    },
  };
}
