/**
 * The operations that Outdial's engine and commands use, walked through platforms that speak otherwise: what is read
 * and what comes of it must be the same.
 */
import { describe, expect, onTestFinished, test } from "vitest";
import { ConflictError, UnprocessableError } from "../../src/platform/index.ts";
import { dialects } from "./support/dialects.ts";
import { openReshapingProxy, type Reshaping } from "./support/reshaping-proxy.ts";
import { walks } from "./support/walks.ts";
import {
  beginWorld,
  CALLER_ID,
  DRAFT_AGENT,
  freshPhone,
  given,
  openWorld,
  PUBLISHED_AGENT,
} from "./support/world.ts";

/** What the engine, its server and its commands ask of the platform, besides `outdial platform`, which asks all. */
const USED = [
  "GET /v1/agents/{agent_id}",
  "GET /v1/agents",
  "GET /v1/phone-numbers",
  "POST /v1/batch-calls",
  "GET /v1/batch-calls/{batch_id}",
  "GET /v1/batch-calls",
  "GET /v1/batch-calls/active",
  "GET /v1/batch-calls/{batch_id}/items",
  "DELETE /v1/batch-calls/{batch_id}",
  "POST /v1/batch-calls/{batch_id}/start",
  "POST /v1/batch-calls/{batch_id}/pause",
  "POST /v1/batch-calls/{batch_id}/resume",
  "POST /v1/batch-calls/{batch_id}/cancel",
  "GET /v1/calls/{call_id}",
  "GET /v1/calls",
  "GET /v1/billing/balance",
  "POST /v1/workflows",
  "GET /v1/workflows",
];

async function openDialect(how: Reshaping) {
  const world = await beginWorld({
    baseUrlOf: async (sandbox) => {
      const proxy = await openReshapingProxy(sandbox.port, how);
      onTestFinished(() => proxy.close());
      return proxy.baseUrl;
    },
    withheld: new Set(how.withheld),
  });
  onTestFinished(world.close);
  return world;
}

describe.each(Object.entries(dialects))("a platform with %s", (_, how) => {
  test("serves everything that Outdial asks of it", async () => {
    const world = await openDialect(how);
    const failed: string[] = [];
    for (const row of USED) {
      await given(walks[row])(world).catch((error: unknown) => failed.push(`${row}: ${String(error)}`));
    }
    expect(failed).toEqual([]);
  });

  test("refuses as clearly: errors keep their class, their fields and what they say about effects", async () => {
    const { platform } = await openDialect(how);
    const batch = {
      agent_id: DRAFT_AGENT,
      from_number: CALLER_ID,
      contacts: [{ phone_number: freshPhone() }],
    };
    const draft: unknown = await platform.batchCalls.create(batch).catch((error: unknown) => error);
    expect(draft).toBeInstanceOf(UnprocessableError);
    expect(draft).toMatchObject({ fieldErrors: [{ field: "body.agent_id" }], effect: "did_not_happen" });
    const { batch_call_id: id } = await platform.batchCalls.create({ ...batch, agent_id: PUBLISHED_AGENT });
    const early: unknown = await platform.batchCalls.pause(id).catch((error: unknown) => error);
    expect(early).toBeInstanceOf(ConflictError);
  });
});

test("words that nobody has seen before are handed on as they are, for calls, batches and items", async () => {
  const { platform, sandbox } = await openWorld();
  sandbox.faults.add({ kind: "batch_words", words: { pending: "simmering", completed: "wrapped_up" } });
  sandbox.faults.add({ kind: "item_words", words: { pending: "in_the_queue" } });
  sandbox.faults.add({
    kind: "call_words",
    words: { waiting: "lingering", ringing: "chiming", connected: "chatting" },
  });
  const { batch_call_id: id } = await platform.batchCalls.create({
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    contacts: [{ phone_number: freshPhone() }],
  });
  expect((await platform.batchCalls.get(id)).status).toBe("simmering");
  expect((await platform.batchCalls.items(id)).items).toMatchObject([{ status: "in_the_queue" }]);
  const call = await platform.calls.web({ agent_id: PUBLISHED_AGENT });
  expect(["lingering", "chiming", "chatting"]).toContain((await platform.calls.get(call.call_id)).status);
});

test("a list of schedules under its other path is found, and asked for there from then on", async () => {
  const asked: string[] = [];
  const world = await openDialect({
    body: (value, { path }) => {
      asked.push(path);
      return value;
    },
    hidden: ["/v1/workflows/schedules"],
  });
  expect(await world.platform.workflows.schedules()).toEqual([]);
  expect(await world.platform.workflows.schedules()).toEqual([]);
  expect(asked).toEqual(["/v1/workflows/schedules/all", "/v1/workflows/schedules/all"]);
});
