import { z } from "zod";

import { LEFT_OUT, type LeftOut } from "../../domain/campaigns/cloned-people.ts";
import { CAMPAIGN_STATES } from "../../domain/campaigns/campaign-state.ts";
import { estimateSchema } from "./estimates.ts";
import { inFlightSchema } from "./in-flight.ts";
import { pageOf } from "./page.ts";

/*
 * Campaigns as the API shows them: snake_case, times in ISO 8601, null for what is not there. The command line
 * reads answers through the same schemas.
 */

const instant = z.iso.datetime();
const count = z.int().min(0);
const counts = z.record(z.string(), count);
const state = z.enum(CAMPAIGN_STATES);

/** total = done + excluded + open at every instant; `open` includes those being dialed, which are `leased`. */
export const contactCountsSchema = z.object({
  total: count,
  done: count,
  excluded: count,
  open: count,
  leased: count,
});

/** Rows of lists. */
const rowsSchema = z.object({ read: count, rejected: count, duplicate: count, accepted: count });

/** Contacts who can never be dialed under the window that there was when they were taken, in groups, largest first. */
export const neverDialedSchema = z.array(
  z.object({
    reason: z.enum(["no_time_zone", "no_common_window", "no_transfer_hours"]),
    /** Country of their numbers; null for numbers of no one country. */
    region: z.string().nullable(),
    /** They may be in each of these; none where no zone is known. */
    zones: z.array(z.string()),
    contacts: count,
    /** In words, with what would help. */
    why: z.string(),
    remedy: z.string(),
  }),
);

const listSchema = z.object({
  digest: z.string(),
  source_name: z.string(),
  rows: rowsSchema,
  never_dialed: neverDialedSchema,
  through_line: count,
  /** Null: it was only taken in part, up to `through_line`. */
  completed_at: instant.nullable(),
});

export const campaignSummarySchema = z.object({
  id: z.string(),
  brand: z.string(),
  name: z.string(),
  run: z.int(),
  state,
  state_reason: z.string().nullable(),
  policy_version: z.int(),
  concurrency: z.int(),
  contacts: contactCountsSchema,
  attempts: count,
  /** Final dispositions of done contacts. */
  dispositions: counts,
  /** Calls are placed into it one by one, by a sequence or as callbacks. */
  standing: z.boolean(),
  /** What a standing campaign stands for. */
  standing_key: z.string().nullable(),
  /** Of callbacks: the campaign that they obey. */
  parent_id: z.string().nullable(),
  created_at: instant,
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
  /** Since when lists pass over it. */
  archived_at: instant.nullable(),
});

export const campaignSchema = campaignSummarySchema.extend({
  spec: z.record(z.string(), z.unknown()),
  lists: z.array(listSchema),
  held_slots: count,
  live_batches: count,
});

/** As it stands in a list. */
export const listedCampaignSchema = campaignSummarySchema.extend({
  held_slots: count.describe("Lines that its calls hold at this moment."),
  calls_a_minute: z
    .number()
    .min(0)
    .describe("Calls that were handed to the platform, as a mean of the last five minutes."),
  spent: z
    .number()
    .describe(
      "US dollars that its calls cost so far, those of its callbacks included; of callbacks: of the campaign that they are of.",
    ),
});

export const campaignPageSchema = pageOf(listedCampaignSchema).extend({ total: count });

/** Of a campaign and its callbacks, in US dollars. */
export const campaignMoneySchema = z.object({
  /** By calls that are over. */
  spent: z.number(),
  /** Of that what the platform told; the rest is taken from the length of calls until it does. */
  told: z.number(),
  /** For calls that are under way. */
  held: z.number(),
  /** Of the same, what calls of today took, by the clocks of `zone`. */
  today: z.object({ spent: z.number(), held: z.number() }),
  /** What its own budget says; null: nothing. */
  total: z.number().nullable(),
  per_day: z.number().nullable(),
  /** By whose midnight a day of money ends. */
  zone: z.string(),
});

const holdSchema = z.object({
  reason: z.string(),
  detail: z.string(),
  /** When it ends by itself, as far as that is known. */
  until: instant.nullable(),
  /** Sets of time zones that it is about; 0: the whole campaign. */
  zone_sets: count,
});

/** An agent as it was seen last; not there before the platform was asked. */
const agentSchema = z.object({
  agent_id: z.string(),
  name: z.string(),
  state: z.enum(["published", "draft", "gone"]),
  /** The version that is live; null: none is, or the platform does not say. */
  version: z.int().nullable(),
  /** When and by whom it became so, in words, as far as the platform says. */
  origin: z.string().nullable(),
  /** Of the last change while it calls: the version before it, and when it was seen. */
  was_version: z.int().nullable(),
  changed_at: instant.nullable(),
  seen_at: instant,
  /** What it is not set up to say, a sentence each. */
  missing: z.array(z.string()),
});

