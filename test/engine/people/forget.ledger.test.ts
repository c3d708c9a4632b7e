import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

import { paceAt, type ActivityDeps } from "../../../src/activities/deps.ts";
import { FOLDER_FILE } from "../../../src/activities/follow-ups/recordings-folder.ts";
import { forgetPeople } from "../../../src/chores/people/forget.ts";
import { removeLeft, removeLeftHere } from "../../../src/chores/people/remove-left.ts";
import type { ExportPageWire, ForgettingWire } from "../../../src/http/wire/people/forgettings.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { isSuppressed, suppressedAmong } from "../../../src/ledger/ground/suppressions.ts";
import { recordConsents } from "../../../src/ledger/ground/consents.ts";
import { settleInboundCall } from "../../../src/ledger/triggers/inbound-calls.ts";
import { openApi, openSandbox } from "../../http/support.ts";
import { liveThrough, SECOND_CALL_MS } from "../../ledger/support/story-life.ts";
import {
  contact,
  createScheduled,
  DAY_MS,
  freshPhones,
  HOUR_MS,
  importWhole,
} from "../../ledger/support/scenario.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  EndlessListError,
  ForbiddenError,
  InternalServerError,
  NotFoundError,
  type Call,
  type Platform,
} from "../../../src/platform/index.ts";
import { callUs } from "../../support/inbound-call.ts";
import { noFollowUpPorts } from "../../support/ports.ts";
import { processedCall } from "../../support/processed-call.ts";

const NOW_MS = SECOND_CALL_MS + 2 * DAY_MS;
/** What somebody knows of the person: wherever it stands, it is found. */
const CANARY = "canary-of-jane-doe";

