import { bigint, timestamp } from "drizzle-orm/pg-core";

/** A moment, to the millisecond. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date", precision: 3 });

/** Ids and counts far below 2^53. */
export const id = (name: string) => bigint(name, { mode: "number" });
