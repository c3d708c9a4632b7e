import { expect, it } from "vitest";
import { sql } from "drizzle-orm";

import { cursorOf } from "../../../src/http/cursor.ts";
import { endOfPrefix } from "../../../src/ledger/campaigns/contact-listing.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import type { AttemptWire, BatchWire, ContactWire } from "../../../src/http/wire/campaigns/contacts.ts";
import {
  ended,
  freshPhones,
  MINUTE_MS,
  NOW_MS,
  plan,
  planAndStart,
  running,
  specOf,
} from "../../ledger/support/scenario.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import { openGuarded } from "../access/support.ts";
import { openApi, openSandbox, type TestApi } from "../support.ts";

interface Page<Item> {
  items: Item[];
  next_after: string | null;
}

async function ask<Answer>(api: TestApi, url: string, query: Record<string, string> = {}): Promise<Answer> {
  const answer = await api.app.inject({ url, query });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Answer>();
}

/** Every item of a list, page by page. */
async function everything<Item>(api: TestApi, url: string, query: Record<string, string>): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < 50; pages += 1) {
    const page: Page<Item> = await ask(api, url, { ...query, ...(after !== null && { after }) });
    items.push(...page.items);
    after = page.next_after;
    if (after === null) return items;
  }
  throw new Error(`${url} has no end`);
}

/** A campaign of ten: three answered, two busy and waiting, one on a call, four to come. */
async function campaignOfTen(ledger: Ledger, name: string, brand = "default") {
  const phones = freshPhones(10);
  const id = await running(ledger, phones, { ...specOf({ name }), brand, concurrency: 6 });
  const batchIds = await planAndStart(ledger, id);
  const leased = await rows<{ phone: string; batch: string }>(
    ledger.db,
    sql`select phone, batch_id::text as batch from attempts where campaign_id = ${id}::uuid order by id`,
  );
  expect(leased.length).toBeGreaterThanOrEqual(6);
  const over = leased.slice(0, 5);
  for (const batchId of batchIds) {
    const findings = over.flatMap(({ phone, batch }, at) =>
      batch === batchId ? [ended(phone, at < 3 ? "answered" : "busy", NOW_MS + MINUTE_MS)] : [],
    );
    if (findings.length > 0) await settleFindings(ledger, { batchId, findings, nowMs: NOW_MS + MINUTE_MS });
  }
  const of = (from: number, to: number) => over.slice(from, to).map(({ phone }) => phone);
  return {
    id,
    phones,
    batchIds,
    answered: of(0, 3),
    busy: of(3, 5),
    live: leased.slice(5).map(({ phone }) => phone),
    waiting: phones.filter((phone) => !leased.some((one) => one.phone === phone)),
  };
}

const phonesOf = (items: readonly { phone: string }[]) => items.map(({ phone }) => phone);

