import { z } from "zod";

const usd = z.number();

/** Amounts in US dollars. A day is one of UTC. */
export const budgetSchema = z.object({
  /** Null: of all brands together. */
  brand: z.string().nullable(),
  total: usd.nullable(),
  per_day: usd.nullable(),
  /** The total counts from this day on. */
  from: z.iso.date(),
  created_at: z.iso.datetime(),
});

export const budgetUseSchema = budgetSchema.extend({
  /** Since `from`. */
  spent: usd,
  /** For calls that are under way. */
  held: usd,
  today: z.object({ spent: usd, held: usd }),
});

export const budgetListSchema = z.object({
  /** That of all brands together first. */
  items: z.array(budgetUseSchema),
});

export const budgetSetSchema = z.object({ budget: budgetSchema });

export const budgetRemovedSchema = z.object({ removed: budgetSchema });

export type BudgetWire = z.output<typeof budgetSchema>;
export type BudgetUseWire = z.output<typeof budgetUseSchema>;
