/*
 * Suites of the ledger that run on the embedded kind beside PostgreSQL in the short form: those that have most of the
 * statements of their capability, and none that takes long. The embedded kind is PostgreSQL's own code and costs twice as
 * much to ask. What else could differ is held otherwise: `npm run check` has every statement prepared by it, suites on
 * PostgreSQL refuse what its one connection would wait for without end (`ledgers.ts`), and whole systems run on it
 * (`test/system`). The long form runs everything on both.
 */
export const EMBEDDED_SUITES = [
  "test/engine/ground/request-budget.ledger.test.ts",
  "test/http/ledger-copies.ledger.test.ts",
  "test/ledger/campaigns/archiving.ledger.test.ts",
  "test/ledger/campaigns/called-lately.ledger.test.ts",
  "test/ledger/campaigns/campaigns.ledger.test.ts",
  "test/ledger/campaigns/commands.ledger.test.ts",
  "test/ledger/campaigns/consent.ledger.test.ts",
  "test/ledger/campaigns/contact-facts.ledger.test.ts",
  "test/ledger/campaigns/imports.ledger.test.ts",
  "test/ledger/campaigns/leasing.ledger.test.ts",
  "test/ledger/campaigns/many-lanes.ledger.test.ts",
  "test/ledger/campaigns/planned-at-once.ledger.test.ts",
  "test/ledger/campaigns/planning-lanes.ledger.test.ts",
  "test/ledger/campaigns/planning-slots.ledger.test.ts",
  "test/ledger/campaigns/planning.ledger.test.ts",
  "test/ledger/campaigns/reports.ledger.test.ts",
  "test/ledger/campaigns/settling.ledger.test.ts",
  "test/ledger/campaigns/starting.ledger.test.ts",
  "test/ledger/campaigns/statements.ledger.test.ts",
  "test/ledger/campaigns/withdrawing.ledger.test.ts",
  "test/ledger/events/events.ledger.test.ts",
  "test/ledger/follow-ups/follow-ups.ledger.test.ts",
  "test/ledger/ground/attention.ledger.test.ts",
  "test/ledger/ground/failing-steps.ledger.test.ts",
  "test/ledger/ground/late-statements.ledger.test.ts",
  "test/ledger/ground/look-by.ledger.test.ts",
  "test/ledger/ground/migrations.ledger.test.ts",
  "test/ledger/ground/outbox.ledger.test.ts",
  "test/ledger/ground/suppressions.ledger.test.ts",
  "test/ledger/recovery/recovery.ledger.test.ts",
  "test/ledger/schedules/schedules.ledger.test.ts",
  "test/ledger/sequences/sequences.ledger.test.ts",
  "test/ledger/telemetry/standing-of-ledger.ledger.test.ts",
  "test/ledger/triggers/delivery-order.ledger.test.ts",
];

/** @param file the path of a file of tests */
export function isOfEmbedded(file: string): boolean {
  return EMBEDDED_SUITES.some((name) => file.endsWith(name));
}