export const progressSchema = z.object({
  campaign_id: z.string(),
  name: z.string(),
  run: z.int(),
  state,
  state_reason: z.string().nullable(),
  contacts: contactCountsSchema,
  attempts: count,
  dispositions: counts,
  concurrency: z.int(),
  held_slots: count,
  live_batches: count,
  /** Why contacts that are due are not dialed now. */
  holds: z.array(holdSchema),
  /** Those that it calls with, its variants' as well. */
  agents: z.array(agentSchema),
  /** What those who take transferred calls leave it, its callbacks included; null: they bound nothing. */
  transfers: z
    .object({
      people: z.int(),
      lines: z.int(),
      /** Of its calls, what is taken to be transferred. */
      share: z.number(),
      conversations: count,
      /** Of these, that say whether they were transferred. */
      known: count,
      /** As far as an answer of calls' analysis says it. */
      transferred: count,
    })
    .nullable(),
  /** What follows its calls and is not through, and callbacks to come: they go on when the campaign is over. */
  follow_ups: z.object({ open: count }),
  callbacks: z.object({ open: count }),
  money: campaignMoneySchema,
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
  now: instant,
});

const shareSchema = z.object({ share: z.number(), from: z.number(), to: z.number() });

export const reportSchema = z.object({
  campaign_id: z.string(),
  name: z.string(),
  run: z.int(),
  brand: z.string(),
  state,
  state_reason: z.string().nullable(),
  policy_version: z.int(),
  /** Presets in force, with their versions; empty where the spec names none. */
  presets: z.array(z.string()),
  /** Rules of theirs that the campaign does not keep to, and why. */
  overrides: z.array(z.object({ rule: z.string(), reason: z.string() })),
  rows: z.object({ read: count, rejected: count, duplicate: count }),
  contacts: contactCountsSchema,
  /** Contacts with an attempt or more. */
  contacts_dialed: count,
  /** Attempts that count as dialed; those beyond the contacts dialed are retries. */
  attempts: count,
  /** Add up to `contacts.done`. */
  dispositions: counts,
  /** Add up to `attempts`. */
  attempt_dispositions: counts,
  /** Add up to `contacts.excluded`. */
  excluded_reasons: counts,
  /** What is compared, in the order of the spec; empty in a campaign without variants. */
  variants: z.array(
    z.object({
      name: z.string(),
      /** Who was called once or more, and of them with whom there was a conversation. */
      contacts: count,
      reached: count,
      /** Null: nobody was called. With its interval of 95 %, by Wilson. */
      reached_share: shareSchema.nullable(),
      /** Less the share of the first variant, with its interval of 95 %, by Newcombe; null for the first. */
      difference: shareSchema.nullable(),
      attempts: count,
      attempt_dispositions: counts,
    }),
  ),
  /** What calls came to, by the version of the agent that was published when their batch began. */
  agent_versions: z.array(
    z.object({
      agent_id: z.string(),
      /** Null: the platform did not say. */
      version: z.int().nullable(),
      attempts: count,
      /** Of these: calls during which, or shortly before which, another version was published. */
      changed_under_way: count,
      attempt_dispositions: counts,
    }),
  ),
  batches: z.object({ total: count, unsettled: count, held_slots: count }),
  talk_seconds: z.number(),
  money: campaignMoneySchema.extend({
    /** What is spent, for each call that came to a conversation; null: none did. */
    per_conversation: z.number().nullable(),
  }),
  /** Those that are `open`, and callbacks, go on when the campaign is over; `failed` ones wait for a person. */
  /** `open_failed`: those of the open ones of which an action has failed already. */
  follow_ups: z.object({ open: count, open_failed: count, failed: count, done: count }),
  callbacks: z.object({ open: count }),
  created_at: instant,
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
});

export const importResultSchema = z.object({
  campaign_id: z.string(),
  digest: z.string(),
  rows: rowsSchema,
  never_dialed: neverDialedSchema,
  through_line: count,
  /** The same list was taken before, and nothing changed. */
  already: z.boolean(),
});

export const startResultSchema = z.object({
  state,
  command_id: z.string(),
  /** `later`: Temporal did not answer, and the workflow is started from the ledger once it does. */
  workflow: z.enum(["running", "later"]),
  /** What somebody who starts it may not have meant: that it has no contacts. */
  warnings: z.array(z.string()),
  estimate: estimateSchema,
});

export const haltResultSchema = z.object({ state, command_id: z.string(), in_flight: inFlightSchema });

export const archiveResultSchema = z.object({ archived_at: instant.nullable() });

export const resumeResultSchema = z.object({ state, command_id: z.string() });

