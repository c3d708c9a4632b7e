import { describe, expect, it } from "vitest";

import { createLedgersClock } from "../../../src/chores/ground/ledgers-clock.ts";
import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import type { Platform } from "../../../src/platform/index.ts";

const HOUR_MS = 3_600_000;
/** What a question takes, and then some. */
const CLOSE_MS = 20_000;

/** Three clocks by how far each is from the right time; undefined: it tells none. */
function clocks({
  machine = 0,
  ledger = 0,
  platform,
}: {
  machine?: number;
  ledger?: number;
  platform?: number;
}) {
  const set = { machine, ledger, isAway: false, sleptMs: 0 };
  const db = {
    execute: () =>
      set.isAway
        ? Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }))
        : Promise.resolve({ rows: [{ now_ms: Date.now() + set.ledger }] }),
  };
  const told =
    platform === undefined ? undefined : { platformMs: Date.now() + platform, localMs: 0, ageMs: 0 };
  const clock = createLedgersClock(
    {
      ledger: { db } as unknown as Ledger,
      platform: {
        clock: () => told && { ...told, localMs: Date.now() + set.machine },
      } as unknown as Platform,
      now: () => Date.now() + set.machine,
    },
    () => performance.now() + set.sleptMs,
  );
  /** From the right time, to the half minute. */
  const off = (ms: number) =>
    Math.abs(ms - Date.now()) < CLOSE_MS ? 0 : Math.round((ms - Date.now()) / HOUR_MS);
  return {
    set,
    clock,
    now: () => off(clock.now()),
    latest: () => off(clock.latest()),
  };
}

describe("the ledger's time on a machine", () => {
  it.each([2 * HOUR_MS, -2 * HOUR_MS, 45_000, 0])(
    "whose clock is off by %i ms is the ledger's",
    async (machine) => {
      const { clock, now } = clocks({ machine });
      await clock.refresh();
      expect(now()).toBe(0);
    },
  );

  it("stays as it was where its clock is set, in either direction, until that is looked at", async () => {
    const { set, clock, now } = clocks({ machine: 2 * HOUR_MS });
    await clock.refresh();
    for (const machine of [0, -3 * HOUR_MS, 5 * HOUR_MS]) {
      set.machine = machine;
      expect(now()).toBe(0);
      await clock.refresh();
      expect(now()).toBe(0);
    }
  });

  it("is right after a sleep, in which all clocks went on but the one of the process", async () => {
    const { set, clock, now, latest } = clocks({ platform: 0 });
    await clock.refresh();
    // To this process the right time is as far ahead as its machine's clock, then.
    set.machine = HOUR_MS;
    set.sleptMs = HOUR_MS;
    expect([now(), latest()]).toEqual([expect.closeTo(1), expect.closeTo(1)]);
  });

  it("is no earlier for what is to stop where the machine may have been held still", async () => {
    const { set, clock, latest } = clocks({ platform: 0 });
    await clock.refresh();
    set.machine = HOUR_MS;
    expect(latest()).toEqual(expect.closeTo(1));
  });

  it("is this machine's where the platform says that the ledger's is wrong", async () => {
    const { clock, now } = clocks({ ledger: -2 * HOUR_MS, platform: 0 });
    await clock.refresh();
    expect(now()).toBe(0);
    const behind = clocks({ ledger: 2 * HOUR_MS });
    await behind.clock.refresh();
    expect(behind.now()).toEqual(expect.closeTo(2));
  });

  it("is what was seen last where the ledger does not answer", async () => {
    const { set, clock, now } = clocks({ machine: 2 * HOUR_MS });
    await clock.refresh();
    set.isAway = true;
    await clock.refresh();
    expect(now()).toBe(0);
    set.machine = 0;
    expect(now()).toBe(0);
  });

  it("goes for what is to stop where the platform's clock bears it out, and the later of the two elsewhere", async () => {
    const ahead = clocks({ machine: 2 * HOUR_MS, platform: 0 });
    await ahead.clock.refresh();
    expect(ahead.latest()).toBe(0);
    const unknown = clocks({ machine: 2 * HOUR_MS });
    await unknown.clock.refresh();
    expect([unknown.now(), unknown.latest()]).toEqual([0, expect.closeTo(2)]);
    const ledgerIsLate = clocks({ ledger: -2 * HOUR_MS, platform: 0 });
    await ledgerIsLate.clock.refresh();
    expect(ledgerIsLate.latest()).toBe(0);
    const behind = clocks({ machine: -2 * HOUR_MS });
    await behind.clock.refresh();
    expect(behind.latest()).toBe(0);
  });
});
