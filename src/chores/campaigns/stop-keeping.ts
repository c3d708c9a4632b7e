import { randomUUID } from "node:crypto";
import os from "node:os";

import type { ActivityDeps } from "../../activities/deps.ts";
import { haltUnseen } from "../../activities/campaigns/halt-batches.ts";
import { bindUnbound } from "../../ledger/campaigns/blacking-out.ts";
import { bindToLists } from "../../ledger/campaigns/renewing.ts";
import { listUnbound } from "../../ledger/ground/blackouts.ts";
import { holdLease } from "../../ledger/ground/leases.ts";
import { startTurns } from "../ground/turns.ts";
import {
  isEverythingStopped,
  listMayDial,
  listOverdueStops,
  stopWhatIsFree,
} from "../../ledger/campaigns/stopping.ts";

/*
 * A stop holds from its commit on, and so does the end of a batch's time; whoever gives one halts what runs, and
 * workflows look when their time comes. What those do not reach (a process that died behind the commit, a campaign
 * that somebody held, a platform that did not answer, a Temporal that is away and wakes nobody up) is reached here: in
 * every process, with Temporal or without. What it asks for makes nobody's phone ring. While nothing is overdue it is
 * four small reads. Blackouts bind here, too, what whoever added them did not reach, and so do sources of suppressions
 * whose lists are too old.
 */

/** Soon enough for a batch that a stop missed. */
const EVERY_MS = 5_000;

/** One process of all does it; one that died is replaced after two turns that were missed. */
const LEASE_MS = 3 * EVERY_MS;

/** Workflows come first: a stop is overdue after this part of the margin that `dial_by` leaves before a window ends. */
const GRACE_OF_MARGIN = 1 / 6;

/** How long one batch is asked for at a time. One that can't be seen to stop is left for longer each time. */
const ASK_MS = 3_000;
const LONGEST_REST_MS = 60_000;

/** Asked to stop in one pass, which takes no longer than the lease where none answers; others in those that follow. */
const A_PASS = 40;

/** Blackouts bind what is under way for so long at a time: the lease is not to lapse meanwhile. */
const BIND_MS = 5_000;

export interface StopKeeper {
  /** One pass now. Returns how much of what was to be stopped still is: campaigns and batches. */
  pass(): Promise<number>;
}

export function createStopKeeper(deps: ActivityDeps): StopKeeper {
  const { ledger, log, now } = deps;
  const holder = `${os.hostname()}-${randomUUID()}`;
  /** Batches that were seen to take no new dial; nothing makes them dial again. */
  let halted = new Set<string>();
  /** Others that were asked, and when they are again. */
  let rests = new Map<string, { untilMs: number; restMs: number }>();

  const hasLease = () =>
    holdLease(ledger.urgent.db, { name: "stop", holder, termMs: LEASE_MS, nowMs: now() });
  /** Those that were not seen to be halted before. */
  const notHalted = (due: readonly string[]): string[] => {
    halted = new Set(due.filter((batchId) => halted.has(batchId)));
    return due.filter((batchId) => !halted.has(batchId));
  };

  const stopAll = async (): Promise<number> => {
    const campaigns = await stopWhatIsFree(ledger, { now, forMs: LEASE_MS });
    const moving = notHalted(await listMayDial(ledger.urgent.db));
    const still = await haltUnseen(deps, moving);
    for (const batchId of still) halted.add(batchId);
    const left = { campaigns: campaigns.length, batches: moving.length - still.length };
    if (left.campaigns + left.batches > 0) {
      log.warn({ ...left, why: campaigns[0]?.why }, "not everything could be stopped yet; it is tried again");
    }
    return left.campaigns + left.batches;
  };

  const haltOverdue = async (due: readonly string[]): Promise<number> => {
    const moving = notHalted(due);
    rests = new Map([...rests].filter(([batchId]) => moving.includes(batchId)));
    // One that ends later than any could was given by a clock that was ahead.
    const nowMs = now();
    const isResting = (untilMs: number) => nowMs < untilMs && untilMs - nowMs <= LONGEST_REST_MS;
    const asked = moving.filter((batchId) => !isResting(rests.get(batchId)?.untilMs ?? 0)).slice(0, A_PASS);
    if (asked.length > 0) log.warn({ batches: asked.length }, "batches that are to have stopped are halted");
    for (const batchId of await haltUnseen(deps, asked, ASK_MS)) halted.add(batchId);
    for (const batchId of asked) {
      const restMs = Math.min(LONGEST_REST_MS, (rests.get(batchId)?.restMs ?? EVERY_MS / 2) * 2);
      if (halted.has(batchId)) rests.delete(batchId);
      else rests.set(batchId, { restMs, untilMs: now() + restMs });
    }
    return moving.filter((batchId) => !halted.has(batchId)).length;
  };

  /** Of blackouts whose giver died, or met a campaign that somebody held. What is stopped for them is overdue later. */
  const bindToBlackouts = async (): Promise<number> => {
    if ((await listUnbound(ledger.urgent.db)).length === 0 || !(await hasLease())) return 0;
    const { dialByMarginMs } = deps.pace;
    const { waiting } = await bindUnbound(ledger, { dialByMarginMs, now, forMs: BIND_MS });
    const [first] = waiting;
    if (first) log.warn({ campaigns: waiting.length, why: first.why }, "a blackout does not bind all yet");
    return waiting.length;
  };

  /** Each locks the campaign: two processes at once do it twice at most. What is stopped for it is overdue later. */
  const bindToAges = async (nowMs: number): Promise<number> => {
    const { dialByMarginMs } = deps.pace;
    const { stoppedBatchIds, left } = await bindToLists(ledger, { dialByMarginMs, nowMs });
    if (stoppedBatchIds.length + left > 0)
      log.warn({ batches: stoppedBatchIds.length, left }, "batches dial by lists that are too old");
    return stoppedBatchIds.length + left;
  };

  return {
    async pass() {
      if (await isEverythingStopped(ledger.urgent.db)) return (await hasLease()) ? stopAll() : 0;
      const nowMs = now();
      const beforeMs = nowMs - deps.pace.dialByMarginMs * GRACE_OF_MARGIN;
      const due = await listOverdueStops(ledger.urgent.db, beforeMs);
      const moving = due.length > 0 && (await hasLease()) ? await haltOverdue(due) : 0;
      return moving + (await bindToBlackouts()) + (await bindToAges(nowMs));
    },
  };
}

/** Looks every few seconds, from now on. */
export function startStopKeeping(deps: ActivityDeps): { stop(): Promise<void> } {
  const keeper = createStopKeeper(deps);
  const turn = async () => {
    try {
      await keeper.pass();
    } catch (error) {
      deps.log.warn({ error: String(error) }, "what is to be stopped could not be read; it is again");
    }
  };
  return startTurns({ everyMs: EVERY_MS, turn });
}
