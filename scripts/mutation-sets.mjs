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
  "zone-rules",
  "calling-window",
  "window-dates",
  "minute-range",
  "number-kind",
  "never-dialed",
  "dialing-policy",
  "batch-sizing",
  "batch-state",
  "campaign-state",
  "contact-state",
];
const OUTCOMES = ["call-outcome", "disposition", "retry"];

const domain = (names) => names.map((name) => `src/domain/*/${name}.ts`);
const domainTests = (...names) => names.map((name) => `test/domain/*/${name}.test.ts`);

const WISH_OF_LEDGER = 80;

const ledgerSet = ({ modules, tests, breakAt = WISH_OF_LEDGER }) => ({
  mutate: modules.map((name) => `src/${name}.ts`),
  tests: tests.map((name) => `test/${name}.ledger.test.ts`),
  ignoreStatic: true,
  isLedger: true,
  breakAt,
});

const DOMAIN = new URL("../src/domain/", import.meta.url);
const ELSEWHERE = new Set([...PROOF, ...POLICY, ...OUTCOMES].map((name) => `${name}.ts`));

/** A set of its own: campaigns that are played take seconds. */
const REHEARSAL = "campaigns/rehearsal";

/** By folder, a little under what was reached; folders that were not run to their end have a wish. */
const DOMAIN_BREAKS = {
  campaigns: 95,
  ground: 94,
  time: 93,
  triggers: 96,
  "follow-ups": 97,
  keys: 94,
  schedules: 91,
  policy: 93,
  people: 97,
  rules: 93,
  declared: 93,
  automations: 97,
  sequences: 91,
  events: 91,
};
const WISH = 60;
/** Folders whose own tests have to see it all, which is quicker than to ask everybody's. Those that take long are last. */
const ALONE = {
  automations: ["automations/automation"],
  campaigns: [
    "campaigns/*",
    "campaigns/outlook",
    "campaigns/fill",
    "campaigns/campaign-spec",
    "campaigns/call-outcome",
  ],
  [REHEARSAL]: [
    "campaigns/rehearsal/due-heap",
    "campaigns/rehearsal/seeded",
    "campaigns/rehearsal/people",
    "campaigns/rehearsal/lane-heads",
    "campaigns/rehearsal/lane-hours",
    "campaigns/rehearsal/call-memory",
    "campaigns/rehearsal/plan-of-spec",
    "campaigns/rehearsal/standing-plan",
    "campaigns/rehearsal/outcome-model",
    "campaigns/rehearsal/exact-runs",
    "campaigns/cost-estimate",
    "campaigns/outlook",
    "campaigns/rehearsal/lines-needed",
    "campaigns/rehearsal/simulation",
    "campaigns/rehearsal/forecast",
  ],
  declared: ["declared/documents"],
  events: ["events/webhook"],
  expressions: ["expressions/expressions"],
  keys: ["keys/key-rotation"],
  notices: ["notices/route", "notices/turn", "notices/message", "notices/quiet-hours", "notices/notices"],
  people: ["people/others-numbers", "people/forgetting", "people/dial-checks"],
  policy: [
    "policy/suppression-source",
    "policy/gate-question",
    "policy/source-definition",
    "policy/retry-delay",
    "policy/common-hours",
    "policy/scrubbing",
    "policy/consent",
    "policy/parts-of-day",
    "policy/retry",
    "policy/presets/preset",
    "policy/presets/registry",
    "policy/presets/whereabouts",
    "policy/presets/in-force",
    "policy/presets/closing-rule",
    "policy/policy-gate",
    "campaigns/transfers",
    "policy/presets/rules",
    "campaigns/presets-of-a-spec",
  ],
  rules: ["rules/action-words", "rules/rule-set", "rules/rehearsal"],
  schedules: [
    "schedules/schedule-pattern",
    "schedules/recurring-spec",
    "schedules/schedule",
    "schedules/schedule-turns",
    "schedules/schedule-times",
  ],
  sequences: [
    "sequences/diagram",
    "sequences/sensitive-variables",
    "sequences/call-specs",
    "sequences/rehearsal/ways",
    "sequences/rehearsal/tried-call",
    "sequences/local-time",
    "sequences/definition",
    "sequences/turn",
    "sequences/journey",
    "sequences/asked-of-calls",
    "sequences/turn-properties",
  ],
};

