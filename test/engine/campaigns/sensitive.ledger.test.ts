import { sql } from "drizzle-orm";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";

import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import { sealAnew } from "../../../src/chores/keys/seal-anew.ts";
import { beginImport, importChunk } from "../../../src/ledger/campaigns/imports.ts";
import { completeImport, type ReadRow } from "../../../src/ledger/campaigns/list-imports.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { startCampaign } from "../../../src/ledger/campaigns/commands.ts";
import { DataKeys } from "../../../src/ledger/ground/data-keys.ts";
import { countSealed } from "../../../src/ledger/ground/sealed-rows.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import type { BatchCallCreate } from "../../../src/platform/index.ts";
import { openApi } from "../../http/support.ts";
import { contact, createScheduled } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { openStepping, planSome, type Stepping } from "../../support/stepping.ts";

const SPEC = {
  agent_id: "11111111-1111-4111-8111-111111111111",
  from_numbers: ["+12025550100"],
  concurrency: 5,
  sensitive: ["account"],
};
/** Wherever it stands in clear, it is found. */
const CANARY = "canary-account-4711";

const keyOf = (id: string) => ({ id, key: randomBytes(32) });

describeLedgers("a campaign with sensitive columns", (ledger) => {
  const [old, fresh] = [keyOf("k1"), keyOf("k2")];
  let stepping: Stepping;
  beforeAll(async () => {
    stepping = await openStepping();
  });
  afterAll(() => stepping.close());
  let taken = 0;

  async function listed(dataKeys: DataKeys | undefined, more: readonly ReadRow[] = []) {
    const nowMs = Date.now();
    const { id: campaignId } = await createScheduled(ledger(), SPEC, nowMs);
    taken += 1;
    const [phone] = phoneNumbers(1, 730_000 + taken) as [string];
    const given_ = dataKeys && { dataKeys };
    const list = { digest: `d${taken}`, sourceName: "l.csv", settings: {}, campaignId, ...given_, nowMs };
    const { id: importId } = await beginImport(ledger(), list);
    const people = [contact(phone, 2, { variables: { first_name: "Ada", account: CANARY } })];
    await importChunk(ledger(), {
      campaignId,
      importId,
      rows: [...people, ...more],
      throughLine: 9,
      ...given_,
      nowMs,
    });
    await completeImport(ledger(), { importId, nowMs });
    return { campaignId, phone };
  }

  const started = (campaignId: string) =>
    startCampaign(ledger(), {
      campaignId,
      commandId: `start ${campaignId}`,
      actor: "test",
      reason: undefined,
      allowPartial: false,
      nowMs: Date.now(),
    });

  /** What the platform is asked to create for a campaign. */
  async function dialed(campaignId: string, dataKeys: DataKeys | undefined): Promise<BatchCallCreate[]> {
    const asked: BatchCallCreate[] = [];
    const deps = {
      ...stepping.depsOf(ledger()),
      ...(dataKeys && { dataKeys }),
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
    for (const batchId of await planSome(deps, campaignId)) await createBatch(deps, { batchId });
    return asked;
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

  it("tells the agent what no table, no page and no export of the list shows", async () => {
    const dataKeys = new DataKeys([fresh, old]);
    const { campaignId, phone } = await listed(dataKeys, [
      { kind: "rejected", line: 3, code: "invalid_phone", reason: "no number", raw: `12,${CANARY}` },
    ]);
    expect(await inClear()).toEqual([]);
    const api = await openApi(ledger());
    const url = `/v1/campaigns/${campaignId}`;
    const shown = await api.app.inject({ url: `${url}/contacts/${encodeURIComponent(phone)}` });
    expect(shown.json()).toMatchObject({ variables: { first_name: "Ada", account: "(sensitive)" } });
    for (const page of [
      `${url}/results.csv`,
      `${url}/rejects.csv`,
      `${url}/contacts`,
      `/v1/people/${encodeURIComponent(phone)}/story`,
    ]) {
      const answer = await api.app.inject({ url: page });
      expect([page, answer.statusCode, answer.body.includes(CANARY)]).toEqual([page, 200, false]);
    }

    await started(campaignId);
    const [asked] = await dialed(campaignId, dataKeys);
    expect(given(asked).contacts).toEqual([
      { phone_number: phone, dynamic_variables: { first_name: "Ada", account: CANARY } },
    ]);
    expect(await inClear()).toEqual([]);
  });

  it("has it in the export of the person alone, or says which key is missing", async () => {
    const { phone } = await listed(new DataKeys([old]));
    const url = `/v1/people/${encodeURIComponent(phone)}/export`;
    const read = async (dataKeys: DataKeys) =>
      (await (await openApi(ledger(), { dataKeys })).app.inject({ url })).json<{
        records: { table: string; row: Record<string, unknown> }[];
      }>().records;
    const contactIn = (records: Awaited<ReturnType<typeof read>>) =>
      given(records.find(({ table }) => table === "contacts")).row;
    const row = contactIn(await read(new DataKeys([fresh, old])));
    expect(row).toMatchObject({ sensitive: { account: CANARY } });
    expect(row).not.toHaveProperty("sealed");
    expect(contactIn(await read(new DataKeys([fresh])))).toMatchObject({
      sensitive: { unreadable: expect.stringContaining("k1") as string },
    });
  });

  it("takes no list and does not start without a key", async () => {
    await expect(listed(undefined)).rejects.toThrow(/OUTDIAL_DATA_KEYS/);
    const { campaignId } = await listed(new DataKeys([old]));
    const api = await openApi(ledger());
    const answer = await api.app.inject({
      method: "POST",
      url: `/v1/campaigns/${campaignId}/start`,
      payload: {},
    });
    expect(answer.statusCode).toBe(409);
    expect(answer.body).toContain("OUTDIAL_DATA_KEYS");
  });

  it("is paused, with the key's name, where a key is missing, and loses nobody", async () => {
    const { campaignId, phone } = await listed(new DataKeys([old]));
    await started(campaignId);
    expect(await dialed(campaignId, new DataKeys([fresh]))).toEqual([]);
    const campaign = given(await readCampaign(ledger().db, campaignId));
    expect(campaign.state).toBe("paused");
    const [told] = await rows<{ summary: string }>(
      ledger().db,
      sql`select summary from attention where subject = ${campaignId} or summary like ${`%${campaign.name}%`} order by id desc limit 1`,
    );
    expect(told?.summary).toContain("data key k1");
    expect(await rows(ledger().db, sql`select state from contacts where phone = ${phone}`)).toEqual([
      { state: "open" },
    ]);
  });

  /** Somebody's values, moved to another person beside Outdial. */
  const damage = (phone: string, from: string) =>
    rows(
      ledger().db,
      sql`update contacts c set sealed = o.sealed from contacts o
          where c.phone = ${phone} and o.phone = ${from} and o.sealed is not null`,
    );
  /** What the tests before left is none of what stands beside. */
  const forgetSealed = () => rows(ledger().db, sql`update contacts set sealed = null, sealed_with = null`);
  const told = (campaignId: string) =>
    rows<{ kind: string; summary: string }>(
      ledger().db,
      sql`select kind, summary from attention where subject = ${campaignId} order by id desc limit 1`,
    );
  const createNos = async (campaignId: string) =>
    (
      await rows<{ n: number }>(
        ledger().db,
        sql`select create_no as n from batches where campaign_id = ${campaignId}::uuid order by planned_at`,
      )
    ).map(({ n }) => n);
  const statesOf = (campaignId: string) =>
    rows<{ phone: string; state: string; reason: string | null }>(
      ledger().db,
      sql`select phone, state, reason from contacts where campaign_id = ${campaignId}::uuid order by id`,
    );
  /** More people of a list, with values of their own. */
  const others = (n: number) =>
    phoneNumbers(n, 740_000 + taken * 100).map((phone, at) =>
      contact(phone, at + 3, { variables: { account: `${CANARY}-${at}` } }),
    );

  it("does not open what was moved to another person, and pauses where nothing shows that the key is right", async () => {
    const dataKeys = new DataKeys([old]);
    const other = await listed(dataKeys);
    await rows(
      ledger().db,
      sql`update contacts set sealed = null, sealed_with = null where phone <> ${other.phone}`,
    );
    const one = await listed(dataKeys);
    await damage(one.phone, other.phone);
    await rows(
      ledger().db,
      sql`update contacts set sealed = null, sealed_with = null where phone = ${other.phone}`,
    );
    await started(one.campaignId);
    expect(await dialed(one.campaignId, dataKeys)).toEqual([]);
    expect((await readCampaign(ledger().db, one.campaignId))?.state).toBe("paused");
    // Who it is, so that they can be taken out; and no name was used up, under which nothing was created.
    const [contactId] = await rows<{ id: number }>(
      ledger().db,
      sql`select id from contacts where phone = ${one.phone}`,
    );
    const [entry] = await told(one.campaignId);
    expect(entry?.summary).toContain(`contact ${given(contactId).id}: `);
    expect(entry?.summary).not.toContain(one.phone);
    expect(await createNos(one.campaignId)).toEqual([0]);
  });

  it("takes out whose row was changed, tells people of it, and calls the others", async () => {
    const dataKeys = new DataKeys([old]);
    await forgetSealed();
    const more = others(3);
    const { campaignId, phone } = await listed(dataKeys, more);
    const phones = more.map((row) => (row.kind === "contact" ? row.phone : ""));
    await damage(phone, given(phones[0]));
    await started(campaignId);
    expect(await dialed(campaignId, dataKeys)).toEqual([]);
    const [asked] = await dialed(campaignId, dataKeys);
    expect(given(asked).contacts).toEqual(
      phones.map((one, at) => ({ phone_number: one, dynamic_variables: { account: `${CANARY}-${at}` } })),
    );
    expect((await readCampaign(ledger().db, campaignId))?.state).toBe("running");
    expect(await statesOf(campaignId)).toEqual([
      { phone, state: "excluded", reason: "values_unreadable" },
      ...phones.map((one) => ({ phone: one, state: "leased", reason: null })),
    ]);
    expect(await createNos(campaignId)).toEqual([0, 1]);
    const [entry] = await told(campaignId);
    expect(entry?.kind).toBe("values_unreadable");
    for (const secret of [phone, CANARY]) expect(entry?.summary).not.toContain(secret);
  });

  it.each([6, 12])(
    "excludes nobody for another key that has the id of theirs, though %i were sealed with that one since",
    async (since) => {
      await forgetSealed();
      const [right, wrong] = [keyOf("k1"), keyOf("k1")];
      const early = others(6);
      const { campaignId } = await listed(new DataKeys([right]), early);
      const late = new DataKeys([wrong]);
      const nowMs = Date.now();
      taken += 1;
      const list = { digest: `late${taken}`, sourceName: "late.csv", settings: {}, campaignId };
      const { id: importId } = await beginImport(ledger(), { ...list, dataKeys: late, nowMs });
      const chunk = { campaignId, importId, rows: others(since), throughLine: 30, dataKeys: late, nowMs };
      await importChunk(ledger(), chunk);
      await completeImport(ledger(), { importId, nowMs });
      await started(campaignId);
      expect(await dialed(campaignId, late)).toEqual([]);
      expect((await readCampaign(ledger().db, campaignId))?.state).toBe("paused");
      expect(new Set((await statesOf(campaignId)).map(({ state }) => state))).toEqual(new Set(["open"]));
    },
  );

  it("takes out whose row was changed also once all the others were sealed with the next key", async () => {
    await forgetSealed();
    const more = others(3);
    const { campaignId, phone } = await listed(new DataKeys([old]), more);
    const [first] = more.map((row) => (row.kind === "contact" ? row.phone : ""));
    await damage(phone, given(first));
    const dataKeys = new DataKeys([fresh, old]);
    const log = { info() {}, warn() {}, error() {} };
    expect(await sealAnew({ ledger: ledger(), dataKeys, log, now: Date.now })).toBe(3);
    await started(campaignId);
    expect(await dialed(campaignId, dataKeys)).toEqual([]);
    expect((await statesOf(campaignId)).map(({ state }) => state)).toEqual([
      "excluded",
      "open",
      "open",
      "open",
    ]);
  });

  it.each([4, 120])(
    "takes out two whose rows were changed, and nobody else of %i more, once the key was changed",
    async (n) => {
      await forgetSealed();
      const more = others(n);
      const { campaignId, phone } = await listed(new DataKeys([old]), more);
      const phones = [phone, ...more.map((row) => (row.kind === "contact" ? row.phone : ""))];
      // The first, and the one behind it or the last: they are nobody's neighbours but each other's where they stay alone.
      const damaged = [given(phones[0]), given(n === 4 ? phones[1] : phones[n])];
      for (const one of damaged) await damage(one, given(phones[2]));
      const dataKeys = new DataKeys([fresh, old]);
      const log = { info() {}, warn() {}, error() {} };
      expect(await sealAnew({ ledger: ledger(), dataKeys, log, now: Date.now })).toBe(n + 1 - damaged.length);
      expect(await countSealed(ledger().db)).toEqual([{ id: "k2", contacts: n + 1, enrolments: 0 }]);
      const ids = await rows<{ id: string }>(
        ledger().db,
        sql`select id::text as id from contacts where campaign_id = ${campaignId}::uuid
              and phone in (${damaged[0] ?? ""}, ${damaged[1] ?? ""})
            order by contacts.id`,
      );
      const noted = await rows<{ id: string; found: string; key: string }>(
        ledger().db,
        sql`select i as id, detail ->> 'table' as found, detail ->> 'key' as key
            from audit cross join jsonb_array_elements_text(detail -> 'ids') i
            where action = 'data_key.unreadable' order by audit.id desc, i::bigint desc limit 2`,
      );
      expect(noted.toReversed()).toEqual(ids.map(({ id }) => ({ id, found: "contacts", key: "k1" })));
      expect(await told("data key k1")).toMatchObject([{ kind: "values_unreadable" }]);
      await started(campaignId);
      expect(await dialed(campaignId, dataKeys)).toEqual([]);
      expect(await dialed(campaignId, dataKeys)).toHaveLength(1);
      const states = await statesOf(campaignId);
      expect(states.filter(({ state }) => state === "excluded").map((one) => one.phone)).toEqual(
        phones.filter((one) => damaged.includes(one)).slice(0, n === 4 ? 2 : 1),
      );
      expect((await readCampaign(ledger().db, campaignId))?.state).toBe("running");
    },
  );

  it("writes nothing for another key that has an older one's id, says so once, and goes on with other keys", async () => {
    await forgetSealed();
    const third = keyOf("k0");
    await listed(new DataKeys([old]), others(12));
    await listed(new DataKeys([third]), others(4));
    const logged: string[] = [];
    const note = (_fields: object, message: string) => void logged.push(message);
    const log = { info() {}, warn: note, error: note };
    const dataKeys = new DataKeys([fresh, keyOf("k1"), third]);
    for (let turn = 0; turn < 2; turn += 1)
      await expect(sealAnew({ ledger: ledger(), dataKeys, log, now: Date.now })).rejects.toThrow(
        "13 rows do not open with the data key k1",
      );
    expect(logged).toEqual([]);
    expect(await countSealed(ledger().db)).toEqual([
      { id: "k1", contacts: 13, enrolments: 0 },
      { id: "k2", contacts: 5, enrolments: 0 },
    ]);
  });

  it("is sealed anew with the current key, and the older one seals nothing any more", async () => {
    await rows(ledger().db, sql`update contacts set sealed = null, sealed_with = null`);
    const { campaignId, phone } = await listed(new DataKeys([old]));
    const dataKeys = new DataKeys([fresh, old]);
    const log = { info() {}, warn() {}, error() {} };
    expect(await countSealed(ledger().db)).toEqual([{ id: "k1", contacts: 1, enrolments: 0 }]);
    expect(await sealAnew({ ledger: ledger(), dataKeys, log, now: Date.now })).toBe(1);
    expect(await countSealed(ledger().db)).toEqual([{ id: "k2", contacts: 1, enrolments: 0 }]);
    expect(await sealAnew({ ledger: ledger(), dataKeys, log, now: Date.now })).toBe(0);
    await started(campaignId);
    const [asked] = await dialed(campaignId, new DataKeys([fresh]));
    expect(given(asked).contacts).toMatchObject([
      { phone_number: phone, dynamic_variables: { account: CANARY } },
    ]);
  });
});
