/*
 * Lines of Temporal's web UI, as workflows may write them too: pure.
 */

/** Temporal takes 400 bytes; a character is four at most. */
const LONGEST_SUMMARY = 100;

export function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length <= LONGEST_SUMMARY
    ? text
    : `${characters.slice(0, LONGEST_SUMMARY - 1).join("")}…`;
}

/** A batch's, by what people call its campaign. */
export function batchSummary(campaign: string | undefined): string {
  return shortened(`Batch of ${campaign ?? "a campaign"}`);
}
