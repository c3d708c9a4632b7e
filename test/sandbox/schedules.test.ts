import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, onTestFinished, test } from "vitest";

import { Clock } from "../../src/sandbox/clock.ts";
import { executionResponse } from "../../src/sandbox/schemas/executions.ts";
import { envelopeOf, messageResponse } from "../../src/sandbox/schemas/page.ts";
import { scheduledWorkflows, scheduleStatusResponse } from "../../src/sandbox/schemas/schedules.ts";
import {
  deployResponse,
  workflowCreateResponse,
  workflowPatchResponse,
} from "../../src/sandbox/schemas/workflows.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { Calendar, nextAfter, Schedules } from "../../src/sandbox/state/schedules.ts";
import type { Recurrence } from "../../src/sandbox/state/schedules.ts";
import { eventually, get, openSandbox, refusal } from "./support.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function runsOf(recurrence: Recurrence, from: string, count: number): string[] {
  const runs: string[] = [];
  let atMs = Date.parse(from);
  while (runs.length < count) {
    atMs = nextAfter(recurrence, atMs) ?? Number.NaN;
    runs.push(new Date(atMs).toISOString());
  }
  return runs;
}

async function scheduledWorkflow(sandbox: Sandbox, triggerType = "schedule"): Promise<string> {
  const { workflow_id: id } = await get(workflowCreateResponse, sandbox, "POST", "/v1/workflows", {
    name: "Daily report",
    trigger_type: triggerType,
    workflow_json: {},
  });
  await get(deployResponse, sandbox, "POST", `/v1/workflows/${id}/deploy`);
  return id;
}

async function executionsOf(sandbox: Sandbox, id: string) {
  const path = `/v1/workflows/${id}/executions?limit=1000`;
  return (await get(envelopeOf(executionResponse), sandbox, "GET", path)).items;
}

test("nine in the morning stays nine in the morning when the clocks change", () => {
  const daily: Recurrence = { kind: "cron", cron: "0 9 * * *", timezone: "Europe/Berlin" };
  expect(runsOf(daily, "2026-03-27T12:00:00Z", 3)).toEqual([
    "2026-03-28T08:00:00.000Z",
    "2026-03-29T07:00:00.000Z",
    "2026-03-30T07:00:00.000Z",
  ]);
  expect(runsOf(daily, "2026-10-23T12:00:00Z", 3)).toEqual([
    "2026-10-24T07:00:00.000Z",
    "2026-10-25T08:00:00.000Z",
    "2026-10-26T08:00:00.000Z",
  ]);
});

test("a time that the clocks skip comes right after the gap, one that they show twice comes once", () => {
  const daily: Recurrence = { kind: "cron", cron: "30 2 * * *", timezone: "America/New_York" };
  expect(runsOf(daily, "2026-03-07T12:00:00Z", 2)).toEqual([
    "2026-03-08T07:00:00.000Z",
    "2026-03-09T06:30:00.000Z",
  ]);
  const repeated: Recurrence = { ...daily, cron: "30 1 * * *" };
  expect(runsOf(repeated, "2026-10-31T12:00:00Z", 2)).toEqual([
    "2026-11-01T05:30:00.000Z",
    "2026-11-02T06:30:00.000Z",
  ]);
  const hourly: Recurrence = { ...daily, cron: "0 * * * *" };
  const hours = runsOf(hourly, "2026-11-01T03:30:00Z", 5);
  expect(hours.map((hour) => Date.parse(hour) - Date.parse(hours[0] ?? ""))).toEqual(
    [0, 1, 2, 3, 4].map((hour) => hour * HOUR_MS),
  );
});

test("a daily time, where the zone's clocks show it once, is the next such time of that zone", () => {
  const zones = ["UTC", "Europe/London", "America/Sao_Paulo", "Asia/Kolkata", "Australia/Lord_Howe"];
  const from = Date.parse("2026-01-01T00:00:00Z");
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
      fc.integer({ min: 0, max: 365 * 24 * 60 }),
      (timezone, hour, minute, sinceMinutes) => {
        const after = from + sinceMinutes * MINUTE_MS;
        const next = nextAfter({ kind: "cron", cron: `${minute} ${hour} * * *`, timezone }, after);
        const shown = Temporal.Instant.fromEpochMilliseconds(next ?? Number.NaN).toZonedDateTimeISO(timezone);
        const wanted = shown.withPlainTime({ hour, minute });
        // In a gap there is no such time, and the run comes right behind it.
        const isInGap = wanted.hour !== hour || wanted.minute !== minute;
        expect(next).toBeGreaterThan(after);
        expect((next ?? 0) - after).toBeLessThanOrEqual(DAY_MS + HOUR_MS);
        if (!isInGap) {
          expect([shown.hour, shown.minute, shown.second]).toEqual([hour, minute, 0]);
        }
      },
    ),
  );
});

