import { formatDurationMs } from "../time/duration.ts";

/** On what ground somebody may be called, each with what it means (Markdown). */
export const CONSENT_BASES = {
  express_written:
    "signed, on paper or by a click that is kept: what US rules ask for before marketing calls",
  express: "given by word, or by giving the number for calls such as these",
  existing_relationship: "a customer, or somebody who asked, within the time that the law gives that",
  legitimate_interest: "an interest that was weighed against the person's, and written down",
} as const;

export type ConsentBasis = keyof typeof CONSENT_BASES;

/** What a campaign asks for; `any` is any basis. */
export const CONSENT_REQUIREMENTS = ["any", "express", "express_written"] as const;
export type ConsentRequirement = (typeof CONSENT_REQUIREMENTS)[number];

/** The part of a policy that says whose consent is needed. */
export interface ConsentPolicy {
  require: ConsentRequirement;
  /** How long ago it may have been given; undefined: as long as it says itself. */
  maxAgeMs: number | undefined;
}

const SATISFIES: Readonly<Record<ConsentRequirement, readonly ConsentBasis[]>> = {
  any: ["express_written", "express", "existing_relationship", "legitimate_interest"],
  express: ["express_written", "express"],
  express_written: ["express_written"],
};

/** A consent as somebody gives it to us. */
export interface ConsentGiven {
  basis: ConsentBasis;
  obtainedAtMs: number;
  /** Where it can be seen: a form, a recording, a document. */
  proof: string | undefined;
  expiresAtMs: number | undefined;
}

/** What was said about calls to a number, as the ledger keeps it. */
export interface ConsentRecord {
  /** Undefined: all consent up to then was withdrawn. */
  basis: ConsentBasis | undefined;
  atMs: number;
  expiresAtMs: number | undefined;
}

export type ConsentStanding =
  /** As long as the dial happens before `untilMs`. */
  { kind: "given"; untilMs: number } | { kind: "no_consent" | "consent_expired"; detail: string };

/** How far ahead of ours a clock elsewhere may be. */
const CLOCK_SLACK_MS = 5 * 60_000;

/** A call takes a moment to begin; nobody is dialed on consent that ends before that. */
export const ENDING_MS = 2 * 60_000;

/**
 * Whether a number may be called on what was said, at a moment.
 *
 * @param records the newest last; of two with the same basis and moment the later one is what holds.
 */
export function consentStanding(
  records: readonly ConsentRecord[],
  { require, maxAgeMs }: ConsentPolicy,
  nowMs: number,
): ConsentStanding {
  // Nobody withdraws for later: where a clock elsewhere is ahead of ours, it holds all the same.
  const withdrawnMs = Math.max(...records.flatMap(({ basis, atMs }) => (basis === undefined ? [atMs] : [])));
  const newest = new Map<string, ConsentRecord>();
  for (const record of records) newest.set(`${record.basis ?? ""} ${record.atMs}`, record);
  // What is withdrawn at the moment at which it was given, is.
  const given = [...newest.values()].filter(
    ({ basis, atMs }) => basis !== undefined && atMs <= nowMs + CLOCK_SLACK_MS && atMs > withdrawnMs,
  );
  const fitting = given.filter(({ basis }) => basis !== undefined && SATISFIES[require].includes(basis));
  const untils = fitting.map(({ atMs, expiresAtMs = Number.POSITIVE_INFINITY }) =>
    Math.min(expiresAtMs, atMs + (maxAgeMs ?? Number.POSITIVE_INFINITY)),
  );
  const endMs = Math.max(...untils);
  const untilMs = roundedEnd(endMs, nowMs);
  if (untilMs - nowMs > ENDING_MS) return { kind: "given", untilMs };
  const [best] = given;
  if (fitting.length > 0)
    return {
      kind: "consent_expired",
      detail: `consent ended at ${new Date(endMs).toISOString()}${maxAgeMs === undefined ? "" : `, which is counted with a greatest age of ${formatDurationMs(maxAgeMs)}`}`,
    };
  if (best)
    return { kind: "no_consent", detail: `consent is ${best.basis ?? "none"}, and ${require} is asked for` };
  const detail = Number.isFinite(withdrawnMs)
    ? `consent was withdrawn at ${new Date(withdrawnMs).toISOString()}`
    : "no consent is known for the number";
  return { kind: "no_consent", detail };
}

const DAY_MS = 86_400_000;

