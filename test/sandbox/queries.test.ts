/** What stands in a query does what it says, or is refused: nothing in it is passed over. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";

import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import {
  ask,
  CALLER_ID,
  createBatch,
  DRAFT_AGENT,
  eventually,
  openSandbox,
  phone,
  phones,
  PUBLISHED_AGENT,
  refusal,
  STANDING_STILL,
} from "./support.ts";

const record = z.record(z.string(), z.unknown());
const records = z.array(record);

async function read(sandbox: Sandbox, path: string): Promise<Record<string, unknown>> {
  const answer = await ask(sandbox, "GET", path);
  expect([path, answer.status, answer.body]).toMatchObject([path, 200, {}]);
  return record.parse(answer.body);
}

/** The rows of an answer, wherever they are in it. */
async function rows(sandbox: Sandbox, path: string): Promise<Record<string, unknown>[]> {
  const { status, body } = await ask(sandbox, "GET", path);
  expect([path, status, body]).toMatchObject([path, 200, {}]);
  if (Array.isArray(body)) {
    return records.parse(body);
  }
  const named = record.parse(body);
  return records.parse(named["items"] ?? named["entries"] ?? named["events"] ?? named["scheduled_workflows"]);
}

async function make(sandbox: Sandbox, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await ask(sandbox, "POST", path, body);
  expect([path, answer.status < 300, answer.body]).toMatchObject([path, true, {}]);
  return record.parse(answer.body);
}

/** Three of everything that is listed, as far as a request can make it. */
async function populate(sandbox: Sandbox): Promise<Record<string, string>> {
  const made: Record<string, string> = {};
  const id = (value: unknown) => z.string().parse(value);
  for (const nth of [1, 2, 3]) {
    made["agent"] = id((await make(sandbox, "/v1/agents", { name: `A${nth}` }))["agent_id"]);
    const definition = { trigger_type: "schedule", workflow_json: { nodes: credentials } };
    made["workflow"] = id(
      (await make(sandbox, "/v1/workflows", { name: `W${nth}`, ...definition }))["workflow_id"],
    );
    await make(sandbox, `/v1/workflows/${made["workflow"]}/schedule`, { interval_minutes: 60 });
    made["number"] = id(
      (await make(sandbox, "/v1/phone-numbers", { phone_number: phone(900 + nth) }))["phone_number_id"],
    );
    made["base"] = id((await make(sandbox, "/v1/knowledge-bases", { name: `K${nth}` }))["id"]);
    await make(sandbox, "/v1/api-keys", { name: `Q${nth}` });
    await make(sandbox, "/v1/chat/sessions", { agent_id: PUBLISHED_AGENT });
    await make(sandbox, "/v1/calls/web", { agent_id: PUBLISHED_AGENT });
    await make(sandbox, "/v1/workflows/generate", { name: `G${nth}`, description: "Slack" });
  }
  for (const other of [PUBLISHED_AGENT, DRAFT_AGENT, made["agent"]]) {
    await make(sandbox, `/v1/workflows/${made["workflow"]}/agents/${other}`, {});
  }
  for (const { workflow_id: workflow } of (await rows(sandbox, "/v1/workflows?trigger_type=post_call")).slice(
    0,
    2,
  )) {
    await make(sandbox, `/v1/agents/${made["agent"]}/workflows/${id(workflow)}`, {});
  }
  for (const nth of [1, 2, 3]) {
    await make(sandbox, `/v1/workflows/${made["workflow"]}/test`, {});
    await make(sandbox, `/v1/phone-numbers/${made["number"]}/sip-connections`, {
      termination_uri: `sip${nth}.example`,
    });
    await ask(sandbox, "PATCH", `/v1/agents/${made["agent"]}`, { description: `D${nth}` });
    const batch = await createBatch(sandbox, phones(3));
    await make(sandbox, `/v1/batch-calls/${batch.batch_call_id}/start`, {});
    made["batch"] = batch.batch_call_id;
  }
  return made;
}

const credentials = [{ name: "A", credentials: { slackApi: {}, smtp: {}, twilioApi: {} } }];

