import { Webhook } from "standardwebhooks";
import { describe, expect, it, onTestFinished } from "vitest";

import { performAction } from "../../../src/activities/follow-ups/actions/perform-action.ts";
import type { SpecOf } from "../../../src/domain/follow-ups/actions.ts";
import { commandAction } from "../../../src/ledger/follow-ups/action-commands.ts";
import { readAction } from "../../../src/ledger/follow-ups/actions.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { listFollowUps, readFollowUp } from "../../../src/ledger/follow-ups/follow-ups.ts";
import { createPlatform, type Platform } from "../../../src/platform/index.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/sandbox.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { startReceiver, type Receiver } from "../../support/receiver.ts";
import { actingOn, drive, give, type Acting } from "../support/acting.ts";
import { claimTry } from "../../../src/ledger/follow-ups/action-tries.ts";

const MINUTE_MS = 60_000;
const EXECUTE = "POST /v1/workflows/:id/execute";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

async function sandboxed(): Promise<{ sandbox: Sandbox; platform: Platform; workflowId: string }> {
  const sandbox = await createSandbox({ speed: 10_000 });
  onTestFinished(() => sandbox.close());
  const platform = createPlatform({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
  onTestFinished(() => platform.close());
  const { workflow_id: workflowId } = await platform.workflows.create({
    name: "tell the CRM",
    trigger_type: "webhook",
    workflow_json: { nodes: [] },
  });
  await platform.workflows.deploy(workflowId);
  // Nothing fails unless a test says so.
  sandbox.faults.add({ kind: "execution", outcome: "success" });
  return { sandbox, platform, workflowId };
}

function fail(sandbox: Sandbox, fault: Fault): void {
  // The newest faults strike behind the older ones: those that stand are put behind it.
  sandbox.faults.clear();
  sandbox.faults.add(fault);
  if (fault.kind !== "execution") sandbox.faults.add({ kind: "execution", outcome: "success" });
}

function automation(workflowId: string, changes: Partial<SpecOf<"automation">> = {}): SpecOf<"automation"> {
  return {
    kind: "automation",
    subject: { call_id: "call-1" },
    retry: { maxTries: 3, delaysMs: [MINUTE_MS] },
    flow: { inOrder: true, onFailure: "stop" },
    workflowId,
    data: { plan: "gold" },
    timeoutMs: 10 * MINUTE_MS,
    repeat: "never",
    ...changes,
  };
}

async function executionsOf(platform: Platform, workflowId: string) {
  const { items } = await platform.workflows.executions(workflowId, { limit: 100 });
  return items.map((item) => item["input_snapshot"] as Record<string, unknown>);
}

const attentionOf = async ({ deps }: Acting, subject: string) =>
  (await listAttention(deps.ledger.db, { subject, resolved: false, limit: 10 })).items;

withLedger((ledger) => {
  describe("an automation", () => {
    it("is run once, is followed to its end, and carries its keys", async () => {
      const { platform, workflowId } = await sandboxed();
      const acting = actingOn(ledger(), platform);
      const { followUpId, ids } = await give(acting, [automation(workflowId)]);
      const done = await drive(acting, ids[0]);
      expect(done).toMatchObject({ state: "done", tries: 1, answer: { status: "success" } });
      expect(done.externalId).toBeDefined();
      expect(await executionsOf(platform, workflowId)).toEqual([
        { call_id: "call-1", plan: "gold", idempotency_key: ids[0], try_key: `${ids[0]}#1#` },
      ]);
      expect(given(await readFollowUp(ledger().db, followUpId)).state).toBe("done");
    });

    it.each<[string, Fault, "safe" | "never", string, number, number]>([
      [
        "lost before it was carried out, and safe to repeat: it is repeated",
        { kind: "drop_before", route: EXECUTE, times: 1 },
        "safe",
        "done",
        2,
        1,
      ],
      [
        "lost before it was carried out, and not to be repeated: a person decides",
        { kind: "drop_before", route: EXECUTE, times: 1 },
        "never",
        "unknown",
        1,
        0,
      ],
      [
        "lost after it was carried out, and not to be repeated: it is found",
        { kind: "drop_after", route: EXECUTE, times: 1 },
        "never",
        "done",
        1,
        1,
      ],
      [
        "lost after it was carried out, and safe to repeat: it is found",
        { kind: "drop_after", route: EXECUTE, times: 1 },
        "safe",
        "done",
        1,
        1,
      ],
      [
        "an error that may hide that it was carried out, safe to repeat",
        { kind: "status", route: EXECUTE, status: 500, times: 1 },
        "safe",
        "done",
        2,
        1,
      ],
      [
        "an error that may hide that it was carried out, not to be repeated",
        { kind: "status", route: EXECUTE, status: 502, times: 1 },
        "never",
        "unknown",
        1,
        0,
      ],
      [
        "cut off, and carried out a moment later: it is found",
        { kind: "late", route: EXECUTE, after_ms: 20, times: 1 },
        "never",
        "done",
        1,
        1,
      ],
    ])("whose start's answer is %s", async (_what, fault, repeat, state, tries, executions) => {
      const { sandbox, platform, workflowId } = await sandboxed();
      fail(sandbox, fault);
      const acting = actingOn(ledger(), platform);
      const { ids } = await give(acting, [automation(workflowId, { repeat })]);
      const [id] = ids as [string];
      await performAction(acting.deps, { actionId: id });
      if (fault.kind === "late") {
        for (let look = 0; look < 100 && (await executionsOf(platform, workflowId)).length === 0; look += 1);
      }
      expect(await drive(acting, id)).toMatchObject({ state, tries });
      expect(await executionsOf(platform, workflowId)).toHaveLength(executions);
      expect((await attentionOf(acting, id)).map(({ kind }) => kind)).toEqual(
        state === "unknown" ? ["action_unknown"] : [],
      );
    });

    it.each<["safe" | "never", string, number]>([
      ["safe", "done", 2],
      ["never", "unknown", 1],
    ])("of a process that was killed before it sent (%s to repeat): %s", async (repeat, state, tries) => {
      const { platform, workflowId } = await sandboxed();
      const acting = actingOn(ledger(), platform);
      const { ids } = await give(acting, [automation(workflowId, { repeat })]);
      const action = given(await readAction(ledger().db, given(ids[0])));
      expect(await claimTry(ledger().db, action, acting.deps.now())).toBe(true);
      // The other process may still be about to send: nothing is sent beside it.
      const looked = await performAction(acting.deps, { actionId: action.id });
      expect(looked.waitMs).toBeGreaterThan(0);
      expect(await executionsOf(platform, workflowId)).toEqual([]);
      expect(await drive(acting, action.id)).toMatchObject({ state, tries });
    });

    it("of a process that was killed between sending and hearing is found, not repeated", async () => {
      const { platform, workflowId } = await sandboxed();
      const acting = actingOn(ledger(), platform);
      const { ids } = await give(acting, [automation(workflowId, { repeat: "safe" })]);
      const action = given(await readAction(ledger().db, given(ids[0])));
      await claimTry(ledger().db, action, acting.deps.now());
      await platform.workflows.execute(workflowId, {
        execution_mode: "async",
        context_data: { try_key: `${action.id}#1#` },
      });
      expect(await drive(acting, action.id)).toMatchObject({ state: "done", tries: 1 });
      expect(await executionsOf(platform, workflowId)).toHaveLength(1);
    });

    it("whose executions fail is run anew, each under a key of its own, and waits for a person in the end", async () => {
      const { sandbox, platform, workflowId } = await sandboxed();
      fail(sandbox, { kind: "execution", outcome: "failed", error: "the CRM says no" });
      const acting = actingOn(ledger(), platform);
      const { followUpId, ids } = await give(acting, [automation(workflowId)]);
      const [id] = ids as [string];
      expect(await drive(acting, id)).toMatchObject({
        state: "failed",
        tries: 3,
        error: expect.stringContaining("the CRM says no"),
      });
      const keys = (await executionsOf(platform, workflowId)).map((input) => input["try_key"]);
      expect(keys).toEqual([1, 2, 3].map((n) => `${id}#${n}#`));
      expect(
        (await listFollowUps(ledger().db, { state: "failed", limit: 500 })).items.map((one) => one.id),
      ).toContain(followUpId);
      expect(await attentionOf(acting, id)).toMatchObject([
        { kind: "action_failed", remedy: expect.stringContaining(`follow-up retry ${id}`) },
      ]);

      sandbox.faults.clear();
      sandbox.faults.add({ kind: "execution", outcome: "success" });
      await ledger().transaction((tx) =>
        commandAction(tx, {
          actionId: id,
          command: "retry",
          actor: "test",
          reason: undefined,
          nowMs: acting.deps.now(),
        }),
      );
      expect(await drive(acting, id)).toMatchObject({ state: "done", tries: 4 });
      expect(await attentionOf(acting, id)).toEqual([]);
      expect(given(await readFollowUp(ledger().db, followUpId)).state).toBe("done");
    });

    it("that the platform is too busy for, or away, waits without using its tries up", async () => {
      const { sandbox, platform, workflowId } = await sandboxed();
      fail(sandbox, { kind: "status", route: EXECUTE, status: 429, retry_after: "30", times: 5 });
      const acting = actingOn(ledger(), platform);
      const { ids } = await give(acting, [automation(workflowId)]);
      const first = await performAction(acting.deps, { actionId: given(ids[0]) });
      expect(first.waitMs).toBeGreaterThanOrEqual(29_000);
      expect(await drive(acting, ids[0])).toMatchObject({ state: "done", tries: 1 });

      const away = createPlatform({ baseUrl: "http://127.0.0.1:9", apiKey: "key" });
      onTestFinished(() => away.close());
      const other = actingOn(ledger(), away);
      const given_ = await give(other, [automation(workflowId)]);
      for (let look = 0; look < 5; look += 1) {
        const { waitMs } = await performAction(other.deps, { actionId: given(given_.ids[0]) });
        other.forward(given(waitMs));
      }
      expect(given(await readAction(ledger().db, given(given_.ids[0])))).toMatchObject({
        state: "due",
        tries: 0,
      });
    });

    it("that does not exist fails at once; one that is a draft is tried again and says what to do", async () => {
      const { platform } = await sandboxed();
      const acting = actingOn(ledger(), platform);
      const draft = await platform.workflows.create({
        name: "draft",
        trigger_type: "webhook",
        workflow_json: {},
      });
      const missing = await give(acting, [automation("44444444-4444-4444-8444-444444444444")]);
      const undeployed = await give(acting, [automation(draft.workflow_id)]);
      expect(await drive(acting, missing.ids[0])).toMatchObject({ state: "failed", tries: 1 });
      expect(await drive(acting, undeployed.ids[0])).toMatchObject({
        state: "failed",
        tries: 3,
        error: expect.stringContaining("deploy the automation"),
      });
    });

    it.each<["safe" | "never", string]>([
      ["never", "unknown"],
      ["safe", "failed"],
    ])("that never ends is given up at the rule's timeout (%s to repeat): %s", async (repeat, state) => {
      const { sandbox, platform, workflowId } = await sandboxed();
      fail(sandbox, { kind: "execution", outcome: "stuck" });
      const acting = actingOn(ledger(), platform);
      const { ids } = await give(acting, [
        automation(workflowId, { repeat, retry: { maxTries: 1, delaysMs: [0] } }),
      ]);
      expect(await drive(acting, ids[0])).toMatchObject({
        state,
        error: expect.stringContaining("after 10m"),
      });
    });
  });

  describe("a webhook", () => {
    async function receiving(): Promise<Receiver> {
      const receiver = await startReceiver();
      onTestFinished(() => receiver.close());
      return receiver;
    }

    function webhook(
      url: SpecOf<"webhook">["url"],
      changes: Partial<SpecOf<"webhook">> = {},
    ): SpecOf<"webhook"> {
      return {
        kind: "webhook",
        subject: { call_id: "call-1" },
        retry: { maxTries: 4, delaysMs: [5_000, 5 * MINUTE_MS] },
        flow: { inOrder: true, onFailure: "stop" },
        url,
        secret: "crm",
        headers: { "x-team": "sales", "x-api-token": { secret: "token" } },
        type: "follow_up.rule",
        data: { plan: "gold" },
        timeoutMs: 15_000,
        finalStatuses: [],
        ...changes,
      };
    }

    const none = () => createPlatform({ baseUrl: "http://127.0.0.1:9", apiKey: "key" });

    function acts(changes: Parameters<typeof actingOn>[2] = {}) {
      const platform = none();
      onTestFinished(() => platform.close());
      return actingOn(ledger(), platform, {
        secrets: { crm: [SECRET], token: ["s3cr3t-token"] },
        ...changes,
      });
    }

    it.each<[what: string, changes: Partial<SpecOf<"webhook">>]>([
      ["is signed", { headers: {} }],
      ["stands in its headers", { secret: undefined }],
      ["is its address", { headers: {}, secret: undefined }],
    ])("by another brand's secret that %s goes nowhere, and by its own it does", async (what, changes) => {
      const receiver = await receiving();
      const acting = acts({
        secrets: { crm: [SECRET], token: ["s3cr3t-token"], sheet: [receiver.url] },
        brands: "*=acme",
      });
      const url = what === "is its address" ? { secret: "sheet" } : receiver.url;
      const retry = { maxTries: 1, delaysMs: [5_000] };
      const of = (brand?: string) =>
        webhook(url, { ...changes, retry, ...(brand !== undefined && { brand }) });
      for (const [brand, whom] of [
        ["beta", /for brand beta/],
        [undefined, /for what names no brand/],
      ] as const) {
        const { ids } = await give(acting, [of(brand)]);
        expect(await drive(acting, ids[0])).toMatchObject({
          state: "failed",
          error: expect.stringMatching(whom),
        });
      }
      expect(receiver.received).toEqual([]);
      const { ids } = await give(acting, [of("acme")]);
      expect(await drive(acting, ids[0])).toMatchObject({ state: "done" });
      expect(receiver.received).toHaveLength(1);
    });

    it("is signed, has the same id and body in every try, and a time of its own", async () => {
      const receiver = await receiving();
      receiver.answer = (_delivery, n) => ({ status: n < 2 ? 500 : 200 });
      const acting = acts();
      const { ids } = await give(acting, [webhook(receiver.url)]);
      expect(await drive(acting, ids[0])).toMatchObject({ state: "done", tries: 3 });
      const { received } = receiver;
      expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([ids[0], ids[0], ids[0]]);
      expect(new Set(received.map(({ body }) => body)).size).toBe(1);
      expect(new Set(received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(3);
      expect(JSON.parse(given(received[0]).body)).toMatchObject({
        type: "follow_up.rule",
        id: ids[0],
        subject: { call_id: "call-1" },
        data: { plan: "gold" },
      });
      const first = given(received[0]);
      const headers = first.headers as Record<string, string>;
      expect(new Webhook(SECRET).verify(first.body, headers)).toMatchObject({ id: ids[0] });
      expect(headers).toMatchObject({ "x-team": "sales", "x-api-token": "s3cr3t-token" });
    });

    it.each<[string, number[], string, number]>([
      ["a receiver that is mended", [401, 404, 422, 204], "done", 4],
      ["one that says that it is gone", [410], "failed", 1],
      ["one that has moved", [301, 301, 301, 301], "failed", 4],
      ["one that cuts the connection", [0, 200], "done", 2],
      ["one that is overloaded", [429, 503, 200], "done", 3],
      ["one that never takes it", [500, 500, 500, 500], "failed", 4],
    ])("for %s: %j is %s after %i tries", async (_what, statuses, state, tries) => {
      const receiver = await receiving();
      receiver.answer = (_delivery, n) => ({ status: statuses[n] ?? 500 });
      const acting = acts();
      const { ids } = await give(acting, [webhook(receiver.url)]);
      expect(await drive(acting, ids[0])).toMatchObject({ state, tries });
      expect(receiver.received).toHaveLength(tries);
      expect((await attentionOf(acting, given(ids[0]))).length).toBe(state === "failed" ? 1 : 0);
    });

    it("waits as its rule says, and longer where the receiver asks for it", async () => {
      const receiver = await receiving();
      receiver.answer = (_delivery, n) =>
        n === 1 ? { status: 503, headers: { "retry-after": "1800" } } : { status: 500 };
      const acting = acts();
      const { ids } = await give(acting, [webhook(receiver.url)]);
      const waits: (number | undefined)[] = [];
      for (let n = 0; n < 4; n += 1) {
        const { waitMs } = await performAction(acting.deps, { actionId: given(ids[0]) });
        waits.push(waitMs);
        acting.forward(waitMs ?? 0);
      }
      expect(waits).toEqual([5_000, 1_800_000, 5 * MINUTE_MS, undefined]);
    });

    it("is given up at once on what its rule gives up on", async () => {
      const receiver = await receiving();
      receiver.answer = () => ({ status: 400 });
      const acting = acts();
      const { ids } = await give(acting, [webhook(receiver.url, { finalStatuses: [400] })]);
      expect(await drive(acting, ids[0])).toMatchObject({ state: "failed", tries: 1 });
    });

    it("to an address that is not allowed is never sent, and says what to do", async () => {
      const receiver = await receiving();
      const acting = acts({ allow: [] });
      const { ids } = await give(acting, [webhook(receiver.url)]);
      expect(await drive(acting, ids[0])).toMatchObject({ state: "failed", tries: 1 });
      expect(receiver.received).toEqual([]);
      expect(given(await readAction(ledger().db, given(ids[0]))).error).toMatch(/allow/i);
    });

    it("whose secret is missing is tried again until somebody sets it", async () => {
      const receiver = await receiving();
      const secrets: Record<string, string[]> = { token: ["t"] };
      const acting = acts({ secrets });
      const { ids } = await give(acting, [webhook(receiver.url)]);
      await performAction(acting.deps, { actionId: given(ids[0]) });
      expect(given(await readAction(ledger().db, given(ids[0])))).toMatchObject({
        state: "due",
        tries: 1,
        error: expect.stringContaining("crm"),
      });
      secrets["crm"] = [SECRET];
      expect(await drive(acting, ids[0])).toMatchObject({ state: "done", tries: 2 });
    });

    it("is recorded without secrets, even where the receiver repeats them, and bounded", async () => {
      const receiver = await receiving();
      receiver.answer = ({ headers }) => ({
        status: 200,
        body: `you sent ${String(headers["x-api-token"])} ${"x".repeat(20_000)}`,
      });
      const acting = acts();
      const url = receiver.url.replace("http://", "http://user:passw0rd@");
      const { ids } = await give(acting, [
        webhook(`${url}?token=in-the-query`, {
          headers: { authorization: "Bearer in-the-rule", "x-api-token": { secret: "token" } },
        }),
      ]);
      await drive(acting, ids[0]);
      const { request, answer } = given(await readAction(ledger().db, given(ids[0])));
      const kept = JSON.stringify({ request, answer });
      for (const secret of ["s3cr3t-token", SECRET, "v1,", "in-the-rule", "in-the-query", "passw0rd"]) {
        expect(kept).not.toContain(secret);
      }
      expect(kept.length).toBeLessThan(12_000);
      expect(request).toMatchObject({ method: "POST", headers: { "content-type": "application/json" } });
    });

    it("goes to the address that a secret is, of which only the host is kept", async () => {
      const receiver = await receiving();
      receiver.answer = () => ({ status: 200, body: `taken at ${receiver.url}/services/T0/B0/in-the-path` });
      const secrets: Record<string, string[]> = { crm: [SECRET], token: ["t"], chat: ["no address"] };
      const acting = acts({ secrets });
      const { ids } = await give(acting, [webhook({ secret: "chat" })]);
      await performAction(acting.deps, { actionId: given(ids[0]) });
      expect(given(await readAction(ledger().db, given(ids[0])))).toMatchObject({
        state: "due",
        error: expect.stringContaining("the secret chat is to be the webhook's address"),
      });
      secrets["chat"] = [`${receiver.url}/services/T0/B0/in-the-path`];
      expect(await drive(acting, ids[0])).toMatchObject({ state: "done", tries: 2 });
      expect(receiver.received).toHaveLength(1);
      const { request, answer } = given(await readAction(ledger().db, given(ids[0])));
      expect(JSON.stringify({ request, answer })).not.toContain("in-the-path");
      expect(request).toMatchObject({ url: `${new URL(receiver.url).origin}/...` });
    });

    it("of a process that was killed with it in hands is delivered again under the same id, after its time", async () => {
      const receiver = await receiving();
      const acting = acts();
      const { ids } = await give(acting, [webhook(receiver.url)]);
      const action = given(await readAction(ledger().db, given(ids[0])));
      await claimTry(ledger().db, action, acting.deps.now());
      const { waitMs } = await performAction(acting.deps, { actionId: action.id });
      expect(waitMs).toBeGreaterThan(14_000);
      expect(receiver.received).toEqual([]);
      expect(await drive(acting, action.id)).toMatchObject({ state: "done", tries: 2 });
      expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([action.id]);
    });

    it("that is done at the same time by two is sent once", async () => {
      const receiver = await receiving();
      const acting = acts();
      const { ids } = await give(acting, [webhook(receiver.url)]);
      await Promise.all([1, 2, 3].map(() => performAction(acting.deps, { actionId: given(ids[0]) })));
      expect(await drive(acting, ids[0])).toMatchObject({ state: "done", tries: 1 });
      expect(receiver.received).toHaveLength(1);
    });

    it("replayed keeps its id, and has a new one where it is to be new", async () => {
      const receiver = await receiving();
      const acting = acts();
      const { ids } = await give(acting, [webhook(receiver.url)]);
      const [id] = ids as [string];
      const replay = (asNew: boolean) =>
        ledger().transaction((tx) =>
          commandAction(tx, {
            actionId: id,
            command: "replay",
            asNew,
            actor: "test",
            reason: undefined,
            nowMs: acting.deps.now(),
          }),
        );
      await drive(acting, id);
      await replay(false);
      await drive(acting, id);
      await replay(true);
      await drive(acting, id);
      const sent = receiver.received.map(({ headers }) => headers["webhook-id"]);
      expect(sent.slice(0, 2)).toEqual([id, id]);
      expect(sent[2]).not.toBe(id);
    });
  });
});