/**
 * No later than a permission ends. People are dialed in batches with others of whom the same holds as long, and each has
 * an end of its own: so ends are told apart by the hour, and by the tenth minute in the last two hours, and beyond the
 * day after next, by when everybody who is on a batch now has been asked about again, not at all.
 */
export function roundedEnd(endMs: number, nowMs: number): number {
  if (endMs === Number.POSITIVE_INFINITY) return endMs;
  const horizonMs = Math.ceil(nowMs / DAY_MS) * DAY_MS + 2 * DAY_MS;
  if (endMs >= horizonMs) return horizonMs;
  const stepMs = endMs - nowMs > 2 * 3_600_000 ? 3_600_000 : 600_000;
  return Math.floor(endMs / stepMs) * stepMs;
}

/** The cells of a row, or the fields of a request, that say it; each may be empty. */
export interface ConsentCells {
  basis: string;
  at: string;
  proof: string;
  expiresAt: string;
}

export type ConsentReading =
  | { ok: true; consent: ConsentGiven | undefined }
  | {
      ok: false;
      field: "consent_basis" | "consent_at" | "consent_proof" | "consent_expires_at";
      reason: string;
    };

/** Kept beside each consent; more than an address or a document's number is a document. */
const MOST_PROOF_CHARS = 300;

/** Reads a consent as lists and requests write it; nothing in any of them is none. */
export function readConsent({ basis, at, proof, expiresAt }: ConsentCells, nowMs: number): ConsentReading {
  if (basis === "" && at === "" && proof === "" && expiresAt === "") return { ok: true, consent: undefined };
  const wrong = (field: Extract<ConsentReading, { ok: false }>["field"], reason: string) =>
    ({ ok: false, field, reason }) as const;
  const word = basis.toLowerCase().replaceAll(/[\s-]+/g, "_");
  if (!isBasis(word))
    return wrong(
      "consent_basis",
      `${basis === "" ? "is empty" : `${JSON.stringify(basis.slice(0, 40))} is no basis of consent`}: it must be ${Object.keys(CONSENT_BASES).join(", ")}`,
    );
  const obtainedAtMs = readMoment(at);
  if (obtainedAtMs === undefined) return wrong("consent_at", momentProblem(at));
  if (obtainedAtMs > nowMs + CLOCK_SLACK_MS)
    return wrong("consent_at", `${at} is to come: give the moment at which consent was given`);
  const expiresAtMs = expiresAt === "" ? undefined : readMoment(expiresAt);
  if (expiresAt !== "" && expiresAtMs === undefined)
    return wrong("consent_expires_at", momentProblem(expiresAt));
  if (expiresAtMs !== undefined && expiresAtMs <= obtainedAtMs)
    return wrong("consent_expires_at", `${expiresAt} is not after ${at}, at which it was given`);
  if (proof.length > MOST_PROOF_CHARS || /\p{Cc}/u.test(proof))
    return wrong(
      "consent_proof",
      `must be one line of ${MOST_PROOF_CHARS} characters at most: give where it is kept`,
    );
  return {
    ok: true,
    consent: {
      basis: word,
      obtainedAtMs: Math.min(obtainedAtMs, nowMs),
      proof: proof === "" ? undefined : proof,
      expiresAtMs,
    },
  };
}

function isBasis(word: string): word is ConsentBasis {
  return Object.hasOwn(CONSENT_BASES, word);
}

function momentProblem(text: string): string {
  const what = text === "" ? "is empty" : `${JSON.stringify(text.slice(0, 40))} is no moment`;
  return `${what}: write it as 2026-03-01T14:05:00Z, with its offset, or as the day 2026-03-01, which is its first moment in UTC`;
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;
const EARLIEST_MS = Date.UTC(1970, 0, 1);

/** A day is its first moment in UTC. One that no calendar has is none. */
function readMoment(text: string): number | undefined {
  const date = DATE.exec(text.slice(0, 10));
  if (!date || !(text.length === 10 || INSTANT.test(text))) return undefined;
  const dayMs = Date.parse(`${date[0]}T00:00:00Z`);
  // 30 February is another day to some parsers.
  if (!Number.isFinite(dayMs) || new Date(dayMs).toISOString().slice(0, 10) !== date[0]) return undefined;
  const atMs = text.length === 10 ? dayMs : Date.parse(text.replace(" ", "T"));
  return Number.isFinite(atMs) && atMs >= EARLIEST_MS ? atMs : undefined;
}
