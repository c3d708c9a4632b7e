/**
 * The same records in the other shapes that platforms send: ids under either name, nulls, unknown fields and
 * words, envelopes and bare arrays. What is read must not differ.
 */
import { describe, expect, test } from "vitest";
import { type EndpointName, operations, type Platform } from "../../src/platform/index.ts";
import { BATCH, clientOf, failureOf, json, startPlatform } from "./fake-platform.ts";

const answering = async (body: unknown, status = 200) =>
  clientOf(await startPlatform((_, response) => json(response, status, body)));

type One = (platform: Platform) => Promise<object | undefined>;

/** What reads a record, the name its id is handed on under, and the other name it may come under. */
const records: readonly [string, string, string, One, ((row: object) => unknown)?][] = [
  ["an agent", "agent_id", "id", (p) => p.agents.get("a")],
  ["an imported agent", "agent_id", "id", (p) => p.agents.import({ x: 1 })],
  ["a call", "call_id", "id", (p) => p.calls.get("c")],
  ["a web call", "call_id", "id", (p) => p.calls.web({ agent_id: "a" })],
  ["a phone number", "phone_number_id", "id", (p) => p.phoneNumbers.get("n")],
  ["a SIP connection", "sip_connection_id", "id", (p) => p.sipConnections.get("n", "s")],
  [
    "a dispatch rule",
    "dispatch_rule_id",
    "id",
    async (p) => (await p.dispatchRules.list("n"))[0],
    (row) => [row],
  ],
  ["a batch", "batch_call_id", "id", (p) => p.batchCalls.get("b")],
  ["a batch's item", "item_id", "id", async (p) => (await p.batchCalls.items("b")).items[0], (row) => [row]],
  ["an automation", "workflow_id", "id", (p) => p.workflows.get("w")],
  ["a generated automation", "workflow_id", "id", (p) => p.workflows.refine("w", "more")],
  ["a run", "execution_id", "id", async (p) => (await p.workflows.executions("w")).items[0], (row) => [row]],
  ["a run's answer", "execution_id", "id", (p) => p.workflows.execute("w")],
  [
    "a ledger entry",
    "id",
    "transaction_id",
    async (p) => (await p.billing.transactions()).items[0],
    (row) => [row],
  ],
  ["a usage event", "id", "event_id", async (p) => (await p.billing.usage()).items[0], (row) => [row]],
  ["a knowledge base", "id", "knowledge_base_id", (p) => p.knowledgeBases.get("k")],
  [
    "an uploaded document",
    "id",
    "document_id",
    (p) => p.knowledgeBases.addDocument("k", { data: Buffer.of(1), filename: "a" }),
  ],
  ["a key", "id", "key_id", (p) => p.apiKeys.get("q")],
  ["a chat session", "session_id", "id", (p) => p.chat.get("h")],
];

/** Fields of the contract's records: any of them may be null. */
const FIELDS = (
  "agent_name description is_published published_version agent_type agent_mode created_at updated_at versions " +
  "linked_workflows call_type status from_number to_number access_token room_name room_url start_time end_time " +
  "duration_seconds transcript recording_url call_analysis call_summary call_sentiment call_cost latency_metrics " +
  "processing_status workflow_executions phone_number nickname provider inbound_agent_id outbound_agent_id " +
  "sip_connections dispatch_rules termination_uri username connection_type transport sync_status sync_error name " +
  "total pending active completed failed processed counts progress_percent started_at completed_at attempt_count " +
  "error_message workflow_json trigger_type trigger_config detected_credentials generation_history n8n_workflow_id " +
  "required_secrets visualization execution_time_ms output error is_active timeout_seconds filename file_type " +
  "file_size_bytes chunk_count documents key_prefix scopes rate_limit_tier ip_allowlist last_used_at expires_at " +
  "amount_usd balance_after metadata price_usd greeting messages agent_version"
).split(" ");

