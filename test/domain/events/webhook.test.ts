import { describe, expect, it } from "vitest";

import { EVENT_TYPE_NAMES } from "../../../src/domain/ground/event-types.ts";
import {
  DISABLED_AFTER_MS,
  isSent,
  readEventWebhook,
  readStoredEventWebhook,
  waitAfterFailures,
} from "../../../src/domain/events/webhook.ts";

const WEBHOOK = {
  name: "crm",
  to: { webhook: { url: "https://crm.example.com/hook", secret: "crm" } },
};

const problemsOf = (definition: unknown) => {
  const reading = readEventWebhook(definition);
  return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field}: ${problem}`);
};

describe("a webhook of events", () => {
  it("is read with what it says of types and brands, or without", () => {
    expect(readEventWebhook(WEBHOOK)).toEqual({ ok: true, definition: WEBHOOK });
    const whole = { ...WEBHOOK, types: [...EVENT_TYPE_NAMES], brands: ["acme", "other"] };
    expect(readEventWebhook(whole)).toEqual({ ok: true, definition: whole });
    const named = Array.from({ length: 100 }, (_, n) => `brand-${n}`);
    expect(problemsOf({ ...WEBHOOK, brands: named })).toEqual([]);
  });

  it.each(["a", "0", "crm.eu_2-b", "a".repeat(63)])("may be called %s", (name) => {
    expect(problemsOf({ ...WEBHOOK, name })).toEqual([]);
  });

  it.each(["", "CRM", ".crm", "-crm", "crm eu", "a".repeat(64)])("may not be called %j", (name) => {
    expect(problemsOf({ ...WEBHOOK, name })).toEqual([
      "name: may hold lower-case letters, digits, dots, dashes and underscores, 63 at most",
    ]);
  });

  it("is told what is wrong with it, field by field", () => {
    const wrong = { name: "crm", to: {}, types: [], brands: [], colour: "red" };
    expect(problemsOf(wrong).map((problem) => problem.split(":")[0])).toEqual(
      expect.arrayContaining(["to.webhook", "types", "brands", "colour"]),
    );
    const tooMany = Array.from({ length: 101 }, (_, n) => `brand-${n}`);
    expect(problemsOf({ ...WEBHOOK, brands: tooMany })).toHaveLength(1);
    expect(problemsOf({ ...WEBHOOK, types: [...EVENT_TYPE_NAMES, "campaign.created"] })).toHaveLength(1);
    expect(problemsOf({ ...WEBHOOK, types: ["campaign.creatd"] })).toHaveLength(1);
    expect(problemsOf({ ...WEBHOOK, colour: "red" })).toEqual([
      expect.stringMatching(/^colour: .*a webhook of events/),
    ]);
    expect(problemsOf(7)).toEqual(["the webhook: must be a group of fields"]);
  });

  it("with a secret in its address is refused where it is given, and still read where it is kept", () => {
    const literal = {
      ...WEBHOOK,
      to: {
        webhook: { url: "https://crm.example.com/hook?api_key=sk_live_4f9a8b7c6d5e4f3a2b1c", secret: "crm" },
      },
    };
    expect(problemsOf(literal)).not.toEqual([]);
    expect(readStoredEventWebhook(literal)).toEqual({ ok: true, definition: literal });
    expect(readStoredEventWebhook({ name: "crm" })).toMatchObject({ ok: false });
  });

  const EVENT = { type: "campaign.created", brand: "acme" } as const;

  it.each<[string, Parameters<typeof isSent>[0], boolean]>([
    ["everything where it names nothing", { types: undefined, brands: undefined }, true],
    ["a type that it names", { types: ["campaign.created"], brands: undefined }, true],
    ["no other type", { types: ["campaign.started"], brands: undefined }, false],
    ["a brand that it names", { types: undefined, brands: ["other", "acme"] }, true],
    ["no other brand", { types: undefined, brands: ["other"] }, false],
    ["no other brand's, be the type its own", { types: ["campaign.created"], brands: ["other"] }, false],
    ["no other type, be the brand its own", { types: ["campaign.started"], brands: ["acme"] }, false],
  ])("is sent %s", (_what, webhook, sent) => {
    expect(isSent(webhook, EVENT)).toBe(sent);
  });

  it("that names brands is sent nothing that is of none", () => {
    const ofNone = { ...EVENT, brand: undefined };
    expect(isSent({ types: undefined, brands: undefined }, ofNone)).toBe(true);
    expect(isSent({ types: undefined, brands: ["acme"] }, ofNone)).toBe(false);
  });

  it("is tried again after seconds, then minutes, then each hour, for five days", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 500].map((failures) => waitAfterFailures(failures) / 1_000)).toEqual([
      5, 15, 60, 300, 900, 1_800, 3_600, 3_600, 3_600,
    ]);
    expect(DISABLED_AFTER_MS / 3_600_000).toBe(120);
  });

  it("is left alone for as long as its receiver asks, within an hour, and never for less than the wait of its own", () => {
    expect(waitAfterFailures(1, 60_000)).toBe(60_000);
    expect(waitAfterFailures(4, 60_000)).toBe(300_000);
    expect(waitAfterFailures(1, 24 * 3_600_000)).toBe(3_600_000);
  });
});