describeLedgers("a person who asked to be forgotten", (ledger) => {
  async function world({ speed }: { speed?: number } = {}) {
    const [phone] = freshPhones(1) as [string];
    const { platform, sandbox } = await openSandbox({ speed });
    const recordingsDir = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-recordings-"));
    onTestFinished(() => fs.rmSync(recordingsDir, { recursive: true, force: true }));
    let nowMs = NOW_MS;
    const logged: string[] = [];
    const note = (fields: object, message: string) => void logged.push(JSON.stringify([fields, message]));
    const deps: ActivityDeps = {
      ...noFollowUpPorts(),
      ledger: ledger(),
      platform,
      recordingsDir,
      wake: { campaign() {}, batch() {} },
      pace: paceAt(1_000),
      log: { info: note, warn: note, error: note },
      now: () => nowMs,
    };
    const life = await liveThrough(ledger(), phone, { name: `life ${randomUUID()}` });
    await plant(ledger(), { ...life, recordingsDir });
    const api = await openApi(ledger(), { now: () => nowMs });
    const url = `/v1/people/${encodeURIComponent(phone)}`;
    return {
      ...life,
      deps,
      sandbox,
      recordingsDir,
      logged,
      api,
      forget: async (payload: Record<string, unknown> = {}) => {
        const answer = await api.app.inject({
          method: "POST",
          url: `${url}/forget`,
          payload: { reason: "wrote to us", ...payload },
        });
        expect(answer.statusCode, answer.body).toBe(200);
        return answer.json<{ preview: Record<string, unknown>; forgetting: ForgettingWire | null }>();
      },
      exported: async () => {
        const records: ExportPageWire["records"] = [];
        const ask = async (after?: string): Promise<ExportPageWire> => {
          const query = { limit: "7", ...(after !== undefined && { after }) };
          const answer = await api.app.inject({ url: `${url}/export`, query });
          expect(answer.statusCode, answer.body + api.logged.join("; ")).toBe(200);
          return answer.json<ExportPageWire>();
        };
        let page = await ask();
        records.push(...page.records);
        while (page.next_after !== null) {
          page = await ask(page.next_after);
          records.push(...page.records);
        }
        return records;
      },
      forward: (ms: number) => {
        nowMs += ms;
      },
      read: async (id: string) =>
        (await api.app.inject({ url: `/v1/forgettings/${id}` })).json<ForgettingWire>(),
      /** The chore, until there is a certificate. */
      carryOut: async (id: string, on: ActivityDeps = deps): Promise<ForgettingWire> => {
        for (let turn = 0; turn < 12; turn += 1) {
          await forgetPeople(on);
          const one = (await api.app.inject({ url: `/v1/forgettings/${id}` })).json<ForgettingWire>();
          if (one.certificate !== null) return one;
          nowMs += 10 * 60_000;
          await settleAll(ledger(), phone, nowMs);
        }
        throw new Error(`not forgotten: ${(await api.app.inject({ url: `/v1/forgettings/${id}` })).body}`);
      },
    };
  }

  it("is in the export with all that is known, and then in no table but what the certificate says", async () => {
    const { phone, exported, forget, carryOut, recordingsDir } = await world();
    const before = await exported();
    const tables = new Set(before.map(({ table }) => table));
    expect([...tables]).toEqual(
      expect.arrayContaining([
        "contacts",
        "attempts",
        "refusals",
        "import_rejects",
        "enrolments",
        "journeys",
        "follow_ups",
        "actions",
        "tags",
        "trigger_items",
        "inbound_calls",
        "suppressions",
        "consents",
        "audit",
      ]),
    );
    expect(JSON.stringify(before)).toContain(CANARY);
    expect(new Set(before.map((one) => JSON.stringify(one))).size).toBe(before.length);
    const asked = given((await forget({ as_hash: true })).forgetting ?? undefined);
    const done = await carryOut(asked.id);
    expect(done).toMatchObject({
      state: "done",
      certificate: { waiting: [], complete_at: expect.any(String) as string },
    });
    expect(await found(ledger(), phone.slice(2))).toEqual([]);
    expect(await found(ledger(), CANARY)).toEqual([]);
    expect(fs.readdirSync(path.join(recordingsDir, "kept"))).toEqual([]);
    const certificate = given(done.certificate ?? undefined);
    expect(JSON.stringify(done)).not.toContain(phone.slice(2));
    expect(certificate.last_digits).toBe(phone.slice(-2));
    expect(certificate.removed).toMatchObject({
      contacts: 2,
      recordings: 1,
      tags: 1,
      inbound_calls: 1,
      consents: 1,
    });
    expect(certificate.kept.map(({ what, as }) => [what, as])).toEqual(
      expect.arrayContaining([
        ["suppressions", "digest"],
        ["consents and their withdrawals", "digest"],
        ["audit", "digest"],
      ]),
    );
    expect(certificate.elsewhere.map(({ where }) => where)).toContain("crm.example.com");
  });

  it("is gone from the platform, with calls, transcripts and recordings that were there, and in no line of the log", async () => {
    const { phone, campaignId, deps, api, logged, forget, carryOut } = await world();
    const { platform } = deps;
    const called = await processedCall(platform, phone);
    const inbound = await processedCall(platform, phone);
    const strangers = await processedCall(platform, "+12025550179");
    await rows(
      ledger().db,
      sql`update attempts set call_id = ${called} where id = (
            select min(id) from attempts where campaign_id = ${campaignId}::uuid and phone = ${phone})`,
    );
    await rows(ledger().db, sql`update inbound_calls set call_id = ${inbound} where phone = ${phone}`);
    expect(await ofNumber(platform, phone)).toHaveLength(2);
    expect(JSON.stringify(await platform.calls.get(called))).toContain("transcript");

    const asked = given((await forget()).forgetting ?? undefined);
    const done = await carryOut(asked.id);

    expect(await ofNumber(platform, phone)).toEqual([]);
    for (const callId of [called, inbound]) {
      await expect(platform.calls.get(callId)).rejects.toThrow(NotFoundError);
      await expect(platform.calls.recording(callId)).rejects.toThrow(NotFoundError);
    }
    expect((await platform.calls.get(strangers)).call_id).toBe(strangers);
    const certificate = given(done.certificate ?? undefined);
    expect(certificate.removed).toMatchObject({ platform_calls: 2 });
    // What its interface removes by no number stays there, and the certificate says so.
    expect(certificate.elsewhere.map(({ where }) => where)).toContain("the platform's chats");
    const lines = [...logged, ...api.logged].join("\n");
    expect(lines).not.toContain(CANARY);
    expect(lines).not.toContain(phone.slice(2));
  });

  it("waits for a recording in another process's folder with nothing else, and its certificate says so until it is gone", async () => {
    const { phone, deps, recordingsDir, forget, carryOut, read } = await world();
    const other = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-recordings-"));
    onTestFinished(() => fs.rmSync(other, { recursive: true, force: true }));
    fs.writeFileSync(path.join(other, FOLDER_FILE), "another-folder\n");
    const blind: ActivityDeps = { ...deps, recordingsDir: other };
    const { id } = given((await forget({ as_hash: true })).forgetting ?? undefined);

    const waiting = await carryOut(id, blind);
    expect(waiting.state).toBe("waiting");
    const certificate = given(waiting.certificate ?? undefined);
    expect(certificate.waiting).toMatchObject([
      { what: "recording", name: "call.ogg", where: `the folder for recordings ${folderOf(recordingsDir)}` },
    ]);
    expect(certificate.complete_at).toBeNull();
    expect(certificate.removed).not.toHaveProperty("recordings");
    expect(certificate.removed).toMatchObject({ contacts: 2 });
    expect(await found(ledger(), phone.slice(2))).toEqual([]);

    await removeLeftHere(blind);
    await removeLeft(blind);
    expect((await read(id)).state).toBe("waiting");
    const file = path.join(recordingsDir, "kept", "call.ogg");
    expect(fs.existsSync(file)).toBe(true);
    // A disk that is not mounted shows nothing, and nothing is gone by that.
    await removeLeftHere({ ...deps, recordingsDir: path.join(other, "not mounted") });
    expect((await read(id)).state).toBe("waiting");

    await removeLeftHere(deps);
    expect(fs.existsSync(file)).toBe(false);
    const done = await read(id);
    expect(done).toMatchObject({
      state: "done",
      certificate: {
        waiting: [],
        removed: { recordings: 1 },
        complete_at: expect.any(String) as string,
        done_at: certificate.done_at,
      },
    });
    await removeLeftHere(deps);
    expect(await read(id)).toEqual(done);
  });

  it("tells people of a recording whose folder nobody sees, until its id is put where recordings are kept", async () => {
    const { deps, recordingsDir, forget, carryOut, read, forward } = await world();
    const other = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-recordings-"));
    onTestFinished(() => fs.rmSync(other, { recursive: true, force: true }));
    fs.writeFileSync(path.join(other, FOLDER_FILE), "another-folder\n");
    const blind: ActivityDeps = { ...deps, recordingsDir: other };
    const { id } = given((await forget()).forgetting ?? undefined);
    await carryOut(id, blind);
    for (let tried = 0; tried < 4; tried += 1) {
      forward(DAY_MS);
      await removeLeft(blind);
    }
    forward(DAY_MS);
    await expect(removeLeft(blind)).rejects.toThrow(/1 recordings .* still to be removed, call\.ogg/);
    // Its machine is no more: whoever knows says so.
    fs.appendFileSync(path.join(other, FOLDER_FILE), `${folderOf(recordingsDir)}\n`);
    forward(DAY_MS);
    await removeLeft(blind);
    expect(await read(id)).toMatchObject({ state: "done", certificate: { removed: { recordings: 1 } } });
  });

  it("is held up by no call that the platform keeps: the certificate names it, people are told, and it is complete once the call is gone", async () => {
    const { phone, campaignId, deps, forget, carryOut, read, forward } = await world();
    const { platform } = deps;
    const called = await processedCall(platform, phone);
    await rows(
      ledger().db,
      sql`update attempts set call_id = ${called} where id = (
            select min(id) from attempts where campaign_id = ${campaignId}::uuid and phone = ${phone})`,
    );
    let keeps: string | undefined = called;
    const refusing: ActivityDeps = {
      ...deps,
      platform: {
        ...platform,
        calls: {
          ...platform.calls,
          delete: (callId, options) =>
            callId === keeps ? Promise.reject(serverError()) : platform.calls.delete(callId, options),
        },
      },
    };
    const { id } = given((await forget({ as_hash: true })).forgetting ?? undefined);

    const waiting = await carryOut(id, refusing);
    expect(waiting).toMatchObject({
      state: "waiting",
      certificate: {
        waiting: [{ what: "record of a call", name: called, where: "the platform" }],
        complete_at: null,
        removed: { recordings: 1, contacts: 2 },
      },
    });
    expect(waiting.certificate?.removed).not.toHaveProperty("platform_calls");
    expect(await found(ledger(), phone.slice(2))).toEqual([]);
    expect(await ofNumber(platform, phone)).toEqual([called]);

    for (let tried = 0; tried < 4; tried += 1) {
      await removeLeft(refusing);
      forward(DAY_MS);
    }
    await expect(removeLeft(refusing)).rejects.toThrow(`still to be removed, ${called} for example`);
    expect((await read(id)).state).toBe("waiting");
    keeps = undefined;
    forward(DAY_MS);
    await removeLeft(refusing);
    expect(await read(id)).toMatchObject({
      state: "done",
      certificate: { waiting: [], removed: { platform_calls: 1 }, complete_at: expect.any(String) as string },
    });
    expect(await ofNumber(platform, phone)).toEqual([]);
  });

  it("is on the phone with us while it is forgotten: the record of that call goes once it is over, and so does one that nobody had read of", async () => {
    // Nothing ends by itself while the test runs.
    const { phone, deps, sandbox, forget, carryOut, read, forward } = await world({ speed: 0.01 });
    const { platform } = deps;
    const [over, up, strangers] = [
      await callUs(sandbox, phone),
      await callUs(sandbox, phone),
      await callUs(sandbox, "+12025550179"),
    ];
    await platform.calls.end(over);

    const { id } = given((await forget({ as_hash: true })).forgetting ?? undefined);
    const waiting = await carryOut(id);
    expect(waiting).toMatchObject({
      state: "waiting",
      certificate: {
        waiting: [{ what: "record of a call", name: up, where: "the platform" }],
        removed: { platform_calls: 1, contacts: 2 },
      },
    });
    await expect(platform.calls.get(over)).rejects.toThrow(NotFoundError);
    await platform.calls.end(up);
    forward(DAY_MS);
    await removeLeft(deps);
    expect(await read(id)).toMatchObject({ state: "done", certificate: { removed: { platform_calls: 2 } } });
    await expect(platform.calls.get(up)).rejects.toThrow(NotFoundError);
    expect((await platform.calls.get(strangers)).call_id).toBe(strangers);
  });

  it("has the calls removed that the list shows from their number, and none to it or of another day; a row without an id holds up nothing", async () => {
    const { phone, deps, forget, carryOut } = await world();
    const { platform } = deps;
    const at = (ms: number) => new Date(NOW_MS + ms).toISOString();
    const call = { call_type: "inbound", status: "ended", to_number: "+12025550100" };
    const listed = [
      { ...call, call_id: "theirs", from_number: phone.slice(1), start_time: at(-23 * HOUR_MS) },
      { ...call, call_id: "of the day before", from_number: phone, start_time: at(-25 * HOUR_MS) },
      { ...call, call_id: "to theirs", from_number: "+12025550179", to_number: phone, start_time: at(0) },
      { ...call, call_id: "by us", call_type: "outbound", from_number: phone, start_time: at(0) },
    ] as Call[];
    const removed: string[] = [];
    const showing: ActivityDeps = {
      ...deps,
      platform: {
        ...platform,
        calls: {
          ...platform.calls,
          async *iterate(_query, walk) {
            if (!walk?.onUnreadable) throw new Error("a row without an id");
            walk.onUnreadable(1);
            yield* await Promise.resolve(listed);
          },
          delete: async (callId) => void removed.push(callId),
        },
      },
    };
    const { id } = given((await forget()).forgetting ?? undefined);
    await carryOut(id, showing);
    expect(removed.filter((callId) => listed.some(({ call_id: known }) => known === callId))).toEqual([
      "theirs",
    ]);
  });

  it("is told of what keeps it up where the list of calls to us can't be read, and not kept up by a key that may not read it", async () => {
    const { deps, forget, carryOut, read } = await world();
    const { platform } = deps;
    const failing = (error: () => Error): ActivityDeps => ({
      ...deps,
      platform: { ...platform, calls: { ...platform.calls, iterate: () => failingList(error) } },
    });
    const { id } = given((await forget()).forgetting ?? undefined);
    await expect(carryOut(id, failing(serverError))).rejects.toThrow(
      /platform's list of calls to us could not be read/,
    );
    expect((await read(id)).waits_for).toContain("list of calls to us could not be read");
    expect(await carryOut(id, failing(forbidden))).toMatchObject({ state: "done" });
  });

  it("is forgotten though the platform's list of calls to us leads to no end", async () => {
    const { deps, logged, forget, carryOut } = await world();
    const { platform } = deps;
    const repeating: ActivityDeps = {
      ...deps,
      platform: {
        ...platform,
        calls: {
          ...platform.calls,
          iterate: () => failingList(endless),
        },
      },
    };
    const { id } = given((await forget()).forgetting ?? undefined);
    expect(await carryOut(id, repeating)).toMatchObject({ state: "done" });
    expect(logged.join("\n")).toContain("the list of inbound calls was read in part only");
  });

  it("is never dialed again, though nothing but a digest stands for the number: not by the next list either", async () => {
    const { phone, forget, carryOut } = await world();
    await carryOut(given((await forget({ as_hash: true })).forgetting ?? undefined).id);
    const among = await suppressedAmong(ledger().db, {
      phones: [phone, "+12025550999"],
      brand: "default",
      nowMs: NOW_MS,
    });
    expect([...among]).toEqual([phone]);
    const [one] = await rows<{ is: boolean }>(
      ledger().db,
      sql`select ${isSuppressed(sql`${phone}`, sql`${"default"}`, NOW_MS)} as is`,
    );
    expect(one?.is).toBe(true);
    const { id } = await createScheduled(ledger(), { name: `again ${randomUUID()}` }, NOW_MS);
    await importWhole(ledger(), id, [contact(phone, 2)], `digest of ${id}`, NOW_MS);
    const [listed] = await rows<{ state: string; reason: string | null }>(
      ledger().db,
      sql`select state, reason from contacts where campaign_id = ${id}::uuid`,
    );
    expect(listed).toEqual({ state: "excluded", reason: "suppressed" });
  });

  it("leaves the tallies of campaigns, the attempts that prove what was dialed, and everybody else, as they were", async () => {
    const { phone, campaignId, forget, carryOut } = await world();
    const count = async () =>
      rows<Record<string, unknown>>(
        ledger().db,
        sql`select open_count + leased_count + done_count + excluded_count as accepted, attempt_count, dispositions,
              (select count(*)::int from contacts where campaign_id = ${campaignId}::uuid) as contacts,
              (select count(*)::int from attempts where campaign_id = ${campaignId}::uuid) as attempts,
              (select sum(duration_seconds) from attempts where campaign_id = ${campaignId}::uuid) as seconds
            from campaigns where id = ${campaignId}::uuid`,
      );
    const before = await count();
    const others = async () =>
      rows(
        ledger().db,
        sql`select id, phone, variables from contacts where phone like '+%' and phone <> ${phone} order by id`,
      );
    const others0 = await others();
    await carryOut(given((await forget()).forgetting ?? undefined).id);
    expect(await count()).toEqual(before);
    expect(await others()).toEqual(others0);
    // As it was asked for without a digest, the suppression has the number, and nothing else.
    expect(await found(ledger(), phone.slice(2))).toEqual(["suppressions.phone"]);
  });

  it("is the same request while it is under way, and a dry run is none", async () => {
    const { forget, api, phone } = await world();
    const dry = await forget({ dry_run: true });
    expect(dry.forgetting).toBeNull();
    expect(dry.preview).toMatchObject({ rows: { contacts: 2 }, recordings: 1 });
    const [none] = await rows<{ n: number }>(
      ledger().db,
      sql`select count(*)::int as n from forgettings where phone = ${phone}`,
    );
    expect(none?.n).toBe(0);
    const first = await forget();
    const second = await forget({ as_hash: true });
    expect(second.forgetting?.id).toBe(first.forgetting?.id);
    expect(second.forgetting?.as_hash).toBe(true);
    const refused = await api.app.inject({
      method: "POST",
      url: "/v1/people/12/forget",
      payload: { reason: "x" },
    });
    expect(refused.statusCode).toBe(422);
  });

  it("is waited for while a call may be up, and goes on after the process died between two steps", async () => {
    const { phone, deps, forget, carryOut } = await world();
    const { id } = given((await forget({ as_hash: true })).forgetting ?? undefined);
    // The ledger ends with the n-th transaction, as a process does.
    for (let survived = 0; survived < 30; survived += 3) {
      let left = survived;
      const dying: Ledger = {
        ...deps.ledger,
        transaction: (work) => {
          left -= 1;
          if (left < 0) throw new Error("killed");
          return deps.ledger.transaction(work);
        },
      };
      await forgetPeople({ ...deps, ledger: dying }).catch(() => {});
      await rows(
        ledger().db,
        sql`update forgettings set next_at = asked_at where id = ${id}::uuid and done_at is null`,
      );
      await settleAll(ledger(), phone, NOW_MS);
    }
    const done = await carryOut(id);
    expect(await found(ledger(), phone.slice(2))).toEqual([]);
    // Nothing is booked twice, however often it was begun.
    expect(done.certificate?.removed).toMatchObject({ contacts: 2, recordings: 1, tags: 1, consents: 1 });
  });
});

