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

/** The least letters and digits that a key made by chance has: 20 of 36 kinds are some 100 bits. */
const KEY_LETTERS = 20;

/** Bits a letter: of 20 letters made by chance 3.7 or more in nearly all cases, of words with a number fewer. */
const KEY_ENTROPY = 3.5;

/** The same of hexadecimal digits, which have 4 at the most. */
const HEX_ENTROPY = 3;

/** Of two neighbours in a key of both cases, 6 in 10 are of different kinds; in words written together, 3 in 10. */
const KEY_CHANGES = 0.4;

/** Long letters and digits without any order. UUIDs, dates, versions, media types and words have none that long. */
function looksLikeKey(value: string): boolean {
  if (SERVICE_KEY.test(value)) return true;
  return /^[\w+/=.~-]+$/.test(value) && value.split(/[.~/=]/).some((part) => isWithoutOrder(part));
}

function isWithoutOrder(part: string): boolean {
  return part.split(/[-_]/).some((run) => hasManyNumbers(run)) || changesKindOften(part);
}

function hasManyNumbers(run: string): boolean {
  if (run.length < KEY_LETTERS || !/[a-z]/i.test(run)) return false;
  // Words bring their numbers in one piece or two.
  const numbers = run.match(/\d+/g) ?? [];
  return numbers.length >= 3 && entropyOf(run) >= (/^[\da-f]+$/i.test(run) ? HEX_ENTROPY : KEY_ENTROPY);
}

/** Of base64 for addresses, whose dashes may stand anywhere. */
function changesKindOften(part: string): boolean {
  if (part.replaceAll(/[-_]/g, "").length < KEY_LETTERS) return false;
  if (!/[a-z]/.test(part) || !/[A-Z]/.test(part) || !/\d/.test(part)) return false;
  const pairs = part.match(/(?=([a-z\d]{2}))/gi)?.length ?? 0;
  const changes = part.match(/(?=[a-z][A-Z\d]|[A-Z][a-z\d]|\d[a-zA-Z])/g)?.length ?? 0;
  return changes >= pairs * KEY_CHANGES;
}

/** Shannon's, in bits a letter. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts.values()].reduce((bits, n) => bits - (n / text.length) * Math.log2(n / text.length), 0);
}

/** Parameters whose long values tell something apart: `folder_id`, `listId`. */
const TELLING_PARAMETER = /[-_]?ids?$/;

/**
 * Whether a parameter of an address lets whoever has its value in.
 *
 * @param isProven something else shows who sends: a long value is no more than an id
 */
export function isSecretParameter(name: string, value: string, isProven: boolean): boolean {
  if (value === "") return false;
  if (
    /^(?:code|rlkey)$/i.test(name) ||
    SECRET_WORD.test(name) ||
    SECRET_NAME.test(name) ||
    /authorization/i.test(name)
  )
    return true;
  return !isProven && !TELLING.test(name) && !TELLING_PARAMETER.test(name) && looksLikeKey(value);
}

/** Addresses whose path is their secret, and what of it may be shown: whoever knows one may post, or read, there. */
const SECRET_PATHS: readonly { host: RegExp; path: RegExp }[] = [
  { host: /^hooks\.slack(?:-gov)?\.com$/, path: /^\/(?:services|workflows|triggers)\/(?=.)/ },
  { host: /(?:^|\.)webhook\.office\.com$/, path: /^\/(?:webhookb2\/)?(?=.)/ },
  { host: /^outlook\.office(?:365)?\.com$/, path: /^\/webhook\/(?=.)/ },
  { host: /^(?:\w+\.)?discord(?:app)?\.com$/, path: /^\/api\/(?:v\d+\/)?webhooks\/(?=.)/ },
  { host: /^api\.telegram\.org$/, path: /^\/(?:file\/)?bot(?=.)/ },
  { host: /^maker\.ifttt\.com$/, path: /^\/(?:trigger\/[^/]+\/(?:json\/)?with\/key|use)\/(?=.)/ },
  { host: /^hooks\.zapier\.com$/, path: /^\/hooks\/[\w-]+\/(?=.)/ },
  { host: /^hook\.(?:\w+\.)?(?:make\.com|make\.celonis\.com|integromat\.com)$/, path: /^\/(?=.)/ },
  { host: /^connect\.pabbly\.com$/, path: /^\/workflow\/sendwebhookdata\/(?=.)/ },
  { host: /^(?:\w+\.)?workato\.com$/, path: /^\/webhooks\/rest\/(?=.)/ },
  { host: /^hooks\.airtable\.com$/, path: /^\/workflows\/v\d+\/genericWebhook\/(?=.)/ },
  { host: /^(?:services|backend)\.leadconnectorhq\.com$/, path: /^\/hooks\/(?=.)/ },
  { host: /^api(?:-\w+)?\.hubapi\.com$/, path: /^\/automation\/v\d+\/webhook-triggers\/(?=.)/ },
  { host: /\.bitrix24\.[a-z.]+$/, path: /^\/rest\/\d+\/(?=.)/ },
  {
    host: /^(?:webexapis|api\.ciscospark)\.com$/,
    path: /^\/v1\/webhooks\/incoming\/(?=.)/,
  },
  { host: /^events\.(?:eu\.)?pagerduty\.com$/, path: /^\/(?:integration|x-ere)\/(?=.)/ },
  { host: /^alert\.victorops\.com$/, path: /^\/integrations\/generic\/\d+\/alert\/(?=.)/ },
  { host: /^open\.(?:feishu\.cn|larksuite\.com)$/, path: /^\/open-apis\/bot\/(?:v\d+\/)?hook\/(?=.)/ },
  { host: /^script\.google\.com$/, path: /^\/(?:a\/)?macros\/(?:[\w.-]+\/)?s\/(?=.)/ },
  { host: /^docs\.google\.com$/, path: /^\/\w+\/d\/e\/(?=.)/ },
  { host: /^hooks\.nabu\.casa$/, path: /^\/(?=.)/ },
];

/** Made without dashes, by clocks and counters or under a letter for what they are of: a MongoDB's, ULID, a Twilio SID. */
const LONG_ID = /^(?:[\da-f]{24}|[0-7][\dA-HJKMNP-TV-Z]{25}|[A-Z]{2}[\da-f]{32})$/;

/** Keys of services with a word before them may be words: one has letters and digits mixed behind it. */
const MIXED_RUN = /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{14,}/i;

/**
 * How an address's path begins whose rest is a secret; undefined of any other.
 *
 * @param isProven something else shows who sends: what looks like a key in it is no more than an id
 */
export function shownPathStart({ hostname, pathname }: URL, isProven = false): string | undefined {
  const known = SECRET_PATHS.find(({ host }) => host.test(hostname.replace(/\.$/, "")))?.path.exec(
    pathname,
  )?.[0];
  return known ?? (isProven ? undefined : startBeforeKey(pathname));
}

function startBeforeKey(pathname: string): string | undefined {
  let start = "";
  for (const step of pathname.split("/")) {
    if (isKeyStep(decoded(step))) return start;
    start += `${step}/`;
  }
  return undefined;
}

function isKeyStep(step: string): boolean {
  if (LONG_ID.test(step)) return false;
  return SERVICE_KEY.test(step) ? MIXED_RUN.test(step) : looksLikeKey(step);
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
