import { isShownAs, recogniseKey } from "../../domain/keys/key-rotation.ts";
import { moveKeyRotation, nameNewKey, type KeyRotation } from "../../ledger/keys/key-rotations.ts";
import { ForbiddenError, momentOf, NotFoundError, type ApiKeyUsage } from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";
import { tell, type StepResult } from "./giving-up.ts";
import { listKeys } from "./key-in-use.ts";
import { isNewKey } from "./switch-over.ts";

/** In hours of `pace.keyHourMs`. */
const LOOK_EVERY = 1 / 12;
/** Processes notice the new key within seconds: a use of the old one after this is somebody else's. */
const STRANGER_AFTER = 1 / 4;

/**
 * `switched`: waits until nobody uses the old key any more: the platform saw no use of it for an hour, or its grace
 * is over. Where the platform does not say when it was used last, that is the end of its grace.
 */
export async function verify(deps: ActivityDeps, rotation: KeyRotation): Promise<StepResult> {
  const { ledger, keys, pace } = deps;
  if (rotation.newKeyId === undefined && (await findNewKey(deps, rotation))) return "again";
  const hourMs = pace.keyHourMs;
  const graceUntilMs = await graceOf(deps, rotation);
  const isOver = deps.now() >= graceUntilMs;
  const verified = async (): Promise<StepResult> => {
    await moveKeyRotation(ledger.db, rotation, { event: "verified", graceUntilMs, nowMs: deps.now() });
    return "again";
  };
  if (isOver) return verified();
  const later = (inMs: number): StepResult => ({
    waitMs: Math.max(
      pace.lookMs,
      Math.min(inMs, graceUntilMs - deps.now() + pace.lookMs, LOOK_EVERY * hourMs),
    ),
  });
  keys?.inUse.reread();
  if (isOldInUse(deps, rotation)) {
    await tell(ledger.db, deps, rotation, {
      what: `the file of the key holds the old key again, which stops working at ${new Date(graceUntilMs).toISOString()}`,
      remedy: "see who writes that file, and `outdial key rotate` once this rotation is over",
    });
    return later(hourMs);
  }
  const usage = await usageOf(deps, rotation);
  if (usage === "gone") return verified();
  const lastUsedMs = momentOf(usage?.last_used_at);
  if (lastUsedMs === undefined) return later(hourMs);
  if (lastUsedMs > rotation.stateSinceMs + STRANGER_AFTER * hourMs) {
    await tell(ledger.db, deps, rotation, {
      what: `the old key (${rotation.oldKeyPrefix}) is still used, last at ${usage?.last_used_at} from ${usage?.last_used_ip ?? "an unknown address"}; it stops working at ${new Date(graceUntilMs).toISOString()}`,
      remedy: "give whoever that is the new key, from the file of the key",
    });
  }
  const quietAtMs = Math.max(lastUsedMs, rotation.stateSinceMs) + hourMs;
  return deps.now() >= quietAtMs ? verified() : later(quietAtMs - deps.now());
}

/**
 * Finds out which key is in use where that could not be told when it was stored: the old one had ended. Without that
 * the old one's record is not told from the new one's, and the whole grace is waited for.
 */
async function findNewKey(deps: ActivityDeps, rotation: KeyRotation): Promise<boolean> {
  const inUse = deps.keys?.inUse.current();
  if (inUse === undefined || !isNewKey(inUse, rotation)) return false;
  try {
    const recognised = recogniseKey(inUse, await listKeys(deps.platform), undefined);
    if (recognised.kind !== "found") return false;
    const { id: newKeyId, key_prefix: newKeyPrefix } = recognised.key;
    await nameNewKey(deps.ledger.db, { rotationId: rotation.id, newKeyId, newKeyPrefix, nowMs: deps.now() });
    return true;
  } catch (error) {
    if (error instanceof ForbiddenError) return false;
    throw error;
  }
}

/** Whether this process would still send the old key: it may then not be revoked. */
export function isOldInUse({ keys }: ActivityDeps, rotation: KeyRotation): boolean {
  if (!keys) return false;
  const inUse = keys.inUse.current();
  return isShownAs(inUse, rotation.oldKeyPrefix) && !isNewKey(inUse, rotation);
}

/** Whether the old key has a record of its own, which can be asked about and revoked. */
export function hasOwnRecord({ newKeyId, oldKeyId }: KeyRotation): boolean {
  return newKeyId !== undefined && newKeyId !== oldKeyId;
}

/** Until when the old key is good: the platform's word, else what it was asked for. */
async function graceOf({ platform, pace }: ActivityDeps, rotation: KeyRotation): Promise<number> {
  const asked = rotation.graceUntilMs ?? rotation.createdAtMs + rotation.graceHours * pace.keyHourMs;
  try {
    const { grace_period_ends_at: ends } = await platform.apiKeys.get(rotation.oldKeyId);
    return momentOf(ends) ?? asked;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError) return asked;
    throw error;
  }
}

async function usageOf(
  { platform }: ActivityDeps,
  rotation: KeyRotation,
): Promise<ApiKeyUsage | "gone" | undefined> {
  if (!hasOwnRecord(rotation)) return undefined;
  try {
    return await platform.apiKeys.usage(rotation.oldKeyId);
  } catch (error) {
    if (error instanceof NotFoundError) return "gone";
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  }
}
