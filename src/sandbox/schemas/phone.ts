import { z } from "zod";

import { outcomeIn } from "../prescription.ts";

/** E.164; a missing plus sign is forgiven. */
export const phoneSchema = z
  .string()
  .regex(/^\+?[1-9]\d{1,14}$/, "Phone number must be in E.164 format, e.g. +12025550100");

/** The one spelling under which a number is kept. */
export function normalizedPhone(phone: string): string {
  return phone.startsWith("+") ? phone : `+${phone}`;
}

/** Injected into the system prompt (contract 4.2). */
/** Those that prescribe what a call comes to are refused where they are wrong: a rehearsal would be of something else. */
export const dynamicVariables = z.record(z.string(), z.string()).check((context) => {
  const reading = outcomeIn(context.value, 1);
  if (reading.ok) {
    return;
  }
  const { variable, problem } = reading;
  context.issues.push({
    code: "custom",
    input: context.value[variable],
    path: [variable],
    message: `${variable} ${problem}`,
  });
});
