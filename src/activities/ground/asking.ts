import { ConflictError, NotFoundError, PlatformError } from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";

/**
 * Asks once. Whether it had an effect is looked at, not believed.
 *
 * @returns false where the platform did not say yes.
 */
export async function ask(
  deps: Pick<ActivityDeps, "platform" | "log">,
  what: "pause" | "cancel",
  platformBatchId: string,
): Promise<boolean> {
  try {
    await deps.platform.batchCalls[what](platformBatchId);
    return true;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (!(error instanceof ConflictError || error instanceof NotFoundError)) {
      deps.log.warn({ platformBatchId, error: error.message }, `a ${what} was not confirmed`);
    }
    return false;
  }
}
