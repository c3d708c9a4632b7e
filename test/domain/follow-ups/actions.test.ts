import { describe, expect, it } from "vitest";

import {
  automationTemplateSchema,
  fillWebhook,
  STEP_WEBHOOK_DELAYS_MS,
  WEBHOOK_DELAYS_MS,
  webhookTemplateSchema,
} from "../../../src/domain/follow-ups/action-templates.ts";
import {
  actionSpecSchema,
  afterFailedTry,
  turnOf,
  type ActionPlace,
  type ActionSpec,
  type ActionState,
} from "../../../src/domain/follow-ups/actions.ts";

const TAG: ActionSpec = {
  kind: "tag",
  subject: {},
  retry: { maxTries: 3, delaysMs: [10, 20] },
  brand: "default",
  phone: "+12025550143",
  tag: "warm",
  source: "follow-up rule",
};

describe("tries of an action", () => {
  it.each([
    [1, { kind: "again", delayMs: 10 }],
    [2, { kind: "again", delayMs: 20 }],
    [3, { kind: "given_up" }],
    [4, { kind: "given_up" }],
  ])("after try %i of three: %o", (tries, expected) => {
    expect(afterFailedTry(TAG, tries)).toEqual(expected);
  });

  it("the last delay holds for all tries behind it", () => {
    const spec = { ...TAG, retry: { maxTries: 9, delaysMs: [10, 20] } };
    expect(afterFailedTry(spec, 8)).toEqual({ kind: "again", delayMs: 20 });
  });

  it("a person's retry begins a new round", () => {
    const spec = { ...TAG, triesBefore: 3 };
    expect(afterFailedTry(spec, 4)).toEqual({ kind: "again", delayMs: 10 });
    expect(afterFailedTry(spec, 6)).toEqual({ kind: "given_up" });
  });

  it("a webhook's go on for three days unless the rule says otherwise", () => {
    const template = webhookTemplateSchema("follow_up").parse({ url: "https://example.com/hook" });
    const { retry } = fillWebhook(
      template,
      "follow_up",
      {},
      { subject: {}, type: "follow_up.rule", delaysMs: WEBHOOK_DELAYS_MS },
    );
    const days = retry.delaysMs.reduce((sum, delayMs) => sum + delayMs, 0) / 86_400_000;
    expect([retry.maxTries, days > 3 && days < 4]).toEqual([10, true]);
    // A step's next one waits for it: minutes.
    const ofStep = fillWebhook(
      template,
      "sequence",
      {},
      { subject: {}, type: "sequence.a", delaysMs: STEP_WEBHOOK_DELAYS_MS },
    );
    expect(ofStep.retry).toEqual({ maxTries: 5, delaysMs: [5_000, 30_000, 120_000, 600_000] });
  });
});

describe("the turns of actions", () => {
  const places = (states: ActionState[], inOrder: boolean, onFailure: "stop" | "continue" = "stop") =>
    states.map((state, n): ActionPlace => ({
      id: `${n}`,
      owner: "rule",
      n,
      state,
      flow: { inOrder, onFailure },
    }));

  it.each([
    ["in order, the first begins", places(["waiting", "waiting"], true), ["0"], "acting"],
    ["in order, the next waits for one that is due", places(["due", "waiting"], true), [], "acting"],
    ["in order, the next begins after one that is done", places(["done", "waiting"], true), ["1"], "acting"],
    ["one that a person skipped lets the next begin", places(["skipped", "waiting"], true), ["1"], "acting"],
    ["one that failed holds up those behind it", places(["failed", "waiting"], true), [], "failed"],
    ["one that is unknown holds up those behind it", places(["unknown", "waiting"], true), [], "failed"],
    ["unless the rule goes on", places(["failed", "waiting"], true, "continue"), ["1"], "acting"],
    ["and then it is failed in the end", places(["failed", "done"], true, "continue"), [], "failed"],
    ["in parallel, all begin", places(["waiting", "waiting", "waiting"], false), ["0", "1", "2"], "acting"],
    ["in parallel, a failure holds up nobody", places(["failed", "waiting"], false), ["1"], "acting"],
    ["all done", places(["done", "done", "skipped"], true), [], "done"],
    ["nothing to do", [], [], "done"],
  ] as const)("%s", (_what, actions, due, state) => {
    expect(turnOf(actions)).toEqual({ due: [...due], state });
  });

  it("one rule's failure holds up no other rule", () => {
    const other: ActionPlace = { ...(places(["waiting"], true)[0] as ActionPlace), id: "x", owner: "other" };
    expect(turnOf([...places(["failed", "waiting"], true), other])).toEqual({ due: ["x"], state: "acting" });
  });
});

describe("what is sent", () => {
  const template = (changes: object) =>
    webhookTemplateSchema("follow_up").parse({ url: "https://example.com/hook", ...changes });

  it("has every field, null where its expression has no value, and tells which", () => {
    const spec = fillWebhook(
      template({ data: { plan: "variables.plan", gone: "analysis.gone" } }),
      "follow_up",
      { variables: { plan: "gold" }, analysis: {} },
      { subject: {}, type: "follow_up.rule", delaysMs: WEBHOOK_DELAYS_MS },
    );
    expect(spec.data).toEqual({ plan: "gold", gone: null });
    expect(spec.problems).toEqual([expect.stringContaining("data.gone")]);
  });

  it("is bounded: what makes it too long is left out, and told", () => {
    const huge = "x".repeat(40_000);
    const spec = fillWebhook(
      template({ data: { a: "variables.a", b: "variables.a", c: "'short'" } }),
      "follow_up",
      { variables: { a: huge } },
      { subject: {}, type: "follow_up.rule", delaysMs: WEBHOOK_DELAYS_MS },
    );
    expect([spec.data["b"], spec.data["c"]]).toEqual([null, "short"]);
    expect(spec.problems).toEqual([expect.stringContaining("data.b")]);
  });

  it("reads from the ledger as it was written", () => {
    const spec = fillWebhook(
      template({ secret: "crm" }),
      "follow_up",
      {},
      { subject: { rule: "a" }, type: "t", delaysMs: [5_000] },
    );
    expect(actionSpecSchema.parse(JSON.parse(JSON.stringify(spec)))).toEqual(spec);
  });

  it.each([
    [{ url: "ftp://example.com" }, "https://"],
    [{ url: "not an address" }, "https://"],
    [{ headers: { "webhook-id": "1" } }, "set by the delivery itself"],
    [{ headers: { "x-a": "a\r\nb" } }, "printable ASCII"],
    [{ secret: "Not A Name" }, "name of a secret"],
    [{ timeout: "10m" }, "up to 1m"],
    [{ data: { a: "call." } }, ""],
  ])("a webhook of %o is refused", (changes, words) => {
    const read = webhookTemplateSchema("follow_up").safeParse({ url: "https://example.com", ...changes });
    expect(JSON.stringify(read.error?.issues ?? [])).toContain(words);
    expect(read.success).toBe(false);
  });

  it("an automation may not be repeated unless its rule says so", () => {
    expect(automationTemplateSchema("sequence").parse({ workflow_id: "w" }).repeat).toBe("never");
  });
});
