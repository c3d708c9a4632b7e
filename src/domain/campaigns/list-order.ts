import { z } from "zod";

/*
 * In which order first calls are made: by a column that says how much somebody matters, and within that by the order of
 * the list, or the newest first.
 */

/** Each level has lanes of its own in the ledger, so that there are few. 0 is called last. */
const PRIORITY_LEVELS = 10;

/** Calls that were placed one by one stand above everybody of a list. */
export const PLACEMENT_PRIORITY = PRIORITY_LEVELS;

export const prioritySchema = z
  .strictObject({
    column: z.string().min(1).max(100),
    /** The value that is called first, and the one that is called last. */
    first: z.number(),
    last: z.number(),
  })
  .refine(({ first, last }) => first !== last, {
    message: "must not be the same as first: with one value there is no order",
    path: ["last"],
  });

export const orderSchema = z.enum(["list", "newest_first"]);

export type PrioritySpec = z.output<typeof prioritySchema>;

/**
 * The level of a contact, 0 to 9, by its row. What lies between `first` and `last` is spread evenly over the levels; what
 * lies beyond one of them counts as that. A value that is missing or no number is called last.
 */
export function priorityOf(
  spec: PrioritySpec | undefined,
  variables: Readonly<Record<string, string>>,
): number {
  if (spec === undefined) return 0;
  const { column, first, last } = spec;
  const text = Object.hasOwn(variables, column) ? variables[column]?.trim() : undefined;
  // What else `Number` reads, "" and "0x10" among it, is no number to whoever writes a list.
  if (text === undefined || !/^[+-]?\d+(\.\d+)?$/.test(text)) return 0;
  const share = (Number(text) - last) / (first - last);
  return Math.min(PRIORITY_LEVELS - 1, Math.max(0, Math.floor(share * PRIORITY_LEVELS)));
}
