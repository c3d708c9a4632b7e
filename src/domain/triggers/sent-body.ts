import { isDeeperThan, MAX_DEPTH } from "../ground/nesting.ts";

export type BodyType = "json" | "form";

export type BodyReading = { ok: true; payload: unknown } | { ok: false; problem: string };

/**
 * Reads a body that was sent: JSON, in which whole numbers that JavaScript would round are texts, or a form as an object of texts, a field that comes several times as a list.
 * A field may have any name, `__proto__` included: it is a field of its own, and nothing else.
 */
export function readSentBody(type: BodyType, text: string): BodyReading {
  return type === "json" ? readJson(text) : { ok: true, payload: readForm(text) };
}

function readJson(text: string): BodyReading {
  if (isDeeperThan(text, MAX_DEPTH)) return { ok: false, problem: `is nested deeper than ${MAX_DEPTH}` };
  try {
    const payload: unknown = JSON.parse(text);
    return { ok: true, payload: LONG_NUMBER.test(text) ? JSON.parse(withLongNumbersAsText(text)) : payload };
  } catch {
    // The parser's own words quote the body.
    return { ok: false, problem: "is not JSON" };
  }
}

const LONG_NUMBER = /\d{16}/;

/** A text, which stays as it is, or a number. In JSON every quote has its other one, so that this is linear. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Ids of 19 digits would be the same number as their neighbours, and one event be taken for another. */
function withLongNumbersAsText(json: string): string {
  return json.replaceAll(TEXT_OR_NUMBER, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}

function readForm(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name);
    // In place: a field that comes a hundred thousand times would be copied as often.
    if (before) before.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}
