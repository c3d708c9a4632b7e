import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { listDialedContacts } from "../../../src/ledger/campaigns/attempts.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import {
  contact,
  ended,
  freshPhones,
  importWhole,
  listOfContacts,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  plan,
  planAndStart,
  running,
} from "../support/scenario.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";

describeLedgers("the order of first calls", (ledger) => {
  const inOrder = async (batchId: string | undefined) =>
    (await listDialedContacts(ledger().db, given(batchId))).map(({ phone }) => phone);

  /** Plans until nobody is due, each batch answered, and says in which order they were called. */
  async function callAll(id: string, nowMs = NOW_MS): Promise<string[]> {
    const called: string[] = [];
    for (let turn = 0; ; turn += 1) {
      const atMs = nowMs + turn * MINUTE_MS;
      const batchIds = await planAndStart(ledger(), id, atMs);
      if (batchIds.length === 0) return called;
      for (const batchId of batchIds) {
        called.push(...(await inOrder(batchId)));
        const findings = (await openPhones(ledger(), batchId)).map((phone) => ended(phone, "answered", atMs));
        await settleFindings(ledger(), { batchId, findings, nowMs: atMs });
        await closeBatch(ledger(), batchId, atMs);
      }
    }
  }

  it("goes by the column that says how much somebody matters, and then by the list", async () => {
    const scores = ["10", "95", "", "100", "55", "95.5", "no", "250", "-3", "0"];
    const phones = freshPhones(scores.length);
    const list = phones.map((phone, index) =>
      contact(phone, index + 2, { variables: { score: given(scores[index]) } }),
    );
    const id = await running(ledger(), list, {
      concurrency: 1,
      contact_priority: { column: "score", first: 100, last: 0 },
    });
    const called = await callAll(id);
    expect(called.map((phone) => scores[phones.indexOf(phone)])).toEqual([
      "95",
      "100",
      "95.5",
      "250",
      "55",
      "10",
      // No number, and beyond the last one: called last, in the order of the list.
      "",
      "no",
      "-3",
      "0",
    ]);
    await expectInvariants(ledger());
  });

  it("goes by that column across windows that close at other times, where lines are few", async () => {
    const phones = freshPhones(6);
    const scores = ["100", "50", "10", "10", "70", "60"];
    const zones = ["America/New_York", "Europe/Berlin", "America/New_York"].map((zone) => [zone]);
    const list = phones.map((phone, index) => {
      const own = given(zones[index % zones.length]);
      return contact(phone, index + 2, {
        variables: { score: given(scores[index]) },
        zones: own,
        strictZones: own,
      });
    });
    const id = await running(ledger(), list, {
      concurrency: 3,
      window: { weekdays: ["06:00-20:00"] },
      contact_priority: { column: "score", first: 100, last: 0 },
    });
    const { batchIds } = await plan(ledger(), id);
    const planned = (await Promise.all(batchIds.map((batchId) => openPhones(ledger(), batchId)))).flat();
    const called = new Set(planned.map((phone) => scores[phones.indexOf(phone)]));
    expect(called).toEqual(new Set(["100", "70", "60"]));
    expect(batchIds, "one for each time at which a window closes").toHaveLength(2);
    await expectInvariants(ledger());
  });

  it("may have low numbers first, and keeps everybody's zones", async () => {
    const phones = freshPhones(4);
    const ranks = ["3", "1", "2", "1"];
    const zones = [["America/New_York"], ["Europe/Berlin"], ["Europe/Berlin"], ["America/New_York"]];
    const list = phones.map((phone, index) =>
      contact(phone, index + 2, {
        variables: { rank: given(ranks[index]) },
        zones: given(zones[index]),
        strictZones: given(zones[index]),
      }),
    );
    const id = await running(ledger(), list, {
      concurrency: 1,
      contact_priority: { column: "rank", first: 1, last: 3 },
    });
    const kept = await rows<{ phone: string; zones: string[]; priority: number }>(
      ledger().db,
      sql`select c.phone, z.zones, l.priority from contacts c join lanes l on l.id = c.lane_id
            join zone_sets z on z.id = l.zone_set_id where c.campaign_id = ${id}::uuid order by c.id`,
    );
    expect(kept.map((row) => row.zones)).toEqual(zones);
    expect(kept.map((row) => row.priority)).toEqual([0, 9, 5, 9]);
    expect((await callAll(id)).map((phone) => ranks[phones.indexOf(phone)])).toEqual(["1", "1", "2", "3"]);
  });

  it("has those who matter before retries of others", async () => {
    const phones = freshPhones(2);
    const id = await running(
      ledger(),
      phones.map((phone, index) => contact(phone, index + 2, { variables: { vip: "0" } })),
      {
        concurrency: 1,
        contact_priority: { column: "vip", first: 1, last: 0 },
        retry: { max_attempts: 2, delays: { busy: "1m" } },
      },
    );
    const [batchId] = await planAndStart(ledger(), id);
    const findings = (await openPhones(ledger(), given(batchId))).map((phone) =>
      ended(phone, "busy", NOW_MS),
    );
    await settleFindings(ledger(), { batchId: given(batchId), findings, nowMs: NOW_MS });
    await closeBatch(ledger(), given(batchId), NOW_MS);
    const vip = given(freshPhones(1)[0]);
    await importWhole(ledger(), id, [contact(vip, 2, { variables: { vip: "1" } })], "vips");
    const { batchIds } = await plan(ledger(), id, NOW_MS + 2 * MINUTE_MS);
    expect(await inOrder(batchIds[0])).toEqual([vip, phones[0]]);
  });

  it("may be the newest first, within a list and over lists; retries come before them", async () => {
    const old = freshPhones(5);
    const id = await running(ledger(), old, {
      concurrency: 1,
      order: "newest_first",
      retry: { max_attempts: 2, delays: { busy: "1m" } },
    });
    const [batchId] = await planAndStart(ledger(), id);
    const first = old.toReversed().slice(0, 2);
    const dialed = await inOrder(batchId);
    expect(dialed.slice(0, 2)).toEqual(first);
    const findings = dialed.map((phone) => ended(phone, "busy", NOW_MS));
    await settleFindings(ledger(), { batchId: given(batchId), findings, nowMs: NOW_MS });
    await closeBatch(ledger(), given(batchId), NOW_MS);
    const fresh = freshPhones(3);
    await importWhole(ledger(), id, listOfContacts(fresh), "later", NOW_MS + MINUTE_MS);
    const called = await callAll(id, NOW_MS + 2 * MINUTE_MS);
    const uncalled = old.filter((phone) => !dialed.includes(phone));
    expect(called.slice(0, dialed.length).sort()).toEqual(dialed.toSorted());
    expect(called.slice(dialed.length)).toEqual([...fresh.toReversed(), ...uncalled.toReversed()]);
    await expectInvariants(ledger());
  });
});
