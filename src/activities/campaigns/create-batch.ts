import { isPastDialBy } from "../../domain/campaigns/batch-state.ts";
import { phaseOfBatch } from "../../domain/campaigns/platform-batch.ts";
import { readBatch, type Batch } from "../../ledger/campaigns/batches.ts";
import { readInstallation } from "../../ledger/ground/installation.ts";
import { ConflictError, NotFoundError, PlatformError, type BatchCall } from "../../platform/index.ts";
import { installationMark, writeBatchName } from "./batch-name.ts";
import { hasBegun } from "./batch-reading.ts";
import { holdAsRestored, holdAsUnknown, isBehind } from "./restore-check.ts";
import { knowAgent } from "./look-at-agent.ts";
import { DONE, noteStep, stepOf, type BatchStep } from "./batch-step.ts";
import { endOfCreateTrouble, noteTrouble, PATIENT_AFTER_TRIES } from "./batch-troubles.ts";
import { batchStep, noteStepFailure } from "../ground/failing-steps.ts";
import { linkWork, noteWork } from "../../tracing/work.ts";
import type { ActivityDeps } from "../deps.ts";
import {
  excludeRefusedContacts,
  isRefusal,
  pauseForPeople,
  pauseOrWaitForCredit,
  stopOne,
} from "./platform-refusal.ts";
import { areDamaged, excludeDamaged, openContacts } from "./open-contacts.ts";
import { noteCreated, takeApart } from "./unanswered-creates.ts";
import { recordCreated, reserveCreate } from "../../ledger/campaigns/batch-steps.ts";

export interface BatchInput {
  batchId: string;
  /** The step that the batch's workflow was told to take last; absent at its beginning. */
  lastStep?: BatchStep["next"] | undefined;
  /** When the ledger had it, as far as that workflow knows: when it was planned, or it was started. Unix milliseconds. */
  startedAtMs?: number;
}

/**
 * Creates the platform batch, which dials nobody.
 *
 * Safe to retry: every request goes out under a name of its own, and only the one whose id was recorded can
 * ever be started. One that was created without an answer is found by its name later, and deleted.
 */
export async function createBatch(deps: ActivityDeps, input: BatchInput): Promise<BatchStep> {
  return noteStep(deps, input.batchId, await create(deps, input));
}

async function create(deps: ActivityDeps, input: BatchInput): Promise<BatchStep> {
  const batch = await readOwnBatch(deps, input);
  if (!batch) return DONE;
  if (batch.state !== "planned") return stepOf(batch, deps.pace, deps.now());
  if (isPastDialBy(batch, deps.now())) {
    // None of its creates can be started any more, answered or not: nobody of it was dialed.
    await stopOne(deps, batch.id, "window");
    deps.wake.campaign(batch.campaignId);
    deps.outbox.kick();
    return stepNow(deps, batch.id);
  }
  // One that has it wait or pause takes this batch back: then nothing is reserved.
  await knowAgent(deps, batch);
  // Whoever is called without what the agent is to know is called in vain: nothing is created before all of it opens.
  const { contacts, unopened } = await openContacts(deps, batch);
  // A key that is missing is what people have to know of first.
  const first = unopened.find(({ why }) => why.isKeyMissing) ?? unopened[0];
  if (first) {
    if (await areDamaged(deps, unopened)) await excludeDamaged(deps, batch, unopened);
    else await pauseForPeople(deps, batch, first.why.message);
    return stepNow(deps, batch.id);
  }
  const createNo = await reserveCreate(deps.ledger.db, batch.id);
  if (createNo === undefined) return stepNow(deps, batch.id);
  // It was stopped since it was read: its attempts are given back already.
  if (contacts.length === 0) return { ...(await stepNow(deps, batch.id)), waitMs: deps.pace.lookMs };
  linkWork(contacts.map((contact) => contact.trace_parent ?? undefined));
  let created: BatchCall;
  try {
    created = await sendCreate(deps, batch, createNo, contacts);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const phones = contacts.map((contact) => contact.phone);
    if (!isRefusal(error)) return afterNoAnswer(deps, batch, error, { createNo, phones });
    if (!(await excludeRefusedContacts(deps, batch, error, phones)))
      await pauseOrWaitForCredit(deps, batch, error);
    return stepNow(deps, batch.id);
  }
  noteCreated(
    deps,
    batch,
    contacts.map((contact) => contact.phone),
  );
  if (await recordCreated(deps.ledger.db, batch.id, created.batch_call_id, deps.now())) {
    if (batch.trouble === "not_created") await endOfCreateTrouble(deps, batch.id);
  } else {
    // It was stopped meanwhile, or another try was faster: this one will never be started.
    await deleteUnstarted(deps, created.batch_call_id);
  }
  return stepNow(deps, batch.id);
}

