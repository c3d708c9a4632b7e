import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

import { paceAt, type ActivityDeps } from "../../../src/activities/deps.ts";
import { FOLDER_FILE } from "../../../src/activities/follow-ups/recordings-folder.ts";
import { removeAged } from "../../../src/chores/people/age.ts";
import { removeLeftHere } from "../../../src/chores/people/remove-left.ts";
import { beginClone, takeClonedPeople } from "../../../src/ledger/campaigns/cloning.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { readCallee } from "../../../src/ledger/campaigns/placements.ts";
import { raiseAttention, resolveAttention } from "../../../src/ledger/ground/attention.ts";
import { addTag } from "../../../src/ledger/campaigns/tags.ts";
import { clearRejects, listAgedCalls } from "../../../src/ledger/people/aging.ts";
import { bookAged } from "../../../src/ledger/ground/retention.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import {
  ForbiddenError,
  InternalServerError,
  type Platform,
  type PlatformError,
} from "../../../src/platform/index.ts";
import { openApi, openSandbox } from "../../http/support.ts";
import { liveThrough, SECOND_CALL_MS } from "../../ledger/support/story-life.ts";
import { DAY_MS, freshPhones, specOf } from "../../ledger/support/scenario.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { noFollowUpPorts } from "../../support/ports.ts";
import { processedCall } from "../../support/processed-call.ts";

const MINUTE_MS = 60_000;
const OVER_MS = SECOND_CALL_MS + DAY_MS;

