// What mutation testing takes away, and by which tests that has to be seen. docs/mutation.md says what came of it.
import { readdirSync } from "node:fs";

/**
 * @typedef {object} MutationSet
 * @property {string[]} mutate modules that are mutated
 * @property {string[]} tests tests that have to see it
 * @property {boolean} [ignoreStatic] constants of modules stay: each of them would have every test of the set run
 * @property {boolean} [ignoreWords] texts stay: most of what is left are messages, and states are compared by what stays
 * @property {boolean} [isLedger] the tests are of the project `ledger`: a mutant takes seconds, not a fraction of one
 * @property {number} breakAt percent of the mutants that must be seen, or the run fails: a little under what was
 *   reached, so that a guard which loses its test is told, and a new word in a message is not
 */

const PROOF = ["evidence", "findings", "called-numbers", "platform-batch", "batch-trouble"];
const POLICY = [
  "policy-gate",
  "calling-window",
  "batch-sizing",
  "batch-state",
  "campaign-state",
  "contact-state",
];
const OUTCOMES = ["call-outcome", "disposition", "retry"];

const domain = (names) => names.map((name) => `src/domain/*/${name}.ts`);
const domainTests = (...names) => names.map((name) => `test/domain/*/${name}.test.ts`);
const ledgerTests = (...names) => names.map((name) => `test/${name}.ledger.test.ts`);

const DOMAIN = new URL("../src/domain/", import.meta.url);
const ELSEWHERE = new Set([...PROOF, ...POLICY, ...OUTCOMES].map((name) => `${name}.ts`));

/** By folder, a little under what was reached; folders that were not run to their end have a wish. */
const DOMAIN_BREAKS = { campaigns: 96, ground: 94, time: 93, triggers: 96, "follow-ups": 97 };
const WISH = 60;

/** The rest of the domain, a set for each folder (`domain-campaigns`): specs, schedules, sequences, expressions. */
const DOMAIN_SETS = Object.fromEntries(
  readdirSync(DOMAIN).map((folder) => [
    `domain-${folder}`,
    {
      mutate: readdirSync(new URL(folder, DOMAIN))
        .filter((name) => !ELSEWHERE.has(name))
        .map((name) => `src/domain/${folder}/${name}`),
      tests: ["test/domain/**/*.test.ts", "test/cli/qualify-profile.test.ts"],
      ignoreStatic: true,
      ignoreWords: true,
      breakAt: DOMAIN_BREAKS[folder] ?? WISH,
    },
  ]),
);

/** @type {Readonly<Record<string, MutationSet>>} */
export const MUTATION_SETS = {
  // Who counts as not dialed (I1): pure, quick, and run by CI.
  proof: {
    mutate: domain(PROOF),
    tests: domainTests(...PROOF),
    breakAt: 94,
  },
  // Whether somebody may be dialed now (I2), and which state follows which.
  policy: {
    mutate: domain(POLICY),
    tests: domainTests("policy-gate", "calling-window", "batch-sizing", "states"),
    ignoreStatic: true,
    breakAt: 94,
  },
  // What a call came to, and when the next one is due.
  outcomes: {
    mutate: domain(OUTCOMES),
    tests: domainTests("call-outcome", "findings", "dispositions-document", "retry"),
    ignoreStatic: true,
    breakAt: 96,
  },
  ...DOMAIN_SETS,
  proving: {
    mutate: ["src/activities/campaigns/proving.ts"],
    tests: ledgerTests(
      "engine/campaigns/proof-of-not-dialed",
      "engine/campaigns/stuck-ends",
      "engine/campaigns/endless-listings",
    ),
    ignoreStatic: true,
    isLedger: true,
    breakAt: 80,
  },
  starting: {
    mutate: [
      "src/activities/campaigns/start-batch.ts",
      "src/activities/campaigns/beginning.ts",
      "src/ledger/campaigns/starting.ts",
      "src/ledger/campaigns/start-turns.ts",
    ],
    tests: ledgerTests(
      "engine/campaigns/stalled-starts",
      "engine/campaigns/proof-of-not-dialed",
      "engine/campaigns/unseen-starts",
      "engine/campaigns/doubtful-batches",
      "ledger/campaigns/call-rate",
      "ledger/campaigns/starting",
    ),
    ignoreStatic: true,
    isLedger: true,
    breakAt: 80,
  },
  leasing: {
    mutate: [
      "src/ledger/campaigns/leasing.ts",
      "src/ledger/campaigns/ask-gate.ts",
      "src/ledger/campaigns/contact-facts.ts",
      "src/ledger/campaigns/planning.ts",
      "src/ledger/campaigns/planning-lanes.ts",
      "src/ledger/campaigns/planning-slots.ts",
    ],
    tests: ledgerTests(
      "ledger/campaigns/leasing",
      "ledger/campaigns/placements",
      "ledger/campaigns/planning",
      "ledger/campaigns/planning-stalls",
      "ledger/campaigns/standing",
      "ledger/campaigns/account-lines",
      "ledger/campaigns/call-rate",
      "ledger/campaigns/concurrency",
      "ledger/campaigns/ramp-up",
      "ledger/campaigns/least-gap",
      "ledger/campaigns/called-lately",
      "ledger/campaigns/undecided-calls",
    ),
    ignoreStatic: true,
    isLedger: true,
    breakAt: 80,
  },
  stopping: {
    mutate: [
      "src/ledger/campaigns/stopping.ts",
      "src/activities/campaigns/halt-batches.ts",
      "src/activities/campaigns/stop-on-platform.ts",
    ],
    tests: ledgerTests(
      "engine/campaigns/stop-all",
      "engine/campaigns/halting",
      "engine/campaigns/leaving-batches",
      "engine/campaigns/lines-after-stop",
      "engine/campaigns/unclear-deletes",
      "ledger/campaigns/commands",
    ),
    ignoreStatic: true,
    isLedger: true,
    breakAt: 80,
  },
  settling: {
    mutate: [
      "src/ledger/campaigns/settling.ts",
      "src/ledger/campaigns/batch-slots.ts",
      "src/ledger/campaigns/attempts.ts",
      "src/activities/campaigns/batch-settling.ts",
    ],
    tests: ledgerTests(
      "ledger/campaigns/settling",
      "ledger/campaigns/returning",
      "ledger/campaigns/isolated-findings",
      "ledger/campaigns/placements",
      "ledger/follow-ups/follow-ups",
      "engine/campaigns/proof-of-not-dialed",
      "engine/campaigns/lines-after-stop",
      "engine/campaigns/announcing",
    ),
    ignoreStatic: true,
    isLedger: true,
    breakAt: 80,
  },
};

/** The set that MUTATION_SET names, as `npm run mutation` has it; else the one that CI runs. */
export function mutationSet() {
  const name = process.env["MUTATION_SET"] ?? "proof";
  if (!Object.hasOwn(MUTATION_SETS, name)) throw new Error(`MUTATION_SET is ${name}: there is no such set`);
  return { name, ...MUTATION_SETS[name] };
}
