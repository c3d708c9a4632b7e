/** The contract's rules, at their edges. How a refusal looks is in requests.test.ts. */
import { expect, onTestFinished, test, vi } from "vitest";
import { InvalidRequestError, type Platform } from "../../src/platform/index.ts";
import { clientOf, failureOf, json, startPlatform } from "./fake-platform.ts";

const nobody = { agent_id: "a", from_number: "+12025550100", to_number: "+12025550123" };
const webhook = { name: "w", trigger_type: "webhook", workflow_json: {} } as const;
const file = Buffer.from("");

const refused: readonly [string, string, (platform: Platform) => Promise<unknown>][] = [
  ["an agent without a name", "agent_name", (p) => p.agents.create({ agent_name: "" })],
  ["a name of 256 characters", "agent_name", (p) => p.agents.update("a", { agent_name: "x".repeat(256) })],
  ["a wild temperature", "temperature", (p) => p.agents.create({ agent_name: "a", temperature: 2.1 })],
  ["no tokens", "max_completion_tokens", (p) => p.agents.update("a", { max_completion_tokens: 0 })],
  ["too many tokens", "max_completion_tokens", (p) => p.agents.update("a", { max_completion_tokens: 8193 })],
  ["a voice too slow", "voice_speed", (p) => p.agents.update("a", { voice_speed: 0.4 })],
  ["a voice too fast", "voice_speed", (p) => p.agents.update("a", { voice_speed: 2.01 })],
  [
    "hypersensitivity",
    "interruption_sensitivity",
    (p) => p.agents.update("a", { interruption_sensitivity: 1.1 }),
  ],
  ["a locale of POSIX", "language", (p) => p.agents.update("a", { language: "en_US" })],
  ["a webhook that is a script", "webhook_url", (p) => p.agents.update("a", { webhook_url: "javascript:x" })],
  ["an export of nothing", "request", (p) => p.agents.import({})],
  ["version zero", "version", (p) => p.agents.publish("a", { version: 0 })],
  ["a call to nobody", "to_number", (p) => p.calls.phone({ ...nobody, to_number: "" })],
  ["a call from a short code", "from_number", (p) => p.calls.phone({ ...nobody, from_number: "911" })],
  [
    "a number without its plus",
    "phone_number",
    (p) => p.phoneNumbers.create({ phone_number: "12025550100" }),
  ],
  [
    "a SIP address with a space",
    "termination_uri",
    (p) => p.sipConnections.create("n", { termination_uri: "a b" }),
  ],
  ["an automation without a name", "name", (p) => p.workflows.create({ ...webhook, name: "" })],
  ["a run of 301 seconds", "timeout_seconds", (p) => p.workflows.update("w", { timeout_seconds: 301 })],
  ["a run of no seconds", "timeout_seconds", (p) => p.workflows.create({ ...webhook, timeout_seconds: 0 })],
  ["a schedule without a time", "cron", (p) => p.workflows.setSchedule("w", { timezone: "UTC" })],
  [
    "a schedule with two times",
    "cron",
    (p) => p.workflows.setSchedule("w", { cron: "* * * * *", interval_minutes: 5 }),
  ],
  ["a cron line too short", "cron", (p) => p.workflows.setSchedule("w", { cron: "* * *" })],
  [
    "a zone of no land",
    "timezone",
    (p) => p.workflows.setSchedule("w", { cron: "* * * * *", timezone: "Mars/Base" }),
  ],
  ["no secrets", "secrets", (p) => p.workflows.setSecrets("w", { secrets: [] })],
  ["feedback that says nothing", "feedback", (p) => p.workflows.refine("w", "")],
  ["page zero", "page", (p) => p.workflows.list({ page: 0 })],
  ["a period from nowhere", "from_date", (p) => p.analytics.summary({ from_date: "last week" })],
  ["a negative offset", "offset", (p) => p.billing.usage({ offset: -1 })],
  ["a key without a name", "name", (p) => p.apiKeys.create({ name: "" })],
  ["a key for no day", "expires_in_days", (p) => p.apiKeys.create({ name: "k", expires_in_days: 0 })],
  ["a key for 731 days", "expires_in_days", (p) => p.apiKeys.create({ name: "k", expires_in_days: 731 })],
  [
    "a network of 33 bits",
    "ip_allowlist.1",
    (p) => p.apiKeys.update("k", { ip_allowlist: ["::1", "10.0.0.0/33"] }),
  ],
  [
    "an address that is a name",
    "ip_allowlist.0",
    (p) => p.apiKeys.update("k", { ip_allowlist: ["localhost"] }),
  ],
  [
    "a grace period in the past",
    "grace_period_hours",
    (p) => p.apiKeys.rotate("k", { grace_period_hours: -1 }),
  ],
  ["a message of nothing", "content", (p) => p.chat.send("s", "")],
  ["a message of 4,001 characters", "content", (p) => p.chat.send("s", "x".repeat(4_001))],
  [
    "an upload of a missing file",
    "file.path",
    (p) => p.knowledgeBases.addDocument("k", { path: "/no/where.pdf" }),
  ],
  [
    "an upload of a folder",
    "file.path",
    (p) => p.knowledgeBases.addDocument("k", { path: import.meta.dirname }),
  ],
  [
    "a file name of two lines",
    "file.filename",
    (p) => p.knowledgeBases.addDocument("k", { data: file, filename: "a\r\nb" }),
  ],
];

