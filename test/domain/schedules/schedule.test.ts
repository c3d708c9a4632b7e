import { describe, expect, it } from "vitest";

import {
  missingRuns,
  platformDrift,
  platformTimesOf,
} from "../../../src/domain/schedules/platform-schedule.ts";
import { admit } from "../../../src/domain/schedules/schedule-run.ts";
import {
  lateAfterMs,
  readScheduleDefinition,
  type ScheduleDefinition,
} from "../../../src/domain/schedules/schedule.ts";

function problemsOf(value: unknown): string[] {
  const reading = readScheduleDefinition(value);
  return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field} ${problem}`);
}

function definitionOf(changes: Record<string, unknown>): ScheduleDefinition {
  const reading = readScheduleDefinition({ name: "nightly", run: { workflow_id: "w" }, ...changes });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.definition;
}

describe("a schedule's definition", () => {
  it("is filled in, with a short catch-up window where something dials", () => {
    const calls = definitionOf({ run: { campaign: "spring" }, cron: "0 9 * * 1-5" });
    expect(calls).toMatchObject({ catch_up: "60s", overlap: "skip", engine: "temporal", time_zone: "UTC" });
    expect(lateAfterMs(definitionOf({ every: "1h", jitter: "30s" }))).toBe(630_000);
  });

  it("is the same when it is read again", () => {
    const once = definitionOf({
      calendar: { at: ["09:00"], weekdays: "weekdays" },
      time_zone: "Europe/Berlin",
    });
    expect(readScheduleDefinition(structuredClone(once))).toEqual({ ok: true, definition: once });
  });

  it("tells all of its problems at once", () => {
    const problems = problemsOf({
      name: "Nightly!",
      run: { automation: "a", campaign: "b" },
      cron: "99 * * * *",
      every: "1h",
      time_zone: "EST",
      overlap: "sometimes",
      frequency: 3,
    });
    for (const words of [
      "name may hold",
      "run must name exactly one",
      "cron minute",
      "every can't stand beside",
      "time_zone must be the name",
      "overlap must be one of",
      "frequency is not a field",
    ])
      expect(problems.join("\n")).toContain(words);
  });

  it("takes what it lacks and what does not fit together by name", () => {
    expect(problemsOf({ name: "a", run: { campaign: "c", data: {} } }).join()).toMatch(
      /cron is missing.*run\.data goes with an automation only/,
    );
    expect(
      problemsOf({ name: "a", run: { workflow_id: "w" }, every: "1h", overlap: "cancel_other" }).join(),
    ).toContain("whose executions the platform can't end");
    expect(
      problemsOf({
        name: "a",
        run: { workflow_id: "w", data: {} },
        every: "90s",
        engine: "platform",
        jitter: "5s",
      }).join("\n"),
    ).toMatch(/every must be whole minutes[^]*jitter is not known[^]*run\.data is not known/);
    expect(
      problemsOf({ name: "a", run: { campaign: "c" }, cron: "0 9 * * *", engine: "platform" }).join(),
    ).toContain("campaigns are always run by Temporal");
    const reported = { name: "a", run: { workflow_id: "w" }, cron: "0 9 * * *", drift: "report" };
    expect(problemsOf(reported)).toEqual(["drift goes with engine platform only: remove it"]);
    expect(problemsOf({ ...reported, engine: "platform" })).toEqual([]);
  });

  it.each([
    [{ every: "10m" }, "10m"],
    [{ cron: "0,20 9,10 * * *" }, "20m"],
    [{ calendar: { at: ["23:50", "00:10"] } }, "20m"],
    [{ cron: "0 9 * * 1" }, "1d"],
  ])("takes no jitter that reaches the next run: %j", (when, closest) => {
    const problems = (jitter: string) =>
      problemsOf({ name: "a", run: { workflow_id: "w" }, ...when, jitter });
    expect(problems(closest).join()).toContain(
      `jitter must be shorter than the time between two runs (${closest})`,
    );
    expect(problems("9m")).toEqual([]);
  });
});

describe("a schedule of a campaign", () => {
  const spec = { agent_id: "a", from_numbers: ["+12025550100"], concurrency: 2 };
  const problemsIn = (run: object, changes: object = {}) =>
    problemsOf({ name: "a", cron: "0 9 * * *", run: { campaign: "spring", ...run }, ...changes }).join("\n");

  it("may hold the campaign's spec and say where its contacts are", () => {
    const contacts = { database: "crm", query: "select phone from people", phone: "phone" };
    expect(problemsIn({ spec, contacts, brand: "acme", not_called_within: "7d" })).toBe("");
    expect(
      problemsIn({ contacts: { url: "https://crm.example/x", headers: { "x-key": { secret: "crm" } } } }),
    ).toBe("");
    expect(problemsIn({ contacts: { url: { secret: "sheet" } } })).toBe("");
  });

  it.each([
    [{ spec: { ...spec, concurrency: 0 } }, "run.spec.concurrency must be 1 or more"],
    [{ spec: { ...spec, name: "other" } }, "run.spec.name is said by run.campaign"],
    [{ spec: { ...spec, brand: "acme" } }, "run.spec.brand stands beside it"],
    [{ spec: { ...spec, concurency: 1 } }, "run.spec.concurency is not a field"],
    [{ contacts: { file: "a.csv", url: "https://b.example" } }, "run.contacts.url is not a field"],
    [
      { contacts: { url: "https://docs.google.com/spreadsheets/d/e/2PACX-1/pub?output=csv" } },
      "run.contacts.url holds a secret itself: give the whole address by a name, url: { secret: crm }",
    ],
    [{ contacts: { url: "ftp://crm.example/x" } }, "run.contacts.url must be an address that begins with"],
    [
      { contacts: { database: "CRM;", query: "select 1" } },
      "run.contacts.database must be the name of a database",
    ],
    [{ not_called_within: "5s" }, "run.not_called_within must be a duration from 1m"],
    [{ data: {} }, "run.data goes with an automation only"],
  ])("says what is wrong in it: %j", (run, problem) => {
    expect(problemsIn(run)).toContain(problem);
  });

  it("makes one run at a time", () => {
    expect(problemsIn({}, { overlap: "allow" })).toContain("overlap can't be allow for a campaign");
  });
});

describe("a run that is due while others are open", () => {
  it.each([
    ["skip", 0, 0, "begin"],
    ["skip", 1, 0, "skip"],
    ["allow", 3, 0, "begin"],
    ["buffer_one", 1, 0, "wait"],
    ["buffer_one", 1, 1, "skip"],
    ["cancel_other", 1, 1, "wait"],
  ] as const)("by %s, with %i under way and %i waiting: %s", (policy, underWay, waiting, kind) => {
    expect(admit(policy, { underWay, waiting }).kind).toBe(kind);
  });
});

describe("a schedule that the platform keeps", () => {
  const declared = platformTimesOf(
    definitionOf({ cron: "*/5  * * * *", time_zone: "Europe/Berlin", engine: "platform" }),
  );

  it("is found to have drifted by what is seen, and by nothing that is not", () => {
    const seen = (settings: Record<string, unknown>, isScheduled: boolean | undefined = true) =>
      platformDrift(declared, { isScheduled, settings });
    expect(seen({ cron: "*/5 * * * *", timezone: "Europe/Berlin" })).toBeUndefined();
    expect(seen({}, undefined)).toBeUndefined();
    expect(seen({ cron: "0 * * * *", timezone: "UTC" })).toBe(
      'it runs by cron "0 * * * *"; its time zone is UTC',
    );
    expect(seen({ interval_minutes: 5 })).toBe("it runs every 5 minutes");
    expect(seen({}, false)).toBe("it is not scheduled there");
    expect(platformDrift(declared, undefined)).toBe("it is not scheduled there");
  });

  it("misses the due times that have no execution behind them", () => {
    const cron = definitionOf({ cron: "0 * * * *", engine: "platform", catch_up: "10m" });
    const at = (clock: string) => Date.parse(`2027-05-01T${clock}Z`);
    const started = [at("01:00:02"), at("03:04:00")];
    const missing = (seenSince: string) =>
      missingRuns(cron, started, {
        fromMs: at("00:30"),
        seenSinceMs: at(seenSince),
        nowMs: at("04:05"),
      });
    expect(missing("00:00")).toEqual({ dueMs: [at("02:00")], throughMs: at("03:55") });
    expect(missing("02:30"), "what nobody could see is not told").toEqual({
      dueMs: [],
      throughMs: at("03:55"),
    });
  });

  it("misses every due time that has no execution of its own, although others run within the catch-up", () => {
    const cron = definitionOf({ cron: "*/5 * * * *", engine: "platform", catch_up: "10m" });
    const at = (clock: string) => Date.parse(`2027-05-01T${clock}Z`);
    const missing = (started: readonly string[]) =>
      missingRuns(cron, started.map(at), {
        fromMs: at("00:59"),
        seenSinceMs: at("00:59"),
        nowMs: at("01:40"),
      }).dueMs.map((dueMs) => new Date(dueMs).toISOString().slice(11, 16));
    // Each second one, and each third.
    expect(missing(["01:00:01", "01:10:01", "01:20:01", "01:30:01"])).toEqual(["01:05", "01:15", "01:25"]);
    expect(missing(["01:00:01", "01:15:01", "01:30:01"])).toEqual(["01:05", "01:10", "01:20", "01:25"]);
    // One that is late counts for its own due time, once the next has another.
    expect(
      missing(["01:00:01", "01:10:02", "01:10:40", "01:15:01", "01:20:01", "01:25:01", "01:30:01"]),
    ).toEqual([]);
  });

  it("misses an interval's run where nothing began for longer, whatever its phase", () => {
    const every = definitionOf({ every: "10m", engine: "platform", catch_up: "5m" });
    const at = (clock: string) => Date.parse(`2027-05-01T${clock}Z`);
    const started = [at("00:13"), at("00:23"), at("00:53")];
    const seen = { fromMs: at("00:03"), seenSinceMs: at("00:03"), nowMs: at("01:00") };
    expect(missingRuns(every, started, seen)).toEqual({
      dueMs: [at("00:33"), at("00:43")],
      throughMs: at("00:53"),
    });
  });
});
