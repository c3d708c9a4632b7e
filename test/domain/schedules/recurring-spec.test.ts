import { describe, expect, it } from "vitest";

import type { CampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { declaredSpecOf, recurringSpecOf, saysOf } from "../../../src/domain/schedules/recurring-spec.ts";
import { readScheduleDefinition, type ScheduleDefinition } from "../../../src/domain/schedules/schedule.ts";
import { specOf } from "../../ledger/support/scenario.ts";

function scheduleOf(run: Record<string, unknown>): ScheduleDefinition {
  const reading = readScheduleDefinition({ name: "daily", cron: "0 9 * * *", run });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.definition;
}

describe("the next run of a recurring campaign", () => {
  const NOW_MS = Date.parse("2027-05-01T12:00:00Z");
  const CONTACTS = { url: "https://crm.example/people.csv" };
  const OTHERS = { url: "https://crm.example/others.csv" };
  const template = { ...specOf(), contacts: CONTACTS, not_called_within: "1d" };
  const next = (run: Record<string, unknown>, ...newest: [CampaignSpec | undefined] | []) =>
    recurringSpecOf(
      scheduleOf({ campaign: "spring", ...run }).run,
      newest.length === 0 ? template : newest[0],
      NOW_MS,
    );

  it("is as its newest one, with what the schedule says in place of that", () => {
    expect(next({})).toMatchObject({ ok: true, spec: template, source: CONTACTS });
    expect(next({ contacts: OTHERS, not_called_within: "7d" })).toMatchObject({
      ok: true,
      spec: { ...template, not_called_within: "7d" },
      source: OTHERS,
    });
  });

  it("is as the schedule's own spec where it has one, whatever the newest was", () => {
    const spec = { agent_id: "another", from_numbers: ["+12025550100"], concurrency: 2 };
    const made = next({ spec, contacts: OTHERS, brand: "acme" });
    expect(made).toMatchObject({
      ok: true,
      spec: { ...spec, name: "spring", brand: "acme" },
      source: OTHERS,
    });
    expect(made.ok && made.spec).not.toHaveProperty("not_called_within");
    expect(next({ spec, contacts: OTHERS }, undefined)).toMatchObject({
      ok: true,
      spec: { brand: "default" },
    });
  });

  it("can't be made where there is no campaign, no list, or no time left, and says what to do", () => {
    expect(next({ brand: "acme" }, undefined)).toEqual({
      ok: false,
      problem:
        "brand acme has no campaign spring: apply or create it, or put its spec into the schedule (run.spec)",
    });
    const { contacts: _contacts, ...listless } = template;
    expect(next({}, listless)).toEqual({
      ok: false,
      problem:
        "nothing says where the contacts of campaign spring are: name a source in the schedule (run.contacts) or in the campaign (contacts)",
    });
    expect(next({}, { ...template, ends_at: "2027-05-01T14:00:00+02:00" })).toEqual({
      ok: false,
      problem:
        "campaign spring ended at 2027-05-01T14:00:00+02:00: take ends_at out of it, or pause the schedule",
    });
    expect(next({}, { ...template, ends_at: "2027-05-01T12:00:01Z" }).ok).toBe(true);
  });

  it("is of the brand and the campaign that the schedule says", () => {
    const spec = { agent_id: "a", from_numbers: ["+12025550100"], concurrency: 2 };
    expect(saysOf(scheduleOf({ campaign: "spring", brand: "acme", not_called_within: "7d", spec }))).toEqual({
      name: "daily",
      brand: "acme",
      campaign: "spring",
      not_called_within: "7d",
      has_spec: true,
    });
    expect(saysOf(scheduleOf({ campaign: "spring" }))).toMatchObject({ brand: "default", has_spec: false });
    expect(saysOf(scheduleOf({ workflow_id: "w" }))).toMatchObject({ campaign: undefined });
  });
});

describe("what a declared campaign leaves out", () => {
  const named = specOf();
  const within = (asked: string | undefined) =>
    asked === undefined ? named : { ...named, not_called_within: asked };

  it.each([
    // What its document says, what its schedules say, its newest run, and what is to be.
    ["is what its document says without schedules", "1d", [], ["running", "7d"], "1d"],
    ["is what its document says where no schedule says it", "1d", [undefined], ["running", "7d"], "1d"],
    ["is what its schedule says, before the first run", undefined, ["7d"], undefined, "7d"],
    ["is what its schedule says, in place of the document's", "1d", ["7d"], ["running", "1d"], "7d"],
    ["is what its schedule says, while a run is going on", undefined, ["7d"], ["running", "7d"], "7d"],
    ["is what its schedule says, where it was taken off", undefined, ["7d"], ["paused", undefined], "7d"],
    ["is what its schedule says by now", undefined, ["14d"], ["running", "7d"], "14d"],
    ["is what its schedule says, between runs", undefined, ["7d"], ["completed", "7d"], "7d"],
    [
      "is what one of several said, whichever began the run",
      undefined,
      ["7d", "1d"],
      ["running", "1d"],
      "1d",
    ],
    [
      "is nothing where one that says nothing began the run",
      undefined,
      ["7d", undefined],
      ["running", undefined],
      undefined,
    ],
    ["is the longest of what several say", undefined, ["23h", "1d", undefined], ["running", "12h"], "1d"],
    [
      "is what its document says, where that is longer and a person began the run",
      "30d",
      ["7d"],
      ["running", "30d"],
      "30d",
    ],
    [
      "is what its document says, where that is longer, before the first run",
      "30d",
      ["7d"],
      undefined,
      "30d",
    ],
    [
      "is what its schedule says in the run that it began, where the document's is longer",
      "30d",
      ["7d"],
      ["running", "7d", "of a schedule"],
      "7d",
    ],
    ["stays in a run that was started, where nobody says it any more", undefined, [], ["paused", "7d"], "7d"],
    ["stays in a run that is over, where nobody says it any more", undefined, [], ["completed", "7d"], "7d"],
    [
      "stays in a run that was started, where others say less",
      undefined,
      ["1d", undefined],
      ["draining", "7d"],
      "7d",
    ],
    [
      "stays in the run of a schedule that is gone, where the document says less",
      "1d",
      [],
      ["running", "7d", "of a schedule"],
      "7d",
    ],
    [
      "grows in the run of a schedule that is gone, where the document says more",
      "14d",
      [],
      ["running", "7d", "of a schedule"],
      "14d",
    ],
    [
      "is what its document says, when the run of a schedule that is gone is over",
      "1d",
      [],
      ["completed", "7d", "of a schedule"],
      "1d",
    ],
    [
      "is what its schedule said to a run whose list is being loaded",
      undefined,
      ["7d", "1d"],
      ["scheduled", "1d", "of a schedule"],
      "1d",
    ],
    [
      "is what its document says, in a run that was not started",
      undefined,
      [],
      ["scheduled", "7d"],
      undefined,
    ],
    ["is the longest until a schedule begins the run", "30d", ["7d"], ["scheduled", "7d"], "30d"],
    [
      "is what its schedule says, before it begins the run",
      undefined,
      ["7d"],
      ["scheduled", undefined],
      "7d",
    ],
  ] as const)("%s", (_what, document, says, newest, expected) => {
    const schedules = says.map((not_called_within, nth) => ({
      name: `s${nth}`,
      brand: "default",
      campaign: "c",
      not_called_within,
      has_spec: false,
    }));
    const run = newest && {
      state: newest[0],
      spec: within(newest[1]),
      isOfSchedule: newest[2] !== undefined,
    };
    const spec = declaredSpecOf(within(document), schedules, run);
    expect(spec.not_called_within).toBe(expected);
    expect({ ...spec, not_called_within: document }).toEqual({ ...named, not_called_within: document });
  });
});
