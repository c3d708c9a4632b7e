import { z } from "zod";

const usd = z.number();

/** Amounts in US dollars. */
export const budgetSchema = z.object({
  /** Null: of all brands together. */
  brand: z.string().nullable(),
  total: usd.nullable(),
  per_day: usd.nullable(),
  /** By whose midnight the day of `per_day` ends; null: there is none. */
  zone: z.string().nullable(),
  /** The total counts from this day of UTC on. */
  from: z.iso.date(),
  created_at: z.iso.datetime(),
});

export const budgetUseSchema = budgetSchema.extend({
  /** Since `from`. */
  spent: usd,
  /** For calls that are under way. */
  held: usd,
  /** By the clocks of `zone`, or of UTC. */
  today: z.object({ date: z.iso.date(), spent: usd, held: usd }),
});

export const budgetListSchema = z.object({
  /** That of all brands together first. */
  items: z.array(budgetUseSchema),
});

export const budgetSetSchema = z.object({ budget: budgetSchema });

export const budgetRemovedSchema = z.object({ removed: budgetSchema });

export const balanceSeenSchema = z.object({
  /** US dollars that the platform's account has; null: it could not be read. */
  balance: usd.nullable(),
  /** Why it could not. */
  unknown: z.string().nullable(),
  /** False: the platform lets more be spent than that. */
  is_limit: z.boolean(),
  /** Since when nobody is called for want of credit, and why; null: nothing is known of such a want. */
  no_credit: z.object({ since: z.iso.datetime(), reason: z.string() }).nullable(),
  /** How many campaigns were told to look again. */
  campaigns: z.int().min(0),
});

export type BalanceSeenWire = z.output<typeof balanceSeenSchema>;
export type BudgetWire = z.output<typeof budgetSchema>;
export type BudgetUseWire = z.output<typeof budgetUseSchema>;
