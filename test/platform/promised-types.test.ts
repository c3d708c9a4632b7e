import { expect, expectTypeOf, onTestFinished, test, vi } from "vitest";

import {
  type Agent,
  type BatchCall,
  type BatchEvent,
  type Call,
  createPlatform,
  type Gathered,
  type ListPage,
  type PhoneNumber,
  type PlatformClient,
  readWebhook,
  type WithResponse,
} from "../../src/platform/index.ts";
import { clientOf, json, startPlatform } from "./fake-platform.ts";

/*
 * What a compiler knows of the client beside its answers (answer-types.test.ts): `npm run check` compiles this file, and
 * what is marked as an error must be one. What each of these does is in client.test.ts and waiting.test.ts.
 */

/** Compiled, and never run: each statement is one that a program could have. */
async function program(platform: PlatformClient): Promise<void> {
  // A list is a page, all rows behind it, and a bounded gathering.
  expectTypeOf(await platform.calls.list()).toEqualTypeOf<ListPage<Call>>();
  for await (const row of platform.phoneNumbers.list()) expectTypeOf(row).toEqualTypeOf<PhoneNumber>();
  for await (const page of platform.agents.list().pages())
    expectTypeOf(page.items[0]).toEqualTypeOf<Agent | undefined>();
  expectTypeOf(await platform.calls.list().gather({ atMost: 5 })).toEqualTypeOf<Gathered<Call>>();
  // @ts-expect-error: a gathering without a bound
  await platform.calls.list().gather();
  // @ts-expect-error: filters are named as the contract does
  await platform.calls.list({ agentId: "a" });

  // What stood around an answer, of records and lists, and not of what is no answer.
  expectTypeOf(await platform.calls.get("c").withResponse()).toEqualTypeOf<WithResponse<Call>>();
  expectTypeOf(await platform.agents.list().withResponse()).toEqualTypeOf<WithResponse<ListPage<Agent>>>();
  // @ts-expect-error: what is waited for is many requests
  platform.calls.waitUntilEnded("c").withResponse();

  // Times and retries of one call.
  await platform.agents.get("a", { timeoutMs: 5, retry: { attempts: 2 }, signal: AbortSignal.timeout(9) });
  await platform.agents.get("a", { retry: "none", headers: { "x-team": "renewals" } });
  // @ts-expect-error: `timeout`
  await platform.agents.get("a", { timeout: 5 });
  // @ts-expect-error: how often is no policy by itself
  await platform.agents.get("a", { retry: 2 });

  // What is in no table: nothing is known of its answer.
  expectTypeOf(await platform.request({ method: "GET", path: "/v1/new" })).toBeUnknown();
  // @ts-expect-error: a path is needed
  await platform.request({ method: "GET" });
  // @ts-expect-error: no method of HTTP
  await platform.request({ method: "FETCH", path: "/v1/new" });

  // Waiting, and following.
  expectTypeOf(await platform.calls.waitUntilEnded("c", { everyMs: 1, withinMs: 2 })).toEqualTypeOf<Call>();
  expectTypeOf(await platform.batchCalls.waitUntilEnded("b")).toEqualTypeOf<BatchCall>();
  for await (const event of platform.batchCalls.events("b")) {
    expectTypeOf(event).toEqualTypeOf<BatchEvent>();
    if (event.kind === "batch") expectTypeOf(event.batch).toEqualTypeOf<BatchCall>();
    // @ts-expect-error: a frame is no look
    if (event.kind === "frame") event.batch.toString();
  }
  platform.openBatchStream({ batchCallId: "b", onHint: ({ items }) => items.size });

  // Webhooks are events of calls.
  const told = readWebhook("{}", {}, { secret: "whsec_" });
  expectTypeOf(told.call_id).toBeString();
  // @ts-expect-error: `callId`
  told.callId.toString();
  // @ts-expect-error: nothing is verified without a secret
  readWebhook("{}", {});
}

test("a program has of the client what its types promise, and closes it at the end of a block", async () => {
  expectTypeOf(program).toBeFunction();
  const server = await startPlatform((_, response) => json(response, 200, { call_id: "c" }));
  let closed: PlatformClient;
  {
    await using platform = clientOf(server);
    closed = platform;
    expect((await platform.calls.get("c")).call_id).toBe("c");
  }
  await expect(closed.calls.get("c")).rejects.toThrow(/closed/);
});

test("a fetch of the process is one that may send the requests, and options that nobody has are none", async () => {
  const server = await startPlatform((_, response) => json(response, 200, { call_id: "c" }));
  const { origin: baseUrl } = new URL(clientOf(server).address);
  const platform = createPlatform({ baseUrl, apiKey: "k", fetch });
  expect((await platform.calls.get("c")).call_id).toBe("c");
  await platform.close();
  vi.stubEnv("PLATFORM_BASE_URL", undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  // @ts-expect-error: `baseURL`
  const misspelt = () => createPlatform({ baseURL: baseUrl, apiKey: "k" });
  expect(misspelt).toThrow(/PLATFORM_BASE_URL/);
});
