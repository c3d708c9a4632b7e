/*
 * Rotation of the platform's key, as one state:
 *
 *   rotating → stored → switched → verified → done
 *   rotating, stored → failed
 *
 * rotating: the platform is asked for a new key. stored: the new key is on disk beside the one in use. switched: the
 * new key was seen to work and is the one in use. verified: nobody uses the old one any more. done: the old one is
 * revoked, or its grace is over. Once switched there is no failing: the new key works.
 */

export const KEY_ROTATION_STATES = ["rotating", "stored", "switched", "verified", "done", "failed"] as const;

export type KeyRotationState = (typeof KEY_ROTATION_STATES)[number];

/** `lost`: the stored key is gone from the disk. */
export type KeyRotationEvent = "stored" | "lost" | "switched" | "verified" | "ended" | "failed";

const NEXT: Readonly<Record<KeyRotationState, Partial<Record<KeyRotationEvent, KeyRotationState>>>> = {
  rotating: { stored: "stored", failed: "failed" },
  stored: { switched: "switched", lost: "rotating", failed: "failed" },
  switched: { verified: "verified" },
  verified: { ended: "done" },
  done: {},
  failed: {},
};

/** The state after an event; undefined where that can't happen in this one. */
export function afterEvent(state: KeyRotationState, event: KeyRotationEvent): KeyRotationState | undefined {
  return NEXT[state][event];
}

/**
 * How often the platform is asked in one rotation. Each time may leave a key behind that nobody has, and what made
 * the answer be lost four times is not over at the fifth.
 */
export const MOST_TRIES = 5;

/** Shorter than an hour, a lost answer could no longer be made up for; longer than a month is no grace. */
export const SHORTEST_GRACE_HOURS = 1;
export const LONGEST_GRACE_HOURS = 720;
export const USUAL_GRACE_HOURS = 24;

/** What the platform shows of a key (contract 2.8), as far as it is looked at here. */
export interface ShownKey {
  id: string;
  name?: string | undefined;
  key_prefix?: string | undefined;
  scopes?: readonly string[] | undefined;
  is_active?: boolean | undefined;
  usage_count?: number | undefined;
  last_used_at?: string | undefined;
  expires_at?: string | undefined;
  grace_period_ends_at?: string | undefined;
}

/** Fewer letters than this could be the same in every key. */
const SHORTEST_PREFIX = 4;

/** The beginning of a key as the platform shows it, without the stars or dots that stand for the rest. */
export function prefixOf(shown: string | undefined): string | undefined {
  const prefix = shown?.replace(/[.…*•]+$/u, "");
  return prefix !== undefined && prefix.length >= SHORTEST_PREFIX ? prefix : undefined;
}

/** Whether a key may be the one that the platform shows with this beginning. */
export function isShownAs(key: string, shown: string | undefined): boolean {
  const prefix = prefixOf(shown);
  return prefix !== undefined && key.startsWith(prefix);
}

export type Recognised<Key> =
  | { kind: "found"; key: Key }
  | { kind: "none" }
  | { kind: "several"; keys: readonly Key[] };

/**
 * Which of the platform's keys one is, by its beginning: the platform shows nothing else of them.
 *
 * @param storedId the key that the last rotation stored, which decides where several begin alike
 */
export function recogniseKey<Key extends ShownKey>(
  key: string,
  shown: readonly Key[],
  storedId: string | undefined,
): Recognised<Key> {
  const alike = shown.filter((candidate) => isShownAs(key, candidate.key_prefix));
  const [first, second] = alike.toSorted(
    (a, b) => (prefixOf(b.key_prefix)?.length ?? 0) - (prefixOf(a.key_prefix)?.length ?? 0),
  );
  if (first === undefined) return { kind: "none" };
  if (second === undefined || prefixOf(second.key_prefix) !== prefixOf(first.key_prefix))
    return { kind: "found", key: first };
  const stored = alike.find(({ id }) => id === storedId);
  return stored ? { kind: "found", key: stored } : { kind: "several", keys: alike };
}

/** Contract 5.5: delete implies write. */
export function mayRotate({ scopes }: Pick<ShownKey, "scopes">): boolean {
  // Not shown: the platform decides.
  if (scopes === undefined || scopes.length === 0) return true;
  return scopes.some((scope) => scope === "*" || scope === "api_keys:write" || scope === "api_keys:delete");
}

/**
 * When a key stops working, as far as the platform shows it: at its expiry, or at the end of its grace. Unix ms.
 *
 * @param momentOf reads a time of the platform
 */
export function endOfKey(
  { expires_at: expiresAt, grace_period_ends_at: graceEnds }: ShownKey,
  momentOf: (text: string | undefined) => number | undefined,
): number | undefined {
  const ends = [expiresAt, graceEnds].map(momentOf).filter((ms) => ms !== undefined);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

const DAY_MS = 86_400_000;

/** People are told three times: when there is time to plan, when it should be done, and when it is late. */
const WARNED_BEFORE_DAYS = [1, 7, 30] as const;

/** How many days ahead a key's end is to be told now: the narrowest of the three that it is within; undefined: not yet. */
export function warnedDays(endMs: number | undefined, nowMs: number): number | undefined {
  if (endMs === undefined) return undefined;
  return WARNED_BEFORE_DAYS.find((days) => endMs - nowMs <= days * DAY_MS);
}

/**
 * The keys that a rotation made and nobody has: they came after it began, under the old one's name, and were never
 * used. Never the key in use, whatever is said of it.
 */
export function lostKeys<Key extends ShownKey>(
  shown: readonly Key[],
  rotation: {
    knownKeyIds: readonly string[];
    oldKeyId: string;
    oldKeyName: string | undefined;
    newKeyId: string | undefined;
  },
  keyInUse: string,
): Key[] {
  return shown.filter(
    (key) =>
      !rotation.knownKeyIds.includes(key.id) &&
      key.id !== rotation.oldKeyId &&
      key.id !== rotation.newKeyId &&
      key.is_active !== false &&
      key.name === rotation.oldKeyName &&
      (key.usage_count ?? 0) === 0 &&
      key.last_used_at === undefined &&
      !isShownAs(keyInUse, key.key_prefix),
  );
}
