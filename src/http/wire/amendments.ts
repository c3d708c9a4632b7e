import { z } from "zod";

const count = z.int().min(0);

/** `called`: they may be called now. `waits` and `excluded` say by which rule of the policy. */
const answerSchema = z.object({
  kind: z.enum(["called", "waits", "excluded"]),
  reason: z.string().nullable(),
});

const effectSchema = z.object({
  before: answerSchema,
  after: answerSchema,
  /** Of those who were asked about. */
  contacts: count,
  /** Of all who wait, reckoned from these; the same where all were asked about. */
  contacts_in_all: count,
  /** Until when they wait after it: the first and the last. Null where they don't. */
  until: z.object({ first: z.iso.datetime(), last: z.iso.datetime() }).nullable(),
  /** A few of their numbers. */
  samples: z.array(z.string()),
});

export const amendmentPreviewSchema = z.object({
  /** Against which version all of this was counted: `if_version` of the amendment. */
  policy_version: z.int(),
  at: z.iso.datetime(),
  differences: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
  /** The campaign, and its callbacks where it has some to come. */
  parts: z.array(
    z.object({
      campaign_id: z.string(),
      name: z.string(),
      callbacks: z.boolean(),
      /** Who waits; whoever is being called is in `stopped`, as far as it concerns them. */
      open: count,
      /** Of these, about how many the policy was asked: one in `one_in`. None where no rule reads what differs. */
      asked: count,
      one_in: z.int().min(1),
      unchanged: count,
      effects: z.array(effectSchema),
      /** Batches that would be stopped: calls that are up end by themselves, whoever was not called comes back. */
      stopped: z.array(
        z.object({ reason: z.enum(["window", "policy", "concurrency"]), batches: count, calls: count }),
      ),
    }),
  ),
});

export type AmendmentPreviewWire = z.output<typeof amendmentPreviewSchema>;
