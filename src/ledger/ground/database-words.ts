import { reasonWords } from "../../domain/ground/reason-words.ts";

/*
 * What PostgreSQL and its driver say, as people say it: by the database's code (SQLSTATE, appendix A of its manual),
 * and where the driver gives none, by its text. Never with a value, nor with an address, which may hold a password.
 */

/** The longest beginning of a code that stands here counts. */
const WORDS: Readonly<Record<string, string>> = {
  "08": "the connection broke off",
  "25006": "it can only be read, as a standby can",
  "28": "it does not let this user in from here",
  "28P01": "the user or the password is wrong",
  "3D": "there is no such database",
  "40001": "two processes were in each other's way",
  "40P01": "two processes were in each other's way",
  "42501": "its user may not do that: let the user own the database, or grant CREATE on it",
  "42": "its schema is not as this version of Outdial knows it: was it changed by hand, or restored in part?",
  "3F": "its schema is not as this version of Outdial knows it: was it changed by hand, or restored in part?",
  "53100": "the disk under it is full",
  "53200": "it has no memory left",
  "53300": "it has no connection left",
  "55P03": "what is needed is locked by another process",
  "57014": "it took too long",
  "57P03": "it is starting up or going down",
  "57P": "it is going down",
  "58": "its machine fails",
  XX: "it fails",
};

/** Of the driver, which gives no code. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [
    /Connection terminated due to connection timeout|timeout exceeded|timeout expired/i,
    "there is no answer in time",
  ],
  [/Query read timeout/i, "there is no answer in time"],
  [/Connection terminated|is not queryable|Connection ended/i, "the connection broke off"],
  [/PGlite is clos/i, "it is being closed"],
  [/does not support SSL/i, "it speaks no TLS: take sslmode out of its address, or let it speak TLS"],
  [
    /client password must be a (?:non-empty )?string/i,
    "it wants a password, and there is none in its address",
  ],
  [/SASL|SCRAM/i, "it wants to be shown a password in a way that is not known here"],
];

/** Why the database did not do what it was asked, in words. */
export function databaseWords(error: unknown): string {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const text = error instanceof Error ? error.message : String(error);
  const byCode = /^[\dA-Z]{5}$/.test(code) ? wordsOfState(code) : undefined;
  if (byCode !== undefined) return `${byCode}${WHOSE.test(code) ? namedIn(text) : ""}`;
  return TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? reasonWords(error);
}

/** Of refused logins the server names the user or the database, whatever its language. */
const WHOSE = /^(?:28|3D)/;

function namedIn(text: string): string {
  const name = /["\u201C\u00AB]([^"\u201D\u00BB]{1,63})["\u201D\u00BB]/.exec(text)?.[1];
  return name === undefined ? "" : `: "${name}"`;
}

/** Undefined for a code that is not told in words. */
export function wordsOfState(code: string): string | undefined {
  for (let length = code.length; length >= 2; length -= 1) {
    const beginning = code.slice(0, length);
    if (Object.hasOwn(WORDS, beginning)) return WORDS[beginning];
  }
  return undefined;
}
