import { z } from "zod";

import { DAY_NAMES } from "../policy/calling-window.ts";
import { campaignSpecSchema, lookBackSchema, readStoredSpec } from "../campaigns/campaign-spec.ts";
import {
  fieldsOf,
  readBySchema,
  withoutLiteralSecrets,
  type DefinitionReading,
  type Fields,
} from "../ground/definition-reading.ts";
import { contactSourceSchema } from "../campaigns/contact-source.ts";
import { durationBetween } from "../time/duration-schema.ts";
import { formatDurationMs, parseDurationMs } from "../time/duration.ts";
import { parseCron, patternsOfCalendar, type PatternReading } from "./schedule-pattern.ts";
import { closestTogetherMs, type DueTimes } from "./schedule-times.ts";
import type { SpecProblem } from "../ground/spec-problems.ts";
import { zoneNameSchema } from "../time/zone-name.ts";

/*
 * A schedule: an automation or a campaign that is run again and again, and who keeps the time.
 */

const MAX_DURATION_MS = 366 * 86_400_000;

/** Below this a look at one due time would meet the next one. */
const SHORTEST_EVERY_MS = 1_000;

/** Late calls are worse than none; a late synchronisation mends itself. */
const CATCH_UP = { campaign: "60s", automation: "10m" } as const;

function durationFrom(minMs: number, words: string) {
  return durationBetween(minMs, MAX_DURATION_MS, `must be a duration ${words} such as 45s, 10m, 1h30m or 2d`);
}

const secondsSchema = durationFrom(SHORTEST_EVERY_MS, "of whole seconds from 1s to 366d").refine(
  (text) => (parseDurationMs(text) ?? 0) % 1_000 === 0,
  { message: "must be whole seconds" },
);

const clockSchema = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day in quotes such as "09:00"');

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday"] as const;
const WEEKEND = ["saturday", "sunday"] as const;

const calendarSchema = z.strictObject({
  at: z.array(clockSchema).min(1).max(48),
  weekdays: z
    .union([z.enum(["weekdays", "weekend"]), z.array(z.enum(DAY_NAMES)).min(1).max(7)], {
      error: "must be weekdays, weekend, or a list of days such as [monday, thursday]",
    })
    .optional(),
  days_of_month: z.array(z.int().min(1).max(31)).min(1).max(31).optional(),
  months: z.array(z.int().min(1).max(12)).min(1).max(12).optional(),
});

const cronSchema = z
  .string()
  .max(200)
  .check((context) => {
    const reading = parseCron(context.value);
    if (!reading.ok) context.issues.push({ code: "custom", input: context.value, message: reading.problem });
  });

const runSchema = z.strictObject({
  /** An automation that is declared here, by its name. */
  automation: z.string().min(1).max(100).optional(),
  /** One of the platform's that is not, by its id. */
  workflow_id: z.string().min(1).max(200).optional(),
  /** What the automation is given. */
  data: z.record(z.string(), z.json()).optional(),
  /** How long an execution may take; by default what the automation says, else 10m. */
  timeout: durationFrom(1_000, "from 1s to 366d").optional(),
  /** Whether an execution whose fate is unknown may be repeated; by default what the automation says, else never. */
  repeat: z.enum(["safe", "never"]).optional(),
  /** A recurring campaign, by its name: each run of the schedule makes a run of it. */
  campaign: z.string().min(1).max(100).optional(),
  /** Whose campaign it is. */
  brand: campaignSpecSchema.shape.brand.unwrap().optional(),
  /** Its spec, without its name; absent: that of its newest run, as it was amended last. */
  spec: z.record(z.string(), z.json()).optional(),
  /** Its contacts, instead of those that the campaign names. */
  contacts: contactSourceSchema.optional(),
  /** In place of what the campaign says: leaves out whoever was called within this. */
  not_called_within: lookBackSchema.optional(),
});

