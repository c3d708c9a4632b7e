import type { Config } from "../config.ts";
import type { Api } from "./api/client.ts";
import { ApiUnreachableError } from "./api/errors.ts";
import type { ApiAddress } from "./api/transport.ts";
import type { CliContext } from "./context.ts";
import { findRunningSystem } from "./running-system.ts";

/**
 * For what must work even when nothing runs, such as `stop-all`: attaches to a running system, or starts one
 * that dials nobody, and that ends when `work` is through.
 */
export async function withSystemAtHand<T>(
  context: CliContext,
  config: Config,
  say: (message: string) => void,
  work: (api: Api, isOurs: boolean) => Promise<T>,
): Promise<T> {
  const address = findRunningSystem(config);
  const running = address && (await answering(address));
  if (running) {
    try {
      return await work(running, false);
    } finally {
      await running.close();
    }
  }
  const { openSession } = await import("./session.ts");
  const session = await openSession(context, {
    config,
    worker: false,
    mustBeOurs: false,
    say,
    signal: new AbortController().signal,
  });
  try {
    return await work(session.api, session.system !== undefined);
  } finally {
    await session.close();
  }
}

async function answering(address: ApiAddress): Promise<Api | undefined> {
  const { openApi } = await import("./api/client.ts");
  const api = openApi(address);
  try {
    // Of the process alone: what it stands on may be in trouble just when everything is to stop.
    await api.system.isUp();
    return api;
  } catch (error) {
    await api.close();
    if (error instanceof ApiUnreachableError) return undefined;
    throw error;
  }
}
