import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

import { rows } from "../../src/ledger/ground/connection.ts";
import { pruneRequestKeys } from "../../src/ledger/ground/request-keys.ts";
import { describeSomeLedger, given } from "../support/ledgers.ts";
import {
  createCampaign,
  csvOf,
  openApi,
  openSandbox,
  phonesFrom,
  sha256,
  specOf,
  type TestApi,
} from "./support.ts";
import { readCampaign } from "../../src/ledger/campaigns/campaigns.ts";

const WAIT = { id: "wait", wait: { for: "1d" } };
const DAY_MS = 86_400_000;

let phones = 5_000;
const freshPhone = () => given(phonesFrom((phones += 1), 1)[0]);
const freshKey = () => `key-${randomUUID()}`;

describeSomeLedger("a key that comes again", (ledger) => {
  const open = async (now: () => number = Date.now) =>
    openApi(ledger(), { platform: (await openSandbox()).platform, now });
  const ask = async (
    api: TestApi,
    method: "POST" | "PUT" | "DELETE",
    url: string,
    payload: object,
    key?: string,
  ) => {
    const answer = await api.app.inject({
      method,
      url,
      payload,
      ...(key !== undefined && { headers: { "idempotency-key": key } }),
    });
    const body = answer.json<Record<string, unknown>>();
    return { status: answer.statusCode, body, replayed: answer.headers["idempotency-replayed"] };
  };
  const REUSED = {
    status: 409,
    body: { code: "idempotency_key_reused", detail: expect.stringContaining("another") },
  };

  async function sequenceOf(api: TestApi): Promise<string> {
    const { concurrency: _concurrency, ...campaign } = specOf();
    const put = await ask(api, "PUT", "/v1/sequences", { definition: { ...campaign, steps: [WAIT] } });
    expect(put.status).toBe(200);
    return `/v1/sequences/${encodeURIComponent(String(campaign["name"]))}`;
  }

  describe("for an enrolment", () => {
    it("with another person is refused, and nobody is lost with a success; the same again is the same", async () => {
      const api = await open();
      const url = await sequenceOf(api);
      const [one, other] = [freshPhone(), freshPhone()];
      for (const give of [
        (phone: string, key: string, more: object = {}) =>
          ask(api, "POST", `${url}/enrolments`, { phone, ...more }, key),
        (phone: string, key: string, more: object = {}) =>
          ask(api, "POST", `${url}/enrolments`, { phone, request_key: key, ...more }),
      ]) {
        const key = freshKey();
        const first = await give(one, key, { variables: { n: 1 } });
        expect([200, 202]).toContain(first.status);
        const again = await give(one, key, { variables: { n: 1 } });
        expect(again).toMatchObject({
          status: 200,
          body: { enrolment_id: first.body["enrolment_id"], result: "already" },
        });
        // The second time the policy says that the person is there already: the key stands for that.
        expect(await give(other, key)).toMatchObject(REUSED);
        expect(await give(one, key, { variables: { n: 2 } })).toMatchObject(REUSED);
        // In whichever of both places it stands.
        expect(
          await ask(api, "POST", `${url}/enrolments`, { phone: one, variables: { n: 1 } }, key),
        ).toMatchObject({
          status: 200,
        });
      }
      const enrolled = await rows(ledger().db, sql`select 1 as one from enrolments where phone = ${other}`);
      expect(enrolled).toEqual([]);
    });

    it("that was given before requests were told apart is the same one, as it was", async () => {
      const api = await open();
      const url = await sequenceOf(api);
      const [phone, key] = [freshPhone(), freshKey()];
      await ask(api, "POST", `${url}/enrolments`, { phone }, key);
      await rows(ledger().db, sql`update enrolments set request_digest = null where phone = ${phone}`);
      expect(
        await ask(api, "POST", `${url}/enrolments`, { phone, variables: { a: "b" } }, key),
      ).toMatchObject({
        status: 200,
        body: { result: "already" },
      });
    });
  });

  it("for an event of a sequence or of one enrolment, with another event or person, is refused", async () => {
    const api = await open();
    const url = await sequenceOf(api);
    const phone = freshPhone();
    const enrolled = await ask(api, "POST", `${url}/enrolments`, { phone });
    const id = String(enrolled.body["enrolment_id"]);
    const event = { phone, name: "paid", data: { sum: 5 }, request_key: freshKey() };
    expect(await ask(api, "POST", `${url}/event`, event)).toMatchObject({ status: 200, body: { told: 1 } });
    expect(await ask(api, "POST", `${url}/event`, event)).toMatchObject({ status: 200, body: { told: 1 } });
    for (const other of [{ name: "left" }, { data: { sum: 6 } }, { phone: freshPhone() }])
      expect(await ask(api, "POST", `${url}/event`, { ...event, ...other })).toMatchObject(REUSED);
    // For as long as the enrolment has it, however long ago that was.
    await pruneRequestKeys(ledger(), Date.now() + 400 * DAY_MS);
    expect(await ask(api, "POST", `${url}/event`, { ...event, data: { sum: 6 } })).toMatchObject(REUSED);
    expect(await ask(api, "POST", `${url}/event`, event)).toMatchObject({ status: 200, body: { told: 1 } });

    const own = { name: "paid", data: { sum: 5 }, request_key: freshKey() };
    for (const status of [200, 200])
      expect((await ask(api, "POST", `/v1/enrolments/${id}/event`, own)).status).toBe(status);
    expect(await ask(api, "POST", `/v1/enrolments/${id}/event`, { ...own, data: {} })).toMatchObject(REUSED);
    const { request_key: inHeader, ...rest } = own;
    expect((await ask(api, "POST", `/v1/enrolments/${id}/event`, rest, inHeader)).status).toBe(200);
  });

  it("for a command to an enrolment or a sequence, with another one, is refused", async () => {
    const api = await open();
    const url = await sequenceOf(api);
    const enrolled = await ask(api, "POST", `${url}/enrolments`, { phone: freshPhone() });
    const id = String(enrolled.body["enrolment_id"]);
    const command_id = freshKey();
    for (const _time of [1, 2])
      expect(
        await ask(api, "POST", `/v1/enrolments/${id}/pause`, { command_id, reason: "busy" }),
      ).toMatchObject({
        status: 200,
        body: { paused: true },
      });
    expect(await ask(api, "POST", `/v1/enrolments/${id}/resume`, { command_id })).toMatchObject(REUSED);
    expect(await ask(api, "POST", `/v1/enrolments/${id}/pause`, { command_id, reason: "ill" })).toMatchObject(
      REUSED,
    );

    const ofAll = freshKey();
    expect((await ask(api, "POST", `${url}/skip`, { command_id: ofAll })).status).toBe(200);
    expect((await ask(api, "POST", `${url}/skip`, { command_id: ofAll })).status).toBe(200);
    expect(await ask(api, "POST", `${url}/exit`, { command_id: ofAll })).toMatchObject(REUSED);
  });

  it("for a command to a campaign, with another one or another spec, is refused", async () => {
    const api = await open();
    const spec = specOf({ concurrency: 5 });
    const id = await createCampaign(api, spec);
    const command_id = freshKey();
    const start = (more: object = {}) =>
      ask(api, "POST", `/v1/campaigns/${id}/start`, { command_id, ...more });
    expect((await start()).status).toBe(200);
    expect((await start()).status).toBe(200);
    expect(await start({ reason: "now" })).toMatchObject(REUSED);
    api.temporal.started.push(`campaign-${id}`);
    expect(await ask(api, "POST", `/v1/campaigns/${id}/pause`, { command_id })).toMatchObject(REUSED);
    expect(
      await ask(api, "POST", `/v1/campaigns/${id}/amend`, { command_id, spec: { ...spec, concurrency: 6 } }),
    ).toMatchObject(REUSED);
    expect((await readCampaign(ledger().db, id))?.policyVersion).toBe(1);
  });

  it("for anything else, with another body, is refused; the same again gets the answer that there was", async () => {
    const api = await open();
    const key = freshKey();
    const spec = specOf();
    const create = (of: object) => ask(api, "POST", "/v1/campaigns", { spec: of }, key);
    const created = await create(spec);
    expect(created).toMatchObject({ status: 201, replayed: undefined });
    expect(await create(spec)).toEqual({ status: 201, body: created.body, replayed: "true" });
    expect(await create({ ...spec, concurrency: 6 })).toMatchObject(REUSED);
    expect(await create(specOf())).toMatchObject(REUSED);

    const phone = freshPhone();
    const suppress = (reason: string, of: string) =>
      ask(api, "POST", "/v1/suppressions", { entries: [{ phone: of, reason }] }, key);
    // Keys are told apart by what they are shown to.
    expect(await suppress("asked", phone)).toMatchObject({ status: 200, body: { added: 1 } });
    expect(await suppress("asked", phone)).toMatchObject({ body: { added: 1 }, replayed: "true" });
    expect(await suppress("asked", freshPhone())).toMatchObject(REUSED);

    const apply = (document: object) => ask(api, "POST", "/v1/declared/apply", { document }, key);
    const list = {
      kind: "suppression-list",
      name: `l${phones}`,
      global: true,
      reason: "asked",
      numbers: [freshPhone()],
    };
    expect(await apply(list)).toMatchObject({ status: 200, body: { change: "created" } });
    expect(await apply({ ...list, numbers: [freshPhone()] })).toMatchObject(REUSED);
    expect(await ask(api, "POST", "/v1/campaigns", { spec }, "x".repeat(300))).toMatchObject({
      status: 422,
      body: { code: "invalid_request" },
    });
  });

  it("after a request that was refused, or long after, is a new one", async () => {
    let nowMs = Date.now();
    const api = await open(() => nowMs);
    const key = freshKey();
    const suppress = (phone: string) =>
      ask(api, "POST", "/v1/suppressions", { entries: [{ phone, reason: "asked" }] }, key);
    expect((await suppress("12")).status).toBe(422);
    const [one, other] = [freshPhone(), freshPhone()];
    expect((await suppress(one)).status).toBe(200);
    expect(await suppress(other)).toMatchObject(REUSED);
    nowMs += 8 * DAY_MS;
    await pruneRequestKeys(ledger(), nowMs);
    expect(await suppress(other)).toMatchObject({ status: 200, body: { added: 1 } });
  });

  it("while the first is under way is told to wait, unless that is given up", async () => {
    let nowMs = Date.now();
    const api = await open(() => nowMs);
    const [key, phone] = [freshKey(), freshPhone()];
    const body = { entries: [{ phone, reason: "asked" }] };
    const suppress = () => ask(api, "POST", "/v1/suppressions", body, key);
    expect((await suppress()).status).toBe(200);
    // As a process leaves it that was killed before it answered.
    await rows(
      ledger().db,
      sql`update request_keys set status = null, answer = null where key like ${`%${key}`}`,
    );
    expect(await suppress()).toMatchObject({ status: 409, body: { code: "request_under_way" } });
    nowMs += 3 * 60_000;
    expect(await suppress()).toMatchObject({ status: 200, body: { already: 1 } });
  });

  it("many times at once does it once", async () => {
    const api = await open();
    const [key, spec] = [freshKey(), specOf()];
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(api, "POST", "/v1/campaigns", { spec }, key)),
    );
    expect(answers.filter(({ status, replayed }) => status === 201 && replayed === undefined)).toHaveLength(
      1,
    );
    for (const { status, body } of answers)
      expect(status === 201 || body["code"] === "request_under_way", JSON.stringify(body)).toBe(true);
  });

  it("for a stop is not asked about: it is carried out whenever it comes", async () => {
    const api = await open();
    const key = freshKey();
    for (const reason of ["stop", "stop", "stop again"]) {
      expect(await ask(api, "POST", "/v1/stop-all", { reason }, key)).toMatchObject({
        status: 200,
        body: { stopped: true },
        replayed: undefined,
      });
      expect((await ask(api, "POST", "/v1/go-on", { reason: "go" })).status).toBe(200);
    }
  });

  it("for an answer that is too long to be kept is carried out again, and refused with another body", async () => {
    const api = await open();
    const key = freshKey();
    const [one, other] = [freshPhone(), freshPhone()];
    const suppress = (phone: string) =>
      ask(api, "POST", "/v1/suppressions", { entries: [{ phone, reason: "asked" }] }, key);
    expect((await suppress(one)).status).toBe(200);
    await rows(ledger().db, sql`update request_keys set answer = null where key like ${`%${key}`}`);
    expect(await suppress(one)).toMatchObject({ status: 200, body: { already: 1 }, replayed: undefined });
    expect(await suppress(other)).toMatchObject(REUSED);
  });

  it("is remembered by nobody where none was given", async () => {
    const api = await open();
    const count = async () =>
      rows<{ n: number }>(ledger().db, sql`select count(*)::int as n from request_keys`);
    const before = await count();
    await createCampaign(api);
    const url = await sequenceOf(api);
    await ask(api, "POST", `${url}/enrolments`, { phone: freshPhone() });
    await ask(api, "POST", `${url}/event`, { phone: freshPhone(), name: "paid" });
    expect(await count()).toEqual(before);
  });

  it("with another list is refused; the same list goes on or is there already", async () => {
    const api = await open();
    const id = await createCampaign(api);
    const sequence = await sequenceOf(api);
    for (const url of [`/v1/campaigns/${id}/contacts`, `${sequence}/enrolments/list`]) {
      const key = freshKey();
      const send = async (list: string, announced = list) => {
        const answer = await api.app.inject({
          method: "POST",
          url,
          query: { digest: sha256(announced), source_name: "list.csv" },
          headers: { "content-type": "text/csv", "idempotency-key": key },
          payload: list,
        });
        return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
      };
      const [one, other] = [csvOf([freshPhone(), freshPhone()]), csvOf([freshPhone()])];
      // One that was refused stands for nothing.
      expect((await send("no list", other)).status).toBeGreaterThanOrEqual(400);
      expect(await send(one)).toMatchObject({ status: 200, body: { already: false } });
      expect(await send(one)).toMatchObject({ status: 200, body: { already: true } });
      expect(await send(other)).toMatchObject(REUSED);
    }
  });

  it("for a list that is through, with other rows, is refused, and so for a list of enrolments", async () => {
    const api = await open();
    const id = await createCampaign(api);
    const sequence = await sequenceOf(api);
    for (const url of [`/v1/campaigns/${id}/contacts`, `${sequence}/enrolments/list`]) {
      const list = csvOf([freshPhone(), freshPhone()]);
      const send = async (text: string) => {
        const answer = await api.app.inject({
          method: "POST",
          url,
          query: { digest: sha256(list), source_name: "list.csv" },
          headers: { "content-type": "text/csv" },
          payload: text,
        });
        return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
      };
      expect(await send(list)).toMatchObject({ status: 200, body: { already: false } });
      expect(await send(list)).toMatchObject({ status: 200, body: { already: true } });
      expect(await send(csvOf([freshPhone(), freshPhone(), freshPhone()]))).toMatchObject({
        status: 409,
        body: { code: "digest_mismatch" },
      });
    }
  });

  describe("for a list of numbers that must not be dialed", () => {
    const openDoor = async () => {
      const api = await open();
      const key = freshKey();
      const send = async (list: string, query: Record<string, string> = { digest: sha256(list) }) => {
        const answer = await api.app.inject({
          method: "POST",
          url: "/v1/suppressions/import",
          query: { source_name: "asked.csv", ...query },
          headers: { "content-type": "text/csv", "idempotency-key": key },
          payload: list,
        });
        return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
      };
      const isSuppressed = async (phone: string) =>
        (await rows(ledger().db, sql`select 1 as one from suppressions where phone = ${phone}`)).length > 0;
      return { api, key, send, isSuppressed };
    };

    it("the same list again is taken again, and another list is refused before anybody is suppressed", async () => {
      const { api, send, isSuppressed } = await openDoor();
      const [one, other] = [freshPhone(), freshPhone()];
      expect(await send(csvOf([one]))).toMatchObject({ status: 200, body: { added: 1, already: 0 } });
      expect(await send(csvOf([one]))).toMatchObject({ status: 200, body: { added: 0, already: 1 } });
      expect(await send(csvOf([other]))).toMatchObject(REUSED);
      expect(await isSuppressed(other)).toBe(false);
      // It is not kept as an answer: somebody may have taken the number off since.
      const removed = await ask(api, "DELETE", "/v1/suppressions", { phone: one, reason: "asked again" });
      expect(removed.status).toBe(200);
      expect(await send(csvOf([one]))).toMatchObject({ status: 200, body: { added: 1 } });
      // Another scope or reason is another request, too.
      const again = { digest: sha256(csvOf([one])) };
      expect(await send(csvOf([one]), { ...again, brand: "acme" })).toMatchObject(REUSED);
      expect(await send(csvOf([one]), { ...again, reason: "another" })).toMatchObject(REUSED);
    });

    it("needs the list's digest, without which nobody could tell another list in time", async () => {
      const { send, isSuppressed } = await openDoor();
      const phone = freshPhone();
      expect(await send(csvOf([phone]), {})).toMatchObject({
        status: 422,
        body: { code: "invalid_request", errors: [{ field: "digest" }] },
      });
      expect(await isSuppressed(phone)).toBe(false);
      expect(await send(csvOf([phone]))).toMatchObject({ status: 200, body: { added: 1 } });
    });

    it("says where another list came than was announced; whoever stands on it is suppressed all the same", async () => {
      const { send, isSuppressed } = await openDoor();
      const [one, other] = [freshPhone(), freshPhone()];
      const announced = { digest: sha256(csvOf([one])) };
      expect(await send(csvOf([other]), announced)).toMatchObject({
        status: 409,
        body: { code: "digest_mismatch", digest: sha256(csvOf([other])) },
      });
      expect(await isSuppressed(other)).toBe(true);
      expect(await send(csvOf([one]), announced)).toMatchObject({ status: 200, body: { added: 1 } });
    });
  });

  it("of which a part was taken before it was refused stands for that list", async () => {
    const api = await open();
    const id = await createCampaign(api);
    const sequence = await sequenceOf(api);
    for (const url of [
      `/v1/campaigns/${id}/contacts`,
      `${sequence}/enrolments/list`,
      "/v1/suppressions/import",
    ]) {
      const key = freshKey();
      const send = async (text: string, announced = text) => {
        const answer = await api.app.inject({
          method: "POST",
          url,
          query: { digest: sha256(announced), source_name: "list.csv" },
          headers: { "content-type": "text/csv", "idempotency-key": key },
          payload: text,
        });
        return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
      };
      const whole = csvOf([freshPhone(), freshPhone()]);
      const half = whole.slice(0, whole.lastIndexOf("+"));
      expect(await send(half, whole), url).toMatchObject({ status: 409, body: { code: "digest_mismatch" } });
      expect(await send(csvOf([freshPhone()])), url).toMatchObject(REUSED);
      expect((await send(whole)).status, url).toBe(200);
    }
  });
});
