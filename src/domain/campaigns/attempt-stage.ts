/**
 * How far an intended dial has come. planned: nobody permitted it so far. live: it was permitted, and rings, is spoken
 * on or is about to be dialed, as far as anybody knows. ended: it counts as dialed and is over. not_dialed: proven not
 * to have been dialed, so that its contact is called later.
 */
export const ATTEMPT_STAGES = ["planned", "live", "ended", "not_dialed"] as const;
export type AttemptStage = (typeof ATTEMPT_STAGES)[number];
