import type { Batch } from "../../ledger/campaigns/batches.ts";
import { readInstallation, reportRestored, type Installation } from "../../ledger/ground/installation.ts";
import { PlatformError } from "../../platform/index.ts";
import type { BatchStep } from "./batch-step.ts";
import type { ActivityDeps } from "../deps.ts";
import { findUnknownStart } from "./unknown-starts.ts";

/*
 * A ledger that is older than reality dials people again (I1). Whoever knows better says so, and nothing is
 * dialed until `outdial recover`: a campaign's workflow by how often it was planned (planning), a batch's workflow
 * by how far it had come, an enrolment's and a follow-up's by being unknown, Temporal by workflows that have ended
 * (temporal/ensure.ts), and the platform by what it has begun (unknown-starts).
 */

type Step = BatchStep["next"];

/** Whether a batch is behind the step that its own workflow was told to take last. */
export function isBehind({ state, startNo }: Batch, lastStep: Step | undefined): boolean {
  if (lastStep === "start") return state === "planned";
  // Created again after a start that did not happen: another try of the same step may have seen it `starting`.
  return lastStep === "tend" && (state === "planned" || (state === "created" && startNo === 0));
}

/**
 * Holds all dialing.
 *
 * @param seenIn the installation as it was before that was looked at which speaks for a restore
 */
export async function holdAsRestored(
  deps: Pick<ActivityDeps, "ledger" | "log" | "now">,
  detail: string,
  seenIn: Installation,
): Promise<void> {
  const reason = `the ledger is older than what happened (${detail}): it was restored`;
  deps.log.error({}, reason);
  await reportRestored(deps.ledger.db, { reason, seenIn, nowMs: deps.now() });
}

/**
 * Something that has a workflow is not in the ledger. A recovery has booked what was dialed before it, and whoever
 * slept through it wakes up to the same: that says nothing any more.
 *
 * @param unknown.startedAtMs when the workflow was started. Unix milliseconds.
 */
export async function holdAsUnknown(
  deps: Pick<ActivityDeps, "ledger" | "log" | "now">,
  unknown: { what: string; startedAtMs: number },
): Promise<void> {
  const seenIn = await readInstallation(deps.ledger.db);
  const { recoveredAtMs } = seenIn;
  if (recoveredAtMs !== undefined && unknown.startedAtMs <= recoveredAtMs) return;
  await holdAsRestored(deps, `${unknown.what} has a workflow and is not in it`, seenIn);
}

/**
 * Asks the platform, before anything is dialed, whether it has begun a batch of ours that this ledger does not
 * know to have been started. A platform that does not answer tells nothing.
 */
export async function checkAgainstPlatform(
  deps: Pick<ActivityDeps, "ledger" | "platform" | "log" | "now">,
): Promise<void> {
  const seenIn = await readInstallation(deps.ledger.db);
  let unknown: string | undefined;
  try {
    unknown = await findUnknownStart(deps);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    deps.log.warn(
      { error: error.message },
      "the platform could not be asked whether the ledger was restored",
    );
  }
  if (unknown !== undefined) await holdAsRestored(deps, unknown, seenIn);
}
