import { raiseAttention } from "../../ledger/ground/attention.ts";
import { moveKeyRotation, type KeyRotation } from "../../ledger/keys/key-rotations.ts";
import type { ActivityDeps } from "../deps.ts";

/** What a step came to: the next one at once, or a look later. */
export type StepResult = "again" | { waitMs: number };

export interface Trouble {
  /** What happened. */
  what: string;
  /** What a person can do. */
  remedy: string;
  /** Where it is another thing than how the rotation goes. */
  about?: string;
}

/** Where only a person can put a key in use that works. */
export const BY_HAND =
  "make a new key on the platform, write it to the file of the key, and revoke those that nobody uses";

/** A worker with other settings than the rest. */
export const NOT_FROM_A_FILE: Trouble = {
  what: "the worker has its key from PLATFORM_API_KEY, not from a file",
  remedy:
    "set PLATFORM_API_KEY_FILE to the same file, on a shared disk, for all processes; then `outdial key rotate`",
};

/** Ends a rotation that can't go on, before the new key is in use: the old one goes on being used. */
export async function giveUp(
  deps: ActivityDeps,
  rotation: KeyRotation,
  { what, remedy }: Trouble,
): Promise<StepResult> {
  const nowMs = deps.now();
  // Asked for once, its grace runs, whatever became of the answers.
  const { graceUntilMs } = rotation;
  const end =
    graceUntilMs === undefined ? "" : `; the old key may end at ${new Date(graceUntilMs).toISOString()}`;
  await deps.ledger.transaction(async (tx) => {
    if (!(await moveKeyRotation(tx, rotation, { event: "failed", error: what, nowMs }))) return;
    await tell(tx, deps, rotation, {
      what: `the platform's key could not be rotated: ${what}${end}`,
      remedy,
    });
  });
  deps.log.error({ rotationId: rotation.id, error: what }, "the platform's key could not be rotated");
  return "again";
}

/** Puts something about a rotation before people. */
export async function tell(
  tx: Parameters<typeof raiseAttention>[0],
  deps: Pick<ActivityDeps, "now">,
  rotation: Pick<KeyRotation, "id">,
  { what, remedy, about }: Trouble,
): Promise<void> {
  await raiseAttention(tx, {
    kind: "key_rotation",
    subject: about === undefined ? rotation.id : `${rotation.id} ${about}`,
    ...(about !== undefined && { about: { of: "key rotation", id: rotation.id, verb: about } }),
    brand: "default",
    summary: what,
    remedy,
    nowMs: deps.now(),
  });
}
