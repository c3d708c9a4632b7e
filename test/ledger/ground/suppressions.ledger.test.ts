import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { findBatchesDialing, stopBatchesDialing } from "../../../src/ledger/campaigns/batches.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { readContactFacts } from "../../../src/ledger/campaigns/contact-facts.ts";
import {
  addSuppressions,
  listInForce,
  listSuppressions,
  removeSuppression,
  type NewSuppression,
} from "../../../src/ledger/ground/suppressions.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  batchOf,
  create,
  DAY_MS,
  freshPhones,
  HOUR_MS,
  NOW_MS,
  permit,
  plan,
  planAndStart,
  running,
  tallies,
} from "../support/scenario.ts";

type Entry = Partial<NewSuppression> & { phone: string };

function add(ledger: Ledger, entries: readonly Entry[], nowMs = NOW_MS): Promise<number> {
  return ledger.transaction((tx) =>
    addSuppressions(tx, {
      entries: entries.map((entry) => ({ brand: undefined, source: "test", reason: "asked", ...entry })),
      actor: "test",
      nowMs,
    }),
  );
}

async function remove(
  ledger: Ledger,
  phone: string,
  brand: string | undefined,
  nowMs = NOW_MS,
): Promise<boolean> {
  const input = { phone, brand, reason: "mistake", actor: "test", nowMs };
  return (await ledger.transaction((tx) => removeSuppression(tx, input))).length > 0;
}

/** What the policy gate is told of a number, for a brand at a moment. */
async function suppressionOf(ledger: Ledger, phone: string, brand: string, nowMs = NOW_MS) {
  const id = await running(ledger, [], { brand });
  const [row] = await rows<{ id: number }>(
    ledger.db,
    sql`with lane as (insert into lanes (campaign_id, zone_set_id, priority)
          select ${id}::uuid, id, 0 from zone_sets order by id limit 1 returning id)
        insert into contacts (campaign_id, phone, lane_id, variables, state, due_at)
        select ${id}::uuid, ${phone}, id, '{}', 'open', now() from lane returning id`,
  );
  const [known] = await readContactFacts(ledger.db, {
    contactIds: [given(row).id],
    brand,
    policy: { notCalledWithinMs: undefined, leastGapMs: 0, frequency: [] },
    nowMs,
  });
  return given(known).facts.suppression;
}

const rowsOf = (ledger: Ledger, phone: string) =>
  rows<{ brand: string | null; reason: string; removed_reason: string | null; expires_ms: number | null }>(
    ledger.db,
    sql`select brand, reason, removed_reason, round(extract(epoch from expires_at) * 1000)::float8 as expires_ms
        from suppressions where phone = ${phone} order by id`,
  );

