import path from "node:path";

import { defineConfig } from "vitest/config";

import { keepTemporaryFilesInMemory } from "./scripts/quick-folder.mjs";
import { LongestFirst } from "./test/support/longest-first.ts";
import { chooseSeed } from "./test/support/seed.ts";
import { transformedFolder } from "./test/support/transformed.ts";
import { PATIENCE_MS } from "./test/support/until.ts";

chooseSeed();
keepTemporaryFilesInMemory();

/** Examples take the package by its name, as its users do. */
const PACKAGE = Object.fromEntries(
  ["platform", "api", "sandbox"].map((part) => [
    `outdial/${part}`,
    path.join(import.meta.dirname, "src", part, "index.ts"),
  ]),
);

/**
 * Four projects, by what they need.
 * fast: nothing but Node. ledger: PGlite, and PostgreSQL where it is installed.
 * temporal: a real Temporal server, workers in this process. system: whole processes, killed and restarted.
 */
export default defineConfig({
  test: {
    // Transforming what a file of tests loads is most of what running it alone takes.
    experimental: { fsModuleCache: true, fsModuleCachePath: transformedFolder() },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "fast",
          setupFiles: ["test/support/setup-seed.ts", "test/support/setup-cpu.ts"],
          include: ["test/**/*.test.ts", "examples/**/*.test.ts"],
          alias: PACKAGE,
          exclude: ["test/**/*.{ledger,temporal,system}.test.ts"],
          testTimeout: 400_000,
          expect: { poll: { timeout: PATIENCE_MS } },
          maxWorkers: 4,
          // Half of their time went into loading the same modules; they leave nothing behind in them.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "ledger",
          setupFiles: ["test/support/setup-seed.ts", "test/support/setup-cpu.ts"],
          include: ["test/**/*.ledger.test.ts"],
          globalSetup: ["test/support/setup-ledgers.ts"],
          testTimeout: 600_000,
          expect: { poll: { timeout: PATIENCE_MS } },
          hookTimeout: 120_000,
          // They wait for the sandbox and the disk half of the time.
          maxWorkers: 4,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "temporal",
          setupFiles: ["test/support/setup-seed.ts", "test/support/setup-cpu.ts"],
          include: ["test/**/*.temporal.test.ts"],
          globalSetup: [
            "test/support/setup-ledgers.ts",
            "test/support/setup-temporal.ts",
            "test/support/setup-workflows.ts",
          ],
          testTimeout: 900_000,
          expect: { poll: { timeout: PATIENCE_MS } },
          hookTimeout: 300_000,
          // They wait for the engine's own waits half of the time; each has a ledger and a namespace of its own. More of
          // them end no sooner on two cores, and each comes later than it is waited for.
          maxWorkers: 5,
          // Loading what speaks to Temporal takes seconds for each file.
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "system",
          alias: PACKAGE,
          setupFiles: ["test/support/setup-seed.ts", "test/support/setup-cpu.ts"],
          include: ["test/**/*.system.test.ts"],
          globalSetup: ["test/support/setup-ledgers.ts", "test/support/setup-temporal.ts"],
          testTimeout: 1_800_000,
          expect: { poll: { timeout: PATIENCE_MS } },
          hookTimeout: 600_000,
          // Whole systems: they wait half of the time, and each has a ledger, a namespace and ports of its own.
          maxWorkers: 3,
          // What they load takes five seconds of CPU for each file.
          isolate: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: "bench",
          setupFiles: ["test/support/setup-seed.ts", "test/support/setup-cpu.ts"],
          include: ["bench/**/*.bench-run.ts"],
          globalSetup: ["test/support/setup-ledgers.ts"],
          testTimeout: 7_200_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
