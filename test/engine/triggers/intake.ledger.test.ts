import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { lookForInboundCalls } from "../../../src/chores/triggers/inbound.ts";
import { lookAtCall } from "../../../src/chores/triggers/look-at-call.ts";
import { noteCallHints, pruneCallHints, readCallHint } from "../../../src/ledger/campaigns/call-hints.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { LedgerUnavailableError, rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { readInboundCall } from "../../../src/ledger/triggers/inbound-calls.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import {
  batchOf,
  contactsOf,
  DAY_MS,
  ended,
  finding,
  freshPhones,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  permit,
  create,
  plan,
  planAndStart,
  running,
} from "../../ledger/support/scenario.ts";
import { openCallsServer, type CallsServer } from "../../support/calls-server.ts";
import { intakeDeps, outboxOf, sequenceOf, triggerOf, type IntakeDeps } from "../../support/intake.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import { takeDelivery } from "../../../src/chores/triggers/take-delivery.ts";
import { accept } from "../../support/accept.ts";

const OUR_NUMBER = "+12025550100";

describeSomeLedger("calls that webhooks name", (ledger) => {
  let server: CallsServer;
  let deps: IntakeDeps;
  let nowMs = NOW_MS;
  beforeAll(async () => {
    server = await openCallsServer();
  });
  beforeEach(() => {
    // A minute's worth of looks at the platform for each test.
    nowMs += MINUTE_MS;
    server.asked.length = 0;
    server.failing = undefined;
    deps = intakeDeps(ledger(), server.platform, () => nowMs);
  });
  afterAll(() => server.close());

  const hint = (...callIds: string[]) => ledger().transaction((tx) => noteCallHints(tx, { callIds, nowMs }));
  const look = (callId: string) => lookAtCall(deps, { callId });
  const stateOf = async (callId: string) => (await readCallHint(ledger().db, callId))?.state;
  /** Looks until there is nothing more to look at; time passes as it says. */
  const lookToEnd = async (callId: string) => {
    for (let times = 1; ; times += 1) {
      const again = await look(callId);
      if (!again) return times;
      if (times > 50) throw new Error(`call ${callId} is looked at without end`);
      nowMs = Math.max(nowMs, again.againAtMs);
    }
  };
  const callOf = (changes: Record<string, unknown> = {}) => {
    const call = {
      call_id: randomUUID(),
      call_type: "outbound",
      status: "ended",
      from_number: OUR_NUMBER,
      to_number: "+12025559999",
      duration_seconds: 12,
      created_at: new Date(nowMs).toISOString(),
      start_time: new Date(nowMs).toISOString(),
      processing_status: "completed",
      ...changes,
    };
    server.calls.set(call.call_id, call);
    return call.call_id;
  };
  /** Has the database refuse an inbound call with a code of its own. */
  const refusing = async (callId: string, code: string, work: () => Promise<void>) => {
    await rows(
      ledger().db,
      sql.raw(`create function refuse_call() returns trigger language plpgsql as $$
        begin
          if new.call_id = '${callId}' then raise exception 'a poisoned call' using errcode = '${code}'; end if;
          return new;
        end $$`),
    );
    await rows(
      ledger().db,
      sql`create trigger refuse_call before insert on inbound_calls for each row execute function refuse_call()`,
    );
    try {
      await work();
    } finally {
      await rows(ledger().db, sql`drop trigger refuse_call on inbound_calls`);
      await rows(ledger().db, sql`drop function refuse_call()`);
    }
  };
  const inboundFrom = (phone: string, changes: Record<string, unknown> = {}) =>
    callOf({ call_type: "inbound", from_number: phone, to_number: OUR_NUMBER, ...changes });

  describe("of ours", () => {
    it("have their follow-up told and their batch looked at, however often and however late they come", async () => {
      const [phone] = freshPhones(1) as [string];
      const campaignId = await running(ledger(), [phone], {}, nowMs);
      const [batchId] = await planAndStart(ledger(), campaignId, nowMs);
      const callId = randomUUID();
      const up = finding(phone, { callId });
      await settleFindings(ledger(), { batchId: given(batchId), findings: [up], nowMs });
      const followUpId = await followUpOf(ledger(), callId, nowMs);
      for (let nth = 0; nth < 3; nth += 1) await hint(callId, callId);
      expect(await outboxOf(ledger(), "call_hint")).toContain(callId);
      expect(await look(callId)).toBeUndefined();
      expect(deps.woken).toEqual([`batch ${given(batchId)}`]);
      expect(await outboxOf(ledger(), "follow_up")).toContain(followUpId);
      expect(await stateOf(callId)).toBe("ours");
      // The same look again hints at nothing new.
      await rows(ledger().db, sql`delete from outbox where subject = ${followUpId}`);
      await look(callId);
      expect(await outboxOf(ledger(), "follow_up")).not.toContain(followUpId);
      nowMs += HOUR_MS;
      await hint(callId);
      await look(callId);
      expect(await outboxOf(ledger(), "follow_up")).toContain(followUpId);
      expect(server.asked).toEqual([]);
    });

    it("that come before their call is known are kept for it, and its batch is looked at meanwhile", async () => {
      const [phone] = freshPhones(1) as [string];
      const campaignId = await running(ledger(), [phone], {}, nowMs);
      const [batchId] = await planAndStart(ledger(), campaignId, nowMs);
      const callId = callOf({ to_number: phone, status: "connected" });
      const hintedAtMs = nowMs;
      await hint(callId);
      expect(await look(callId)).toEqual({ againAtMs: expect.any(Number) });
      expect(deps.woken).toEqual([`batch ${given(batchId)}`]);
      expect(await readCallHint(ledger().db, callId)).toMatchObject({ lastAtMs: hintedAtMs });
      await settleFindings(ledger(), {
        batchId: given(batchId),
        findings: [finding(phone, { callId })],
        nowMs,
      });
      expect(await look(callId)).toBeUndefined();
      expect(await stateOf(callId)).toBe("ours");
    });
  });

  it("are kept for an attempt whose batch nobody gets to read for hours", async () => {
    const [phone] = freshPhones(1) as [string];
    const campaignId = await running(ledger(), [phone], {}, nowMs);
    const [batchId] = await planAndStart(ledger(), campaignId, nowMs);
    const callId = callOf({ to_number: phone, status: "connected" });
    await hint(callId);
    const hintedAtMs = nowMs;
    const askedBefore = server.asked.length;
    // At this pace as long as five hours are.
    while (nowMs < hintedAtMs + 3 * MINUTE_MS) nowMs = given(await look(callId)).againAtMs;
    expect(await readCallHint(ledger().db, callId)).toMatchObject({ state: "open", lastAtMs: hintedAtMs });
    expect(server.asked.length - askedBefore).toBeLessThan(20);
    const findings = [{ ...ended(phone), callId }];
    await settleFindings(ledger(), { batchId: given(batchId), findings, nowMs });
    expect(await look(callId)).toBeUndefined();
    expect(await stateOf(callId)).toBe("ours");
  });

  it("whose attempt is over and waits for its call are kept for it", async () => {
    const [phone] = freshPhones(1) as [string];
    const campaignId = await running(ledger(), [phone], {}, nowMs);
    const [batchId] = await planAndStart(ledger(), campaignId, nowMs);
    const outcome = { kind: "provisional", reason: "waits for its call" } as const;
    const waits = finding(phone, { callId: undefined, outcome });
    await settleFindings(ledger(), { batchId: given(batchId), findings: [waits], nowMs });
    const callId = callOf({ to_number: phone });
    await hint(callId);
    expect(await look(callId)).toEqual({ againAtMs: expect.any(Number) });
    expect(deps.woken).toEqual([`batch ${given(batchId)}`]);
    await settleFindings(ledger(), {
      batchId: given(batchId),
      findings: [{ ...ended(phone), callId }],
      nowMs,
    });
    expect(await look(callId)).toBeUndefined();
    expect(await stateOf(callId)).toBe("ours");
  });

  it("that an attempt comes to know while the platform is asked are ours", async () => {
    const [phone] = freshPhones(1) as [string];
    const campaignId = await running(ledger(), [phone], {}, nowMs);
    const [batchId] = await planAndStart(ledger(), campaignId, nowMs);
    const callId = callOf({ to_number: phone, status: "connected" });
    await hint(callId);
    const { calls } = deps.platform;
    const get: typeof calls.get = async (...input) => {
      const findings = [finding(phone, { callId })];
      await settleFindings(ledger(), { batchId: given(batchId), findings, nowMs });
      return calls.get(...input);
    };
    const racing = { ...deps, platform: { ...deps.platform, calls: { ...calls, get } } };
    expect(await lookAtCall(racing, { callId })).toEqual({ againAtMs: nowMs });
    expect(await look(callId)).toBeUndefined();
    expect(await stateOf(callId)).toBe("ours");
  });

  it("of one batch have it looked at once in a while for all of them, and never not at all", async () => {
    const phones = freshPhones(3);
    const campaignId = await running(ledger(), phones, {}, nowMs);
    const [batchId] = await planAndStart(ledger(), campaignId, nowMs);
    const callIds = phones.map(() => randomUUID());
    const findings = phones.map((phone, index) => finding(phone, { callId: given(callIds[index]) }));
    await settleFindings(ledger(), { batchId: given(batchId), findings, nowMs });
    const wakes = () => deps.woken.filter((one) => one === `batch ${given(batchId)}`).length;
    const [a, b, c] = callIds as [string, string, string];
    await hint(a, b, c);
    await look(a);
    nowMs += 1;
    await hint(b, c);
    const again = given(await look(b));
    expect(await look(c)).toEqual(again);
    expect(wakes()).toBe(1);
    nowMs = again.againAtMs;
    expect(await look(b)).toBeUndefined();
    expect(await look(c)).toBeUndefined();
    expect(wakes()).toBe(2);
    // Also where the clock that says when it was is set back.
    nowMs -= 3_600_000;
    await rows(ledger().db, sql`delete from call_hints where call_id = ${a}`);
    await hint(a);
    expect(await look(a)).toBeUndefined();
    expect(wakes()).toBe(3);
    nowMs += 3_600_000;
  });

  describe("of nobody", () => {
    it("cost one look where they were to a number that nobody is dialing, and none when they come again", async () => {
      const callId = callOf();
      await hint(callId);
      expect(await look(callId)).toBeUndefined();
      await hint(callId);
      expect(await look(callId)).toBeUndefined();
      expect(await stateOf(callId)).toBe("foreign");
      expect(server.asked).toEqual([callId]);
    });

    it("that nobody has are looked for a few times and given up", async () => {
      const callId = randomUUID();
      await hint(callId);
      expect(await lookToEnd(callId)).toBe(6);
      expect(await stateOf(callId)).toBe("foreign");
      expect(server.asked).toHaveLength(6);
    });

    it("come in a flood, and cost a bounded number of requests; the rest waits", async () => {
      const callIds = Array.from({ length: 100 }, () => randomUUID());
      await hint(...callIds);
      const before = nowMs;
      const later = [];
      for (const callId of callIds) later.push(await look(callId));
      expect(server.asked).toHaveLength(60);
      expect(later.every((again) => again !== undefined && again.againAtMs > before)).toBe(true);
      // Not all at once, again and again: each has a moment of its own.
      const moments = later.flatMap((again) =>
        again && again.againAtMs < before + 2 * MINUTE_MS ? [again.againAtMs] : [],
      );
      expect(new Set(moments).size).toBeGreaterThanOrEqual(40);
      nowMs += MINUTE_MS;
      for (const callId of callIds) await look(callId);
      expect(server.asked).toHaveLength(120);
    });

    it("are forgotten after a month", async () => {
      const callId = randomUUID();
      await hint(callId);
      expect(await pruneCallHints(ledger(), nowMs + 29 * DAY_MS)).toBe(0);
      expect(await pruneCallHints(ledger(), nowMs + 31 * DAY_MS)).toBeGreaterThan(0);
      expect(await stateOf(callId)).toBeUndefined();
    });

    it("while the platform is away fail, so that they are tried again, and nothing is decided", async () => {
      const callId = callOf();
      await hint(callId);
      server.failing = 503;
      await expect(look(callId)).rejects.toThrow();
      expect(await stateOf(callId)).toBe("open");
      server.failing = undefined;
      await look(callId);
      expect(await stateOf(callId)).toBe("foreign");
    });
  });

  describe("from people who call us", () => {
    const excluded = async (campaignId: string) =>
      (await contactsOf(ledger(), campaignId)).map(({ state, reason }) => reason ?? state);

    it("close what a campaign that says so still had to call, and nothing of one that ignores them", async () => {
      const [phone, other] = freshPhones(2) as [string, string];
      const closing = await running(ledger(), [phone, other], { inbound: "close" }, nowMs);
      const ignoring = await running(ledger(), [phone], {}, nowMs);
      nowMs += MINUTE_MS;
      const callId = inboundFrom(phone);
      await hint(callId);
      await lookToEnd(callId);
      expect(await readInboundCall(ledger().db, callId)).toMatchObject({ phone, settledAtMs: nowMs });
      const planned = await plan(ledger(), closing, nowMs);
      expect(await excluded(closing)).toEqual(["called_back", "leased"]);
      expect(planned.tallies).toMatchObject({ excluded: 1, leased: 1 });
      await plan(ledger(), ignoring, nowMs);
      expect(await excluded(ignoring)).toEqual(["leased"]);
    });

    it("take back who stands in a batch that has not called them, and stop a start", async () => {
      const phones = freshPhones(3) as [string, string, string];
      const started = await running(ledger(), phones.slice(0, 2), { inbound: "close" }, nowMs);
      const created = await running(ledger(), [phones[2]], { inbound: "close" }, nowMs);
      const [running1] = await planAndStart(ledger(), started, nowMs);
      const [batchId] = (await plan(ledger(), created, nowMs)).batchIds;
      await create(ledger(), given(batchId), nowMs);
      nowMs += 1_000;
      for (const phone of [phones[0], phones[2]]) {
        const callId = inboundFrom(phone);
        await hint(callId);
        await lookToEnd(callId);
      }
      expect(await batchOf(ledger(), running1)).toMatchObject({ stopReason: "policy" });
      expect(deps.woken).toContain(`batch ${given(running1)}`);
      expect(await permit(ledger(), given(batchId), nowMs)).toMatchObject({ kind: "elsewhere" });
      await plan(ledger(), created, nowMs);
      expect(await excluded(created)).toEqual(["called_back"]);
    });

    it("are asked about again in the transaction that permits the start", async () => {
      const [phone] = freshPhones(1) as [string];
      const campaignId = await running(ledger(), [phone], { inbound: "close" }, nowMs);
      const [batchId] = (await plan(ledger(), campaignId, nowMs)).batchIds;
      await create(ledger(), given(batchId), nowMs);
      nowMs += 1_000;
      await rows(
        ledger().db,
        sql`insert into inbound_calls (call_id, phone, at, created_at)
            values (${randomUUID()}, ${phone}, ${new Date(nowMs).toISOString()}::timestamptz, now())`,
      );
      expect(await permit(ledger(), given(batchId), nowMs)).toMatchObject({ kind: "stopped" });
      expect(await excluded(campaignId)).toEqual(["called_back"]);
    });

    it("put a contact off for as long as the campaign says, and count only since it was accepted", async () => {
      const [phone, before] = freshPhones(2) as [string, string];
      await running(ledger(), [before], {}, nowMs);
      const early = inboundFrom(before);
      await hint(early);
      await lookToEnd(early);
      nowMs += MINUTE_MS;
      const changes = { inbound: { reschedule: "2h" } };
      const campaignId = await running(ledger(), [phone, before], changes, nowMs);
      const callId = inboundFrom(phone);
      await hint(callId);
      await lookToEnd(callId);
      const calledAtMs = nowMs;
      await plan(ledger(), campaignId, nowMs);
      expect(await contactsOf(ledger(), campaignId)).toMatchObject([
        { state: "open", due_ms: calledAtMs + 2 * HOUR_MS },
        { state: "leased" },
      ]);
      nowMs += 2 * HOUR_MS;
      await plan(ledger(), campaignId, nowMs);
      expect(await contactsOf(ledger(), campaignId)).toMatchObject([{ state: "leased" }, {}]);
    });

    it("are found without any webhook, once, and only those who came through", async () => {
      const phones = freshPhones(4) as [string, string, string, string];
      const campaignId = await running(ledger(), phones, { inbound: "close" }, nowMs);
      nowMs += MINUTE_MS;
      const answered = inboundFrom(phones[0]);
      const ringing = inboundFrom(phones[1], { status: "ringing", duration_seconds: null });
      inboundFrom(phones[2], { status: "failed" });
      inboundFrom("+12025558888");
      inboundFrom(phones[3].slice(1), { status: "connected", duration_seconds: null });
      expect(await lookForInboundCalls(deps)).toEqual({ looked: true, found: 2 });
      expect(await lookForInboundCalls(deps)).toEqual({ looked: true, found: 0 });
      nowMs += 5 * MINUTE_MS;
      server.calls.set(ringing, { ...server.calls.get(ringing), status: "ended", duration_seconds: 30 });
      expect(await lookForInboundCalls(deps)).toEqual({ looked: true, found: 1 });
      await hint(answered);
      await lookToEnd(answered);
      await plan(ledger(), campaignId, nowMs);
      expect(await excluded(campaignId)).toEqual(["called_back", "called_back", "leased", "called_back"]);
    });

    it("are taken in beside one that the ledger is too slow for, which is taken in later", async () => {
      const phones = freshPhones(2) as [string, string];
      await running(ledger(), phones, { inbound: "close" }, nowMs);
      const slow = inboundFrom(phones[0]);
      const other = inboundFrom(phones[1]);
      await refusing(slow, "57014", async () => {
        for (let look = 0; look < 2; look += 1) {
          await expect(lookForInboundCalls(deps)).rejects.toBeInstanceOf(LedgerUnavailableError);
          nowMs += HOUR_MS;
        }
        expect(await readInboundCall(ledger().db, other)).toBeDefined();
      });
      expect(await lookForInboundCalls(deps)).toEqual({ looked: true, found: 1 });
      expect(await readInboundCall(ledger().db, slow)).toBeDefined();
    });

    it("are taken in beside one that can't be, which people are told of", async () => {
      const phones = freshPhones(3) as [string, string, string];
      await running(ledger(), phones, { inbound: "close" }, nowMs);
      const poisoned = inboundFrom(phones[0]);
      server.calls.set("without an id", { ...server.calls.get(poisoned), call_id: null });
      const others = [
        inboundFrom(phones[1]),
        inboundFrom(phones[2], { duration_seconds: "1e999", end_time: "99999" }),
      ];
      await refusing(poisoned, "23514", async () => {
        expect(await lookForInboundCalls(deps)).toEqual({ looked: true, found: 2 });
        for (const callId of others) expect(await readInboundCall(ledger().db, callId)).toBeDefined();
        const { items } = await listAttention(ledger().db, {
          kind: "step_failing",
          resolved: false,
          limit: 10,
        });
        expect(items).toMatchObject([
          { subject: `inbound call ${poisoned}`, summary: expect.stringContaining("a poisoned call") },
        ]);
      });
    });

    it("are all taken in where a list is too long to be read at once, in whichever order it comes", async () => {
      const phones = freshPhones(2) as [string, string];
      await running(ledger(), phones, { inbound: "close" }, nowMs);
      await lookForInboundCalls(deps);
      const strangers: string[] = [];
      // An hour in which nobody looked.
      for (let n = 0; n < 5_400; n += 1) {
        const created_at = new Date(nowMs + (n * HOUR_MS) / 5_400).toISOString();
        strangers.push(inboundFrom("+12025558888", { status: "failed", created_at }));
      }
      const calledAt = (minutes: number) => {
        const atText = new Date(nowMs + minutes * MINUTE_MS).toISOString();
        return { created_at: atText, start_time: atText };
      };
      const [early, late] = [inboundFrom(phones[0], calledAt(1)), inboundFrom(phones[1], calledAt(59))];
      nowMs += HOUR_MS;
      // Whoever passes the end of a period over leads nowhere: nothing is passed over for that, nor asked without end.
      server.ignoresEnd = true;
      server.asked.length = 0;
      await expect(lookForInboundCalls(deps)).rejects.toThrow(/inbound calls was read up to/);
      expect(server.asked.length).toBeLessThanOrEqual(200);
      expect(await readInboundCall(ledger().db, late)).toBeDefined();
      expect(await readInboundCall(ledger().db, early)).toBeUndefined();
      server.ignoresEnd = false;
      let looks = 0;
      for (let isThrough = false; !isThrough; looks += 1) {
        if (looks > 10) throw new Error("the list is never read to its end");
        isThrough = await lookForInboundCalls(deps).then(
          () => true,
          () => false,
        );
        nowMs += MINUTE_MS;
      }
      expect(looks).toBeGreaterThan(1);
      expect(await readInboundCall(ledger().db, early)).toBeDefined();
      for (const callId of strangers) server.calls.delete(callId);
    });

    it("are told to the sequences that they are in, once", async () => {
      const phone = "+12025550177";
      const enrolmentId = await enrolOne(ledger(), deps, phone, nowMs);
      const callId = inboundFrom(phone);
      await hint(callId);
      await lookToEnd(callId);
      await hint(callId);
      await lookToEnd(callId);
      const inbox = await rows<{ name: string; data: object }>(
        ledger().db,
        sql`select name, data from enrolment_inbox where enrolment_id = ${enrolmentId}::uuid`,
      );
      expect(inbox).toEqual([
        { name: "outdial.inbound_call", data: { call_id: callId, to_number: OUR_NUMBER } },
      ]);
      expect(await outboxOf(ledger(), "enrolment")).toContain(enrolmentId);
    });

    it("and opt out are suppressed once their call is processed, and batches that dial them stop", async () => {
      const [phone] = freshPhones(1) as [string];
      const rules = [{ key: "opted_out", equals: true, disposition: "opted_out" as const }];
      const campaignId = await running(ledger(), [phone], { brand: "acme", analysis: { rules } }, nowMs);
      const [batchId] = await planAndStart(ledger(), campaignId, nowMs);
      await running(ledger(), [phone], { brand: "another" }, nowMs);
      const callId = inboundFrom(phone, { processing_status: "processing" });
      await hint(callId);
      await look(callId);
      expect(await look(callId)).toEqual({ againAtMs: expect.any(Number) });
      server.calls.set(callId, {
        ...server.calls.get(callId),
        processing_status: "completed",
        call_analysis: { opted_out: true },
      });
      nowMs += 1_000;
      await hint(callId);
      expect(await look(callId)).toBeUndefined();
      const suppressed = await rows<{ brand: string; source: string }>(
        ledger().db,
        sql`select brand, source from suppressions where phone = ${phone}`,
      );
      expect(suppressed).toEqual([{ brand: "acme", source: "inbound call" }]);
      expect(await batchOf(ledger(), batchId)).toMatchObject({ stopReason: "suppression" });
      await look(callId);
      expect(await readInboundCall(ledger().db, callId)).toMatchObject({ settledAtMs: nowMs });
    });

    it("are not waited for without end where their call is never processed", async () => {
      const [phone] = freshPhones(1) as [string];
      const rules = [{ key: "opted_out", equals: true, disposition: "opted_out" as const }];
      await running(ledger(), [phone], { analysis: { rules } }, nowMs);
      const callId = inboundFrom(phone, { processing_status: "processing" });
      await hint(callId);
      await look(callId);
      nowMs += deps.pace.callBoundMs;
      expect(await look(callId)).toBeUndefined();
      expect((await readInboundCall(ledger().db, callId))?.settledAtMs).toBe(nowMs);
    });
  });
});

async function followUpOf(ledger: Ledger, callId: string, nowMs: number): Promise<string> {
  const id = randomUUID();
  const at = new Date(nowMs).toISOString();
  await rows(
    ledger.db,
    sql`insert into follow_ups (id, attempt_id, campaign_id, contact_id, phone, call_id, disposition, policy_version,
          state, wait_until, created_at)
        select ${id}::uuid, a.id, a.campaign_id, a.contact_id, a.phone, a.call_id, 'answered', 1, 'waiting',
          ${at}::timestamptz, ${at}::timestamptz
        from attempts a where a.call_id = ${callId}`,
  );
  return id;
}

async function enrolOne(ledger: Ledger, deps: IntakeDeps, phone: string, nowMs: number): Promise<string> {
  const trigger = await triggerOf(ledger, await sequenceOf(ledger));
  const deliveryId = await accept(ledger, {
    triggerId: trigger.id,
    key: phone,
    digest: "",
    body: { type: "json", headers: {}, text: JSON.stringify({ phone }) },
    nowMs,
  });
  await takeDelivery(deps, { deliveryId });
  const [enrolment] = await rows<{ id: string }>(
    ledger.db,
    sql`select id from enrolments where phone = ${phone}`,
  );
  return given(enrolment).id;
}
