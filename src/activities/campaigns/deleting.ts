import type { Batch } from "../../ledger/campaigns/batches.ts";
import { NotFoundError, PlatformError } from "../../platform/index.ts";
import { platformIdOf } from "./batch-reading.ts";
import type { ActivityDeps } from "../deps.ts";
import { isRefusal } from "./platform-refusal.ts";
import { needsPeople } from "../ground/platform-refusals.ts";

/**
 * What the platform answered to a delete. `absent`: it knows no such batch. `unclear`: it may have been deleted.
 * `refused`: it was not, and is there. `put_off`: it was not, and nothing is said of it.
 */
export interface DeleteAnswer {
  kind: "deleted" | "absent" | "unclear" | "refused" | "put_off";
  /** Why it counts as being there, should it be seen after that. */
  said: string;
}

/** Asks once. Whether it is gone is looked at, not believed. */
export async function askToDelete(
  { platform }: Pick<ActivityDeps, "platform">,
  batch: Batch,
): Promise<DeleteAnswer> {
  try {
    await platform.batchCalls.delete(platformIdOf(batch));
    return { kind: "deleted", said: "the platform says that it is deleted, and shows it" };
  } catch (error) {
    if (needsPeople(error) || !(error instanceof PlatformError)) throw error;
    return { kind: kindOf(error), said: error.message };
  }
}

function kindOf(error: PlatformError): DeleteAnswer["kind"] {
  if (error instanceof NotFoundError) return "absent";
  if (error.effect !== "did_not_happen") return "unclear";
  return isRefusal(error) ? "refused" : "put_off";
}
