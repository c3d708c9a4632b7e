import { expect, it } from "vitest";

import type { ActionSpec } from "../../../src/domain/follow-ups/actions.ts";
import { actionWords } from "../../../src/domain/rules/action-words.ts";

const BASE = { subject: {}, retry: { maxTries: 1, delaysMs: [0] } };
const person = { brand: "acme", phone: "+12025550143" };
const automation: ActionSpec = {
  ...BASE,
  kind: "automation",
  workflowId: "wf-1",
  data: {},
  timeoutMs: 1,
  repeat: "safe",
};
const webhook: ActionSpec = {
  ...BASE,
  kind: "webhook",
  url: "https://crm.example.com/hook",
  headers: {},
  type: "call.ended",
  data: {},
  timeoutMs: 1,
  finalStatuses: [],
};
const callback: ActionSpec = { ...BASE, kind: "callback", campaignId: "c", contactId: 1, maxPerContact: 3 };
const suppress: ActionSpec = { ...BASE, kind: "suppress", phone: person.phone, reason: "no" };
const enroll: ActionSpec = {
  ...BASE,
  ...person,
  kind: "enroll",
  sequence: "welcome",
  contactId: 1,
  variables: {},
};
const tag: ActionSpec = { ...BASE, ...person, kind: "tag", tag: "warm", source: "rule" };
const recording: ActionSpec = { ...BASE, kind: "recording", callId: "c", folder: "calls", timeoutMs: 1 };

it.each<[ActionSpec, string]>([
  [automation, "automation wf-1"],
  [{ ...automation, unplanned: "its data finds no plan" }, "automation wf-1: its data finds no plan"],
  [webhook, "webhook"],
  [{ ...callback, atMs: Date.UTC(2026, 5, 2, 15) }, "callback at 2026-06-02T15:00:00.000Z"],
  [callback, "callback at a time to be said"],
  [{ ...callback, unreadable: '"soon" is no time' }, 'callback, when a person says so: "soon" is no time'],
  [{ ...suppress, brand: "acme" }, "suppress"],
  [suppress, "suppress everywhere"],
  [enroll, "enroll in welcome"],
  [tag, "tag warm"],
  [recording, "recording into calls"],
  [{ ...recording, absence: "the call has none" }, "recording: the call has none"],
])("an action, in words: %j is %s", (spec, words) => {
  expect(actionWords(spec)).toBe(words);
});
