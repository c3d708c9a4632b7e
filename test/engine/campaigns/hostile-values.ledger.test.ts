import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";

import { settleFromItems } from "../../../src/activities/campaigns/batch-settling.ts";
import { paceAt, type ActivityDeps } from "../../../src/activities/deps.ts";
import { tendFollowUp } from "../../../src/activities/follow-ups/tend-follow-up.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { readReport } from "../../../src/ledger/campaigns/reports.ts";
import { expectInvariants } from "../../ledger/support/invariants.ts";
import { batchOf, contactsOf, freshPhones, planAndStart, running } from "../../ledger/support/scenario.ts";
import { anyJson, garbled, openGarbagePlatform, type GarbagePlatform } from "../../support/garbage.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import { noFollowUpPorts } from "../../support/ports.ts";
import { seededRandom } from "../../support/random.ts";

const HOUR_MS = 3_600_000;
const ROUNDS = 15;
const PEOPLE = 8;

/** Hands on everything that there is of a call. */
const FOLLOW_UPS = [
  {
    id: "tell",
    on: ["answered" as const, "failed" as const, "unknown" as const],
    classify: [{ label: "word", value: "text(analysis.?asked.orValue(1))" }],
    actions: [
      {
        webhook: {
          url: "https://crm.example.com/calls",
          secret: "crm",
          data: { all: "call", analysis: "analysis", summary: 'call.?call_summary.orValue("")' },
        },
      },
      { callback: { at: 'text(call.?end_time.orValue("2h"))' } },
    ],
  },
];

describeSomeLedger("values of the platform that make no sense", (ledger) => {
  let server: GarbagePlatform;
  let deps: ActivityDeps;
  let aheadMs = 0;
  const errors: object[] = [];
  const random = seededRandom("garbage of the platform");
  beforeAll(async () => {
    server = await openGarbagePlatform();
    deps = {
      ledger: ledger(),
      platform: server.platform,
      wake: { campaign() {}, batch() {} },
      ...noFollowUpPorts(),
      pace: { ...paceAt(1), quietMs: 0, lookMs: 0 },
      log: { info() {}, warn() {}, error: (fields) => void errors.push(fields) },
      now: () => Date.now() + aheadMs,
    };
  });
  afterAll(() => server.close());

  /** A started batch of which the first is answered sensibly, and the others anyhow. */
  const begun = async () => {
    aheadMs = 0;
    server.asked.length = 0;
    const phones = freshPhones(PEOPLE);
    const nowMs = Date.now();
    const rules = [{ key: "asked", equals: "yes", disposition: "callback_requested" as const }];
    const changes = {
      concurrency: PEOPLE,
      follow_ups: FOLLOW_UPS,
      ...(random() < 0.5 && { analysis: { rules, wait: "1m" } }),
    };
    const id = await running(ledger(), phones, changes, nowMs);
    const [batchId] = await planAndStart(ledger(), id, nowMs);
    const { platformBatchId } = await batchOf(ledger(), batchId);
    const iso = new Date(nowMs + 1_000).toISOString();
    const callOf = (phone: string) => ({
      call_id: `call-${phone}`,
      status: "ended",
      to_number: phone,
      duration_seconds: 12,
      start_time: iso,
      end_time: iso,
      processing_status: "completed",
      call_analysis: { asked: "no" },
      call_summary: "they talked",
    });
    const itemOf = (phone: string) => ({
      item_id: `item-${phone}`,
      phone_number: phone,
      status: "completed",
      attempt_count: 1,
      call_id: `call-${phone}`,
      error_message: null,
      started_at: iso,
      completed_at: iso,
    });
    const listOf = (of: (phone: string) => object) => {
      const listed = phones.map((phone, index) =>
        index === 0
          ? JSON.stringify(of(phone))
          : random() < 0.1
            ? anyJson(random)
            : garbled(random, { ...of(phone) }),
      );
      return `{"items":[${listed.join(",")}],"total":${random() < 0.3 ? anyJson(random) : PEOPLE}}`;
    };
    const answer: GarbagePlatform["answer"] = ({ method, path, skip }) => {
      const callId = /^\/v1\/calls\/([^/]+)$/.exec(path)?.[1];
      const record = {
        batch_call_id: platformBatchId,
        status: "completed",
        total: PEOPLE,
        active: 0,
        started_at: iso,
      };
      if (path.endsWith("/items")) return skip > 0 ? "[]" : listOf(itemOf);
      if (path === "/v1/calls") return skip > 0 ? "[]" : listOf(callOf);
      if (callId !== undefined) {
        const call = callOf(decodeURIComponent(callId).replace("call-", ""));
        return call.to_number === phones[0] ? JSON.stringify(call) : garbled(random, call);
      }
      if (path === "/v1/batch-calls") return "[]";
      if (method !== "GET") return random() < 0.5 ? anyJson(random) : undefined;
      return garbled(random, { id: platformBatchId, ...record }, 0.3);
    };
    server.answer = answer;
    return { id, batchId: given(batchId), phones };
  };

  it("never keep what makes sense from being read, nor reach the ledger as something that it refuses", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, batchId, phones } = await begun();
      for (let look = 0; look < 3; look += 1) {
        const { result } = await settleFromItems(deps, await batchOf(ledger(), batchId), {
          proof: look === 2,
        });
        expect(result?.refused ?? []).toEqual([]);
        aheadMs += HOUR_MS;
      }
      const people = await contactsOf(ledger(), id);
      expect(people.find(({ phone }) => phone === phones[0])).toMatchObject({ outcome: "answered" });
      expect(given(await readReport(ledger().db, id)).talkSeconds).toBeGreaterThanOrEqual(12);
    }
    await expectInvariants(ledger());
    const beyond = await rows(
      ledger().db,
      sql`select 1 as one from attempts where started_at < planned_at or ended_at < planned_at or started_at > now() + interval '1 day'
            or duration_seconds not between 0 and 86400 or length(call_id) > 255 or length(item_status) > 100`,
    );
    expect(beyond).toEqual([]);
  });

  it("let every batch come to its end, and nobody be called for it once more", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, batchId } = await begun();
      let failures = 0;
      for (let look = 0; look < 60; look += 1) {
        if ((await batchOf(ledger(), batchId)).state === "settled") break;
        try {
          await tendBatch(deps, { batchId, lastStep: "tend" });
        } catch (error) {
          // The record itself can't be read: nothing else may fail.
          expect(error).toMatchObject({ code: "unexpected_response" });
          failures += 1;
        }
        aheadMs += HOUR_MS / 4;
      }
      const waiting = await rows<{ id: string }>(
        ledger().db,
        sql`select id from follow_ups where campaign_id = ${id}::uuid and state = 'waiting'`,
      );
      for (const { id: followUpId } of waiting) await tendFollowUp(deps, { followUpId, startedAtMs: 0 });
      expect((await batchOf(ledger(), batchId)).state, `after ${failures} failures`).toBe("settled");
      expect(server.asked.filter((one) => /start|resume|^POST \/v1\/batch-calls$/.test(one))).toEqual([]);
      for (const contact of await contactsOf(ledger(), id))
        expect(contact.attempts === 1 || contact.state === "open").toBe(true);
    }
    await expectInvariants(ledger());
    expect(errors.filter((fields) => "phone" in fields)).toEqual([]);
  });
});
