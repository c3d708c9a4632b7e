import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { createLineWatch } from "../../../src/activities/campaigns/follow/line-watch.ts";
import { keepLinesFull, offerLines } from "../../../src/activities/campaigns/offer-lines.ts";
import { planBatch } from "../../../src/activities/campaigns/plan-batch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { withdrawClaims } from "../../../src/ledger/campaigns/line-claims.ts";
import { LedgerUnavailableError, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { tell } from "../../ledger/support/scenario.ts";
import { withLedger } from "../../support/ledgers.ts";
import { openStepping, type Stepping } from "../../support/stepping.ts";
import { tending, type Tending } from "../../support/tending.ts";

const LINES = 10;

describe("idle lines of an account", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let batches: Tending;
    let deps: ActivityDeps;
    /** How far the clock was put on. */
    let aheadMs = 0;
    const now = () => Date.now() + aheadMs;
    const woken: string[] = [];
    const warned: string[] = [];

    beforeAll(async () => {
      stepping = await openStepping();
      batches = tending(stepping, ledger, 640_000);
      deps = {
        ...batches.deps,
        account: { limit: LINES, reserve: 0 },
        wake: { campaign: (id) => void woken.push(id), batch() {} },
        log: { info() {}, warn: (_fields, message) => void warned.push(message), error() {} },
        now,
      };
    });
    afterEach(() => {
      woken.length = 0;
      warned.length = 0;
    });
    afterAll(() => stepping.close());

    const begin = (people = 2 * LINES) => batches.begin(batches.people(people), { concurrency: LINES });
    const planNow = (campaignId: string, by = deps) => planBatch(by, { campaignId, seenPlannings: 0 });

    const end = (campaignId: string) => tell(ledger(), "cancel", campaignId, { nowMs: now() });
    /** One that has all lines, and one that waits for some. Nothing of them is started: a cancel gives lines back. */
    const haveAndWait = async () => {
      const [having, waiting] = [await begin(), await begin()];
      expect(await planNow(having)).toMatchObject({ heldSlots: LINES });
      expect(await planNow(waiting)).toMatchObject({ heldSlots: 0 });
      return { having, waiting };
    };

    it("are offered to whoever waits, once until it plans", async () => {
      const { having, waiting } = await haveAndWait();
      await offerLines(deps);
      expect(woken).toEqual([]);
      await end(having);
      await offerLines(deps);
      await offerLines(deps);
      expect(woken).toEqual([waiting]);
      expect(await planNow(waiting)).toMatchObject({ heldSlots: LINES });
      await end(waiting);
    });

    it("are offered by a planning that leaves some", async () => {
      const { having, waiting } = await haveAndWait();
      await tell(ledger(), "pause", having, { nowMs: now() });
      await planNow(having);
      expect(woken).toEqual([waiting]);
      for (const id of [having, waiting]) await end(id);
    });

    it("are offered to nobody where lines are not shared", async () => {
      const { having, waiting } = await haveAndWait();
      await end(having);
      for (const offer of [offerLines, keepLinesFull]) await offer({ ...deps, account: undefined });
      expect(woken).toEqual([]);
      await end(waiting);
    });

    it("are offered by the clock where every wake-up was lost, and others get them where one does not move", async () => {
      const { having, waiting } = await haveAndWait();
      const other = await begin();
      await planNow(other);
      await end(having);
      // Told, and dead since.
      await offerLines({ ...deps, wake: { campaign() {}, batch() {} } });
      aheadMs += 6_000;
      await keepLinesFull(deps);
      expect(warned).toEqual(["campaigns that wait for lines do not plan"]);
      expect(woken).toEqual([]);
      expect(await planNow(other)).toMatchObject({ heldSlots: LINES });
      expect(await withdrawClaims(ledger(), now())).toBe(0);
      await planNow(waiting);
      await end(other);
      await keepLinesFull(deps);
      expect(woken).toEqual([waiting]);
      await end(waiting);
    });

    it("that can't be offered now keep nobody from settling", async () => {
      const away: Ledger = {
        ...ledger(),
        get db(): Ledger["db"] {
          throw new LedgerUnavailableError("the ledger is away");
        },
      };
      await offerLines({ ...deps, ledger: away });
      expect(warned).toEqual(["idle lines could not be offered; they will be, within seconds"]);
    });

    it("and who waits for some are read once a second for all followers of a process", async () => {
      let reads = 0;
      const counted: Ledger = {
        ...ledger(),
        get db() {
          reads += 1;
          return ledger().db;
        },
      };
      const watch = createLineWatch({ ...deps, ledger: counted });
      const { having, waiting } = await haveAndWait();
      expect(await Promise.all([watch.demand(), watch.demand()])).toEqual([{ needed: 1 }, { needed: 1 }]);
      expect(reads).toBe(1);
      for (const id of [having, waiting]) await end(id);
      aheadMs += 1_000;
      expect(await watch.demand()).toEqual({ needed: undefined });
      expect(reads).toBe(2);
      expect(await createLineWatch({ ...deps, account: undefined }).demand()).toBeUndefined();
    });

    it("count for all followers of a process together", () => {
      const watch = createLineWatch(deps);
      watch.note("a", 2);
      watch.note("b", 3);
      watch.note("a", 1);
      expect(watch.heardFree()).toBe(4);
      watch.note("b", -1);
      expect(watch.heardFree()).toBe(1);
    });

    it("are offered by one look for all who ask while another is under way", async () => {
      let reads = 0;
      const counted: Ledger = {
        ...ledger(),
        get db() {
          reads += 1;
          return ledger().db;
        },
      };
      await Promise.all(Array.from({ length: 5 }, () => offerLines({ ...deps, ledger: counted })));
      expect(reads).toBe(2);
      await offerLines({ ...deps, ledger: counted });
      expect(reads).toBe(3);
    });

    it("and a ledger that was away is asked again", async () => {
      let isAway = true;
      const coming: Ledger = {
        ...ledger(),
        get db(): Ledger["db"] {
          if (isAway) throw new LedgerUnavailableError("the ledger is away");
          return ledger().db;
        },
      };
      const watch = createLineWatch({ ...deps, ledger: coming });
      await expect(watch.demand()).rejects.toThrow("the ledger is away");
      isAway = false;
      expect(await watch.demand()).toEqual({ needed: undefined });
    });
  });
});
