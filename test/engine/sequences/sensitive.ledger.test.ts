import { sql } from "drizzle-orm";
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";

import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import { sealAnew } from "../../../src/chores/keys/seal-anew.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { DataKeys } from "../../../src/ledger/ground/data-keys.ts";
import { countSealed } from "../../../src/ledger/ground/sealed-rows.ts";
import { stripEnrolments } from "../../../src/ledger/people/stripping.ts";
import { takeEnrolmentTurn } from "../../../src/ledger/sequences/enrolment-turns.ts";
import type { BatchCallCreate } from "../../../src/platform/index.ts";
import { openApi } from "../../http/support.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { openStepping, planSome, type Stepping } from "../../support/stepping.ts";

/** Wherever it stands in clear, it is found. */
const CANARY = "canary-account-of-a-sequence-0815";

const keyOf = (id: string) => ({ id, key: randomBytes(32) });

const definitionOf = (name: string, changes: object = {}) => ({
  name,
  agent_id: "11111111-1111-4111-8111-111111111111",
  from_numbers: ["+12025550100"],
  window: "always",
  least_gap: "0s",
  sensitive: ["account"],
  steps: [
    { id: "call", call: {}, on: { unknown: "end", otherwise: "end" } },
    { id: "end", exit: { outcome: "through" } },
  ],
  ...changes,
});

