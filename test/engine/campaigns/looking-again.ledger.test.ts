import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { lookAgain } from "../../../src/chores/campaigns/look-again.ts";
import { looksForGone } from "../../../src/chores/campaigns/watch-workers.ts";
import { takeOverdue } from "../../../src/ledger/ground/look-by.ts";
import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import { withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, planSome, type Stepping } from "../../support/stepping.ts";
import { tending, type Tending } from "../../support/tending.ts";
import { until } from "../../support/until.ts";

describe("a worker that begins", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let batches: Tending;
    const warned: string[] = [];
    const ports = (over: Ledger = ledger()) => ({
      ledger: over,
      now: Date.now,
      log: { info() {}, error() {}, warn: (_fields: object, message: string) => void warned.push(message) },
    });

    beforeAll(async () => {
      stepping = await openStepping();
      batches = tending(stepping, ledger, 390_000);
    });
    const overdue = async () => {
      const nowMs = Date.now() + 1;
      const found = await Promise.all(
        (["batch", "campaign"] as const).map((kind) => takeOverdue(ledger().db, kind, { nowMs, limit: 10 })),
      );
      return found.flat().map(({ id }) => id);
    };
    beforeEach(() => {
      warned.length = 0;
    });
    afterAll(() => stepping.close());

    it("has batches looked at that may be dialing, with their campaigns, and no others", async () => {
      const phones = batches.people(5);
      batches.talkFor(phones, 100_000_000);
      const dialing = await batches.begin(phones, { concurrency: 5 });
      const batchId = await beginOne(batches.deps, dialing);
      await until("a call", () => batches.dialsOf(phones).some((dials) => dials > 0));
      const planned = await batches.begin(batches.people(5), { concurrency: 5 });
      await planSome(batches.deps, planned);
      expect(await overdue()).toEqual([]);
      await lookAgain(ports());
      expect(await overdue()).toEqual([batchId, dialing]);
    });

    it("that sees another one go has them looked at once, and not those of one that was asked to end", async () => {
      let peers = [
        { name: "one", leaves: false },
        { name: "two", leaves: false },
        { name: "three", leaves: false },
      ];
      let nowMs = Date.now();
      let isConnectedAnew = true;
      const seen = { peers: async () => ({ peers, isConnectedAnew }) };
      const look = looksForGone({ ...ports(), now: () => nowMs }, seen);
      // Another one that sees the same a little later.
      const alike = looksForGone({ ...ports(), now: () => nowMs + 500 }, seen);
      await alike();
      expect(await look(), "nobody was there before").toBe(false);
      isConnectedAnew = false;
      peers = [
        { name: "two", leaves: true },
        { name: "three", leaves: false },
      ];
      expect(await look()).toBe(true);
      expect(await alike(), "another one has looked after it").toBe(false);
      expect(warned).toEqual(["a worker is gone without having ended: what it followed is looked at"]);
      expect(await overdue()).toHaveLength(2);
      peers = [{ name: "three", leaves: false }];
      expect(await look(), "it was asked to").toBe(false);
      nowMs += 10_000;
      peers = [];
      expect(await look(), "not all the time").toBe(false);
      expect(await alike()).toBe(false);
      nowMs += 15_000;
      expect([await look(), await alike()], "and not forgotten, once for all").toEqual([true, false]);
      nowMs += 30_000;
      expect([await look(), await alike()], "each has heard that it was looked after").toEqual([
        false,
        false,
      ]);
      expect(warned).toHaveLength(2);
    });

    it("that was cut off from the ledger takes nobody for gone who may be cut off, too", async () => {
      const four = { name: "four", leaves: false };
      const nowMs = Date.now() + 600_000;
      let told = { peers: [four], isConnectedAnew: true };
      const look = looksForGone({ ...ports(), now: () => nowMs }, { peers: async () => told });
      await look();
      told = { peers: [], isConnectedAnew: true };
      expect(await look()).toBe(false);
      told = { peers: [four], isConnectedAnew: false };
      await look();
      told = { peers: [], isConnectedAnew: false };
      expect(await look(), "it was back, and is gone now").toBe(true);
    });

    it("begins though the ledger does not answer", async () => {
      await lookAgain(ports({ ...ledger(), db: new Proxy({} as Ledger["db"], {}) }));
      expect(await overdue()).toEqual([]);
      expect(warned).toEqual(["batches under way could not be looked at; their followers will"]);
    });
  });
});
