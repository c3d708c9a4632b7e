import { beforeAll, describe, expect, it } from "vitest";

import type { CallRate } from "../../../src/domain/campaigns/call-rate.ts";
import { rampedAtMs } from "../../../src/domain/campaigns/ramp-up.ts";
import { listUnsettled, type Batch } from "../../../src/ledger/campaigns/batches.ts";
import type { Campaign } from "../../../src/ledger/campaigns/campaigns.ts";
import type { Planning } from "../../../src/ledger/campaigns/planning-lanes.ts";
import {
  claimOf,
  forWantOf,
  heldBy,
  linesFor,
  moveTurns,
  quantumOf,
  toLookAt,
  turnsOf,
  waitingOf,
  type Slots,
} from "../../../src/ledger/campaigns/planning-slots.ts";
import { describeLedgers } from "../../support/ledgers.ts";
import { planningOf } from "../support/planning-of.ts";
import { freshPhones, NOW_MS, plan, running, SECOND_MS } from "../support/scenario.ts";

const RATE: CallRate = { calls: 5, withinMs: SECOND_MS };
const NO_TURNS = { waiting: 0, room: Number.POSITIVE_INFINITY };

describeLedgers("slots of a campaign", (ledger) => {
  let campaign: Campaign;
  let batch: Batch;
  let planning: Planning;
  beforeAll(async () => {
    const id = await running(ledger(), freshPhones(200), { concurrency: 10 });
    await plan(ledger(), id);
    [batch] = (await listUnsettled(ledger().db, id)) as [Batch];
    planning = await planningOf(ledger().db, id);
    campaign = planning.campaign;
  });

  /** A planning of its own, which has said and seen nothing yet. */
  const anew = (changes: Partial<Planning> = {}): Planning => ({
    ...planning,
    holds: [],
    looksMs: [],
    ...changes,
  });
  const slotsOf = (changes: Partial<Slots> = {}): Slots => ({
    limit: 10,
    held: 3,
    free: 0,
    waiting: 7,
    idle: 2,
    ...changes,
  });
  /** What is said where somebody waits for slots, and when it looks again. */
  const want = (
    changes: Partial<Planning> = {},
    slots: Partial<Slots> = {},
    unsettled: readonly Batch[] = [],
  ) => {
    const own = anew(changes);
    const leased = forWantOf(own, slotsOf({ limit: own.limit, ...slots }), unsettled);
    return {
      text: own.holds.map(({ detail }) => detail).join("|"),
      looksMs: own.looksMs,
      leased,
      holds: own.holds,
    };
  };
  const ramping = (limit: number) => ({
    limit,
    ramp: { concurrency: 10, rampMs: 100 * SECOND_MS, sinceMs: NOW_MS },
  });
  const pacing = (lines: number, people: number, share = 0.125) => ({ lines, people, share });

  describe("that somebody waits for", () => {
    it("are of the whole campaign, and are told as what is in use", () => {
      expect(want().holds).toEqual([
        { zoneSetId: undefined, reason: "slots", detail: "3 of 10 slots are in use" },
      ]);
      expect(want({}, { held: 10 }).text).toBe("all 10 slots are in use");
      expect(want({}, { free: 1 }).text).toBe(
        "3 of 10 slots are in use, and what is free is too little for a batch",
      );
    });

    it("are told as what it has so soon after it began", () => {
      expect(want(ramping(4)).text).toBe(
        "3 of 4 slots that it has so soon after it began (ramp_up) are in use",
      );
      expect(want(ramping(3)).text).toBe(
        "all 3 slots that it has so soon after it began (ramp_up) are in use",
      );
    });

    it("are told as what those who take transferred calls leave it", () => {
      expect(want({ limit: 4, paced: pacing(4, 3) }).text).toBe(
        "3 of 4 slots that 3 people who take transferred calls leave it, with 12.5 % of its calls transferred (transfers) are in use",
      );
      expect(want({ limit: 1, paced: pacing(1, 1, 0.3333) }, { held: 1 }).text).toBe(
        "all 1 slot that 1 person who takes transferred calls leaves it, with 33.3 % of its calls transferred (transfers) are in use",
      );
      // They bound nothing where it has no more slots anyway, nor where its ramp leaves it fewer.
      expect(want({ limit: 10, paced: pacing(10, 9) }).text).toBe("3 of 10 slots are in use");
      expect(want({ ...ramping(4), paced: pacing(6, 3) }).text).toContain("(ramp_up)");
    });

    it("are told as its share of the account's lines, where that is what bounds it", () => {
      const account = { limit: 70, reserve: 0 };
      const sharing = { account, campaign: { ...campaign, share: 4 } };
      expect(want(sharing).text).toBe(
        "3 of 10 slots are in use; 4 of the account's 70 lines are for this campaign now",
      );
      expect(want(sharing, { held: 10 }).text).toBe("all 10 slots are in use");
      expect(want({ account, campaign: { ...campaign, share: undefined } }).text).toContain(
        "; 10 of the account's 70 lines are",
      );
      const brands = new Map([[campaign.brand, 12]]);
      expect(want({ ...sharing, account: { ...account, brands } }).text).toContain(
        `; 4 of the 12 lines of brand ${campaign.brand}, and the account's 70, are for`,
      );
      expect(want({ ...sharing, account: { ...account, brands: new Map([["another", 1]]) } }).text).toContain(
        "; 4 of the account's 70 lines are",
      );
    });

    it("are told with what holds them where the platform does not do as it was asked", () => {
      const troubled = (trouble: Batch["trouble"], held: number): Batch => ({ ...batch, trouble, held });
      expect(
        want({}, {}, [
          troubled("not_begun", 2),
          troubled("vanished", 1),
          troubled(undefined, 5),
          troubled("not_begun", 3),
          troubled("not_stopped", 0),
        ]).text,
      ).toBe(
        "3 of 10 slots are in use; 5 by batches that the platform has not begun; 1 by batches that the platform says it does not have",
      );
    });

    it("are counted as wanted where lines are shared, and by nobody otherwise", () => {
      expect(want().leased).toEqual({ starved: true, waiting: 0, idle: 0 });
      expect(want({ account: { limit: 70, reserve: 0 } }).leased).toEqual({
        starved: true,
        waiting: 7,
        idle: 2,
      });
      expect(claimOf(anew(), slotsOf())).toEqual({ waiting: 0, idle: 0 });
    });
  });

  describe("that grow by themselves are looked at", () => {
    it("when there is one more than it may hold, or as many more as are worth a batch", () => {
      const { ramp } = ramping(4);
      const quantum = quantumOf(anew());
      expect(want(ramping(4), { held: 4 }).looksMs).toEqual([rampedAtMs(ramp, 4 + Math.max(1, quantum))]);
      expect(want(ramping(4), { held: 0 }).looksMs).toEqual([rampedAtMs(ramp, Math.max(5, quantum))]);
      expect(want().looksMs).toEqual([]);
    });

    it("when as many have come as are worth a batch, where that is more than one", () => {
      const wide = { ...campaign, concurrency: 100, tallies: { ...campaign.tallies, open: 9_000 } };
      const ramp = { concurrency: 100, rampMs: 100 * SECOND_MS, sinceMs: NOW_MS };
      const quantum = quantumOf(anew({ campaign: wide }));
      expect(quantum).toBeGreaterThan(1);
      expect(want({ campaign: wide, limit: 40, ramp }, { held: 40 }).looksMs).toEqual([
        rampedAtMs(ramp, 40 + quantum),
      ]);
    });

    it("as far as those who take transferred calls leave room for them", () => {
      expect(want({ ...ramping(4), paced: pacing(4, 3) }, { held: 4 }).looksMs).toEqual([]);
      expect(want({ ...ramping(4), paced: pacing(6, 3) }, { held: 4 }).looksMs).toHaveLength(1);
      expect(want({ ...ramping(4), paced: pacing(20, 3) }, { held: 4 }).looksMs).toHaveLength(1);
      expect(want({ limit: 10, paced: pacing(20, 3) }).looksMs).toEqual([]);
    });
  });

  describe("under a rate", () => {
    const bound = { rate: RATE, turns: { waiting: 47, room: 3 } };

    it("are not what its calls wait for: those that are ready wait for their turn", () => {
      expect(want(bound).text).toBe(
        "47 calls wait for their turn: 5 a second may begin (OUTDIAL_CALLS_PER_SECOND)",
      );
      expect(want({ rate: RATE, turns: { waiting: 1, room: 0 } }).text).toMatch(
        /^1 call waits for their turn: /,
      );
      // Room for all that may begin at once, or for all the slots there are: then slots are what is short.
      expect(want({ rate: RATE, turns: { waiting: 45, room: 5 } }).text).toBe("3 of 10 slots are in use");
      expect(want({ rate: RATE, turns: { waiting: 48, room: 2 } }, { held: 8 }).text).toBe(
        "8 of 10 slots are in use",
      );
    });

    it("are looked at when half of those that are ready may have begun, and a stretch later at the least", () => {
      // 25 may be left of 47: 22 begin, five a second.
      expect(want(bound).looksMs).toEqual([NOW_MS + 4_400]);
      expect(want({ rate: RATE, turns: { waiting: 1, room: 0 } }).looksMs).toEqual([NOW_MS + SECOND_MS]);
      expect(want({ rate: RATE, turns: { waiting: 45, room: 5 } }).looksMs).toEqual([]);
    });

    it("have room for so many more calls, less those of batches that were not started", () => {
      const at = (state: Batch["state"], size: number): Batch => ({ ...batch, state, size });
      const unsettled = [
        at("planned", 4),
        at("created", 3),
        at("starting", 9),
        at("running", 9),
        at("draining", 9),
      ];
      expect(turnsOf(unsettled, RATE)).toEqual({ waiting: 7, room: 43 });
      expect(turnsOf(unsettled, undefined)).toEqual(NO_TURNS);
      expect(moveTurns({ waiting: 7, room: 43 }, 5)).toEqual({ waiting: 12, room: 38 });
      expect(moveTurns({ waiting: 7, room: 3 }, 5)).toEqual({ waiting: 12, room: 0 });
    });

    it("are worth a batch where as many are free as may begin at once", () => {
      const wide = { ...campaign, concurrency: 1_000, tallies: { ...campaign.tallies, open: 9_000 } };
      expect(quantumOf(anew({ campaign: wide }))).toBeGreaterThan(5);
      expect(quantumOf(anew({ campaign: wide, rate: RATE }))).toBe(5);
    });
  });

  it("are held by all batches together", () => {
    expect(
      heldBy([
        { ...batch, held: 3 },
        { ...batch, held: 4 },
      ]),
    ).toBe(7);
    expect(heldBy([])).toBe(0);
  });

  it("are looked at for as many people as they could take, and as may be leased, but for a batch's worth at the least", () => {
    const boundless = Number.POSITIVE_INFINITY;
    const looked = (free: number, most = boundless, rate?: CallRate) =>
      toLookAt(anew({ rate }), { free, most });
    expect([looked(1), looked(3), looked(500)]).toEqual([100, 300, 2_000]);
    expect([looked(3, 250), looked(3, 1), looked(500, 5_000)]).toEqual([250, 100, 2_000]);
    expect([looked(3, boundless, RATE), looked(130, boundless, RATE)]).toEqual([100, 130]);
  });

  it("could be taken by more people as far as they are free, or where they are shared as nobody holds them", () => {
    const of = { limit: 10, held: 3, free: 2, idle: 5 };
    expect(linesFor(anew(), slotsOf(of))).toBe(2);
    const account = { limit: 70, reserve: 0 };
    expect(linesFor(anew({ account }), slotsOf(of))).toBe(5);
    expect(linesFor(anew({ account }), slotsOf({ ...of, held: 6 }))).toBe(4);
    expect(linesFor(anew({ account, turns: { waiting: 0, room: 1 } }), slotsOf(of))).toBe(1);
  });

  it("are wanted for whoever is due, within its own, and within the account's", () => {
    const account = { limit: 6, reserve: 0 };
    expect(waitingOf(anew({ account }), { own: 9, due: 4 })).toBe(4);
    expect(waitingOf(anew({ account }), { own: 3, due: 4 })).toBe(3);
    expect(waitingOf(anew({ account }), { own: 9, due: 9 })).toBe(6);
    expect(waitingOf(anew({ account }), { own: -2, due: 4 })).toBe(0);
    expect(waitingOf(anew(), { own: 1, due: 1 })).toBe(Number.POSITIVE_INFINITY);
  });
});
