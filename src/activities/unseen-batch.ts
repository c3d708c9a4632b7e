import { PlatformError } from "../platform/index.ts";
import type { ActivityDeps } from "./deps.ts";

/** Whether the platform answers what has nothing to do with one batch. */
export async function answersOtherwise({ platform }: ActivityDeps): Promise<boolean> {
  try {
    await platform.batchCalls.active();
    return true;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return false;
  }
}
