import { describe, expect, it } from "vitest";

import {
  daysOf,
  ruleText,
  withinMsOf,
  type PresetHours,
  type PresetRule,
} from "../../../../src/domain/policy/presets/preset.ts";

const BASE = {
  id: "x.rule",
  where: "X",
  places: ["XX"],
  source: "a statute",
  url: "https://x.example",
  dated: "2026",
};
const DAY = ["09:00-18:00"];
const SHORT = ["10:00-13:00", "14:00-16:00"];

describe("a rule of a preset, in words", () => {
  it.each<[PresetHours, string]>([
    [{ daily: DAY }, "09:00-18:00 every day"],
    [{ daily: SHORT }, "10:00-13:00 and 14:00-16:00 every day"],
    [{ daily: DAY, sunday: SHORT }, "Monday to Saturday 09:00-18:00, Sunday 10:00-13:00 and 14:00-16:00"],
    [{ weekdays: DAY, saturday: DAY }, "Monday to Saturday 09:00-18:00, not on Sundays"],
    [{ weekdays: DAY }, "Monday to Friday 09:00-18:00, not at weekends"],
    [
      { weekdays: DAY, saturday: SHORT, sunday: SHORT },
      "Monday to Friday 09:00-18:00, at weekends 10:00-13:00 and 14:00-16:00",
    ],
    [
      { weekdays: DAY, saturday: SHORT },
      "Monday to Friday 09:00-18:00, Saturday 10:00-13:00 and 14:00-16:00, not on Sundays",
    ],
    [
      { daily: DAY, saturday: [], sunday: SHORT },
      "Monday to Friday 09:00-18:00, not on Saturdays, Sunday 10:00-13:00 and 14:00-16:00",
    ],
    // Both days before it differ, and the last is as the first.
    [{ daily: DAY, saturday: [] }, "Monday to Friday 09:00-18:00, not on Saturdays, Sunday 09:00-18:00"],
  ])("says of the hours %j: %s", (hours, text) => {
    expect(ruleText({ ...BASE, kind: "hours", hours })).toBe(text);
  });

  it.each<[PresetRule, string]>([
    [{ ...BASE, kind: "sundays" }, "no calls on Sundays"],
    [{ ...BASE, kind: "holidays", holidays: "own" }, "no calls on public holidays of the contact's country"],
    [
      { ...BASE, kind: "holidays", holidays: ["US-AL", "US-MS"] },
      "no calls on public holidays (US-AL, US-MS)",
    ],
    [{ ...BASE, kind: "calls", attempts: 1, within: "1d" }, "1 call to a number within 1d"],
    [{ ...BASE, kind: "calls", attempts: 3, within: "7d" }, "3 calls to a number within 7d"],
    [
      { ...BASE, kind: "consent", consent: "required_for_ai_voice" },
      "prior consent to calls by an artificial voice",
    ],
  ])("says what %j forbids: %s", (rule, text) => {
    expect(ruleText(rule)).toBe(text);
  });

  it("of data that can't be read is an error at once, not a rule that forbids nothing", () => {
    expect(() => daysOf({ daily: ["nine to five"] })).toThrow("nine to five is no range of hours");
    expect(() => withinMsOf({ ...BASE, kind: "calls", attempts: 1, within: "soon" })).toThrow(
      "soon is no duration",
    );
  });
});
