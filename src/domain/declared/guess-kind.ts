import type { DeclaredKind } from "./documents.ts";

/** Fields that no other kind has: each says by itself what something is. */
const MARKS: readonly (readonly [DeclaredKind, field: string])[] = [
  ["automation", "workflow"],
  ["automation", "generate"],
  ["suppression-list", "numbers"],
  ["suppression-list", "file"],
  ["sequence", "steps"],
  ["trigger", "auth"],
  ["schedule", "run"],
];

/** Who calls, and how many at once. Sequences may have both, beside their steps. */
const CALLING = ["agent_id", "concurrency"] as const;

/**
 * What a definition without `kind` clearly is, by its fields. Undefined where it has those of several kinds, or of
 * none: then its problems are told by whoever wants it.
 */
export function guessKind(value: unknown): DeclaredKind | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const has = (field: string) => Object.hasOwn(value, field);
  const [only, ...others] = new Set(MARKS.filter(([, field]) => has(field)).map(([kind]) => kind));
  if (only === undefined) return CALLING.every(has) ? "campaign" : undefined;
  return others.length === 0 ? only : undefined;
}
