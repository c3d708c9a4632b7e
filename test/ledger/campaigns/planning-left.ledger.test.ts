import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { callRate } from "../../../src/domain/campaigns/call-rate.ts";
import { PLACEMENT_PRIORITY } from "../../../src/domain/campaigns/list-order.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import { place, standing } from "../support/placing.ts";
import {
  contact,
  contactsOf,
  freshPhones,
  holdsOf,
  NOW_MS,
  PACE,
  plan,
  running,
  SECOND_MS,
} from "../support/scenario.ts";

const FINAL = { retry: { max_attempts: 1 } } as const;
const LONDON = ["Europe/London"];

/* Whom a planning leaves behind, what it says of them, and whether it goes on with them at once. */
describeLedgers("those whom a planning leaves", (ledger) => {
  const calling = (people: number, changes: Partial<CampaignSpecInput> = {}) =>
    running(ledger(), freshPhones(people), { concurrency: 10, ...FINAL, ...changes });
  const campaignOf = async (id: string) => given(await readCampaign(ledger().db, id));
  const reasonsOf = async (id: string) =>
    (await holdsOf(ledger(), id)).filter((hold) => hold.until_ms === null).map(({ reason }) => reason);
  /** So many lines for this brand, of an account that has enough of them. */
  const ofBrand = (brand: string, lines: number) => ({
    account: { limit: 100_000, reserve: 0, brands: new Map([[brand, lines]]) },
  });

  afterEach(() => expectInvariants(ledger()));

  it("are the first of the list where the newest are called first", async () => {
    const id = await calling(3, { concurrency: 1, order: "newest_first" });
    expect(await plan(ledger(), id)).toMatchObject({ heldSlots: 1 });
    const people = await contactsOf(ledger(), id);
    expect(people.map(({ state }) => state)).toEqual(["open", "leased", "leased"]);
  });

  describe("for want of money", () => {
    const paid = (calls: number) => ({
      budget: { total: (calls / 10).toFixed(2), expect_per_call: "0.10" },
    });

    it("are gone on with at once where slots are free, and are nobody where all are paid for", async () => {
      const short = await calling(6, paid(5));
      expect(await plan(ledger(), short)).toMatchObject({ heldSlots: 5, waitMs: 0 });
      expect(await campaignOf(short)).toMatchObject({ starved: true });
      const enough = await calling(5, paid(5));
      expect(await plan(ledger(), enough)).toMatchObject({ heldSlots: 5, waitMs: PACE.busyLookMs });
      expect(await campaignOf(enough)).toMatchObject({ starved: false });
      expect(await reasonsOf(enough)).toEqual([]);
    });

    it.each<[what: string, people: number, changes: object, reasons: string[], starved: boolean]>([
      ["by what it may spend where a slot is left that is no batch", 230, paid(99), ["budget"], true],
      ["by its slots where none is left", 230, paid(100), ["slots"], true],
      ["by its first calls where these come first", 230, { canary: 99, ...paid(120) }, ["canary"], true],
      ["by nothing where nobody is left", 99, paid(99), [], false],
    ])("are explained %s", async (_what, people, changes, reasons, starved) => {
      const id = await calling(people, { concurrency: 100, ...changes });
      // What is left is no reason to go on at once: it is too little for a batch, and what is under way wakes it up.
      expect(await plan(ledger(), id)).toMatchObject({ waitMs: PACE.busyLookMs });
      expect(await reasonsOf(id)).toEqual(reasons);
      expect(await campaignOf(id)).toMatchObject({ starved });
    });

    it("wait for somebody who changes it where nothing is held and no day ends", async () => {
      const id = await calling(3, { budget: { total: "0.05", expect_per_call: "0.10" } });
      expect(await plan(ledger(), id)).toMatchObject({ batchIds: [], waitMs: PACE.idleLookMs });
      expect(await campaignOf(id)).toMatchObject({ starved: false });
    });
  });

  it("have as many lines asked for as they could take beside those that it holds", async () => {
    const brand = "asked-for";
    const many = await calling(11, { brand });
    expect(await plan(ledger(), many, NOW_MS, ofBrand(brand, 5))).toMatchObject({ heldSlots: 5 });
    expect(await campaignOf(many)).toMatchObject({ waiting: 5 });
    expect(await plan(ledger(), many, NOW_MS, ofBrand(brand, 7))).toMatchObject({ heldSlots: 7 });
    expect(await campaignOf(many)).toMatchObject({ waiting: 3 });
    const few = await calling(8, { brand: "asked-for-few" });
    expect(await plan(ledger(), few, NOW_MS, ofBrand("asked-for-few", 5))).toMatchObject({ heldSlots: 5 });
    expect(await campaignOf(few)).toMatchObject({ waiting: 3 });
  });

  it("ask for no line while a call to their number is under way", async () => {
    const [busy = "", other = ""] = freshPhones(2);
    const { id } = await standing(ledger(), { concurrency: 9, brand: "beaten" });
    for (const phone of [busy, busy, busy, other]) await place(ledger(), id, phone);
    expect(await plan(ledger(), id, NOW_MS, ofBrand("beaten", 9))).toMatchObject({ heldSlots: 2 });
    expect(await campaignOf(id)).toMatchObject({ waiting: 0 });
  });

  it("are served at the moment of no planning that leases nobody", async () => {
    const [phone = ""] = freshPhones(1);
    const id = await running(ledger(), [phone], { brand: "unserved" });
    await ledger().transaction((tx) =>
      addSuppressions(tx, {
        entries: [{ phone, brand: undefined, source: "dnc", reason: "register" }],
        actor: "test",
        nowMs: NOW_MS,
      }),
    );
    expect(await plan(ledger(), id, NOW_MS, ofBrand("unserved", 5))).toMatchObject({ batchIds: [] });
    expect(await campaignOf(id)).toMatchObject({ servedAtMs: undefined });
  });

  it("are told to wait for their turn where as many calls wait as may be made ready", async () => {
    const id = await calling(1_000, { concurrency: 100 });
    await plan(ledger(), id, NOW_MS, { rate: callRate(5) });
    expect(await holdsOf(ledger(), id)).toMatchObject([
      { detail: "50 calls wait for their turn: 5 a second may begin (OUTDIAL_CALLS_PER_SECOND)" },
    ]);
  });

  it("are not looked at by themselves where something is under way that wakes it up", async () => {
    const id = await calling(2);
    await rows(
      ledger().db,
      sql`update contacts set due_at = to_timestamp(${(NOW_MS + 20 * SECOND_MS) / 1_000})
          where id = (select max(id) from contacts where campaign_id = ${id}::uuid)`,
    );
    expect(await plan(ledger(), id)).toMatchObject({ heldSlots: 1, waitMs: PACE.busyLookMs });
  });

  describe("beside calls that were placed one by one", () => {
    /** `placed` people in London whose calls go first, and others who do not, all of them due. */
    const beside = async (placed: number, others: number, changes: Partial<CampaignSpecInput>) => {
      const phones = freshPhones(placed + others);
      const list = phones.map((phone, at) =>
        contact(phone, at + 2, at < placed ? { zones: LONDON, strictZones: LONDON } : {}),
      );
      const id = await running(ledger(), list, { ...FINAL, ...changes });
      await rows(
        ledger().db,
        sql`update lanes set priority = ${PLACEMENT_PRIORITY}
            where campaign_id = ${id}::uuid
              and zone_set_id in (select id from zone_sets where zones = array['Europe/London'])`,
      );
      return id;
    };

    it("wait for slots that are worth a batch, and are said to", async () => {
      const id = await beside(2, 200, { concurrency: 100, canary: 98 });
      // All but two slots, by whoever was first; then only the two whose calls were placed are taken.
      await rows(
        ledger().db,
        sql`update contacts set due_at = to_timestamp(${(NOW_MS + SECOND_MS) / 1_000})
            where campaign_id = ${id}::uuid and lane_id in
              (select id from lanes where campaign_id = ${id}::uuid and priority = ${PLACEMENT_PRIORITY})`,
      );
      expect(await plan(ledger(), id)).toMatchObject({ heldSlots: 98 });
      await rows(ledger().db, sql`update campaigns set canary = 'approved' where id = ${id}::uuid`);
      expect(await plan(ledger(), id, NOW_MS + SECOND_MS)).toMatchObject({ heldSlots: 100 });
      expect(await campaignOf(id)).toMatchObject({ starved: true });
      expect(await reasonsOf(id)).toEqual(["slots"]);
    });

    it("are gathered no longer where one of those is due, too", async () => {
      const id = await beside(1, 2, {});
      const count = (attempts: number) =>
        rows(ledger().db, sql`update campaigns set attempt_count = ${attempts} where id = ${id}::uuid`);
      // Whoever is due by now is taken for somebody who is called again.
      await count(1);
      const planned = await plan(ledger(), id, NOW_MS, { pace: { gatherMs: 30 * SECOND_MS } });
      expect(planned).toMatchObject({ heldSlots: 3 });
      await count(0);
    });
  });
});
