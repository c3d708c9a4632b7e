import { describe, expect, test } from "vitest";
import { createPlatform, InvalidRequestError, type Platform } from "../../src/platform/index.ts";
import { A_BATCH, BATCH, clientOf, failureOf, json, KEY, startPlatform } from "./fake-platform.ts";

const bad: readonly [string, string, (platform: Platform) => Promise<unknown>][] = [
  ["no agent", "agent_id", (p) => p.batchCalls.create({ ...A_BATCH, agent_id: "" })],
  ["a national number", "from_number", (p) => p.batchCalls.create({ ...A_BATCH, from_number: "2025550100" })],
  ["nobody to call", "contacts", (p) => p.batchCalls.create({ ...A_BATCH, contacts: [] })],
  [
    "a contact that is no number",
    "contacts.1.phone_number",
    (p) => p.batchCalls.create({ ...A_BATCH, contacts: [...A_BATCH.contacts, { phone_number: "+0123" }] }),
  ],
  [
    "more calls than a batch may have up",
    "max_concurrent_calls",
    (p) => p.batchCalls.create({ ...A_BATCH, max_concurrent_calls: 101 }),
  ],
  [
    "no calls at all",
    "max_concurrent_calls",
    (p) => p.batchCalls.create({ ...A_BATCH, max_concurrent_calls: 0 }),
  ],
  ["half a retry", "retry_attempts", (p) => p.batchCalls.create({ ...A_BATCH, retry_attempts: 0.5 })],
  ["six retries", "retry_attempts", (p) => p.batchCalls.create({ ...A_BATCH, retry_attempts: 6 })],
  [
    "a field that is not known",
    "max_concurent",
    (p) => p.batchCalls.create(Object.assign({ max_concurent: 3 }, A_BATCH)),
  ],
  [
    "a variable that is no text",
    "contacts.0.dynamic_variables.age",
    (p) => {
      const contact = JSON.parse(`{"phone_number":"+12025550123","dynamic_variables":{"age":7}}`);
      return p.batchCalls.create({ ...A_BATCH, contacts: [contact] });
    },
  ],
  ["a negative skip", "skip", (p) => p.phoneNumbers.list({ skip: -1 })],
  ["a page of nothing", "limit", (p) => p.batchCalls.list({ limit: 0 })],
  ["a page of everything", "limit", (p) => p.batchCalls.items(BATCH, { limit: 1_001 })],
  ["a date that is none", "from_date", (p) => p.calls.list({ from_date: "yesterday" })],
  ["a negative amount", "amount", (p) => p.billing.check(-1)],
  ["an amount that is no number", "amount", (p) => p.billing.check(Number.NaN)],
  ["an empty id", "batch_id", (p) => p.batchCalls.get("")],
  ["an id that is a step in the path", "batch_id", (p) => p.batchCalls.delete("..")],
  ["an id that is a book", "call_id", (p) => p.calls.get("x".repeat(256))],
  ["a bad page size of a walk", "limit", (p) => p.calls.iterate({ limit: -3 }).next()],
];

describe("what breaks the contract's rules is refused before anything is sent", () => {
  test.each(bad)("%s: the error names %s", async (_, field, use) => {
    const server = await startPlatform((_request, response) => json(response, 200, {}));
    const error = await failureOf(use(clientOf(server)));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.effect).toBe("did_not_happen");
    expect(error.fieldErrors.map((one) => one.field)).toEqual([field]);
    expect(error.message).toContain(field);
    expect(server.connections()).toBe(0);
  });

  test("all problems are told at once, without the numbers", async () => {
    const platform = clientOf("http://127.0.0.1:9");
    const wrong = {
      ...A_BATCH,
      from_number: "12025550100",
      retry_attempts: 9,
      contacts: [{ phone_number: "2025550123" }],
    };
    const error = await failureOf(platform.batchCalls.create(wrong));
    expect(error.fieldErrors.map((one) => one.field)).toEqual([
      "from_number",
      "contacts.0.phone_number",
      "retry_attempts",
    ]);
    expect(error.message).not.toMatch(/2025550100|2025550123/);
  });
});

describe("options", () => {
  const base = { baseUrl: "https://voice.example", apiKey: KEY };
  test.each([
    ["baseUrl", { baseUrl: "voice.example" }],
    ["baseUrl", { baseUrl: "ftp://voice.example" }],
    ["baseUrl", { baseUrl: "" }],
    ["baseUrl", { baseUrl: "https://user:secret@voice.example" }],
    ["baseUrl", { baseUrl: "https://voice.example/?token=secret" }],
    ["wsUrl", { wsUrl: "https://voice.example" }],
    ["wsUrl", { wsUrl: "wss://voice.example/#secret" }],
    ["apiKey", { apiKey: "" }],
    ["apiKey", { apiKey: "secret\r\nx-admin: 1" }],
    ["apiKey", { apiKey: "secret secret" }],
    ["apiKey", { apiKey: "sécret" }],
    // From JavaScript, where nothing is checked before.
    ["apiKey", { apiKey: undefined as unknown as string }],
    ["apiKey", { apiKey: 7 as unknown as string }],
    ["apiKey", { apiKey: () => undefined as unknown as string }],
    ["baseUrl", { baseUrl: undefined as unknown as string }],
    ["baseUrl", { baseUrl: new URL("https://voice.example") as unknown as string }],
    ["wsUrl", { wsUrl: 7 as unknown as string }],
    ["timeouts.wholeMs", { timeouts: { wholeMs: 0 } }],
    ["timeouts.connectMs", { timeouts: { connectMs: Number.POSITIVE_INFINITY } }],
    ["timeouts.headersMs", { timeouts: { headersMs: 2 ** 31 } }],
    ["retry.attempts", { retry: { attempts: 0 } }],
    ["maxConnections", { maxConnections: 1.5 }],
    ["maxResponseBytes", { maxResponseBytes: -1 }],
  ] as const)("%s that can't be used is refused by name: %j", (option, change) => {
    let caught: unknown;
    try {
      createPlatform({ ...base, ...change });
    } catch (error) {
      caught = error;
    }
    if (!(caught instanceof InvalidRequestError)) throw new Error(`accepted: ${String(caught)}`);
    expect(caught.fieldErrors[0]?.field).toBe(option);
    expect(caught.message).not.toMatch(/secret|sécret/);
  });

  test("a key can't be found in a client", () => {
    const platform = clientOf("http://127.0.0.1:9");
    expect(JSON.stringify(platform)).not.toContain(KEY);
    expect(Object.values(platform).map(String).join("")).not.toContain(KEY);
  });
});
