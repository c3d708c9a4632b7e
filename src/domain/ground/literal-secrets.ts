import { isSecretHeader, isSecretParameter, isSecretValue, shownPathStart } from "./secret-signs.ts";
import type { SpecProblem } from "./spec-problems.ts";

/*
 * Secrets in definitions stand there by their names. These are the places where a value could be written out.
 */

/** Names that nobody gives: long hexadecimal digits, UUIDs, and what begins as keys of well-known services do. */
const VALUE_AS_NAME =
  /^(?:[\da-f]{32,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?:sk|pk|rk|whsec|xox[a-z]|gh[a-z]|shpat|pat|key)[-_][\w-]{16,})$/;

/** What is said of such a field: never its value. */
const LITERAL_SECRET =
  "holds a secret itself: give it in a header, or wherever it is wanted, by its name, such as { secret: crm }, and its value in OUTDIAL_SECRET_CRM or a file crm in OUTDIAL_SECRETS_DIR";

/** Of an address, which may be a secret as a whole. */
const LITERAL_ADDRESS =
  "holds a secret itself: give the whole address by a name, url: { secret: crm }, and its value in OUTDIAL_SECRET_CRM or a file crm in OUTDIAL_SECRETS_DIR, or what is secret of it in a header in the same way";

/** Every place of a definition that holds a secret's value: what is stored is shown, exported and written down. */
export function literalSecretProblems(definition: unknown): SpecProblem[] {
  return literalSecrets(definition).map((field) => ({
    field,
    problem: /(?:webhook|contacts)\.url$/.test(field) ? LITERAL_ADDRESS : LITERAL_SECRET,
  }));
}

/** Fields that hold a secret's value instead of its name. */
export function literalSecrets(value: unknown, path = ""): string[] {
  return inside(value, path, (field, inner, at, beside) => {
    if (field === "headers" && isGroup(inner)) {
      return Object.entries(inner).flatMap(([header, given]) =>
        typeof given === "string"
          ? isSecretValue(header, given)
            ? [`${at}.${header}`]
            : []
          : literalSecrets(given, `${at}.${header}`),
      );
    }
    if (field === "secret" && typeof inner === "string") return VALUE_AS_NAME.test(inner) ? [at] : [];
    if (field === "url" && typeof inner === "string") return hasSecret(inner, isProven(beside)) ? [at] : [];
    return literalSecrets(inner, at);
  });
}

/** Whether what stands in a field must not be shown, since it may be a secret's value. */
export function isHidden(field: string): boolean {
  const steps = field.split(".");
  const mayHoldValues = steps.at(-2) === "headers" || field.startsWith("workflow");
  return mayHoldValues && isSecretHeader(steps.at(-1) ?? "");
}

/** An address that brings a password, a parameter such as `api_key`, or a path that nobody else may know. */
function hasSecret(address: string, proven: boolean): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.username !== "" || url.password !== "" || shownPathStart(url, proven) !== undefined) return true;
  return [...url.searchParams, ...new URLSearchParams(url.hash.slice(1))].some(([name, given]) =>
    isSecretParameter(name, given, proven),
  );
}

/** Whether a request shows who sends it by something else than its address: a signature, or a secret in a header. */
function isProven(beside: unknown): boolean {
  if (!isGroup(beside)) return false;
  const { secret, headers } = beside;
  return typeof secret === "string" || (isGroup(headers) && Object.values(headers).some(isGroup));
}

const NOT_SHOWN = "(not shown)";

/**
 * A definition as it may be shown: without the secrets' values that `literalSecrets` finds.
 *
 * @param field the name of the field that holds the value
 * @param beside what holds that field
 */
export function withoutSecrets(value: unknown, field = "", beside?: unknown): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => withoutSecrets(inner));
  if (typeof value === "string") {
    const proven = isProven(beside);
    if (field === "url" && hasSecret(value, proven)) return addressWithoutSecrets(new URL(value), proven);
    return field === "secret" && VALUE_AS_NAME.test(value) ? NOT_SHOWN : value;
  }
  return isGroup(value) ? groupWithoutSecrets(value, field === "headers") : value;
}

function groupWithoutSecrets(group: Record<string, unknown>, isHeaders: boolean): Record<string, unknown> {
  const shown = (name: string, inner: unknown) => {
    if (!isHeaders) return withoutSecrets(inner, name, group);
    return typeof inner === "string" && isSecretValue(name, inner) ? NOT_SHOWN : withoutSecrets(inner);
  };
  return Object.fromEntries(Object.entries(group).map(([name, inner]) => [name, shown(name, inner)]));
}

function addressWithoutSecrets(url: URL, proven: boolean): string {
  const { protocol, username, password, host, searchParams } = url;
  const start = shownPathStart(url, proven);
  const path = start === undefined ? url.pathname : `${start}${NOT_SHOWN}`;
  const user = username === "" && password === "" ? "" : `${NOT_SHOWN}@`;
  const parameters = [...searchParams].map(
    ([name, given]) =>
      `${name}=${isSecretParameter(name, given, proven) ? NOT_SHOWN : encodeURIComponent(given)}`,
  );
  return `${protocol}//${user}${host}${path}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}`;
}

function inside(
  value: unknown,
  path: string,
  look: (field: string, inner: unknown, path: string, beside: unknown) => string[],
): string[] {
  if (Array.isArray(value))
    return value.flatMap((inner: unknown, index) => look("", inner, `${path}[${index}]`, value));
  if (!isGroup(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) =>
    // What the platform's own JSON calls so is its affair.
    field === "workflow" && path === ""
      ? []
      : look(field, inner, path === "" ? field : `${path}.${field}`, value),
  );
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
