import type { NeverDialed } from "../../domain/policy/never-dialed.ts";
import { countText, numberText } from "./words.ts";

/** More groups than this say no more of what to mend. */
const GROUPS_SHOWN = 6;

type Told = Pick<NeverDialed, "contacts" | "region"> & { readonly why: string; readonly remedy: string };

/**
 * Who can never be called, why, and what would help. Pure; no lines where everybody can be.
 *
 * @param of the list that they were taken from; without it they are not taken yet
 */
export function neverDialedLines(groups: readonly Told[], under: string, of?: string): string[] {
  if (groups.length === 0) return [];
  const all = groups.reduce((sum, { contacts }) => sum + contacts, 0);
  const shown = groups.slice(0, GROUPS_SHOWN);
  const hidden = groups.slice(GROUPS_SHOWN).reduce((sum, { contacts }) => sum + contacts, 0);
  return [
    of === undefined
      ? `${countText(all, "contact")} can never be called under ${under}, and would be excluded:`
      : `${countText(all, "contact")} of ${of} can never be called under ${under}:`,
    ...shown.flatMap(({ contacts, region, why, remedy }) => [
      `  ${numberText(contacts).padStart(9)}  ${region ?? "of no one country"}: ${why}`,
      `             remedy: ${remedy}`,
    ]),
    ...(hidden > 0
      ? [`  ${numberText(hidden).padStart(9)}  in ${numberText(groups.length - GROUPS_SHOWN)} more groups`]
      : []),
  ];
}
