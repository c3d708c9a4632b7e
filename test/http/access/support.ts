import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { sql } from "drizzle-orm";
import { liveThrough, SECOND_CALL_MS } from "../../ledger/support/story-life.ts";
import { given } from "../../support/ledgers.ts";
import { openApi, openSandbox, sha256, specOf, type TestApi } from "../support.ts";
import { freshName } from "../../support/intake.ts";

export const SYSTEM_TOKEN = "the-token-of-the-system-itself-0123456789";

/** Some time behind all that happens in a life. */
export const NOW_MS = SECOND_CALL_MS + 24 * 3_600_000;

export interface Asked {
  method: string;
  url: string;
  query: Record<string, string>;
  payload: unknown;
  headers: Record<string, string>;
}

type Changes = NonNullable<Parameters<typeof openApi>[1]>;

/** An API with the system's own token, and named tokens that are made through it. */
export async function openGuarded(ledger: Ledger, changes: Changes = {}) {
  const { platform } = await openSandbox();
  const api = await openApi(ledger, { token: SYSTEM_TOKEN, platform, ...changes });
  return {
    api,
    /** Asks with a token, or without. */
    ask: (asked: Partial<Asked> & { url: string }, token: string | undefined = SYSTEM_TOKEN) =>
      askAs(api, asked, token),
    makeToken: (role: string, more: Record<string, unknown> = {}) => makeToken(api, role, more),
  };
}

export type Guarded = Awaited<ReturnType<typeof openGuarded>>;

