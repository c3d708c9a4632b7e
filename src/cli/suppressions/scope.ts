import { Option } from "commander";

import { countText } from "../view/words.ts";

/** What the commands about single numbers share. */
export interface ScopeOptions {
  brand?: string;
  defaultRegion?: string;
  json?: true;
}

export const scopeOption = () =>
  new Option("--brand <brand>", "only for this brand; without it, for every brand");

/** What a new suppression did to calls that were on their way. */
export function stoppedText(batches: number): string {
  return batches === 0 ? "" : `; stopped ${countText(batches, "batch", "batches")} that had one of them`;
}
