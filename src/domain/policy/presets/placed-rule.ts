import type { MinuteRange } from "../minute-range.ts";
import type { Territory } from "./whereabouts.ts";

/** A rule of hours or of days, as the window asks for it. */
export interface PlacedRule {
  /** Preset, place, what it says, and where it is from: in holds and refusals (I7). */
  text: string;
  territory: Territory;
  /** Seven days, Monday first; absent: the rule is one of holidays. */
  days?: readonly (readonly MinuteRange[])[];
  /** Places whose holidays are kept; `own`: those of the contact's countries. */
  holidays?: readonly string[] | "own";
}
