/**
 * Whose word it is that a number must not be dialed, each with what it means (Markdown). Each stands by itself, and where
 * several are in force the first of them is told (toldFirst).
 */
export const SAID_BY = {
  person:
    "the person's own, or that of somebody for them: in a call, by hand, through the API, a rule or a sequence",
  list: "that of a list of numbers that was imported or declared",
  service: "that of a [scrubbing service](#scrubbing-services), until its answer ends",
} as const;

export type SaidBy = keyof typeof SAID_BY;
