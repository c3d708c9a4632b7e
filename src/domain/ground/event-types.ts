import { z } from "zod";

import { ATTENTION_KINDS } from "./attention.ts";

/*
 * What the feed of events tells, in one table: docs/events.md is written from it, and a test makes each happen.
 *
 * A type keeps its name and its fields for good; fields are added, and readers pass over what they do not know. What is
 * told of people are their numbers and what became of them, never what they said or what a list says of them.
 */

const text = z.string();
const moment = z.iso.datetime();
const count = z.int().nonnegative();
/** A command's reason, or the engine's; null where nobody gave one. */
const reason = text.nullable();
/** Who did it, as the audit names them. */
const actor = text;

const moved = z.strictObject({ actor, reason });
const over = z.strictObject({
  actor,
  reason,
  contacts: z.strictObject({ total: count, done: count, excluded: count, open: count }),
  attempts: count,
  dispositions: z.record(z.string(), count),
});

const tallies = {
  contacts: { total: 500, done: 462, excluded: 38, open: 0 },
  attempts: 733,
  dispositions: { answered: 301, no_answer: 161 },
};

interface EventType {
  /** When it is told, in a sentence. */
  meaning: string;
  data: z.ZodType;
  example: Record<string, unknown>;
}

export const EVENT_TYPES = {
  "campaign.created": {
    meaning: "A campaign was created. It dials nobody before it is started.",
    data: z.strictObject({ actor }),
    example: { actor: "cli" },
  },
  "campaign.started": {
    meaning: "A campaign began to call.",
    data: moved,
    example: { actor: "cli", reason: null },
  },
  "campaign.paused": {
    meaning:
      "A campaign plans no new calls until it is resumed: by a command, by its breaker, for its first calls, or since what it goes on with was paused (`paused_by`: itself, parent, sequence).",
    data: z.strictObject({ actor, reason, paused_by: text }),
    example: { actor: "token:crm", reason: "the new script is wrong", paused_by: "itself" },
  },
  "campaign.resumed": {
    meaning: "A campaign that was paused goes on.",
    data: moved,
    example: { actor: "cli", reason: "the script is right now" },
  },
  "campaign.ending": {
    meaning: "A campaign plans no new calls, and is over when those that are up have ended.",
    data: moved,
    example: { actor: "cli", reason: "the list was bought twice" },
  },
  "campaign.completed": {
    meaning: "A campaign is over: everybody on its list has an outcome, or its end had come.",
    data: over,
    example: { actor: "engine", reason: null, ...tallies },
  },
  "campaign.cancelled": {
    meaning: "A campaign was cancelled, and no call of it is up any more.",
    data: over,
    example: { actor: "engine", reason: "the list was bought twice", ...tallies },
  },
  "campaign.amended": {
    meaning: "A campaign goes on under another version of its document, in which these fields differ.",
    data: z.strictObject({ actor, reason, version: count, fields: z.array(text) }),
    example: { actor: "cli", reason: "more lines", version: 2, fields: ["concurrency"] },
  },
  "campaign.people_withdrawn": {
    meaning:
      "People were taken out of a campaign: so many are called no more, and of so many a call may be up.",
    data: z.strictObject({ actor, reason, excluded: count, in_flight: count }),
    example: { actor: "token:crm", reason: "they have signed", excluded: 12, in_flight: 1 },
  },
  "retention.applied": {
    meaning: "What was older than it is to be kept went: so much of each kind, since it was told last.",
    data: z.strictObject({ removed: z.record(z.string(), count) }),
    example: { removed: { contacts: 5_000, recordings: 12 } },
  },
  "call.ended": {
    meaning:
      "A call of a campaign, of a step of a sequence or a callback came to its disposition, which is for good. `duration_seconds` and the moments are null where the platform does not say.",
    data: z.strictObject({
      call_id: text.nullable(),
      phone: text,
      contact_id: count,
      attempt: count,
      disposition: text,
      reason: text.nullable(),
      started_at: moment.nullable(),
      ended_at: moment.nullable(),
      duration_seconds: z.number().nullable(),
    }),
    example: {
      call_id: "7c1d9d0e-6f0b-4e0c-9d4e-3d8f9f0a1b2c",
      phone: "+12025550123",
      contact_id: 4711,
      attempt: 1,
      disposition: "answered",
      reason: "item completed",
      started_at: "2026-03-02T15:04:05.000Z",
      ended_at: "2026-03-02T15:05:17.000Z",
      duration_seconds: 72,
    },
  },
  "contact.finished": {
    meaning:
      "Somebody on a list, or a call that was placed by itself, came to its end: `done` with an `outcome`, which is the last call's disposition, or `excluded` for a `reason` without being called any more.",
    data: z.strictObject({
      phone: text,
      contact_id: count,
      state: z.enum(["done", "excluded"]),
      outcome: text.nullable(),
      reason: text.nullable(),
      attempts: count,
    }),
    example: {
      phone: "+12025550123",
      contact_id: 4711,
      state: "done",
      outcome: "answered",
      reason: "answered",
      attempts: 1,
    },
  },
  "follow_up.done": {
    meaning: "What was to be done after a call is done.",
    data: z.strictObject({ follow_up_id: z.uuid(), phone: text, call_id: text.nullable() }),
    example: {
      follow_up_id: "0b7c7f0a-3a53-4d0e-8f5c-6f8f4a1f2d11",
      phone: "+12025550123",
      call_id: "7c1d9d0e-6f0b-4e0c-9d4e-3d8f9f0a1b2c",
    },
  },
  "follow_up.failed": {
    meaning:
      "Some of what was to be done after a call failed for good, or nobody can tell: the attention list has what, and the remedy. Told again where somebody has it tried once more, in vain.",
    data: z.strictObject({ follow_up_id: z.uuid(), phone: text, call_id: text.nullable() }),
    example: {
      follow_up_id: "0b7c7f0a-3a53-4d0e-8f5c-6f8f4a1f2d11",
      phone: "+12025550123",
      call_id: null,
    },
  },
  "enrolment.started": {
    meaning: "Somebody was enrolled into a sequence.",
    data: z.strictObject({ enrolment_id: z.uuid(), sequence: text, phone: text, key: text }),
    example: {
      enrolment_id: "5b0a3f6e-7f7e-4a58-9c6c-0f6f5a0d7c22",
      sequence: "onboarding",
      phone: "+12025550123",
      key: "deal-77",
    },
  },
  "enrolment.finished": {
    meaning: "Somebody left a sequence, at its end or before it.",
    data: z.strictObject({
      enrolment_id: z.uuid(),
      sequence: text,
      phone: text,
      key: text,
      outcome: text.nullable(),
      reason: text.nullable(),
    }),
    example: {
      enrolment_id: "5b0a3f6e-7f7e-4a58-9c6c-0f6f5a0d7c22",
      sequence: "onboarding",
      phone: "+12025550123",
      key: "deal-77",
      outcome: "booked",
      reason: null,
    },
  },
  "schedule_run.finished": {
    meaning: "A run of a schedule came to its end, or was not made.",
    data: z.strictObject({
      run_id: z.uuid(),
      schedule: text,
      due_at: moment,
      state: z.enum(["done", "failed", "cancelled", "skipped", "missed"]),
      reason: text.nullable(),
    }),
    example: {
      run_id: "d6f3a1fd-2d0e-4a7e-8a66-1f5a9c3f2b33",
      schedule: "every-monday",
      due_at: "2026-03-02T14:00:00.000Z",
      state: "done",
      reason: null,
    },
  },
  "delivery.ended": {
    meaning:
      "What came through a trigger was worked off, is none of its business, or failed and waits for a person.",
    data: z.strictObject({
      delivery_id: z.uuid(),
      trigger: text,
      state: z.enum(["done", "ignored", "failed"]),
    }),
    example: { delivery_id: "9a3d5d1c-5a5b-4c0f-b6a0-7d1f4e6b8c44", trigger: "crm", state: "done" },
  },
  "attention.opened": {
    meaning: "Something waits for a person that did not wait before.",
    data: z.strictObject({
      id: count,
      kind: z.enum(ATTENTION_KINDS),
      subject: text,
      summary: text,
      remedy: text,
    }),
    example: {
      id: 17,
      kind: "breaker_open",
      subject: "3f7d1d2a-9a3e-4f53-8c63-0d9b4c5e6f55",
      summary: "campaign spring paused itself: 9 of its newest 20 calls failed",
      remedy: "see why its calls fail, then resume it",
    },
  },
  "attention.resolved": {
    meaning: "Something that waited for a person is off the list: by somebody, or since it is over.",
    data: z.strictObject({
      id: count,
      kind: z.enum(ATTENTION_KINDS),
      subject: text,
      by: text,
      resolution: text,
    }),
    example: {
      id: 17,
      kind: "breaker_open",
      subject: "3f7d1d2a-9a3e-4f53-8c63-0d9b4c5e6f55",
      by: "cli",
      resolution: "the campaign goes on, or is over",
    },
  },
  "suppression.added": {
    meaning:
      "Numbers were suppressed: so many were told, and so many of them were not suppressed before. Without a brand it is for every brand, or for several at once.",
    data: z.strictObject({ actor, numbers: count, fresh: count, source: text }),
    example: { actor: "engine", numbers: 1, fresh: 1, source: "call" },
  },
  "suppression.removed": {
    meaning: "What was said of a suppressed number was taken back.",
    data: z.strictObject({ actor, phone: text, reason: text, sources: z.array(text) }),
    example: { actor: "cli", phone: "+12025550123", reason: "typed by mistake", sources: ["cli"] },
  },
  "consent.withdrawn": {
    meaning: "Somebody does not consent to calls of a brand any more.",
    data: z.strictObject({ actor, phone: text, reason: text }),
    example: { actor: "token:crm", phone: "+12025550123", reason: "asked by mail" },
  },
  "budget.set": {
    meaning: "A brand, or all of them together, may spend so much. Null: no bound of that kind.",
    data: z.strictObject({ actor, total_usd: z.number().nullable(), per_day_usd: z.number().nullable() }),
    example: { actor: "cli", total_usd: 5000, per_day_usd: 250 },
  },
  "budget.removed": {
    meaning: "A budget binds nobody any more.",
    data: z.strictObject({ actor, reason }),
    example: { actor: "cli", reason: "the trial is over" },
  },
  "credit.exhausted": {
    meaning: "The platform's account has no credit: nothing dials until it has.",
    data: z.strictObject({ reason: text }),
    example: { reason: "insufficient credits" },
  },
  "credit.restored": {
    meaning: "The platform's account has credit again, or is tried once more.",
    data: z.strictObject({ balance_usd: z.number().nullable() }),
    example: { balance_usd: 120.5 },
  },
  "dialing.stopped": {
    meaning: "Everything was stopped: no campaign dials until `go-on`.",
    data: moved,
    example: { actor: "cli", reason: "calls at night" },
  },
  "dialing.resumed": {
    meaning: "The stop of everything was lifted.",
    data: moved,
    example: { actor: "cli", reason: "the time zones are right now" },
  },
  "recovery.required": {
    meaning:
      "The ledger may be older than what happened, as after a restore: nothing dials until `outdial recover`. What happened since was told to nobody who asks from here on.",
    data: z.strictObject({ reason: text }),
    example: { reason: "the ledger was restored from a copy" },
  },
  "recovery.released": {
    meaning: "The recovery has booked what the platform dialed, and dialing goes on.",
    data: z.strictObject({ actor }),
    example: { actor: "cli" },
  },
} satisfies Record<string, EventType>;

export type EventTypeName = keyof typeof EVENT_TYPES;

export function isEventType(name: string): name is EventTypeName {
  return Object.hasOwn(EVENT_TYPES, name);
}

export const EVENT_TYPE_NAMES: readonly EventTypeName[] = Object.keys(EVENT_TYPES).filter(isEventType);

/** What is told of an event of a type beside when, and of which brand and campaign. */
export type EventData<T extends EventTypeName> = z.input<(typeof EVENT_TYPES)[T]["data"]>;

/** Told of each call and each contact; all others are few. */
export const PER_CONTACT: ReadonlySet<EventTypeName> = new Set(["call.ended", "contact.finished"]);
