import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { agentResponse } from "../../src/sandbox/schemas/agents.ts";
import { callResponse } from "../../src/sandbox/schemas/calls.ts";
import { phoneNumberResponse } from "../../src/sandbox/schemas/phone-numbers.ts";
import { ask, CALLER_ID, eventually, get, openSandbox, phone, PUBLISHED_AGENT } from "./support.ts";

const eventSchema = z.looseObject({ event: z.string(), call_id: z.string() });

interface Received {
  readonly id: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly event: z.output<typeof eventSchema>;
}

/** A receiver that answers with `statuses` in turn, then with 200. */
async function openReceiver(statuses: number[] = []): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      received.push({
        id: headers["webhook-id"] ?? "",
        headers,
        body,
        event: eventSchema.parse(JSON.parse(body)),
      });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

async function callWith(sandbox: Sandbox, url: string): Promise<string> {
  const path = `/v1/agents/${PUBLISHED_AGENT}`;
  await get(agentResponse, sandbox, "PATCH", path, { webhook_url: url });
  await get(agentResponse, sandbox, "POST", `${path}/publish`);
  sandbox.outcomes.force(phone(1), ["answered"]);
  const call = await get(callResponse, sandbox, "POST", "/v1/calls/phone", {
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    to_number: phone(1),
  });
  return call.call_id;
}

/** What one answered call makes heard, sorted: the order of arrival is nobody's promise. */
const WHOLE_CALL = ["call_analyzed", "call_connected", "call_ended", "call_started"];

function eventsOf(received: readonly Received[]): string[] {
  return received.map(({ event }) => event.event);
}

const deliveries = z.object({
  items: z.array(
    z.looseObject({ event: z.string(), state: z.string(), attempts: z.array(z.unknown()), url: z.string() }),
  ),
});

async function statesOf(sandbox: Sandbox): Promise<string[]> {
  const { items } = await get(deliveries, sandbox, "GET", "/_sandbox/webhooks");
  return items.map(({ event, state, attempts }) => `${event} ${state} ${attempts.length}`);
}

test("an agent's webhook hears how a call begins, connects, ends and is analysed", async () => {
  const sandbox = await openSandbox();
  const { url, received } = await openReceiver();
  const id = await callWith(sandbox, url);
  await eventually(() => {
    expect(eventsOf(received).sort()).toEqual(WHOLE_CALL);
  });
  expect(new Set(received.map(({ event }) => event.call_id))).toEqual(new Set([id]));
  expect(received[0]?.headers).not.toHaveProperty("webhook-signature");
});

test("with a secret, deliveries are signed as Standard Webhooks have it", async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const sandbox = await openSandbox({ webhooks: { secret } });
  const { url, received } = await openReceiver();
  await callWith(sandbox, url);
  await eventually(() => {
    expect(received.length).toBe(4);
  });
  const verifier = new Webhook(secret);
  for (const { body, headers } of received) {
    expect(verifier.verify(body, headers)).toMatchObject({ call_id: expect.any(String) });
    expect(() => verifier.verify(`${body} `, headers)).toThrow();
  }
});

test("what a receiver refuses is delivered again under the same id, and given up after five attempts", async () => {
  const sandbox = await openSandbox({ speed: 20_000 });
  const { url, received } = await openReceiver([500, 503]);
  await callWith(sandbox, url);
  await eventually(async () => {
    expect((await statesOf(sandbox)).every((state) => state.includes(" delivered "))).toBe(true);
    expect(received.length).toBe(6);
  });
  expect(new Set(received.map(({ id }) => id)).size).toBe(4);

  const deaf = await openReceiver(Array.from({ length: 100 }, () => 500));
  await callWith(sandbox, deaf.url);
  await eventually(async () => {
    const states = (await statesOf(sandbox)).slice(4);
    expect(states).toHaveLength(4);
    expect(states.every((state) => state.endsWith(" failed 5"))).toBe(true);
  });
});

test("events come twice, late and not at all where faults say so", async () => {
  const sandbox = await openSandbox({ speed: 20_000 });
  const { url, received } = await openReceiver();
  sandbox.faults.add({ kind: "webhook_duplicate", event: "call_ended", times: 1 });
  // Long enough for all the others to arrive before it, even on a busy machine.
  sandbox.faults.add({ kind: "webhook_delay", event: "call_started", ms: 1_500, times: 1 });
  sandbox.faults.add({ kind: "webhook_loss", event: "call_connected", times: 1 });
  await callWith(sandbox, url);
  await eventually(() => {
    expect(eventsOf(received).sort()).toEqual(["call_analyzed", "call_ended", "call_ended", "call_started"]);
  });
  expect(eventsOf(received).at(-1)).toBe("call_started");
  const ended = received.filter(({ event }) => event.event === "call_ended");
  expect(ended[0]?.id).toBe(ended[1]?.id);
  expect(await statesOf(sandbox)).toContain("call_connected lost 0");
});

test("nothing is sent to another machine, unless an option says so", async () => {
  const sandbox = await openSandbox();
  await callWith(sandbox, "http://192.0.2.1:9/hook");
  await eventually(async () => {
    expect(await statesOf(sandbox)).toEqual([
      "call_started refused 0",
      "call_connected refused 0",
      "call_ended refused 0",
      "call_analyzed refused 0",
    ]);
  });
});

test("an inbound call goes to the number's agent, and the number's webhook hears of it", async () => {
  const sandbox = await openSandbox();
  const { url, received } = await openReceiver();
  await get(phoneNumberResponse, sandbox, "POST", "/v1/phone-numbers", {
    phone_number: "+4930123456",
    inbound_agent_id: PUBLISHED_AGENT,
    inbound_webhook_url: url,
    allowed_inbound_countries: ["DE"],
  });
  const ring = async (from: string) =>
    await ask(sandbox, "POST", "/_sandbox/inbound-calls", { from_number: from, to_number: "+4930123456" });
  const answer = await ring("+4989123456");
  expect(answer).toMatchObject({
    status: 201,
    body: {
      call_type: "inbound",
      from_number: "+4989123456",
      to_number: "+4930123456",
      agent_id: PUBLISHED_AGENT,
    },
  });
  await eventually(() => {
    expect(eventsOf(received).sort()).toEqual(WHOLE_CALL);
  });
  expect(sandbox.dialLog.length).toBe(0);
  expect((await ring("+12025550123")).status).toBe(422);
});
