/*
 * By what a secret is known that somebody wrote out, or sent: the one list for what is refused, shown and kept.
 */

/** Said of what lets whoever has it in, wherever in a name. */
const SECRET_WORD =
  /cookie|token|secret|signature|pwd|credential|hmac|(?<!by|com|tres)pass(?![aei]|-?through)|subscription[-_]?key|(?:api|app|access|auth|master|private)[-_]?key/i;

/** Whole names that say it alone. */
const SECRET_NAME = /^(?:(?:proxy-)?authorization|auth|key|sig)$/i;

/** Headers that are named so: `X-Auth-Key`, `X-Functions-Key`, `X-Auth`. */
const SECRET_END = /-(?:key|auth|sig)$/i;

/** Headers that are named so, and tell requests, messages or copies apart. */
const INNOCENT_KEY =
  /^(?:x-)?(?:idempotency|dedup|deduplication|cache|surrogate|partition|routing|ordering|message|event)-key$/i;

/** What proves who sends, whatever the header is called. */
const PROOF = /^(?:bearer|basic|digest|token|api-?key)\s+\S/i;

/** Keys of well-known services begin so. */
const SERVICE_KEY =
  /^(?:sk|pk|rk|whsec|xox[a-z]|gh[a-z]|shpat|pat|key)[-_][\w-]{16,}$|^eyJ[\w-]{8,}\.[\w-]{8,}/i;

/** Names of headers whose long values tell something apart, and let nobody in. */
const TELLING =
  /(?:^|-)(?:id|ids|uuid|version|agent|etag|match|trace|traceparent|tracestate|type|date|time|hash|digest)$/i;

/** Whether a header lets whoever has its value in, by its name. */
export function isSecretHeader(name: string): boolean {
  if (INNOCENT_KEY.test(name)) return false;
  return (
    SECRET_WORD.test(name) || SECRET_NAME.test(name) || SECRET_END.test(name) || /authorization/i.test(name)
  );
}

/** Whether a header written out in a definition is a secret's value: by its name, or since the value looks like one. */
export function isSecretValue(header: string, value: string): boolean {
  if (isSecretHeader(header) || PROOF.test(value)) return true;
  return !INNOCENT_KEY.test(header) && !TELLING.test(header) && looksLikeKey(value.trim());
}

/** The least letters and digits in a row that a key made by chance has: 20 of 36 kinds are some 100 bits. */
const KEY_LETTERS = 20;

/** Bits a letter: of 20 letters made by chance 3.7 or more in nearly all cases, of words with a number fewer. */
const KEY_ENTROPY = 3.5;

/** Long letters and digits without any order. UUIDs, dates, versions, media types and words have none that long. */
function looksLikeKey(value: string): boolean {
  if (SERVICE_KEY.test(value)) return true;
  if (!/^[\w+/=.~-]+$/.test(value)) return false;
  return value.split(/[-_.~/=]/).some((run) => {
    if (run.length < KEY_LETTERS || !/[a-z]/i.test(run)) return false;
    // Words bring their numbers in one piece or two.
    const numbers = run.match(/\d+/g) ?? [];
    return numbers.length >= 3 && entropyOf(run) >= KEY_ENTROPY;
  });
}

/** Shannon's, in bits a letter. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts.values()].reduce((bits, n) => bits - (n / text.length) * Math.log2(n / text.length), 0);
}

/** Whether a parameter of an address lets whoever has its value in. */
export function isSecretParameter(name: string): boolean {
  return (
    /^code$/i.test(name) || SECRET_WORD.test(name) || SECRET_NAME.test(name) || /authorization/i.test(name)
  );
}

/** Incoming webhooks, whose path is their secret, and what of it may be shown. */
const SECRET_PATHS: readonly { host: RegExp; path: RegExp }[] = [
  { host: /^hooks\.slack(?:-gov)?\.com$/, path: /^\/(?:services|workflows|triggers)\/(?=.)/ },
  { host: /(?:^|\.)webhook\.office\.com$/, path: /^\/(?:webhookb2\/)?(?=.)/ },
  { host: /^outlook\.office(?:365)?\.com$/, path: /^\/webhook\/(?=.)/ },
  { host: /^(?:\w+\.)?discord(?:app)?\.com$/, path: /^\/api\/(?:v\d+\/)?webhooks\/(?=.)/ },
];

/** How an address's path begins whose rest is a secret; undefined of any other. */
export function shownPathStart({ hostname, pathname }: URL): string | undefined {
  const found = SECRET_PATHS.find(({ host }) => host.test(hostname));
  return found?.path.exec(pathname)?.[0];
}
