import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { PLACEMENT_PRIORITY } from "../../../src/domain/campaigns/list-order.ts";
import {
  countDue,
  dueContacts,
  isUrgent,
  openLanes,
  readLanes,
} from "../../../src/ledger/campaigns/planning-lanes.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import { planningOf } from "../support/planning-of.ts";
import {
  contact,
  contactsOf,
  freshPhones,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  PACE,
  running,
  SECOND_MS,
} from "../support/scenario.ts";

const ZONES = ["America/New_York", "America/Chicago", "America/Denver"];
/** 08:00 in New York: it opens at nine, and Chicago and Denver an hour and two later. */
const OFFICE_HOURS = { weekdays: ["09:00-18:00"] };

describeLedgers("lanes of a campaign", (ledger) => {
  /** So many people in each of the zones. */
  const inZones = (each: number, zones: readonly string[], changes = {}) =>
    running(
      ledger(),
      zones.flatMap((zone, at) =>
        freshPhones(each).map((phone, index) => contact(phone, at * each + index + 2, { zones: [zone] })),
      ),
      changes,
    );
  const dueAt = (id: string, zone: string, dueMs: number) =>
    rows(
      ledger().db,
      sql`update contacts set due_at = ${new Date(dueMs).toISOString()}::timestamptz where campaign_id = ${id}::uuid
            and lane_id in (select l.id from lanes l join zone_sets z on z.id = l.zone_set_id where z.zones = array[${zone}])`,
    );
  const open = async (id: string, nowMs: number, changes = {}) => {
    const planning = { ...(await planningOf(ledger().db, id)), nowMs, ...changes };
    const lanes = await openLanes(planning, await readLanes(ledger().db, id));
    return { planning, zones: lanes.flatMap((lane) => lane.zones).toSorted() };
  };

  describe("that never open any more", () => {
    it("are ended as far as one planning may, over all of them, and the next one follows at once", async () => {
      const endsMs = NOW_MS + HOUR_MS;
      const id = await inZones(2, ZONES, { ends_at: new Date(endsMs).toISOString() });
      const first = await open(id, endsMs, { excludable: 3 });
      expect(first.zones).toEqual([]);
      expect(first.planning).toMatchObject({ excludable: 0, looksMs: [endsMs, endsMs] });
      expect(first.planning.campaign.tallies).toMatchObject({ open: 3, excluded: 3 });
      expect((await contactsOf(ledger(), id)).filter(({ reason }) => reason === "after_end")).toHaveLength(3);
      const second = await open(id, endsMs, { excludable: 9 });
      expect(second.planning).toMatchObject({ excludable: 6, looksMs: [] });
      await expectInvariants(ledger());
    });
  });

  describe("that are closed", () => {
    it("say until when, zone by zone, and are looked at when they open", async () => {
      const id = await inZones(1, ZONES, { window: OFFICE_HOURS });
      const { planning, zones } = await open(id, NOW_MS);
      expect(zones).toEqual([]);
      expect(planning.looksMs.toSorted((a, b) => a - b)).toEqual(
        [1, 2, 3].map((hours) => NOW_MS + hours * HOUR_MS),
      );
      expect(planning.holds.map(({ reason, zoneSetId }) => [reason, zoneSetId !== undefined])).toEqual(
        ZONES.map(() => ["window", true]),
      );
      const later = await open(id, NOW_MS + HOUR_MS);
      expect(later.zones).toEqual(["America/New_York"]);
      expect(later.planning.holds).toHaveLength(2);
    });

    it("say nothing where nobody in them is due before, and are looked at when somebody is", async () => {
      const id = await inZones(1, ZONES.slice(0, 1), { window: OFFICE_HOURS });
      await dueAt(id, "America/New_York", NOW_MS + 3 * HOUR_MS);
      expect((await open(id, NOW_MS)).planning).toMatchObject({ holds: [], looksMs: [NOW_MS + 3 * HOUR_MS] });
    });

    it("or open, are nothing to wait for where all in them are held", async () => {
      const id = await inZones(1, ZONES.slice(0, 1), { window: OFFICE_HOURS });
      const lanes = (await readLanes(ledger().db, id)).map((lane) => ({ ...lane, firstDueMs: undefined }));
      for (const nowMs of [NOW_MS, NOW_MS + 4 * HOUR_MS]) {
        const planning = { ...(await planningOf(ledger().db, id)), nowMs };
        expect(await openLanes(planning, lanes)).toEqual([]);
        expect(planning).toMatchObject({ holds: [], looksMs: [] });
      }
    });

    it("hold the whole campaign for what is not of their zones", async () => {
      const startsMs = NOW_MS + HOUR_MS;
      const id = await inZones(1, ZONES.slice(0, 1), { starts_at: new Date(startsMs).toISOString() });
      const { planning } = await open(id, NOW_MS);
      expect(planning.holds).toMatchObject([{ reason: "before_start", zoneSetId: undefined }]);
      expect(planning.looksMs).toEqual([startsMs]);
    });
  });

  it("that are open for no call any more say so, to the last call that fits", async () => {
    const id = await inZones(1, ZONES.slice(0, 1), { window: OFFICE_HOURS });
    const closesMs = Date.UTC(2026, 5, 1, 22);
    const lastMs = closesMs - PACE.dialByMarginMs - PACE.minLeadMs;
    expect((await open(id, lastMs)).zones).toEqual(["America/New_York"]);
    const { planning, zones } = await open(id, lastMs + 1);
    expect(zones).toEqual([]);
    expect(planning.looksMs).toEqual([closesMs]);
    expect(planning.holds).toMatchObject([
      { reason: "window", detail: "closes too soon for a call to begin" },
    ]);
  });

  it.each<[string, Partial<CampaignSpecInput>, object]>([
    [
      "those who take transferred calls",
      { transfers: { hours: { weekdays: ["10:00-18:00"] }, timezone: "America/New_York" } },
      {
        reason: "transfer_closed",
        detail: "those who take transferred calls go too soon for a call to begin",
        zoneSetId: undefined,
      },
    ],
    [
      "the campaign's end",
      { ends_at: "2026-06-01T22:00:00Z" },
      { reason: "after_end", detail: "the campaign ends too soon for a call to begin", zoneSetId: undefined },
    ],
  ])(
    "that are open for no call any more for the sake of %s say that, and nothing of a window",
    async (_what, changes, hold) => {
      const id = await inZones(1, ZONES.slice(0, 1), { window: "always", ...changes });
      const endsMs = Date.UTC(2026, 5, 1, 22);
      const { planning, zones } = await open(id, endsMs - PACE.dialByMarginMs);
      expect(zones).toEqual([]);
      expect(planning.looksMs).toEqual([endsMs]);
      expect(planning.holds).toEqual([hold]);
    },
  );

  it("that are open are looked at when the first in them is due", async () => {
    const id = await inZones(1, ZONES.slice(0, 2));
    await dueAt(id, "America/New_York", NOW_MS + 5 * SECOND_MS);
    const { planning, zones } = await open(id, NOW_MS);
    expect(zones).toEqual(["America/Chicago"]);
    expect(planning).toMatchObject({ holds: [], looksMs: [NOW_MS + 5 * SECOND_MS] });
    expect((await open(id, NOW_MS + 5 * SECOND_MS)).zones).toHaveLength(2);
  });

  it("are read as deep as it takes: all who are wanted may be in one of many", async () => {
    const id = await inZones(1, ZONES);
    const [lane = { id: 0 }, ...others] = await readLanes(ledger().db, id);
    const made = freshPhones(60);
    await rows(
      ledger().db,
      sql`insert into contacts (campaign_id, line, phone, lane_id, variables, state, due_at)
          select ${id}::uuid, 100 + n, p.phone, ${lane.id}, '{}', 'open',
            ${new Date(NOW_MS - HOUR_MS).toISOString()}::timestamptz + make_interval(secs => n)
          from unnest(${`{${made.join(",")}}`}::text[]) with ordinality as p(phone, n)`,
    );
    const lanes = (await readLanes(ledger().db, id)).map((one) => ({ ...one, firstDueMs: NOW_MS - HOUR_MS }));
    const phonesOf = async (limit: number, newestFirst = false) => {
      const ids = await dueContacts(ledger().db, lanes, { limit, newestFirst, nowMs: NOW_MS });
      const found = await rows<{ id: number; phone: string }>(
        ledger().db,
        sql`select id, phone from contacts where campaign_id = ${id}::uuid`,
      );
      const byId = new Map(found.map((one) => [one.id, one.phone]));
      return ids.map((one) => byId.get(one));
    };
    expect(await phonesOf(50)).toEqual(made.slice(0, 50));
    expect(await phonesOf(5)).toEqual(made.slice(0, 5));
    expect(await phonesOf(1_000)).toHaveLength(63);
    // The three that came with the list are due now.
    expect((await phonesOf(10, true)).slice(3)).toEqual(made.toReversed().slice(0, 7));
    expect(others).toHaveLength(2);
    expect(await countDue(ledger().db, lanes, 1_000, NOW_MS)).toBe(63);
    expect(await countDue(ledger().db, lanes, 20, NOW_MS)).toBe(20);
    expect(await countDue(ledger().db, lanes.slice(1), 20, NOW_MS)).toBeLessThan(20);
    expect(await countDue(ledger().db, lanes, 1_000, NOW_MS - HOUR_MS + MINUTE_MS)).toBe(60);
    expect(await countDue(ledger().db, lanes, 0, NOW_MS)).toBe(0);
    expect(await countDue(ledger().db, lanes, -1, NOW_MS)).toBe(0);
  });

  it("are urgent from the priority of calls that are placed one by one on", () => {
    const lane = { id: 1, zoneSetId: 1, zones: [], places: [], firstDueMs: undefined };
    expect(
      [PLACEMENT_PRIORITY - 1, PLACEMENT_PRIORITY].map((priority) => isUrgent({ ...lane, priority })),
    ).toEqual([false, true]);
  });
});