/** Every list of which three rows or more can be made, with what is the name of a row. */
const LISTS: readonly (readonly [path: string, name: string])[] = [
  ["/v1/agents", "agent_id"],
  ["/v1/agents/$agent/versions", "version"],
  ["/v1/agents/$agent/workflows", "workflow_id"],
  ["/v1/workflows/by-agent/$agent", "workflow_id"],
  ["/v1/calls", "call_id"],
  ["/v1/phone-numbers", "phone_number_id"],
  ["/v1/phone-numbers/$number/sip-connections", "sip_connection_id"],
  ["/v1/batch-calls", "batch_call_id"],
  ["/v1/batch-calls/active", "batch_call_id"],
  ["/v1/batch-calls/$batch/items", "item_id"],
  ["/v1/workflows", "workflow_id"],
  ["/v1/workflows/$workflow/executions", "execution_id"],
  ["/v1/workflows/$workflow/agents", "agent_id"],
  ["/v1/workflows/$workflow/credential-schema", "credential_type"],
  ["/v1/workflows/schedules", "workflow_id"],
  ["/v1/workflows/schedules/all", "workflow_id"],
  ["/v1/billing/transactions", "id"],
  ["/v1/billing/usage", "id"],
  ["/v1/config/languages", "code"],
  ["/v1/knowledge-bases", "id"],
  ["/v1/api-keys", "id"],
  ["/v1/chat/sessions", "session_id"],
];

describe("every list", () => {
  test("is paged by skip and limit and by page and per_page, and refuses both at once", async () => {
    // Test runs take time, so it has to pass. What else grows by itself is at rest before anything is read.
    const sandbox = await openSandbox({ speed: 5_000 });
    sandbox.faults.add({ kind: "pickup_delay", ms: 3_600_000 });
    const made = await populate(sandbox);
    await eventually(() => {
      expect(sandbox.stats().activeCalls).toBe(0);
    });
    for (const [template, name] of LISTS) {
      const path = template.replaceAll(/\$(\w+)/g, (_, one: string) => made[one] ?? "");
      const ids = async (query: string) => (await rows(sandbox, `${path}?${query}`)).map((row) => row[name]);
      const all = await ids("");
      expect([path, all.length >= 3]).toEqual([path, true]);
      expect([path, new Set(all).size]).toEqual([path, all.length]);
      expect([path, await ids("limit=2")]).toEqual([path, all.slice(0, 2)]);
      expect([path, await ids("skip=1&limit=1")]).toEqual([path, all.slice(1, 2)]);
      expect([path, await ids("page=2&per_page=1")]).toEqual([path, all.slice(1, 2)]);
      expect([path, await ids("per_page=2")]).toEqual([path, all.slice(0, 2)]);
      expect([path, await ids("page=2&limit=2")]).toEqual([path, all.slice(2, 4)]);
      expect([path, await ids("page=1000000")]).toEqual([path, []]);
      for (const wrong of [
        "skip=1&page=2",
        "limit=2&per_page=3",
        "page=0",
        "per_page=0",
        "per_page=1001",
        "page=1e3",
        "page=",
      ]) {
        expect([path, wrong, (await refusal(sandbox, "GET", `${path}?${wrong}`)).status]).toEqual([
          path,
          wrong,
          422,
        ]);
      }
    }
  });

  test("says which page it is to whoever counts pages", async () => {
    const sandbox = await openSandbox({ speed: STANDING_STILL });
    expect(await read(sandbox, "/v1/agents?page=2&per_page=1")).toMatchObject({
      total: 2,
      skip: 1,
      limit: 1,
      page: 2,
      per_page: 1,
    });
    expect(await read(sandbox, "/v1/workflows?skip=4&limit=2")).toMatchObject({
      page: 3,
      per_page: 2,
      skip: 4,
      limit: 2,
    });
    expect(await read(sandbox, "/v1/billing/usage?page=3&per_page=5")).toMatchObject({
      offset: 10,
      limit: 5,
    });
    expect(await read(sandbox, "/v1/billing/usage?skip=3")).toMatchObject({ offset: 3, limit: 50 });
    expect((await refusal(sandbox, "GET", "/v1/billing/usage?skip=3&offset=4")).status).toBe(422);
  });
});

