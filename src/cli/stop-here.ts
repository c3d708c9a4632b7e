import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";

import type { Config } from "../config.ts";
import type { StopAllWire } from "../http/wire/system.ts";
import { countMayDial, recordStop, stopWhatIsFree } from "../ledger/campaigns/stopping.ts";
import type { System } from "../system.ts";
import { openApi, type Api } from "./api/client.ts";
import { ACTOR } from "./api/transport.ts";
import type { CliContext } from "./context.ts";
import { explain } from "./errors.ts";
import type { OpenedLedger } from "../open-ledger.ts";

/*
 * A stop without a running system. It is written into the ledger before anything else is asked for: neither the
 * platform nor its settings have to be there for it. Then a system that dials nobody pauses what may be dialing.
 */

export interface Stopped extends StopAllWire {
  /** Why what may be dialing could not be paused from here. */
  unpaused?: string;
}

interface StopHereInput {
  config: Config;
  /** Closed when this returns. */
  opened: OpenedLedger;
  log: Logger;
  reason: string;
  say: (message: string) => void;
}

/** Asking each campaign's batches to stop takes milliseconds; whoever holds one is not waited for. */
const ASK_WITHIN_MS = 1_000;

/** @throws LedgerUnavailableError where the stop could not be written down. */
export async function stopHere(context: CliContext, input: StopHereInput): Promise<Stopped> {
  const { config, opened, log, reason, say } = input;
  let written: StopAllWire;
  try {
    written = await writeStop(opened, reason);
  } catch (error) {
    await opened.ledger.close();
    throw error;
  }
  say("the stop is written down: no new call is permitted from now on");
  let system: System | undefined;
  let api: Api | undefined;
  try {
    system = await context.ports.startSystem({
      config,
      log,
      ledger: opened,
      worker: false,
      temporal: false,
      server: { host: "127.0.0.1", port: 0, token: config.api.token },
      onProgress: say,
    });
    if (system.apiUrl === undefined) throw new Error("the system started without its HTTP API");
    api = openApi({ url: system.apiUrl, token: system.apiToken });
    return await goOnStopping(api, reason);
  } catch (error) {
    log.error({ error }, "what may be dialing could not be paused");
    return written.in_flight.batches === 0 ? written : { ...written, unpaused: whyText(error) };
  } finally {
    await api?.close();
    await system?.stop();
  }
}

async function writeStop({ ledger }: OpenedLedger, reason: string): Promise<StopAllWire> {
  await recordStop(ledger, { actor: ACTOR, reason, nowMs: Date.now() });
  const waiting = await stopWhatIsFree(ledger, { now: Date.now, forMs: ASK_WITHIN_MS });
  const { batches, attempts } = await countMayDial(ledger.urgent.db);
  return {
    stopped: true,
    in_flight: { batches, calls_up: 0, uncertain: attempts },
    waiting: waiting.map(({ id, name }) => ({ campaign_id: id, name })),
  };
}

/** A running system goes on stopping by itself; one that ends with this command does for so long. */
const OWN_WITHIN_MS = 30_000;

/** Each asking takes seconds of its own where something is left to be seen; else the next one is not at once. */
const ASK_AGAIN_MS = 200;

async function goOnStopping(api: Api, reason: string): Promise<StopAllWire> {
  const untilMs = performance.now() + OWN_WITHIN_MS;
  for (;;) {
    const answer = await api.system.stopAll(reason);
    if (answer.in_flight.uncertain + answer.waiting.length === 0 || performance.now() >= untilMs)
      return answer;
    await setTimeout(ASK_AGAIN_MS);
  }
}

/** A stop has no use for a sandbox, which others are offered. */
function whyText(error: unknown): string {
  return error instanceof Error && error.name === "PlatformNotConfiguredError"
    ? "PLATFORM_BASE_URL and PLATFORM_API_KEY are not set here"
    : explain(error).message;
}
