import { isHidden, withoutSecrets } from "../ground/literal-secrets.ts";

/** One field in which what is declared differs from what is there. Undefined: the field is not there. */
export interface FieldChange {
  field: string;
  before: string | undefined;
  after: string | undefined;
}

/** Longer texts are cut: a difference is read by people. */
const SHOWN_CHARS = 120;

/** More than this nobody reads. */
const MOST_CHANGES = 200;

/** Where two JSON values differ, field by field, in the order of the first; at most 200. */
export function fieldChanges(before: unknown, after: unknown): FieldChange[] {
  const changes: FieldChange[] = [];
  walk("", before, after, changes);
  return changes;
}

function walk(field: string, before: unknown, after: unknown, changes: FieldChange[]): void {
  if (changes.length >= MOST_CHANGES) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    for (let index = 0; index < length; index += 1)
      walk(`${field}[${index}]`, before[index], after[index], changes);
    return;
  }
  if (isGroup(before) && isGroup(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      walk(field === "" ? name : `${field}.${name}`, before[name], after[name], changes);
    return;
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const text = isHidden(field)
    ? hiddenText
    : (value: unknown) => textOf(withoutSecrets(value, field.split(".").at(-1)));
  changes.push({ field: field === "" ? "(whole)" : field, before: text(before), after: text(after) });
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A difference is printed: a secret's value that somebody wrote out is not. */
function hiddenText(value: unknown): string | undefined {
  return typeof value === "string" ? "(not shown)" : textOf(value);
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}...` : text;
}
