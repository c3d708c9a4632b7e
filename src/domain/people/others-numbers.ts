import { numberIn, writingsOf } from "../ground/number-in-text.ts";
import type { Fact } from "./story.ts";

/*
 * What is handed to somebody outside is about one person. Texts that come from lists, analyses and other systems may name
 * others: a number that is neither the person's nor one of ours is taken out where it can be told.
 */

/** In place of a number of somebody else. */
export const OTHERS_NUMBER = "(another number)";

/** As international numbers are written. Bare digits are ids and amounts more often than numbers. */
const INTERNATIONAL = /\+\(?\d(?:[\s().\-/]{0,3}\d){6,14}/g;

/** Names of columns under which numbers stand, with a + or without. */
const NUMBER_NAME = /phone|mobile|msisdn|\btel\b|telephone|fax|number|caller|callee/i;

/** Nothing but digits and what is written between them: as long as a number with its area is. */
const ALL_DIGITS = /^\s*\(?\d(?:[\s().\-/]{0,3}\d){8,14}\s*$/;
const DATE_LIKE = /^\s*\d{4}[-/.]\d\d[-/.]\d\d/;

/** A text without numbers of others. @param ours numbers that may stand: the person's own, and those of the caller. */
export function withoutOthers(text: string, ours: readonly string[]): string {
  return text.replaceAll(INTERNATIONAL, (found) => {
    const digits = found.replaceAll(/\D/g, "");
    return ours.some((own) => own.slice(1) === digits) ? found : OTHERS_NUMBER;
  });
}

/** A value that stood under a name in a list, or in what another system sent. */
export function factWithoutOthers(name: string, value: Fact, ours: readonly string[]): Fact {
  if (typeof value === "number")
    return NUMBER_NAME.test(name) ? textFact(name, String(value), ours, value) : value;
  if (typeof value === "string") return textFact(name, value, ours, value);
  return Array.isArray(value) ? value.map((one) => withoutOthers(one, ours)) : value;
}

function textFact(name: string, text: string, ours: readonly string[], as: string | number): Fact {
  const isNumber =
    (ALL_DIGITS.test(text) && !DATE_LIKE.test(text)) ||
    (NUMBER_NAME.test(name) && numberIn(text) !== undefined);
  if (!isNumber) {
    const told = withoutOthers(text, ours);
    return told === text ? as : told;
  }
  const digits = numberIn(text);
  const isOurs = digits === undefined || ours.some((own) => writingsOf(own).includes(digits));
  return isOurs ? as : OTHERS_NUMBER;
}
