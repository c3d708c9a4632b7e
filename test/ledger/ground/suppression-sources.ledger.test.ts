import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { bindToLists, declareSource, dropSource, renew } from "../../../src/ledger/campaigns/renewing.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { readContactFacts } from "../../../src/ledger/campaigns/contact-facts.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import {
  beginLoad,
  giveUpLoad,
  listingsOf,
  listLoads,
  loadChunk,
  takeLoad,
  type Loading,
} from "../../../src/ledger/ground/listed-numbers.ts";
import {
  listSources,
  readSourcesInScope,
  readSource,
  watchAges,
} from "../../../src/ledger/ground/suppression-sources.ts";
import { addSuppressions, suppressedAmong } from "../../../src/ledger/ground/suppressions.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  batchOf,
  contactsOf,
  create,
  DAY_MS,
  ended,
  freshPhones,
  holdsOf,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  PACE,
  permit,
  plan,
  planAndStart,
  running,
} from "../support/scenario.ts";

let given_ = 0;
/** Lists bind all that runs: each test has a brand and a source of its own. */
const fresh = () => {
  given_ += 1;
  return { brand: `listed-${given_}`, name: `source-${given_}` };
};

const put = (
  ledger: Ledger,
  { name, brand, maxAgeMs }: { name: string; brand?: string | undefined; maxAgeMs?: number },
  nowMs = NOW_MS,
) =>
  declareSource(ledger, {
    name,
    brand,
    maxAgeMs,
    type: "do_not_call",
    actor: "test",
    dialByMarginMs: PACE.dialByMarginMs,
    nowMs,
  });

function begin(ledger: Ledger, name: string, nowMs = NOW_MS): Promise<Loading> {
  return beginLoad(ledger, {
    name,
    sourceName: "list.csv",
    digest: "0",
    asOfMs: nowMs,
    allowOlder: false,
    actor: "test",
    nowMs,
  });
}

async function replace(
  ledger: Ledger,
  name: string,
  phones: readonly string[],
  {
    nowMs = NOW_MS,
    allowShrink = false,
    chunk = 2,
  }: { nowMs?: number; allowShrink?: boolean; chunk?: number } = {},
) {
  const loading = await begin(ledger, name, nowMs);
  for (let from = 0; from < phones.length; from += chunk)
    await loadChunk(ledger, loading, phones.slice(from, from + chunk));
  return renew(ledger, { loading, allowShrink, actor: "test", nowMs });
}

const listed = async (ledger: Ledger, brand: string, phones: readonly string[], nowMs = NOW_MS) => {
  const found = await suppressedAmong(ledger.db, { phones, brand, nowMs });
  return phones.filter((phone) => found.has(phone));
};

const rowsOf = (ledger: Ledger, phone: string) =>
  rows<{ from_generation: number; through_generation: number }>(
    ledger.db,
    sql`select from_generation, through_generation from listed_numbers where phone = ${phone} order by from_generation`,
  );

