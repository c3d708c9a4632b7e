import os from "node:os";

import type { ActivityDeps } from "../../activities/deps.ts";
import { differenceToLedger, isLedgerRight, isMachineRight } from "../../activities/ground/clock-check.ts";
import { startTurns, type Turns } from "./turns.ts";

/*
 * The ledger's time in a process, whatever its machine's clock says: for what can't do nothing where the two are apart,
 * as most does (clock-check.ts). What people and programs hand in is taken by every server, and whoever is due by it holds
 * that against other clocks; and what is to stop is stopped from everywhere.
 */

const EVERY_MS = 5_000;

/** A clock that is kept runs as time does; one that moves by more was set. */
const SET_MS = 1_000;

/** Which part of a second `os.uptime` leaves out. */
const UPTIME_MS = 2 * SET_MS;

export interface LedgersClock {
  /**
   * Unix milliseconds, by the difference that was last seen. A clock that is set meanwhile changes nothing. Where the
   * platform says that this machine's is right, and the ledger's is not, it is this machine's.
   */
  now(): number;
  /** The same where the platform's clock bears it out, else the later of it and of this machine's: for what is to stop. */
  latest(): number;
  /** Looks how far the clocks are apart. Never rejects: where the ledger does not answer, what was seen last stands. */
  refresh(): Promise<void>;
}

type ClockDeps = Pick<ActivityDeps, "ledger" | "platform" | "now">;

/**
 * @param uptimeMs how long this machine runs, its sleep included
 */
export function createLedgersClock(
  { ledger, platform, now }: ClockDeps,
  uptimeMs: () => number = () => os.uptime() * 1_000,
): LedgersClock {
  /** This machine's clock minus the one of the process, and the one of the machine, which nobody sets. */
  const sinceAwake = () => now() - performance.now();
  const sinceBoot = () => now() - uptimeMs();
  let seen = { aheadMs: 0, sinceAwakeMs: sinceAwake(), sinceBootMs: sinceBoot() };
  /** By how much this machine's clock was set since. */
  const setBy = () => {
    const movedMs = sinceAwake() - seen.sinceAwakeMs;
    if (Math.abs(movedMs) < SET_MS) return 0;
    // A machine that has slept was awake for less, and its clock was not set.
    return Math.abs(sinceBoot() - seen.sinceBootMs) < UPTIME_MS ? 0 : movedMs;
  };
  const ledgers = () => now() - setBy() + seen.aheadMs;
  return {
    now: () => (isMachineRight(platform, { aheadMs: ledgers() - now() }) ? now() : ledgers()),
    // A machine that was held still, as virtual ones are, looks like one whose clock was set.
    latest: () =>
      setBy() <= 0 && isLedgerRight(platform, { aheadMs: ledgers() - now() })
        ? ledgers()
        : Math.max(ledgers(), now()),
    async refresh() {
      try {
        const [sinceAwakeMs, sinceBootMs] = [sinceAwake(), sinceBoot()];
        seen = { aheadMs: await differenceToLedger({ ledger, now }), sinceAwakeMs, sinceBootMs };
      } catch {
        // It is looked at again.
      }
    },
  };
}

/** Looks at the difference every few seconds, from now on. */
export function keepLedgersClock(clock: LedgersClock): Turns {
  return startTurns({ everyMs: EVERY_MS, turn: () => clock.refresh() });
}
