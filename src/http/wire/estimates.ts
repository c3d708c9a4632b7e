import { z } from "zod";

const usd = z.number();

/** In eight of ten cases it is between `low` and `high`. */
const range = z.object({ low: z.number(), median: z.number(), high: z.number() });

/** What a campaign's calls are likely to cost, retries counted in. Amounts in US dollars. */
export const estimateSchema = z.object({
  /** Who is still to be called. */
  contacts: z.int().min(0),
  /** Null: it is not known, for the reason in `unknown`. */
  cost: range.nullable(),
  /** What a contact costs; null where no price is known. */
  per_contact: range.nullable(),
  unknown: z.string().nullable(),
  calls: range,
  /** From the answer on. */
  minutes: range,
  by_disposition: z.record(z.string(), z.object({ calls: z.number(), minutes: z.number() })),
  /** What the platform estimates for the agent, for the dearest where variants have agents of their own. */
  per_minute: usd.nullable(),
  per_call: usd.nullable(),
  /** Whose outcomes calls are taken to come to. */
  outcomes_from: z.string(),
  /** What is left to pay it from; what is not known is absent. */
  left: z.array(
    z.object({
      /** `account`, `campaign`, `all brands`, or `brand` and its name. */
      of: z.string(),
      period: z.enum(["balance", "total", "day"]),
      usd,
      /** Null: there is no cost to hold it against, or it is there again tomorrow. */
      enough: z.enum(["yes", "likely", "no"]).nullable(),
    }),
  ),
});

export type EstimateWire = z.output<typeof estimateSchema>;
