import { createHash } from "node:crypto";

/** A call step of a sequence; versions with the same call settings, whose digest that is, share one. */
export interface SequenceStep {
  sequenceId: string;
  step: string;
  digest: string;
}

/** What a standing campaign stands for (standing.ts): a call step, or the callbacks of a campaign. */
export type StandsFor = SequenceStep | { callbacksOf: string };

/** The same in one word, for people and to compare: nobody reads it back. */
export function standingKeyOf(what: StandsFor): string {
  if ("callbacksOf" in what) return `callbacks:${what.callbacksOf}`;
  return `sequence:${what.sequenceId}:${what.step}:${what.digest}`;
}

/**
 * The id of the campaign that stands for something, made of what that is: a ledger that was restored makes the one again
 * that was made since, whose workflow then tells that (I1).
 *
 * @param before how many stood for it before
 */
export function standingIdOf(what: StandsFor, before: number): string {
  const digest = createHash("sha256")
    .update(`${standingKeyOf(what)}#${before}`)
    .digest("hex");
  // Version 8 of RFC 9562: a digest of our own.
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
