import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { readProgress } from "../../../src/ledger/campaigns/progress.ts";
import {
  readReport,
  streamRejects,
  streamResults,
  type ResultRow,
  readVariableNames,
} from "../../../src/ledger/campaigns/reports.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  begin,
  contact,
  createScheduled,
  ended,
  finding,
  freshPhones,
  giveChunk,
  importWhole,
  listOfContacts,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  plan,
  planAndStart,
  running,
  tell,
} from "../support/scenario.ts";
import { completeImport } from "../../../src/ledger/campaigns/list-imports.ts";

const NOBODY = "00000000-0000-4000-8000-000000000000";
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

/** Runs a campaign to its end; `came` says what each number's attempts came to, one after the other. */
async function runToItsEnd(
  ledger: Ledger,
  id: string,
  came: ReadonlyMap<string, readonly Disposition[]>,
): Promise<void> {
  let nowMs = NOW_MS;
  const made = new Map<string, number>();
  for (let round = 0; round < 20; round += 1) {
    for (const batchId of await planAndStart(ledger, id, nowMs)) {
      const findings = (await openPhones(ledger, batchId)).map((phone) => {
        const attempt = made.get(phone) ?? 0;
        made.set(phone, attempt + 1);
        return ended(phone, came.get(phone)?.[attempt] ?? "answered", nowMs + MINUTE_MS);
      });
      await settleFindings(ledger, { batchId, findings, nowMs: nowMs + MINUTE_MS });
      await closeBatch(ledger, batchId, nowMs + MINUTE_MS);
    }
    nowMs += 11 * MINUTE_MS;
    if ((await plan(ledger, id, nowMs)).state === "completed") return;
  }
  throw new Error("the campaign did not end");
}

async function resultsOf(ledger: Ledger, id: string): Promise<{ pages: number[]; all: ResultRow[] }> {
  const all: ResultRow[] = [];
  const pages: number[] = [];
  for await (const page of streamResults(ledger.db, id)) {
    pages.push(page.length);
    all.push(...page);
  }
  return { pages, all };
}