describe.each(records)("%s", (_, idName, otherName, read, wrap = (row) => row) => {
  test("is known by its id under either name", async () => {
    for (const body of [{ [idName]: "x" }, { [otherName]: "x" }, { [otherName]: "x", [idName]: null }]) {
      expect(await read(await answering(wrap(body)))).toMatchObject({ [idName]: "x" });
    }
    const numbered = await read(await answering(wrap({ [otherName]: 17 })));
    expect(numbered).toMatchObject({ [idName]: "17" });
  });

  test("is read with every other field null, and keeps fields and words that nobody knows", async () => {
    const nulls = Object.fromEntries(FIELDS.map((field) => [field, null]));
    const body = { ...nulls, [idName]: "x", status: "teleported", novel: { deep: [1] } };
    const found = await read(await answering(wrap(body), 201));
    expect(found).toMatchObject({ [idName]: "x", status: "teleported", novel: { deep: [1] } });
    // What is read at all reads null as missing; what is only kept stays as it came.
    for (const field of FIELDS.filter((name) => name !== "status")) {
      expect([undefined, null]).toContain(Reflect.get(found ?? {}, field));
    }
  });
});

const rowsOf = (body: unknown): unknown => (Array.isArray(body) ? body : Reflect.get(Object(body), "items"));

/** Rows that satisfy any list, whatever its id is called. */
const ROWS = ["x1", "x2"].map((id) => ({ id, name: id }));

