import { expect, it } from "vitest";

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
