import { describe, expect, it } from "vitest";

import {
  automationTemplateSchema,
  fillAutomation,
  fillWebhook,
  retryOf,
  STEP_WEBHOOK_DELAYS_MS,
  WEBHOOK_DELAYS_MS,
  webhookTemplateSchema,
} from "../../../src/domain/follow-ups/action-templates.ts";
import {
  actionSpecSchema,
  afterFailedTry,
  ACTION_STATES,
  isActionOver,
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

  it("are as many as the delays and one, or as many as the rule says", () => {
    expect(retryOf(undefined, [10, 20])).toEqual({ maxTries: 3, delaysMs: [10, 20] });
    expect(retryOf({ max_tries: 2 }, [10, 20])).toEqual({ maxTries: 2, delaysMs: [10, 20] });
    expect(retryOf({ delays: ["1m"] }, [10, 20])).toEqual({ maxTries: 2, delaysMs: [60_000] });
    expect(retryOf({ max_tries: 5, delays: ["1m"] }, [10])).toEqual({ maxTries: 5, delaysMs: [60_000] });
  });

  it("are over but for those that wait or are due", () => {
    expect(ACTION_STATES.filter((state) => !isActionOver(state))).toEqual(["waiting", "due"]);
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
      { brand: "acme", subject: {}, type: "follow_up.rule", delaysMs: WEBHOOK_DELAYS_MS },
    );
    const days = retry.delaysMs.reduce((sum, delayMs) => sum + delayMs, 0) / 86_400_000;
    expect([retry.maxTries, days > 3 && days < 4]).toEqual([10, true]);
    // A step's next one waits for it: minutes.
    const ofStep = fillWebhook(
      template,
      "sequence",
      {},
      { brand: "acme", subject: {}, type: "sequence.a", delaysMs: STEP_WEBHOOK_DELAYS_MS },
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

  it("go by their numbers, in whatever order they are read", () => {
    const states: ActionState[] = ["done", "due", "waiting", "waiting"];
    for (const read of [places(states, true), places(states, true).toReversed()])
      expect(turnOf(read)).toEqual({ due: [], state: "acting" });
    expect(turnOf(places(["waiting", "waiting"], true).toReversed()).due).toEqual(["0"]);
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
      { brand: "acme", subject: {}, type: "follow_up.rule", delaysMs: WEBHOOK_DELAYS_MS },
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
      { brand: "acme", subject: {}, type: "follow_up.rule", delaysMs: WEBHOOK_DELAYS_MS },
    );
    expect([spec.data["b"], spec.data["c"]]).toEqual([null, "short"]);
    expect(spec.problems).toEqual([expect.stringContaining("data.b")]);
  });

  it("reads from the ledger as it was written", () => {
    const spec = fillWebhook(
      template({ secret: "crm" }),
      "follow_up",
      {},
      { brand: "acme", subject: { rule: "a" }, type: "t", delaysMs: [5_000] },
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

  it.each([
    [{ url: "xhttp://example.com" }, "https://"],
    [{ url: "httpx://example.com" }, "https://"],
    [{ url: 5 }, "https://"],
    [{ url: { name: "crm" } }, "secret"],
    [{ headers: { "x a": "1" } }, "name of a header"],
    [{ headers: { "x-a:": "1" } }, "name of a header"],
    [{ headers: { " x-a": "1" } }, "name of a header"],
    [{ headers: { [`x-${"a".repeat(99)}`]: "1" } }, "name of a header"],
    [{ headers: { "x-a": "a".repeat(2_001) } }, "2000"],
    [{ headers: { "x-a": { secret: "Not A Name" } } }, "name of a secret"],
    [{ headers: { "x-a": "Zoë" } }, "printable ASCII"],
    [{ timeout: "61s" }, "up to 1m"],
    [{ give_up_on: [299] }, "300"],
    [{ give_up_on: [600] }, "599"],
    [{ give_up_on: Array.from({ length: 51 }, () => 404) }, "50"],
    [{ data: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, "1"])) }, "100 fields"],
  ])("a webhook beyond what it may have is refused: %j", (changes, words) => {
    const read = webhookTemplateSchema("follow_up").safeParse({ url: "https://example.com", ...changes });
    expect(JSON.stringify(read.error?.issues ?? [])).toContain(words);
  });

  it.each([
    { url: "http://example.com" },
    { url: { secret: "crm" } },
    { headers: { "x-a": "a\tb", "x-b": "", "x-c": { secret: "crm" } } },
    { headers: { [`x-${"a".repeat(98)}`]: "a".repeat(2_000) } },
    { timeout: "1m" },
    { give_up_on: [300, 404, 599] },
    { data: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, "1"])) },
  ])("a webhook may have as much as this: %j", (changes) => {
    expect(template(changes)).toMatchObject(changes);
  });

  it("tells of no problem where there is none, and names no secret where nothing is signed", () => {
    const about = { brand: "acme", subject: {}, type: "t", delaysMs: [5_000] };
    const spec = fillWebhook(template({ data: { a: "'x'" } }), "follow_up", {}, about);
    expect(spec).not.toHaveProperty("problems");
    expect(spec).not.toHaveProperty("secret");
    expect(fillWebhook(template({ secret: "crm" }), "follow_up", {}, about).secret).toBe("crm");
  });

  it("to an automation is 8,000 characters at most, and what has no value is told", () => {
    const fill = (data: Record<string, string>) =>
      fillAutomation(
        automationTemplateSchema("follow_up").parse({
          workflow_id: "w",
          data,
          repeat: "safe",
          timeout: "1d",
        }),
        "follow_up",
        { variables: { fits: "x".repeat(7_998), longer: "x".repeat(7_999) }, analysis: {} },
        {},
      );
    const fits = fill({ a: "variables.fits" });
    expect(fits).toMatchObject({ data: { a: "x".repeat(7_998) }, repeat: "safe", timeoutMs: 86_400_000 });
    expect(fits).not.toHaveProperty("problems");
    expect(fill({ a: "variables.longer" })).toMatchObject({
      data: { a: null },
      problems: [expect.stringMatching(/^data\.a: .*8000 characters/)],
    });
    expect(fill({ a: "analysis.gone" }).problems).toEqual([expect.stringMatching(/^data\.a: .*gone/)]);
  });

  it("an automation has a name, and is repeated safely or never", () => {
    const read = (changes: object) =>
      automationTemplateSchema("follow_up").safeParse({ workflow_id: "w", ...changes }).success;
    expect([{}, { repeat: "safe" }, { repeat: "never" }].map(read)).toEqual([true, true, true]);
    expect([{ workflow_id: "" }, { repeat: "often" }, { timeout: "25h" }].map(read)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("an automation may not be repeated unless its rule says so", () => {
    expect(automationTemplateSchema("sequence").parse({ workflow_id: "w" }).repeat).toBe("never");
  });
});