describeSomeLedger("lists of a campaign over HTTP", (ledger) => {
  it("have every contact once, in the order of its list, whatever the length of a page", async () => {
    const api = await openApi(ledger());
    const { id, phones } = await campaignOfTen(ledger(), "every contact");
    const url = `/v1/campaigns/${id}/contacts`;
    for (const limit of ["1", "3", "10", "500"])
      expect(phonesOf(await everything<ContactWire>(api, url, { limit }))).toEqual(phones);
  });

  it("find contacts by state, outcome, last call, number of calls, when they are due, and their number", async () => {
    const api = await openApi(ledger());
    const { id, phones, answered, busy, live, waiting } = await campaignOfTen(ledger(), "found");
    const find = async (query: Record<string, string>) =>
      phonesOf(
        await everything<ContactWire>(api, `/v1/campaigns/${id}/contacts`, { limit: "2", ...query }),
      ).toSorted();
    expect(await find({ state: "done" })).toEqual(answered.toSorted());
    expect(await find({ outcome: "answered" })).toEqual(answered.toSorted());
    expect(await find({ outcome: "busy" })).toEqual([]);
    expect(await find({ state: "leased" })).toEqual(live.toSorted());
    expect(await find({ state: "open" })).toEqual([...busy, ...waiting].toSorted());
    expect(await find({ last_disposition: "busy" })).toEqual(busy.toSorted());
    expect(await find({ attempts: "1" })).toEqual([...answered, ...busy].toSorted());
    expect(await find({ attempts: "0", state: "open" })).toEqual(waiting.toSorted());
    const due = new Date(NOW_MS + 5 * MINUTE_MS).toISOString();
    expect(await find({ due_from: due })).toEqual(busy.toSorted());
    expect(await find({ due_before: due })).toEqual(waiting.toSorted());
    const [first = ""] = phones;
    expect(await find({ phone: first })).toEqual([first]);
    expect(await find({ phone_prefix: first.slice(0, 8) })).toEqual(
      phones.filter((phone) => phone.startsWith(first.slice(0, 8))).toSorted(),
    );
    expect(await find({ phone_prefix: "+49" })).toEqual([]);
    await rows(
      ledger().db,
      sql`insert into refusals (contact_id, reason, policy_version, detail, first_at, last_at)
          select id, 'least_gap', 1, 'called a moment ago', now(), now() from contacts
          where campaign_id = ${id}::uuid and phone = ${given(waiting[0])}`,
    );
    expect(await find({ refused_by: "least_gap" })).toEqual([waiting[0]]);
    await rows(
      ledger().db,
      sql`update contacts set state = 'excluded', reason = 'suppressed', ended_at = now()
          where campaign_id = ${id}::uuid and phone = ${given(waiting[1])}`,
    );
    expect(await find({ state: "excluded", reason: "suppressed" })).toEqual([waiting[1]]);
    expect(await find({ reason: "suppressed" })).toEqual([waiting[1]]);
    expect(await find({ state: "excluded", reason: "withdrawn" })).toEqual([]);
  });

  it("show attempts, calls that are up, and batches, each once, and one batch with its people", async () => {
    const api = await openApi(ledger());
    const { id, answered, busy, live, batchIds } = await campaignOfTen(ledger(), "calls");
    const over = [...answered, ...busy];
    const find = (of: string, query: Record<string, string>) =>
      everything<AttemptWire>(api, `/v1/campaigns/${id}/${of}`, query);
    for (const limit of ["1", "2", "50"]) {
      const seen = await find("attempts", { limit });
      expect(phonesOf(seen).toSorted()).toEqual([...over, ...live].toSorted());
      expect(new Set(seen.map(({ attempt_id }) => attempt_id)).size).toBe(seen.length);
      expect(phonesOf(await find("calls", { limit, state: "live" })).toSorted()).toEqual(live.toSorted());
      expect(phonesOf(await find("calls", { limit, state: "ended" })).toSorted()).toEqual(over.toSorted());
      const busyOnes = await find("calls", { limit, disposition: "busy" });
      expect(phonesOf(busyOnes).toSorted()).toEqual(busy.toSorted());
    }
    const [one = ""] = answered;
    expect(await find("calls", { phone: one })).toMatchObject([
      { phone: one, state: "ended", decided: true, disposition: "answered", call_id: `call-${one}` },
    ]);
    const batches = await everything<BatchWire>(api, `/v1/campaigns/${id}/batches`, { limit: "1" });
    expect(batches.map(({ batch_id }) => batch_id).toSorted()).toEqual(batchIds.toSorted());
    const shown = await ask<{ attempts: AttemptWire[]; states: Record<string, number> }>(
      api,
      `/v1/campaigns/${id}/batches/${given(batchIds[0])}`,
    );
    expect(Object.values(shown.states).reduce((sum, n) => sum + n, 0)).toBe(shown.attempts.length);
    expect(shown.attempts.every(({ batch_id }) => batch_id === batchIds[0])).toBe(true);
    const none = await api.app.inject({ url: `/v1/campaigns/${id}/batches/${crypto.randomUUID()}` });
    expect([none.statusCode, none.json()]).toMatchObject([404, { code: "unknown_batch" }]);
  });

  it("tell a planned call from one that may ring, and both from one that was not made", async () => {
    const api = await openApi(ledger());
    const id = await running(ledger(), freshPhones(2), { concurrency: 2 });
    const { batchIds } = await plan(ledger(), id);
    const states = async () =>
      (await everything<AttemptWire>(api, `/v1/campaigns/${id}/attempts`, {})).map(({ state }) => state);
    expect(new Set(await states())).toEqual(new Set(["planned"]));
    expect(await everything(api, `/v1/campaigns/${id}/calls`, {})).toEqual([]);
    await rows(
      ledger().db,
      sql`update batches set state = 'running', start_sent_at = now(), start_no = 1 where campaign_id = ${id}::uuid`,
    );
    expect(new Set(await states())).toEqual(new Set(["live"]));
    await rows(
      ledger().db,
      sql`update attempts set state = 'returned', settled_at = now() where batch_id = ${given(batchIds[0])}::uuid`,
    );
    expect(await states()).toContain("not_dialed");
    const found = await everything<AttemptWire>(api, `/v1/campaigns/${id}/attempts`, { state: "not_dialed" });
    expect(found.length).toBeGreaterThan(0);
  });

  it("show one contact with its calls, its variables, and why it is not called now", async () => {
    const api = await openApi(ledger());
    const { id, busy, answered } = await campaignOfTen(ledger(), "one contact");
    const [phone = ""] = busy;
    const url = `/v1/campaigns/${id}/contacts/${encodeURIComponent(phone)}`;
    expect(await ask(api, url)).toMatchObject({
      phone,
      state: "open",
      last_disposition: "busy",
      variables: { row: expect.any(String) },
      calls: [{ phone, disposition: "busy", state: "ended" }],
      waits_for: [{ reason: "slots" }],
    });
    await api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/pause`, payload: { reason: "lunch" } });
    expect(await ask(api, url)).toMatchObject({
      waits_for: expect.arrayContaining([expect.objectContaining({ reason: "paused", detail: "lunch" })]),
    });
    const done = await ask(api, `/v1/campaigns/${id}/contacts/${encodeURIComponent(given(answered[0]))}`);
    expect(done).toMatchObject({ state: "done", outcome: "answered", waits_for: [] });
    const none = await api.app.inject({ url: `/v1/campaigns/${id}/contacts/%2B12025550123` });
    expect([none.statusCode, none.json()]).toMatchObject([404, { code: "unknown_contact" }]);
  });

  it("find a number in every campaign that has it, the newest first, page by page", async () => {
    const api = await openApi(ledger());
    const [phone = ""] = freshPhones(1);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift(await running(ledger(), [phone]));
    const other = await running(ledger(), [phone], { brand: "elsewhere" });
    const found = await everything<ContactWire>(api, "/v1/contacts", { phone, limit: "1" });
    expect(found.map(({ campaign_id }) => campaign_id)).toEqual([other, ...ids]);
    const own = await everything<ContactWire>(api, "/v1/contacts", { phone, brand: "default" });
    expect(own.map(({ campaign_id }) => campaign_id)).toEqual(ids);
    const national = { phone: phone.slice(2), default_region: "US", limit: "1" };
    expect((await api.app.inject({ url: "/v1/contacts", query: national })).statusCode).toBeLessThan(500);
  });

  it("refuse a cursor of another list, and a prefix that is none", async () => {
    const api = await openApi(ledger());
    const { id } = await campaignOfTen(ledger(), "cursors");
    const { next_after: after } = await ask<Page<ContactWire>>(api, `/v1/campaigns/${id}/contacts`, {
      limit: "1",
    });
    for (const [url, query] of [
      [`/v1/campaigns/${id}/attempts`, { after: given(after ?? undefined) }],
      [`/v1/campaigns/${id}/batches`, { after: "nonsense" }],
      [`/v1/campaigns/${id}/contacts`, { phone_prefix: "1202" }],
    ] as const) {
      const answer = await api.app.inject({ url, query });
      expect([url, answer.statusCode, answer.json()]).toMatchObject([url, 422, { code: "invalid_request" }]);
    }
  });

  it("tell nothing of another campaign's people by a cursor of theirs, and pass nobody over without a word", async () => {
    const api = await openApi(ledger());
    const { id, phones } = await campaignOfTen(ledger(), "own");
    const { id: elsewhere } = await campaignOfTen(ledger(), "not own", "elsewhere");
    const cursorIn = async (campaign: string, query: Record<string, string> = {}) =>
      given(
        (await ask<Page<ContactWire>>(api, `/v1/campaigns/${campaign}/contacts`, { limit: "1", ...query }))
          .next_after ?? undefined,
      );
    const phone_prefix = given(phones[0]).slice(0, 6);
    const behind = async (after: string) =>
      api.app.inject({ url: `/v1/campaigns/${id}/contacts`, query: { phone_prefix, after } });
    const foreign = await behind(await cursorIn(elsewhere));
    expect([foreign.statusCode, foreign.json()]).toMatchObject([422, { errors: [{ field: "after" }] }]);
    // At the end of the list it is no mistake.
    const last = await rows<{ id: number }>(
      ledger().db,
      sql`select id::float8 as id from contacts where campaign_id = ${id}::uuid order by phone desc limit 1`,
    );
    const end = await behind(cursorOf([given(last[0]).id]));
    expect([end.statusCode, end.json()]).toMatchObject([200, { items: [], next_after: null }]);
  });

  it("let no viewer find a number digit by digit, and no cursor tell one", async () => {
    const { api, ask: askAs, makeToken } = await openGuarded(ledger());
    const { id, phones } = await campaignOfTen(ledger(), "viewers");
    const { secret } = await makeToken("viewer");
    const url = `/v1/campaigns/${id}/contacts`;
    const refused = await askAs({ url, query: { phone_prefix: "+1" } }, secret);
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: "role_needed" }]);
    const page = await askAs({ url, query: { limit: "1" } }, secret);
    expect(page.body).not.toContain(given(phones[0]).slice(1));
    const cursor = page.json<{ next_after: string }>().next_after;
    expect(Buffer.from(cursor, "base64url").toString()).not.toContain(given(phones[0]).slice(2));
    expect((await askAs({ url, query: { limit: "1", after: cursor } }, secret)).statusCode).toBe(200);
    await api.app.close();
  });

  it("show a call with what the platform has of it, without what lets somebody in; and without, where it can't tell", async () => {
    const sandboxed = await openSandbox();
    const api = await openApi(ledger(), sandboxed);
    const { id, answered } = await campaignOfTen(ledger(), "shown");
    const [phone = ""] = answered;
    const unknown = await ask<Record<string, unknown>>(
      api,
      `/v1/calls/${encodeURIComponent(`call-${phone}`)}`,
    );
    expect(unknown).toMatchObject({
      call_id: `call-${phone}`,
      campaign_id: id,
      contact: { phone, state: "done" },
      platform: null,
      platform_unknown: expect.stringMatching(/./),
    });
    const told = await openApi(ledger(), {
      platform: {
        ...sandboxed.platform,
        calls: {
          ...sandboxed.platform.calls,
          get: async (call_id: string) => ({
            call_id,
            status: "ended",
            access_token: "lets-in",
            room_url: "wss://room",
            transcript: [{ role: "agent", content: "hello" }],
            analysis: { interested: true },
          }),
        },
      } as never,
    });
    const shown = await told.app.inject({ url: `/v1/calls/call-${encodeURIComponent(phone)}` });
    expect(shown.json()).toMatchObject({
      platform: {
        status: "ended",
        transcript: [{ content: "hello" }],
        data: { analysis: { interested: true } },
      },
      platform_unknown: null,
    });
    expect(shown.body).not.toMatch(/lets-in|wss:/);
    const ledgerOnly = await told.app.inject({
      url: `/v1/calls/call-${encodeURIComponent(phone)}`,
      query: { ledger_only: "true" },
    });
    expect(ledgerOnly.json()).toMatchObject({ platform: null, platform_unknown: null });
    const none = await api.app.inject({ url: "/v1/calls/nobody" });
    expect([none.statusCode, none.json()]).toMatchObject([404, { code: "unknown_call" }]);
  });

  it("go on behind batches of which nothing is looked for", async () => {
    const api = await openApi(ledger());
    const id = await running(ledger(), freshPhones(4), { concurrency: 1, retry: { max_attempts: 1 } });
    for (let n = 0; n < 4; n += 1) {
      const nowMs = NOW_MS + n * MINUTE_MS;
      for (const batchId of await planAndStart(ledger(), id, nowMs)) {
        const [leased] = await rows<{ phone: string }>(
          ledger().db,
          sql`select phone from attempts where batch_id = ${batchId}::uuid`,
        );
        const findings = [ended(given(leased).phone, n === 0 ? "answered" : "busy", nowMs)];
        await settleFindings(ledger(), { batchId, findings, nowMs });
        await closeBatch(ledger(), batchId, nowMs);
      }
    }
    const url = `/v1/campaigns/${id}/calls`;
    const found = await everything<AttemptWire>(api, url, { disposition: "answered", limit: "1" });
    expect(found).toHaveLength(1);
    const [counted] = await rows<{ n: number }>(
      ledger().db,
      sql`select count(*)::int as n from attempts where campaign_id = ${id}::uuid and state <> 'returned'`,
    );
    const { n } = given(counted);
    expect(n).toBeGreaterThanOrEqual(3);
    expect(await everything<AttemptWire>(api, url, { limit: "1" })).toHaveLength(n);
  });
});

it("the end of a prefix is the least number behind all that begin so", () => {
  expect(endOfPrefix("+1202")).toBe("+1203");
  expect(endOfPrefix("+1299")).toBe("+13");
  expect(endOfPrefix("+99")).toBeUndefined();
  expect(endOfPrefix("+1")).toBe("+2");
});
