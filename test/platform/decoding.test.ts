import { describe, expect, test } from "vitest";
import { A_BATCH, BATCH, clientOf, failureOf, json, startPlatform } from "./fake-platform.ts";

const answering = async (body: unknown, status = 200) =>
  clientOf(await startPlatform((_, response) => json(response, status, body)));

describe("ids", () => {
  test("arrive under their own name or as id, and are handed on under their own", async () => {
    expect((await (await answering({ agent_id: "a" })).agents.get("a")).agent_id).toBe("a");
    expect((await (await answering({ id: "a", agent_id: null })).agents.get("a")).agent_id).toBe("a");
    expect((await (await answering({ id: "x", call_id: "c" })).calls.get("c")).call_id).toBe("c");
    expect((await (await answering({ id: "c" })).calls.get("c")).call_id).toBe("c");
    expect((await (await answering({ id: BATCH })).batchCalls.create(A_BATCH)).batch_call_id).toBe(BATCH);
    const items = await (await answering([{ id: "i1", call_id: "c1" }])).batchCalls.items(BATCH);
    expect(items.items[0]).toMatchObject({ item_id: "i1", call_id: "c1" });
    const numbers = await (await answering([{ id: 17 }])).phoneNumbers.list();
    expect(numbers.items[0]?.phone_number_id).toBe("17");
  });

  test.each([{}, { id: null }, { id: "" }, { id: {} }])("are needed: %j is no agent", async (body) => {
    const error = await failureOf((await answering(body)).agents.get("a"));
    expect(error).toMatchObject({ code: "unexpected_response" });
    expect(error.message).toContain("agent_id");
  });
});

describe("records", () => {
  test("other fields may be missing or null", async () => {
    const nothing = { batch_call_id: BATCH, status: null, counts: null, total: null };
    const batch = await (await answering(nothing)).batchCalls.get(BATCH);
    expect(batch.status).toBeUndefined();
    expect(batch.counts).toBeUndefined();
    expect(batch.total).toBeUndefined();
    expect(batch.started_at).toBeUndefined();
  });

  test("fields that are not known are kept", async () => {
    const call = await (
      await answering({ call_id: "c", call_cost: { total: 0.4 }, novel: [1] })
    ).calls.get("c");
    expect(call).toMatchObject({ call_cost: { total: 0.4 }, novel: [1] });
  });

  test("words that are not known are kept", async () => {
    const item = { item_id: "i", status: "teleported" };
    expect((await (await answering([item])).batchCalls.items(BATCH)).items[0]?.status).toBe("teleported");
    expect((await (await answering({ call_id: "c", status: "initiating" })).calls.get("c")).status).toBe(
      "initiating",
    );
  });

  test("numbers may come as texts", async () => {
    const balance = await (
      await answering({ current_balance: "12.50", total_credits_used: "3" })
    ).billing.balance();
    expect(balance).toMatchObject({ current_balance: 12.5, total_credits_used: 3 });
    const counters = { id: BATCH, total: "100", completed_count: "7", counts: { pending: "93", odd: {} } };
    const batch = await (await answering(counters)).batchCalls.get(BATCH);
    expect(batch).toMatchObject({ total: 100, completed: 7, counts: { pending: 93 } });
  });

  test("a batch's counters are read under both of their names", async () => {
    const listed = { id: BATCH, total_count: 10, completed_count: 3, failed_count: 2, max_concurrent: 5 };
    const [row] = await (await answering([listed])).batchCalls.active();
    expect(row).toMatchObject({ total: 10, completed: 3, failed: 2, max_concurrent_calls: 5 });
    const both = await (await answering({ id: BATCH, total: 11, total_count: 10 })).batchCalls.get(BATCH);
    expect(both.total).toBe(11);
  });

  test("an agent's name comes as agent_name or name; flags as flags or texts", async () => {
    const agent = await (await answering({ id: "a", name: "Ann", is_published: "true" })).agents.get("a");
    expect(agent).toMatchObject({ agent_name: "Ann", is_published: true });
    expect((await (await answering({ id: "a", is_published: 0 })).agents.get("a")).is_published).toBe(false);
    expect((await (await answering({ id: "a" })).agents.get("a")).is_published).toBeUndefined();
  });

  test("a cosmetic field that makes no sense is read as missing", async () => {
    const batch = await (
      await answering({ id: BATCH, progress_percent: "50 %", name: {} })
    ).batchCalls.get(BATCH);
    expect(batch.progress_percent).toBeUndefined();
    expect(batch.name).toBeUndefined();
    const call = await (
      await answering({ id: "c", transcript: "hello", call_summary: "short" })
    ).calls.get("c");
    expect(call.transcript).toBeUndefined();
    expect(call).toMatchObject({ call_summary: "short" });
  });

  test.each([
    [{ attempt_count: "many" }, { attempt_count: Number.NaN }],
    [{ attempt_count: "1e999" }, { attempt_count: Number.NaN }],
    [{ attempt_count: true }, { attempt_count: Number.NaN }],
    [{ call_id: ["c"] }, { call_id: "(unreadable)" }],
    [{ status: { word: "failed" } }, { status: "(unreadable)" }],
    [{ started_at: {} }, { started_at: "(unreadable)" }],
    [{ phone_number: [] }, { phone_number: "(unreadable)" }],
  ])(
    "a field that could prove that nobody was called is never read as missing, and loses nobody else: %j",
    async (fields, read) => {
      const rows = [{ item_id: "i", ...fields }, { item_id: "j" }];
      const page = await (await answering(rows)).batchCalls.items(BATCH);
      expect(page.items).toMatchObject([{ item_id: "i", ...read }, { item_id: "j" }]);
      const batch = { id: BATCH, active: {}, started_at: 0, status: "running" };
      expect(await (await answering(batch)).batchCalls.get(BATCH)).toMatchObject({
        active: Number.NaN,
        started_at: "0",
        status: "running",
      });
      const call = { call_id: "c", duration_seconds: "long", to_number: {} };
      expect(await (await answering(call)).calls.get("c")).toMatchObject({
        duration_seconds: Number.NaN,
        to_number: "(unreadable)",
      });
    },
  );

  test.each([[null], ["text"], [7], [[]], [{}], [{ id: null }], [{ id: "x".repeat(256) }], [{ id: ".." }]])(
    "a row that has no id is counted and loses none of the others: %j",
    async (row) => {
      const rows = [{ id: "a" }, row, { id: "b" }];
      const platform = await answering(rows);
      const { batchCalls, calls } = platform;
      for (const list of [batchCalls.list(), batchCalls.items(BATCH), calls.list()]) {
        const page = await list;
        expect([page.items.length, page.unreadable]).toEqual([2, 1]);
      }
      expect(await batchCalls.active()).toHaveLength(2);
      expect(await failureOf(batchCalls.iterateItems(BATCH).next())).toMatchObject({
        code: "unexpected_response",
        message: expect.stringContaining("a row without an id"),
      });
      let left = 0;
      const onUnreadable = (count: number) => void (left += count);
      const read: string[] = [];
      for await (const item of batchCalls.iterateItems(BATCH, {}, { onUnreadable })) read.push(item.item_id);
      expect([read, left]).toEqual([["a", "b"], 1]);
      // Where a row that is not there proves something, none is passed over.
      expect(await failureOf(platform.workflows.executions("w"))).toMatchObject({
        code: "unexpected_response",
      });
    },
  );

  test.each(["a\u0000", "a\nb", "\ud800", ".", ".."])(
    "an id that nothing can be asked by is none: %j",
    async (id) => {
      expect(await failureOf((await answering({ id })).batchCalls.create(A_BATCH))).toMatchObject({
        code: "unexpected_response",
        effect: "may_have_happened",
      });
    },
  );

  test("an empty call id is no call id", async () => {
    const page = await (
      await answering([{ item_id: "i", call_id: "", attempt_count: "0" }])
    ).batchCalls.items(BATCH);
    expect(page.items[0]).toMatchObject({ call_id: undefined, attempt_count: 0 });
  });

  test("names that are special in JavaScript are only names", async () => {
    const server = await startPlatform((_, response) => {
      response.end(`{"id":"a","__proto__":{"is_published":true},"constructor":"x","counts":{"__proto__":3}}`);
    });
    const agent = await clientOf(server).agents.get("a");
    expect(agent.is_published).toBeUndefined();
    expect(agent.agent_id).toBe("a");
    expect((await clientOf(server).batchCalls.get("a")).batch_call_id).toBe("a");
    expect(Object.prototype).not.toHaveProperty("is_published");
  });

  test("a byte order mark is no garbage", async () => {
    const server = await startPlatform((_, response) => {
      response.end(`\uFEFF{"id":"a","agent_name":"Jörg ☎"}`);
    });
    expect((await clientOf(server).agents.get("a")).agent_name).toBe("Jörg ☎");
  });
});