test("a word that a query has no use for is refused, with those that it has", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  const asked = [
    ["GET", "/v1/calls?statuss=ended"],
    ["GET", "/v1/billing/balance?currency=EUR"],
    ["GET", `/v1/agents/${PUBLISHED_AGENT}?versions=false`],
    ["POST", `/v1/agents/${PUBLISHED_AGENT}/publish?draft=1`],
    ["GET", "/v1/agents?__proto__=1"],
    ["GET", "/v1/agents?constructor=1"],
  ] as const;
  for (const [method, path] of asked) {
    const { status, detail } = await refusal(sandbox, method, path);
    const name = /\?([^=]+)/.exec(path)?.[1];
    expect([path, status, detail]).toMatchObject([
      path,
      422,
      [{ loc: ["query", name], type: "extra_forbidden" }],
    ]);
  }
  const { detail } = await refusal(sandbox, "GET", "/v1/phone-numbers?offset=3");
  expect(JSON.stringify(detail)).toContain("skip, limit, page, per_page");
  const { detail: none } = await refusal(sandbox, "GET", "/v1/billing/pricing?per_page=3");
  expect(JSON.stringify(none)).toContain("takes none");
  // Whoever is not let in learns nothing, and no fault is used up.
  expect((await ask(sandbox, "GET", "/v1/calls?statuss=ended", undefined, "wrong")).status).toBe(401);
});

test("a balance is checked against what is required, under either name", async () => {
  const sandbox = await openSandbox();
  sandbox.setBalance(2);
  for (const name of ["required", "amount"]) {
    const path = `/v1/billing/balance/check?${name}=`;
    expect(await read(sandbox, `${path}1.5`)).toMatchObject({
      sufficient: true,
      required: 1.5,
      shortfall: 0,
    });
    expect(await read(sandbox, `${path}3.25`)).toMatchObject({
      sufficient: false,
      required: 3.25,
      shortfall: 1.25,
    });
    expect((await refusal(sandbox, "GET", `${path}much`)).status).toBe(422);
  }
  expect(await read(sandbox, "/v1/billing/balance/check?required=3&amount=3.0")).toMatchObject({
    required: 3,
  });
  expect((await refusal(sandbox, "GET", "/v1/billing/balance/check?required=3&amount=4")).status).toBe(422);
});

describe("billing", () => {
  async function spending(): Promise<Sandbox> {
    const sandbox = await openSandbox();
    sandbox.setBalance(50);
    await make(sandbox, "/v1/workflows/generate", { name: "G", description: "Slack" });
    const chat = await make(sandbox, "/v1/chat/sessions", { agent_id: PUBLISHED_AGENT });
    await make(sandbox, `/v1/chat/sessions/${String(chat["id"])}/messages`, { content: "Hello" });
    return sandbox;
  }

  test("is filtered by type, under either of its names", async () => {
    const sandbox = await spending();
    const types = async (path: string, field: string) => (await rows(sandbox, path)).map((row) => row[field]);
    const entries = "/v1/billing/transactions";
    expect(await types(entries, "transaction_type")).toEqual(["credit", "adjustment", "usage", "usage"]);
    for (const name of ["type", "transaction_type"]) {
      expect(await types(`${entries}?${name}=usage`, "transaction_type")).toEqual(["usage", "usage"]);
      expect(await types(`${entries}?${name}=refund`, "transaction_type")).toEqual([]);
    }
    for (const name of ["type", "event_type"]) {
      expect(await types(`/v1/billing/usage?${name}=chat_message`, "event_type")).toEqual(["chat_message"]);
    }
    expect(await types("/v1/billing/usage?type=llm&event_type=chat_message", "event_type")).toEqual([]);
    expect(await read(sandbox, `${entries}?type=usage&limit=1`)).toMatchObject({ total: 2 });
  });

  test("is filtered by dates, under any of their names", async () => {
    const sandbox = await spending();
    const today = new Date().toISOString().slice(0, 10);
    const none = [
      "start_date=2100-01-01",
      "end_date=2020-01-01",
      "from_date=2100-01-01",
      "to_date=2020-01-01",
    ];
    const everything = [
      "days=1",
      "days=30",
      "start_date=2020-01-01",
      `end_date=${today}`,
      `start_date=${today}&days=1`,
    ];
    for (const list of ["/v1/billing/transactions", "/v1/billing/usage"]) {
      for (const query of none) {
        expect([list, query, await read(sandbox, `${list}?${query}`)]).toMatchObject([
          list,
          query,
          { total: 0 },
        ]);
      }
      for (const query of everything) {
        const { total } = await read(sandbox, `${list}?${query}`);
        expect([list, query, Number(total)]).toEqual([list, query, list.endsWith("usage") ? 2 : 4]);
      }
      for (const wrong of ["days=0", "days=x", "days=100000", "start_date=yesterday"]) {
        expect([wrong, (await refusal(sandbox, "GET", `${list}?${wrong}`)).status]).toEqual([wrong, 422]);
      }
    }
    for (const query of everything) {
      expect(await read(sandbox, `/v1/billing/usage/summary?${query}`)).toMatchObject({ total_events: 2 });
      expect(await rows(sandbox, `/v1/billing/usage/daily?${query}`)).toMatchObject([{ event_count: 2 }]);
    }
    for (const query of none) {
      expect(await read(sandbox, `/v1/billing/usage/summary?${query}`)).toMatchObject({ total_events: 0 });
      expect(await rows(sandbox, `/v1/billing/usage/daily?${query}`)).toEqual([]);
    }
  });

  test("a summary says its period in texts, whatever was asked", async () => {
    const sandbox = await spending();
    const summary = z.object({ period: z.object({ from_date: z.string(), to_date: z.string() }) });
    const period = async (query: string) =>
      summary.parse(await read(sandbox, `/v1/billing/usage/summary?${query}`)).period;
    const whole = await period("");
    expect(Date.parse(whole.from_date)).toBeLessThanOrEqual(Date.parse(whole.to_date));
    expect(await period("start_date=2020-02-03&end_date=2020-02-04")).toEqual({
      from_date: "2020-02-03",
      to_date: "2020-02-04",
    });
    const week = await period("days=7");
    expect(Date.parse(week.to_date) - Date.parse(week.from_date)).toBe(7 * 86_400_000);
  });
});

