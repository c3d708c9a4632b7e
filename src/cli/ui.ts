import fs from "node:fs";
import path from "node:path";

import type { CliCommand } from "./cli-command.ts";
import type { Config } from "../config.ts";
import { LedgerLockedError } from "../ledger/ground/lock-record.ts";
import { campaignWorkflowId } from "../temporal/workflow-ids.ts";
import { openApi } from "./api/client.ts";
import type { CliContext } from "./context.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { until, watchInterrupts } from "./interrupts.ts";
import { findRunningSystem } from "./running-system.ts";

/** As many as a person looks through. */
const SHOWN = 10;

const HELP = `
Opens Temporal's web UI over what a data folder holds, after its campaigns have ended, too, and prints the
address of each campaign's run. Nothing is dialed. Ctrl-C ends it.

Example:
  outdial ui --data-dir /tmp/outdial-demo-Xy12`;

interface Run {
  id: string;
  name: string;
  run: number;
  state: string;
}

export function registerUi(program: CliCommand, context: CliContext): void {
  program
    .command("ui")
    .here()
    .description("Opens Temporal's web UI over a data folder until Ctrl-C.")
    .addHelpText("after", HELP)
    .does(async ({ config, voice }) => {
      const { address, access, cliPath, searchPath, namespace } = config.temporal;
      const runs = await newestRuns(config);
      const server = await context.ports.provideTemporalServer({
        address,
        access,
        cliPath,
        searchPath,
        namespace,
        cacheDir: path.join(config.cacheDir, "temporal"),
        dataDir: config.dataDir,
        onProgress: (message) => voice.screen.say(message),
      });
      try {
        const { uiUrl } = server;
        if (uiUrl === undefined) {
          throw new CliError(
            `the Temporal server at ${server.address} does not say where its web UI is: ask whoever runs it`,
          );
        }
        voice.tell([
          `Temporal's web UI: ${uiUrl}`,
          ...runs.map(
            (run) => `  ${run.name} run ${run.run} (${run.state}): ${runUrl(uiUrl, namespace, run.id)}`,
          ),
          "Ctrl-C ends it",
        ]);
        const interrupts = watchInterrupts(() => {});
        await Promise.race([until(interrupts.signal), server.exited]);
        interrupts.end();
      } finally {
        // One that another process uses goes on.
        await server.stop();
      }
    });
}

function runUrl(uiUrl: string, namespace: string, campaignId: string): string {
  return `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${campaignWorkflowId(campaignId)}`;
}

/** From whoever has the ledger open, or from the ledger. */
async function newestRuns(config: Config): Promise<Run[]> {
  const page = { limit: SHOWN };
  const ledger = await openLedger(config);
  if (ledger) {
    try {
      const { listCampaigns } = await import("../ledger/campaigns/campaigns.ts");
      return (await listCampaigns(ledger.db, page)).campaigns;
    } finally {
      await ledger.close();
    }
  }
  const address = findRunningSystem(config);
  if (!address) return [];
  const api = openApi(address);
  try {
    return (await api.campaigns.list(page)).items;
  } finally {
    await api.close();
  }
}

/** Undefined where another process holds it. */
async function openLedger(config: Config) {
  if (config.databaseUrl === undefined && !fs.existsSync(path.join(config.dataDir, "ledger"))) {
    throw new CliError(
      `there is no ledger in ${config.dataDir}: name the folder of a run with --data-dir`,
      EXIT.badInput,
    );
  }
  try {
    if (config.databaseUrl === undefined) {
      const { openEmbeddedLedger } = await import("../ledger/ground/embedded.ts");
      return await openEmbeddedLedger(config.dataDir);
    }
    const { openPostgresLedger } = await import("../ledger/ground/postgres.ts");
    return await openPostgresLedger({ url: config.databaseUrl, maxConnections: 2, migrate: config.migrate });
  } catch (error) {
    if (error instanceof LedgerLockedError) return undefined;
    throw error;
  }
}
