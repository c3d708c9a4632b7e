import { CONVERSATIONS, DISPOSITIONS, type Disposition } from "../policy/disposition.ts";
import type { ContactState } from "./contact-state.ts";

/*
 * Who of a campaign's people comes into a clone of it. What a number may be called for (suppressions, consent, caps, the
 * window) is asked when they are taken and dialed, as of anybody else: nothing of it is copied.
 */

/** Whom a clone takes. `tag`: of these only whoever has this word. */
export interface Whom {
  people: "all" | "unreached" | readonly Disposition[];
  tag: string | undefined;
}

/** Why somebody does not come into a clone, in the order in which it is asked. */
export const LEFT_OUT = {
  forgotten: "were forgotten, or are older than people are kept",
  withdrawn: "were withdrawn from the campaign",
  not_tagged: "do not have the tag",
  still_open: "are still to be called by the campaign",
  reached: "were reached, or called back",
  perhaps_reached: "were perhaps reached: nobody knows what became of their call",
  invalid_number: "have a number that does not exist",
  other_disposition: "came to something else",
} as const;

export type LeftOut = keyof typeof LEFT_OUT;

/** Whom asking once more may reach. */
const UNREACHED: ReadonlySet<string> = new Set(
  DISPOSITIONS.filter(
    (disposition) =>
      disposition !== "invalid_number" && !(CONVERSATIONS as readonly string[]).includes(disposition),
  ),
);

/** Of somebody in a campaign, what a clone asks for. */
export interface Clonable {
  state: ContactState;
  outcome: string | null;
  reason: string | null;
  /** Nothing is left of whom it was. */
  isForgotten: boolean;
  isWithdrawn: boolean;
  isTagged: boolean;
}

/** Why somebody does not come into the clone; undefined where they do. */
export function whyLeftOut({ people, tag }: Whom, person: Clonable): LeftOut | undefined {
  const { state, outcome, reason } = person;
  if (person.isForgotten) return "forgotten";
  if (person.isWithdrawn) return "withdrawn";
  if (tag !== undefined && !person.isTagged) return "not_tagged";
  if (people === "all") return undefined;
  if (state === "open" || state === "leased") return "still_open";
  if (people !== "unreached")
    return state === "done" && people.some((disposition) => disposition === outcome)
      ? undefined
      : "other_disposition";
  if (state === "excluded" && outcome === null) return reason === "called_back" ? "reached" : undefined;
  if (outcome === "invalid_number") return "invalid_number";
  if (outcome === null || outcome === "unknown") return "perhaps_reached";
  // Who called us back had a call that reached nobody, and spoke with us all the same.
  return UNREACHED.has(outcome) && reason !== "called_back" ? undefined : "reached";
}