describe("every list", () => {
  const lists = operations.filter(({ answer }) => answer.kind === "page" || answer.kind === "array");
  const paramsOf = (name: EndpointName) =>
    Object.fromEntries(
      Object.keys(operations.find((one) => one.name === name)?.params.shape ?? {}).map((param) => [
        param,
        "p",
      ]),
    );

  test.each(lists.map(({ name }) => name))("%s is read from an array or an envelope", async (name) => {
    const envelopes = [
      ROWS,
      { items: ROWS, total: 2, skip: 0, limit: 50 },
      { items: ROWS, total: "2", page: 1, pages: 1 },
    ];
    for (const body of envelopes) {
      const found = await (await answering(body)).send(name, { params: paramsOf(name) });
      expect(rowsOf(found)).toMatchObject([{ name: "x1" }, { name: "x2" }]);
    }
  });

  test.each(lists.map(({ name }) => name))("%s can be walked without knowing it", async (name) => {
    const found: unknown[] = [];
    const platform = await answering({ items: ROWS, total: 2 });
    for await (const row of platform.iterate(name, { params: paramsOf(name) })) found.push(row);
    expect(found).toMatchObject([{ name: "x1" }, { name: "x2" }]);
  });

  test("in one answer that says that it is only a part is asked for the rest", async () => {
    const all = Array.from({ length: 7 }, (_, nth) => ({ id: `k${nth}` }));
    const server = await startPlatform((request, response) => {
      const skip = Number(request.query["skip"] ?? 0);
      json(response, 200, { items: all.slice(skip, skip + 3), total: all.length });
    });
    const platform = clientOf(server);
    expect((await platform.knowledgeBases.list()).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(server.seen.slice(0, 3).map((one) => one.query)).toEqual([
      {},
      { skip: "3", limit: "3" },
      { skip: "6", limit: "3" },
    ]);
  });

  test("in one answer that goes on repeating its part is an error, not a short list", async () => {
    const platform = await answering({ items: ROWS, total: 3 });
    const error = await failureOf(platform.knowledgeBases.list());
    expect(error).toMatchObject({ code: "unexpected_response", effect: "none" });
    expect(error.message).toContain("repeats a page");
  });

  test("in one answer whose rows change all the time is asked for until nothing new comes, and no more", async () => {
    let looks = 0;
    const moving = () => ROWS.map((row) => ({ ...row, description: `look ${(looks += 1)}` }));
    const server = await startPlatform((_, response) => json(response, 200, { items: moving(), total: 9 }));
    const error = await failureOf(clientOf(server).knowledgeBases.list());
    expect(error.message).toContain("repeats a page");
    expect(server.seen.length).toBe(2);
  });

  test("in one answer that has new rows for ever is given up", async () => {
    let rows = 0;
    const server = await startPlatform((_, response) =>
      json(response, 200, { items: [{ id: `k${(rows += 1)}` }], total: 1_000_000 }),
    );
    const error = await failureOf(clientOf(server).knowledgeBases.list());
    expect(error.message).toContain("has not ended after 100 pages");
    expect(server.seen.length).toBe(100);
  });

  test("of what runs is one look: the rows of one answer, whatever total it names", async () => {
    let dialed = 0;
    const server = await startPlatform((_, response) =>
      json(response, 200, { items: [{ id: BATCH, completed_count: (dialed += 1) }], total: 40 }),
    );
    const running = await clientOf(server).batchCalls.active();
    expect(running).toMatchObject([{ batch_call_id: BATCH, completed: 1 }]);
    expect(server.seen.map((one) => one.query)).toEqual([{}]);
  });

  test("has rows under the resource's own name, too, where the contract says so or servers do it", async () => {
    const entries = await answering({ entries: ROWS, total: 2, limit: 50, offset: 0 });
    expect((await entries.billing.transactions()).items.length).toBe(2);
    const events = await answering({ events: ROWS, total: 2 });
    expect((await events.billing.usage()).items.length).toBe(2);
    expect((await (await answering({ workflows: ROWS, total: 2 })).workflows.list()).items.length).toBe(2);
    expect((await (await answering({ knowledge_bases: ROWS })).knowledgeBases.list()).length).toBe(2);
  });

  test("that is no list can't be walked", async () => {
    await expect((await answering({})).iterate("billing.balance", {}).next()).rejects.toThrow(TypeError);
  });
});

describe("answers without a body", () => {
  const silent = operations.filter(({ answer: { kind } }) => kind === "nothing");
  test.each(silent.map(({ name, params }) => [name, Object.keys(params.shape)] as const))(
    "%s may answer 204, an object or a text of JSON",
    async (name, params) => {
      const input = { params: Object.fromEntries(params.map((param) => [param, "p"])) };
      const server = await startPlatform((_, response) => response.writeHead(204).end());
      expect(await clientOf(server).send(name, input)).toBeUndefined();
      expect(await (await answering({ message: "deleted" })).send(name, input)).toBeUndefined();
      expect(await (await answering(null)).send(name, input)).toBeUndefined();
    },
  );

  test("are enough for actions whose object is not shown", async () => {
    const server = await startPlatform((_, response) => response.writeHead(204).end());
    const platform = clientOf(server);
    await platform.calls.end("c");
    await platform.chat.close("h");
    expect(await platform.workflows.update("w", { is_active: true })).toEqual({
      workflow_id: "w",
    });
    expect(await platform.agents.linkWorkflow("a", "w")).toEqual({ agent_id: "a", workflow_id: "w" });
    expect(await platform.send("batchCalls.start", { params: { batch_id: "b" } })).toMatchObject({
      batch_call_id: "b",
    });
  });
});

describe("single records", () => {
  test("a new key is needed with its secret, which is in no error", async () => {
    const error = await failureOf((await answering({ id: "q", key: "" })).apiKeys.create({ name: "k" }));
    expect(error).toMatchObject({ code: "unexpected_response", effect: "may_have_happened" });
    expect((await (await answering({ id: "q", key: "s3cret" })).apiKeys.rotate("q")).key).toBe("s3cret");
  });

  test("summaries and sentiments are texts or objects, transcripts lists; all are kept", async () => {
    const body = {
      id: "c",
      call_summary: "short",
      call_sentiment: { label: "good" },
      transcript: [{ role: "agent" }],
    };
    expect(await (await answering(body)).calls.get("c")).toMatchObject({ ...body, call_id: "c" });
  });

  test("latencies, prices and counts are read from numbers or texts, stage by stage", async () => {
    const latency = await (
      await answering({ e2e: { p50: "812.5", p99: 2000 }, stt: null, llm: "slow" })
    ).analytics.latency();
    expect(latency).toMatchObject({ e2e: { p50: 812.5, p99: 2000 } });
    expect([latency.stt, latency.llm, latency.tts]).toEqual([undefined, undefined, undefined]);
    const estimate = await (
      await answering({ total_per_minute: "0.12", components: { llm: "0.1", odd: {} } })
    ).billing.estimate();
    expect(estimate).toMatchObject({ total_per_minute: 0.12, components: { llm: 0.1 } });
  });

  test("a reply may come with FastAPI's error detail, which is told", async () => {
    const detail = [{ loc: ["body", "content"], msg: "too long", type: "value_error" }];
    const error = await failureOf((await answering({ detail }, 422)).chat.send("h", "x"));
    expect(error.fieldErrors).toEqual([{ field: "body.content", message: "too long" }]);
    const conflict = await failureOf(
      (await answering({ detail: "livekit session" }, 409)).chat.send("h", "x"),
    );
    expect(conflict).toMatchObject({ code: "conflict", detail: "livekit session", effect: "did_not_happen" });
  });
});
