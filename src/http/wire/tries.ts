import { z } from "zod";

/** What a trigger would make of a body. */
export const triggerTriedSchema = z.object({
  ok: z.boolean().describe("Whether all of it could be acted on."),
  warnings: z.array(z.string()).describe("What may not be what the trigger's author means."),
  items: z.array(
    z.union([
      z.object({
        kind: z.literal("ignored").describe("The trigger's condition says that it does not count."),
        ok: z.literal(true),
      }),
      z.object({
        kind: z.literal("problem"),
        ok: z.literal(false),
        field: z.string(),
        problem: z.string(),
      }),
      z.object({
        kind: z.literal("wanted"),
        ok: z.boolean().describe("Whether its numbers can be read."),
        idempotency_key: z.string().optional(),
        wanted: z
          .array(z.record(z.string(), z.unknown()))
          .describe("What would be done, each with its number as it was read, or why it can't be."),
      }),
    ]),
  ),
});