test("calls, analytics and chats are filtered by dates under any of their names, the last day included", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  await make(sandbox, "/v1/calls/web", { agent_id: PUBLISHED_AGENT });
  await make(sandbox, "/v1/chat/sessions", { agent_id: PUBLISHED_AGENT });
  const today = new Date().toISOString().slice(0, 10);
  const counts = async (query: string) => [
    (await read(sandbox, `/v1/calls?${query}`))["total"],
    (await read(sandbox, `/v1/chat/sessions?${query}`))["total"],
    (await read(sandbox, `/v1/analytics/summary?${query}`))["total_calls"],
    (await rows(sandbox, `/v1/analytics/calls-by-day?${query}`)).length,
  ];
  for (const query of [
    "days=2",
    `start_date=${today}`,
    `end_date=${today}`,
    `to_date=${today}`,
    `from_date=${today}&days=1`,
  ]) {
    expect([query, await counts(query)]).toEqual([query, [1, 1, 1, 1]]);
  }
  for (const query of [
    "start_date=2100-01-01",
    `from_date=${today}&end_date=2020-01-01`,
    "to_date=2020-01-01&days=1",
  ]) {
    expect([query, await counts(query)]).toEqual([query, [0, 0, 0, 0]]);
  }
});

test("what a body takes may stand in the query of the operations of which clients send it so; the body wins", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  const workflow = String(
    (await make(sandbox, "/v1/workflows", { name: "W", trigger_type: "post_call", workflow_json: {} }))[
      "workflow_id"
    ],
  );
  const query = "trigger_condition_description=voicemail&priority=7&execution_mode_override=sync";
  expect(
    await make(sandbox, `/v1/workflows/${workflow}/agents/${PUBLISHED_AGENT}?${query}`, { priority: 8 }),
  ).toMatchObject({
    trigger_condition_description: "voicemail",
    priority: 8,
    execution_mode_override: "sync",
  });
  const changed = await ask(
    sandbox,
    "PATCH",
    `/v1/workflows/${workflow}/agents/${PUBLISHED_AGENT}?is_enabled=false`,
  );
  expect(changed.body).toMatchObject({ is_enabled: false, priority: 8 });
  expect(await make(sandbox, `/v1/agents/${DRAFT_AGENT}/workflows/${workflow}?priority=2`, {})).toMatchObject(
    { priority: 2 },
  );
  const key = await make(sandbox, "/v1/api-keys", { name: "short" });
  const path = `/v1/api-keys/${String(key["id"])}`;
  await make(sandbox, `${path}/rotate?grace_period_hours=0`, {});
  await eventually(async () => {
    expect((await ask(sandbox, "GET", "/v1/agents", undefined, String(key["key"]))).status).toBe(401);
  });
});

