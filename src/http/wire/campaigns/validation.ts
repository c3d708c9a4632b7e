import { z } from "zod";

import { neverDialedSchema } from "../campaigns.ts";

const count = z.int().min(0);
const counts = z.record(z.string(), count);

/** What an import of a list would say. */
export const validationSchema = z.object({
  digest: z
    .string()
    .nullable()
    .describe("SHA-256 of the list, as its import has to announce it; null: it was not read to its end."),
  layout: z.object({
    format: z.enum(["csv", "ndjson"]),
    encoding: z.string(),
    delimiter: z.string().nullable(),
    columns: z
      .array(z.object({ name: z.string(), role: z.string().describe("What it is read as, or `variable`.") }))
      .nullable()
      .describe("Of a CSV file."),
  }),
  rows: z
    .object({ read: count, ok: count, rejected: count, duplicate: count })
    .describe("read = ok + rejected + duplicate. Duplicate: the number is in an earlier row."),
  rejected_by_code: counts,
  problems: z
    .array(z.object({ line: count, code: z.string(), reason: z.string(), raw: z.string() }))
    .describe("The first rows that make no contact; `rows.rejected` counts all."),
  stopped: z
    .object({ code: z.string(), message: z.string(), line: count.nullable() })
    .nullable()
    .describe("Why the list can't be read to its end; the counts are of the rows before."),
  warnings: z.array(z.string()),
  regions: counts.describe("Contacts by country of their number."),
  zone_sets: z
    .array(z.object({ zones: z.array(z.string()), contacts: count }))
    .describe("Contacts by the zones that they may be in, most first; 100 at most."),
  placed_by: counts.describe("Contacts by what their zones were found from."),
  never_dialed: neverDialedSchema.describe("Who can never be called under the campaign's hours."),
  without_consent: z
    .array(z.object({ contacts: count, why: z.string() }))
    .describe("Who has no such consent in the list as the campaign asks for; 100 reasons at most."),
  suppressed: z
    .object({ contacts: count, lines: z.array(count) })
    .describe("Contacts whose numbers must not be dialed for the brand, and the first lines with one."),
  duplicate_lines: z
    .array(count)
    .describe("The first lines whose number is in an earlier row; 100 at most. `rows.duplicate` counts all."),
  in_campaign: count
    .nullable()
    .describe("Contacts whose number the campaign has already; null: no campaign was named."),
  under: z.string().describe("Whose hours and rules it was held against."),
});

export type ValidationWire = z.output<typeof validationSchema>;
