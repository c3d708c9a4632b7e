import type { Disposition } from "../../domain/policy/disposition.ts";

/** What is counted of a call that has ended for good. */
export interface SettledCall {
  disposition: Disposition;
  startedAtMs: number | undefined;
  endedAtMs: number;
  /** It was not seen to be over before. */
  heldItsLine: boolean;
}
