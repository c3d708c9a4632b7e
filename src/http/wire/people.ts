import { z } from "zod";

const instant = z.iso.datetime();
const count = z.int().min(0);

const fact = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

/** A rule of the gate, and what the ledger shows of it at the moment when a call was permitted. */
export const dialCheckSchema = z.object({
  rule: z.string(),
  /** Null: the ledger does not show whether it allowed the call. */
  allowed: z.boolean().nullable(),
  says: z.string(),
});

export const storyEntrySchema = z.object({
  /** The same thing has the same id in every reading. */
  id: z.string(),
  at: instant,
  /** Of a stretch of time: when it ended; `still` where it has not; null: it is a moment. */
  until: z.union([instant, z.literal("still")]).nullable(),
  kind: z.string(),
  /** Null: of no brand, or of all. */
  brand: z.string().nullable(),
  campaign: z.object({ id: z.string(), name: z.string(), run: z.int(), standing: z.boolean() }).nullable(),
  sequence: z.object({ name: z.string(), version: z.int() }).nullable(),
  /** Of the policies below. */
  policy_version: z.int().nullable(),
  /** What the clocks of every zone that the person may be in showed, with their offset. */
  local: z.array(z.object({ at: z.iso.datetime({ offset: true }), zones: z.array(z.string()) })),
  /** What happened, in one sentence. */
  what: z.string(),
  facts: z.record(z.string(), fact),
  /** Of a call that was permitted; null of everything else. */
  checks: z.array(dialCheckSchema).nullable(),
});

/** What of a version of a campaign's policy decides whether somebody may be called. */
export const citedPolicySchema = z.object({
  campaign_id: z.string(),
  campaign: z.string(),
  run: z.int(),
  brand: z.string(),
  version: z.int(),
  by: z.string(),
  since: instant,
  rules: z.record(z.string(), z.unknown()),
});

export const storySchema = z.object({
  phone: z.string(),
  /** What was asked for; null: all. */
  brand: z.string().nullable(),
  since: instant.nullable(),
  until: instant.nullable(),
  made_at: instant,
  installation_id: z.string(),
  outdial: z.string(),
  /** Whether calls of this installation are simulated. */
  simulated: z.boolean(),
  zone_data: z.object({ version: z.string(), released_on: z.string().nullable() }),
  /** ISO 3166 country of the number; null: none. */
  country: z.string().nullable(),
  /** Every zone that the person was, or is to be, called by. */
  zones: z.array(z.string()),
  /** Countries, and states such as `US-FL`, that the rules of presets were asked for; none: no preset was, or nobody knew. */
  places: z.array(z.string()),
  /** What the number alone says today. */
  zones_of_number: z.array(z.string()),
  counts: z.object({ contacts: count, campaigns: count, calls: count, enrolments: count }),
  /** Suppressions that are in force. */
  suppressed: z.array(
    z.object({
      /** Null: for every brand. */
      brand: z.string().nullable(),
      source: z.string(),
      reason: z.string(),
      since: instant,
      expires_at: instant.nullable(),
    }),
  ),
  entries: z.array(storyEntrySchema),
  /** Every version of a policy that these entries cite. */
  policies: z.array(citedPolicySchema),
  /** Give it as `after` for the next page; null on the last. */
  next_after: z.string().nullable(),
});

export type StoryWire = z.output<typeof storySchema>;
export type StoryEntryWire = z.output<typeof storyEntrySchema>;
export type CitedPolicyWire = z.output<typeof citedPolicySchema>;
