import fs from "node:fs";

import type { Ledger } from "../src/ledger/ground/connection.ts";
import { openEmbeddedLedger } from "../src/ledger/ground/embedded.ts";
import { bindToPlatform } from "../src/ledger/ground/installation.ts";
import { openPostgresLedger } from "../src/ledger/ground/postgres.ts";
import { freshDataDir } from "../test/support/ledgers.ts";
import { createDatabase, LEDGER_TEMPLATE } from "../test/support/postgres.ts";

/** An empty ledger: a database of its own, or, without an address, the embedded one in a folder of its own. */
export async function openBenchLedger(
  postgresUrl: string | undefined,
): Promise<{ ledger: Ledger; close: () => Promise<void> }> {
  if (postgresUrl === undefined) {
    const dataDir = freshDataDir();
    const ledger = await openEmbeddedLedger(dataDir);
    await bindToPlatform(ledger.db, true);
    return {
      ledger,
      close: async () => {
        await ledger.close();
        fs.rmSync(dataDir, { recursive: true, force: true });
      },
    };
  }
  const url = await createDatabase(postgresUrl, { template: LEDGER_TEMPLATE });
  const ledger = await openPostgresLedger({ url, maxConnections: 4 });
  await bindToPlatform(ledger.db, true);
  return { ledger, close: () => ledger.close() };
}
