import { timingSafeEqual } from "node:crypto";

/** A request as it came, before anything read it. */
export interface IncomingRequest {
  method: string;
  /** Path and query as they were received, nothing decoded. */
  url: string;
  /** Names and values in turn, as Node gives them: in its `headers` a doubled one is no longer seen. */
  rawHeaders: readonly string[];
  /** The bytes of the body. What was parsed and written again has another signature. */
  rawBody: Buffer;
  secrets: { read(name: string): readonly string[] };
  /** Unix milliseconds. */
  nowMs: number;
}

export type Refusal = { ok: false; status: 400 | 401; problem: string };
export type Verdict = { ok: true } | Refusal;

/** What a header says, or why it is no use. */
export type HeaderValue = { ok: true; value: string } | Refusal;

export function refuse(status: Refusal["status"], problem: string): Refusal {
  return { ok: false, status, problem };
}

/** The one value of a header. Twice is refused: whoever comes after us might take the other one. */
export function readHeader(request: IncomingRequest, name: string): HeaderValue {
  const wanted = name.toLowerCase();
  const values = request.rawHeaders.filter(
    (_value, index) => index % 2 === 1 && request.rawHeaders[index - 1]?.toLowerCase() === wanted,
  );
  const [value, ...others] = values;
  if (others.length > 0) return refuse(400, `header ${name} is there ${values.length} times: send it once`);
  if (value === undefined) return refuse(401, `header ${name} is missing`);
  if (value.trim() === "") return refuse(401, `header ${name} is empty`);
  return { ok: true, value: value.trim() };
}

/**
 * Whether the request's own time, from the named header, is near ours.
 * Digits alone are a time: what else `Number` takes for one is not what was signed.
 */
export function checkTime(
  text: string,
  header: string,
  { unitMs, toleranceMs, nowMs }: { unitMs: number; toleranceMs: number; nowMs: number },
): Verdict {
  if (!/^\d{1,16}$/.test(text)) {
    return refuse(400, `header ${header} must be Unix ${unitMs === 1 ? "milliseconds" : "seconds"}`);
  }
  const lateMs = nowMs - Number(text) * unitMs;
  if (Math.abs(lateMs) <= toleranceMs) return { ok: true };
  const seconds = Math.round(Math.abs(lateMs) / 1_000);
  const told = lateMs > 0 ? `${seconds} s old` : `${seconds} s in the future`;
  return refuse(
    401,
    `header ${header} is ${told}, ${toleranceMs / 1_000} s at most are accepted: sign each try anew, and check both clocks`,
  );
}

/** Whether any of the signatures is any of those expected. Takes the same time wherever they differ. */
export function anyEqual(given: readonly Buffer[], expected: readonly Buffer[]): boolean {
  let equal = false;
  for (const one of given) {
    for (const other of expected) {
      if (one.length === other.length && timingSafeEqual(one, other)) equal = true;
    }
  }
  return equal;
}

const HEX = /^(?:[\da-f]{2})+$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The bytes of a signature; undefined where it is not written in that way, whole and canonical. */
export function decodeSignature(text: string, encoding: "hex" | "base64"): Buffer | undefined {
  if (text === "" || !(encoding === "hex" ? HEX : BASE64).test(text)) return undefined;
  const bytes = Buffer.from(text, encoding);
  // The last letter of base64 has bits that say nothing: with those set, other texts would fit as well.
  return encoding === "hex" || bytes.toString("base64") === text ? bytes : undefined;
}
