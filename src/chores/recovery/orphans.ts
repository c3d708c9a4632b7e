import { readInstallation } from "../../ledger/ground/installation.ts";
import { takePass } from "../../ledger/ground/passes.ts";
import type { BatchCall } from "../../platform/index.ts";
import { installationMark, readBatchName } from "../../activities/campaigns/batch-name.ts";
import { deleteUnstarted } from "../../activities/campaigns/create-batch.ts";
import type { ActivityDeps } from "../../activities/deps.ts";
import { newestPages } from "../../activities/campaigns/unknown-starts.ts";
import type { Tally } from "./tally.ts";
import { listUnaccountedCreates } from "../../ledger/campaigns/batch-steps.ts";

/*
 * Batches that were created without an answer, while the batch which they were created for is sent again, or shown by
 * the platform only after its end. They dial nobody, and lie about on the platform.
 *
 * 1. They are looked for only while the ledger knows of a create whose answer never came.
 * 2. Only what carries this installation's mark and the name of such a batch is one, is not the batch's own, and was
 *    never started. One that has begun all the same is left alone, and all dialing is held.
 * 3. A batch that is still being created has those of its earlier tries deleted; its last one may be on its way.
 */

/** Where they show at all they show within minutes; a create that had no effect shows never. */
const LOOKED_FOR_MS = 48 * 60 * 60_000;

/** So long they are looked for in each pass; then this far apart. */
const EAGER_MS = 60 * 60_000;

/** Of the listing, newest first as far as its order can be told: more is not listed while they are new. */
const MAX_PAGES = 10;

/** Each is looked at and deleted: two requests. The next pass goes on. */
const DELETED_A_PASS = 20;

export async function deleteLateOrphans(deps: ActivityDeps, tally: Tally): Promise<void> {
  const { db } = deps.ledger;
  const nowMs = deps.now();
  const creates = await listUnaccountedCreates(db, nowMs - LOOKED_FOR_MS);
  if (creates.length === 0 || !(await isDue(deps, Math.max(...creates.map((one) => one.plannedAtMs)))))
    return;
  const { installationId } = await readInstallation(db);
  const mark = installationMark(installationId);
  const wanted = new Map(creates.map((one) => [one.batchId, one]));
  const isOrphan = ({ batch_call_id: id, name }: BatchCall) => {
    const named = readBatchName(name);
    const of = named?.installation === mark ? wanted.get(named.batchId) : undefined;
    if (!named || !of || of.platformBatchId === id) return false;
    return of.sendingNo === undefined || named.createNo < of.sendingNo;
  };
  const orphans = new Set<string>();
  const oldestMs = Math.min(...creates.map((one) => one.plannedAtMs));
  for await (const page of newestPages(deps, oldestMs, MAX_PAGES)) {
    for (const row of page) if (isOrphan(row)) orphans.add(row.batch_call_id);
  }
  tally.found("orphans", orphans.size);
  for (const id of [...orphans].slice(0, DELETED_A_PASS)) {
    if (await deleteUnstarted(deps, id)) tally.settled("orphans");
  }
}

/** Whether they are to be looked for in this pass. */
async function isDue({ ledger, now }: ActivityDeps, newestMs: number): Promise<boolean> {
  const nowMs = now();
  if (nowMs - newestMs < EAGER_MS) return true;
  return takePass(ledger.db, { name: "late orphans", everyMs: EAGER_MS, nowMs });
}
