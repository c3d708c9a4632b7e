import type { SpecProblem } from "../spec-problems.ts";

/*
 * Secrets in definitions stand there by their names. These are the places where a value could be written out.
 */

/** Headers, and parameters of an address, whose value lets whoever has it in. */
const SECRET_WORD =
  /^(?:proxy-)?authorization$|^(?:auth|key|sig|signature)$|cookie|token|secret|password|(?:api|access)[-_]?key/i;

/** Names that nobody gives: long hexadecimal digits, UUIDs, and what begins as keys of well-known services do. */
const VALUE_AS_NAME =
  /^(?:[\da-f]{32,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?:sk|pk|rk|whsec|xox[a-z]|gh[a-z]|shpat|pat|key)[-_][\w-]{16,})$/;

/** What proves who sends, whatever the header is called. */
const PROOF = /^(?:bearer|basic|digest|token|api-?key)\s+\S/i;

function isProof(header: string, value: string): boolean {
  return SECRET_WORD.test(header) || PROOF.test(value);
}

/** What is said of such a field: never its value. */
const LITERAL_SECRET =
  "holds a secret itself: give it in a header, or wherever it is wanted, by its name, such as { secret: crm }, and its value in OUTDIAL_SECRET_CRM or a file crm in OUTDIAL_SECRETS_DIR";

/** Every place of a definition that holds a secret's value: what is stored is shown, exported and written down. */
export function literalSecretProblems(definition: unknown): SpecProblem[] {
  return literalSecrets(definition).map((field) => ({ field, problem: LITERAL_SECRET }));
}

/** Fields that hold a secret's value instead of its name. */
export function literalSecrets(value: unknown, path = ""): string[] {
  return inside(value, path, (field, inner, at) => {
    if (field === "headers" && isGroup(inner)) {
      return Object.entries(inner).flatMap(([header, given]) =>
        typeof given === "string"
          ? isProof(header, given)
            ? [`${at}.${header}`]
            : []
          : literalSecrets(given, `${at}.${header}`),
      );
    }
    if (field === "secret" && typeof inner === "string") return VALUE_AS_NAME.test(inner) ? [at] : [];
    if (field === "url" && typeof inner === "string") return hasSecret(inner) ? [at] : [];
    return literalSecrets(inner, at);
  });
}

/** Whether what stands in a field must not be shown, since it may be a secret's value. */
export function isHidden(field: string): boolean {
  const steps = field.split(".");
  const mayHoldValues = steps.at(-2) === "headers" || field.startsWith("workflow");
  return mayHoldValues && SECRET_WORD.test(steps.at(-1) ?? "");
}

/** An address that brings a password, or a parameter such as `api_key`. */
function hasSecret(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password, searchParams } = new URL(address);
  if (username !== "" || password !== "") return true;
  return [...searchParams].some(([name, given]) => given !== "" && SECRET_WORD.test(name));
}

const NOT_SHOWN = "(not shown)";

/**
 * A definition as it may be shown: without the secrets' values that `literalSecrets` finds.
 *
 * @param field the name of the field that holds the value
 */
export function withoutSecrets(value: unknown, field = ""): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => withoutSecrets(inner));
  if (typeof value === "string") {
    if (field === "url" && hasSecret(value)) return addressWithoutSecrets(new URL(value));
    return field === "secret" && VALUE_AS_NAME.test(value) ? NOT_SHOWN : value;
  }
  return isGroup(value) ? groupWithoutSecrets(value, field === "headers") : value;
}

function groupWithoutSecrets(group: Record<string, unknown>, isHeaders: boolean): Record<string, unknown> {
  const shown = (name: string, inner: unknown) => {
    if (!isHeaders) return withoutSecrets(inner, name);
    return typeof inner === "string" && isProof(name, inner) ? NOT_SHOWN : withoutSecrets(inner);
  };
  return Object.fromEntries(Object.entries(group).map(([name, inner]) => [name, shown(name, inner)]));
}

function addressWithoutSecrets({ protocol, username, password, host, pathname, searchParams }: URL): string {
  const user = username === "" && password === "" ? "" : `${NOT_SHOWN}@`;
  const parameters = [...searchParams].map(
    ([name, given]) =>
      `${name}=${given !== "" && SECRET_WORD.test(name) ? NOT_SHOWN : encodeURIComponent(given)}`,
  );
  return `${protocol}//${user}${host}${pathname}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}`;
}

function inside(
  value: unknown,
  path: string,
  look: (field: string, inner: unknown, path: string) => string[],
): string[] {
  if (Array.isArray(value))
    return value.flatMap((inner: unknown, index) => look("", inner, `${path}[${index}]`));
  if (!isGroup(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) =>
    // What the platform's own JSON calls so is its affair.
    field === "workflow" && path === "" ? [] : look(field, inner, path === "" ? field : `${path}.${field}`),
  );
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