/** What a life does not have by itself: a follow-up's recording and webhook, a consent, words with the canary. */
async function plant(
  ledger: Ledger,
  life: { phone: string; campaignId: string; recordingsDir: string },
): Promise<void> {
  const { phone, campaignId, recordingsDir } = life;
  const { db } = ledger;
  fs.writeFileSync(path.join(recordingsDir, FOLDER_FILE), `${randomUUID()}\n`);
  fs.mkdirSync(path.join(recordingsDir, "kept"));
  fs.writeFileSync(path.join(recordingsDir, "kept", "call.ogg"), CANARY);
  await rows(
    db,
    sql`update contacts set variables = ${JSON.stringify({ name: CANARY })}::jsonb where phone = ${phone}`,
  );
  await rows(
    db,
    sql`update attempts set error_text = ${CANARY}, kept = ${JSON.stringify({ mood: CANARY })}::jsonb where phone = ${phone}`,
  );
  const followUps = await rows<{ id: string }>(
    db,
    sql`select f.id from follow_ups f join attempts a on a.id = f.attempt_id where a.campaign_id = ${campaignId}::uuid`,
  );
  const followUpId = given(followUps[0]).id;
  await rows(
    db,
    sql`update follow_ups set state = 'done', ended_at = created_at, look_by = null, labels = ${JSON.stringify({ name: CANARY })}::jsonb
        where id = ${followUpId}::uuid`,
  );
  const base = { subject: { phone, name: CANARY }, retry: { maxTries: 1, delaysMs: [1] } };
  const webhook = {
    ...base,
    kind: "webhook",
    url: `https://crm.example.com/people/${phone}?name=${CANARY}`,
    headers: { "x-name": CANARY },
    type: "call",
    data: { phone, name: CANARY },
    timeoutMs: 1,
    finalStatuses: [],
  };
  const recording = { ...base, kind: "recording", callId: "call", folder: "kept", timeoutMs: 1 };
  for (const [n, [spec, externalId]] of [
    [webhook, null],
    [recording, "kept/call.ogg"],
  ].entries() as IterableIterator<[number, [Record<string, unknown>, string | null]]>)
    await rows(
      db,
      sql`insert into actions (id, follow_up_id, owner, n, kind, spec, state, tries, external_id, request, answer, error, created_at, ended_at)
          values (${randomUUID()}::uuid, ${followUpId}::uuid, 'planted', ${n}, ${String(spec["kind"])}, ${JSON.stringify(spec)}::jsonb,
            'done', 1, ${externalId}, ${JSON.stringify({ body: CANARY })}::jsonb, ${JSON.stringify({ body: CANARY, kept_in: folderOf(recordingsDir) })}::jsonb, ${CANARY},
            '2026-03-09T18:00:00Z', '2026-03-09T18:00:00Z')`,
    );
  await ledger.transaction((tx) =>
    recordConsents(tx, {
      brand: "default",
      consents: [
        {
          phone,
          basis: "express_written",
          obtainedAtMs: NOW_MS - 90 * DAY_MS,
          proof: "form 7",
          expiresAtMs: undefined,
        },
      ],
      source: "list",
      nowMs: NOW_MS - 89 * DAY_MS,
    }),
  );
  await rows(
    db,
    sql`insert into request_keys (key, digest, at, status, answer)
        values (${`key of ${phone.slice(-4)} ${randomUUID()}`}, 'd', now(), 200, ${JSON.stringify({ phone })})`,
  );
  await rows(
    db,
    sql`insert into attention (kind, subject, brand, summary, remedy, at)
        values ('no_end', ${randomUUID()}, 'default', ${`the call to ${phone} has no end`}, 'look at it', now())`,
  );
}