describeLedgers("what is older than it is to be kept", (ledger) => {
  const all = <Row extends object>(statement: ReturnType<typeof sql>) => rows<Row>(ledger().db, statement);

  async function world(given_: { platform?: Platform } = {}) {
    const [phone] = freshPhones(1) as [string];
    const platform = given_.platform ?? (await openSandbox()).platform;
    const recordingsDir = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-recordings-"));
    onTestFinished(() => fs.rmSync(recordingsDir, { recursive: true, force: true }));
    const clock = { nowMs: OVER_MS };
    const deps: ActivityDeps = {
      ...noFollowUpPorts(),
      ledger: ledger(),
      platform,
      recordingsDir,
      wake: { campaign() {}, batch() {} },
      pace: paceAt(1_000),
      log: { info() {}, warn() {}, error() {} },
      now: () => clock.nowMs,
    };
    // Each test says what holds for it: the ledger is one for all of them.
    await rows(ledger().db, sql`delete from retention`);
    await rows(ledger().db, sql`delete from retention_progress`);
    await rows(ledger().db, sql`delete from unremoved_calls`);
    await rows(ledger().db, sql`delete from removals_left`);
    const life = await liveThrough(ledger(), phone, { name: `life ${randomUUID()}` });
    await bringToEnd(ledger(), phone);
    fs.writeFileSync(path.join(recordingsDir, "call.ogg"), "sound");
    await plantRecording(ledger(), life.campaignId);
    const api = await openApi(ledger(), { now: () => clock.nowMs });
    await api.app.ready();
    return {
      ...life,
      deps,
      api,
      recordingsDir,
      at: (ms: number) => {
        clock.nowMs = ms;
      },
      keep: async (keep: Record<string, string | null>, more: Record<string, unknown> = {}) => {
        const payload = { keep, reason: "a policy", ...more };
        const answer = await api.app.inject({ method: "PUT", url: "/v1/retention", payload });
        return { status: answer.statusCode, body: answer.body, ...answer.json<{ due?: Due[] }>() };
      },
      end: async () => {
        await rows(
          ledger().db,
          sql`update campaigns set state = 'completed', ended_at = ${new Date(OVER_MS).toISOString()}::timestamptz, look_by = null,
                breaker = 'closed', paused_by = null
              where id = ${life.campaignId}::uuid`,
        );
      },
      contact: async () =>
        given(
          (
            await all<{
              id: number;
              phone: string;
              variables: object;
              cleared: boolean;
              outcome: string | null;
            }>(
              sql`select id, phone, variables, cleared_at is not null as cleared, outcome from contacts
                  where campaign_id = ${life.campaignId}::uuid and state = 'done' order by id limit 1`,
            )
          )[0],
        ),
      tallies: () =>
        all(sql`select open_count, done_count, excluded_count, attempt_count, dispositions from campaigns
                where id = ${life.campaignId}::uuid`),
    };
  }

  it("stays for good, while nobody said how long", async () => {
    const { deps, at, end, contact } = await world();
    await end();
    at(OVER_MS + 5_000 * DAY_MS);
    expect(await removeAged(deps)).toEqual({});
    expect(await contact()).toMatchObject({
      variables: { api_token: "hush" },
      cleared: false,
    });
  });

  it("loses variables and recordings first and its number a year later, and what was counted stays", async () => {
    const { phone, campaignId, deps, at, end, contact, keep, tallies, recordingsDir } = await world();
    await end();
    expect(await keep({ contacts: "30d", attempts: "366d", recordings: "30d" })).toMatchObject({
      status: 200,
    });
    const counted = await tallies();
    const { id, outcome } = await contact();
    at(OVER_MS + 29 * DAY_MS);
    await removeAged(deps);
    expect(await contact()).toMatchObject({ id, phone, cleared: false });

    at(OVER_MS + 31 * DAY_MS);
    expect(await removeAged(deps)).toMatchObject({
      contacts: expect.any(Number) as number,
      recordings: expect.any(Number) as number,
    });
    expect(await contact()).toEqual({ id, phone, outcome, variables: {}, cleared: true });
    expect(fs.readdirSync(recordingsDir)).toEqual([]);
    // Whoever calls them again would not know what to say.
    expect(await readCallee(ledger().db, id)).toMatchObject({ phone, isCleared: true });
    expect(await cloneOf(ledger(), campaignId)).toEqual([]);

    at(OVER_MS + 367 * DAY_MS);
    expect(await removeAged(deps)).toMatchObject({ attempts: expect.any(Number) as number });
    expect(await contact()).toEqual({ id, phone: `forgotten:${id}`, outcome, variables: {}, cleared: true });
    expect(
      await all(sql`select 1 from attempts where phone = ${phone} and campaign_id = ${campaignId}::uuid`),
    ).toEqual([]);
    expect(await tallies()).toEqual(counted);
    expect(await removeAged(deps)).toEqual({});
  });

  it("stays with its campaign for as long as that goes on", async () => {
    const { deps, at, contact, keep } = await world();
    await keep({ contacts: "7d", attempts: "366d" });
    at(OVER_MS + 900 * DAY_MS);
    await removeAged(deps);
    expect(await contact()).toMatchObject({ cleared: false });
  });

  it("stays while a follow-up of it is not over", async () => {
    const { campaignId, deps, at, end, contact, keep } = await world();
    await end();
    await rows(
      ledger().db,
      sql`update follow_ups set ended_at = null, state = 'acting' where campaign_id = ${campaignId}::uuid`,
    );
    await keep({ contacts: "7d" });
    at(OVER_MS + 30 * DAY_MS);
    await removeAged(deps);
    expect(await contact()).toMatchObject({ cleared: false });
    await rows(
      ledger().db,
      sql`update follow_ups set ended_at = created_at, state = 'done' where campaign_id = ${campaignId}::uuid`,
    );
    await removeAged(deps);
    expect(await contact()).toMatchObject({ cleared: true });
  });

  it("stays while an action that failed waits for a person, and goes once it does not", async () => {
    const { campaignId, deps, at, end, contact, keep } = await world();
    await end();
    const id = randomUUID();
    const endedAt = new Date(OVER_MS).toISOString();
    await rows(
      ledger().db,
      sql`insert into actions (id, follow_up_id, owner, n, kind, spec, state, tries, error, created_at, ended_at)
          select ${id}::uuid, f.id, 'crm', 0, 'webhook', '{"kind": "webhook", "subject": {}, "data": {"a": 1}}', 'failed', 3,
            'HTTP 500', ${endedAt}::timestamptz, ${endedAt}::timestamptz
          from follow_ups f join attempts a on a.id = f.attempt_id join contacts c on c.id = a.contact_id
          where c.campaign_id = ${campaignId}::uuid and c.state = 'done' order by c.id limit 1`,
    );
    const said = async () =>
      given((await all<{ spec: object }>(sql`select spec from actions where id = ${id}::uuid`))[0]).spec;
    await ledger().transaction((tx) =>
      raiseAttention(tx, {
        kind: "action_failed",
        subject: id,
        brand: "default",
        summary: "it failed",
        remedy: "look",
        nowMs: OVER_MS,
      }),
    );
    await keep({ contacts: "7d", attempts: "366d", analysis: "30d", recordings: "30d" });
    at(OVER_MS + 400 * DAY_MS);
    await removeAged(deps);
    expect(await said()).toMatchObject({ data: { a: 1 } });
    expect(await contact()).toMatchObject({ cleared: false });
    const open = () => all(sql`select 1 from attention where subject = ${id} and resolved_at is null`);
    expect((await open()).length).toBe(1);

    const resolution = { by: "test", resolution: "skipped", nowMs: OVER_MS };
    await ledger().transaction((tx) =>
      resolveAttention(tx, { kind: "action_failed", subject: id, ...resolution }),
    );
    await removeAged(deps);
    expect(await said()).toMatchObject({ data: {}, forgotten: true });
    expect(await contact()).toMatchObject({ cleared: true });
  });

  it("keeps the tags of whom a contact still has its variables, and goes on behind them", async () => {
    const { phone, deps, at, end, keep } = await world();
    const [stranger] = freshPhones(1) as [string];
    const tagged = async () =>
      (
        await all<{ phone: string }>(
          sql`select distinct phone from tags where phone in (${phone}, ${stranger}) order by phone`,
        )
      ).map((one) => one.phone);
    await ledger().transaction(async (tx) => {
      for (const whom of [phone, stranger])
        await addTag(tx, { brand: "default", phone: whom, tag: "call back", source: "test", nowMs: OVER_MS });
    });
    await keep({ contacts: "7d" });
    at(OVER_MS + 30 * DAY_MS);
    await removeAged(deps);
    expect(await tagged()).toEqual([phone]);
    // Its campaign is over: the variables go, and the tags after them.
    await end();
    await rows(
      ledger().db,
      sql`update contacts set state = 'done', outcome = coalesce(outcome, 'answered'), ended_at = ${new Date(OVER_MS).toISOString()}::timestamptz,
            cleared_at = ${new Date(OVER_MS).toISOString()}::timestamptz where phone = ${phone}`,
    );
    await removeAged(deps);
    expect(await tagged()).toEqual([]);
  });

  it("passes over rows of lists that are too young at the first page of them", async () => {
    const { campaignId } = await world();
    const at0 = new Date(OVER_MS).toISOString();
    await rows(
      ledger().db,
      sql`with list as (
            insert into imports (campaign_id, digest, source_name, settings, created_at, updated_at)
            values (${campaignId}::uuid, ${randomUUID()}, 'young.csv', '{}', ${at0}::timestamptz, ${at0}::timestamptz) returning id)
          insert into import_rejects (import_id, line, code, reason, raw)
          select list.id, n, 'invalid_phone', 'no number', 'x' from list, generate_series(1, 1100) n`,
    );
    // Behind all that came before, and with more than a page of them left.
    const [last] = await all<{ id: number }>(sql`select max(id) - 1 as id from imports`);
    const step = { after: `${given(last).id} 999999`, nowMs: OVER_MS };
    const clear = (before: number) => ledger().transaction((tx) => clearRejects(tx, { ...step, before }));
    expect(await clear(OVER_MS - 1)).toEqual({ gone: 0, next: undefined });
    expect((await clear(OVER_MS + 1)).next).toBeDefined();
  });

  it("waits for a call whose outcome is not settled yet, and not for ever", async () => {
    const { campaignId, phone } = await world();
    await rows(
      ledger().db,
      sql`update attempts set planned_at = ${new Date(OVER_MS).toISOString()}::timestamptz`,
    );
    const [first] = await all<{ id: number }>(
      sql`select min(id) as id from attempts where campaign_id = ${campaignId}::uuid and phone = ${phone}`,
    );
    const { id } = given(first);
    await rows(
      ledger().db,
      sql`update attempts set state = 'provisional', call_id = ${`call ${id}`} where id = ${id}`,
    );
    const placeAt = async (before: number) =>
      (await listAgedCalls(ledger().db, { before, after: String(id - 1), limit: 200 })).place;
    expect(await placeAt(OVER_MS + DAY_MS)).toBeUndefined();
    expect(Number(await placeAt(OVER_MS + 31 * DAY_MS))).toBeGreaterThanOrEqual(id);
  });

  it("loses what was said in its calls, and the people of sequences go whole", async () => {
    const { phone, campaignId, enrolmentId, deps, at, end, keep } = await world();
    await end();
    await rows(
      ledger().db,
      sql`update attempts set kept = '{"mood": "glad"}', error_text = 'said so' where campaign_id = ${campaignId}::uuid`,
    );
    await rows(
      ledger().db,
      sql`update follow_ups set labels = '{"a": 1}' where campaign_id = ${campaignId}::uuid`,
    );
    const endedAt = new Date(OVER_MS).toISOString();
    await rows(
      ledger().db,
      sql`update enrolments set state = 'done', ended_at = ${endedAt}::timestamptz, look_by = null, wake_at = null
          where id = ${enrolmentId}::uuid`,
    );
    await keep({ analysis: "30d", enrolments: "90d" });
    at(OVER_MS + 91 * DAY_MS);
    const removed = await removeAged(deps);
    expect(removed).toMatchObject({
      analysis: expect.any(Number) as number,
      enrolments: expect.any(Number) as number,
    });
    expect(
      await all(
        sql`select 1 from attempts where campaign_id = ${campaignId}::uuid and (kept is not null or error_text is not null)`,
      ),
    ).toEqual([]);
    expect(
      await all(sql`select 1 from follow_ups where campaign_id = ${campaignId}::uuid and labels is not null`),
    ).toEqual([]);
    expect(await all(sql`select phone from enrolments where id = ${enrolmentId}::uuid`)).toEqual([
      { phone: `forgotten:${enrolmentId}` },
    ]);
    expect(
      await all(sql`select 1 from contacts where campaign_id = ${campaignId}::uuid and phone = ${phone}`),
    ).not.toEqual([]);
  });

  it("is told once of what went, by whoever comes after a process that died", async () => {
    const { deps } = await world();
    await ledger().transaction((tx) => bookAged(tx, { kind: "contacts", gone: 7, nowMs: OVER_MS }));
    expect(await removeAged(deps)).toEqual({ contacts: 7 });
    expect(await removeAged(deps)).toEqual({});
    const [told] = await all<{ detail: object }>(
      sql`select detail from audit where action = 'retention.applied' order by id desc limit 1`,
    );
    expect(told).toEqual({ detail: { removed: { contacts: 7 } } });
    const [event] = await all<{ data: object }>(
      sql`select data from events where type = 'retention.applied' order by era desc, tx desc, id desc limit 1`,
    );
    expect(event).toEqual({ data: { removed: { contacts: 7 } } });
  });

  it("is refused where rules about calling look back further, and is counted before anybody decides", async () => {
    const { keep, at, end, api } = await world();
    await end();
    at(OVER_MS + 400 * DAY_MS);
    expect(await keep({ attempts: "90d" })).toMatchObject({
      status: 422,
      body: expect.stringContaining("366d") as string,
    });
    expect(await keep({ chats: "90d" })).toMatchObject({
      status: 422,
      body: expect.stringContaining("contacts") as string,
    });
    expect(await keep({ deliveries: null })).toMatchObject({
      status: 422,
      body: expect.stringContaining("90d") as string,
    });
    const { due } = await keep({ contacts: "30d", recordings: "30d" }, { dry_run: true });
    const named = Object.fromEntries((due ?? []).map(({ kind, rows: n }) => [kind, n]));
    expect(named["contacts"]).toBeGreaterThan(0);
    expect(named["recordings"]).toBeGreaterThan(0);
    const { kinds } = (await api.app.inject({ url: "/v1/retention" })).json<{
      kinds: { kind: string; keep: string | null }[];
    }>();
    expect(kinds.find(({ kind }) => kind === "contacts")).toMatchObject({ keep: null });
    expect(kinds.find(({ kind }) => kind === "events")).toMatchObject({ keep: "30d" });
  });

  it("goes from the audit by its age alone, which the database holds to a year", async () => {
    const { deps, at, keep } = await world();
    const agoMs = Date.now() - 500 * DAY_MS;
    const old = new Date(agoMs).toISOString();
    await rows(
      ledger().db,
      sql`insert into audit (at, actor, action, detail) values (${old}::timestamptz, 'test', 'test.old', '{}')`,
    );
    await keep({ audit: "366d" });
    at(Date.now());
    await expect(rows(ledger().db, sql`delete from audit where action = 'test.old'`)).rejects.toThrow();
    expect(await removeAged(deps)).toMatchObject({ audit: expect.any(Number) as number });
    expect(await all(sql`select 1 from audit where action = 'test.old'`)).toEqual([]);
    // Whoever names the retention and asks for more is refused all the same.
    await expect(
      ledger().transaction(async (tx) => {
        await rows(tx, sql`select set_config('outdial.audit_by_age', 'on', true) as set`);
        await rows(tx, sql`delete from audit where at > now() - interval '300 days'`);
      }),
    ).rejects.toThrow();
    await expect(rows(ledger().db, sql`update audit set actor = 'nobody'`)).rejects.toThrow();
  });

  /** A life whose calls the platform has records of, and nothing else that it could be asked to remove. */
  async function calledWorld(refuses: (callId: string) => PlatformError | undefined = () => undefined) {
    const { platform } = await openSandbox();
    const asked: string[] = [];
    const remove = (callId: string) => {
      asked.push(callId);
      const refusal = refuses(callId);
      if (refusal) throw refusal;
      return platform.calls.delete(callId);
    };
    const one = await world({ platform: { ...platform, calls: { ...platform.calls, delete: remove } } });
    await rows(ledger().db, sql`update attempts set call_id = null where call_id is not null`);
    // Of the tests before this one: what is not settled is waited for.
    await rows(
      ledger().db,
      sql`update attempts set state = 'ended' where state <> 'returned' and campaign_id <> ${one.campaignId}::uuid`,
    );
    await rows(ledger().db, sql`delete from inbound_calls`);
    const attempts = await all<{ id: number }>(
      sql`select id from attempts where campaign_id = ${one.campaignId}::uuid order by id`,
    );
    const calls: string[] = [];
    for (const { id } of attempts) {
      const callId = await processedCall(platform, one.phone);
      await rows(ledger().db, sql`update attempts set call_id = ${callId} where id = ${id}`);
      calls.push(callId);
    }
    await one.keep({ platform_calls: "30d" });
    one.at(OVER_MS + 60 * DAY_MS);
    return { ...one, platform, asked, calls };
  }

  const failing = (status: number) => {
    const facts = {
      endpoint: undefined,
      problem: `answered ${status}`,
      effect: "may_have_happened",
      status,
    } as const;
    return new InternalServerError(facts);
  };

  it("is removed from the platform with its recording, once, and a walk that was cut off is gone on with", async () => {
    const { deps, at, platform, calls } = await calledWorld();
    at(OVER_MS + 10 * DAY_MS);
    await removeAged(deps);
    for (const callId of calls) expect((await platform.calls.get(callId)).call_id).toBe(callId);
    at(OVER_MS + 60 * DAY_MS);
    expect(await removeAged(deps)).toEqual({ platform_calls: calls.length });
    for (const callId of calls) {
      await expect(platform.calls.get(callId)).rejects.toThrow(/404|not found/i);
      await expect(platform.calls.recording(callId)).rejects.toThrow(/404|not found/i);
    }
    expect(await removeAged(deps)).toEqual({});
  });

  it("is gone from the platform with the number, though its records were to stay: nobody could find them any more", async () => {
    const { deps, at, end, keep, contact, platform, calls } = await calledWorld();
    await end();
    expect(calls).not.toEqual([]);
    expect(await keep({ platform_calls: null, attempts: "366d" })).toMatchObject({
      status: 200,
      due: expect.arrayContaining([{ kind: "platform_calls", rows: 0, more: false }]) as Due[],
    });
    await removeAged(deps);
    for (const callId of calls) expect((await platform.calls.get(callId)).call_id).toBe(callId);
    at(OVER_MS + 400 * DAY_MS);
    expect(await removeAged(deps)).toMatchObject({ platform_calls: calls.length });
    expect((await contact()).phone).toMatch(/^forgotten:/);
    for (const callId of calls) await expect(platform.calls.get(callId)).rejects.toThrow(/404|not found/i);
    await keep({ attempts: null });
  });

  it("is asked for again where the platform does not remove it, and keeps no other call from it", async () => {
    let kept: string | undefined;
    const { deps, at, keep, platform, calls, asked } = await calledWorld((callId) =>
      callId === kept ? failing(500) : undefined,
    );
    const [stuck, ...others] = calls as [string, ...string[]];
    expect(others).not.toEqual([]);
    kept = stuck;
    expect(await removeAged(deps)).toEqual({ platform_calls: others.length });
    expect(asked).toEqual(calls);
    // Not before its time, later each time, and people are told from the fifth time on.
    let nowMs = OVER_MS + 60 * DAY_MS;
    for (const minutes of [10, 20, 40]) {
      nowMs += minutes * MINUTE_MS;
      at(nowMs - 1);
      await removeAged(deps);
      at(nowMs);
      await removeAged(deps);
    }
    expect(asked.slice(calls.length)).toEqual([stuck, stuck, stuck]);
    nowMs += 80 * MINUTE_MS;
    at(nowMs);
    await expect(removeAged(deps)).rejects.toThrow(`of ${stuck} for example`);
    // Kept for longer meanwhile, or for good: then nobody asks, and nobody is told.
    await keep({ platform_calls: "366d" });
    at(nowMs + DAY_MS);
    expect(await removeAged(deps)).toEqual({});
    await keep({ platform_calls: null });
    at(nowMs + DAY_MS);
    expect(await removeAged(deps)).toEqual({});
    await keep({ platform_calls: "30d" });
    kept = undefined;
    expect(await removeAged(deps)).toEqual({ platform_calls: 1 });
    await expect(platform.calls.get(stuck)).rejects.toThrow(/404|not found/i);
    expect(await all(sql`select 1 from unremoved_calls`)).toEqual([]);
  });

  it("passes no call by for a key that may not remove calls, and not many while the platform removes none", async () => {
    let refusal: PlatformError | undefined = new ForbiddenError({
      endpoint: undefined,
      problem: "answered 403",
      effect: "none",
      status: 403,
    });
    const { deps, at, calls, asked, campaignId } = await calledWorld(() => refusal);
    for (let turn = 0; turn < 3; turn += 1)
      await expect(removeAged(deps)).rejects.toThrow("give it the right calls:delete");
    expect(new Set(asked)).toEqual(new Set(calls.slice(0, 1)));
    // More of them than a turn bears.
    asked.splice(0);
    await rows(
      ledger().db,
      sql`insert into attempts (campaign_id, contact_id, batch_id, attempt_no, phone, state, disposition, policy_version, planned_at, ended_at, settled_at, call_id)
          select a.campaign_id, a.contact_id, a.batch_id, g, a.phone, a.state, a.disposition, a.policy_version, a.planned_at, a.ended_at, a.settled_at, 'lost-' || g
          from (select * from attempts where campaign_id = ${campaignId}::uuid order by id limit 1) a, generate_series(100, 130) as g`,
    );
    refusal = failing(503);
    await expect(removeAged(deps)).rejects.toThrow("503");
    expect(asked).toHaveLength(10);
    expect(await all(sql`select call_id from unremoved_calls`)).toHaveLength(10);
    await rows(ledger().db, sql`delete from attempts where call_id like 'lost-%'`);
    await rows(ledger().db, sql`delete from unremoved_calls where call_id like 'lost-%'`);
    refusal = undefined;
    at(OVER_MS + 61 * DAY_MS);
    expect(await removeAged(deps)).toEqual({ platform_calls: calls.length });
  });

  it("goes with its file where another's can't be removed, and people are told of that one", async () => {
    const { deps, at, end, keep, campaignId, recordingsDir } = await world();
    await end();
    // A folder in the place of a file.
    fs.mkdirSync(path.join(recordingsDir, "stuck.ogg"));
    await rows(
      ledger().db,
      sql`insert into actions (id, follow_up_id, owner, n, kind, spec, state, tries, external_id, created_at, ended_at)
          select ${randomUUID()}::uuid, follow_up_id, 'planted', 8, kind, spec, state, tries, 'stuck.ogg', created_at - interval '1 day',
            ended_at - interval '1 day'
          from actions where external_id = 'call.ogg' and follow_up_id in (
            select id from follow_ups where campaign_id = ${campaignId}::uuid)`,
    );
    await keep({ recordings: "30d" });
    at(OVER_MS + 60 * DAY_MS);
    await expect(removeAged(deps)).rejects.toThrow("a recording could not be removed");
    expect(fs.readdirSync(recordingsDir)).toEqual(["stuck.ogg"]);
    fs.rmdirSync(path.join(recordingsDir, "stuck.ogg"));
    fs.writeFileSync(path.join(recordingsDir, "stuck.ogg"), "sound");
    expect(await removeAged(deps)).toEqual({ recordings: 1 });
  });

  it("counts a recording in another process's folder once that process has removed it, and not before", async () => {
    const { deps, at, end, keep, recordingsDir } = await world();
    await end();
    const other = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-recordings-"));
    onTestFinished(() => fs.rmSync(other, { recursive: true, force: true }));
    fs.writeFileSync(path.join(recordingsDir, FOLDER_FILE), "here\n");
    await rows(
      ledger().db,
      sql`update actions set answer = '{"kept_in": "here"}' where external_id = 'call.ogg'`,
    );
    await keep({ recordings: "30d" });
    at(OVER_MS + 60 * DAY_MS);
    expect(await removeAged({ ...deps, recordingsDir: other })).toEqual({});
    expect(fs.existsSync(path.join(recordingsDir, "call.ogg"))).toBe(true);
    await removeLeftHere({ ...deps, recordingsDir: other });
    expect(fs.existsSync(path.join(recordingsDir, "call.ogg"))).toBe(true);
    await removeLeftHere(deps);
    expect(fs.existsSync(path.join(recordingsDir, "call.ogg"))).toBe(false);
    expect(await removeAged({ ...deps, recordingsDir: other })).toMatchObject({
      recordings: expect.any(Number) as number,
    });
    expect(await all(sql`select 1 from removals_left where forgetting_id is null`)).toEqual([]);
  });
});

