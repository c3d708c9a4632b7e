import { isShownAs } from "../../domain/keys/key-rotation.ts";
import { lockKeyRotation, moveKeyRotation, type KeyRotation } from "../../ledger/keys/key-rotations.ts";
import {
  ForbiddenError,
  InvalidRequestError,
  KeyFileError,
  NotFoundError,
  UnauthorizedError,
} from "../../platform/index.ts";
import type { ActivityDeps, PlatformKeys } from "../deps.ts";
import { giveUp, NOT_FROM_A_FILE, type StepResult } from "./giving-up.ts";

/** A platform's new keys are known everywhere within seconds; after this part of an hour one that is refused is no good. */
const UNTIL_IT_WORKS = 1 / 6;

/** `stored`: sees that the new key works, then puts it in the place of the old one. */
export async function switchOver(deps: ActivityDeps, rotation: KeyRotation): Promise<StepResult> {
  const { keys, pace } = deps;
  const file = keys?.inUse.file;
  if (!keys || !file) {
    // Another worker stored it, and may be the next to be asked.
    if (deps.now() < (rotation.graceUntilMs ?? 0)) return { waitMs: pace.lookMs };
    return giveUp(deps, rotation, NOT_FROM_A_FILE);
  }
  try {
    const staged = file.staged(rotation.id);
    keys.inUse.reread();
    if (staged === undefined) return await settle(deps, rotation, isNewKey(keys.inUse.current(), rotation));
    const inUse = keys.inUse.current();
    if (inUse === staged) return "again";
    if (!isShownAs(inUse, rotation.oldKeyPrefix)) {
      return await giveUp(deps, rotation, {
        what: "somebody put another key in use meanwhile",
        remedy: "if that one is good, nothing is left to do",
      });
    }
    const refusal = await tryOut(keys, rotation, staged);
    if (refusal !== undefined) {
      if (deps.now() - rotation.stateSinceMs < UNTIL_IT_WORKS * pace.keyHourMs)
        return { waitMs: pace.lookMs };
      await useOld(deps, rotation);
      return await giveUp(deps, rotation, {
        what: `the platform gave a new key and refuses it (${refusal})`,
        remedy: "the old key is still in use: ask whoever runs the platform, then `outdial key rotate`",
      });
    }
    await deps.ledger.transaction(async (tx) => {
      const now = await lockKeyRotation(tx, rotation.id);
      if (now?.state !== "stored" || file.staged(rotation.id) === undefined) return;
      file.use(rotation.id);
      await moveKeyRotation(tx, now, { event: "switched", nowMs: deps.now() });
    });
    keys.inUse.reread();
    return "again";
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    return giveUp(deps, rotation, { what: error.message, remedy: "mend that, then `outdial key rotate`" });
  }
}

/** Whether a key is the new one, as far as its beginning says. */
export function isNewKey(key: string, rotation: KeyRotation): boolean {
  const { newKeyPrefix, oldKeyPrefix } = rotation;
  return newKeyPrefix === undefined ? !isShownAs(key, oldKeyPrefix) : isShownAs(key, newKeyPrefix);
}

/** What was stored is not there any more: it is in use, or it is gone and has to be asked for again. */
async function settle(deps: ActivityDeps, rotation: KeyRotation, inUse: boolean): Promise<StepResult> {
  if (!inUse)
    deps.log.warn({ rotationId: rotation.id }, "the new key is gone from the disk; another one is asked for");
  const event = inUse ? "switched" : "lost";
  await moveKeyRotation(deps.ledger.db, rotation, { event, nowMs: deps.now() });
  return "again";
}

/**
 * Makes sure that the key in use works before the new one is dropped: where both are refused, the new one may be the
 * only one that is left once the platform takes keys again.
 *
 * @throws UnauthorizedError where it is refused.
 */
async function useOld({ platform }: ActivityDeps, { oldKeyId }: KeyRotation): Promise<void> {
  try {
    await platform.apiKeys.get(oldKeyId);
  } catch (error) {
    if (!(error instanceof NotFoundError || error instanceof ForbiddenError)) throw error;
  }
}

/** Asks the platform something with the new key. Returns its refusal; undefined: the key works. */
async function tryOut(
  keys: PlatformKeys,
  rotation: KeyRotation,
  staged: string,
): Promise<string | undefined> {
  let platform;
  try {
    platform = keys.open(staged);
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.message;
    throw error;
  }
  try {
    await platform.apiKeys.get(rotation.newKeyId ?? rotation.oldKeyId);
    return undefined;
  } catch (error) {
    // It was let in, and there is no such key: that is another matter.
    if (error instanceof NotFoundError) return undefined;
    if (error instanceof UnauthorizedError || error instanceof ForbiddenError) return error.message;
    throw error;
  } finally {
    await platform.close();
  }
}
