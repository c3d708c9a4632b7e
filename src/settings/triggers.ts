import { z } from "zod";

import { listed, setting } from "./setting.ts";

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
} as const;
