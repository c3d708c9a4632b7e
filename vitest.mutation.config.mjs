import { defineConfig } from "vitest/config";

import { keepTemporaryFilesInMemory } from "./scripts/quick-folder.mjs";
import { mutationSet } from "./scripts/mutation-sets.mjs";
import { findPostgresBinaries } from "./test/support/postgres.ts";
import { chooseSeed } from "./test/support/seed.ts";

// One for all mutants: what one of them survives is no matter of luck.
chooseSeed();
keepTemporaryFilesInMemory();

const { tests, isLedger } = mutationSet();

/** The tests that have to see what Stryker takes away (scripts/mutation-sets.mjs). */
export default defineConfig({
  test: {
    include: tests,
    setupFiles: ["test/support/setup-seed.ts"],
    // Both kinds of ledger run the same statements: one is enough to see that one is missing, PostgreSQL where it is
    // installed, since it costs half.
    ...(isLedger && {
      globalSetup: ["test/support/setup-ledgers.ts"],
      ...(findPostgresBinaries() !== undefined && { testNamePattern: /^(?!.*\(PGlite\))/ }),
    }),
    testTimeout: 180_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