export const amendResultSchema = z.object({
  state,
  command_id: z.string(),
  policy_version: z.int(),
  differences: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
  /** What is taken as it is, and would fail as things are. */
  warnings: z.array(z.string()),
});

/** A campaign's first calls, for whoever approves of them. */
/** What calls of an agent for a brand came to, over the newest of its campaigns. */
export const pastCallsSchema = z.object({
  /** Of them; 0: nobody was called with it yet. */
  campaigns: count,
  contacts_dialed: count,
  /** Of ended attempts. */
  attempt_dispositions: counts,
  talk_seconds: z.number(),
  /** US dollars. */
  spent: z.number(),
});

export const canarySchema = z.object({
  campaign_id: z.string(),
  name: z.string(),
  state,
  /** After how many calls it waits for approval; null: it has no canary. */
  canary: z.int().nullable(),
  /** `calling`: they are being made; `waiting`: for somebody to approve of them. */
  approval: z.enum(["none", "calling", "waiting", "approved"]),
  calls: z.array(
    z.object({
      phone: z.string(),
      zones: z.array(z.string()),
      /** Under which the platform has its recording. */
      call_id: z.string().nullable(),
      disposition: z.string().nullable(),
      disposition_reason: z.string().nullable(),
      started_at: instant.nullable(),
      ended_at: instant.nullable(),
      duration_seconds: z.number().nullable(),
    }),
  ),
});

/** Why one number was or was not dialed. */
export const explanationSchema = z.object({
  contact: z.object({
    phone: z.string(),
    line: z.int().nullable(),
    state: z.string(),
    reason: z.string().nullable(),
    outcome: z.string().nullable(),
    zones: z.array(z.string()),
    /** Countries, and states as `US-FL`, that they may be in; empty where their campaign named no preset when they were taken. */
    places: z.array(z.string()),
    /** Null: it is held until somebody lets it go on. */
    due_at: instant.nullable(),
    attempts: count,
  }),
  attempts: z.array(
    z.object({
      attempt_no: z.int(),
      state: z.string(),
      batch_id: z.string(),
      policy_version: z.int(),
      /** The version of its agent that was published when its batch began; null: not known. */
      agent_version: z.int().nullable(),
      /** Another that was published before the call was over, or may have been. */
      agent_changed_to: z.int().nullable(),
      disposition: z.string().nullable(),
      disposition_reason: z.string().nullable(),
      planned_at: instant,
      started_at: instant.nullable(),
      ended_at: instant.nullable(),
    }),
  ),
  refusals: z.array(
    z.object({
      reason: z.string(),
      detail: z.string(),
      policy_version: z.int(),
      times: count,
      first_at: instant,
      last_at: instant,
    }),
  ),
  holds: z.array(
    z.object({
      reason: z.string(),
      detail: z.string(),
      policy_version: z.int(),
      from: instant,
      until: instant.nullable(),
    }),
  ),
});

export type CampaignSummaryWire = z.output<typeof campaignSummarySchema>;
export const campaignCreatedSchema = campaignSchema.extend({
  /** What is taken as it is, and would fail as things are: a missing secret, a host that is not allowed. */
  warnings: z.array(z.string()),
  estimate: estimateSchema,
});

/** A campaign that was made from another one, and what became of that one's people and dates. */
export const campaignClonedSchema = campaignCreatedSchema.extend({
  cloned_from: z.object({ id: z.string(), name: z.string(), run: z.int() }),
  people: z.object({
    /** In the campaign that was cloned, when it was. */
    looked_at: count,
    taken: count,
    /** Of those taken: they will not be called. */
    excluded: count,
    /** By why they were not taken; reasons of nobody are absent. */
    left_out: z.partialRecord(z.enum(Object.keys(LEFT_OUT) as LeftOut[]), count),
    /** Of those taken: the campaign that was cloned, which is not over, still has to call them. */
    still_open: count,
  }),
  /** What the clone does not have of the spec, because its date has passed. */
  dropped: z.array(z.string()),
});

export type CampaignClonedWire = z.output<typeof campaignClonedSchema>;
export type CampaignWire = z.output<typeof campaignSchema>;
export type ContactsWire = z.output<typeof contactCountsSchema>;
export type ListWire = z.output<typeof listSchema>;
export type AgentWire = z.output<typeof agentSchema>;
export type ProgressWire = z.output<typeof progressSchema>;
export type ReportWire = z.output<typeof reportSchema>;
export type NeverDialedWire = z.output<typeof neverDialedSchema>;
export type ImportResultWire = z.output<typeof importResultSchema>;
export type InFlightWire = z.output<typeof inFlightSchema>;
export type CanaryWire = z.output<typeof canarySchema>;
export type ExplanationWire = z.output<typeof explanationSchema>;