/** What editors are told is a part of what is declared; what a platform does is found by a command. */
const BESIDES = { declared: ["test/docs/schemas.test.ts"], campaigns: ["test/cli/qualify-profile.test.ts"] };

function testsOf(folder) {
  if (!Object.hasOwn(ALONE, folder)) return ["test/domain/**/*.test.ts"];
  const own = ALONE[folder].map((name) => `test/domain/${name}.test.ts`);
  return [...own, ...(BESIDES[folder] ?? [])];
}

/** Those of its folders, too; rules of presets are data, which tests compare word by word. */
function modulesIn(folder) {
  const all = readdirSync(new URL(folder, DOMAIN), { recursive: true, encoding: "utf8" });
  const isOthers = (path) => folder !== REHEARSAL && `${folder}/${path}`.startsWith(`${REHEARSAL}/`);
  return all.filter(
    (path) => path.endsWith(".ts") && !path.includes("/data/") && !ELSEWHERE.has(path) && !isOthers(path),
  );
}

/** The rest of the domain, a set for each folder (`domain-campaigns`): specs, schedules, sequences, expressions. */
const DOMAIN_SETS = Object.fromEntries(
  [...readdirSync(DOMAIN), REHEARSAL]
    .map((folder) => ({
      folder,
      modules: modulesIn(folder),
    }))
    .filter(({ modules }) => modules.length > 0)
    .map(({ folder, modules }) => [
      `domain-${folder.replace("/", "-")}`,
      {
        mutate: modules.map((name) => `src/domain/${folder}/${name}`),
        tests: testsOf(folder),
        ignoreStatic: true,
        ignoreWords: true,
        breakAt: DOMAIN_BREAKS[folder] ?? WISH,
      },
    ]),
);

