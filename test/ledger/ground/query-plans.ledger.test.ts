import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { callRate } from "../../../src/domain/campaigns/call-rate.ts";
import { followUpRulesSchema } from "../../../src/domain/follow-ups/follow-up-rules.ts";
import { readLineClaims } from "../../../src/ledger/campaigns/line-claims.ts";
import { countOpenIn, listDialedContacts, listUnended } from "../../../src/ledger/campaigns/attempts.ts";
import {
  lockBatch,
  returnAttempts,
  readBatches,
  stopBatchesDialing,
} from "../../../src/ledger/campaigns/batches.ts";
import type { FrequencyCap } from "../../../src/domain/policy/dialing-policy.ts";
import { bindToLists, declareSource, dropSource, renew } from "../../../src/ledger/campaigns/renewing.ts";
import { beginLoad, loadChunk } from "../../../src/ledger/ground/listed-numbers.ts";
import { readCallers } from "../../../src/ledger/campaigns/caller-use.ts";
import { readContactFacts } from "../../../src/ledger/campaigns/contact-facts.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { listEnrolments } from "../../../src/ledger/sequences/enrolments.ts";
import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { holdCallsOfTold, listWaitingForCalls } from "../../../src/ledger/sequences/enrolment-commands.ts";
import {
  countTold,
  tellEnrolments,
  tellNextOfSequence,
} from "../../../src/ledger/sequences/enrolment-inbox.ts";
import {
  findAttemptOfCall,
  listAttempts,
  listBatches,
} from "../../../src/ledger/campaigns/attempt-listing.ts";
import { listContacts, listContactsOfNumber } from "../../../src/ledger/campaigns/contact-listing.ts";
import { BEGINNING, newestPlace, placeBefore, readEvents } from "../../../src/ledger/events/events.ts";
import { readContactGroups } from "../../../src/ledger/campaigns/outlook.ts";
import { readTimeline, readZoneHolds } from "../../../src/ledger/campaigns/timeline.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { overdueKinds, takeOverdue } from "../../../src/ledger/ground/look-by.ts";
import { claimDeliveries, takeUnread } from "../../../src/ledger/triggers/delivery-order.ts";
import {
  claimOutbox,
  dueKinds,
  OUTBOX_KINDS,
  tellEnded,
  type EndedContact,
} from "../../../src/ledger/ground/outbox.ts";
import {
  holdPlacement,
  releasePlacement,
  withdrawPlacement,
} from "../../../src/ledger/campaigns/placement-changes.ts";
import { placeCallback, readPlacement } from "../../../src/ledger/campaigns/placements.ts";
import { readStanding } from "../../../src/ledger/telemetry/standing-of-ledger.ts";
import { readProgress } from "../../../src/ledger/campaigns/progress.ts";
import { readReport, streamResults } from "../../../src/ledger/campaigns/reports.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { foreseeTurn } from "../../../src/ledger/campaigns/start-turns.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { findUnbookedDial, noteUnbookedDials } from "../../../src/ledger/campaigns/unbooked-dials.ts";
import { given } from "../../support/ledgers.ts";
import { enrolled, say, turn, written } from "../support/enrolling.ts";
import type { Explained } from "../support/explaining.ts";
import { CONTACTS, fillSequence, PEOPLE } from "../support/filling.ts";
import { callbackAsker, enrolmentCall, place, standing } from "../support/placing.ts";
import {
  begin,
  contact,
  create,
  ended,
  freshPhones,
  giveChunk,
  listOfContacts,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  permit,
  plan,
  running,
  start,
  tell,
  specOf,
} from "../support/scenario.ts";
import { openWatchedLedger, type WatchedLedger } from "../support/watched-ledger.ts";
import { dueContacts, readLanes } from "../../../src/ledger/campaigns/planning-lanes.ts";
import { dueByAnswer, numbersToAsk } from "../../../src/ledger/campaigns/scrubbing.ts";
import { forgetAnswers, recordAnswers } from "../../../src/ledger/ground/scrub-answers.ts";
import { scrubOf } from "../../../src/ledger/ground/suppression-sources.ts";
import { insertFollowUps } from "../../../src/ledger/campaigns/ended-calls.ts";
import { listUnaccountedCreates } from "../../../src/ledger/campaigns/batch-steps.ts";

