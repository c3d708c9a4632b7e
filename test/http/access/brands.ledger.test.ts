import { expect, it } from "vitest";

import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { freshName } from "../../support/intake.ts";
import { specOf } from "../support.ts";
import { openGuarded, triggerOf, type Asked } from "./support.ts";

/*
 * Triggers, schedules and documents have no brand of their own in their names: each is of the brands that it acts for.
 */

const FILE = { file: "people.csv" };
const QUERY = { database: "crm", query: "select phone from people" };
const ADDRESS = { url: "https://crm.example.com/people.csv" };

const scheduleOf = (name: string, run: object) => ({ name, cron: "0 9 * * 1-5", run });

const eventFor = (brand: string) => ({ event: { brand, name: "paid", phone: "payload.phone" } });

interface Item {
  name: string;
}

/** Triggers and schedules of two brands, tokens of one of them and of both, and what it takes to ask with them. */
async function openBrands(ledger: Ledger) {
  const guarded = await openGuarded(ledger);
  const names = {
    acme: freshName("t-acme"),
    other: freshName("t-other"),
    both: freshName("t-both"),
    schedule: freshName("s-acme"),
    otherSchedule: freshName("s-other"),
    automation: freshName("s-automation"),
  };
  const ask = (token: string | undefined, method: string, url: string, more: Partial<Asked> = {}) =>
    guarded.ask({ method, url, ...more }, token);
  const put = async (path: string, definition: object, token?: string) => {
    const { statusCode, body } = await ask(token, "PUT", path, { payload: { definition } });
    return { statusCode, body };
  };
  const isOurs = ({ name }: Item) => Object.values(names).includes(name);
  const listed = async (token: string | undefined, url: string, query: Record<string, string> = {}) => {
    const answer = await ask(token, "GET", url, { query });
    expect(answer.statusCode, answer.body).toBe(200);
    const { items } = answer.json<{ items: Item[] }>();
    return items
      .filter(isOurs)
      .map(({ name }) => name)
      .sort();
  };
  const enroll = (brand: string) => ({ enroll: { brand, sequence: "any", phone: "payload.phone" } });
  for (const definition of [
    triggerOf(names.acme, enroll("acme")),
    triggerOf(names.other, enroll("other")),
    triggerOf(names.both, { ...enroll("acme"), ...eventFor("other") }),
  ])
    expect(await put("/v1/triggers", definition)).toMatchObject({ statusCode: 200 });
  for (const definition of [
    scheduleOf(names.schedule, { campaign: "spring", brand: "acme" }),
    scheduleOf(names.otherSchedule, { campaign: "spring", brand: "other" }),
    scheduleOf(names.automation, { workflow_id: "11111111-1111-4111-8111-111111111111" }),
  ])
    expect(await put("/v1/schedules", definition)).toMatchObject({ statusCode: 200 });
  const acme = (await guarded.makeToken("admin", { brands: ["acme"] })).secret;
  const both = (await guarded.makeToken("admin", { brands: ["acme", "other"] })).secret;
  return { ask, put, listed, names, acme, both };
}