describeLedgers("sources of suppressions", (ledger) => {
  describe("a list that replaces another", () => {
    it("is in force as a whole, at once, and says what it changed", async () => {
      const { brand, name } = fresh();
      await put(ledger(), { name, brand });
      const phones = freshPhones(6);
      const first = phones.slice(0, 4);
      expect((await replace(ledger(), name, [...first, ...first])).taken).toMatchObject({
        kind: "taken",
        load: { added: 4, kept: 0, removed: 0 },
        source: { numbers: 4, renewedAtMs: NOW_MS },
      });
      const loading = await begin(ledger(), name);
      for (const phone of phones.slice(1)) {
        await loadChunk(ledger(), loading, [phone, phone]);
        // The old list is in force until the new one is taken.
        expect(await listed(ledger(), brand, phones)).toEqual(first);
      }
      const { taken } = await renew(ledger(), { loading, allowShrink: false, actor: "test", nowMs: NOW_MS });
      expect(taken).toMatchObject({ load: { added: 2, kept: 3, removed: 1 }, source: { numbers: 5 } });
      expect(await listed(ledger(), brand, phones)).toEqual(phones.slice(1));
      // Of who went, it is kept that they were there, and of who comes back, both times.
      expect(await rowsOf(ledger(), given(phones[0]))).toEqual([
        { from_generation: 1, through_generation: 1 },
      ]);
      await replace(ledger(), name, phones);
      expect(await rowsOf(ledger(), given(phones[0]))).toEqual([
        { from_generation: 1, through_generation: 1 },
        { from_generation: 3, through_generation: 3 },
      ]);
      expect(await listed(ledger(), brand, phones)).toEqual(phones);
      const source = given(await readSource(ledger().db, name));
      expect(
        (await listLoads(ledger().db, source.id, 10)).map(({ state, removed }) => [state, removed]),
      ).toEqual([
        ["taken", 0],
        ["taken", 1],
        ["taken", 0],
      ]);
    });

    it("that is given up, or overtaken, leaves the one in force, and the next one is exact", async () => {
      const { brand, name } = fresh();
      await put(ledger(), { name, brand });
      const phones = freshPhones(5);
      await replace(ledger(), name, phones.slice(0, 3));
      const cut = await begin(ledger(), name);
      await loadChunk(ledger(), cut, [given(phones[0]), given(phones[4])]);
      await giveUpLoad(ledger().db, cut, NOW_MS);
      expect(await listed(ledger(), brand, phones)).toEqual(phones.slice(0, 3));
      const older = await begin(ledger(), name);
      await loadChunk(ledger(), older, [given(phones[3])]);
      const newer = await begin(ledger(), name);
      await expect(loadChunk(ledger(), older, [given(phones[2])])).rejects.toThrow(/sent meanwhile/);
      await expect(
        renew(ledger(), { loading: older, allowShrink: true, actor: "test", nowMs: NOW_MS }),
      ).rejects.toThrow(CommandRefusedError);
      await loadChunk(ledger(), newer, phones.slice(1, 4));
      const { taken } = await renew(ledger(), {
        loading: newer,
        allowShrink: false,
        actor: "test",
        nowMs: NOW_MS,
      });
      expect(taken).toMatchObject({ load: { added: 1, kept: 2, removed: 1 }, source: { numbers: 3 } });
      expect(await listed(ledger(), brand, phones)).toEqual(phones.slice(1, 4));
      // What the two had put down is gone, and was never in force.
      expect(await rowsOf(ledger(), given(phones[4]))).toEqual([]);
    });

    it("that is empty, or lost more than half, is taken only where that is meant", async () => {
      const { brand, name } = fresh();
      await put(ledger(), { name, brand });
      const phones = freshPhones(4);
      expect((await replace(ledger(), name, [])).taken).toEqual({
        kind: "shrinks",
        shrinkage: { numbers: 0, removed: 0 },
      });
      expect((await readSource(ledger().db, name))?.renewedAtMs).toBeUndefined();
      await replace(ledger(), name, phones);
      const less = await replace(ledger(), name, phones.slice(0, 1), { nowMs: NOW_MS + DAY_MS });
      expect(less.taken).toEqual({ kind: "shrinks", shrinkage: { numbers: 1, removed: 3 } });
      expect(await listed(ledger(), brand, phones)).toEqual(phones);
      expect((await readSource(ledger().db, name))?.renewedAtMs).toBe(NOW_MS);
      expect((await replace(ledger(), name, phones.slice(0, 2))).taken).toMatchObject({
        load: { removed: 2 },
      });
      expect((await replace(ledger(), name, [], { allowShrink: true })).taken).toMatchObject({
        source: { numbers: 0 },
      });
      expect(await listed(ledger(), brand, phones)).toEqual([]);
    });

    it("that is older than the one in force, or than one on its way, takes nobody off unless that is meant", async () => {
      const { brand, name } = fresh();
      await put(ledger(), { name, brand });
      const [both, newer] = freshPhones(2) as [string, string];
      const sent = (digest: string, asOfMs: number | undefined, nowMs: number, allowOlder = false) =>
        beginLoad(ledger(), {
          name,
          sourceName: "list.csv",
          digest,
          asOfMs,
          allowOlder,
          actor: "test",
          nowMs,
        });
      const take = async (loading: Loading, phones: readonly string[]) => {
        await loadChunk(ledger(), loading, phones);
        return renew(ledger(), { loading, allowShrink: false, actor: "test", nowMs: NOW_MS + 3 * DAY_MS });
      };
      const [monday, tuesday, wednesday] = [NOW_MS, NOW_MS + DAY_MS, NOW_MS + 2 * DAY_MS];
      await giveUpLoad(ledger().db, await sent("monday", undefined, monday), monday);
      const loading = await sent("tuesday", tuesday, tuesday);
      await expect(sent("monday", monday, tuesday)).rejects.toThrow(/on its way.*--allow-older/);
      // What is refused keeps nobody from sending the newer one.
      await take(loading, [both, newer]);
      await expect(sent("monday", monday, wednesday)).rejects.toThrow(/in force.*--allow-older/);
      await expect(sent("monday", undefined, wednesday)).rejects.toThrow(/came to the source.*--as-of/);
      expect(await listed(ledger(), brand, [both, newer])).toEqual([both, newer]);
      const again = await take(await sent("tuesday", undefined, tuesday + 1), [both, newer]);
      expect(again.taken).toMatchObject({ kind: "taken", load: { kept: 2 } });
      // The clock of whoever takes it may be behind that of another.
      await take(await sent("another", undefined, tuesday), [both, newer]);
      await take(await sent("monday", monday, wednesday, true), [both]);
      expect(await listed(ledger(), brand, [both, newer])).toEqual([both]);
      expect((await readSource(ledger().db, name))?.renewedAtMs).toBe(monday);
      const [audited] = await rows<{ detail: object }>(
        ledger().db,
        sql`select detail from audit where action = 'suppression_source.renew' and detail ->> 'name' = ${name}
            order by id desc limit 1`,
      );
      expect(audited?.detail).toMatchObject({
        as_of: new Date(monday).toISOString(),
        as_of_before: new Date(tuesday).toISOString(),
      });
    });

    it("takes nobody off who asked for it by themselves, whichever came first", async () => {
      const { brand, name } = fresh();
      await put(ledger(), { name, brand });
      const [first, second, other] = freshPhones(3) as [string, string, string];
      const opt = (phone: string) =>
        ledger().transaction((tx) =>
          addSuppressions(tx, {
            entries: [{ phone, brand, source: "call", reason: "opted out" }],
            actor: "test",
            nowMs: NOW_MS,
          }),
        );
      await opt(first);
      await replace(ledger(), name, [first, second, other]);
      await opt(second);
      await replace(ledger(), name, [other], { allowShrink: true });
      expect(await listed(ledger(), brand, [first, second, other])).toEqual([first, second, other]);
    });

    it("is for its scope, and is gone with its source", async () => {
      const { brand, name } = fresh();
      await put(ledger(), { name, brand });
      const [phone] = freshPhones(1) as [string];
      await replace(ledger(), name, [phone]);
      expect(await listed(ledger(), "another", [phone])).toEqual([]);
      expect(await listingsOf(ledger().db, phone)).toEqual([
        { source: name, type: "do_not_call", brand, sinceMs: NOW_MS },
      ]);
      await put(ledger(), { name });
      expect(await listed(ledger(), "another", [phone])).toEqual([phone]);
      await dropSource(ledger(), { name, reason: "over", actor: "test", nowMs: NOW_MS });
      expect(await listed(ledger(), brand, [phone])).toEqual([]);
      expect(
        await dropSource(ledger(), { name, reason: "over", actor: "test", nowMs: NOW_MS }),
      ).toBeUndefined();
      await expect(begin(ledger(), name)).rejects.toThrow(/there is no source/);
      // Its name may be used again, for a list of its own.
      await put(ledger(), { name, brand });
      expect(await listed(ledger(), brand, [phone])).toEqual([]);
    });
  });

  describe("who is newly listed", () => {
    it("is not dialed any more: batches that do are stopped, their others come back", async () => {
      const { brand, name } = fresh();
      const phones = freshPhones(3) as [string, string, string];
      const id = await running(ledger(), phones, { brand });
      const [batchId] = await planAndStart(ledger(), id);
      await put(ledger(), { name, brand });
      const { stoppedBatchIds } = await replace(ledger(), name, [phones[1]]);
      expect(stoppedBatchIds).toEqual([batchId]);
      expect(await batchOf(ledger(), batchId)).toMatchObject({ stopReason: "suppression" });
    });

    it("by a wider scope of their source is not dialed any more, either", async () => {
      const { brand, name } = fresh();
      const phones = freshPhones(2) as [string, string];
      const id = await running(ledger(), phones, { brand: fresh().brand });
      const [batchId] = await planAndStart(ledger(), id);
      await put(ledger(), { name, brand });
      expect((await replace(ledger(), name, [phones[1]])).stoppedBatchIds).toEqual([]);
      expect((await put(ledger(), { name })).stoppedBatchIds).toEqual([batchId]);
    });

    it("is refused at the start where the batch was planned before, and excluded with the source's name", async () => {
      const { brand, name } = fresh();
      const phones = freshPhones(2) as [string, string];
      const id = await running(ledger(), phones, { brand });
      const { batchIds } = await plan(ledger(), id);
      await create(ledger(), given(batchIds[0]));
      await put(ledger(), { name, brand });
      const loading = await begin(ledger(), name);
      await loadChunk(ledger(), loading, [phones[0]]);
      await ledger().transaction((tx) =>
        takeLoad(tx, loading, { allowShrink: false, actor: "test", nowMs: NOW_MS }),
      );
      expect(await permit(ledger(), given(batchIds[0]))).toMatchObject({ kind: "stopped", reason: "policy" });
      const explained = given(await explainContact(ledger().db, id, phones[0]));
      expect(explained.refusals).toMatchObject([
        { reason: "suppressed", detail: `brand suppression (${name}): on the list of type do_not_call` },
      ]);
    });

    it("stops the batch at its next reading where whoever took the list died behind that", async () => {
      const { brand, name } = fresh();
      const phones = freshPhones(3) as [string, string, string];
      const id = await running(ledger(), phones, { brand });
      const [batchId] = await planAndStart(ledger(), id);
      await put(ledger(), { name, brand });
      const loading = await begin(ledger(), name);
      await loadChunk(ledger(), loading, [phones[2]]);
      await ledger().transaction((tx) =>
        takeLoad(tx, loading, { allowShrink: false, actor: "test", nowMs: NOW_MS }),
      );
      await settleFindings(ledger(), {
        batchId: given(batchId),
        findings: [ended(phones[0])],
        nowMs: NOW_MS,
      });
      expect(await batchOf(ledger(), batchId)).toMatchObject({ stopReason: "suppression" });
    });

    it("is excluded from lists that come in behind it", async () => {
      const { brand, name } = fresh();
      await put(ledger(), { name, brand });
      const phones = freshPhones(2) as [string, string];
      await replace(ledger(), name, [phones[0]]);
      const id = await running(ledger(), phones, { brand });
      expect((await contactsOf(ledger(), id)).map(({ state, reason }) => [state, reason])).toEqual([
        ["excluded", "suppressed"],
        ["open", null],
      ]);
    });
  });

  describe("a list that is too old", () => {
    it("keeps campaigns in its scope from dialing, says so, and lets them go on once it is renewed", async () => {
      const { brand, name } = fresh();
      const [listedPhone] = freshPhones(1) as [string];
      const phones = freshPhones(2);
      const id = await running(ledger(), phones, { brand });
      const other = await running(ledger(), freshPhones(1), { brand: fresh().brand });
      await put(ledger(), { name, brand, maxAgeMs: DAY_MS });
      expect((await plan(ledger(), id)).batchIds).toEqual([]);
      const never = `the source ${name} has no list yet, and must have one that is at most 1d old: import the newest with outdial suppress import FILE --source ${name} --replace`;
      expect(await holdsOf(ledger(), id)).toMatchObject([{ reason: "stale_list", detail: never }]);
      expect(given(await explainContact(ledger().db, id, given(phones[0]))).holds).toMatchObject([
        { reason: "stale_list" },
      ]);
      expect((await plan(ledger(), other)).batchIds).toHaveLength(1);
      const { campaignIds } = await replace(ledger(), name, [listedPhone]);
      expect(campaignIds).toEqual([id]);
      expect((await plan(ledger(), id)).batchIds).toHaveLength(1);
      expect(await contactsOf(ledger(), id)).toMatchObject([{ state: "leased" }, { state: "leased" }]);
    });

    it("bounds what was planned by it, and refuses what comes to be started behind it", async () => {
      const { brand, name } = fresh();
      await put(ledger(), { name, brand, maxAgeMs: HOUR_MS });
      await replace(ledger(), name, freshPhones(1));
      const id = await running(ledger(), freshPhones(1), { brand, window: "always" });
      const { batchIds } = await plan(ledger(), id);
      const batchId = given(batchIds[0]);
      const staleMs = NOW_MS + HOUR_MS;
      expect((await batchOf(ledger(), batchId)).dialByMs).toBe(staleMs - PACE.dialByMarginMs);
      await create(ledger(), batchId);
      expect(await permit(ledger(), batchId, staleMs)).toMatchObject({ kind: "stopped" });
      expect((await plan(ledger(), id, staleMs)).batchIds).toEqual([]);
      const later = await replace(ledger(), name, freshPhones(1), { nowMs: staleMs, allowShrink: true });
      expect(later.taken.kind).toBe("taken");
      const again = await plan(ledger(), id, staleMs + 1_000);
      expect(again.batchIds).toHaveLength(1);
    });

    it("stops batches that were started before the source was declared, or was given a shorter age", async () => {
      const { brand, name } = fresh();
      const id = await running(ledger(), freshPhones(1), { brand, window: "always" });
      const [batchId] = await planAndStart(ledger(), id);
      await put(ledger(), { name, brand, maxAgeMs: 10 * DAY_MS });
      expect(await batchOf(ledger(), batchId)).toMatchObject({ stopReason: "window" });
      const second = fresh();
      await put(ledger(), { ...second, maxAgeMs: 10 * DAY_MS });
      await replace(ledger(), second.name, freshPhones(1));
      const other = await running(ledger(), freshPhones(1), { brand: second.brand, window: "always" });
      const [started] = await planAndStart(ledger(), other);
      const shorter = await put(ledger(), { ...second, maxAgeMs: HOUR_MS });
      expect(shorter.stoppedBatchIds).toEqual([]);
      expect((await batchOf(ledger(), started)).dialByMs).toBe(NOW_MS + HOUR_MS - PACE.dialByMarginMs);
      // Nothing is left to bind.
      const binding = { dialByMarginMs: PACE.dialByMarginMs, nowMs: NOW_MS };
      expect(await bindToLists(ledger(), binding)).toEqual({ stoppedBatchIds: [], left: 0 });
      const { stoppedBatchIds } = await put(ledger(), { ...second, maxAgeMs: MINUTE_MS });
      expect(stoppedBatchIds).toEqual([started]);
    });

    it("that may not be old counts from the day that it is of", async () => {
      const { brand, name } = fresh();
      await put(ledger(), { name, brand, maxAgeMs: 3 * DAY_MS });
      const loading = await beginLoad(ledger(), {
        name,
        sourceName: "list.csv",
        digest: "0",
        asOfMs: NOW_MS - 2 * DAY_MS,
        allowOlder: false,
        actor: "test",
        nowMs: NOW_MS,
      });
      await loadChunk(ledger(), loading, freshPhones(1));
      await renew(ledger(), { loading, allowShrink: false, actor: "test", nowMs: NOW_MS });
      expect(await readSourcesInScope(ledger().db, brand)).toContainEqual({
        source: name,
        maxAgeMs: 3 * DAY_MS,
        renewedAtMs: NOW_MS - 2 * DAY_MS,
      });
      expect((await listSources(ledger().db, brand)).map((one) => one.name)).toContain(name);
    });

    it("is told before it is, and when it is, once each, and is off the list once it is renewed", async () => {
      const { brand, name } = fresh();
      await put(ledger(), { name, brand, maxAgeMs: 10 * DAY_MS });
      const told = async (resolved = false) => {
        const page = await listAttention(ledger().db, { subject: name, resolved, limit: 10 });
        return page.items.map(({ summary, times, resolvedAtMs }) => [
          summary.slice(0, 35),
          times,
          resolvedAtMs,
        ]);
      };
      expect(await told()).toEqual([["nobody is called in the scope of so", 1, undefined]]);
      await replace(ledger(), name, freshPhones(1));
      expect(await told()).toEqual([]);
      const watch = (nowMs: number) => ledger().transaction((tx) => watchAges(tx, nowMs));
      await watch(NOW_MS + 8 * DAY_MS - 1);
      expect(await told()).toEqual([]);
      await watch(NOW_MS + 8 * DAY_MS);
      await watch(NOW_MS + 9 * DAY_MS);
      expect(await told()).toEqual([
        [`from ${new Date(NOW_MS + 10 * DAY_MS).toISOString()} on no`, 1, undefined],
      ]);
      await watch(NOW_MS + 10 * DAY_MS);
      await watch(NOW_MS + 11 * DAY_MS);
      expect(await told()).toEqual([["nobody is called in the scope of so", 2, undefined]]);
      await replace(ledger(), name, freshPhones(1), { nowMs: NOW_MS + 11 * DAY_MS, allowShrink: true });
      expect(await told()).toEqual([]);
      expect(await told(true)).toHaveLength(2);
    });
  });
});

describeLedgers("the facts of a contact", (ledger) => {
  it("name the wider of a suppression's scopes, and a person's own word before a list", async () => {
    const { brand, name } = fresh();
    await put(ledger(), { name, brand });
    const phones = freshPhones(2) as [string, string];
    const id = await running(ledger(), phones, { brand });
    await replace(ledger(), name, phones);
    await ledger().transaction((tx) =>
      addSuppressions(tx, {
        entries: [{ phone: phones[0], brand, source: "call", reason: "asked" }],
        actor: "test",
        nowMs: NOW_MS,
      }),
    );
    const ids = await rows<{ id: number }>(
      ledger().db,
      sql`select id from contacts where campaign_id = ${id}::uuid order by id`,
    );
    const known = await readContactFacts(ledger().db, {
      contactIds: ids.map((row) => row.id),
      brand,
      policy: { notCalledWithinMs: undefined, leastGapMs: 0, frequency: [] },
      nowMs: NOW_MS,
    });
    expect(known.map(({ facts }) => facts.suppression?.source)).toEqual(
      expect.arrayContaining(["call", name]),
    );
  });
});
