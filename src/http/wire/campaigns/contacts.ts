import { z } from "zod";

import { ATTEMPT_STAGES } from "../../../domain/campaigns/attempt-stage.ts";
import { BATCH_STATES } from "../../../domain/campaigns/batch-state.ts";
import { CONTACT_STATES } from "../../../domain/campaigns/contact-state.ts";
import { pageOf } from "../page.ts";

/*
 * Contacts of campaigns, and the batches and attempts in which they are called, as the API shows them.
 */

const instant = z.iso.datetime();
const count = z.int().min(0);

export const contactSchema = z.object({
  contact_id: count.describe("The contact's own number in the ledger."),
  campaign_id: z.string(),
  campaign: z.string().describe("The campaign's name."),
  run: z.int().describe("Which run of that name."),
  brand: z.string(),
  phone: z.string().describe("E.164."),
  region: z.string().nullable().describe("Country of the number; null: of no one country."),
  zones: z
    .array(z.string())
    .describe("Time zones, of all that they may be in; calls keep to the hours of each."),
  places: z.array(z.string()).describe("Countries, and states as US-FL, where these were kept."),
  priority: z.int().describe("Higher is called first."),
  line: z.int().nullable().describe("Where they stand in their list; null: their call was placed by itself."),
  state: z
    .enum(CONTACT_STATES)
    .describe(
      "open: waits to be called. leased: a call is planned or under way. done: has its outcome. excluded: will not be called.",
    ),
  attempts: count.describe("Calls that count as dialed."),
  last_disposition: z
    .string()
    .nullable()
    .describe("What the last of them came to, whether or not another follows."),
  outcome: z.string().nullable().describe("Of one who is done: what it came to in the end."),
  reason: z
    .string()
    .nullable()
    .describe("Why they are done or excluded, or are to be taken back from a call."),
  due_at: instant
    .nullable()
    .describe("Of one who is open: when they are due; null otherwise, and while they are held."),
  held: z.boolean().describe("Nobody calls before somebody lets it go on, whenever it is due."),
  enrolment_id: z.string().nullable().describe("Of a call of a sequence: whose."),
  call_no: z.int().nullable().describe("Which call of that enrolment it is."),
  action_id: z.string().nullable().describe("Of a callback: the action that asked for it."),
  ended_at: instant.nullable(),
});

export const contactPageSchema = pageOf(contactSchema);

export const attemptSchema = z.object({
  attempt_id: count.describe("The attempt's own number in the ledger."),
  contact_id: count,
  campaign_id: z.string(),
  phone: z.string(),
  zones: z.array(z.string()),
  attempt_no: z.int().describe("Which call of the contact it is, from 1."),
  state: z
    .enum(ATTEMPT_STAGES)
    .describe(
      "planned: nobody permitted it so far. live: permitted, and rings, is spoken on or is about to be dialed. ended: counts as dialed and is over. not_dialed: proven not to have been dialed.",
    ),
  decided: z.boolean().describe("Whether what it came to is known for good."),
  batch_id: z.string(),
  platform_batch_id: z.string().nullable(),
  agent_id: z.string(),
  agent_version: z.int().nullable().describe("Published when its batch began; null: not known."),
  agent_changed_to: z
    .int()
    .nullable()
    .describe("Another that was published before it was over, or may have been."),
  variant: z.string().nullable(),
  from_number: z.string(),
  policy_version: z.int(),
  call_id: z
    .string()
    .nullable()
    .describe("Under which the platform has the call; null: it did not say, so far."),
  item_id: z.string().nullable(),
  item_status: z.string().nullable().describe("The platform's last word for it in its batch."),
  error: z.string().nullable(),
  disposition: z.string().nullable().describe("What it came to; null: it is not over, or not known yet."),
  disposition_reason: z.string().nullable().describe("What decided that."),
  planned_at: instant,
  permitted_at: instant.nullable().describe("When its batch was let begin."),
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
  settled_at: instant.nullable(),
  duration_seconds: z.number().nullable(),
  cost: z.number().nullable().describe("US dollars; null: it is not over."),
  cost_told: z
    .boolean()
    .describe("Whether the platform told it, or it is taken from the length of the call."),
});

export const attemptPageSchema = pageOf(attemptSchema);

/** What keeps an open contact from being called at this moment. */
const impedimentSchema = z.object({
  reason: z.string(),
  detail: z.string(),
  since: instant.nullable().describe("Null: not known."),
});

export const contactDetailSchema = contactSchema.extend({
  variables: z.record(z.string(), z.string()).describe("What its list said, for the agent."),
  calls: z
    .array(attemptSchema)
    .describe("The newest 100 attempts, the newest first; the campaign's attempts have the others."),
  waits_for: z.array(impedimentSchema).describe("Of one who is open: what keeps them from being called now."),
});

const batchSchema = z.object({
  batch_id: z.string(),
  campaign_id: z.string(),
  state: z
    .enum(BATCH_STATES)
    .describe(
      "planned: in the ledger only. created: the platform has it. starting: its start was permitted. running: seen begun. draining: takes no new dial any more. settled: each of its attempts is over.",
    ),
  platform_batch_id: z.string().nullable(),
  agent_id: z.string(),
  variant: z.string().nullable(),
  from_number: z.string(),
  policy_version: z.int(),
  size: count.describe("People in it."),
  returned: count.describe("Of these: proven not to have been dialed, and given back."),
  slots: count.describe("Calls that may be up at once."),
  held_slots: count.describe("Lines that it still holds."),
  planned_at: instant,
  created_at: instant.nullable().describe("When the platform had it."),
  permitted_at: instant.nullable().describe("When it was let begin."),
  started_at: instant.nullable().describe("When it was seen begun."),
  dial_by: instant.nullable().describe("Nobody of it is called from then on."),
  stop_reason: z.string().nullable().describe("Why it is to take no new dial."),
  stop_requested_at: instant.nullable(),
  end_seen_at: instant.nullable().describe("When the platform was seen to have ended it."),
  settled_at: instant.nullable(),
  trouble: z.string().nullable().describe("What the platform does not do for it."),
  trouble_since: instant.nullable(),
});

export const batchPageSchema = pageOf(batchSchema);

export const batchDetailSchema = batchSchema.extend({
  attempts: z.array(attemptSchema).describe("Of its people, in the order of its list; 1,000 at most."),
  states: z.record(z.string(), count).describe("How many of these are in which state."),
  dispositions: z.record(z.string(), count).describe("What those that are decided came to."),
});

/** A call as the ledger has it, and as the platform shows it now. */
export const callDetailSchema = attemptSchema.extend({
  campaign: z.string(),
  run: z.int(),
  brand: z.string(),
  contact: contactSchema,
  platform: z
    .object({
      status: z.string().nullable(),
      processing_status: z.string().nullable(),
      has_recording: z.boolean().describe("It names a recording, which can be listened to."),
      transcript: z.array(z.unknown()),
      data: z.record(z.string(), z.unknown()).describe("Everything else that the platform says, as it came."),
    })
    .nullable()
    .describe("Null: it was not asked, or could not tell."),
  platform_unknown: z.string().nullable().describe("Why it could not tell."),
});

export type ContactWire = z.output<typeof contactSchema>;
export type ContactDetailWire = z.output<typeof contactDetailSchema>;
export type AttemptWire = z.output<typeof attemptSchema>;
export type BatchWire = z.output<typeof batchSchema>;
export type BatchDetailWire = z.output<typeof batchDetailSchema>;
