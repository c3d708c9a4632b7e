import {
  endOfKey,
  mayRotate,
  recogniseKey,
  type Recognised,
  SHORTEST_GRACE_HOURS,
  LONGEST_GRACE_HOURS,
} from "../../domain/keys/key-rotation.ts";
import {
  beginKeyRotation,
  listKeyRotations,
  readStoredKeyId,
  type KeyRotation,
} from "../../ledger/keys/key-rotations.ts";
import { ForbiddenError, KeyFileError, momentOf, type ApiKey, type Platform } from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";

/** A key can't be rotated, and nothing has happened. The message says why and what would mend it. */
export class KeyRotationRefusedError extends Error {
  override readonly name = "KeyRotationRefusedError";
}

/** Everybody's keys are listed: an organization has a handful, and more pages than this are no list of keys. */
const MOST_KEYS = 2_000;
const PAGE = 100;

/** All keys of the organization as the platform shows them. */
export async function listKeys(platform: Platform): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for await (const key of platform.apiKeys.iterate({ limit: PAGE, include_inactive: true })) {
    keys.push(key);
    if (keys.length >= MOST_KEYS) break;
  }
  return keys;
}

export interface KeyStatus {
  /** The file that the key is read from; undefined: the environment. */
  file: string | undefined;
  /** Why the key can't be replaced where it is; undefined: it can. */
  fixed: string | undefined;
  /** The key in use as the platform shows it. */
  key: ApiKey | undefined;
  /** Why that can't be told. */
  unknown: string | undefined;
  /** When it stops working, Unix milliseconds; undefined: never, or the platform does not say. */
  endsAtMs: number | undefined;
  lastRotation: KeyRotation | undefined;
}

const FROM_ENVIRONMENT =
  "the key comes from PLATFORM_API_KEY, which no process can change for the others: put it into a file that all of them share and name that in PLATFORM_API_KEY_FILE, then restart them";

/** The key in use: where it is kept, what the platform shows of it, and how its last rotation went. */
export async function readKeyStatus(deps: ActivityDeps): Promise<KeyStatus> {
  const { ledger, platform, keys } = deps;
  const [lastRotation] = await listKeyRotations(ledger.db, 1);
  const recognised = await recognise(deps, () => listKeys(platform));
  const key = "key" in recognised ? recognised.key : undefined;
  return {
    file: keys?.inUse.file?.path,
    fixed: whyFixed(keys),
    key,
    unknown: "unknown" in recognised ? recognised.unknown : undefined,
    endsAtMs: key && endOfKey(key, momentOf),
    lastRotation,
  };
}

function whyFixed(keys: ActivityDeps["keys"]): string | undefined {
  const file = keys?.inUse.file;
  if (!file) return FROM_ENVIRONMENT;
  try {
    file.check();
    return undefined;
  } catch (error) {
    if (error instanceof KeyFileError) return error.message;
    throw error;
  }
}

async function recognise(
  { ledger, keys }: ActivityDeps,
  list: () => Promise<ApiKey[]>,
): Promise<{ key: ApiKey } | { unknown: string }> {
  if (!keys) return { unknown: FROM_ENVIRONMENT };
  try {
    const shown = await list();
    return inWords(recogniseKey(keys.inUse.current(), shown, await readStoredKeyId(ledger.db)));
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    return { unknown: "the key may not list keys: give it the scope api_keys:write" };
  }
}

function inWords(recognised: Recognised<ApiKey>): { key: ApiKey } | { unknown: string } {
  switch (recognised.kind) {
    case "found":
      return { key: recognised.key };
    case "none":
      return {
        unknown:
          "none of the keys that the platform lists begins as the one in use: rotate it on the platform",
      };
    case "several":
      return {
        unknown: `several keys begin as the one in use (${recognised.keys.map(({ id }) => id).join(", ")}): rotate it on the platform, or delete those that nobody uses`,
      };
  }
}

/**
 * Begins a rotation of the key in use. Everything that can be known before is looked at first: whoever is refused has
 * changed nothing.
 *
 * @throws KeyRotationRefusedError
 */
export async function beginRotation(
  deps: ActivityDeps,
  input: { rotationId: string; graceHours: number; actor: string },
): Promise<void> {
  const { ledger, platform, keys } = deps;
  const { graceHours } = input;
  if (graceHours < SHORTEST_GRACE_HOURS || graceHours > LONGEST_GRACE_HOURS) {
    throw new KeyRotationRefusedError(
      `the grace must be from ${SHORTEST_GRACE_HOURS} to ${LONGEST_GRACE_HOURS} hours`,
    );
  }
  const fixed = whyFixed(keys);
  if (fixed !== undefined) throw new KeyRotationRefusedError(fixed);
  keys?.inUse.reread();
  let shown: ApiKey[] = [];
  const recognised = await recognise(deps, async () => {
    shown = await listKeys(platform);
    return shown;
  });
  if ("unknown" in recognised) throw new KeyRotationRefusedError(recognised.unknown);
  const { key } = recognised;
  if (!mayRotate(key)) {
    throw new KeyRotationRefusedError(
      "the key may not rotate keys: give it the scope api_keys:write on the platform, or rotate it there",
    );
  }
  const begun = await ledger.transaction((tx) =>
    beginKeyRotation(tx, {
      id: input.rotationId,
      oldKeyId: key.id,
      oldKeyPrefix: key.key_prefix ?? "",
      oldKeyName: key.name,
      knownKeyIds: shown.map(({ id }) => id),
      graceHours,
      actor: input.actor,
      nowMs: deps.now(),
    }),
  );
  if (!begun)
    throw new KeyRotationRefusedError(
      "a rotation of the key is under way: `outdial key rotations` shows how far it is",
    );
  deps.outbox.kick();
}

/** `beginRotation` for whoever tells people: returns why it was refused. */
export async function tryRotation(
  deps: ActivityDeps,
  input: Parameters<typeof beginRotation>[1],
): Promise<string | undefined> {
  try {
    await beginRotation(deps, input);
    return undefined;
  } catch (error) {
    if (error instanceof KeyRotationRefusedError) return error.message;
    throw error;
  }
}
