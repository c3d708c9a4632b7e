import { describe, expect, it } from "vitest";

import {
  missingRuns,
  platformDrift,
  platformTimesOf,
} from "../../../src/domain/schedules/platform-schedule.ts";
import { admit, isUnderWay, SCHEDULE_RUN_STATES } from "../../../src/domain/schedules/schedule-run.ts";
import {
  beginsByMs,
  dueTimesOf,
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

  it("names every field that stands where it means nothing", () => {
    const automation = { name: "a", run: { workflow_id: "w" }, every: "1h" };
    expect(problemsOf({ ...automation, cron: "0 9 * * *", calendar: { at: ["09:00"] } })).toEqual([
      "every can't stand beside another one: give exactly one of cron, every and calendar",
      "calendar can't stand beside another one: give exactly one of cron, every and calendar",
    ]);
    expect(problemsOf({ name: "a", run: { workflow_id: "w" }, cron: "0 9 * * *", offset: "5m" })).toEqual([
      "offset goes with every only: remove it",
    ]);
    expect(problemsOf({ ...automation, offset: "1h" })).toEqual(["offset must be shorter than every"]);
    expect(problemsOf({ ...automation, offset: "59m" })).toEqual([]);
    expect(problemsOf({ ...automation, run: {} })).toEqual([
      "run must name exactly one of automation, workflow_id and campaign",
    ]);
    const ofCampaign = {
      brand: "acme",
      spec: {},
      contacts: { url: "https://a.example" },
      not_called_within: "7d",
    };
    expect(problemsOf({ ...automation, run: { workflow_id: "w", ...ofCampaign } })).toEqual(
      ["brand", "spec", "contacts", "not_called_within"].map(
        (field) => `run.${field} goes with a campaign only: remove it`,
      ),
    );
    const ofAutomation = { data: {}, timeout: "5m", repeat: "safe" };
    expect(problemsOf({ ...automation, run: { campaign: "c", ...ofAutomation } })).toEqual(
      ["data", "timeout", "repeat"].map((field) => `run.${field} goes with an automation only: remove it`),
    );
    expect(problemsOf({ ...automation, run: { workflow_id: "w", ...ofAutomation } })).toEqual([]);
  });

  it("overlaps as what it runs can: executions can't be ended, and a campaign has one run at a time", () => {
    const overlapping = (run: object, overlap: string) =>
      problemsOf({ name: "a", run, every: "1h", overlap });
    for (const overlap of ["skip", "buffer_one", "allow"])
      expect(overlapping({ workflow_id: "w" }, overlap)).toEqual([]);
    for (const overlap of ["skip", "buffer_one", "cancel_other"])
      expect(overlapping({ campaign: "c" }, overlap)).toEqual([]);
    expect(overlapping({ workflow_id: "w" }, "cancel_other")).toEqual([
      "overlap can't be cancel_other for an automation, whose executions the platform can't end: use skip, buffer_one or allow",
    ]);
    expect(overlapping({ campaign: "c" }, "allow")).toEqual([
      "overlap can't be allow for a campaign, of which one run at a time is made: use skip, buffer_one or cancel_other",
    ]);
  });

  it("that the platform keeps has nothing that its scheduler does not know", () => {
    const kept = { name: "a", run: { workflow_id: "w" }, every: "10m", engine: "platform" };
    const unknown = "is not known to the platform's scheduler: remove it, or let engine be temporal";
    const said = { offset: "1m", jitter: "5s", overlap: "allow", pause_on_failure: true, longer_than: "5m" };
    expect(problemsOf({ ...kept, ...said })).toEqual(Object.keys(said).map((field) => `${field} ${unknown}`));
    const defaults = { jitter: "0s", overlap: "skip", pause_on_failure: false };
    expect(problemsOf({ ...kept, ...defaults })).toEqual([]);
    expect(
      problemsOf({ ...kept, run: { workflow_id: "w", data: {}, timeout: "5m", repeat: "safe" } }),
    ).toEqual(["data", "timeout", "repeat"].map((field) => `run.${field} ${unknown}`));
    expect(problemsOf({ ...kept, every: "61s" })).toEqual([
      "every must be whole minutes: the platform's scheduler counts in minutes",
    ]);
    expect(
      problemsOf({ name: "a", run: { workflow_id: "w" }, calendar: { at: ["09:00"] }, engine: "platform" }),
    ).toEqual([
      "calendar is not known to the platform's scheduler: write it as cron, or let engine be temporal",
    ]);
  });

  it("has times in whole seconds, clocks of a day, and zones that know their summer time", () => {
    const problems = (changes: object) => problemsOf({ name: "a", run: { workflow_id: "w" }, ...changes });
    const length = "every must be a duration of whole seconds from 1s to 366d such as 45s, 10m, 1h30m or 2d";
    expect(problems({ every: "1s" })).toEqual([]);
    expect(problems({ every: "366d" })).toEqual([]);
    expect(problems({ every: "0s" })).toEqual([length]);
    expect(problems({ every: "367d" })).toEqual([length]);
    expect(problems({ every: "often" })).toEqual([length]);
    expect(problems({ every: "1500ms" })).toEqual(["every must be whole seconds"]);
    for (const clock of ["00:00", "19:59", "23:59"])
      expect(problems({ calendar: { at: [clock] } }), clock).toEqual([]);
    for (const clock of ["24:00", "9:00", "09:60", "09:00 ", "x09:00"])
      expect(problems({ calendar: { at: [clock] } }), clock).toEqual([
        'calendar.at[0] must be a time of day in quotes such as "09:00"',
      ]);
    for (const zone of ["UTC", "America/New_York", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])
      expect(problems({ every: "1h", time_zone: zone }), zone).toEqual([]);
    for (const zone of [
      "EST",
      "CET",
      "utc",
      "America/Nowhere",
      "+02:00",
      " America/New_York",
      "America/New_York ",
    ])
      expect(problems({ every: "1h", time_zone: zone }), zone).toEqual([
        "time_zone must be the name of a time zone such as America/New_York, or UTC",
      ]);
    expect(problems({ calendar: { at: ["09:00"], days_of_month: [31], months: [2] } })).toEqual([
      "calendar never comes: none of its months has such a day",
    ]);
  });

  it("that lacks what it runs is told that, and no more of it", () => {
    for (const overlap of ["skip", "cancel_other"])
      expect(problemsOf({ name: "a", every: "1h", overlap })).toEqual([
        expect.stringMatching(/^run is missing/),
      ]);
    expect(problemsOf({ name: "a", every: "1h", run: "nightly", overlap: "cancel_other" })).toEqual([
      expect.stringMatching(/^run must be/),
    ]);
    expect(problemsOf("nightly")[0]).toBe("the schedule must be a group of fields");
    expect(problemsOf({ name: "a", every: "1h", run: { workflow_id: "w" }, colour: 1 })).toEqual([
      expect.stringMatching(/^colour is not a field of a schedule/),
    ]);
    const spec = { agent_id: "a", from_numbers: ["+12025550100"], concurrency: 2 };
    expect(problemsOf({ name: "a", every: "1h", run: { campaign: "a/b", spec } })).toEqual([
      expect.stringMatching(/^run\.campaign may hold/),
    ]);
  });

  it("is named in lower case, by at most 63 characters", () => {
    const named = (name: string) => problemsOf({ name, run: { workflow_id: "w" }, every: "1h" });
    for (const name of ["a", "9", "a_b-c", `a${"b".repeat(62)}`]) expect(named(name), name).toEqual([]);
    for (const name of ["", "-a", "_a", "aB", "a b", `a${"b".repeat(63)}`, "a\n"])
      expect(named(name), name).toEqual([
        "name may hold lower-case letters, digits, dashes and underscores, 63 at most",
      ]);
  });

  it("runs late by its catch-up and its jitter at most, which for calls is a minute and for automations ten", () => {
    expect(lateAfterMs(definitionOf({ every: "1h", catch_up: "0s" }))).toBe(0);
    expect(definitionOf({ every: "1h" }).catch_up).toBe("10m");
    expect(definitionOf({ every: "1h", run: { campaign: "c" } }).catch_up).toBe("60s");
    // What began is under way a minute later at the latest.
    expect(beginsByMs(definitionOf({ every: "1h", catch_up: "5m" }), 1_000)).toBe(361_000);
    expect(beginsByMs(definitionOf({ every: "1h", catch_up: "0s" }), 1_000)).toBe(61_000);
  });

  it("is due on the days that it names", () => {
    const weekdaysOf = (weekdays: unknown) => {
      const times = dueTimesOf(
        definitionOf({ calendar: { at: ["09:00"], weekdays }, time_zone: "Europe/Berlin" }),
      );
      return times.kind === "local" ? [times.zone, ...times.patterns.map((pattern) => pattern.weekdays)] : [];
    };
    expect(weekdaysOf("weekdays")).toEqual(["Europe/Berlin", [1, 2, 3, 4, 5]]);
    expect(weekdaysOf("weekend")).toEqual(["Europe/Berlin", [0, 6]]);
    expect(weekdaysOf(["wednesday"])).toEqual(["Europe/Berlin", [3]]);
    expect(dueTimesOf(definitionOf({ every: "1h", offset: "10m" }))).toEqual({
      kind: "every",
      everyMs: 3_600_000,
      offsetMs: 600_000,
    });
    expect(dueTimesOf(definitionOf({ every: "1h" }))).toMatchObject({ offsetMs: 0 });
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
    ["skip", 0, 1, "skip"],
    ["allow", 0, 1, "begin"],
    ["buffer_one", 0, 0, "begin"],
    ["cancel_other", 0, 0, "begin"],
  ] as const)("by %s, with %i under way and %i waiting: %s", (policy, underWay, waiting, kind) => {
    expect(admit(policy, { underWay, waiting }).kind).toBe(kind);
  });

  it("waits beside them, or takes the place of all of them", () => {
    expect(admit("buffer_one", { underWay: 1, waiting: 0 })).toEqual({
      kind: "wait",
      cancelUnderWay: false,
      dropWaiting: false,
    });
    expect(admit("cancel_other", { underWay: 0, waiting: 1 })).toEqual({
      kind: "wait",
      cancelUnderWay: true,
      dropWaiting: true,
    });
  });

  it("has something under way while it runs, and until a cancelled one has ended", () => {
    expect(SCHEDULE_RUN_STATES.filter(isUnderWay)).toEqual(["running", "cancelling"]);
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
    expect(seen({ cron: 7, timezone: null })).toBeUndefined();
    expect(seen({ timezone: 7 })).toBeUndefined();
    expect(seen({ cron: "0 * * * *", timezone: "UTC" })).toBe(
      'it runs by cron "0 * * * *"; its time zone is UTC',
    );
    expect(seen({ interval_minutes: 5 })).toBe("it runs every 5 minutes");
    expect(seen({}, false)).toBe("it is not scheduled there");
    expect(platformDrift(declared, undefined)).toBe("it is not scheduled there");
  });

  it("is told its times as the platform counts them", () => {
    const cron = definitionOf({ cron: " */5  * * * * ", time_zone: "Europe/Berlin", engine: "platform" });
    expect(platformTimesOf(cron)).toEqual({ cron: "*/5 * * * *", timezone: "Europe/Berlin" });
    const every = definitionOf({ every: "90m", time_zone: "Europe/Berlin", engine: "platform" });
    expect(platformTimesOf(every)).toEqual({ interval_minutes: 90, timezone: "Europe/Berlin" });
  });

  it("of an interval drifts by its minutes alone, as numbers or as text: its zone changes nothing", () => {
    const interval = platformTimesOf(definitionOf({ every: "10m", engine: "platform" }));
    const seen = (settings: Record<string, unknown>) =>
      platformDrift(interval, { isScheduled: true, settings });
    expect(seen({ interval_minutes: 10, timezone: "Asia/Tokyo" })).toBeUndefined();
    expect(seen({ interval_minutes: "10" })).toBeUndefined();
    expect(seen({ interval_minutes: "often", cron: "", timezone: 7 })).toBeUndefined();
    expect(seen({ interval_minutes: null })).toBeUndefined();
    expect(seen({ interval_minutes: "15" })).toBe("it runs every 15 minutes");
    expect(seen({ cron: " 0  9 * * * " })).toBe('it runs by cron "0 9 * * *"');
  });

  it("is looked at once a run could no longer begin, and from where the last look ended", () => {
    const cron = definitionOf({ cron: "0 * * * *", engine: "platform", catch_up: "10m" });
    const at = (clock: string) => Date.parse(`2027-05-01T${clock}Z`);
    const look = (from: string, now: string) =>
      missingRuns(cron, [], { fromMs: at(from), seenSinceMs: at("00:00"), nowMs: at(now) });
    expect(look("00:30", "01:09:59")).toEqual({ dueMs: [], throughMs: at("00:59:59") });
    expect(look("00:30", "01:10")).toEqual({ dueMs: [at("01:00")], throughMs: at("01:00") });
    expect(look("01:00", "01:10")).toEqual({ dueMs: [], throughMs: at("01:00") });
    expect(look("01:30", "01:35")).toEqual({ dueMs: [], throughMs: at("01:30") });
  });

  it("counts a run that begins up to a minute early, or as late as it may, and no other", () => {
    const cron = definitionOf({ cron: "0 * * * *", engine: "platform", catch_up: "10m" });
    const at = (clock: string) => Date.parse(`2027-05-01T${clock}Z`);
    const isMissed = (started: string) =>
      missingRuns(cron, [at(started)], { fromMs: at("00:30"), seenSinceMs: at("00:30"), nowMs: at("01:30") })
        .dueMs.length > 0;
    expect(["00:58:59", "00:59", "01:00", "01:10", "01:10:01"].map(isMissed)).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  it("takes one that begins a moment early for the due time to come, not for one that was missed", () => {
    const cron = definitionOf({ cron: "*/5 * * * *", engine: "platform", catch_up: "10m" });
    const at = (clock: string) => Date.parse(`2027-05-01T${clock}Z`);
    const seen = { fromMs: at("01:04"), seenSinceMs: at("01:04"), nowMs: at("01:15:30") };
    expect(missingRuns(cron, [at("01:10:01"), at("01:14:50")], seen).dueMs).toEqual([at("01:05")]);
  });

  it("of an interval is looked at as far as a run could no longer begin", () => {
    const every = definitionOf({ every: "10m", engine: "platform", catch_up: "5m" });
    const at = (clock: string) => Date.parse(`2027-05-01T${clock}Z`);
    const look = (from: string, ...started: string[]) =>
      missingRuns(every, started.map(at), { fromMs: at(from), seenSinceMs: at(from), nowMs: at("01:00") });
    // Through 00:55: a run behind that may still have another before it.
    expect(look("00:43", "00:53", "00:58")).toEqual({ dueMs: [], throughMs: at("00:53") });
    expect(look("00:45", "00:55")).toEqual({ dueMs: [], throughMs: at("00:55") });
    expect(look("00:45", "00:55:30")).toEqual({ dueMs: [], throughMs: at("00:45") });
    expect(look("00:45")).toEqual({ dueMs: [at("00:55")], throughMs: at("00:55") });
    expect(look("00:46")).toEqual({ dueMs: [], throughMs: at("00:46") });
    // A minute late is late enough to be of its time, and no more.
    expect(look("00:30", "00:41")).toEqual({ dueMs: [at("00:51")], throughMs: at("00:51") });
    expect(look("00:30", "00:41:01")).toMatchObject({ dueMs: [at("00:40"), at("00:51:01")] });
  });

  it("is compared in bounded steps, each from where the one before ended", () => {
    const at = (clock: string) => Date.parse(`2027-05-01T${clock}Z`);
    const seen = { fromMs: at("00:00"), seenSinceMs: at("00:00"), nowMs: at("20:00") };
    const cron = definitionOf({ cron: "* * * * *", engine: "platform", catch_up: "10m" });
    const first = missingRuns(cron, [], seen);
    expect(first.dueMs).toHaveLength(500);
    expect(first).toMatchObject({ throughMs: at("08:20") });
    expect(first.dueMs.at(-1)).toBe(at("08:20"));
    const second = missingRuns(cron, [], { ...seen, fromMs: first.throughMs });
    expect(second.dueMs[0]).toBe(at("08:21"));
    const every = definitionOf({ every: "1m", engine: "platform", catch_up: "10m" });
    const some = missingRuns(every, [], seen);
    expect(some.dueMs).toHaveLength(500);
    expect(some.throughMs).toBe(at("08:20"));
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
