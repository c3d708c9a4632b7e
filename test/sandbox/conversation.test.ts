import { expect, test } from "vitest";

import { Conversation } from "../../src/sandbox/conversation.ts";
import type { CallRecord } from "../../src/sandbox/state/calls.ts";
import { phones } from "./support.ts";

test("how somebody felt is a number from -1 to 1, with the word for it", () => {
  const felt = phones(2_000).map((phone) => {
    // What sentiment is made of.
    const call = { phone, nth: 1, outcome: "answered", optedOut: false } as CallRecord;
    return new Conversation(7, call).sentiment();
  });
  const scores = felt.map(({ score }) => score);
  expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  expect(Math.max(...scores)).toBeGreaterThan(0.9);
  expect(Math.min(...scores)).toBeGreaterThanOrEqual(-1);
  expect(new Set(felt.map(({ label }) => label))).toEqual(new Set(["positive", "neutral", "negative"]));
});
