import { randomUUID } from "node:crypto";
import os from "node:os";

import type { ActivityDeps } from "../../activities/deps.ts";
import { haltUnseen } from "../../activities/campaigns/halt-batches.ts";
import { holdLease } from "../../ledger/ground/leases.ts";
import { isEverythingStopped, listMayDial, stopWhatIsFree } from "../../ledger/campaigns/stopping.ts";

/*
 * `stop-all` answers within seconds whatever stands in its way. What it could not reach by then (a campaign that
 * somebody held, a platform that did not answer, a process that died on the way) is reached here: in every process,
 * with Temporal or without, as long as the stop is in force. While nothing is stopped it is one row read.
 */

/** Soon enough for a batch that the stop missed, at one small read for each process. */
const EVERY_MS = 5_000;

/** One process of all does it; one that died is replaced after two turns that were missed. */
const LEASE_MS = 3 * EVERY_MS;

/** Requests of a pass have bounds of their own; the end of a process does not wait for the longest. */
const CLOSE_BOUND_MS = 5_000;

export interface StopKeeper {
  /** One pass now. Returns how much of the stop is still to be carried out: campaigns and batches. */
  pass(): Promise<number>;
}

export function createStopKeeper(deps: ActivityDeps): StopKeeper {
  const { ledger, log, now } = deps;
  const holder = `${os.hostname()}-${randomUUID()}`;
  /** Batches that were seen to take no new dial; nothing makes them dial again. */
  let halted = new Set<string>();
  return {
    async pass() {
      if (!(await isEverythingStopped(ledger.urgent.db))) {
        halted.clear();
        return 0;
      }
      const lease = { name: "stop", holder, termMs: LEASE_MS, nowMs: now() };
      if (!(await holdLease(ledger.urgent.db, lease))) return 0;
      const campaigns = await stopWhatIsFree(ledger, { now, untilMs: now() + LEASE_MS });
      const mayDial = await listMayDial(ledger.urgent.db);
      halted = new Set(mayDial.filter((batchId) => halted.has(batchId)));
      for (const batchId of await haltUnseen(
        deps,
        mayDial.filter((batchId) => !halted.has(batchId)),
      )) {
        halted.add(batchId);
      }
      const left = { campaigns: campaigns.length, batches: mayDial.length - halted.size };
      if (left.campaigns + left.batches > 0) {
        log.warn(
          { ...left, why: campaigns[0]?.why },
          "not everything could be stopped yet; it is tried again",
        );
      }
      return left.campaigns + left.batches;
    },
  };
}

/** Looks every few seconds, from now on. */
export function startStopKeeping(deps: ActivityDeps): { stop(): Promise<void> } {
  const keeper = createStopKeeper(deps);
  let underWay: Promise<void> | undefined;
  const turn = async () => {
    try {
      await keeper.pass();
    } catch (error) {
      deps.log.warn({ error: String(error) }, "whether everything is to stop could not be read; it is again");
    }
  };
  const timer = setInterval(() => {
    underWay ??= turn().finally(() => {
      underWay = undefined;
    });
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      let late: NodeJS.Timeout | undefined;
      const bound = new Promise<void>((resolve) => {
        late = setTimeout(resolve, CLOSE_BOUND_MS);
      });
      await Promise.race([underWay, bound]);
      clearTimeout(late);
    },
  };
}
