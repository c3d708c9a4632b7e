/** What the platform does not do for a batch, although it was asked for. */
export const BATCH_TROUBLES = [
  /** Its create is not answered, or is put off. */
  "not_created",
  /** Its start is put off, or meets a batch that the platform does not know yet. */
  "not_started",
  /** Its start was accepted, or may have been, and nothing of it begins. */
  "not_begun",
  /** It goes on although it was paused and cancelled. */
  "not_stopped",
  /** It has to go before anybody of it is called again, and is not deleted. */
  "not_deleted",
  /** The platform says that there is no such batch. */
  "vanished",
  /** The platform answers, and can't tell of this one. */
  "unreadable",
] as const;

export type BatchTrouble = (typeof BATCH_TROUBLES)[number];

const WORDS: Readonly<Record<BatchTrouble, string>> = {
  not_created: "that the platform has not created",
  not_started: "whose start the platform does not take",
  not_begun: "that the platform has not begun",
  not_stopped: "that the platform does not stop",
  not_deleted: "that the platform does not let go of",
  vanished: "that the platform says it does not have",
  unreadable: "that the platform can't tell of",
};

/** As it goes on after "a batch", or "batches". */
export function troubleInWords(trouble: BatchTrouble): string {
  return WORDS[trouble];
}

/** Trouble of coming to dial, which is its campaign's: the next batch meets the same. */
export type TroubleBefore = Extract<BatchTrouble, "not_created" | "not_started" | "not_begun">;

export function isBeforeDialing(trouble: BatchTrouble): trouble is TroubleBefore {
  return trouble === "not_created" || trouble === "not_started" || trouble === "not_begun";
}