/** A schedule as a person writes it. Unknown fields are refused by name. */
export const scheduleSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9_-]{0,62}$/,
      "may hold lower-case letters, digits, dashes and underscores, 63 at most",
    ),
  run: runSchema,
  cron: cronSchema.optional(),
  every: secondsSchema.optional(),
  offset: secondsSchema.optional(),
  calendar: calendarSchema.optional(),
  time_zone: zoneNameSchema.default("UTC"),
  /** Each run begins so much later at the most, by chance. */
  jitter: durationFrom(0, "up to 366d").default("0s"),
  overlap: z.enum(["skip", "buffer_one", "cancel_other", "allow"]).default("skip"),
  /** How late a run may begin; a later one is not made. */
  catch_up: durationFrom(0, "up to 366d").optional(),
  pause_on_failure: z.boolean().default(false),
  /** A run that takes longer is told to people. */
  longer_than: durationFrom(1_000, "from 1s to 366d").optional(),
  engine: z.enum(["temporal", "platform"]).default("temporal"),
  /** What becomes of a schedule that the platform keeps, and that somebody changed there. */
  drift: z.enum(["repair", "report"]).default("repair"),
});

type ParsedSchedule = z.output<typeof scheduleSchema>;

/** A schedule as it is kept: defaults filled in. Reading it again changes nothing. */
export type ScheduleDefinition = ParsedSchedule & { catch_up: string };

export type ScheduleReading = DefinitionReading<ScheduleDefinition>;

/** Whose campaign it runs. Undefined: it runs an automation, which is of no brand. */
export function brandOfSchedule({ run }: ScheduleDefinition): string | undefined {
  return run.campaign === undefined ? undefined : (run.brand ?? "default");
}

/** Reads a schedule from parsed YAML or JSON, and reports every problem at once. */
export function readScheduleDefinition(value: unknown): ScheduleReading {
  return withoutLiteralSecrets(value, readStoredSchedule(value));
}

/** Reads a schedule that is kept already, and may be from before secrets' values were refused. */
export function readStoredSchedule(value: unknown): ScheduleReading {
  const called = { whole: "the schedule", kind: "a schedule" };
  const reading = readBySchema(scheduleSchema, value, called, contradictions);
  if (!reading.ok) return reading;
  const { catch_up: catchUp, run } = reading.definition;
  const kind = run.campaign === undefined ? "automation" : "campaign";
  const definition = { ...reading.definition, catch_up: catchUp ?? CATCH_UP[kind] };
  const days = patternsOf(definition);
  if (days && !days.ok) return { ok: false, problems: [{ field: "calendar", problem: days.problem }] };
  const closestMs = closestTogetherMs(dueTimesOf(definition));
  if (jitterMsOf(definition) >= closestMs) {
    const problem = `must be shorter than the time between two runs (${formatDurationMs(closestMs)})`;
    return { ok: false, problems: [{ field: "jitter", problem }] };
  }
  return { ok: true, definition };
}

/** What the fields say to each other; each for itself is the schema's affair. */
function contradictions(fields: Fields): SpecProblem[] {
  const problems: SpecProblem[] = [];
  const say = (field: string, problem: string) => problems.push({ field, problem });
  const has = (field: string) => fields[field] !== undefined;
  const ways = ["cron", "every", "calendar"].filter(has);
  if (ways.length === 0) say("cron", "is missing: give exactly one of cron, every and calendar");
  for (const way of ways.slice(1))
    say(way, "can't stand beside another one: give exactly one of cron, every and calendar");
  if (has("offset") && !has("every")) say("offset", "goes with every only: remove it");
  if (fields["drift"] === "report" && fields["engine"] !== "platform")
    say("drift", "goes with engine platform only: remove it");
  const [every, offset] = [durationOf(fields["every"]), durationOf(fields["offset"])];
  if (every !== undefined && offset !== undefined && offset >= every)
    say("offset", "must be shorter than every");
  const run = fieldsOf(fields["run"]);
  if (typeof fields["run"] === "object") runContradictions(run, say);
  const isCampaign = run["campaign"] !== undefined;
  if (fields["overlap"] === "cancel_other" && !isCampaign && typeof fields["run"] === "object")
    say(
      "overlap",
      "can't be cancel_other for an automation, whose executions the platform can't end: use skip, buffer_one or allow",
    );
  if (fields["overlap"] === "allow" && isCampaign)
    say(
      "overlap",
      "can't be allow for a campaign, of which one run at a time is made: use skip, buffer_one or cancel_other",
    );
  if (fields["engine"] === "platform") platformContradictions(fields, run, say);
  return problems;
}

type Say = (field: string, problem: string) => void;