describeLedgers("reports", (ledger) => {
  it("add up, at the end and on the way", async () => {
    const phones = freshPhones(7) as [string, string, string, string, string, string, string];
    const { id } = await createScheduled(ledger(), { concurrency: 3 });
    const begun = await begin(ledger(), id);
    await giveChunk(ledger(), begun, [
      ...phones.map((phone, index) => contact(phone, index + 2)),
      contact(phones[0], 20),
      { kind: "rejected", line: 21, code: "phone_invalid", reason: "no number", raw: "x" },
    ]);
    await tell(ledger(), "start", id).catch(() => undefined);
    await completeImport(ledger(), { importId: begun.id, nowMs: NOW_MS });
    await tell(ledger(), "start", id);
    await rows(
      ledger().db,
      sql`insert into suppressions (phone, source, reason, created_at) values (${phones[6]}, 'dnc', 'asked', now())`,
    );
    const [batchId] = await planAndStart(ledger(), id);
    const midway = given(await readReport(ledger().db, id));
    expect(midway.contacts).toEqual({ total: 7, done: 0, excluded: 1, open: 6, leased: 3 });
    expect(midway.batches).toEqual({ total: 1, unsettled: 1, heldSlots: 3 });
    await settleFindings(ledger(), {
      batchId: given(batchId),
      findings: [ended(phones[0], "busy"), ended(phones[1], "voicemail"), ended(phones[2], "no_answer")],
      nowMs: NOW_MS + MINUTE_MS,
    });
    await closeBatch(ledger(), given(batchId), NOW_MS + MINUTE_MS);
    await runToItsEnd(ledger(), id, new Map([[phones[2], ["unknown"]]]));
    const report = given(await readReport(ledger().db, id));
    expect(report).toMatchObject({
      state: "completed",
      rows: { read: 9, rejected: 1, duplicate: 1 },
      contacts: { total: 7, done: 6, excluded: 1, open: 0, leased: 0 },
      contactsDialed: 6,
      attempts: 8,
      dispositions: { answered: 4, unknown: 1, voicemail: 1 },
      attemptDispositions: { answered: 4, busy: 1, no_answer: 1, unknown: 1, voicemail: 1 },
      excludedReasons: { suppressed: 1 },
      batches: { unsettled: 0, heldSlots: 0 },
      talkSeconds: 160,
    });
    expect(report.rows.read).toBe(report.rows.rejected + report.rows.duplicate + report.contacts.total);
    expect(sum(report.dispositions)).toBe(report.contacts.done);
    expect(sum(report.excludedReasons)).toBe(report.contacts.excluded);
    expect(sum(report.attemptDispositions)).toBe(report.attempts);
    // Made again from the rows, any time.
    expect(await readReport(ledger().db, id)).toEqual(report);
  });

  it("give every contact with all its attempts, in the order of the list", async () => {
    const phones = freshPhones(3) as [string, string, string];
    const id = await running(ledger(), phones);
    await runToItsEnd(ledger(), id, new Map([[phones[1], ["busy", "busy", "voicemail"]]]));
    const { all } = await resultsOf(ledger(), id);
    expect(all.map((row) => [row.line, row.phone])).toEqual(phones.map((phone, index) => [index + 2, phone]));
    expect(all[1]).toMatchObject({
      state: "done",
      outcome: "voicemail",
      attempts: 3,
      attemptDispositions: ["busy", "busy", "voicemail"],
      callIds: [`call-${phones[1]}`, `call-${phones[1]}`, `call-${phones[1]}`],
      firstAttemptMs: NOW_MS + MINUTE_MS - 30_000,
      durationSeconds: 60,
      variables: { row: "3" },
    });
  });

  it("show a contact without an attempt, and leave out attempts that were given back", async () => {
    const phones = freshPhones(2) as [string, string];
    const id = await running(ledger(), phones);
    await plan(ledger(), id);
    await tell(ledger(), "pause", id);
    const { all } = await resultsOf(ledger(), id);
    expect(all).toMatchObject([
      {
        state: "open",
        attempts: 0,
        attemptDispositions: [],
        callIds: [],
        firstAttemptMs: null,
        durationSeconds: null,
      },
      { state: "open" },
    ]);
  });

  it("show a call that is up or provisional, with its id and without a disposition", async () => {
    const phones = freshPhones(2) as [string, string];
    const id = await running(ledger(), phones);
    const [batchId] = await planAndStart(ledger(), id);
    await settleFindings(ledger(), {
      batchId: given(batchId),
      findings: [
        finding(phones[0]),
        finding(phones[1], { outcome: { kind: "provisional", reason: "waits" } }),
      ],
      nowMs: NOW_MS,
    });
    expect((await resultsOf(ledger(), id)).all).toMatchObject(
      phones.map((phone) => ({ state: "leased", attemptDispositions: [], callIds: [`call-${phone}`] })),
    );
  });

  it("of a list of thousands come in pages, everybody once, beside other campaigns' contacts", async () => {
    const [one, two] = [await createScheduled(ledger()), await createScheduled(ledger())];
    const phones = freshPhones(2_345);
    const lists = [await begin(ledger(), one.id), await begin(ledger(), two.id)];
    for (let from = 0; from < phones.length; from += 500) {
      for (const list of lists)
        await giveChunk(ledger(), list, listOfContacts(phones).slice(from, from + 500));
    }
    const { pages, all } = await resultsOf(ledger(), one.id);
    expect(pages).toEqual([1_000, 1_000, 345]);
    expect(all.map((row) => row.phone)).toEqual(phones);
    expect((await resultsOf(ledger(), NOBODY)).all).toEqual([]);
  });

  it("of rejected rows come in pages over all lists of the campaign", async () => {
    const { id } = await createScheduled(ledger());
    const reject = (line: number) =>
      ({ kind: "rejected", line, code: "phone_invalid", reason: "no number", raw: `row ${line}` }) as const;
    await importWhole(
      ledger(),
      id,
      Array.from({ length: 1_500 }, (_, index) => reject(index + 2)),
      "one",
    );
    await importWhole(
      ledger(),
      id,
      Array.from({ length: 700 }, (_, index) => reject(index + 2)),
      "two",
    );
    const pages: number[] = [];
    const seen = new Set<string>();
    for await (const page of streamRejects(ledger().db, { campaignId: id })) {
      pages.push(page.length);
      for (const row of page) seen.add(`${row.source}:${row.line}`);
    }
    expect([pages, seen.size]).toEqual([[1_000, 1_000, 200], 2_200]);
  });

  it("name every variable that some contact has, sorted", async () => {
    const phones = freshPhones(3) as [string, string, string];
    const { id } = await createScheduled(ledger());
    await importWhole(ledger(), id, [
      contact(phones[0], 2, { variables: { zeta: "1", "first name": "A" } }),
      contact(phones[1], 3, { variables: {} }),
      contact(phones[2], 4, { variables: { alpha: "", "first name": "B" } }),
    ]);
    for (const atOnce of [1, 2, undefined])
      expect(await readVariableNames(ledger().db, id, atOnce)).toEqual(["alpha", "first name", "zeta"]);
    expect(await readVariableNames(ledger().db, NOBODY)).toEqual([]);
  });

  it("are none of a campaign that there is not", async () => {
    expect(await readReport(ledger().db, NOBODY)).toBeUndefined();
    expect(await readProgress(ledger().db, NOBODY)).toBeUndefined();
  });

  describe("progress", () => {
    it("shows slots, batches and why people wait, those of many zones together", async () => {
      const people = [
        contact(given(freshPhones(1)[0]), 2, { zones: ["America/New_York"] }),
        contact(given(freshPhones(1)[0]), 3, { zones: ["America/Toronto"] }),
        contact(given(freshPhones(1)[0]), 4, { zones: ["Europe/Berlin"] }),
      ];
      const id = await running(ledger(), people, { window: { weekdays: ["09:00-18:00"] } });
      await plan(ledger(), id);
      expect(await readProgress(ledger().db, id)).toMatchObject({
        campaign: { id, state: "running", tallies: { open: 2, leased: 1 } },
        heldSlots: 1,
        liveBatches: 1,
        holds: [{ reason: "window", detail: "until 2026-06-01T13:00:00.000Z", zoneSets: 2 }],
      });
    });

    it("shows the reasons that have stood longest, where there are very many", async () => {
      const id = await running(ledger(), []);
      await rows(
        ledger().db,
        sql`insert into holds (campaign_id, reason, detail, policy_version, from_at)
            select ${id}::uuid, 'reason ' || n, '', 1, to_timestamp(n) from generate_series(1, 30) n`,
      );
      const { holds } = given(await readProgress(ledger().db, id));
      expect([holds.length, holds[0]?.reason]).toEqual([20, "reason 1"]);
    });
  });
});
