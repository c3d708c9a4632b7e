/*
 * A stop is never refused over its form: whoever asks for one has no time to correct it, and people's phones ring
 * meanwhile. What comes with it is made fit to be kept, and shown to others, instead.
 */

const NO_REASON = "no reason was given";

/** As for every other reason that is kept. */
const LONGEST_REASON_CHARS = 500;

const LONGEST_ACTOR_CHARS = 100;

/** The reason of a stop, in one line, whatever was given; `otherwise` where nothing readable was. */
export function stopReasonOf(given: unknown, otherwise = NO_REASON): string {
  const text = typeof given === "number" ? String(given) : typeof given === "string" ? given : "";
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{White_Space}]+/gu, " ")
    .trim();
  // Not in the midst of a sign that takes two.
  const kept = line.slice(0, LONGEST_REASON_CHARS).replace(/[\uD800-\uDBFF]$/, "");
  return kept.trimEnd() || otherwise;
}

/** Who stopped, as the audit keeps names: in printable ASCII. Undefined where nobody is named. */
export function stopActorOf(given: unknown): string | undefined {
  if (typeof given !== "string") return undefined;
  const name = given.replace(/[^\x20-\x7e]+/g, "?").trim();
  return name.slice(0, LONGEST_ACTOR_CHARS) || undefined;
}
