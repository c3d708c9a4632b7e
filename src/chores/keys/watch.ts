import { endOfKey, warnedDays } from "../../domain/keys/key-rotation.ts";
import { listAttention, raiseAttention, resolveAttention } from "../../ledger/ground/attention.ts";
import { readOpenKeyRotation } from "../../ledger/keys/key-rotations.ts";
import type { ActivityDeps } from "../../activities/deps.ts";
import { momentOf, UnauthorizedError } from "../../platform/index.ts";
import { BY_HAND } from "../../activities/keys/giving-up.ts";
import { readKeyStatus, type KeyStatus } from "../../activities/keys/key-in-use.ts";

/**
 * Looks when the key in use stops working, and tells people in time.
 *
 * Safe to repeat: people are told once for each of the three times that matter.
 */
export async function watchKey(deps: ActivityDeps): Promise<void> {
  const { ledger } = deps;
  const nowMs = deps.now();
  // Its own end brings the next look: meanwhile the old key has an end, as it should.
  if (await readOpenKeyRotation(ledger.db)) return;
  const used = deps.keys?.inUse.current();
  /** While the platform was asked: what it said is of a key that nobody uses any more, and the next look asks again. */
  const isReplaced = async () =>
    deps.keys?.inUse.current() !== used || (await readOpenKeyRotation(ledger.db)) !== undefined;
  const status = await statusUnlessRefused(deps, isReplaced);
  if (!status || (await isReplaced())) return;
  const { key, fixed } = status;
  if (!key) return;
  await resolveOthers(deps, key.id);
  const endsAtMs = endOfKey(key, momentOf);
  const days = warnedDays(endsAtMs, nowMs);
  if (endsAtMs === undefined || days === undefined) {
    await resolveAttention(ledger.db, {
      kind: "key_expiring",
      subject: key.id,
      by: "engine",
      resolution: "it does not end soon any more",
      nowMs,
    });
    return;
  }
  const why = key.grace_period_ends_at === undefined ? "expires" : "was rotated, and stops working";
  const summary = `the platform's key ${key.key_prefix ?? key.id} ${why} at ${new Date(endsAtMs).toISOString()}, in less than ${days === 1 ? "a day" : `${days} days`}: nothing is dialed without it`;
  const { items } = await listAttention(ledger.db, {
    kind: "key_expiring",
    subject: key.id,
    resolved: true,
    limit: 200,
  });
  // Told already, and maybe dealt with already.
  if (items.some((item) => item.summary === summary)) return;
  await raiseAttention(ledger.db, {
    kind: "key_expiring",
    subject: key.id,
    brand: "default",
    summary,
    remedy: fixed === undefined ? "`outdial key rotate`" : `${fixed}; then \`outdial key rotate\``,
    nowMs,
  });
}

/** In the place of an id: the platform says nothing of a key that it refuses. */
const IN_USE = "in use";

/** The key in use; undefined where the platform refuses it, which people are told of. */
async function statusUnlessRefused(
  deps: ActivityDeps,
  isReplaced: () => Promise<boolean>,
): Promise<KeyStatus | undefined> {
  const { ledger, now } = deps;
  try {
    const status = await readKeyStatus(deps);
    await resolveAttention(ledger.db, {
      kind: "key_expiring",
      subject: IN_USE,
      by: "engine",
      resolution: "the platform takes the key in use",
      nowMs: now(),
    });
    return status;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    if (await isReplaced()) return undefined;
    await raiseAttention(ledger.db, {
      kind: "key_expiring",
      subject: IN_USE,
      brand: "default",
      summary: `the platform refuses the key in use: nothing is dialed, and nothing else is done there (${error.message})`,
      remedy: BY_HAND,
      nowMs: now(),
    });
    return undefined;
  }
}

/** What was said of keys that are not in use any more, however they were replaced. */
async function resolveOthers({ ledger, now }: ActivityDeps, keyId: string): Promise<void> {
  const { items } = await listAttention(ledger.db, { kind: "key_expiring", resolved: false, limit: 200 });
  for (const { subject } of items) {
    if (subject === keyId || subject === IN_USE) continue;
    await resolveAttention(ledger.db, {
      kind: "key_expiring",
      subject,
      by: "engine",
      resolution: "another key is in use",
      nowMs: now(),
    });
  }
}
