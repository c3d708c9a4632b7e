import { sql } from "drizzle-orm";
import fs from "node:fs";

import type { ActivityDeps } from "../../src/activities/deps.ts";
import type { Ledger } from "../../src/ledger/connection.ts";
import { openEmbeddedLedger } from "../../src/ledger/embedded.ts";
import { bindToPlatform } from "../../src/ledger/installation.ts";
import { freshDataDir, given } from "./ledgers.ts";
import type { Stepping } from "./stepping.ts";

/** An embedded ledger that can be saved and put back, as somebody does with its folder while nothing runs. */
export interface Restorable {
  readonly deps: ActivityDeps;
  readonly ledger: Ledger;
  backUp(): Promise<void>;
  restore(): Promise<void>;
}

export async function withRestorable(
  stepping: Stepping,
  work: (restorable: Restorable) => Promise<void>,
): Promise<void> {
  const dataDir = freshDataDir();
  const backup = `${dataDir}-backup`;
  let deps: ActivityDeps | undefined;
  const open = async () => {
    deps = stepping.depsOf(await openEmbeddedLedger(dataDir));
  };
  const copy = (from: string, to: string) => {
    fs.rmSync(to, { recursive: true, force: true });
    fs.cpSync(from, to, { recursive: true });
  };
  try {
    await open();
    // As a process that starts does: what it is called is in every backup.
    await bindToPlatform(given(deps).ledger.db, true);
    await work({
      get deps() {
        return given(deps);
      },
      get ledger() {
        return given(deps).ledger;
      },
      async backUp() {
        // Nothing runs between two steps of a test, so the folder is whole without its being closed.
        await given(deps).ledger.db.execute(sql`checkpoint`);
        copy(dataDir, backup);
      },
      async restore() {
        await given(deps).ledger.close();
        deps = undefined;
        copy(backup, dataDir);
        await open();
      },
    });
  } finally {
    await deps?.ledger.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
    fs.rmSync(backup, { recursive: true, force: true });
  }
}
