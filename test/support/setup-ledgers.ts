import type { TestProject } from "vitest/node";

import { EMBEDDED_SUITES } from "./embedded-suites.ts";
import { embeddedTemplate, postgresTemplate } from "./ledger-templates.ts";
import { sized } from "./long.ts";
import { findPostgresBinaries, startPostgres } from "./postgres.ts";
import { cpuSecondsOf, tellCpu } from "./told-cpu.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A data folder with a fresh embedded ledger, to be copied: making one takes seconds. */
    embeddedTemplate: string;
    /** The superuser's address of a running PostgreSQL, or undefined where none is installed. */
    postgresUrl: string | undefined;
    /** The same by its socket in the file system, for ledgers that are opened in the test's process. */
    postgresSocketUrl: string | undefined;
    /** One kind is enough, PostgreSQL where it is installed: for mutation testing, which runs the suites over and over. */
    oneLedger: boolean | undefined;
  }
}

/** Once per project that needs ledgers. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide("embeddedTemplate", await embeddedTemplate());
  const binaries = findPostgresBinaries();
  if (binaries === undefined) {
    if (process.env["CI"])
      throw new Error("PostgreSQL 15 or later is not installed, and in CI its tests must run");
    console.warn(
      "\nSKIPPED: every test on PostgreSQL, because no PostgreSQL 15 or later is installed here.\n",
    );
  } else if (project.name === "ledger" && sized({ short: true, long: false }))
    console.warn(
      `\nShort form: suites of the ledger run on PostgreSQL, ${EMBEDDED_SUITES.length} files of them on the embedded ledger, too. The others are skipped there: \`npm run test:long\` runs them.\n`,
    );
  const postgres =
    binaries === undefined ? undefined : await startPostgres(binaries, await postgresTemplate(binaries));
  project.provide("postgresUrl", postgres?.url);
  project.provide("postgresSocketUrl", postgres?.socketUrl);
  return async () => {
    const seconds = postgres?.pid === undefined ? undefined : cpuSecondsOf(postgres.pid);
    if (seconds !== undefined) tellCpu(`PostgreSQL of ${project.name}`, seconds);
    await postgres?.stop();
  };
}
