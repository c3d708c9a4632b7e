import { mutationSet } from "./scripts/mutation-sets.mjs";

const { name, mutate, isLedger, ignoreStatic, ignoreWords, breakAt } = mutationSet();

/** Mutation testing: what is taken away from the code has to be seen by a test. `npm run mutation` runs it. */
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "vitest.mutation.config.mjs", related: false },
  coverageAnalysis: "perTest",
  ignoreStatic: ignoreStatic === true,
  mutate,
  // Where there is a ledger, strings are words of logs and SQL: an empty statement proves nothing of a test.
  mutator: { excludedMutations: isLedger || ignoreWords ? ["StringLiteral"] : [] },
  // Of the bench some tests take the simulation of batches: one that can't be loaded is not run, and nobody is told.
  ignorePatterns: ["/dist", "/.outdial", "/test-results"],
  tempDirName: ".stryker-tmp",
  // Types are stripped, not compiled: there is no configuration of a compiler to rewrite for the copy.
  tsconfigFile: "none",
  // One test process: another would halve the time only where nothing else runs.
  concurrency: 1,
  // A mutant that makes data without end ends its own process: it is tried once more, and reported as an error.
  testRunnerNodeArgs: ["--max-old-space-size=1536"],
  // A mutant that leads to an endless loop is one that was seen. Milliseconds; a busy machine needs them.
  timeoutMS: isLedger ? 120_000 : 20_000,
  // All tests of a set with ledgers take minutes where other things run.
  dryRunTimeoutMinutes: 30,
  reporters: ["clear-text", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `test-results/mutation/${name}.json` },
  thresholds: { high: 100, low: breakAt, break: breakAt },
};
