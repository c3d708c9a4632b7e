import { z } from "zod";

/** What a brand may be called. */
export const brandNameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, "may hold lower-case letters, digits, dots, dashes and underscores");
