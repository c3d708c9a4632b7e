import { z } from "zod";

/** What a source of suppressions may be called. */
export const sourceNameSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    "may hold lower-case letters, digits, dots, dashes and underscores, 63 at most",
  );