test("schedules come due on the sandbox's calendar, in their zone, over a change of the clocks", async () => {
  // A day of the calendar passes in 0.43 seconds.
  const clock = new Clock(200_000);
  onTestFinished(() => {
    clock.close();
  });
  const calendar = new Calendar(clock, Date.parse("2026-03-27T12:00:00Z"));
  const schedules = new Schedules(clock, calendar);
  const due: string[] = [];
  schedules.onDue((workflowId) => {
    due.push(`${workflowId} ${calendar.iso(schedules.find(workflowId)?.lastMs ?? 0)}`);
  });
  expect(schedules.set("a", { kind: "cron", cron: "0 9 * * *", timezone: "Europe/Berlin" })).toBe(true);
  expect(schedules.set("b", { kind: "interval", intervalMinutes: 24 * 60, timezone: "UTC" })).toBe(true);
  const runs = (workflowId: string) =>
    due.filter((run) => run.startsWith(workflowId)).map((run) => run.slice("a ".length));
  await eventually(() => {
    expect(runs("a").length).toBeGreaterThanOrEqual(3);
  });
  expect(runs("a").slice(0, 3)).toEqual([
    "2026-03-28T08:00:00.000Z",
    "2026-03-29T07:00:00.000Z",
    "2026-03-30T07:00:00.000Z",
  ]);
  const [first = "", second = ""] = runs("b");
  expect(Date.parse(second) - Date.parse(first)).toBe(DAY_MS);
  expect(calendar.nowMs()).toBeGreaterThanOrEqual(Date.parse("2026-03-30T07:00:00Z"));
  expect(schedules.remove("a")).toBe(true);
  expect(schedules.remove("a")).toBe(false);
});

test("schedules that were put away come due again after a restart, and make up for nothing", async () => {
  const clock = new Clock(1_000);
  onTestFinished(() => {
    clock.close();
  });
  const schedules = new Schedules(clock);
  schedules.set("a", { kind: "interval", intervalMinutes: 1, timezone: "UTC" });
  const [saved] = schedules.dump();
  const late = new Schedules(clock, new Calendar(clock, schedules.calendar.nowMs() + 10 * MINUTE_MS));
  let runs = 0;
  late.onDue(() => {
    runs += 1;
  });
  late.restore(saved === undefined ? [] : [saved]);
  expect(late.find("a")?.nextMs).toBeGreaterThan(late.calendar.nowMs());
  await eventually(() => {
    expect(runs).toBeGreaterThan(0);
  });
});

test("a scheduled workflow runs by itself, until its schedule is taken away", async () => {
  // A simulated minute takes 60 milliseconds.
  const sandbox = await openSandbox({ speed: 1_000 });
  const id = await scheduledWorkflow(sandbox);
  const path = `/v1/workflows/${id}/schedule`;
  expect(await get(scheduleStatusResponse, sandbox, "GET", path)).toMatchObject({
    is_scheduled: false,
    next_run: null,
    job_details: null,
  });
  const set = await get(scheduleStatusResponse, sandbox, "POST", path, { interval_minutes: 1 });
  expect(set).toMatchObject({
    workflow_id: id,
    is_scheduled: true,
    trigger_type: "schedule",
    trigger_config: { cron: null, interval_minutes: 1, timezone: "UTC" },
    job_details: { interval_minutes: 1, cron: null, run_count: 0, last_run: null },
  });
  const runs = await eventually(async () => {
    const all = await executionsOf(sandbox, id);
    expect(all.length).toBeGreaterThanOrEqual(3);
    return all;
  });
  expect(runs[0]).toMatchObject({ trigger_source: "scheduler", trigger_type: "schedule", call_id: null });
  const later = await get(scheduleStatusResponse, sandbox, "GET", path);
  expect(later.job_details?.run_count).toBeGreaterThanOrEqual(3);
  await get(messageResponse, sandbox, "DELETE", path);
  expect((await refusal(sandbox, "DELETE", path)).status).toBe(404);
  const { length } = await executionsOf(sandbox, id);
  const next = await scheduledWorkflow(sandbox);
  await get(scheduleStatusResponse, sandbox, "POST", `/v1/workflows/${next}/schedule`, {
    interval_minutes: 1,
  });
  await eventually(async () => {
    expect((await executionsOf(sandbox, next)).length).toBeGreaterThan(0);
  });
  expect(await executionsOf(sandbox, id)).toHaveLength(length);
});

