import { isDeepStrictEqual } from "node:util";

import { withoutSecrets } from "./literal-secrets.ts";

export interface ChangedFields {
  before: Record<string, unknown> | null;
  after: Record<string, unknown>;
}

/**
 * The fields of a document in which it differs from the one before it, as they were and as they are, for the audit: null
 * where there was none, and without what may be a secret.
 */
export function changedFields(before: object | undefined, after: object): ChangedFields {
  if (before === undefined) return { before: null, after: fieldsOf(after) };
  const was = fieldsOf(before);
  const is = fieldsOf(after);
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => !isDeepStrictEqual(was[name], is[name]),
  );
  const only = (fields: Record<string, unknown>) =>
    Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
  return { before: only(was), after: only(is) };
}

function fieldsOf(document: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => [name, withoutSecrets(value as unknown)]),
  );
}