interface Due {
  kind: string;
  rows: number;
}

/** What workers would bring to its end. */
async function bringToEnd(ledger: Ledger, phone: string): Promise<void> {
  const { db } = ledger;
  await rows(
    db,
    sql`update batches b set state = 'settled', settled_at = now(), held = 0, look_by = null from attempts a
        where a.batch_id = b.id and a.phone = ${phone}`,
  );
  await rows(
    db,
    sql`update follow_ups f set state = 'done', ended_at = f.created_at, look_by = null from attempts a
        where a.id = f.attempt_id and a.phone = ${phone} and f.ended_at is null`,
  );
  await rows(
    db,
    sql`update actions n set state = 'done', ended_at = n.created_at from follow_ups f
        where f.id = n.follow_up_id and f.phone = ${phone} and n.state = 'due'`,
  );
}

async function plantRecording(ledger: Ledger, campaignId: string): Promise<void> {
  const spec = {
    kind: "recording",
    subject: {},
    callId: "call",
    folder: "",
    timeoutMs: 1,
    retry: { maxTries: 1, delaysMs: [1] },
  };
  await rows(
    ledger.db,
    sql`insert into actions (id, follow_up_id, owner, n, kind, spec, state, tries, external_id, created_at, ended_at)
        select ${randomUUID()}::uuid, f.id, 'planted', 9, 'recording', ${JSON.stringify(spec)}::jsonb, 'done', 1, 'call.ogg',
          ${new Date(OVER_MS).toISOString()}::timestamptz, ${new Date(OVER_MS).toISOString()}::timestamptz
        from follow_ups f where f.campaign_id = ${campaignId}::uuid order by f.created_at limit 1`,
  );
}

/** The numbers that a clone of a campaign takes. */
async function cloneOf(ledger: Ledger, sourceId: string): Promise<{ phone: string }[]> {
  const source = given(await readCampaign(ledger.db, sourceId));
  const clone = await beginClone(
    ledger,
    {
      source,
      spec: specOf(),
      whom: { people: "all", tag: undefined },
      actor: "test",
      nowMs: OVER_MS,
    },
    () => {},
  );
  await takeClonedPeople(ledger, clone.id, () => OVER_MS);
  return rows<{ phone: string }>(
    ledger.db,
    sql`select phone from contacts where campaign_id = ${clone.id}::uuid`,
  );
}