test("a paused workflow keeps its schedule and does not run; a busy one skips its turn", async () => {
  const sandbox = await openSandbox({ speed: 2_000 });
  const id = await scheduledWorkflow(sandbox);
  sandbox.faults.add({ kind: "execution", outcome: "stuck", times: 1 });
  await get(scheduleStatusResponse, sandbox, "POST", `/v1/workflows/${id}/schedule`, { interval_minutes: 1 });
  await eventually(async () => {
    expect((await executionsOf(sandbox, id)).slice(0, 2)).toMatchObject([
      { status: "running" },
      { status: "skipped", error_message: "The execution before is still running" },
    ]);
  });
  await get(workflowPatchResponse, sandbox, "PATCH", `/v1/workflows/${id}`, { is_active: false });
  const { length } = await executionsOf(sandbox, id);
  const runs = async () =>
    (await get(scheduleStatusResponse, sandbox, "GET", `/v1/workflows/${id}/schedule`)).job_details
      ?.run_count;
  const before = (await runs()) ?? 0;
  await eventually(async () => {
    expect(await runs()).toBeGreaterThan(before + 1);
  });
  expect(await executionsOf(sandbox, id)).toHaveLength(length);
});

test("settings are taken from the query as well as from the body, and next_run is a time of the zone", async () => {
  const sandbox = await openSandbox({ speed: 1 });
  const id = await scheduledWorkflow(sandbox);
  const path = `/v1/workflows/${id}/schedule`;
  const query = new URLSearchParams({ cron: "0 9 * * 1", timezone: "Asia/Kolkata" });
  const status = await get(scheduleStatusResponse, sandbox, "POST", `${path}?${query.toString()}`);
  expect(status.next_run).toMatch(/T03:30:00\.000Z$/);
  expect(new Date(status.next_run ?? "").getUTCDay()).toBe(1);
  // At speed 1 the calendar is the wall clock.
  expect(
    Math.abs(Date.parse(status.job_details?.runs_at ?? "") - Date.parse(status.next_run ?? "")),
  ).toBeLessThan(2);
  for (const list of ["/v1/workflows/schedules", "/v1/workflows/schedules/"]) {
    const all = await get(scheduleStatusResponse.array(), sandbox, "GET", list);
    expect(all).toEqual([status]);
  }
  const other = await get(scheduledWorkflows, sandbox, "GET", "/v1/workflows/schedules/all");
  expect(other).toEqual({ total: 1, scheduled_workflows: [status] });
});

test("what is no schedule is refused: 409 for another trigger type, 422 for settings that say nothing", async () => {
  const sandbox = await openSandbox();
  const other = await scheduledWorkflow(sandbox, "webhook");
  const daily = { cron: "0 9 * * *" };
  expect((await refusal(sandbox, "POST", `/v1/workflows/${other}/schedule`, daily)).status).toBe(409);
  const id = await scheduledWorkflow(sandbox);
  const status = async (body?: Record<string, unknown>) =>
    (await refusal(sandbox, "POST", `/v1/workflows/${id}/schedule`, body)).status;
  expect(await status()).toBe(422);
  expect(await status({ ...daily, interval_minutes: 5 })).toBe(422);
  expect(await status({ interval_minutes: 0 })).toBe(422);
  expect(await status({ cron: "every day" })).toBe(422);
  expect(await status({ cron: "* * * * * *" })).toBe(422);
  expect(await status({ cron: "0 0 30 2 *" })).toBe(422);
  expect(await status({ ...daily, timezone: "Mars/Olympus" })).toBe(422);
  expect((await refusal(sandbox, "POST", "/v1/workflows/nothing/schedule", daily)).status).toBe(404);
});
