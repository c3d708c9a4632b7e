import { randomBytes } from "node:crypto";

import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Finding } from "../../../src/domain/campaigns/findings.ts";
import { takeFollowFence } from "../../../src/ledger/campaigns/attempts.ts";
import { releaseStopped, worthPlanning } from "../../../src/ledger/campaigns/batch-slots.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { closeBatch, settleFindings, type SettleResult } from "../../../src/ledger/campaigns/settling.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import {
  batchOf,
  contactsOf,
  create,
  ended,
  finding,
  freshPhones,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  permit,
  plan,
  planAndStart,
  running,
  SECOND_MS,
} from "../support/scenario.ts";

const LATER_MS = NOW_MS + 2 * MINUTE_MS;

/** Beyond what an index of the database takes, and not to be compressed. */
const ENDLESS_ID = randomBytes(20_000).toString("base64");

const NOTHING: SettleResult = {
  fenced: false,
  ended: 0,
  calls: [],
  open: 0,
  provisional: 0,
  wakeCampaign: false,
  opensBreaker: false,
  isFreed: false,
  tellsOthers: false,
  stoppedBatches: [],
  refused: [],
};

/* What a settling says of what it wrote, which others go by (src/ledger/campaigns/settling.ts, batch-slots.ts). */
describe("a settling says", () => {
  withLedger((ledger) => {
    const started = async (people: number, changes: Partial<CampaignSpecInput> = {}) => {
      const phones = freshPhones(people);
      const id = await running(ledger(), phones, { concurrency: people, ...changes });
      const [batchId] = await planAndStart(ledger(), id);
      return { id, batchId: given(batchId), phones };
    };
    const settle = async (batchId: string, findings: readonly Finding[], fence?: number) =>
      given(
        await settleFindings(ledger(), {
          batchId,
          findings,
          nowMs: LATER_MS,
          ...(fence !== undefined && { fence }),
        }),
      );
    const setCampaign = (id: string, changes: ReturnType<typeof sql>) =>
      rows(ledger().db, sql`update campaigns set ${changes} where id = ${id}::uuid`);
    const suppress = (phone: string | undefined) =>
      ledger().transaction((tx) =>
        addSuppressions(tx, {
          entries: [{ phone: given(phone), brand: undefined, source: "test", reason: "asked" }],
          actor: "test",
          nowMs: NOW_MS,
        }),
      );
    const poisoned = (phone: string | undefined) => ({ ...ended(given(phone)), callId: ENDLESS_ID });

    it("nothing but how it stands where nothing is new", async () => {
      const { batchId, phones } = await started(3);
      await settle(batchId, [
        finding(given(phones[0]), { outcome: { kind: "provisional", reason: "waits" } }),
      ]);
      expect(await settle(batchId, [])).toEqual({ ...NOTHING, open: 2, provisional: 1 });
    });

    it("nothing of numbers that the batch does not have", async () => {
      const { batchId } = await started(2);
      const [stranger = ""] = freshPhones(1);
      expect(await settle(batchId, [ended(stranger)])).toEqual({ ...NOTHING, open: 2 });
    });

    it("to a follower that another took over from that it is fenced, and nothing else; the newest writes", async () => {
      const { id, batchId, phones } = await started(2);
      const old = given(await takeFollowFence(ledger().db, id));
      const fence = given(await takeFollowFence(ledger().db, id));
      const findings = phones.map((phone) => ended(phone));
      expect(await settle(batchId, findings, old)).toEqual({ ...NOTHING, fenced: true });
      expect(await settle(batchId, [poisoned(phones[0])], old)).toMatchObject({ fenced: true, ended: 0 });
      expect(await settle(batchId, findings, fence)).toMatchObject({ fenced: false, ended: 2 });
    });

    it("where findings are written one by one, what all of them came to", async () => {
      const { batchId, phones } = await started(5, {
        follow_ups: [{ id: "rule", on: ["voicemail"], actions: [{ tag: { tag: "warm" } }] }],
      });
      const [first, second, third, fourth, fifth] = phones;
      await suppress(fifth);
      const result = await settle(batchId, [
        poisoned(first),
        ended(given(second), "voicemail"),
        ended(given(third), "opted_out"),
        ended(given(fourth), "opted_out"),
        finding(given(fifth)),
      ]);
      expect(result).toMatchObject({
        fenced: false,
        ended: 4,
        open: 1,
        isFreed: true,
        tellsOthers: true,
        stoppedBatches: [batchId],
        refused: [{ phone: first, isBare: true }],
      });
      expect(result.calls.map(({ disposition }) => disposition)).toEqual([
        "answered",
        "voicemail",
        "opted_out",
        "opted_out",
      ]);
      const suppressed = await rows<{ phone: string }>(
        ledger().db,
        sql`select phone from suppressions where source = 'call' and phone in (${third}, ${fourth}) order by phone`,
      );
      expect(suppressed.map(({ phone }) => phone)).toEqual([third, fourth]);
    });

    it("where they are written one by one, that the campaign is to be woken up and its breaker opens", async () => {
      const { batchId, phones } = await started(8, {
        breaker: { newest: 10, at_least: 5, failed: 0.5 },
        retry: { max_attempts: 1 },
      });
      const failed = phones.slice(1, 7).map((phone) => ended(phone, "failed"));
      expect(await settle(batchId, [poisoned(phones[0]), ...failed])).toMatchObject({ opensBreaker: true });
      const last = await started(2);
      expect(
        await settle(last.batchId, [poisoned(last.phones[0]), ended(given(last.phones[1]))]),
      ).toMatchObject({ wakeCampaign: true, opensBreaker: false });
    });

    it("where they are written one by one, and nothing comes of it, just that", async () => {
      const { batchId, phones } = await started(3);
      const up = finding(given(phones[0]), { callId: ENDLESS_ID });
      expect(await settle(batchId, [up])).toEqual({
        ...NOTHING,
        open: 3,
        refused: [expect.objectContaining({ phone: phones[0], isBare: true })],
      });
    });

    it("where they are written one by one, that batches of others stop which dial whoever opted out", async () => {
      const { batchId, phones } = await started(2);
      const [poison = "", shared = ""] = phones;
      // It is over but for its call: another campaign may dial the number.
      await settle(batchId, [finding(shared, { outcome: { kind: "provisional", reason: "waits" } })]);
      const other = await running(ledger(), [shared], { concurrency: 1 });
      const dialing = given((await planAndStart(ledger(), other))[0]);
      const result = await settle(batchId, [ended(shared, "opted_out"), poisoned(poison)]);
      expect(result.stoppedBatches).toEqual([dialing]);
      expect((await batchOf(ledger(), dialing)).stopReason).toBe("suppression");
    });

    it("nothing of a batch that there is not, be a finding of it refused or not", async () => {
      const input = { batchId: "00000000-0000-4000-8000-000000000000", nowMs: LATER_MS };
      expect(await settleFindings(ledger(), { ...input, findings: [] })).toBeUndefined();
    });

    describe("that the campaign is to be woken up", () => {
      it("where its probe went well, which a planning ends", async () => {
        const { id, batchId, phones } = await started(6, {
          breaker: { newest: 10, at_least: 5, failed: 0.5, probe: { after: "10m", calls: 2, tries: 2 } },
        });
        const end = (n: number) => settle(batchId, [ended(given(phones[n]))]);
        expect(await end(0)).toMatchObject({ wakeCampaign: false });
        await setCampaign(id, sql`breaker = 'probing', newest_calls = ''`);
        expect(await end(1), "one of two is no verdict").toMatchObject({ wakeCampaign: false });
        expect(await end(2)).toMatchObject({ wakeCampaign: true, opensBreaker: false });
      });

      it("not where nobody is left in one that stands for callbacks: it does not end by that", async () => {
        const { id, batchId, phones } = await started(1);
        await settle(batchId, [ended(given(phones[0]))]);
        const campaign = given(await readCampaign(ledger().db, id));
        expect(await worthPlanning(ledger().db, campaign, undefined)).toBe(true);
        expect(await worthPlanning(ledger().db, { ...campaign, standing: true }, undefined)).toBe(false);
      });

      it("where a retry is due before it looks by itself, not at that moment or later", async () => {
        const retry = { max_attempts: 2, delays: { busy: "5m" } };
        const { id, batchId, phones } = await started(4, { retry });
        const dueMs = NOW_MS + 6 * MINUTE_MS;
        const busy = (n: number) => settle(batchId, [ended(given(phones[n]), "busy", NOW_MS + MINUTE_MS)]);
        const looksAt = (ms: number | undefined) =>
          setCampaign(
            id,
            sql`next_look_at = ${ms === undefined ? null : new Date(ms).toISOString()}::timestamptz`,
          );
        await looksAt(dueMs);
        expect(await busy(0)).toMatchObject({ wakeCampaign: false });
        const [contact] = await contactsOf(ledger(), id);
        expect(contact?.due_ms).toBe(dueMs);
        await looksAt(dueMs + 1);
        expect(await busy(1)).toMatchObject({ wakeCampaign: true });
        await looksAt(dueMs);
        expect(await busy(3)).toMatchObject({ wakeCampaign: false });
        // Nobody of it is up any more, and everybody is to be called again.
        await looksAt(undefined);
        expect(await busy(2)).toMatchObject({ wakeCampaign: false });
      });
    });

    describe("which batch it stopped, where one of its numbers is suppressed:", () => {
      it("its own, once, while that may dial", async () => {
        const { batchId, phones } = await started(2);
        await suppress(phones[0]);
        expect(await settle(batchId, [])).toMatchObject({ stoppedBatches: [batchId] });
        expect(await settle(batchId, [])).toMatchObject({ stoppedBatches: [] });
      });

      it("its own where its start is in the air, too", async () => {
        const id = await running(ledger(), freshPhones(1));
        const batchId = given((await plan(ledger(), id)).batchIds[0]);
        await create(ledger(), batchId);
        expect((await permit(ledger(), batchId)).kind).toBe("permitted");
        await suppress((await openPhones(ledger(), batchId))[0]);
        expect(await settle(batchId, [])).toMatchObject({ stoppedBatches: [batchId] });
      });

      it("none that was not started: whoever permits that asks", async () => {
        const id = await running(ledger(), freshPhones(1));
        const batchId = given((await plan(ledger(), id)).batchIds[0]);
        await create(ledger(), batchId);
        await suppress((await openPhones(ledger(), batchId))[0]);
        expect(await settle(batchId, [])).toMatchObject({ stoppedBatches: [] });
        expect((await batchOf(ledger(), batchId)).stopReason).toBeUndefined();
      });
    });

    describe("since when lines stand idle,", () => {
      const freedOf = async (id: string) => {
        const [row] = await rows<{ n: number; sum_ms: number }>(
          ledger().db,
          sql`select freed_count as n, freed_ms_sum as sum_ms from campaigns where id = ${id}::uuid`,
        );
        return given(row);
      };
      const endsAt = (ms: number) => NOW_MS + ms;

      it("where somebody waits for them: by the ends of the calls that held them", async () => {
        const { id, batchId, phones } = await started(4);
        await setCampaign(id, sql`freed_count = 0, freed_ms_sum = 0`);
        await settle(batchId, [ended(given(phones[0]), "answered", endsAt(SECOND_MS))]);
        expect(await freedOf(id), "nobody waits").toEqual({ n: 0, sum_ms: 0 });
        await setCampaign(id, sql`starved = true`);
        await settle(batchId, [
          finding(given(phones[1]), { outcome: { kind: "provisional", reason: "waits" } }),
        ]);
        await setCampaign(id, sql`freed_count = 0, freed_ms_sum = 0`);
        const { refused } = await settle(batchId, [
          ended(given(phones[1]), "answered", endsAt(2 * SECOND_MS)),
          ended(given(phones[2]), "answered", endsAt(3 * SECOND_MS)),
        ]);
        expect(refused).toEqual([]);
        expect(await freedOf(id), "the line of the one that waited was free before").toEqual({
          n: 1,
          sum_ms: endsAt(3 * SECOND_MS),
        });
      });

      it("of a batch with more people than lines: by the last of these ends, as many as it gives back", async () => {
        const phones = freshPhones(12);
        const id = await running(ledger(), phones, { concurrency: 1, retry: { max_attempts: 1 } });
        const batchId = given((await planAndStart(ledger(), id))[0]);
        const inIt = await openPhones(ledger(), batchId);
        expect(inIt.length).toBeGreaterThan(2);
        await setCampaign(id, sql`starved = true, freed_count = 0, freed_ms_sum = 0`);
        // The one that ended last stands in the middle.
        const at = (n: number) => endsAt((n === 1 ? inIt.length : n) * SECOND_MS);
        await settle(
          batchId,
          inIt.map((phone, n) => ended(phone, "answered", at(n))),
        );
        expect(await freedOf(id)).toEqual({ n: 1, sum_ms: at(1) });
        expect((await batchOf(ledger(), batchId)).held).toBe(0);
      });

      it("of as many as it gives back, and of none while more people are open than it has lines", async () => {
        const phones = freshPhones(40);
        const id = await running(ledger(), phones, { concurrency: 2, retry: { max_attempts: 1 } });
        const batchId = given((await planAndStart(ledger(), id))[0]);
        const inIt = await openPhones(ledger(), batchId);
        expect(inIt.length).toBeGreaterThan(6);
        await setCampaign(id, sql`starved = true, freed_count = 0, freed_ms_sum = 0`);
        const end = (from: number, to: number) =>
          settle(
            batchId,
            inIt.slice(from, to).map((phone, n) => ended(phone, "answered", endsAt((from + n) * SECOND_MS))),
          );
        const last = inIt.length - 1;
        await end(0, last - 2);
        expect(await freedOf(id), "three are open, of two lines").toEqual({ n: 0, sum_ms: 0 });
        await end(last - 2, last);
        expect(await freedOf(id)).toEqual({ n: 1, sum_ms: endsAt((last - 1) * SECOND_MS) });
      });

      it("not of a batch that holds no more than before", async () => {
        const { id, batchId } = await started(2);
        await setCampaign(id, sql`starved = true, freed_count = 0, freed_ms_sum = 0`);
        expect(await settle(batchId, [])).toMatchObject({ isFreed: false });
        expect(await freedOf(id)).toEqual({ n: 0, sum_ms: 0 });
      });
    });

    describe("of one that shows as stopped", () => {
      const stopped = async (people: number) => {
        const batch = await started(people);
        await rows(
          ledger().db,
          sql`update batches set state = 'draining', stop_reason = 'pause' where id = ${batch.batchId}::uuid`,
        );
        return batch;
      };
      const release = (batchId: string, up: number) => releaseStopped(ledger(), { batchId, up });

      it("that lines of it are free, and whether that is worth a planning", async () => {
        const { id, batchId } = await stopped(4);
        expect(await release(batchId, 3)).toEqual({ wakeCampaign: false, isFreed: true });
        expect((await batchOf(ledger(), batchId)).held).toBe(3);
        expect(await release(batchId, 3)).toEqual({ wakeCampaign: false, isFreed: false });
        expect(await release(batchId, 4)).toEqual({ wakeCampaign: false, isFreed: false });
        await setCampaign(id, sql`starved = true`);
        expect(await release(batchId, 0)).toEqual({ wakeCampaign: true, isFreed: true });
      });

      it("nothing while it runs, or is not there", async () => {
        const { batchId } = await started(2);
        expect(await release(batchId, 0)).toEqual({ wakeCampaign: false, isFreed: false });
        expect((await batchOf(ledger(), batchId)).held).toBe(2);
        expect(await release("00000000-0000-4000-8000-000000000000", 0)).toEqual({
          wakeCampaign: false,
          isFreed: false,
        });
      });
    });

    it("of one that it can't close nothing, and of one that is closed whether it was the last", async () => {
      const { batchId, phones } = await started(1);
      const close = (id: string) => closeBatch(ledger(), id, LATER_MS);
      expect(await close(batchId)).toEqual({ isClosed: false, isLast: false });
      expect(await close("00000000-0000-4000-8000-000000000000")).toEqual({ isClosed: false, isLast: false });
      await settle(batchId, [ended(given(phones[0]))]);
      expect(await close(batchId)).toEqual({ isClosed: true, isLast: true });
    });
  });
});
