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
      const look = looksForGone({ ...ports(), now: () => nowMs }, { peers: async () => peers });
      expect(await look(), "nobody was there before").toBe(false);
      peers = [
        { name: "two", leaves: true },
        { name: "three", leaves: false },
      ];
      expect(await look()).toBe(true);
      expect(warned).toEqual(["a worker is gone without having ended: what it followed is looked at"]);
      expect(await overdue()).toHaveLength(2);
      peers = [{ name: "three", leaves: false }];
      expect(await look(), "it was asked to").toBe(false);
      nowMs += 1_000;
      peers = [];
      expect(await look(), "not all the time").toBe(false);
      nowMs += 20_000;
      expect(await look(), "and not forgotten").toBe(true);
      expect(await look()).toBe(false);
    });

    it("begins though the ledger does not answer", async () => {
      await lookAgain(ports({ ...ledger(), db: new Proxy({} as Ledger["db"], {}) }));
      expect(await overdue()).toEqual([]);
      expect(warned).toEqual(["batches under way could not be looked at; their followers will"]);
    });
  });
});