describeLedgers("a sequence with sensitive variables", (ledger) => {
  const [old, fresh] = [keyOf("k1"), keyOf("k2")];
  let stepping: Stepping;
  let named = 0;
  let numbered = 0;
  beforeAll(async () => {
    stepping = await openStepping();
  });
  afterAll(() => stepping.close());

  const numberOf = () => given(phoneNumbers(1, 880_000 + (numbered += 1))[0]);

  const apiWith = (keys: readonly { id: string; key: Buffer }[]) =>
    openApi(ledger(), {
      platform: stepping.platform,
      ...(keys.length > 0 && { dataKeys: new DataKeys(keys) }),
    });

  /** A sequence, behind an API that has these keys. */
  async function put(keys: readonly { id: string; key: Buffer }[], changes: object = {}) {
    const { app } = await apiWith(keys);
    const definition = definitionOf(`sealed ${(named += 1)}`, changes);
    const answer = await app.inject({ method: "PUT", url: "/v1/sequences", payload: { definition } });
    expect(answer.statusCode, answer.body).toBe(200);
    const { id } = answer.json<{ id: string }>();
    const enroll = (phone: string, variables: object = { plan: "gold", account: CANARY }) =>
      app.inject({
        method: "POST",
        url: `/v1/sequences/${id}/enrolments`,
        payload: { phone, variables },
      });
    return { app, id, definition, enroll };
  }

  /** Takes the turn of somebody, and gives what the platform is asked to create then. */
  async function called(enrolmentId: string, keys: readonly { id: string; key: Buffer }[]) {
    const asked: BatchCallCreate[] = [];
    const deps = {
      ...stepping.depsOf(ledger()),
      dataKeys: new DataKeys(keys),
      platform: {
        ...stepping.platform,
        batchCalls: {
          ...stepping.platform.batchCalls,
          create: (body: BatchCallCreate) => {
            asked.push(body);
            return stepping.platform.batchCalls.create(body);
          },
        },
      },
    };
    const turn = await ledger().transaction((tx) =>
      takeEnrolmentTurn(tx, { enrolmentId, nowMs: Date.now() }),
    );
    const campaignId = given(given(turn).campaignIds[0]);
    for (const batchId of await planSome(deps, campaignId)) await createBatch(deps, { batchId });
    return asked.flatMap(({ contacts }) => contacts);
  }

  const inClear = async () => {
    const tables = await rows<{ name: string }>(
      ledger().db,
      sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const hits = await rows(
        ledger().db,
        sql`select 1 from ${sql.identifier(name)} t where strpos(to_jsonb(t)::text, ${CANARY}) > 0 limit 1`,
      );
      if (hits.length > 0) found.push(name);
    }
    return found;
  };

  it("tells the agent what no table and no page shows", async () => {
    const phone = numberOf();
    const { app, id, enroll } = await put([fresh, old]);
    const answer = await enroll(phone);
    expect(answer.statusCode, answer.body).toBe(202);
    const { enrolment_id: enrolmentId } = answer.json<{ enrolment_id: string }>();
    expect(await inClear()).toEqual([]);
    const shown = await app.inject({ url: `/v1/enrolments/${enrolmentId}` });
    expect(shown.json()).toMatchObject({ variables: { plan: "gold", account: "(sensitive)" } });
    expect(await called(enrolmentId, [fresh])).toEqual([
      { phone_number: phone, dynamic_variables: { plan: "gold", account: CANARY } },
    ]);
    expect(await inClear()).toEqual([]);
    for (const page of [
      `/v1/sequences/${id}`,
      `/v1/sequences/${id}/enrolments`,
      `/v1/enrolments/${enrolmentId}`,
      `/v1/enrolments/${enrolmentId}/journey`,
      `/v1/people/${encodeURIComponent(phone)}/story`,
    ]) {
      const got = await app.inject({ url: page });
      expect([page, got.body.includes(CANARY)]).toEqual([page, false]);
    }
  });

  it("is in the export of the person alone, and gone once they are forgotten", async () => {
    const phone = numberOf();
    const { app, enroll } = await put([old]);
    const { enrolment_id: enrolmentId } = (await enroll(phone)).json<{ enrolment_id: string }>();
    const read = async () =>
      (await app.inject({ url: `/v1/people/${encodeURIComponent(phone)}/export` }))
        .json<{ records: { table: string; row: Record<string, unknown> }[] }>()
        .records.find(({ table }) => table === "enrolments")?.row;
    expect(await read()).toMatchObject({ sensitive: { account: CANARY } });
    expect(await read()).not.toHaveProperty("sealed");
    await ledger().transaction((tx) =>
      stripEnrolments(tx, [enrolmentId], { nowMs: Date.now(), because: "test" }),
    );
    expect(
      await rows(
        ledger().db,
        sql`select sealed, sealed_with from enrolments where id = ${enrolmentId}::uuid`,
      ),
    ).toEqual([{ sealed: null, sealed_with: null }]);
  });

  it("enrolls nobody who brings one where there is no key, by one or by list, and keeps the row's text out", async () => {
    const { app, id, definition, enroll } = await put([]);
    const answer = await enroll(numberOf());
    expect([answer.statusCode, answer.json<{ reason: string }>().reason]).toEqual([409, "no_data_key"]);
    expect(answer.body).toContain("OUTDIAL_DATA_KEYS");
    // Whoever brings none can be called.
    expect((await enroll(numberOf(), { plan: "gold" })).statusCode).toBe(202);
    const text = `phone,account\n${numberOf()},${CANARY}\nnobody,${CANARY}\n`;
    const upload = (to: typeof app) =>
      to.inject({
        method: "POST",
        url: `/v1/sequences/${id}/enrolments/list`,
        query: { digest: createHash("sha256").update(text).digest("hex"), source_name: "list.csv" },
        headers: { "content-type": "application/octet-stream" },
        payload: text,
      });
    const refused = await upload(app);
    expect([refused.statusCode, refused.body.includes("OUTDIAL_DATA_KEYS")]).toEqual([409, true]);
    const { app: keyed } = await apiWith([fresh]);
    const taken = await upload(keyed);
    expect(taken.statusCode, taken.body).toBe(200);
    expect(taken.json<{ rows: object }>().rows).toMatchObject({ accepted: 1, rejected: 1 });
    expect(await inClear()).toEqual([]);
    expect(definition.sensitive).toEqual(["account"]);
  });

  it("is sealed anew with the current key, in whoever waits for a call, too", async () => {
    await rows(ledger().db, sql`update contacts set sealed = null, sealed_with = null`);
    await rows(ledger().db, sql`update enrolments set sealed = null, sealed_with = null`);
    const phone = numberOf();
    const { enroll } = await put([old]);
    const { enrolment_id: enrolmentId } = (await enroll(phone)).json<{ enrolment_id: string }>();
    const log = { info() {}, warn() {}, error() {} };
    const dataKeys = new DataKeys([fresh, old]);
    expect(await countSealed(ledger().db)).toEqual([{ id: "k1", contacts: 0, enrolments: 1 }]);
    expect(await sealAnew({ ledger: ledger(), dataKeys, log, now: Date.now })).toBe(1);
    expect(await countSealed(ledger().db)).toEqual([{ id: "k2", contacts: 0, enrolments: 1 }]);
    expect(await called(enrolmentId, [fresh])).toMatchObject([
      { phone_number: phone, dynamic_variables: { account: CANARY } },
    ]);
    expect(await countSealed(ledger().db)).toEqual([{ id: "k2", contacts: 1, enrolments: 1 }]);
  });

  it("stays sensitive in every later version", async () => {
    const { app, definition } = await put([fresh]);
    const bared = await app.inject({
      method: "PUT",
      url: "/v1/sequences",
      payload: { definition: { ...definition, sensitive: ["other"] } },
    });
    expect([bared.statusCode, bared.body]).toEqual([409, expect.stringContaining("account is sensitive")]);
    const more = await app.inject({
      method: "PUT",
      url: "/v1/sequences",
      payload: { definition: { ...definition, sensitive: ["account", "other"] } },
    });
    expect(more.json()).toMatchObject({ result: "new_version", version: 2 });
  });
});
