import { buildApp } from "./app.ts";
import { createCore } from "./core.ts";
import type { Core } from "./core.ts";
import { lockDataFile } from "./data-lock.ts";
import type { DialLog } from "./dial-log.ts";
import type { Faults } from "./faults.ts";
import { settingsFrom } from "./options.ts";
import type { SandboxOptions, SandboxSettings } from "./options.ts";
import type { Outcomes } from "./outcomes.ts";
import { openRoomSource } from "./rooms/room-source.ts";
import type { RoomSource } from "./rooms/room-source.ts";
import type { ScenarioRun } from "./scenario.ts";
import { SnapshotWriter } from "./snapshot.ts";
import type { RequestStats } from "./stats.ts";
import { upgradeTo } from "./upgrade.ts";
import type { Delivery } from "./webhooks.ts";

interface SandboxStats extends RequestStats {
  readonly activeCalls: number;
  readonly peakActiveCalls: number;
  readonly streamReaders: number;
}

/** A running stand-in for the platform, and what tests see and do behind its back. */
export interface Sandbox {
  /** The platform's base URL, base path included; no slash at the end. */
  readonly url: string;
  /** The same for the stream. */
  readonly wsUrl: string;
  readonly port: number;
  /** The first of its keys. */
  readonly apiKey: string;
  readonly seeds: SandboxSeeds;
  readonly dialLog: DialLog;
  readonly faults: Faults;
  readonly outcomes: Outcomes;
  readonly scenario: ScenarioRun;
  stats(): SandboxStats;
  /** Webhooks, oldest first. */
  deliveries(): readonly Delivery[];
  /** The most calls that a batch ever had up at once; null for an unknown batch. */
  peakActiveOf(batchCallId: string): number | null;
  /** Sets the balance in US dollars. */
  setBalance(usd: number): void;
  /** Cuts every connection, and forgets everything that is not in a data file. */
  close(): Promise<void>;
}

/** What was there from the start. */
interface SandboxSeeds {
  readonly organizationId: string;
  readonly agents: readonly { readonly id: string; readonly published: boolean }[];
  readonly numbers: readonly string[];
}

/**
 * Starts a sandbox in this process and resolves once it listens. Throws for options out of range for a port that is
 * taken, and for a data file that cannot be read or written.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsFrom(options);
  const unlock = settings.data === null ? () => {} : lockDataFile(settings.data);
  let roomSource: RoomSource | null = null;
  try {
    roomSource = await openRoomSource(settings.rooms);
    return await startSandbox(settings, roomSource, unlock);
  } catch (error) {
    await roomSource?.close();
    unlock();
    throw error;
  }
}

async function startSandbox(
  settings: SandboxSettings,
  roomSource: RoomSource | null,
  unlock: () => void,
): Promise<Sandbox> {
  let url = "";
  const core = createCore(settings, () => url, roomSource);
  const app = buildApp(core, settings);
  app.server.on("upgrade", upgradeTo(core, settings.basePath));
  const writer =
    settings.data === null
      ? null
      : new SnapshotWriter(core, settings.data, (error) => {
          if (error !== null) {
            app.log.error({ err: error }, "the data file could not be written");
          }
          settings.onDataTrouble(error);
        });
  try {
    await writer?.begin();
    await app.listen({ host: settings.host, port: settings.port });
    await core.rooms.goOn();
    if (settings.scenario !== null) {
      core.scenario.load(settings.scenario);
    }
  } catch (error) {
    writer?.abandon();
    core.clock.close();
    await app.close();
    throw error;
  }
  const port = portOf(app.server.address());
  const authority = `${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`;
  url = `http://${authority}${settings.basePath}`;
  const close = async () => {
    await core.rooms.close();
    core.webhooks.close();
    core.streams.close();
    try {
      await app.close();
      // Timers are saved with the rest, and dropped only then.
      await writer?.end();
    } finally {
      core.clock.close();
      await roomSource?.close();
      unlock();
    }
  };
  let closing: Promise<void> | null = null;
  return {
    url,
    wsUrl: `ws://${authority}${settings.basePath}`,
    port,
    ...insides(core, settings),
    // Once: the file may be another sandbox's afterwards.
    close: () => (closing ??= close()),
  };
}

function insides(core: Core, settings: SandboxSettings): Omit<Sandbox, "url" | "wsUrl" | "port" | "close"> {
  const { organization } = core;
  return {
    apiKey: settings.apiKeys[0]?.key ?? "",
    seeds: {
      organizationId: organization.id,
      agents: settings.organization.agents,
      numbers: settings.organization.numbers,
    },
    dialLog: core.dialLog,
    faults: core.faults,
    outcomes: core.outcomes,
    scenario: core.scenario,
    stats: () => ({
      ...core.stats.read(),
      activeCalls: core.callRun.activeCount,
      peakActiveCalls: core.callRun.peakActive,
      streamReaders: core.streams.readerCount,
    }),
    deliveries: () => core.webhooks.list(),
    peakActiveOf: (batchCallId) => organization.batches.findForgotten(batchCallId)?.peakActive ?? null,
    setBalance: (usd) => {
      organization.billing.setBalance(usd);
    },
  };
}

function portOf(address: string | { readonly port: number } | null): number {
  if (address === null || typeof address === "string") {
    throw new Error("the sandbox listens on no port");
  }
  return address.port;
}
