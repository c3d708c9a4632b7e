import { isSecretValue } from "../../domain/ground/secret-signs.ts";

/*
 * What is kept of a request and its answer, for people to read: bounded, and without secrets.
 */

/** Of a body, characters. */
const MAX_KEPT_CHARS = 4_096;

const NOT_KEPT = "(not kept)";

/** Headers as they may be kept. `secret`: names whose values came from a secret. */
export function keptHeaders(
  headers: Readonly<Record<string, string>>,
  secret: ReadonlySet<string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secret.has(name) || isSecretValue(name, value) ? NOT_KEPT : value,
    ]),
  );
}

/** The beginning of a text, with secrets that it repeats taken out. */
export function keptText(text: string, secrets: readonly string[]): string {
  let kept = text;
  for (const secret of secrets) {
    if (secret !== "") kept = kept.replaceAll(secret, NOT_KEPT);
  }
  return kept.length > MAX_KEPT_CHARS ? `${kept.slice(0, MAX_KEPT_CHARS)}...` : kept;
}

/** Data as JSON; undefined where it is nested so deeply that it can't be written, as an answer may be that was read. */
export function writtenOut(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Data as it may be kept: whole where it is short, its beginning as text where it is not. */
export function keptData(value: unknown): unknown {
  if (value === undefined) return null;
  const text = writtenOut(value);
  if (text === undefined) return "(nested too deeply to be kept)";
  return text.length > MAX_KEPT_CHARS ? `${text.slice(0, MAX_KEPT_CHARS)}...` : value;
}
