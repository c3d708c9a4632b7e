import path from "node:path";

import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";

import { keepTemporaryFilesInMemory } from "./scripts/quick-folder.mjs";
import { mutationSet } from "./scripts/mutation-sets.mjs";
import { chooseSeed } from "./test/support/seed.ts";

// One for all mutants: what one of them survives is no matter of luck.
chooseSeed();
keepTemporaryFilesInMemory();

const { tests, isLedger, ignoreStatic } = mutationSet();

/** The first test that fails ends a mutant: sets name the quick files first. */
class AsListed extends BaseSequencer {
  /** @param {import("vitest/node").TestSpecification[]} files */
  async sort(files) {
    const rank = ({ moduleId }) => tests.findIndex((name) => path.basename(name) === path.basename(moduleId));
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

/** The tests that have to see what Stryker takes away (scripts/mutation-sets.mjs). */
export default defineConfig({
  test: {
    // To load modules anew for each file is half of the time, and needed only where their constants are mutated.
    isolate: ignoreStatic !== true,
    include: tests,
    setupFiles: [
      "test/support/setup-seed.ts",
      ...(isLedger ? ["test/support/setup-spent-databases.ts"] : []),
    ],
    // Both kinds of ledger run the same statements: one is enough to see that one is missing. A pattern of names would
    // not do: Stryker puts its own in its place.
    ...(isLedger && { globalSetup: ["test/support/setup-ledgers.ts"], provide: { oneLedger: true } }),
    testTimeout: 180_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    sequence: { sequencer: AsListed },
  },
});
