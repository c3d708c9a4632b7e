import { sql } from "drizzle-orm";
import fs from "node:fs";
import { inject } from "vitest";

import type { ActivityDeps } from "../../src/activities/deps.ts";
import type { Ledger } from "../../src/ledger/ground/connection.ts";
import { openEmbeddedLedger } from "../../src/ledger/ground/embedded.ts";
import { bindToPlatform } from "../../src/ledger/ground/installation.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { freshDataDir, given } from "./ledgers.ts";
import { copyDatabase, createDatabase, LEDGER_TEMPLATE } from "./postgres.ts";
import type { Stepping } from "./stepping.ts";

/** A ledger that can be saved and put back while nothing runs. */
export interface Restorable {
  readonly deps: ActivityDeps;
  readonly ledger: Ledger;
  backUp(): Promise<void>;
  restore(): Promise<void>;
}

/** Where such a ledger is kept. */
interface Keeper {
  open(): Promise<Ledger>;
  backUp(ledger: Ledger): Promise<void>;
  /** Puts the backup in the ledger's place, which is closed. */
  restore(): Promise<void>;
  remove(): Promise<void>;
}

/** On PostgreSQL where it is installed, whose databases are copied in a tenth of a second; else the embedded kind. */
export async function withRestorable(
  stepping: Stepping,
  work: (restorable: Restorable) => Promise<void>,
): Promise<void> {
  const serverUrl = inject("postgresUrl");
  const keeper = serverUrl === undefined ? embeddedKeeper() : await postgresKeeper(serverUrl);
  let deps: ActivityDeps | undefined = stepping.depsOf(await keeper.open());
  try {
    // As a process that starts does: what it is called is in every backup.
    await bindToPlatform(deps.ledger.db, true);
    await work({
      get deps() {
        return given(deps);
      },
      get ledger() {
        return given(deps).ledger;
      },
      backUp: () => keeper.backUp(given(deps).ledger),
      async restore() {
        await given(deps).ledger.close();
        deps = undefined;
        await keeper.restore();
        deps = stepping.depsOf(await keeper.open());
      },
    });
  } finally {
    await deps?.ledger.close();
    await keeper.remove();
  }
}

/** As somebody does it with the folder of an embedded ledger. */
function embeddedKeeper(): Keeper {
  const dataDir = freshDataDir();
  const backup = `${dataDir}-backup`;
  const copy = (from: string, to: string) => {
    fs.rmSync(to, { recursive: true, force: true });
    fs.cpSync(from, to, { recursive: true });
  };
  return {
    open: () => openEmbeddedLedger(dataDir),
    async backUp(ledger) {
      // Nothing runs between two steps of a test, so the folder is whole without its being closed.
      await ledger.db.execute(sql`checkpoint`);
      copy(dataDir, backup);
    },
    restore: async () => copy(backup, dataDir),
    async remove() {
      for (const folder of [dataDir, backup]) fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Each restore is a copy of the backup under a name of its own. */
async function postgresKeeper(serverUrl: string): Promise<Keeper> {
  let url = await createDatabase(serverUrl, { template: LEDGER_TEMPLATE });
  let backup = url;
  return {
    open: () => openPostgresLedger({ url, maxConnections: 5 }),
    async backUp() {
      // Its connections go, idle as they are, and come again with the next statement.
      backup = await copyDatabase(serverUrl, url);
    },
    async restore() {
      url = await copyDatabase(serverUrl, backup);
    },
    remove: async () => {},
  };
}
