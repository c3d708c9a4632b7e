import type { Config } from "../config.ts";
import type { Api } from "./api/client.ts";
import { ApiProblemError, ApiUnreachableError } from "./api/errors.ts";
import type { CliContext } from "./context.ts";
import { findRunningSystem } from "./running-system.ts";

/**
 * For what must work even when nothing runs: attaches to a running system, or starts one that dials nobody, and that
 * ends when `work` is through.
 */
export async function withSystemAtHand<T>(
  context: CliContext,
  config: Config,
  say: (message: string) => void,
  work: (api: Api) => Promise<T>,
): Promise<T> {
  const running = await openAnswering(config);
  if (running) {
    try {
      return await work(running);
    } finally {
      await running.close();
    }
  }
  const { openSession } = await import("./campaigns/run/session.ts");
  const session = await openSession(context, {
    config,
    worker: false,
    mustBeOurs: false,
    say,
    signal: new AbortController().signal,
  });
  try {
    return await work(session.api);
  } finally {
    await session.close();
  }
}

/**
 * The way to the system that runs on the settings' ledger; the caller closes it. Undefined where none answers in
 * time: another installation, another program and one that does not let us in are none either, unless
 * OUTDIAL_API_URL names them.
 *
 * @param withinMs for its answer; by default as long as every command waits for one
 */
export async function openAnswering(config: Config, withinMs?: number): Promise<Api | undefined> {
  const found = findRunningSystem(config);
  if (!found) return undefined;
  const { openApi } = await import("./api/client.ts");
  const api = openApi(found);
  // What is wrong there is told by the answer to what is asked.
  if (found.by === "name") return api;
  const isOurs = await answersForUs(config, api, found.by, withinMs).catch((error: unknown) => error);
  if (isOurs === true) return api;
  await api.close();
  if (isOurs === false || isOurs instanceof ApiUnreachableError || isOurs instanceof ApiProblemError)
    return undefined;
  throw isOurs;
}

async function answersForUs(
  { databaseUrl }: Config,
  api: Api,
  by: "lock" | "port",
  withinMs: number | undefined,
): Promise<boolean> {
  if (by === "lock" || databaseUrl === undefined) {
    // Of the process alone: what it stands on may be in trouble just when everything is to stop.
    await api.system.isUp(withinMs === undefined ? {} : { answerWithinMs: withinMs });
    return true;
  }
  const { whoseSystem } = await import("./whose-system.ts");
  const { kind } = await whoseSystem(api, databaseUrl, withinMs === undefined ? {} : { withinMs });
  return kind === "ours";
}
