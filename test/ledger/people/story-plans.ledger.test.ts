import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { policyOf } from "../../../src/domain/campaigns/campaign-spec.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { readDialFacts } from "../../../src/ledger/people/dial-facts.ts";
import { EVER_MS } from "../../../src/ledger/people/source.ts";
import {
  countPerson,
  readStory,
  readWhereabouts,
  type StoryPlace,
} from "../../../src/ledger/people/story.ts";
import { given, openFreshPostgres } from "../../support/ledgers.ts";
import { enrolled, turn, written } from "../support/enrolling.ts";
import { explaining, type Explained } from "../support/explaining.ts";
import { fillCampaign, fillSequence } from "../support/filling.ts";
import { freshPhones, NOW_MS, running, specOf } from "../support/scenario.ts";

/* However much there is of everybody else, and of one number: what a page of its story reads. */

const CALLS = 10_000;

/** Small by nature: brands, triggers, sequences, and campaigns, of which a test has few. */
const BIG = new Set([
  "contacts",
  "attempts",
  "refusals",
  "import_rejects",
  "suppressions",
  "inbound_calls",
  "tags",
  "enrolments",
  "journeys",
  "trigger_items",
  "follow_ups",
  "actions",
  "unbooked_dials",
  "consents",
  "listed_numbers",
  "withdrawals",
  "audit",
]);

describe.skipIf(inject("postgresUrl") === undefined)(
  `the story of a number with ${CALLS} calls (PostgreSQL)`,
  () => {
    let ledger: Ledger;
    let seen: Explained[] = [];
    const [phone] = freshPhones(1) as [string];

    beforeAll(async () => {
      ledger = await openFreshPostgres(4);
      const campaignId = await running(ledger, [phone]);
      await fillCampaign(ledger, campaignId, 20_000);
      const { id: sequenceId, name } = await written(ledger, [{ id: "first", call: {} }]);
      const enrolmentId = await enrolled(ledger, name, { phone });
      const standingId = given((await turn(ledger, enrolmentId)).campaignIds[0]);
      await fillSequence(ledger, { sequenceId, standingId }, 4_000);
      await fillTheRest(ledger, campaignId, phone);
    });
    afterAll(() => ledger?.close());

    const page = (db: Ledger["db"], after: StoryPlace | undefined, limit: number) =>
      readStory(db, { phone, brand: undefined, sinceMs: 0, untilMs: EVER_MS, after, limit });

    it("reads no large table from one end to the other, wherever in the story it is", async () => {
      const watched = explaining(ledger, (explained) => seen.push(explained));
      const [first] = await page(ledger.db, undefined, 1);
      const middle = (await page(ledger.db, undefined, 5_000)).at(-1);
      for (const after of [undefined, given(first), given(middle)]) {
        seen = [];
        await page(watched.db, after, 101);
        expect(seen).toHaveLength(23);
        expect(seen.filter(({ readsWhole }) => readsWhole.some((table) => BIG.has(table)))).toEqual([]);
      }
      seen = [];
      await readWhereabouts(watched.db, phone);
      await countPerson(watched.db, phone, undefined);
      expect(seen.filter(({ readsWhole }) => readsWhole.some((table) => BIG.has(table)))).toEqual([]);
    });

    it("holds a page of calls against their moments by the index of a number's calls", async () => {
      const entries = (await page(ledger.db, undefined, 5_000))
        .filter(({ dial }) => dial !== undefined)
        .slice(-100);
      const policy = policyOf(
        specOf({
          consent: { require: "any" },
          frequency: [
            { attempts: 3, within: "7d" },
            { conversations: 1, within: "366d" },
          ],
          not_called_within: "366d",
        }),
        1,
      );
      const watched = explaining(ledger, (explained) => seen.push(explained));
      seen = [];
      const facts = await readDialFacts(
        watched.db,
        entries.map(({ dial, zones, atMs }) => ({
          ...given(dial),
          permittedMs: atMs,
          zones,
          places: [],
          policy,
        })),
      );
      expect(facts.size).toBe(100);
      expect([...facts.values()].every(({ counted }) => counted[0] === 4 && counted[1] === 2)).toBe(true);
      expect(seen).toHaveLength(1);
      expect(given(seen[0]).readsWhole.filter((table) => BIG.has(table))).toEqual([]);
      expect(given(seen[0]).indexes).toContain("attempts_called");
    });

    it("is whole, page by page, and every page is answered soon", async () => {
      let after: StoryPlace | undefined;
      let calls = 0;
      let slowestMs = 0;
      do {
        const beganMs = performance.now();
        const entries: Awaited<ReturnType<typeof page>> = await page(ledger.db, after, 500);
        slowestMs = Math.max(slowestMs, performance.now() - beganMs);
        calls += entries.filter(({ kind }) => kind === "called").length;
        after = entries.length < 500 ? undefined : entries.at(-1);
      } while (after !== undefined);
      expect(calls).toBe(CALLS);
      // Some tenths of a second, where others keep the machine busy.
      expect(slowestMs).toBeLessThan(5_000);
    });
  },
);

