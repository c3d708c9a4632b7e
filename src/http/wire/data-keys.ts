import { z } from "zod";

export const dataKeysSchema = z.object({
  keys: z.array(
    z.object({
      id: z.string(),
      /** `current` seals, `older` only opens, `missing` is not in the settings of the process that answers. */
      state: z.enum(["current", "older", "missing"]),
      /** Contacts whose sensitive values it seals, counted up to 10,000. */
      contacts: z.int().min(0),
      /** Enrolments likewise. */
      enrolments: z.int().min(0),
      /** There are more than that of one of them. */
      more: z.boolean(),
    }),
  ),
});

export type DataKeysWire = z.output<typeof dataKeysSchema>;
