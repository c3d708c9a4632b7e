import { looksSecret, type EndpointName } from "../../platform/index.ts";

/*
 * What of requests and answers is secret. Arguments stand in the list of processes and in the shell's history,
 * and a screen in its scrollback: secrets go through files and standard input, and are shown only on demand.
 */

/**
 * Fields of requests and answers that hold a secret wherever they stand. Inside of free JSON (`mcp_config`,
 * `workflow_json` and their like), whose names the contract does not give, so does whatever is named like one.
 */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  "llm_api_key",
  "stt_api_key",
  "password",
  "access_token",
  // The end of an address that sets an automation off for whoever knows it.
  "webhook_slug",
]);

/** Operations whose answer carries a key that is never shown again: without a place for it, it would be lost. */
const KEYS_SHOWN_ONCE: ReadonlySet<EndpointName> = new Set(["apiKeys.create", "apiKeys.rotate"]);

/** Whether a field of a request holds a secret, or a list of them. */
export function isSecretField(name: EndpointName, field: string): "secret" | "secrets" | undefined {
  if (name === "workflows.setSecrets" && field === "secrets") return "secrets";
  return SECRET_FIELDS.has(field) ? "secret" : undefined;
}

export function showsKeyOnce(name: EndpointName): boolean {
  return KEYS_SHOWN_ONCE.has(name);
}

/** The name of the first secret in a value of free JSON that was given as an argument, however deep. */
export function secretIn(value: unknown): string | undefined {
  const { hidden } = cover(value, isSecretInside);
  return hidden[0];
}

/** What stands where a secret is not shown. */
const HIDDEN = "(hidden)";

/** A copy without its secrets, and the names of those that were there. */
export function hideSecrets(name: EndpointName, value: unknown): { shown: unknown; hidden: string[] } {
  const isOwnSecret = (field: string) =>
    SECRET_FIELDS.has(field) || (KEYS_SHOWN_ONCE.has(name) && field === "key");
  // The fields of a record are the contract's, and so are those of each row of a page.
  return cover(value, (field, depth) =>
    depth <= (isPage(value) ? 1 : 0) ? isOwnSecret(field) : isOwnSecret(field) || isSecretInside(field),
  );
}

function isSecretInside(field: string): boolean {
  return SECRET_FIELDS.has(field) || looksSecret(field);
}

function isPage(value: unknown): boolean {
  return typeof value === "object" && value !== null && Array.isArray(Reflect.get(value, "items"));
}

/** @param isSecret by a field's name, and by how many fields it stands under */
function cover(
  value: unknown,
  isSecret: (field: string, depth: number) => boolean,
): { shown: unknown; hidden: string[] } {
  const hidden = new Set<string>();
  /** @param under the name of the secret that it belongs to */
  const copy = (inner: unknown, depth: number, under: string | undefined): unknown => {
    if (Array.isArray(inner)) return inner.map((one) => copy(one, depth, under));
    if (typeof inner === "object" && inner !== null) {
      // `{"name": "Authorization", "value": "..."}`, as lists of headers are written.
      const named = [Reflect.get(inner, "name"), Reflect.get(inner, "key")].find(
        (one) => typeof one === "string" && isSecret(one, depth),
      );
      return Object.fromEntries(
        Object.entries(inner).map(([field, one]) => {
          const own = isSecret(field, depth) ? field : undefined;
          const ofPair = field === "value" && named !== undefined ? String(named) : undefined;
          return [field, copy(one, depth + 1, own ?? ofPair ?? under)];
        }),
      );
    }
    if (under === undefined || !canBeSecret(under, inner)) return inner;
    hidden.add(under);
    return HIDDEN;
  };
  return { shown: copy(value, 0, undefined), hidden: [...hidden] };
}

/** Names of numbers that count or measure, such as `max_completion_tokens` and `time_to_first_token`. */
const COUNTS = /tokens|token[-_]?(?:count|limit|budget|usage|price|cost)|(?:first|per)[-_]?token/i;

function canBeSecret(name: string, value: unknown): boolean {
  if (typeof value === "number") return !COUNTS.test(name);
  return typeof value === "string" && value !== "";
}