/** @type {Readonly<Record<string, MutationSet>>} */
export const MUTATION_SETS = {
  // Who counts as not dialed (I1): pure and quick.
  proof: {
    mutate: domain(PROOF),
    tests: domainTests(...PROOF),
    breakAt: 94,
  },
  // A third of it, which CI runs: the guards that stand before all others, texts and constants of modules left out.
  "proof-in-ci": {
    mutate: domain(PROOF.filter((name) => name !== "findings")),
    tests: domainTests(...PROOF),
    ignoreStatic: true,
    ignoreWords: true,
    breakAt: 98,
  },
  // Whether somebody may be dialed now (I2), and which state follows which.
  policy: {
    mutate: domain(POLICY),
    tests: [
      ...domainTests(
        "number-kind",
        "never-dialed",
        "states",
        "calling-window",
        "window-dates",
        "batch-sizing",
        "gate-by-others-word",
        "zone-rules",
        "policy-gate",
        "consent",
        "scrubbing",
        "retry",
        "common-hours",
        "transfers",
        "presets-of-a-spec",
      ),
      "test/domain/policy/presets/closing-rule.test.ts",
      "test/domain/policy/presets/rules.test.ts",
    ],
    ignoreStatic: true,
    breakAt: 95,
  },
  // What a call came to, and when the next one is due.
  outcomes: {
    mutate: domain(OUTCOMES),
    tests: domainTests("call-outcome", "findings", "dispositions-document", "retry"),
    ignoreStatic: true,
    breakAt: 96,
  },
  ...DOMAIN_SETS,
  // Below: modules that need a ledger. Quick files stand first, since the first test that fails ends a mutant.
  proving: ledgerSet({
    modules: ["activities/campaigns/proving"],
    tests: ["engine/campaigns/proving"],
    breakAt: 92,
  }),
  // The transaction that permits a start, and whose turn it is.
  permitting: ledgerSet({
    modules: ["ledger/campaigns/starting", "ledger/campaigns/start-turns"],
    tests: ["ledger/campaigns/starting", "ledger/campaigns/call-rate", "engine/campaigns/doubtful-batches"],
    breakAt: 95,
  }),
  // The one start request, and how a batch is seen to begin.
  starting: ledgerSet({
    modules: ["activities/campaigns/start-batch", "activities/campaigns/beginning"],
    tests: ["engine/campaigns/beginning", "engine/campaigns/start-batch"],
    breakAt: 94,
  }),
  leasing: ledgerSet({
    modules: ["ledger/campaigns/leasing", "ledger/campaigns/ask-gate", "ledger/campaigns/contact-facts"],
    tests: [
      "ledger/campaigns/leasing",
      "ledger/campaigns/planned-at-once",
      "ledger/campaigns/contact-facts",
      "ledger/campaigns/called-lately",
      "ledger/campaigns/undecided-calls",
      "ledger/campaigns/least-gap",
      "ledger/campaigns/planning",
      "ledger/campaigns/frequency",
      "ledger/campaigns/consent",
      "ledger/campaigns/caller-ids",
      "ledger/campaigns/planning-stalls",
      "ledger/campaigns/starting",
    ],
    breakAt: 91,
  }),
  // What a campaign plans: whom it may, how many, and when it looks again.
  planning: ledgerSet({
    modules: ["ledger/campaigns/planning"],
    tests: [
      "ledger/campaigns/planning-says",
      "ledger/campaigns/planning-waits",
      "ledger/campaigns/planning-left",
      "ledger/campaigns/planning",
      "ledger/campaigns/leasing",
      "ledger/campaigns/planned-at-once",
      "ledger/campaigns/ramp-up",
      "ledger/campaigns/planning-stalls",
    ],
  }),
  // Of whom: those whose zones are open, in their order.
  "planning-lanes": ledgerSet({
    modules: ["ledger/campaigns/planning-lanes"],
    tests: [
      "ledger/campaigns/planning-lanes",
      "ledger/campaigns/list-order",
      "ledger/campaigns/many-lanes",
      "ledger/campaigns/planning",
    ],
    breakAt: 89,
  }),
  // Of how many slots, and what it says of them.
  "planning-slots": ledgerSet({
    modules: ["ledger/campaigns/planning-slots"],
    tests: [
      "ledger/campaigns/planning-slots",
      "ledger/campaigns/ramp-up",
      "ledger/campaigns/call-rate",
      "ledger/campaigns/account-lines",
    ],
    breakAt: 93,
  }),
  settling: ledgerSet({
    modules: ["ledger/campaigns/settling", "ledger/campaigns/told-outcomes", "ledger/campaigns/batch-slots"],
    tests: [
      "ledger/campaigns/settling-results",
      "ledger/campaigns/told-outcomes",
      "ledger/campaigns/settling",
      "ledger/campaigns/isolated-findings",
      "ledger/campaigns/returning",
      "ledger/follow-ups/follow-ups",
      "ledger/campaigns/placements",
    ],
  }),
  // Who of a batch is not over yet, and what is known of them. Whoever looks at the platform asks for it.
  attempts: ledgerSet({
    modules: ["ledger/campaigns/attempts"],
    tests: [
      "ledger/campaigns/attempts",
      "engine/campaigns/batch-settling",
      "engine/campaigns/beginning",
      "engine/campaigns/proving",
      "engine/campaigns/stop-on-platform",
      "engine/campaigns/halt-batches",
      "ledger/campaigns/list-order",
    ],
  }),
  // What is written of a batch after each look at the platform.
  finishing: ledgerSet({
    modules: ["activities/campaigns/batch-settling"],
    tests: ["engine/campaigns/batch-settling"],
    breakAt: 90,
  }),
  stopping: ledgerSet({
    modules: ["ledger/campaigns/stopping"],
    tests: ["ledger/campaigns/stopping"],
    breakAt: 96,
  }),
  // A stop as far as the platform.
  halting: ledgerSet({
    modules: ["activities/campaigns/halt-batches", "activities/campaigns/stop-on-platform"],
    tests: ["engine/campaigns/stop-on-platform", "engine/campaigns/halt-batches"],
  }),
};

/** The set that MUTATION_SET names, as `npm run mutation` has it; else the one that CI runs. */
export function mutationSet() {
  const name = process.env["MUTATION_SET"] ?? "proof";
  if (!Object.hasOwn(MUTATION_SETS, name)) throw new Error(`MUTATION_SET is ${name}: there is no such set`);
  return { name, ...MUTATION_SETS[name] };
}
