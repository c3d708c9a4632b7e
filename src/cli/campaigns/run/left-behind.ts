import { readState } from "../../../temporal/server/state-file.ts";
import { isAlive } from "../../process-alive.ts";

/**
 * What this process leaves running when it leaves at once: the Temporal server that it provides for a data folder,
 * which outlives whoever started it. In words, with what becomes of it; undefined where there is none.
 */
export function leftBehind(dataDir: string): string | undefined {
  try {
    const state = readState(dataDir);
    if (state?.state !== "running" || state.owner.pid !== process.pid || !isAlive(state.server.pid)) return;
    const { pid } = state.server;
    return `the Temporal server of ${dataDir} may stay up (process ${pid}): the next run, worker or server there takes it over; where none comes and nobody else uses it, \`kill ${pid}\` ends it`;
  } catch {
    // Last words are no place to fail: the process has to leave.
    return undefined;
  }
}