/*
 * What runs for every batch, chunk, turn or command must not read a table of contacts, attempts or enrolments from
 * one end to the other. The plans are PostgreSQL's own, for the very parameters of the statements, with fresh statistics.
 */

/** What is large enough for a whole read to be a mistake. */
const bigTables = new Set([
  "contacts",
  "attempts",
  "suppressions",
  "listed_numbers",
  "consents",
  "refusals",
  "scrub_answers",
]);

describe.skipIf(inject("postgresUrl") === undefined)(
  `the statements of a campaign of ${CONTACTS} contacts (PostgreSQL)`,
  () => {
    let ledger: Ledger;
    let watched: Ledger;
    let campaignId = "";
    let seen: Explained[] = [];
    let wholeReads: WatchedLedger["wholeReads"];

    beforeAll(async () => {
      ({ ledger, watched, campaignId, seen, wholeReads } = await openWatchedLedger(bigTables));
    });
    afterAll(() => ledger?.close());

    it("planning probes the index of each lane, asks for facts by index and leases by index", async () => {
      expect(await wholeReads(() => plan(watched, campaignId))).toEqual([]);
      expect(seen.map((one) => one.statement).join("\n")).toMatch(
        /cross join lateral[^]*insert into attempts/,
      );
      const facts = seen.filter(({ statement }) => statement.includes("last_call_ms"));
      // Two thousand are looked at, four hundred at a time.
      expect(facts).toHaveLength(5);
      const due = seen.filter(({ statement }) => statement.includes("part.is_first, c.due_at"));
      expect(due.map(({ indexes }) => indexes)).toEqual([expect.arrayContaining(["contacts_due"])]);
      // Not those who are due later, nor first calls beside retries: what comes back is in the order of the index.
      expect(due[0]?.conditions).toContainEqual(expect.stringMatching(/lane_id.*attempts = 0.*held.*due_at/));
      // However often somebody was called in years.
      expect(facts[0]?.indexes).toEqual(expect.arrayContaining(["attempts_called", "attempts_provisional"]));
      // Its open attempt, calls to it that are not decided, calls from it, lists with it: those of the number alone.
      const conditions = facts[0]?.conditions ?? [];
      expect(conditions.filter((condition) => condition === "(phone = c.phone)")).toHaveLength(3);
      // Suppressions stand under the number, or under its mark.
      expect(conditions).toContainEqual(expect.stringMatching(/^\(phone = ANY \(ARRAY\[c\.phone, .*sha256/));
    });

    it("planning the newest first reads the same index backward, as far as it needs", async () => {
      const lanes = await readLanes(ledger.db, campaignId);
      const input = { limit: 50, newestFirst: true, nowMs: NOW_MS };
      expect(await wholeReads(() => dueContacts(watched.db, lanes, input))).toEqual([]);
      const [due] = seen;
      expect(due?.indexes.filter((index) => index === "contacts_due")).toHaveLength(2);
      expect(due?.conditions.filter((one) => /lane_id.*attempts = 0.*held.*due_at/.test(one))).toHaveLength(
        2,
      );
      expect(due?.sorts, "but for what is put together in the end").toBe(1);
    });

    it("a cap of frequency is a probe of the index of a number's calls, within the question for facts", async () => {
      const [called] = await rows<{ id: number }>(
        ledger.db,
        sql`select id from contacts where campaign_id = ${campaignId}::uuid and attempts > 0 order by id limit 1`,
      );
      const asked = async (frequency: FrequencyCap[]) => {
        const policy = { notCalledWithinMs: undefined, leastGapMs: MINUTE_MS, frequency };
        const input = { contactIds: [given(called).id], brand: "default", policy, nowMs: NOW_MS };
        expect(await wholeReads(() => readContactFacts(watched.db, input))).toEqual([]);
        expect(seen).toHaveLength(1);
        return given(seen[0]).indexes.filter((index) => index === "attempts_called").length;
      };
      const cap = { counts: "attempts", atMost: 3, withinMs: 7 * 86_400_000, thenEnd: false } as const;
      const none = await asked([]);
      const [brand, everything] = [
        { ...cap, across: "brand" } as const,
        { ...cap, counts: "conversations", across: "everything" } as const,
      ];
      // One for attempts, two for conversations: with those that are not decided, and without.
      expect(await asked([brand, everything])).toBe(none + 3);
    });

    it("asking for a permission, settling, giving back and closing touch only their batch", async () => {
      const { batchIds } = await plan(ledger, campaignId);
      const [first, second] = [given(batchIds[0]), given(batchIds[1])];
      await create(ledger, first);
      expect(await wholeReads(() => permit(watched, first))).toEqual([]);
      await rows(
        ledger.db,
        sql`update batches set state = 'running', start_seen_at = now() where id = ${first}::uuid`,
      );
      const phones = await openPhones(ledger, first);
      const nowMs = NOW_MS + MINUTE_MS;
      expect(
        await wholeReads(async () => {
          await listUnended(watched.db, first);
          await countOpenIn(watched.db, [first, second]);
          await readBatches(watched.db, [first, second]);
          await listDialedContacts(watched.db, first);
          await settleFindings(watched, {
            batchId: first,
            findings: phones.map((phone, at) => ended(phone, at % 2 ? "busy" : "answered", nowMs)),
            nowMs,
          });
          await closeBatch(watched, first, nowMs);
        }),
      ).toEqual([]);
      await start(ledger, second);
      expect(
        await wholeReads(() =>
          watched.transaction(async (tx) => {
            const { campaign } = given(await lockBatch(tx, second));
            await returnAttempts(tx, { campaign, batchId: second, nowMs, dueAtMs: nowMs });
          }),
        ),
      ).toEqual([]);
    });

    it("creates without an answer are found by their index among all batches", async () => {
      seen.length = 0;
      expect(await listUnaccountedCreates(watched.db, NOW_MS)).toEqual([]);
      const [found] = seen;
      expect(found?.statement).toContain("create_no");
      expect(found?.readsWhole).toEqual([]);
    });

    it("second attempts are settled by index, too: their earlier dispositions are counted", async () => {
      const [phone] = freshPhones(1) as [string];
      const id = await running(ledger, [phone], { retry: { max_attempts: 3, delays: { busy: "0s" } } });
      for (const round of [0, 1]) {
        const nowMs = NOW_MS + round * MINUTE_MS;
        const { batchIds } = await plan(ledger, id, nowMs);
        const batchId = given(batchIds[0]);
        await start(ledger, batchId, nowMs);
        const settle = () =>
          settleFindings(watched, { batchId, findings: [ended(phone, "busy", nowMs)], nowMs });
        expect(await wholeReads(settle)).toEqual([]);
        await closeBatch(ledger, batchId, nowMs);
      }
    });

    it("a chunk of 1,000 rows comes in by index", async () => {
      const begun = await begin(ledger, campaignId, "chunk");
      const list = listOfContacts(freshPhones(1_000)).map((row) => contact(row.phone, row.line));
      expect(await wholeReads(() => giveChunk(watched, begun, list))).toEqual([]);
    });

    it("a list replaces that of a source, and is cleared away where it does not, by index", async () => {
      await rows(
        ledger.db,
        sql`insert into suppression_sources (name, type, created_at) values ('planned', 'own', now())`,
      );
      const list = {
        name: "planned",
        sourceName: "a.csv",
        digest: "0",
        asOfMs: NOW_MS,
        allowOlder: false,
        actor: "test",
        nowMs: NOW_MS,
      };
      const cut = await beginLoad(ledger, list);
      await loadChunk(ledger, cut, freshPhones(1_000));
      expect(
        await wholeReads(async () => {
          const loading = await beginLoad(watched, list);
          await loadChunk(watched, loading, freshPhones(1_000));
          await renew(watched, { loading, allowShrink: false, actor: "test", nowMs: NOW_MS });
          await bindToLists(watched, { dialByMarginMs: 1, nowMs: NOW_MS });
        }),
      ).toEqual([]);
    });

    it("facts about consent are asked for by index", async () => {
      const ids = await rows<{ id: number }>(
        ledger.db,
        sql`select id from contacts where campaign_id = ${campaignId}::uuid limit 100`,
      );
      const read = () =>
        readContactFacts(watched.db, {
          contactIds: ids.map(({ id }) => id),
          brand: "default",
          policy: {
            notCalledWithinMs: undefined,
            leastGapMs: 0,
            frequency: [],
            consent: { require: "any", maxAgeMs: undefined },
          },
          nowMs: NOW_MS,
        });
      expect(await wholeReads(read)).toEqual([]);
    });

    it("numbers to scrub are found, answers written down and asked for by index", async () => {
      const declared = await declareSource(ledger, {
        name: "carrier",
        type: "scrub",
        brand: undefined,
        maxAgeMs: undefined,
        scrub: {
          url: "https://scrub.example.com/",
          secret: "carrier",
          cacheMs: 86_400_000,
          whenAway: "wait",
        },
        actor: "test",
        dialByMarginMs: MINUTE_MS,
        nowMs: NOW_MS,
      });
      const source = { ...declared.source, scrub: given(scrubOf(declared.source)) };
      await rows(
        ledger.db,
        sql`insert into scrub_answers (source_id, phone, asked_at, listed)
            select ${source.id}::int, '+4930' || n, now() - interval '1 day', false from generate_series(1, 100000) n`,
      );
      await rows(ledger.db, sql`analyze scrub_answers`);
      const nowMs = NOW_MS + MINUTE_MS;
      const asked: string[] = [];
      expect(
        await wholeReads(async () => {
          asked.push(...(await numbersToAsk(watched.db, { source, campaignId, nowMs })));
          await plan(watched, campaignId, nowMs);
        }),
      ).toEqual([]);
      expect(asked.length).toBeGreaterThan(1_000);
      const phones = asked.slice(0, 1_000);
      const reading = {
        listed: new Map([[given(phones[0]), "listed"]]),
        clear: new Set(phones.slice(2)),
        missing: phones.slice(1, 2),
      };
      expect(
        await wholeReads(async () => {
          await watched.transaction((tx) => recordAnswers(tx, { source, reading, askedAtMs: nowMs, nowMs }));
          await dueByAnswer(watched, { phones, nowMs });
          await forgetAnswers(watched.db, nowMs);
          expect((await plan(watched, campaignId, nowMs)).batchIds.length).toBeGreaterThan(0);
        }),
      ).toEqual([]);
      const facts = seen.find(({ statement }) => statement.includes("last_call_ms"));
      expect(facts?.indexes).toContain("scrub_answers_pkey");
      await dropSource(ledger, { name: "carrier", reason: "over", actor: "test", nowMs });
    });

    it("suppressing numbers finds the batches that dial them by index", async () => {
      const { batchIds } = await plan(ledger, campaignId, NOW_MS + 2 * MINUTE_MS);
      const phones = (await openPhones(ledger, given(batchIds.at(-1)))).slice(0, 5);
      const entries = phones.map((phone) => ({ phone, brand: undefined, source: "test", reason: "asked" }));
      expect(
        await wholeReads(async () => {
          await watched.transaction((tx) => addSuppressions(tx, { entries, actor: "test", nowMs: NOW_MS }));
          await stopBatchesDialing(watched, { phones, brand: undefined, nowMs: NOW_MS });
        }),
      ).toEqual([]);
    });

    it("a call is placed, looked up, held and taken back by index", async () => {
      const { id } = await standing(ledger, {
        window: { weekdays: ["00:00-24:00"], weekend: ["00:00-24:00"] },
      });
      const { asker, placement } = enrolmentCall();
      const [phone] = freshPhones(1) as [string];
      expect(await wholeReads(() => place(watched, id, phone, { asker }))).toEqual([]);
      expect(await wholeReads(() => readPlacement(watched.db, placement))).toEqual([]);
      expect(await wholeReads(() => plan(watched, id))).toEqual([]);
      const input = { placement, nowMs: NOW_MS };
      expect(await wholeReads(() => watched.transaction((tx) => holdPlacement(tx, input)))).toEqual([]);
      const release = { ...input, dueAtMs: NOW_MS };
      expect(await wholeReads(() => watched.transaction((tx) => releasePlacement(tx, release)))).toEqual([]);
      const withdrawal = { ...input, reason: "exited" };
      expect(await wholeReads(() => watched.transaction((tx) => withdrawPlacement(tx, withdrawal)))).toEqual(
        [],
      );
    });

    it("the follow-ups of a hundred calls are written by index, and the callbacks of a number counted so", async () => {
      const attempts = await rows<{ id: number; phone: string }>(
        ledger.db,
        sql`select id::float8 as id, phone from attempts where campaign_id = ${campaignId}::uuid and state = 'ended' order by id limit 100`,
      );
      const rules = followUpRulesSchema.parse([{ id: "rule", actions: [{ tag: { tag: "warm" } }] }]);
      const campaign = { id: campaignId, policyVersion: 1, spec: { follow_ups: rules } };
      const ended = attempts.map(({ id: attemptId }) => ({ attemptId, disposition: "answered" }));
      const write = () =>
        watched.transaction((tx) => insertFollowUps(tx, { campaign, ended, nowMs: NOW_MS }));
      expect(await wholeReads(write)).toEqual([]);
      const callBack = () =>
        watched.transaction((tx) =>
          placeCallback(tx, {
            campaignId,
            asker: callbackAsker(),
            phone: given(attempts[0]).phone,
            region: "DE",
            zones: ["Europe/Berlin"],
            variables: {},
            dueAtMs: NOW_MS,
            most: 3,
            actor: "test",
            nowMs: NOW_MS,
          }),
        );
      expect(await wholeReads(callBack)).toEqual([]);
    });

    it("who was called lately by another campaign is found by index", async () => {
      const known = await rows<{ phone: string }>(
        ledger.db,
        sql`select phone from contacts where campaign_id = ${campaignId}::uuid and attempts > 0 order by id limit 500`,
      );
      const id = await running(
        ledger,
        known.map(({ phone }) => phone),
        {
          not_called_within: "7d",
          window: { weekdays: ["00:00-24:00"], weekend: ["00:00-24:00"] },
        },
      );
      expect(await wholeReads(() => plan(watched, id, Date.now()))).toEqual([]);
      expect(given(await readCampaign(ledger.db, id)).tallies.excluded).toBeGreaterThan(0);
    });

    it("who was dialed in a part of the ledger that was lost is found by index, however many those are", async () => {
      const phones = freshPhones(3);
      await rows(
        ledger.db,
        sql`insert into unbooked_dials (phone, platform_batch_id, dialed_until, noted_at)
            select n::text, 'old', now(), now() from generate_series(1, 20000) n`,
      );
      const dial = { platformBatchId: "lost", phones: phones.slice(0, 1), nowMs: NOW_MS };
      await noteUnbookedDials(ledger.db, dial);
      await rows(ledger.db, sql`analyze unbooked_dials`);
      bigTables.add("unbooked_dials");
      const id = await running(ledger, phones, {
        not_called_within: "7d",
        window: { weekdays: ["00:00-24:00"], weekend: ["00:00-24:00"] },
      });
      expect(await wholeReads(() => plan(watched, id))).toEqual([]);
      const byPhone = "unbooked_dials_pkey";
      expect(seen.some(({ indexes }) => indexes.includes(byPhone))).toBe(true);
      expect(given(await readCampaign(ledger.db, id)).tallies).toMatchObject({ excluded: 1, leased: 2 });
      expect(await wholeReads(() => noteUnbookedDials(watched.db, dial))).toEqual([]);
      const look = () => findUnbookedDial(watched.db, { phone: given(phones[0]) });
      expect(await wholeReads(look)).toEqual([]);
      expect(seen.map(({ indexes }) => indexes)).toEqual([[byPhone]]);
    });

    it("an explanation, the progress and a page of results are read by index", async () => {
      const [row] = await rows<{ phone: string }>(
        ledger.db,
        sql`select phone from contacts order by id desc limit 1 offset 5000`,
      );
      expect(await wholeReads(() => explainContact(watched.db, campaignId, given(row).phone))).toEqual([]);
      expect(await wholeReads(() => readProgress(watched.db, campaignId))).toEqual([]);
      const page = async () => {
        for await (const _page of streamResults(watched.db, campaignId)) break;
      };
      expect(await wholeReads(page)).toEqual([]);
    });

    it("pages of contacts are read by index, whatever is asked for, with as few probes as there are outcomes", async () => {
      const campaign = { id: campaignId, standing: false };
      const [middle] = await rows<{ id: number; phone: string }>(
        ledger.db,
        sql`select id, phone from contacts where campaign_id = ${campaignId}::uuid order by id desc limit 1 offset 5000`,
      );
      const { id: after, phone } = given(middle);
      const listed = ["contacts_listed", "contacts_listed", "contacts_listed"];
      for (const [filter, indexes] of [
        [{}, listed],
        [{ state: "done" }, listed],
        [{ outcome: "answered" }, listed],
        [{ attempts: 7, lastDisposition: "busy", refusedBy: "least_gap" }, listed],
        [{ dueFromMs: NOW_MS + 1e9 }, listed],
        [{ phonePrefix: phone.slice(0, 9) }, ["contacts_campaign_phone"]],
        [{ phone }, []],
      ] as const) {
        const page = () => listContacts(watched.db, campaign, { filter, after, limit: 51 });
        expect(await wholeReads(page), JSON.stringify(filter)).toEqual([]);
        expect(seen[0]?.indexes, JSON.stringify(filter)).toEqual(expect.arrayContaining([...indexes]));
        // What comes behind a contact is where the index is entered, and nothing that is read and passed over.
        if (indexes === listed)
          expect(seen[0]?.conditions.join("\n")).toMatch(
            /campaign_id[^\n]*ROW\(state, COALESCE[^\n]*, id\) >/,
          );
      }
      const ofNumber = { phone, brand: "default", after: undefined, limit: 51 };
      expect(await wholeReads(() => listContactsOfNumber(watched.db, ofNumber))).toEqual([]);
    });

    it("events are read by their order, from a place to what is told, and no table of them whole", async () => {
      await rows(
        ledger.db,
        sql`insert into events (era, at, type, data)
            select coalesce((select event_era from installation), 1), now() - n * interval '1 minute', 'credit.exhausted', '{}'
            from generate_series(1, 20000) n`,
      );
      await rows(ledger.db, sql`analyze events`);
      for (const read of [
        () => readEvents(watched.db, { after: BEGINNING, limit: 100 }),
        () => newestPlace(watched.db),
      ]) {
        seen.length = 0;
        await read();
        expect(seen[0]?.readsWhole).not.toContain("events");
        expect(seen[0]?.conditions).toContainEqual(expect.stringMatching(/ROW\(era, tx\) < /));
      }
      seen.length = 0;
      await placeBefore(watched.db, Date.now());
      expect(seen.flatMap(({ readsWhole }) => readsWhole)).not.toContain("events");
    });

    it("pages of attempts, calls and batches are read by batch, and live ones by those that are under way", async () => {
      const [last] = await rows<{ id: string; ms: number }>(
        ledger.db,
        sql`select id, round(extract(epoch from planned_at) * 1000)::float8 as ms from batches
            where campaign_id = ${campaignId}::uuid order by planned_at, id limit 1 offset 700`,
      );
      const { id: batchId, ms: batchPlannedAtMs } = given(last);
      const after = { batchPlannedAtMs, batchId, attemptId: 0 };
      for (const filter of [
        {},
        { stages: ["ended"] },
        { disposition: "busy" },
        { stages: ["live"] },
      ] as const)
        expect(
          await wholeReads(() => listAttempts(watched.db, campaignId, { filter, after, limit: 51 })),
          JSON.stringify(filter),
        ).toEqual([]);
      seen.length = 0;
      await listBatches(watched.db, campaignId, {
        state: undefined,
        unsettled: false,
        limit: 51,
        after: { plannedAtMs: batchPlannedAtMs, id: batchId },
      });
      expect(seen[0]?.indexes).toEqual(["batches_of_campaign"]);
      expect(seen[0]?.sorts).toBe(0);
      const untilMs = batchPlannedAtMs + MINUTE_MS;
      const stretch = { campaignId, fromMs: batchPlannedAtMs, untilMs, bucketMs: MINUTE_MS };
      expect(await wholeReads(() => readTimeline(watched.db, stretch))).toEqual([]);
      expect(await wholeReads(() => readZoneHolds(watched.db, campaignId))).toEqual([]);
      // Every contact is read, so many at once, each time from where the last ones ended.
      seen.length = 0;
      await readContactGroups(watched.db, { campaignId, nowMs: NOW_MS });
      const pages = seen.filter(({ indexes }) => indexes.includes("contacts_listed"));
      expect(pages).toHaveLength(CONTACTS / 20_000 + 1);
      expect(await wholeReads(() => findAttemptOfCall(watched.db, "nobody"))).toEqual([]);
    });

    it("what campaigns hold and want of an account's lines is read of those under way, however many are over", async () => {
      await rows(
        ledger.db,
        sql`insert into campaigns (id, brand, name, run, state, spec, policy_version, concurrency, created_at, ended_at)
            select gen_random_uuid(), brand, name, run + n, 'completed', spec, 1, 1, now(), now()
            from campaigns, generate_series(1, 3000) n where id = ${campaignId}::uuid`,
      );
      await rows(
        ledger.db,
        sql`insert into batches (id, campaign_id, state, agent_id, from_number, policy_version, size, slots, held, planned_at, start_sent_at, settled_at)
            select gen_random_uuid(), ${campaignId}::uuid, 'settled', 'agent', '+12025550100', 1, 1, 1, 0, now(),
                   ${new Date(NOW_MS - MINUTE_MS).toISOString()}, now()
            from generate_series(1, 5000)`,
      );
      for (const table of [sql`campaigns`, sql`batches`]) await rows(ledger.db, sql`analyze ${table}`);
      seen.length = 0;
      expect((await readLineClaims(watched.db)).map(({ id }) => id)).toContain(campaignId);
      expect(seen.map(({ readsWhole }) => readsWhole)).toEqual([[]]);
      expect(seen[0]?.indexes).toEqual(expect.arrayContaining(["batches_unsettled", "campaigns_not_ended"]));
    });

    it("when a number may call again is read of its own batches, by index", async () => {
      const from = "+12025550177";
      const begun = new Date(NOW_MS - MINUTE_MS).toISOString();
      await rows(
        ledger.db,
        sql`insert into batches (id, campaign_id, state, agent_id, from_number, policy_version, size, slots, held, planned_at, start_sent_at, settled_at)
            select gen_random_uuid(), ${campaignId}::uuid, 'settled', 'agent',
                   case when n <= 3 then ${from} else '+1303' || (5550000 + n % 2000) end, 1, 1, 1, 0, now(), ${begun}, now()
            from generate_series(1, 20000) n`,
      );
      await rows(ledger.db, sql`analyze batches`);
      const spec = specOf({ from_numbers: [from], caller_ids: { per_hour: 3 } });
      seen.length = 0;
      const callers = await watched.transaction((tx) => readCallers(tx, spec, NOW_MS));
      expect(callers).toMatchObject({ room: 0, roomAtMs: NOW_MS + 59 * MINUTE_MS });
      expect(seen.filter(({ readsWhole }) => readsWhole.includes("batches"))).toEqual([]);
      expect(seen.filter(({ indexes }) => indexes.includes("batches_of_number"))).toHaveLength(2);
    });

    it("whose start is next is read of what began a moment ago and of those under way", async () => {
      const { batchIds } = await plan(ledger, campaignId);
      const batchId = given(batchIds[0]);
      await create(ledger, batchId);
      seen.length = 0;
      await foreseeTurn(watched.db, { batchId, rate: callRate(5), nowMs: NOW_MS });
      const wholeReads = seen.flatMap(({ readsWhole }) => readsWhole);
      expect(wholeReads.filter((table) => table === "batches")).toEqual([]);
      expect(seen.flatMap(({ indexes }) => indexes)).toEqual(
        expect.arrayContaining(["batches_unsettled", "batches_begun"]),
      );
    });

    it("a report does read everybody, which is how this test knows a whole read when it sees one", async () => {
      expect(await wholeReads(() => readReport(watched.db, campaignId))).not.toEqual([]);
    });

    it("amending and pausing look at the batches under way, not at everybody", async () => {
      const { spec } = given(await readCampaign(ledger.db, campaignId));
      const amend = () =>
        amendSpec(watched, {
          campaignId,
          commandId: "amend",
          actor: "test",
          reason: undefined,
          nowMs: NOW_MS,
          dialByMarginMs: MINUTE_MS,
          spec: {
            ...spec,
            concurrency: 300,
            frequency: [{ attempts: 3, within: "7d", across: "brand", at_cap: "wait" }],
            window: { weekdays: ["00:00-23:00"], weekend: ["00:00-24:00"] },
          },
        });
      expect(await wholeReads(amend)).toEqual([]);
      expect(await wholeReads(() => tell(watched, "pause", campaignId))).toEqual([]);
    });

    describe(`with ${PEOPLE} people on their way through a sequence`, () => {
      let sequenceId = "";
      let standingId = "";
      let id = "";
      beforeAll(async () => {
        const sequence = await written(ledger, [
          { id: "first", call: {} },
          { id: "second", call: {} },
        ]);
        sequenceId = sequence.id;
        id = await enrolled(ledger, sequence.name);
        standingId = given((await turn(ledger, id)).campaignIds[0]);
        await fillSequence(ledger, { sequenceId, standingId });
        for (const table of ["enrolments", "enrolment_inbox", "journeys", "actions", "outbox"])
          bigTables.add(table);
      });

      it("a page of them is listed by index; only their count reads on", async () => {
        const list = async (filter: Omit<Parameters<typeof listEnrolments>[1], "limit">) => {
          const whole = await wholeReads(() => listEnrolments(watched.db, { ...filter, limit: 50 }));
          return whole.filter((statement) => !statement.startsWith("select count(*)"));
        };
        const after = { atMs: NOW_MS, id };
        expect(await list({ sequenceId })).toEqual([]);
        expect(await list({ sequenceId, after })).toEqual([]);
        expect(await list({ sequenceId, state: "active", step: "first", after })).toEqual([]);
        expect(await list({ phone: "+491000000777" })).toEqual([]);
      });

      it("the relay looks for what is due, and takes it, by index, be the list behind it ever so long", async () => {
        const kinds = OUTBOX_KINDS;
        expect(await wholeReads(() => dueKinds(watched.db, NOW_MS))).toEqual([]);
        const claim = { kinds, limit: 100, leaseMs: MINUTE_MS, nowMs: NOW_MS + MINUTE_MS };
        expect(await wholeReads(() => claimOutbox(watched.db, claim))).toEqual([]);
        expect(await wholeReads(() => takeUnread(watched.db, claim))).toEqual([]);
        expect(await wholeReads(() => claimDeliveries(watched.db, { ...claim, few: 6, many: 2 }))).toEqual(
          [],
        );
        const ended = await rows<EndedContact>(
          ledger.db,
          sql`select id as enrolment_id from enrolments limit 100`,
        );
        expect(await wholeReads(() => tellEnded(watched.db, ended, NOW_MS + MINUTE_MS))).toEqual([]);
      });

      it("an enrolment takes its turn, and hears of events and commands, by index", async () => {
        const phone = given(
          (
            await rows<{ phone: string }>(ledger.db, sql`select phone from enrolments where id = ${id}::uuid`)
          )[0],
        ).phone;
        const event = { name: "tick", data: {}, requestKey: "one", at: NOW_MS };
        const tell = () =>
          watched.transaction((tx) => tellEnrolments(tx, { brand: undefined, phone, event }));
        expect(await wholeReads(tell)).toEqual([]);
        const before = { sequenceId, phone, event };
        expect(await wholeReads(() => countTold(watched.db, before))).toEqual([]);
        expect(await wholeReads(() => turn(watched, id))).toEqual([]);
        expect(await wholeReads(() => say(watched, id, "skip"))).toEqual([]);
        expect(await wholeReads(() => say(watched, id, "pause"))).toEqual([]);
      });

      it("whoever looks at what is overdue finds it by index, be there ever so many who sleep", async () => {
        expect(await wholeReads(() => overdueKinds(watched.db, NOW_MS))).toEqual([]);
        const some = { nowMs: NOW_MS + 60 * MINUTE_MS, limit: 20 };
        expect(await wholeReads(() => takeOverdue(watched.db, "enrolment", some))).toEqual([]);
      });

      it("metrics read neither contacts nor attempts, nor what is over", async () => {
        expect(
          await wholeReads(() => readStanding(watched.db, { campaigns: 200, now: () => NOW_MS })),
        ).toEqual([]);
        const texts = seen.map(({ statement }) => statement).join("\n");
        expect(texts).not.toMatch(/\b(?:from|join) (?:contacts|attempts)\b/);
        const indexes = seen.flatMap((one) => one.indexes);
        for (const index of ["enrolments_look_by", "outbox_due"]) expect(indexes).toContain(index);
      });

      it("a command to everybody finds who waits for a call, tells them in pieces and holds their calls, by index", async () => {
        expect(await wholeReads(() => listWaitingForCalls(watched.db, sequenceId, 100))).toEqual([]);
        const entry = {
          kind: "skip" as const,
          data: {},
          requestKey: "all",
          actor: "test",
          atMs: NOW_MS,
        };
        const input = { sequenceId, afterId: undefined, entry };
        expect(await wholeReads(() => watched.transaction((tx) => tellNextOfSequence(tx, input)))).toEqual(
          [],
        );
        const hold = () => holdCallsOfTold(watched, { sequenceId, requestKey: "all" });
        expect(await wholeReads(hold)).toEqual([]);
        expect(await wholeReads(() => plan(watched, standingId))).toEqual([]);
      });
    });
  },
);
