import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";

import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { watchMoney } from "../../../src/chores/campaigns/watch-money.ts";
import { readReport } from "../../../src/ledger/campaigns/reports.ts";
import type { SandboxOptions } from "../../../src/sandbox/options.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import { expectAccounted, expectEachDialOnce } from "../../support/accounts.ts";
import {
  amend,
  phoneNumbers,
  startEngine,
  startTestCampaign,
  until,
  untilOver,
  type Engine,
  tell,
} from "../../support/engine.ts";
import { given, withLedger } from "../../support/ledgers.ts";

describe("a platform that behaves badly", () => {
  withLedger((ledger) => {
    let engine: Engine;
    let from = 200_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    /** @param callBoundMs after which nobody waits for what the platform does not tell: no machine is slower by default */
    const open = async (
      sandbox: SandboxOptions = {},
      faults: readonly Fault[] = [],
      callBoundMs = 60 * 60_000,
    ) => {
      engine = await startEngine(ledger(), { speed: 200, sandbox, pace: { callBoundMs } });
      for (const fault of faults) engine.sandbox.faults.add(fault);
      await engine.startWorkers();
      return engine;
    };
    afterEach(() => engine.close());

    const untilPaused = (id: string) =>
      until("the campaign to be paused", async () => {
        const campaign = given(await readCampaign(ledger().db, id));
        return campaign.state === "paused" ? campaign : undefined;
      });
    const resume = (id: string) => tell(engine, id, "resume");

    it.each<[string, Fault[], SandboxOptions]>([
      ["refuses the stream", [{ kind: "stream_refuse", status: 500 }], {}],
      ["keeps the stream silent", [{ kind: "stream_silence" }], {}],
      [
        "closes the stream after each message",
        [{ kind: "stream_close", after_messages: 1, abrupt: true }],
        {},
      ],
      ["sends no JSON", [{ kind: "stream_garble", mode: "not_json" }], {}],
      ["sends oversize messages", [{ kind: "stream_garble", mode: "oversize" }], {}],
      ["names wrong items", [{ kind: "stream_garble", mode: "wrong_ids" }], {}],
      ["lies about statuses", [{ kind: "stream_garble", mode: "false_status" }], {}],
      ["pages by seven, whatever it is asked", [{ kind: "items_page_cap", rows: 7 }], {}],
      ["has few words for items", [], { itemWords: "terse" }],
      ["shows itself as its published clients know it, under /api", [], { dialect: "published" }],
      ["picks batches up late", [{ kind: "pickup_delay", ms: 700 }], {}],
    ])("that %s changes no outcome", async (_name, faults, options) => {
      await open({ seed: 7, ...options }, faults);
      const phones = phoneNumbers(40, 900_000);
      const id = await startTestCampaign(engine, phones, {
        concurrency: 40,
        // A platform of few words says `completed` of voicemails, too.
        ...(options.itemWords === "terse" && {
          analysis: { rules: [{ key: "voicemail_detected", equals: true, disposition: "voicemail" }] },
        }),
      });
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
      // What a call comes to depends on the sandbox's seed, the number and how often it was dialed: nothing else.
      const outcomes = await rows<{ phone: string; outcome: string; attempts: number }>(
        ledger().db,
        sql`select phone, outcome, attempts from contacts where campaign_id = ${id}::uuid order by phone`,
      );
      expected ??= outcomes;
      expect(outcomes).toEqual(expected);
    });
    let expected: unknown;

    it("that uses a word nobody knows has its call counted as what the call itself says", async () => {
      await open({}, [{ kind: "item_words", words: { no_answer: "gone fishing" } }], 3_000);
      const id = await startTestCampaign(engine, people(20));
      await untilOver(engine, id);
      await expectAccounted(engine, id);
      const report = given(await readReport(ledger().db, id));
      expect(report.dispositions["unknown"]).toBeUndefined();
      // A call that was not answered says that it failed, and no more.
      expect(report.attemptDispositions["failed"]).toBeGreaterThan(0);
      expect(report.attemptDispositions["no_answer"]).toBeUndefined();
    });

    it("that uses a word nobody knows, and shows no such call, has it counted as dialed, once", async () => {
      const calls = { kind: "status", route: "GET /v1/calls/:id", status: 404 } as const;
      await open({}, [{ kind: "item_words", words: { no_answer: "gone fishing" } }, calls], 3_000);
      const id = await startTestCampaign(engine, people(20));
      await untilOver(engine, id);
      await expectAccounted(engine, id);
      const report = given(await readReport(ledger().db, id));
      expect(report.dispositions["unknown"]).toBeGreaterThan(0);
      expect(report.attemptDispositions["unknown"]).toBe(report.dispositions["unknown"]);
    });

    it.each(["create", "start"] as const)(
      "that forgets a batch after its %s leads to no second dial",
      async (event) => {
        await open({}, [{ kind: "vanish_on", event, times: 1 }], 3_000);
        const id = await startTestCampaign(engine, people(20), { concurrency: 5 });
        await untilOver(engine, id);
        await expectEachDialOnce(engine, id);
        const dials = new Map<string, number>();
        for (const dial of engine.sandbox.dialLog.entries())
          dials.set(dial.phone, (dials.get(dial.phone) ?? 0) + 1);
        const contacts = await rows<{ phone: string; attempts: number }>(
          ledger().db,
          sql`select phone, attempts from contacts where campaign_id = ${id}::uuid`,
        );
        for (const contact of contacts)
          expect(dials.get(contact.phone) ?? 0).toBeLessThanOrEqual(contact.attempts);
      },
    );

    it("that never ends a call does not keep the campaign", async () => {
      const phones = people(10);
      const endless = given(phones[3]);
      await open({}, [{ kind: "never_finish", phone: endless }], 3_000);
      const id = await startTestCampaign(engine, phones);
      await until("the call to be up", () => engine.sandbox.dialLog.of(endless).length > 0);
      const { spec } = given(await readCampaign(ledger().db, id));
      await amend(engine, id, { ...spec, ends_at: new Date(Date.now() + 2_000).toISOString() });
      await untilOver(engine, id);
      await expectAccounted(engine, id);
      expect(given(await readReport(ledger().db, id)).dispositions["unknown"]).toBe(1);
    });

    it("whose clock is wrong is not dialed through until it is right", async () => {
      await open({}, [{ kind: "date_skew", ms: 120_000 }]);
      const id = await startTestCampaign(engine, people(5));
      const hold = await until("the hold", async () => {
        const [open] = await rows<{ reason: string; detail: string }>(
          ledger().db,
          sql`select reason, detail from holds where campaign_id = ${id}::uuid and until_at is null and reason = 'clock'`,
        );
        return open;
      });
      expect(hold.detail).toContain("platform's clock differs");
      expect(engine.sandbox.dialLog.length).toBe(0);
      engine.sandbox.faults.clear();
      await engine.deps.platform.billing.balance();
      engine.deps.wake.campaign(id);
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
    });

    it.each<[string, Fault, RegExp]>([
      ["refuses the key", { kind: "status", route: "POST /v1/batch-calls", status: 401 }, /PLATFORM_API_KEY/],
      [
        "wants a scope",
        { kind: "status", route: "POST /v1/batch-calls/:id/start", status: 403 },
        /batch_calls:write/,
      ],
      [
        "refuses the request",
        { kind: "status", route: "POST /v1/batch-calls", status: 422, body: { detail: "no" } },
        /resume/,
      ],
    ])("that %s pauses the campaign with the remedy, and it goes on after", async (_name, fault, remedy) => {
      await open({}, [fault]);
      const id = await startTestCampaign(engine, people(8));
      expect((await untilPaused(id)).stateReason).toMatch(remedy);
      expect(engine.sandbox.dialLog.length).toBe(0);
      engine.sandbox.faults.clear();
      await resume(id);
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
    });

    it("that refuses one contact costs that contact alone", async () => {
      const detail = [
        {
          loc: ["body", "contacts", 2, "phone_number"],
          msg: "is a landline in a mobile plan",
          type: "value_error",
        },
      ];
      await open({}, [
        { kind: "status", route: "POST /v1/batch-calls", status: 422, body: { detail }, times: 1 },
      ]);
      const id = await startTestCampaign(engine, people(8));
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
      expect(given(await readReport(ledger().db, id)).excludedReasons).toEqual({ refused_by_platform: 1 });
    });

    it("that runs out of credit in the middle leaves nobody undialed once there is credit again", async () => {
      await open();
      engine.sandbox.setBalance(0.6);
      const id = await startTestCampaign(engine, people(30), { concurrency: 5 });
      await until("it waits for credit", async () => {
        const [open] = await rows<{ reason: string }>(
          ledger().db,
          sql`select reason from holds where campaign_id = ${id}::uuid and until_at is null and reason = 'credit'`,
        );
        return open;
      });
      await watchMoney(engine.deps);
      engine.sandbox.setBalance(1_000);
      await watchMoney(engine.deps);
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
    });
  });
});
