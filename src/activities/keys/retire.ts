import { lostKeys } from "../../domain/keys/key-rotation.ts";
import { resolveAllBut, resolveAttention } from "../../ledger/ground/attention.ts";
import { closeKeyRotation, moveKeyRotation, type KeyRotation } from "../../ledger/keys/key-rotations.ts";
import { ForbiddenError, NotFoundError, UnauthorizedError } from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";
import { tell, type StepResult } from "./giving-up.ts";
import { listKeys } from "./key-in-use.ts";
import { hasOwnRecord, isOldInUse } from "./verify.ts";

/** `verified`: revokes the old key and those that were lost on the way, and ends the rotation. */
export async function retire(deps: ActivityDeps, rotation: KeyRotation): Promise<StepResult> {
  const { ledger, keys } = deps;
  keys?.inUse.reread();
  // Where the old one was put back, nothing is revoked: by now its grace is over, or somebody wants it so.
  const left = isOldInUse(deps, rotation) ? [] : await revokeLost(deps, rotation);
  const isRevoked =
    hasOwnRecord(rotation) && !isOldInUse(deps, rotation) && (await revoke(deps, rotation.oldKeyId));
  const nowMs = deps.now();
  await ledger.transaction(async (tx) => {
    if (!(await moveKeyRotation(tx, rotation, { event: "ended", nowMs }))) return;
    const resolved = { by: "engine", resolution: "the key was rotated", nowMs };
    await resolveAttention(tx, { kind: "key_expiring", subject: rotation.oldKeyId, ...resolved });
    // Of this rotation, and of those that failed before it.
    await resolveAllBut(tx, { kind: "key_rotation", verb: LEFT, ...resolved });
    await tellLeft(tx, deps, rotation, left);
  });
  deps.log.info(
    { rotationId: rotation.id, newKeyId: rotation.newKeyId, revoked: isRevoked },
    "the platform's key was rotated",
  );
  return "again";
}

/** `failed`: takes back the keys that it made, as far as the key in use may. The next rotation may begin then. */
export async function takeBack(deps: ActivityDeps, rotation: KeyRotation): Promise<StepResult> {
  const { ledger, keys } = deps;
  keys?.inUse.reread();
  try {
    // A new key that was stored is not in use: as good as lost.
    const left = await revokeLost(deps, rotation);
    await tellLeft(ledger.db, deps, rotation, left);
  } catch (error) {
    // A key in use that is refused takes nothing back, and people were told.
    if (!(error instanceof UnauthorizedError || error instanceof ForbiddenError)) throw error;
  }
  keys?.inUse.file?.drop(rotation.id);
  await closeKeyRotation(ledger.db, { rotationId: rotation.id, nowMs: deps.now() });
  return "again";
}

/** Revokes the keys that nobody has. Returns the ids of those that are left to people. */
async function revokeLost(deps: ActivityDeps, rotation: KeyRotation): Promise<string[]> {
  const isFailed = rotation.state === "failed";
  const stored = isFailed && hasOwnRecord(rotation) ? rotation.newKeyId : undefined;
  const most = rotation.tries - (rotation.newKeyId === undefined ? 0 : 1);
  if (most <= 0 && stored === undefined) return [];
  const inUse = deps.keys?.inUse.current() ?? "";
  const shown = await listKeys(deps.platform);
  const lost = lostKeys(shown, rotation, inUse).map(({ id }) => id);
  // More than were asked for are somebody else's among them, and nobody can tell which.
  const ours = lost.length > most ? [] : lost;
  const left = lost.length > most ? lost : [];
  const stale = shown.find(({ id }) => id === stored);
  if (
    stale &&
    lostKeys(
      [{ ...stale, usage_count: 0, last_used_at: undefined }],
      { ...rotation, newKeyId: undefined },
      inUse,
    ).length > 0
  )
    ours.push(stale.id);
  for (const id of ours) {
    if (!(await revoke(deps, id))) left.push(id);
  }
  return left;
}

/**
 * Ends a key, or makes it inactive where keys may be written and not deleted. Called again, it does no harm.
 *
 * @returns false where the key in use may do neither.
 */
async function revoke({ platform }: ActivityDeps, keyId: string): Promise<boolean> {
  try {
    await platform.apiKeys.delete(keyId);
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return true;
    if (!(error instanceof ForbiddenError)) throw error;
  }
  try {
    await platform.apiKeys.update(keyId, { is_active: false });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return true;
    if (error instanceof ForbiddenError) return false;
    throw error;
  }
}

const LEFT = "keys";

async function tellLeft(
  tx: Parameters<typeof tell>[0],
  deps: ActivityDeps,
  rotation: KeyRotation,
  left: readonly string[],
): Promise<void> {
  if (left.length === 0) return;
  await tell(tx, deps, rotation, {
    what: `the rotation of the key left keys behind that nobody has, or that are somebody else's: ${left.join(", ")}`,
    remedy: "look at them on the platform, and revoke those that were never used",
    about: LEFT,
  });
}