describe("a chat's messages", () => {
  test("are paged by limit, oldest first", async () => {
    const sandbox = await openSandbox({ speed: STANDING_STILL });
    const { id } = await make(sandbox, "/v1/chat/sessions", { agent_id: PUBLISHED_AGENT });
    for (const content of ["One", "Two"]) {
      await make(sandbox, `/v1/chat/sessions/${String(id)}/messages`, { content });
    }
    const said = async (query: string) => {
      const session = await read(sandbox, `/v1/chat/sessions/${String(id)}?${query}`);
      expect(session).toMatchObject({ message_count: 5, agent_reply_count: 2 });
      return records.parse(session["messages"]).map(({ role }) => role);
    };
    const all = ["assistant", "user", "assistant", "user", "assistant"];
    expect(await said("")).toEqual(all);
    expect(await said("limit=2")).toEqual(all.slice(0, 2));
    expect(await said("skip=3&limit=5")).toEqual(all.slice(3));
    expect(await said("page=2&per_page=2")).toEqual(all.slice(2, 4));
  });

  test("count the tokens that the session counts", async () => {
    const sandbox = await openSandbox({ speed: STANDING_STILL });
    const { id } = await make(sandbox, "/v1/chat/sessions", {
      agent_id: PUBLISHED_AGENT,
      dynamic_variables: { first_name: "Ada" },
    });
    const send = `/v1/chat/sessions/${String(id)}/messages`;
    await make(sandbox, send, { content: "How much is it?" });
    await make(sandbox, send, { content: "Goodbye" });
    const session = await read(sandbox, `/v1/chat/sessions/${String(id)}`);
    expect(session).toMatchObject({ status: "closed", dynamic_variables: { first_name: "Ada" } });
    const messages = records.parse(session["messages"]);
    const sum = (name: string) => messages.reduce((total, message) => total + Number(message[name]), 0);
    expect([sum("tokens_in"), sum("tokens_out")]).toEqual([
      session["total_tokens_in"],
      session["total_tokens_out"],
    ]);
    expect(messages.map((message) => records.parse(message["tool_calls"]).length)).toEqual([0, 0, 0, 0, 1]);
    expect(session["last_message_at"]).toBe(messages.at(-1)?.["created_at"]);
  });
});

test("whatever two ways of paging are asked for, the rows are those of one of them or the request is refused", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  for (let nth = 0; nth < 4; nth += 1) {
    await make(sandbox, "/v1/agents", { name: `A${nth}` });
  }
  const all = (await rows(sandbox, "/v1/agents")).map((row) => row["agent_id"]);
  const some = (max: number) => fc.option(fc.integer({ min: 0, max }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(
      fc.record({ skip: some(7), limit: some(4), page: some(4), per_page: some(4) }),
      async (query) => {
        const given = Object.entries(query).filter(([, value]) => value !== undefined);
        const path = `/v1/agents?${given.map(([name, value]) => `${name}=${value ?? ""}`).join("&")}`;
        const { status, body } = await ask(sandbox, "GET", path);
        const { skip, limit, page, per_page: size } = query;
        const contradicts =
          (skip !== undefined && page !== undefined) ||
          (limit !== undefined && size !== undefined && limit !== size);
        const isNone = limit === 0 || page === 0 || size === 0;
        expect([path, status]).toEqual([path, contradicts || isNone ? 422 : 200]);
        if (status === 200) {
          const count = size ?? limit ?? 50;
          const from = skip ?? ((page ?? 1) - 1) * count;
          const found = records.parse(record.parse(body)["items"]).map((row) => row["agent_id"]);
          expect([path, found]).toEqual([path, all.slice(from, from + count)]);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("a trailing slash leads to the same, wherever it stands", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  for (const path of [
    "/v1/agents",
    "/v1/workflows",
    "/v1/workflows/schedules",
    "/v1/workflows/schedules/all",
    "/v1/billing/balance",
  ]) {
    expect([path, (await ask(sandbox, "GET", `${path}/`)).status]).toEqual([path, 200]);
  }
  const workflow = { name: "W", trigger_type: "post_call", workflow_json: {} };
  expect((await ask(sandbox, "POST", "/v1/workflows/", workflow)).status).toBe(201);
  const batch = { agent_id: PUBLISHED_AGENT, from_number: CALLER_ID, contacts: [{ phone_number: phone(1) }] };
  expect((await ask(sandbox, "POST", "/v1/batch-calls/", batch)).status).toBe(201);
});