describeLedgers("suppressions", (ledger) => {
  describe("scope", () => {
    it("a brand's is for that brand, a global one for all", async () => {
      await running(ledger(), freshPhones(1));
      const [brands, all] = freshPhones(2) as [string, string];
      await add(ledger(), [
        { phone: brands, brand: "acme", source: "call" },
        { phone: all, source: "dnc" },
      ]);
      expect(await suppressionOf(ledger(), brands, "acme")).toEqual({
        scope: "brand",
        source: "call",
        reason: "asked",
      });
      expect(await suppressionOf(ledger(), brands, "another")).toBeUndefined();
      expect(await suppressionOf(ledger(), all, "acme")).toEqual({
        scope: "global",
        source: "dnc",
        reason: "asked",
      });
      expect(await suppressionOf(ledger(), all, "another")).toMatchObject({ scope: "global" });
    });

    it("of two, the global one is named", async () => {
      const [phone] = freshPhones(1) as [string];
      await add(ledger(), [{ phone, brand: "acme", reason: "one" }]);
      await add(ledger(), [{ phone, reason: "two" }]);
      expect(await suppressionOf(ledger(), phone, "acme")).toMatchObject({ scope: "global", reason: "two" });
    });
  });

  describe("term", () => {
    it("that was over before the number was suppressed again stays one of its own", async () => {
      const [phone] = freshPhones(1) as [string];
      await add(ledger(), [{ phone, reason: "for an hour", expiresAtMs: NOW_MS + HOUR_MS }]);
      expect(await add(ledger(), [{ phone, reason: "for good" }], NOW_MS + 3 * HOUR_MS)).toBe(1);
      const found = await rows<{
        reason: string;
        removed_ms: number | null;
        removed_by: string | null;
        added_by: string | null;
      }>(
        ledger().db,
        sql`select reason, round(extract(epoch from removed_at) * 1000)::float8 as removed_ms, removed_by, added_by
            from suppressions where phone = ${phone} order by id`,
      );
      expect(found).toEqual([
        { reason: "for an hour", removed_ms: NOW_MS + HOUR_MS, removed_by: "engine", added_by: "test" },
        { reason: "for good", removed_ms: null, removed_by: null, added_by: "test" },
      ]);
    });

    it("ends at its moment, not before", async () => {
      const [phone] = freshPhones(1) as [string];
      await add(ledger(), [{ phone, expiresAtMs: NOW_MS + HOUR_MS }]);
      expect(await suppressionOf(ledger(), phone, "acme", NOW_MS + HOUR_MS - 1)).toBeDefined();
      expect(await suppressionOf(ledger(), phone, "acme", NOW_MS + HOUR_MS)).toBeUndefined();
    });

    it.each([
      ["a longer one", NOW_MS + HOUR_MS, NOW_MS + DAY_MS, NOW_MS + DAY_MS],
      ["an endless one", NOW_MS + HOUR_MS, undefined, null],
    ])("%s replaces a shorter one, in whichever order they come", async (_name, short, long, kept) => {
      for (const [first, second] of [
        [short, long],
        [long, short],
      ]) {
        const [phone] = freshPhones(1) as [string];
        const term = (expiresAtMs: number | undefined) => (expiresAtMs === undefined ? {} : { expiresAtMs });
        expect(await add(ledger(), [{ phone, ...term(first) }])).toBe(1);
        expect(await add(ledger(), [{ phone, ...term(second) }], NOW_MS + 1_000)).toBe(0);
        const inForce = (await rowsOf(ledger(), phone)).filter((row) => row.removed_reason === null);
        expect(inForce).toMatchObject([{ expires_ms: kept }]);
        const [other] = freshPhones(1) as [string];
        await add(ledger(), [
          { phone: other, ...term(first) },
          { phone: other, ...term(second) },
        ]);
        expect(await rowsOf(ledger(), other)).toMatchObject([{ expires_ms: kept }]);
      }
    });

    it("of another that is longer is told with its own reason, and the shorter one stands beside it", async () => {
      const [phone] = freshPhones(1) as [string];
      await add(ledger(), [{ phone, reason: "on holiday", expiresAtMs: NOW_MS + DAY_MS }]);
      await add(ledger(), [{ phone, source: "call", reason: "opted out" }], NOW_MS + HOUR_MS);
      expect(await rowsOf(ledger(), phone)).toMatchObject([
        {
          reason: "on holiday",
          expires_ms: NOW_MS + DAY_MS,
          removed_reason: null,
        },
        { reason: "opted out", expires_ms: null, removed_reason: null },
      ]);
      expect(await suppressionOf(ledger(), phone, "acme", NOW_MS + HOUR_MS)).toMatchObject({
        source: "call",
        reason: "opted out",
      });
    });

    it("may be prolonged again and again within one moment", async () => {
      const [phone] = freshPhones(1) as [string];
      for (const hours of [1, 2, 3, 4])
        await add(ledger(), [{ phone, expiresAtMs: NOW_MS + hours * HOUR_MS }]);
      for (let times = 0; times < 3; times += 1) {
        expect(await remove(ledger(), phone, undefined)).toBe(true);
        expect(await add(ledger(), [{ phone }])).toBe(1);
      }
    });

    it("of one that has run out is taken up again by adding the number anew", async () => {
      const [phone] = freshPhones(1) as [string];
      await add(ledger(), [{ phone, expiresAtMs: NOW_MS - HOUR_MS }], NOW_MS - DAY_MS);
      expect(await suppressionOf(ledger(), phone, "acme")).toBeUndefined();
      await add(ledger(), [{ phone }]);
      expect(await suppressionOf(ledger(), phone, "acme")).toBeDefined();
    });
  });

  describe("adding", () => {
    it("counts who was not suppressed before, and keeps what was said first", async () => {
      const phones = freshPhones(3);
      expect(
        await add(
          ledger(),
          phones.map((phone) => ({ phone })),
        ),
      ).toBe(3);
      const again = [...phones, ...freshPhones(1)].map((phone) => ({ phone, reason: "again" }));
      expect(await add(ledger(), again, NOW_MS + 1_000)).toBe(1);
      expect(await rowsOf(ledger(), given(phones[0]))).toMatchObject([{ reason: "asked" }]);
      expect(await add(ledger(), [])).toBe(0);
    });

    it("writes down who did it", async () => {
      await add(ledger(), [{ phone: given(freshPhones(1)[0]), source: "audit-test" }]);
      const [entry] = await rows<{ actor: string; detail: object }>(
        ledger().db,
        sql`select actor, detail from audit where action = 'suppression.add' and detail ->> 'source' = 'audit-test'`,
      );
      expect(entry).toEqual({ actor: "test", detail: { numbers: 1, fresh: 1, source: "audit-test" } });
    });
  });

  describe("a person's own word", () => {
    const SERVICE = { saidBy: "service", source: "scrub carrier", reason: "register" } as const;
    const LIST = { saidBy: "list", source: "list:dnc.csv", reason: "on the list dnc.csv" } as const;
    const CALL = { source: "call", reason: "opted out" } as const;

    it.each([
      ["a scrubbing service's, which ends", { ...SERVICE, expiresAtMs: NOW_MS + HOUR_MS }],
      ["a list's", LIST],
    ])("is told before %s, whichever came first, and stands when that is over", async (_name, other) => {
      for (const isFirst of [true, false]) {
        const [phone] = freshPhones(1) as [string];
        const said = [
          { phone, ...other },
          { phone, ...CALL },
        ];
        const [first, second] = isFirst ? said : said.toReversed();
        expect(await add(ledger(), [given(first)])).toBe(1);
        expect(await add(ledger(), [given(second)], NOW_MS + 1)).toBe(0);
        expect(await suppressionOf(ledger(), phone, "acme", NOW_MS + 1)).toMatchObject(CALL);
        // What it says next ends no later than it is told, and lengthens nobody's word but its own.
        await add(ledger(), [{ phone, ...SERVICE, expiresAtMs: NOW_MS + 2 * HOUR_MS }], NOW_MS + HOUR_MS);
        expect(await suppressionOf(ledger(), phone, "acme", NOW_MS + HOUR_MS)).toMatchObject(CALL);
        expect(await suppressionOf(ledger(), phone, "acme", NOW_MS + 9 * DAY_MS)).toMatchObject(CALL);
      }
    });

    it("is told before a wider word of a list", async () => {
      const [phone] = freshPhones(1) as [string];
      await add(ledger(), [
        { phone, ...LIST },
        { phone, brand: "acme", ...CALL },
      ]);
      expect(await suppressionOf(ledger(), phone, "acme")).toEqual({ scope: "brand", ...CALL });
      expect(await suppressionOf(ledger(), phone, "another")).toMatchObject({ scope: "global" });
      const listed = await listInForce(ledger().db, { phone, brand: "acme", nowMs: NOW_MS });
      expect(listed.map(({ saidBy }) => saidBy)).toEqual(["person", "list"]);
    });

    it("stands beside what somebody else wrote down for them, and when that is taken back", async () => {
      const [phone] = freshPhones(1) as [string];
      const API = { source: "api", reason: "complained by mail, to be looked into" };
      await add(ledger(), [{ phone, ...API }]);
      expect(await add(ledger(), [{ phone, ...CALL }], NOW_MS + DAY_MS)).toBe(0);
      const taken = { phone, brand: undefined, source: "api", reason: "none of ours", actor: "test" };
      expect(
        await ledger().transaction((tx) => removeSuppression(tx, { ...taken, nowMs: NOW_MS + 2 * DAY_MS })),
      ).toMatchObject([API]);
      expect(await suppressionOf(ledger(), phone, "acme", NOW_MS + 2 * DAY_MS)).toMatchObject(CALL);
    });

    it("of two lists each stands for itself; what was over is not told as taken back", async () => {
      const [phone] = freshPhones(1) as [string];
      const OTHER = { ...LIST, source: "list:other.csv" };
      await add(ledger(), [
        { phone, ...LIST },
        { phone, ...OTHER, expiresAtMs: NOW_MS + HOUR_MS },
      ]);
      expect(await rowsOf(ledger(), phone)).toHaveLength(2);
      const taken = { phone, brand: undefined, reason: "mistake", actor: "test", nowMs: NOW_MS + DAY_MS };
      expect(await ledger().transaction((tx) => removeSuppression(tx, taken))).toMatchObject([LIST]);
      expect(await suppressionOf(ledger(), phone, "acme", NOW_MS + DAY_MS)).toBeUndefined();
    });

    it("stays where what a list said is taken back by its source, and goes where all is taken back", async () => {
      const [phone] = freshPhones(1) as [string];
      await add(ledger(), [
        { phone, ...LIST },
        { phone, ...CALL },
      ]);
      const take = (source?: string) =>
        ledger().transaction((tx) =>
          removeSuppression(tx, {
            phone,
            brand: undefined,
            source,
            reason: "mistake",
            actor: "test",
            nowMs: NOW_MS,
          }),
        );
      expect(await take("list:another.csv")).toEqual([]);
      expect(await take(LIST.source)).toEqual([LIST]);
      expect(await suppressionOf(ledger(), phone, "acme")).toMatchObject(CALL);
      await add(ledger(), [{ phone, ...LIST }]);
      expect(await take()).toHaveLength(2);
      expect(await suppressionOf(ledger(), phone, "acme")).toBeUndefined();
    });
  });

  describe("taking back", () => {
    it("keeps the row with both reasons, and the number can be suppressed anew", async () => {
      const [phone] = freshPhones(1) as [string];
      await add(ledger(), [{ phone, brand: "acme" }]);
      expect(await remove(ledger(), phone, undefined)).toBe(false);
      expect(await remove(ledger(), phone, "acme")).toBe(true);
      expect(await remove(ledger(), phone, "acme")).toBe(false);
      expect(await suppressionOf(ledger(), phone, "acme")).toBeUndefined();
      expect(await add(ledger(), [{ phone, brand: "acme", reason: "again" }], NOW_MS + 1)).toBe(1);
      expect(await remove(ledger(), phone, "acme", NOW_MS + 2)).toBe(true);
      expect(await rowsOf(ledger(), phone)).toMatchObject([
        { reason: "asked", removed_reason: "mistake" },
        { reason: "again", removed_reason: "mistake" },
      ]);
    });

    it("of the brand's leaves the global one", async () => {
      const [phone] = freshPhones(1) as [string];
      await add(ledger(), [{ phone, brand: "acme" }, { phone }]);
      await remove(ledger(), phone, "acme");
      expect(await suppressionOf(ledger(), phone, "acme")).toMatchObject({ scope: "global" });
    });
  });

  describe("listing", () => {
    it("goes page by page through those that were not taken back", async () => {
      const phones = freshPhones(5);
      await add(
        ledger(),
        phones.map((phone) => ({ phone, brand: "pages" })),
      );
      await remove(ledger(), given(phones[1]), "pages");
      const found: string[] = [];
      let afterId: number | undefined;
      for (;;) {
        const page = await listSuppressions(ledger().db, {
          brand: "pages",
          limit: 2,
          ...(afterId !== undefined && { afterId }),
        });
        const last = page.items.at(-1);
        if (!last) break;
        found.push(...page.items.filter((one) => one.brand === "pages").map((one) => one.phone));
        afterId = last.id;
      }
      expect(found).toEqual(phones.filter((_phone, index) => index !== 1));
    });

    it("finds one number in all its scopes", async () => {
      const [phone] = freshPhones(1) as [string];
      await add(ledger(), [{ phone, brand: "acme" }, { phone }, { phone, brand: "another" }]);
      const all = await listSuppressions(ledger().db, { phone, limit: 10 });
      expect([all.total, all.items.map((one) => one.brand)]).toEqual([
        3,
        expect.arrayContaining(["acme", "another", undefined]),
      ]);
      const acme = await listSuppressions(ledger().db, { phone, brand: "acme", limit: 10 });
      expect(acme.items.map((one) => one.brand)).toEqual(expect.arrayContaining(["acme", undefined]));
      expect(acme.total).toBe(2);
    });
  });

  describe("batches that dial a number at that moment", () => {
    it("are asked to stop: those under way, and those that have not begun give their people back", async () => {
      const phones = freshPhones(2) as [string, string];
      const begun = await running(ledger(), [phones[0], ...freshPhones(2)], { brand: "acme" });
      const planned = await running(ledger(), [phones[1], ...freshPhones(2)], { brand: "acme" });
      const [first] = await planAndStart(ledger(), begun);
      const { batchIds } = await plan(ledger(), planned);
      const second = given(batchIds[0]);
      await create(ledger(), second);
      await add(
        ledger(),
        phones.map((phone) => ({ phone, brand: "acme" })),
      );
      const stopped = await stopBatchesDialing(ledger(), { phones, brand: "acme", nowMs: NOW_MS });
      expect(new Set(stopped)).toEqual(new Set([first, second]));
      expect(await batchOf(ledger(), first)).toMatchObject({ state: "running", stopReason: "suppression" });
      expect(await batchOf(ledger(), second)).toMatchObject({ state: "draining", stopReason: "suppression" });
      expect(await permit(ledger(), second)).toMatchObject({ kind: "elsewhere" });
      expect((await plan(ledger(), planned)).tallies).toMatchObject({ excluded: 1, leased: 2 });
    });

    it("of another brand go on, unless the suppression is for all", async () => {
      const [phone] = freshPhones(1) as [string];
      const id = await running(ledger(), [phone], { brand: "acme" });
      const [batchId] = await planAndStart(ledger(), id);
      expect(await findBatchesDialing(ledger().db, [phone], "another")).toEqual(new Map());
      expect(
        await stopBatchesDialing(ledger(), { phones: [phone], brand: "another", nowMs: NOW_MS }),
      ).toEqual([]);
      expect(await findBatchesDialing(ledger().db, [phone], undefined)).toEqual(new Map([[id, [batchId]]]));
      expect(
        await stopBatchesDialing(ledger(), { phones: [phone], brand: undefined, nowMs: NOW_MS }),
      ).toEqual([batchId]);
      expect(await tallies(ledger(), id)).toMatchObject({ leased: 1 });
    });
  });
});
