import { expect, it } from "vitest";

import { runRow } from "../../../src/cli/schedules/runs.ts";
import { scheduleRow } from "../../../src/cli/schedules/list.ts";

const found = {
  name: "morning",
  state: "active",
  definition: { time_zone: "Europe/Berlin" },
  drift: null,
  last_run: { state: "done", due_at: "2027-05-03T07:00:00.000Z" },
  next: ["2027-05-04T07:00:00.000Z"],
} as const;

it("a schedule's last run and its next one are told by its own clocks, and in UTC", () => {
  expect(scheduleRow({ ...found, next: [...found.next] })).toEqual([
    "morning",
    "active",
    "done 2027-05-03 09:00:00 Europe/Berlin (07:00:00 UTC)",
    "2027-05-04 09:00:00 Europe/Berlin (07:00:00 UTC)",
    "",
  ]);
  expect(scheduleRow({ ...found, last_run: null, next: [] })).toMatchObject({ 2: "none", 3: "none" });
});

it("a run says how many of its list can never be called", () => {
  const run = {
    id: "r",
    due_at: "2027-05-03T07:00:00.000Z",
    cause: "schedule",
    state: "running",
    reason: null,
    campaign_id: "c",
    execution_id: null,
    result: { never_dialed: { contacts: 1200, of: 2000 } },
    started_at: null,
    ended_at: null,
  } as const;
  const row = (changes: object) => runRow({ ...run, ...changes }, ["Europe/Berlin"]);
  expect(row({})).toEqual([
    "2027-05-03 09:00:00 Europe/Berlin (07:00:00 UTC)",
    "running",
    "schedule",
    "c; 1,200 of 2,000 contacts can never be called",
  ]);
  expect(row({ reason: "stopped" })[3]).toBe("stopped; 1,200 of 2,000 contacts can never be called");
  expect(row({ result: { told_long: true } })[3]).toBe("c");
  expect(row({ result: null, campaign_id: null })[3]).toBe("");
});