function runContradictions(run: Fields, say: Say): void {
  const targets = ["automation", "workflow_id", "campaign"].filter((field) => run[field] !== undefined);
  if (targets.length !== 1) {
    say("run", "must name exactly one of automation, workflow_id and campaign");
    return;
  }
  const [wrong, only] =
    run["campaign"] === undefined
      ? [["brand", "spec", "contacts", "not_called_within"], "a campaign"]
      : [["data", "timeout", "repeat"], "an automation"];
  for (const field of wrong)
    if (run[field] !== undefined) say(`run.${field}`, `goes with ${only} only: remove it`);
  if (typeof run["campaign"] === "string" && typeof run["spec"] === "object") specContradictions(run, say);
}

function specContradictions(run: Fields, say: Say): void {
  const spec = fieldsOf(run["spec"]);
  if (spec["name"] !== undefined) say("run.spec.name", "is said by run.campaign: remove it");
  if (spec["brand"] !== undefined) say("run.spec.brand", "stands beside it, as run.brand: move it there");
  const { name: _name, brand: _brand, ...rest } = spec;
  const reading = readStoredSpec({ ...rest, name: run["campaign"] });
  if (reading.ok) return;
  for (const { field, problem } of reading.problems)
    say(field === "name" ? "run.campaign" : `run.spec.${field}`, problem);
}

/** The platform's own scheduler knows cron and intervals of minutes, and nothing else. */
function platformContradictions(fields: Fields, run: Fields, say: Say): void {
  if (run["campaign"] !== undefined) say("engine", "must be temporal: campaigns are always run by Temporal");
  if (fields["calendar"] !== undefined)
    say("calendar", "is not known to the platform's scheduler: write it as cron, or let engine be temporal");
  const every = durationOf(fields["every"]);
  if (every !== undefined && every % 60_000 !== 0)
    say("every", "must be whole minutes: the platform's scheduler counts in minutes");
  for (const field of ["offset", "jitter", "overlap", "pause_on_failure", "longer_than"]) {
    const value = fields[field];
    const isDefault = value === false || value === "skip" || durationOf(value) === 0;
    if (value !== undefined && !isDefault)
      say(field, "is not known to the platform's scheduler: remove it, or let engine be temporal");
  }
  for (const field of ["data", "timeout", "repeat"])
    if (run[field] !== undefined)
      say(`run.${field}`, "is not known to the platform's scheduler: remove it, or let engine be temporal");
}

function durationOf(value: unknown): number | undefined {
  return typeof value === "string" ? parseDurationMs(value) : undefined;
}

function patternsOf(definition: ParsedSchedule): PatternReading | undefined {
  if (definition.cron !== undefined) return parseCron(definition.cron);
  const { calendar } = definition;
  if (!calendar) return undefined;
  const { weekdays } = calendar;
  const named = weekdays === "weekdays" ? WEEKDAYS : WEEKEND;
  return patternsOfCalendar({ ...calendar, weekdays: typeof weekdays === "string" ? named : weekdays });
}

/** When a schedule is due. */
export function dueTimesOf(definition: ScheduleDefinition): DueTimes {
  const patterns = patternsOf(definition);
  if (patterns?.ok) return { kind: "local", patterns: patterns.patterns, zone: definition.time_zone };
  return {
    kind: "every",
    everyMs: parseDurationMs(definition.every ?? "") ?? MAX_DURATION_MS,
    offsetMs: parseDurationMs(definition.offset ?? "0s") ?? 0,
  };
}

/** From a run's beginning in the ledger to what is done for it lie a relay, a workflow and a queue: seconds. */
const UNDER_WAY_WITHIN_MS = 60_000;

/**
 * Until when something of a run that began has to be under way: whatever was down in between, a run does not begin
 * hours after it was due. Unix milliseconds.
 *
 * @param startedMs when the ledger said that it may begin
 */
export function beginsByMs(definition: ScheduleDefinition, startedMs: number): number {
  return startedMs + (parseDurationMs(definition.catch_up) ?? 0) + UNDER_WAY_WITHIN_MS;
}

/** How late a run may begin after its due time, its jitter included. Milliseconds. */
export function lateAfterMs(definition: ScheduleDefinition): number {
  return jitterMsOf(definition) + (parseDurationMs(definition.catch_up) ?? 0);
}

export function jitterMsOf(definition: ScheduleDefinition): number {
  return parseDurationMs(definition.jitter) ?? 0;
}