/** What only a generic caller can get wrong, since the types forbid it elsewhere. */
const refusedUntyped: typeof refused = [
  [
    "a body where there is none",
    "body",
    (p) => p.send("agents.get", { params: { agent_id: "a" }, body: {} }),
  ],
  [
    "a query where there is none",
    "query",
    (p) => p.send("agents.get", { params: { agent_id: "a" }, query: {} }),
  ],
  ["a file where there is none", "file", (p) => p.send("billing.balance", { file: { path: "x" } })],
  ["an upload of no file", "file", (p) => p.send("knowledgeBases.addDocument", { params: { kb_id: "k" } })],
  ["a missing body", "name", (p) => p.send("knowledgeBases.create", {})],
  [
    "a word that is not in the list",
    "trigger_type",
    (p) => p.send("workflows.create", { body: { ...webhook, trigger_type: "moon" } }),
  ],
  [
    "a scope that does not exist",
    "scopes.0",
    (p) => p.send("apiKeys.create", { body: { name: "k", scopes: ["analytics:write"] } }),
  ],
  [
    "a tier that does not exist",
    "rate_limit_tier",
    (p) => p.send("apiKeys.create", { body: { name: "k", rate_limit_tier: "gold" } }),
  ],
  [
    "a field that is not known",
    "temprature",
    (p) => p.send("agents.create", { body: { agent_name: "a", temprature: 1 } }),
  ],
  ["a missing path parameter", "connection_id", (p) => p.send("sipConnections.get", { params: { id: "n" } })],
  ["a path parameter too many", "id", (p) => p.send("agents.get", { params: { agent_id: "a", id: "n" } })],
  [
    "a category that does not exist",
    "category",
    (p) => p.send("config.category", { params: { category: "video" } }),
  ],
];

test.each([...refused, ...refusedUntyped])(
  "%s is refused before anything is sent: the error names %s",
  async (_, field, use) => {
    const server = await startPlatform((_request, response) => json(response, 200, {}));
    const error = await failureOf(use(clientOf(server)));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.effect).toBe("did_not_happen");
    expect(error.fieldErrors.map((one) => one.field)).toEqual([field]);
    expect(server.connections()).toBe(0);
  },
);

test("names and messages are counted in characters, not in halves of them", async () => {
  const server = await startPlatform((_, response) => json(response, 200, { id: "x" }));
  const platform = clientOf(server);
  await platform.agents.create({ agent_name: "😀".repeat(255) });
  await platform.chat.send("s", "😀".repeat(4_000));
  expect(server.seen.length).toBe(2);
});

test("a zone that this Node does not know yet passes", async () => {
  const server = await startPlatform((_, response) => json(response, 200, {}));
  const platform = clientOf(server);
  vi.spyOn(Intl, "DateTimeFormat").mockImplementation(() => {
    throw new RangeError("Invalid time zone specified");
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await platform.workflows.setSchedule("w", { cron: "0 9 * * *", timezone: "America/Coyhaique" });
  await platform.workflows.setSchedule("w", { cron: "0 9 * * *", timezone: "us/pacific" });
  expect(server.seen.length).toBe(2);
});

test("edges, addresses, networks, tags, zones and both kinds of schedule pass", async () => {
  const server = await startPlatform((_, response) => json(response, 200, { id: "x", key: "k" }));
  const platform = clientOf(server);
  await platform.apiKeys.create({
    name: "k",
    expires_in_days: 730,
    ip_allowlist: ["203.0.113.7", "10.0.0.0/8", "::1", "2001:db8::/32", "0.0.0.0/0"],
  });
  for (const language of ["en", "en-US", "zh-Hant-TW", "tr"]) await platform.agents.update("a", { language });
  for (const temperature of [0, 2]) await platform.agents.update("a", { temperature });
  for (const voiceSpeed of [0.5, 2]) await platform.agents.update("a", { voice_speed: voiceSpeed });
  await platform.workflows.setSchedule("w", { interval_minutes: 1 });
  await platform.workflows.setSchedule("w", { cron: "*/30 0 9 * * 1-5", timezone: "America/New_York" });
  expect(server.seen.length).toBe(11);
});
