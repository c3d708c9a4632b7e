import { z } from "zod";

/*
 * Routes of attention, as the API shows them.
 */

const instant = z.iso.datetime();

export const routeViewSchema = z.object({
  name: z.string(),
  /** As it was declared, defaults filled in. */
  definition: z.record(z.string(), z.unknown()),
  /** When a message of it was answered last. */
  delivered_at: instant.nullable(),
  /** Failures in a row, why the last try failed, and when the next one is made. */
  failures: z.int(),
  trouble: z.string().nullable(),
  next_at: instant.nullable(),
  created_at: instant,
  changed_at: instant,
});

export const routeListSchema = z.object({ items: z.array(routeViewSchema) });

const messageSchema = z.object({
  /** What its receiver tells repetitions by. */
  id: z.string(),
  /** In one line what it says. */
  headline: z.string(),
  /** Entries that it is about. */
  entries: z.int(),
  created_at: instant,
  tries: z.int(),
  /** Null: it is being sent. given_up: what it says is told by another one. */
  outcome: z.enum(["delivered", "given_up"]).nullable(),
  ended_at: instant.nullable(),
  error: z.string().nullable(),
});

export const routeShownSchema = z.object({
  route: routeViewSchema,
  /** The newest first. */
  messages: z.array(messageSchema),
  /** What it needs and is not there, each with its field. */
  warnings: z.array(z.string()),
});

export const routePutSchema = z.object({
  route: routeViewSchema,
  change: z.enum(["created", "changed", "none"]),
  warnings: z.array(z.string()),
});

export const routeRemovedSchema = z.object({ removed: routeViewSchema });

export const routesTestedSchema = z.object({
  items: z.array(
    z.object({
      route: z.string(),
      delivered: z.boolean(),
      /** What its receiver said, or why nothing arrived. */
      said: z.string(),
    }),
  ),
});

export type RouteWire = z.output<typeof routeViewSchema>;
