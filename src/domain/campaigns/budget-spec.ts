import { z } from "zod";

import { BESIDE_OTHERS } from "../ground/definition-reading.ts";
import { isZoneName } from "../time/zone-data.ts";
import { MONEY_ZONE } from "./money-day.ts";
import { microsOf, usdOf } from "./money.ts";

/** A campaign of more than this is two. US dollars. */
const MOST_USD = 100_000_000;

const AMOUNT = "must be an amount in US dollars above 0, such as 250 or 250.00, with six decimals at most";

/** What programs reckon, as 0.1 + 0.2, is off by much less than a decimal that somebody wrote; in a large amount by
 * what its last digit is worth. US dollars. */
const OFF_USD = 1e-9;

/** Whether a number has no more decimals than are kept: one that is rounded is another amount. */
function isInMicros(amount: string | number): boolean {
  return (
    typeof amount === "string" ||
    Math.abs(usdOf(microsOf(amount)) - amount) < Math.max(OFF_USD, 2 * Number.EPSILON * amount)
  );
}

/** An amount as people write one: a number of a YAML file, or a text that keeps its cents. */
export const amountSchema = z
  .union([z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, { error: AMOUNT, abort: true }), z.number()], {
    error: AMOUNT,
  })
  .refine((amount) => microsOf(amount) > 0 && isInMicros(amount), AMOUNT)
  .refine((amount) => Number(amount) <= MOST_USD, `must be ${MOST_USD} US dollars at most`);

/** By whose midnight a day of money ends. */
export const moneyZoneSchema = z
  .string()
  .refine(isZoneName, "is no time zone: give an IANA name such as America/New_York");

/** What a campaign may spend, as a person writes it. */
export const budgetSchema = z
  .strictObject({
    /** From its start to its end, its callbacks included. */
    total: amountSchema.optional(),
    /** On a day of UTC, or of `zone`. */
    per_day: amountSchema.optional(),
    /** By whose midnight the day of `per_day` ends. */
    zone: moneyZoneSchema.optional(),
    /** What a call is expected to cost, unanswered ones counted in, until its own calls tell. */
    expect_per_call: amountSchema.optional(),
  })
  .refine(
    ({ total, per_day: perDay, expect_per_call: expect }) => (total ?? perDay ?? expect) !== undefined,
    { message: "must say total, per_day or expect_per_call" },
  )
  .refine(({ zone, per_day: perDay }) => zone === undefined || perDay !== undefined, {
    path: ["zone"],
    message: "is of `per_day`, which is not said: add that, or remove this",
    ...BESIDE_OTHERS,
  });

/** The same in millionths of a US dollar. */
export interface BudgetCaps {
  totalMicros: number | undefined;
  perDayMicros: number | undefined;
  /** Of `perDayMicros`. */
  zone: string;
  expectPerCallMicros: number | undefined;
}

export function budgetCapsOf(budget: z.output<typeof budgetSchema> | undefined): BudgetCaps {
  const micros = (amount: string | number | undefined) =>
    amount === undefined ? undefined : microsOf(amount);
  return {
    totalMicros: micros(budget?.total),
    perDayMicros: micros(budget?.per_day),
    zone: budget?.zone ?? MONEY_ZONE,
    expectPerCallMicros: micros(budget?.expect_per_call),
  };
}
