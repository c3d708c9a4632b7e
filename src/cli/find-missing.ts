import type { Config } from "../config.ts";
import { openApi } from "./api/client.ts";
import { ApiProblemError, ApiUnreachableError } from "./api/errors.ts";
import type { MissingNeed, CliPorts, SequenceLook } from "./context.ts";
import { findRunningSystem } from "./running-system.ts";

/** What a definition needs that is not there: by this machine's settings, and by the system where one runs. */
export async function findMissing(
  config: Config,
  ports: CliPorts,
  definition: unknown,
): Promise<MissingNeed[]> {
  const address = findRunningSystem(config);
  const api = address && openApi(address);
  const look: SequenceLook = async (brand, name) => {
    try {
      if (!api) return "unknown";
      const { state } = await api.sequences.get(name, brand);
      return state === "closed" ? "closed" : "there";
    } catch (error) {
      if (error instanceof ApiUnreachableError) return "unknown";
      if (!(error instanceof ApiProblemError)) throw error;
      return error.code === "unknown_sequence" ? "missing" : "unknown";
    }
  };
  try {
    return await ports.lookForMissing(config, definition, look);
  } finally {
    await api?.close();
  }
}
