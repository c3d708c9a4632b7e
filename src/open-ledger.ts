import type { Logger } from "pino";

import { logCampaigns } from "./campaign-log.ts";
import type { Config } from "./config.ts";
import { tellingNews } from "./ledger/campaigns/campaign-news.ts";
import { LedgerUnavailableError, type Ledger } from "./ledger/ground/connection.ts";
import { openEmbeddedLedger } from "./ledger/ground/embedded.ts";
import { readInstallation } from "./ledger/ground/installation.ts";
import { openPostgresLedger } from "./ledger/ground/postgres.ts";

/** A ledger that the settings name, before anything works on it. */
export interface OpenedLedger {
  ledger: Ledger;
  /** The token of the embedded ledger's lock file. */
  token: string | undefined;
  /** Rejects when an embedded ledger ended by itself. */
  failed: Promise<never> | undefined;
  announce(apiUrl: string): void;
}

/** Opens what the settings name. @throws LedgerLockedError, LedgerUnavailableError */
export async function openLedger(config: Config, log: Logger): Promise<OpenedLedger> {
  if (config.databaseUrl !== undefined) {
    const ledger = await openPostgresLedger({
      url: config.databaseUrl,
      maxConnections: config.databaseConnections,
      migrate: config.migrate,
      onError: (error) => log.warn({ error: error.message }, "a connection to the ledger was lost"),
    });
    const told = tellingNews(ledger, logCampaigns(log));
    return { ledger: told, token: undefined, failed: undefined, announce: () => {} };
  }
  const embedded = await openEmbeddedLedger(config.dataDir);
  return {
    ledger: tellingNews(embedded, logCampaigns(log)),
    token: embedded.lock.token,
    failed: embedded.failed,
    announce: (apiUrl) => embedded.lock.announce(apiUrl),
  };
}

/** Less than whoever asks waits: what does not answer is to be named. */
const LEDGER_ANSWER_MS = 3_000;

/** @throws LedgerUnavailableError where it does not answer. */
export async function probeLedger({ db }: Ledger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const words = `the ledger does not answer within ${LEDGER_ANSWER_MS / 1_000} s`;
      reject(new LedgerUnavailableError(`${words}: see what its database and this machine are busy with`));
    }, LEDGER_ANSWER_MS);
  });
  try {
    await Promise.race([readInstallation(db), late]);
  } finally {
    clearTimeout(timer);
  }
}