describe("lists", () => {
  const row = { id: "p1", phone_number: "+12025550100" };
  test("come in the documented envelope or bare", async () => {
    const envelope = { items: [row], total: "1", skip: 0, limit: 50, extra: 1 };
    expect(await (await answering(envelope)).phoneNumbers.list()).toMatchObject({ total: 1, items: [row] });
    const bare = await (await answering([row])).phoneNumbers.list();
    expect(bare.items).toMatchObject([row]);
    expect(bare.total).toBeUndefined();
  });

  test("may have no total", async () => {
    expect(
      (await (await answering({ items: [row], total: null })).phoneNumbers.list()).total,
    ).toBeUndefined();
    expect((await (await answering({ items: [row] })).phoneNumbers.list()).total).toBeUndefined();
  });

  test("are empty without rows only where they say so", async () => {
    expect((await (await answering({ items: null, total: 0 })).phoneNumbers.list()).items).toEqual([]);
    for (const body of [{}, { items: null }, { total: 3 }, { detail: "soon" }, { items: {} }, "[]", null]) {
      expect(await failureOf((await answering(body)).phoneNumbers.list())).toMatchObject({
        code: "unexpected_response",
      });
    }
  });
});

describe("operations on a batch", () => {
  test.each([
    [
      "the status record",
      { batch_call_id: BATCH, status: "queued", total: 3 },
      { status: "queued", total: 3 },
    ],
    ["an object of their own", { id: "op-17", message: "started" }, { message: "started" }],
    ["an empty object", {}, {}],
  ])("may answer with %s: the id is the one that was asked about", async (_, body, expected) => {
    expect(await (await answering(body)).batchCalls.start(BATCH)).toMatchObject({
      batch_call_id: BATCH,
      ...expected,
    });
  });

  test("may answer with 204 or an empty body", async () => {
    for (const status of [200, 202, 204]) {
      const server = await startPlatform((_, response) => {
        response.writeHead(status).end();
      });
      const platform = clientOf(server);
      expect((await platform.batchCalls.pause(BATCH)).batch_call_id).toBe(BATCH);
      await platform.batchCalls.delete(BATCH);
      await platform.calls.end("c");
    }
  });

  test("are not believed where a proxy answers in their place", async () => {
    const server = await startPlatform((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>please log in</html>");
    });
    const error = await failureOf(clientOf(server).batchCalls.delete(BATCH));
    expect(error).toMatchObject({ code: "unexpected_response", effect: "may_have_happened" });
  });
});
