import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";

import { openEmbeddedLedger } from "../../src/ledger/ground/embedded.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { createDatabase, findPostgresBinaries, LEDGER_TEMPLATE, startPostgres } from "./postgres.ts";
import { refuseUntoldEnds } from "./told-ends.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A data folder with a fresh embedded ledger, to be copied: making one takes seconds. */
    embeddedTemplate: string;
    /** The superuser's address of a running PostgreSQL, or undefined where none is installed. */
    postgresUrl: string | undefined;
  }
}

/** Once per project that needs ledgers. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const template = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-template-"));
  const ledger = await openEmbeddedLedger(template);
  await refuseUntoldEnds(ledger);
  await ledger.close();
  project.provide("embeddedTemplate", template);
  const binaries = findPostgresBinaries();
  if (binaries === undefined) {
    if (process.env["CI"])
      throw new Error("PostgreSQL 15 or later is not installed, and in CI its tests must run");
    console.warn(
      "\nSKIPPED: every test on PostgreSQL, because no PostgreSQL 15 or later is installed here.\n",
    );
  }
  const postgres = binaries === undefined ? undefined : await startPostgres(binaries);
  if (postgres) {
    const url = await createDatabase(postgres.url, { name: LEDGER_TEMPLATE });
    const onPostgres = await openPostgresLedger({ url, maxConnections: 1 });
    await refuseUntoldEnds(onPostgres);
    await onPostgres.close();
  }
  project.provide("postgresUrl", postgres?.url);
  return async () => {
    await postgres?.stop();
    fs.rmSync(template, { recursive: true, force: true });
  };
}
