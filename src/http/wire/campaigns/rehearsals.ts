import { z } from "zod";

import { neverDialedSchema } from "../campaigns.ts";

const count = z.int().min(0);
const counts = z.record(z.string(), count);
const instant = z.iso.datetime();
const range = z.object({ low: z.number(), median: z.number(), high: z.number() });
const ranges = z.record(z.string(), range);

/** What a campaign would do with a list: the document of `outdial rehearse --json`. */
export const rehearsalSchema = z.object({
  campaign: z.string(),
  digest: z.string().describe("SHA-256 of the list."),
  from: instant,
  runs: z.int(),
  seed: z.int().describe("Of the first run; with it, the same list and the same spec it is the same again."),
  lines: z
    .int()
    .describe("Calls that may be up at once: of the campaign, or of the account where that has fewer."),
  outcomes: z.object({
    from: z.string().describe("Whose outcomes calls are taken to come to."),
    shares: z.record(z.string(), z.number()),
    invalid_numbers: z.number(),
    uncertainty: z.number(),
  }),
  rows: z
    .object({ read: count, ok: count, rejected: count, duplicate: count })
    .describe("read = ok + rejected + duplicate."),
  end: z
    .object({ low: instant, median: instant, high: instant })
    .describe("When everybody is through: a tenth of the runs are before `low`, a tenth behind `high`."),
  calls: range,
  talk_seconds: range,
  line_seconds: range,
  cost_usd: range.nullable().describe("Null: no price is known."),
  cost_per_minute_usd: z.number().nullable(),
  budget: z.looseObject({}).nullable().describe("Of the spec."),
  balance_usd: z.number().nullable(),
  most_lines: z.int(),
  attempt_dispositions: ranges,
  dispositions: ranges,
  final_reasons: ranges,
  excluded_reasons: ranges,
  excluded_details: z.record(z.string(), z.string()),
  never_dialed: neverDialedSchema,
  rejected_by_code: counts,
  open: range.describe("People who were not through within a year."),
  time_zone: z.string(),
  calls_by_hour: z
    .array(range.extend({ hour: z.string() }))
    .describe("Hours of the clocks of `time_zone`, without an offset."),
  held_contact_hours: z
    .record(z.string(), z.number())
    .describe("Hours that people waited in all, by what for."),
  end_by: z
    .object({
      at: instant,
      lines: z.int().nullable().describe("Lines that it takes; null: no number of them is enough."),
      runs_in_time: z.int().optional(),
      runs: z.int().optional(),
      earliest_end: instant.optional(),
      left_out: z.int().optional(),
    })
    .nullable(),
  blackouts: z.int().nullable().describe("How many are to come."),
  not_known: z.array(z.string()).describe("What the forecast leaves out, in words."),
  took_ms: z.int(),
});
