import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { dueContacts, readLanes } from "../../../src/ledger/campaigns/planning-lanes.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { seededRandom } from "../../support/random.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { contact, createScheduled, DAY_MS, freshPhones, importWhole, NOW_MS } from "../support/scenario.ts";

const LANES = 40;
const ZONES = Array.from({ length: LANES / 2 }, (_, n) =>
  n < 14 ? `Etc/GMT-${n + 1}` : `Etc/GMT+${n - 13}`,
);

describeLedgers("a campaign of many lanes", (ledger) => {
  /** People of as many lanes, some called before; `laneOf` says of the nth in which they are. */
  const filled = async (name: string, people: number, laneOf: (n: number) => number) => {
    const random = seededRandom(name);
    const { id } = await createScheduled(ledger(), {
      contact_priority: { column: "level", first: 1, last: 0 },
    });
    const list = freshPhones(people).map((phone, n) => {
      const lane = laneOf(n);
      return contact(phone, n + 2, {
        zones: [ZONES[lane % ZONES.length] ?? ""],
        variables: { level: lane < 20 ? "0" : "1" },
      });
    });
    await importWhole(ledger(), id, list);
    const ids = await rows<{ id: number }>(
      ledger().db,
      sql`select id from contacts where campaign_id = ${id}::uuid order by id`,
    );
    // Some were called already, and some moments are shared.
    for (const { id: contactId } of ids) {
      if (random() < 0.6) continue;
      const dueMs = NOW_MS - Math.floor(random() * 20) * 60_000;
      await rows(
        ledger().db,
        sql`update contacts set attempts = ${random() < 0.5 ? 1 : 0}::int, due_at = to_timestamp(${dueMs / 1_000}::float8) where id = ${contactId}`,
      );
    }
    return id;
  };

  /** The order that is promised, over all of them. */
  const expected = async (
    campaignId: string,
    { limit, newestFirst }: { limit: number; newestFirst: boolean },
  ) => {
    const found = await rows<{ id: number }>(
      ledger().db,
      newestFirst
        ? sql`select c.id from contacts c join lanes l on l.id = c.lane_id where c.campaign_id = ${campaignId}::uuid
              order by l.priority desc, c.attempts = 0, case when c.attempts = 0 then null else c.due_at end,
                case when c.attempts = 0 then c.due_at end desc, case when c.attempts = 0 then -c.id else c.id end limit ${limit}`
        : sql`select c.id from contacts c join lanes l on l.id = c.lane_id where c.campaign_id = ${campaignId}::uuid
              order by l.priority desc, c.attempts = 0, c.due_at, c.id limit ${limit}`,
    );
    return found.map(({ id }) => id);
  };

  it.each([
    ["mixed", (n: number) => n % LANES],
    ["sorted by lane", (n: number) => Math.floor((n * LANES) / 600)],
    ["nearly all in one lane", (n: number) => (n < LANES ? n : 7)],
  ] as const)("is called in its order, however few of a lane are read at first: %s", async (name, laneOf) => {
    const id = await filled(name, 600, laneOf);
    const lanes = await readLanes(ledger().db, id);
    expect(lanes).toHaveLength(LANES);
    for (const limit of [1, 50, 333, 1_000]) {
      for (const newestFirst of [false, true]) {
        const due = await dueContacts(ledger().db, lanes, { limit, newestFirst, nowMs: NOW_MS + DAY_MS });
        expect({ limit, newestFirst, due }).toEqual({
          limit,
          newestFirst,
          due: await expected(id, { limit, newestFirst }),
        });
        expect(given(due[0])).toBeGreaterThan(0);
      }
    }
  });

  it("calls nobody of no lane", async () => {
    expect(await dueContacts(ledger().db, [], { limit: 10, newestFirst: false, nowMs: NOW_MS })).toEqual([]);
  });
});
