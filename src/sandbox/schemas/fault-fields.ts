import { z } from "zod";

/** How often a fault strikes before it is spent; without it, it stays until it is removed. */
export const times = z.int().min(1).optional();

/** The share of what it could strike that it does strike, 0 to 1; without it, all. The dice are the same in every run. */
export const share = z.number().min(0).max(1).optional();