describeSomeLedger("a token of some brands", (ledger) => {
  it("lists triggers that act for its brands and for no other", async () => {
    const { ask, listed, names, acme, both } = await openBrands(ledger());
    expect(await listed(acme, "/v1/triggers")).toEqual([names.acme]);
    expect(await listed(both, "/v1/triggers", { brand: "acme" })).toEqual([names.acme, names.both].sort());
    expect(await listed(both, "/v1/triggers", { brand: "other" })).toEqual([names.both, names.other].sort());
    expect(await listed(both, "/v1/triggers")).toHaveLength(3);
    expect((await ask(acme, "GET", "/v1/triggers", { query: { brand: "other" } })).statusCode).toBe(403);
    expect(await listed(undefined, "/v1/triggers", { brand: "other" })).toEqual(
      [names.both, names.other].sort(),
    );
    expect(await listed(undefined, "/v1/triggers")).toHaveLength(3);
  });

  it("needs to be for each brand that a trigger acts for", async () => {
    const { ask, put, names, acme, both } = await openBrands(ledger());
    for (const [token, name, status] of [
      [acme, names.acme, 200],
      [acme, names.both, 404],
      [acme, names.other, 404],
      [both, names.both, 200],
    ] as const)
      expect((await ask(token, "GET", `/v1/triggers/${name}`)).statusCode, name).toBe(status);
    const shared = triggerOf(freshName("new"), eventFor("other"));
    expect(await put("/v1/triggers", shared, acme)).toMatchObject({ statusCode: 403 });
    // Of the enrolment, which names no brand.
    expect(await put("/v1/triggers", shared, both)).toMatchObject({ statusCode: 403 });
    const own = triggerOf(freshName("new"), { enroll: undefined, ...eventFor("acme") });
    expect(await put("/v1/triggers", own, acme)).toMatchObject({ statusCode: 200 });
  });

  it("does not take another brand's trigger or schedule over by its name", async () => {
    const { ask, put, names, acme } = await openBrands(ledger());
    const trigger = triggerOf(names.both, { enroll: undefined, ...eventFor("acme") });
    const answer = await put("/v1/triggers", trigger, acme);
    expect(answer).toMatchObject({ statusCode: 409 });
    expect(answer.body).toContain("is taken");
    expect(answer.body).not.toMatch(/\bother\b/);
    const schedule = scheduleOf(names.otherSchedule, { campaign: "summer", brand: "acme" });
    expect(await put("/v1/schedules", schedule, acme)).toMatchObject({ statusCode: 409 });
    await ask(undefined, "DELETE", `/v1/schedules/${names.otherSchedule}`);
    expect(await put("/v1/schedules", schedule, acme), "its runs stay").toMatchObject({ statusCode: 409 });
    const again = scheduleOf(names.otherSchedule, { campaign: "spring", brand: "other" });
    expect(await put("/v1/schedules", again)).toMatchObject({ statusCode: 200 });
  });

  it("has the schedules of its brands' campaigns, and none of automations", async () => {
    const { ask, put, listed, names, acme } = await openBrands(ledger());
    expect(await listed(acme, "/v1/schedules")).toEqual([names.schedule]);
    expect(await listed(undefined, "/v1/schedules", { brand: "acme" })).toEqual([names.schedule]);
    expect(await listed(undefined, "/v1/schedules")).toHaveLength(3);
    for (const name of [names.otherSchedule, names.automation])
      for (const [method, at] of [
        ["GET", ""],
        ["GET", "/next"],
        ["GET", "/runs"],
        ["POST", "/pause"],
        ["POST", "/run"],
        ["DELETE", ""],
      ] as const)
        expect((await ask(acme, method, `/v1/schedules/${name}${at}`)).statusCode, `${method} ${at}`).toBe(
          404,
        );
    expect((await ask(acme, "POST", `/v1/schedules/${names.schedule}/pause`)).statusCode).toBe(200);
    const automation = scheduleOf(freshName("new"), { workflow_id: "11111111-1111-4111-8111-111111111111" });
    expect(await put("/v1/schedules", automation, acme)).toMatchObject({ statusCode: 403 });
  });

  it("takes no list out of databases and folders that hold people of every brand", async () => {
    const { ask, put, acme } = await openBrands(ledger());
    for (const contacts of [FILE, QUERY]) {
      const run = { campaign: "spring", brand: "acme", contacts };
      expect(await put("/v1/schedules", scheduleOf(freshName("new"), run), acme)).toMatchObject({
        statusCode: 403,
      });
      const spec = specOf({ name: freshName("recurring"), brand: "acme", contacts });
      const created = await ask(acme, "POST", "/v1/campaigns", { payload: { spec } });
      expect(created.statusCode, created.body).toBe(403);
      const document = { kind: "campaign", ...spec };
      const applied = await ask(acme, "POST", "/v1/declared/apply", { payload: { document } });
      expect(applied.statusCode, applied.body).toBe(403);
    }
    const run = { campaign: "spring", brand: "acme", contacts: ADDRESS };
    expect(await put("/v1/schedules", scheduleOf(freshName("new"), run), acme)).toMatchObject({
      statusCode: 200,
    });
  });

  it("leaves such a list as it is in a campaign of its own, and names no other", async () => {
    const { ask, acme } = await openBrands(ledger());
    const spec = specOf({ name: freshName("recurring"), brand: "acme", contacts: QUERY });
    const created = await ask(undefined, "POST", "/v1/campaigns", { payload: { spec } });
    const { id } = created.json<{ id: string }>();
    const amend = (changes: object) =>
      ask(acme, "POST", `/v1/campaigns/${id}/amend`, { payload: { spec: { ...spec, ...changes } } });
    const slower = await amend({ concurrency: 2 });
    expect(slower.statusCode, slower.body).toBe(200);
    const otherQuery = await amend({ contacts: { ...QUERY, query: "select phone from everybody" } });
    expect(otherQuery.statusCode, otherQuery.body).toBe(403);
  });

  it("declares, sees, exports and prunes documents of its brands alone", async () => {
    const { ask, put, listed, names, acme } = await openBrands(ledger());
    const [own, others] = [freshName("d-acme"), freshName("d-other")];
    const document = (name: string, brand: string) => ({
      kind: "trigger",
      ...triggerOf(name, { enroll: undefined, ...eventFor(brand) }),
    });
    const apply = (token: string | undefined, one: object) =>
      ask(token, "POST", "/v1/declared/apply", { payload: { document: one } });
    expect((await apply(undefined, document(others, "other"))).statusCode).toBe(200);
    expect((await apply(acme, document(own, "acme"))).statusCode).toBe(200);
    for (const [one, status] of [
      [document(others, "other"), 403],
      [document(others, "acme"), 409],
      [
        { kind: "suppression-list", name: "all", global: true, reason: "a test", numbers: ["+12025550101"] },
        403,
      ],
      [{ kind: "suppression-source", name: "register", type: "do_not_call", brand: "acme" }, 403],
    ] as const) {
      expect((await apply(acme, one)).statusCode, JSON.stringify(one)).toBe(status);
      const diff = await ask(acme, "POST", "/v1/declared/diff", { payload: { documents: [one] } });
      expect(diff.statusCode, JSON.stringify(one)).toBe(status);
    }

    const declared = async (token: string | undefined) =>
      (await ask(token, "GET", "/v1/declared"))
        .json<{ items: Item[] }>()
        .items.map(({ name }) => name)
        .filter((name) => name === own || name === others);
    expect(await declared(acme)).toEqual([own]);
    expect((await declared(undefined)).sort()).toEqual([own, others].sort());
    for (const kind of [
      "attention-route",
      "event-webhook",
      "automation",
      "suppression-source",
      "trigger",
      "schedule",
    ]) {
      const found = await listed(acme, "/v1/declared/documents", { kind });
      const mine = { trigger: [names.acme], schedule: [names.schedule] };
      expect({ kind, found }).toEqual({ kind, found: Reflect.get(mine, kind) ?? [] });
    }

    const prune = async (token: string | undefined, name: string) =>
      (await ask(token, "POST", "/v1/declared/prune", { payload: { kind: "trigger", name } })).statusCode;
    expect(await prune(acme, others)).toBe(404);
    // Its name is another brand's by now: what was declared under it is not this token's to take back.
    expect(await put("/v1/triggers", { ...document(own, "other"), kind: undefined })).toMatchObject({
      statusCode: 200,
    });
    expect(await declared(acme)).toEqual([]);
    expect(await prune(acme, own)).toBe(404);
    expect(await put("/v1/triggers", { ...document(own, "acme"), kind: undefined })).toMatchObject({
      statusCode: 200,
    });
    expect(await prune(acme, own)).toBe(200);
    expect(await prune(acme, own), "given once more").toBe(200);
  });
});
