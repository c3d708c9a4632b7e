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
