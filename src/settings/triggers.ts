import { z } from "zod";

import { listed, number, setting } from "./setting.ts";

/** Whoever guesses it can make us ask the platform for calls, and nothing more; still, nobody shall guess it. */
const HOOK_TOKEN_LETTERS = 24;

const hookTokens = z
  .string()
  .default("")
  .transform((text) => listed(text, /\s+/))
  .refine((tokens) => tokens.every((token) => token.length >= HOOK_TOKEN_LETTERS), {
    message: `must have ${HOOK_TOKEN_LETTERS} characters or more in each token`,
  })
  .refine((tokens) => tokens.every((token) => /^[\w.~-]+$/.test(token)), {
    message: "must be made of letters, digits, -, _, . and ~: it stands in an address",
  });

export const TRIGGER_SETTINGS = {
  OUTDIAL_HOOK_TOKEN: setting({
    schema: hookTokens,
    meaning:
      "Token in the address that the platform's call webhooks are sent to; several, separated by spaces, while it is being changed. Absent: none are taken.",
    example: "a random text of 32 letters and digits",
    secret: true,
  }),
  OUTDIAL_DELIVERIES_PER_MINUTE: setting({
    schema: number
      .int("must be a whole number")
      .min(1, "must be 1 or more")
      .max(1_000_000, "must be 1000000 or less")
      .default(6_000),
    meaning:
      "How many deliveries one trigger takes a minute, and all of them together from one address; whoever sends more is told to come again later. A minute's worth may come at once.",
    example: "60000",
    default: "6000",
  }),
} as const;