/** Calls to one number, one an hour; and of everybody else as much as makes a plan that reads it whole a mistake. */
async function fillTheRest(ledger: Ledger, campaignId: string, phone: string): Promise<void> {
  const id = sql`${campaignId}::uuid`;
  const then = sql`to_timestamp(${NOW_MS} / 1000.0)`;
  const statements = [
    sql`insert into attempts (campaign_id, contact_id, attempt_no, phone, batch_id, policy_version, state, disposition, planned_at, started_at, ended_at, settled_at)
        select ${id}, c.id, n, c.phone, b.id, 1, 'ended', 'answered', ${then} + make_interval(hours => n), ${then} + make_interval(hours => n),
          ${then} + make_interval(hours => n, secs => 60), ${then} + make_interval(hours => n, secs => 70)
        from contacts c, generate_series(1, ${CALLS}::int) n, (select id from batches where campaign_id = ${id} limit 1) b
        where c.campaign_id = ${id} and c.phone = ${phone}`,
    sql`update batches set start_sent_at = ${then}`,
    sql`insert into imports (campaign_id, digest, source_name, settings, created_at, updated_at) values (${id}, 'bad', 'bad.csv', '{}', now(), now())`,
    sql`insert into import_rejects (import_id, line, code, reason, raw, digits)
        select i.id, n, 'duplicate', 'there already', '+49' || (1000000000 + n), '49' || (1000000000 + n) from imports i, generate_series(1, 20000) n where i.digest = 'bad'`,
    sql`insert into inbound_calls (call_id, phone, at, created_at) select 'call ' || n, '+49' || (1000000000 + n), now(), now() from generate_series(1, 20000) n`,
    sql`insert into tags (brand, phone, tag, source, at) select 'default', '+49' || (1000000000 + n), 'warm', 'test', now() from generate_series(1, 20000) n`,
    sql`insert into triggers (id, name, definition, version, enabled, created_at, updated_at) values (gen_random_uuid(), 'crm', '{}', 1, true, now(), now())`,
    sql`insert into trigger_items (trigger_id, key, what, delivery_id, element, phone, result, at)
        select t.id, 'key ' || n, 'enroll', gen_random_uuid(), '0', '+49' || (1000000000 + n), '{}', now() from triggers t, generate_series(1, 20000) n`,
    sql`insert into follow_ups (id, attempt_id, campaign_id, contact_id, phone, disposition, policy_version, state, wait_until, created_at)
        select gen_random_uuid(), a.id, a.campaign_id, a.contact_id, a.phone, 'answered', 1, 'done', now(), now() from attempts a where a.phone <> ${phone}`,
    sql`insert into actions (id, follow_up_id, owner, n, kind, spec, state, created_at)
        select gen_random_uuid(), f.id, 'rule', 1, 'tag', '{}', 'done', now() from follow_ups f`,
    sql`insert into unbooked_dials (phone, platform_batch_id, dialed_until, noted_at)
        select '+49' || (1000000000 + n), 'lost', now(), now() from generate_series(1, 5000) n`,
    sql`insert into consents (phone, brand, basis, at, source, recorded_at)
        select '+49' || (1000000000 + n), 'default', 'express', now(), 'list', now() from generate_series(1, 20000) n`,
    sql`insert into withdrawals (campaign_id, phone, actor, reason, at)
        select ${id}, '+49' || (1000000000 + n), 'ann', 'test', now() from generate_series(1, 20000) n`,
    sql`insert into audit (at, actor, action, campaign_id, detail)
        select now(), 'ann', 'campaign.paused', gen_random_uuid(), '{}' from generate_series(1, 20000) n`,
    sql`insert into audit (at, actor, action, detail)
        select now(), 'ann', 'tag.remove', jsonb_build_object('brand', 'default', 'phone', '+49' || (1000000000 + n), 'tag', 'warm',
          'source', 'test', 'givenAt', now()) from generate_series(1, 20000) n`,
    sql`insert into suppression_sources (name, type, generation, numbers, renewed_at, created_at)
        values ('register', 'do_not_call', 1, 20000, ${then}, ${then})`,
    sql`insert into suppression_loads (source_id, generation, source_name, digest, state, as_of, actor, began_at, ended_at)
        select s.id, 1, 'register.csv', 'digest', 'taken', ${then}, 'ann', ${then}, ${then} from suppression_sources s where s.name = 'register'`,
    sql`insert into listed_numbers (phone, source_id, from_generation, through_generation)
        select '+49' || (1000000000 + n), s.id, 1, 1 from generate_series(1, 20000) n, suppression_sources s where s.name = 'register'`,
    sql`analyze`,
  ];
  for (const statement of statements) await rows(ledger.db, statement);
}