/** A create that may have had its effect: it is sent again, unless it is seen to be about this batch alone. */
async function afterNoAnswer(
  deps: ActivityDeps,
  batch: Batch,
  error: PlatformError,
  { createNo, phones }: { createNo: number; phones: readonly string[] },
): Promise<BatchStep> {
  deps.log.warn(
    { batchId: batch.id, error: error.message },
    "a create was not confirmed; it is sent again under another name",
  );
  await noteStepFailure(deps, batchStep(batch.id, "create"), error, createNo);
  await noteTrouble(deps, batch, { trouble: "not_created", detail: error.message });
  const { isTaken, tries } = await takeApart(deps, batch, error, phones);
  if (isTaken) return stepNow(deps, batch.id);
  const untilDialByMs = Math.max(0, (batch.dialByMs ?? Number.POSITIVE_INFINITY) - deps.now());
  return { next: "create", waitMs: Math.min(retryIn(deps, error, Math.max(createNo, tries)), untilDialByMs) };
}

/** A platform that has not answered for an hour is asked four times an hour. */
const PATIENT_MS = 15 * 60_000;

/**
 * Doubling, up to a minute: a create without an answer harms nobody, nor does a start that did not happen, and a
 * platform that is down is not helped by more. After an hour it is longer: each create may have made a batch.
 *
 * @param tries so far, from 1
 */
export function retryIn(deps: ActivityDeps, error: PlatformError, tries: number): number {
  const longestMs = tries > PATIENT_AFTER_TRIES ? PATIENT_MS : 60_000;
  const backoffMs = Math.min(longestMs, deps.pace.lookMs * 2 ** Math.min(tries - 1, 10));
  return Math.max(error.retryAfterMs ?? 0, backoffMs);
}

async function sendCreate(
  deps: ActivityDeps,
  batch: Batch,
  createNo: number,
  contacts: readonly { phone: string; variables: Record<string, string> }[],
): Promise<BatchCall> {
  const installation = await readInstallation(deps.ledger.db);
  return deps.platform.batchCalls.create({
    agent_id: batch.agentId,
    from_number: batch.fromNumber,
    name: writeBatchName({
      installation: installationMark(installation.installationId),
      campaignId: batch.campaignId,
      batchId: batch.id,
      createNo,
    }),
    contacts: contacts.map(({ phone, variables }) =>
      Object.keys(variables).length === 0
        ? { phone_number: phone }
        : { phone_number: phone, dynamic_variables: variables },
    ),
    max_concurrent_calls: batch.slots,
    // Retries, their spacing and their windows are ours alone: left out, the platform dials again by itself.
    retry_attempts: 0,
  });
}

/**
 * The batch of a workflow. Undefined where the ledger does not have it, or has it as it was before what the
 * workflow did already: then it was restored, and all dialing is held.
 */
export async function readOwnBatch(deps: ActivityDeps, input: BatchInput): Promise<Batch | undefined> {
  const { batchId, lastStep, startedAtMs = deps.now() } = input;
  const { db } = deps.ledger;
  const isOwn = (batch: Batch | undefined) => batch && !isBehind(batch, lastStep);
  let batch = await readBatch(db, batchId);
  noteWork({ campaignId: batch?.campaignId }, batch?.traceParent);
  if (isOwn(batch)) return batch;
  // Asked again: a recovery may have come to its end behind the first answer.
  const seenIn = await readInstallation(db);
  batch = await readBatch(db, batchId);
  if (isOwn(batch)) return batch;
  if (batch) await holdAsRestored(deps, `a batch is ${batch.state} again`, seenIn);
  else await holdAsUnknown(deps, { what: `batch ${batchId}`, startedAtMs });
  return undefined;
}

async function stepNow(deps: ActivityDeps, batchId: string): Promise<BatchStep> {
  const batch = await readBatch(deps.ledger.db, batchId);
  return batch ? stepOf(batch, deps.pace, deps.now()) : DONE;
}

/**
 * Deletes a platform batch of ours that was never started. Failing is harmless: it dials nobody. One that has
 * begun all the same is left alone, and all dialing is held: the ledger was restored.
 *
 * @returns whether it is gone.
 */
export async function deleteUnstarted(deps: ActivityDeps, platformBatchId: string): Promise<boolean> {
  const seenIn = await readInstallation(deps.ledger.db);
  try {
    const view = await deps.platform.batchCalls.get(platformBatchId);
    // Somebody may have cancelled it on the platform before anything was dialed.
    const isUntouched = view.active === 0 && view.processed === 0 && view.started_at === undefined;
    const isQuiet = phaseOfBatch(view) === "terminal" || phaseOfBatch(view) === "paused";
    if (hasBegun(view) && !(isQuiet && isUntouched)) {
      // The ledger is wrong, and what the batch shows is the only proof of whom it dialed.
      await holdAsRestored(deps, "the platform has begun a batch that was never started", seenIn);
      return false;
    }
    await deps.platform.batchCalls.delete(platformBatchId);
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return true;
    if (!(error instanceof PlatformError)) throw error;
    const level = error instanceof ConflictError ? "error" : "warn";
    deps.log[level](
      { platformBatchId, error: error.message },
      "a batch that was never started could not be deleted",
    );
    return false;
  }
}
