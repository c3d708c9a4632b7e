/** What a standing campaign stands for (standing.ts). */
export const standingKey = {
  /** A call step of a sequence; versions with the same call settings, whose digest that is, share one. */
  ofStep: (sequenceId: string, stepId: string, digest: string) =>
    `${standingKey.ofSequence(sequenceId)}${stepId}:${digest}`,
  /** With which the keys of all call steps of a sequence begin. */
  ofSequence: (sequenceId: string) => `sequence:${sequenceId}:`,
  ofCallbacks: (campaignId: string) => `callbacks:${campaignId}`,
} as const;

/** The sequence whose call step a campaign stands for, or stood. */
export function sequenceOfKey(key: string | undefined): string | undefined {
  return /^sequence:([^:]+):/.exec(key ?? "")?.[1];
}
