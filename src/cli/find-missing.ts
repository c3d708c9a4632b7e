import type { Config } from "../config.ts";
import type { Api } from "./api/client.ts";
import { ApiProblemError, ApiUnreachableError } from "./api/errors.ts";
import type { MissingNeed, CliPorts, SequenceLook } from "./context.ts";
import { CliError } from "./errors.ts";
import { findRunningSystem, openFound } from "./running-system.ts";

/** What a definition needs that is not there: by this machine's settings, and by the system where one runs. */
export async function findMissing(
  config: Config,
  ports: CliPorts,
  definition: unknown,
): Promise<MissingNeed[]> {
  const found = findRunningSystem(config);
  let opening: Promise<Api> | undefined;
  const look: SequenceLook = async (brand, name) => {
    try {
      if (!found) return "unknown";
      const api = await (opening ??= openFound(config, found));
      const { state } = await api.sequences.get(name, brand);
      return state === "closed" ? "closed" : "there";
    } catch (error) {
      // Another installation's sequences say nothing of ours.
      if (error instanceof ApiUnreachableError || error instanceof CliError) return "unknown";
      if (!(error instanceof ApiProblemError)) throw error;
      return error.code === "unknown_sequence" ? "missing" : "unknown";
    }
  };
  try {
    return await ports.lookForMissing(config, definition, look);
  } finally {
    const api = await opening?.catch(() => undefined);
    await api?.close();
  }
}