async function askAs(
  { app }: TestApi,
  { method = "GET", url, query = {}, payload, headers = {} }: Partial<Asked> & { url: string },
  token: string | undefined,
): Promise<Answer> {
  const isList = typeof payload === "string";
  return app.inject({
    method: method as "GET",
    url,
    query,
    ...(payload !== undefined && { payload: isList ? payload : JSON.stringify(payload) }),
    headers: {
      ...(payload !== undefined && { "content-type": isList ? "text/csv" : "application/json" }),
      ...(token !== undefined && token !== "" && { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
}

interface Answer {
  statusCode: number;
  body: string;
  headers: Record<string, unknown>;
  json<T = Record<string, unknown>>(): T;
}

async function makeToken(
  api: TestApi,
  role: string,
  more: Record<string, unknown>,
): Promise<{ name: string; secret: string }> {
  const name = freshName(role);
  const answer = await askAs(
    api,
    { method: "POST", url: "/v1/tokens", payload: { role, ...more, name } },
    SYSTEM_TOKEN,
  );
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return { name, secret: answer.json<{ secret: string }>().secret };
}

/** Things of the brand `default`, one of each kind that a route may be about. */
export interface World extends Guarded {
  phone: string;
  /** In its form without a plus, and that of another number which a list told of the person. */
  canaries: readonly string[];
  requestFor(route: string): Asked;
}

let worlds = 0;

/** Everything that a life leaves, and what it takes to ask each route about it. */
export async function openWorld(ledger: Ledger): Promise<World> {
  worlds += 1;
  // Digits that stand in no time and no id by chance.
  const phone = `+1305731${8_640 + worlds}`;
  const life = await liveThrough(ledger, phone, { name: freshName("life") });
  const guarded = await openGuarded(ledger, { now: () => NOW_MS });
  const { ask } = guarded;
  const one = async (statement: ReturnType<typeof sql>) =>
    given((await rows<{ it: string }>(ledger.db, statement))[0]).it;
  const sequence = await one(
    sql`select sequence_id::text as it from enrolments where id = ${life.enrolmentId}::uuid`,
  );
  const followUp = await one(
    sql`select id::text as it from follow_ups where campaign_id = ${life.campaignId}::uuid limit 1`,
  );
  const batch = await one(
    sql`select id::text as it from batches where campaign_id = ${life.campaignId}::uuid order by planned_at limit 1`,
  );
  const call = await one(
    sql`select call_id as it from attempts where campaign_id = ${life.campaignId}::uuid and call_id is not null limit 1`,
  );
  const action = crypto.randomUUID();
  await rows(
    ledger.db,
    sql`insert into actions (id, follow_up_id, owner, n, kind, spec, state, created_at)
        values (${action}::uuid, ${followUp}::uuid, 'keep', 7, 'tag', ${JSON.stringify({
          kind: "tag",
          subject: {},
          retry: { maxTries: 1, delaysMs: [1_000] },
          brand: "default",
          phone,
          tag: "reached",
          source: "follow-up keep",
        })}::jsonb, 'failed', now())`,
  );
  await rows(
    ledger.db,
    sql`insert into attention (kind, subject, brand, summary, remedy, at)
        values ('action_failed', ${crypto.randomUUID()}, 'default', ${`the call of ${phone} came to nothing`}, 'look', now())`,
  );
  const attention = await one(
    sql`select id::text as it from attention where brand = 'default' order by id desc limit 1`,
  );
  const blackout = String(
    (
      await ask({
        method: "POST",
        url: "/v1/blackouts",
        payload: { from: "2027-12-24", name: "Christmas", brand: "default" },
      })
    ).json<{ blackout: { id: number } }>().blackout.id,
  );
  const source = freshName("register");
  await ask({
    method: "PUT",
    url: `/v1/suppressions/sources/${source}`,
    payload: { type: "do_not_call", brand: "default" },
  });
  await ask({
    method: "POST",
    url: "/v1/suppressions",
    payload: { entries: [{ phone, brand: "default", reason: `${phone} said so` }] },
  });
  await ask({
    method: "POST",
    url: "/v1/consents",
    payload: { entries: [{ phone, basis: "express_written", at: "2025-01-01", proof: `call ${phone}` }] },
  });
  const deliveryId = crypto.randomUUID();
  await rows(
    ledger.db,
    sql`insert into deliveries (id, trigger_id, key, digest, body, received_at, state)
        select ${deliveryId}::uuid, id, ${deliveryId}, 'none', ${JSON.stringify({ phone })}, now(), 'received'
        from triggers where name = ${life.trigger}`,
  );
  const { spec } = (await ask({ url: `/v1/campaigns/${life.campaignId}` })).json<{
    spec: Record<string, unknown>;
  }>();
  const schedule = freshName("nightly");
  await ask({
    method: "PUT",
    url: "/v1/schedules",
    payload: { definition: { name: schedule, cron: "0 8 * * 1-5", run: { campaign: "any" } } },
  });
  const declared = { kind: "trigger", ...triggerOf(freshName("declared")) };
  await ask({ method: "POST", url: "/v1/declared/apply", payload: { document: declared } });
  const things = {
    spec,
    life,
    sequence,
    followUp,
    action,
    attention,
    blackout,
    source,
    deliveryId,
    phone,
    batch,
    call,
    schedule,
    declared,
  };
  return {
    ...guarded,
    phone,
    canaries: [phone.slice(1), "12025550199", phone.slice(5)],
    requestFor: (route) => requestFor(route, things),
  };
}

interface Things {
  life: Awaited<ReturnType<typeof liveThrough>>;
  sequence: string;
  followUp: string;
  action: string;
  attention: string;
  blackout: string;
  source: string;
  deliveryId: string;
  batch: string;
  /** The platform's id of a call. */
  call: string;
  schedule: string;
  /** A trigger, as a document that was applied. */
  declared: Record<string, unknown>;
  phone: string;
  /** Of the life's campaign. */
  spec: Record<string, unknown>;
}

const REASON = { reason: "a test" };

/** Of the brand `default`. */
export function triggerOf(name: string, changes: object = {}): Record<string, unknown> {
  return {
    name,
    auth: { scheme: "bearer", secret: "crm" },
    enroll: { sequence: "any", phone: "item.phone" },
    ...changes,
  };
}

/** What each route is asked with: a whole request about a thing that there is, within the brand `default`. */
function requestFor(route: string, things: Things): Asked {
  const [method = "GET", path = ""] = route.split(" ");
  const idOf: readonly (readonly [prefix: string, id: string])[] = [
    ["/v1/campaigns/", things.life.campaignId],
    ["/v1/sequences/", things.sequence],
    ["/v1/enrolments/", things.life.enrolmentId],
    ["/v1/follow-ups/", things.followUp],
    ["/v1/actions/", things.action],
    ["/v1/attention/routes/", "office"],
    ["/v1/events/webhooks/", "crm"],
    ["/v1/attention/", things.attention],
    ["/v1/blackouts/", things.blackout],
    ["/v1/suppressions/sources/", things.source],
    ["/v1/triggers/", things.life.trigger],
    ["/v1/presets/", "us-states"],
    ["/v1/deliveries/", things.deliveryId],
    ["/v1/calls/", things.call],
    ["/v1/schedules/", things.schedule],
    ["/v1/automations/", "reminder"],
  ];
  const id = idOf.find(([prefix]) => path.startsWith(prefix))?.[1] ?? "nobody";
  const url = path
    .replace(":phone", encodeURIComponent(things.phone))
    .replace("/batches/:id", `/batches/${things.batch}`)
    .replace(/:(?:ref|id|name)/, encodeURIComponent(id));
  return { method, url, headers: headersOf(path), ...partsOf(route, things) };
}

/** A stream that began would not end: its place is none, which is seen behind the rights. */
export function headersOf(path: string): Record<string, string> {
  return path === "/v1/events/stream" ? { "last-event-id": "none" } : {};
}

function partsOf(route: string, things: Things): Pick<Asked, "query" | "payload"> {
  const list = "phone\n+12025550177\n";
  const spec = specOf({ name: freshName("new") });
  const definition = {
    name: freshName("sequence"),
    agent_id: "11111111-1111-4111-8111-111111111111",
    from_numbers: ["+12025550100"],
    window: "always",
    concurrency: 1,
    steps: [{ id: "end", exit: { outcome: "done" } }],
  };
  const { phone } = things;
  const brand = "default";
  const listed = { query: { digest: sha256(list), source_name: "list.csv" }, payload: list };
  const parts: Record<string, { query?: Record<string, string>; payload?: unknown }> = {
    "POST /v1/tokens": { payload: { name: freshName("t"), role: "viewer" } },
    "DELETE /v1/tokens/:name": { payload: REASON },
    "DELETE /v1/sessions": { payload: { kind: "person", name: "nobody@example.com", ...REASON } },
    "DELETE /v1/sessions/:id": { payload: REASON },
    "POST /v1/session/codes": { payload: { name: "ann", role: "operator" } },
    "POST /v1/recover": { payload: { suppressions_complete: true, withdrawals_complete: true } },
    "POST /v1/go-on": { payload: REASON },
    "POST /v1/stop-all": { payload: REASON },
    "POST /v1/campaigns": { payload: { spec } },
    "GET /v1/audit": { query: { brand } },
    "GET /v1/events": { query: { brand } },
    "GET /v1/events/stream": { query: { brand } },
    "GET /v1/campaigns": { query: { brand } },
    "POST /v1/campaigns/:ref/clone": { payload: { name: freshName("clone") } },
    "POST /v1/campaigns/:ref/contacts": listed,
    "POST /v1/campaigns/:ref/amend": { payload: { spec: { ...things.spec, concurrency: 3 } } },
    "POST /v1/campaigns/:ref/amend/preview": { payload: { spec: { ...things.spec, concurrency: 3 } } },
    "POST /v1/campaigns/:ref/withdrawals": { payload: { phones: [phone], ...REASON } },
    "GET /v1/contacts": { query: { brand, phone } },
    "POST /v1/contacts/validate": { query: { brand, source_name: "list.csv" }, payload: list },
    "POST /v1/rehearsals": {
      query: { brand, spec: JSON.stringify(spec), source_name: "list.csv", runs: "1" },
      payload: list,
    },
    "POST /v1/sequences/check": { payload: { definition } },
    "POST /v1/sequences/rehearse": { payload: { definition, brand, person: { phone: "+12025550179" } } },
    "POST /v1/triggers/:name/try": { payload: { body: "{}" } },
    "GET /v1/past-calls": { query: { brand, agent_id: "11111111-1111-4111-8111-111111111111" } },
    "GET /v1/follow-ups": { query: { brand } },
    "GET /v1/tags": { query: { brand } },
    "DELETE /v1/tags": { payload: { brand, phone, tag: "reached" } },
    "GET /v1/people/called": { query: { brand } },
    "GET /v1/people/:phone/story": { query: { brand } },
    "POST /v1/people/:phone/forget": { payload: REASON },
    "POST /v1/suppressions": { payload: { entries: [{ phone: "+12025550178", brand, ...REASON }] } },
    "DELETE /v1/suppressions": { payload: { phone: "+12025550178", brand, ...REASON } },
    "GET /v1/suppressions": { query: { brand } },
    "POST /v1/suppressions/import": { query: { brand, source_name: "list.csv" }, payload: list },
    "GET /v1/suppressions/sources": { query: { brand } },
    "PUT /v1/suppressions/sources/:name": { payload: { type: "do_not_call", brand, max_age: "31d" } },
    "DELETE /v1/suppressions/sources/:name": { payload: REASON },
    "POST /v1/suppressions/sources/:name/list": listed,
    "POST /v1/suppressions/sources/:name/check": { payload: { phones: [phone] } },
    "POST /v1/consents": {
      payload: { brand, entries: [{ phone, basis: "express_written", at: "2026-01-01" }] },
    },
    "GET /v1/consents": { query: { phone, brand } },
    "POST /v1/consents/withdraw": { payload: { phone, brand, ...REASON } },
    "PUT /v1/retention": { payload: { keep: { recordings: "1d" }, ...REASON } },
    "POST /v1/blackouts": { payload: { from: "2027-12-31", name: "the last day", brand } },
    "GET /v1/blackouts": { query: { brand } },
    "DELETE /v1/blackouts/:id": { payload: REASON },
    "PUT /v1/budgets": { payload: { brand, total: 100 } },
    "GET /v1/budgets": { query: { brand } },
    "DELETE /v1/budgets": { payload: { brand, ...REASON } },
    "PUT /v1/sequences": { payload: { definition } },
    "GET /v1/sequences": { query: { brand } },
    "POST /v1/sequences/:ref/event": { payload: { phone, name: "paid" } },
    "POST /v1/sequences/:ref/enrolments": { payload: { phone: "+12025550179" } },
    "POST /v1/sequences/:ref/enrolments/list": listed,
    "POST /v1/enrolments/:id/move": { payload: { version: 1 } },
    "POST /v1/enrolments/:id/event": { payload: { name: "paid" } },
    "GET /v1/attention": { query: { brand } },
    "PUT /v1/triggers": { payload: { definition: triggerOf(freshName("trigger")) } },
    "GET /v1/triggers": { query: { brand } },
    "GET /v1/schedules": { query: { brand } },
    "POST /v1/declared/diff": { payload: { documents: [things.declared] } },
    "POST /v1/declared/apply": { payload: { document: things.declared } },
    "GET /v1/declared/documents": { query: { kind: "trigger" } },
    "POST /v1/declared/prune": { payload: { kind: "trigger", name: things.declared["name"] } },
    "PUT /v1/schedules": {
      payload: {
        definition: { name: freshName("put"), cron: "0 9 * * 1-5", run: { campaign: "any" } },
      },
    },
    "POST /v1/schedules/:name/backfill": {
      payload: { from: "2026-03-08T00:00:00Z", to: "2026-03-09T00:00:00Z" },
    },
    "PUT /v1/automations": {
      payload: { definition: { name: "reminder", workflow: { nodes: [] }, trigger_type: "webhook" } },
    },
    "POST /v1/attention/:id/resolve": { payload: REASON },
    "PUT /v1/attention/routes": {
      payload: {
        definition: { name: "office", to: { webhook: { url: "https://example.com/hook", secret: "crm" } } },
      },
    },
    "PUT /v1/events/webhooks": {
      payload: {
        definition: { name: "crm", to: { webhook: { url: "https://example.com/hook", secret: "crm" } } },
      },
    },
    "POST /v1/attention/test": { payload: { route: "nobody" } },
    "POST /v1/rules/test": { payload: { definition: spec, campaign: things.life.campaignId } },
  };
  const { query = {}, payload } = parts[route] ?? {};
  return { query, payload };
}
