import { z } from "zod";

import { neverDialedSchema } from "./campaigns.ts";
import { pageOf } from "./page.ts";

/*
 * Sequences and enrolments as the API shows them: snake_case, times in ISO 8601, null for what is not there. The
 * command line reads answers through the same schemas.
 */

const instant = z.iso.datetime();
const count = z.int().min(0);
const counts = z.record(z.string(), count);
const state = z.enum(["active", "paused", "closed"]);
const fields = z.record(z.string(), z.unknown());

/** total = active + done at every instant; `not_started` of the active ones wait for their turn to begin. */
export const enrolmentCountsSchema = z.object({
  total: count,
  active: count,
  done: count,
  not_started: count,
  paused: count,
});

export const sequenceSummarySchema = z.object({
  id: z.string(),
  brand: z.string(),
  name: z.string(),
  state,
  state_reason: z.string().nullable(),
  version: z.int(),
  enrolments: enrolmentCountsSchema,
  created_at: instant,
});

const versionSchema = z.object({
  version: z.int(),
  digest: z.string(),
  actor: z.string(),
  created_at: instant,
});

const rowsSchema = z.object({ read: count, rejected: count, duplicate: count, accepted: count });

const listSchema = z.object({
  digest: z.string(),
  source_name: z.string(),
  rows: rowsSchema,
  never_dialed: neverDialedSchema,
  through_line: count,
  /** Null: it was only taken in part, up to `through_line`. */
  completed_at: instant.nullable(),
});

export const sequenceSchema = sequenceSummarySchema.extend({
  /** Of enrolments that are over. */
  outcomes: counts,
  /** Of those that are active, by the step that they are at. */
  steps: counts,
  /** Newest first. */
  versions: z.array(versionSchema),
  lists: z.array(listSchema),
  /** Of the newest version. */
  definition: fields,
});

/** As it stands in a list. */
export const listedSequenceSchema = sequenceSummarySchema.extend({
  /** Null: nobody was to be counted. */
  enrolments: enrolmentCountsSchema.nullable(),
});

export const sequencePageSchema = pageOf(listedSequenceSchema).extend({ total: count });

/** `same`: the sequence has this definition already, and no new version. */
export const sequencePutSchema = z.object({
  id: z.string(),
  brand: z.string(),
  name: z.string(),
  state,
  version: z.int(),
  result: z.enum(["created", "new_version", "same"]),
  /** What is taken as it is, and would fail as things are: a missing secret, a host that is not allowed. */
  warnings: z.array(z.string()),
});

/** What is wrong with a definition, as putting it would say. */
export const sequenceCheckSchema = z.object({
  ok: z.boolean(),
  problems: z.array(z.object({ field: z.string(), message: z.string() })),
  /** What would be taken as it is, and would fail as things are. */
  warnings: z.array(z.string()),
});

/** How people went from step to step. */
export const conversionSchema = z.object({
  /** Null: of all versions. */
  version: z.int().nullable(),
  /** Enrolments that were looked at, the newest; `is_sample`: there are more. */
  people: count,
  is_sample: z.boolean(),
  /** By how many came to each. */
  steps: z.array(
    z.object({
      step: z.string(),
      /** Each once, however often they came round. */
      came: count,
      /** By the step that they went on to; whoever came round may be in several. */
      went_on: counts,
      /** Whose way ended there. */
      ended: count,
      /** Who are there now. */
      there: count,
    }),
  ),
});

const inFlightSchema = z.object({ batches: count, calls_up: count, uncertain: count });

export const sequenceCommandSchema = z.object({
  state,
  /** Of `pause`: what is up ends by itself; no other call begins. */
  in_flight: inFlightSchema.optional(),
  /** Of `exit` and `skip`: so many were told. */
  told: count.optional(),
});

/** `already`: by the same request before, or because the person is in the sequence, and is to stay. */
export const enrolledSchema = z.object({
  enrolment_id: z.string(),
  result: z.enum(["enrolled", "already"]),
});

export const enrolmentListSchema = z.object({
  sequence_id: z.string(),
  digest: z.string(),
  rows: rowsSchema,
  never_dialed: neverDialedSchema,
  through_line: count,
  /** The list was taken before, whole. */
  already: z.boolean(),
  enrolments: enrolmentCountsSchema,
});

export const enrolmentSummarySchema = z.object({
  id: z.string(),
  sequence_id: z.string(),
  version: z.int(),
  phone: z.string(),
  /** By whose clocks it goes on. */
  zones: z.array(z.string()),
  key: z.string(),
  source: z.string(),
  state: z.enum(["active", "done"]),
  /** A person paused it. */
  paused: z.boolean(),
  step: z.string().nullable(),
  outcome: z.string().nullable(),
  reason: z.string().nullable(),
  created_at: instant,
  /** Null: it was accepted, and waits for its turn to begin. */
  started_at: instant.nullable(),
  /** When it goes on by itself; null: it waits for something else. */
  wake_at: instant.nullable(),
  /** It waits for a call: at `wake_at` it gives the call up. */
  awaits_call: z.boolean(),
  ended_at: instant.nullable(),
});

export const enrolmentPageSchema = pageOf(enrolmentSummarySchema).extend({ total: count });

const journeySchema = z.object({
  n: z.int(),
  at: instant,
  step: z.string().nullable(),
  what: z.string(),
  detail: fields,
});

const callSchema = z.object({
  /** Of the enrolment's calls, from 1. */
  n: z.int(),
  campaign_id: z.string(),
  state: z.enum(["open", "leased", "done", "excluded"]),
  outcome: z.string().nullable(),
  reason: z.string().nullable(),
  attempts: count,
  /** Null: it is held until somebody lets it go on. */
  due_at: instant.nullable(),
  /** What keeps a call that is open from being made now. */
  held_by: z.array(z.object({ reason: z.string(), detail: z.string(), since: instant.nullable() })),
  /** Of the last attempt. */
  call_id: z.string().nullable(),
  duration_seconds: z.number().nullable(),
  ended_at: instant.nullable(),
});

const actionSchema = z.object({
  id: z.string(),
  step: z.string(),
  kind: z.string(),
  state: z.string(),
  tries: count,
  next_try_at: instant.nullable(),
  error: z.string().nullable(),
  created_at: instant,
  ended_at: instant.nullable(),
});

export const enrolmentSchema = enrolmentSummarySchema.extend({
  sequence: z.string(),
  brand: z.string(),
  region: z.string().nullable(),
  variables: z.record(z.string(), z.string()),
  calls: z.array(callSchema),
  actions: z.array(actionSchema),
  /** The last thousand entries of its way. */
  journey: z.array(journeySchema),
});

export const enrolmentCommandSchema = z.object({
  enrolment_id: z.string(),
  command_id: z.string(),
  state: z.enum(["active", "done"]),
  paused: z.boolean(),
  step: z.string().nullable(),
  outcome: z.string().nullable(),
});

/** So many enrolments have the event now. */
export const sequenceEventSchema = z.object({ told: count });

export type SequenceWire = z.output<typeof sequenceSchema>;
export type SequenceSummaryWire = z.output<typeof sequenceSummarySchema>;
export type EnrolmentCountsWire = z.output<typeof enrolmentCountsSchema>;
export type EnrolmentSummaryWire = z.output<typeof enrolmentSummarySchema>;
export type EnrolmentWire = z.output<typeof enrolmentSchema>;
export type EnrolmentListWire = z.output<typeof enrolmentListSchema>;