const folderOf = (recordingsDir: string): string =>
  fs.readFileSync(path.join(recordingsDir, FOLDER_FILE), "utf8").trim();

function serverError(): InternalServerError {
  return new InternalServerError({
    status: 500,
    endpoint: undefined,
    problem: "answered 500",
    effect: "may_have_happened",
  });
}

/** A list of calls that can't be read. */
async function* failingList(why: () => Error): AsyncGenerator<Call, void, undefined> {
  await Promise.resolve();
  yield* [];
  throw why();
}

const forbidden = () =>
  new ForbiddenError({ status: 403, endpoint: undefined, problem: "answered 403", effect: "none" });

const endless = () =>
  new EndlessListError({ endpoint: undefined, problem: "the list repeats a page", effect: "none" });

/** Calls that the platform lists with a number. */
async function ofNumber(platform: Platform, phone: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { call_id: id, to_number: to } of platform.calls.iterate())
    if (to === phone) found.push(id);
  return found;
}

/** What workers and the platform would bring to its end. */
async function settleAll(ledger: Ledger, phone: string, nowMs: number): Promise<void> {
  const calls = await rows<{ call_id: string }>(
    ledger.db,
    sql`select call_id from inbound_calls where phone = ${phone} and settled_at is null`,
  );
  for (const { call_id: callId } of calls)
    await settleInboundCall(ledger.db, { callId, endedAtMs: nowMs, optedOut: false, nowMs });
  await rows(
    ledger.db,
    sql`update batches b set state = 'settled', settled_at = now(), held = 0, look_by = null from attempts a
        where a.batch_id = b.id and a.phone = ${phone} and a.state = 'ended' and b.state <> 'settled'`,
  );
  await rows(
    ledger.db,
    sql`update follow_ups f set state = 'done', ended_at = now(), look_by = null from attempts a
        where a.id = f.attempt_id and a.phone = ${phone} and f.ended_at is null`,
  );
}

/** Tables and columns in which a text stands. Ids of the platform, and keys of items, are digests and no numbers: only tests make them of one. */
async function found(ledger: Ledger, text: string): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    ledger.db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by table_name`,
  );
  const holding: string[] = [];
  for (const { name } of tables) {
    const hits = await rows<{ key: string }>(
      ledger.db,
      sql`select distinct k.key from ${sql.identifier(name)} t, jsonb_each_text(to_jsonb(t)) k
          where strpos(k.value, ${text}) > 0 and k.key not in ('call_id', 'item_id', 'key') order by k.key`,
    );
    holding.push(...hits.map(({ key }) => `${name}.${key}`));
  }
  return holding;
}
