import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { createPlatform } from "outdial/platform";
import { startSandbox } from "outdial/sandbox";
import type { SandboxCallPlan, SandboxFault, StartOptions } from "outdial/sandbox";
import { expect, expectTypeOf, onTestFinished, test } from "vitest";

import type { Fault } from "../../src/sandbox/faults.ts";
import type { ForcedDetails } from "../../src/sandbox/prescription.ts";

const CUSTOMER = "+12125550143";

async function start(options: StartOptions = {}) {
  const sandbox = await startSandbox({ seed: 7, speed: 1_000, ...options });
  const platform = createPlatform(sandbox);
  onTestFinished(async () => {
    await platform.close();
    await sandbox.close();
  });
  const call = () =>
    platform.calls.phone({
      agent_id: sandbox.agentId,
      from_number: sandbox.fromNumbers[0] ?? "",
      to_number: CUSTOMER,
    });
  return { sandbox, platform, call };
}

/** The fields of each kind: optional ones, which assignability passes over, included. */
type FieldsByKind<Union extends { readonly kind: string }> = {
  [Kind in Union["kind"]]: keyof Extract<Union, { readonly kind: Kind }>;
};

test("the faults and outcomes that a program may name are those that the sandbox has", () => {
  expectTypeOf<FieldsByKind<SandboxFault>>().toEqualTypeOf<FieldsByKind<Fault>>();
  expectTypeOf<SandboxFault>().toExtend<Fault>();
  expectTypeOf<Fault>().toExtend<SandboxFault>();
  expectTypeOf<keyof SandboxCallPlan>().toEqualTypeOf<keyof ForcedDetails>();
  expectTypeOf<SandboxCallPlan>().toExtend<ForcedDetails>();
  expectTypeOf<ForcedDetails>().toExtend<SandboxCallPlan>();
});

test("a fault strikes as often as it says, is listed with what it did, and is gone once it is removed", async () => {
  const { sandbox, platform, call } = await start();
  const refused = sandbox.faults.add({
    kind: "status",
    route: "POST /v1/calls/phone",
    status: 503,
    times: 1,
  });
  expect(refused).toMatchObject({ hits: 0, remaining: 1 });
  await expect(call()).rejects.toMatchObject({ status: 503 });
  await call();
  expect(sandbox.faults.list()).toMatchObject([{ id: refused.id, hits: 1, remaining: 0, effects: [] }]);
  const always = sandbox.faults.add({ kind: "status", route: "GET /v1/calls", status: 502 });
  await expect(platform.calls.list()).rejects.toMatchObject({ status: 502 });
  expect(sandbox.faults.list()[1]).toMatchObject({ id: always.id, hits: 1 });
  expect(sandbox.faults.list()[1]?.remaining).toBeUndefined();
  expect(sandbox.faults.remove(always.id)).toBe(true);
  expect(sandbox.faults.remove(always.id)).toBe(false);
  expect((await platform.calls.list()).items).toHaveLength(1);
  sandbox.faults.clear();
  expect(sandbox.faults.list()).toEqual([]);
});

test("what was handed out about a fault stays as it was, and changes nothing in the sandbox", async () => {
  const { sandbox, platform } = await start();
  const fault: SandboxFault = { kind: "garble", route: "GET /v1/calls/:id", fields: { status: "lost" } };
  const before = sandbox.faults.add(fault);
  Object.assign(before.fault, { route: "*" });
  Object.assign(fault, { route: "*" });
  expect((await platform.config.languages()).length).toBeGreaterThan(0);
  expect(sandbox.faults.list()).toMatchObject([{ fault: { route: "GET /v1/calls/:id" }, hits: 0 }]);
  expect(before.hits).toBe(0);
});

test("a fault or an outcome that is wrong is refused by the name of what is wrong, and changes nothing", async () => {
  const { sandbox } = await start();
  const wrong = (value: unknown) => () => sandbox.faults.add(value as SandboxFault);
  expect(wrong({ kind: "drop_aftr", route: "*" })).toThrow(/^sandbox: kind: must be one of .*drop_after/);
  expect(wrong({ kind: "drop_after", route: "*", time: 1 })).toThrow(/^sandbox: .*time/);
  expect(wrong({ kind: "drop_after", route: "POST /v1/cals" })).toThrow("no such route: POST /v1/cals");
  expect(wrong({ kind: "agent_never_joins" })).toThrow("has no rooms on a LiveKit server");
  expect(sandbox.faults.list()).toEqual([]);
  expect(() => sandbox.answer(CUSTOMER, "bussy" as "busy")).toThrow(/^sandbox: .*busy/);
  expect(() => sandbox.answer(CUSTOMER, { outcome: "answered", talk_ms: -1 })).toThrow(/talk_ms/);
});

test("what a call comes to is said in detail, and given back to the seed", async () => {
  const { sandbox, platform, call } = await start();
  sandbox.answer(CUSTOMER, "busy", {
    outcome: "answered",
    talk_ms: 44_000,
    analysis: { interested: true },
    summary: "They renew.",
  });
  const wait = { everyMs: 20, withinMs: 60_000 };
  const busy = await platform.calls.waitUntilEnded((await call()).call_id, wait);
  expect(busy.status).toBe("failed");
  const answered = await platform.calls.waitUntilProcessed((await call()).call_id, wait);
  expect(answered).toMatchObject({
    duration_seconds: 44,
    call_analysis: { interested: true },
    call_summary: { text: "They renew." },
  });
  sandbox.answer(CUSTOMER);
  const byTheSeed = await start();
  for (let n = 1; n <= 3; n += 1) await byTheSeed.call();
  const third = await call();
  const [one, other] = await Promise.all([
    platform.calls.waitUntilEnded(third.call_id, wait),
    byTheSeed.platform.calls.waitUntilEnded(byTheSeed.sandbox.dials()[2]?.callId ?? "", wait),
  ]);
  expect([one.status, one.duration_seconds]).toEqual([other.status, other.duration_seconds]);
});

test("what a program asked, placed and was told is seen", async () => {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(String(request.headers["webhook-id"]));
    request.resume().on("end", () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const { sandbox, platform, call } = await start();
  expect(sandbox.speed).toBe(1_000);
  await platform.agents.update(sandbox.agentId, { webhook_url: url });
  await platform.agents.publish(sandbox.agentId);
  sandbox.answer(CUSTOMER, "answered");
  sandbox.faults.add({ kind: "never_finish", times: 1 });
  sandbox.faults.add({ kind: "webhook_loss", event: "call_ended", times: 1 });
  const { call_id: id } = await call();
  expect(sandbox.activeCalls()).toBe(1);
  await expect(call()).resolves.toBeDefined();
  await expect(platform.calls.get("no-such-call")).rejects.toMatchObject({ code: "not_found" });
  expect(sandbox.requests()["POST /v1/calls/phone"]).toEqual({ requests: 2, statuses: { 201: 2 } });
  expect(sandbox.requests()["GET /v1/calls/:id"]?.statuses).toEqual({ 404: 1 });
  expect(sandbox.dials().map(({ phone }) => phone)).toEqual([CUSTOMER, CUSTOMER]);
  await expect.poll(() => sandbox.activeCalls()).toBe(1);
  await expect
    .poll(() => sandbox.webhooks().map(({ event, state }) => `${event} ${state}`))
    .toEqual(
      expect.arrayContaining(["call_started delivered", "call_ended lost", "call_analyzed delivered"]),
    );
  const started = sandbox.webhooks().find(({ event, callId }) => event === "call_started" && callId === id);
  expect(started).toMatchObject({ url, attempts: [{ status: 204 }] });
  expect(received).toContain(started?.id);
});
