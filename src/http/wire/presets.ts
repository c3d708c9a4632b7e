import { z } from "zod";

export const presetRuleSchema = z.object({
  /** By it `override` lifts the rule. */
  id: z.string(),
  kind: z.enum(["hours", "sundays", "holidays", "calls", "consent"]),
  where: z.string(),
  /** Countries, and states as `US-FL`; null: wherever no preset that is named speaks of. */
  places: z.array(z.string()).nullable(),
  says: z.string(),
  source: z.string(),
  url: z.string(),
  /** Of what is cited, or since when it is in force. */
  dated: z.string(),
  note: z.string().nullable(),
});

export const presetSchema = z.object({
  id: z.string(),
  version: z.string(),
  title: z.string(),
  reviewed: z.iso.date(),
  countries: z.array(z.string()),
  /** Presets that are named with it. */
  needs: z.array(z.string()),
  rules: z.array(presetRuleSchema),
});

export const presetListSchema = z.object({
  /** The newest versions. */
  items: z.array(presetSchema.omit({ rules: true }).extend({ rules: z.int().min(0) })),
});

export type PresetWire = z.output<typeof presetSchema>;
export type PresetListWire = z.output<typeof presetListSchema>;
