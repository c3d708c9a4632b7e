import { sql } from "drizzle-orm";
import fc from "fast-check";
import { it } from "vitest";

import { DISPOSITIONS } from "../../../src/domain/policy/disposition.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers } from "../../support/ledgers.ts";
import { sized } from "../../support/long.ts";
import { expectInvariants } from "../support/invariants.ts";
import { World, type Event } from "../support/world.ts";

/*
 * Campaigns that share their numbers live through any order of events. After each one everything that must
 * always hold is looked up in the rows.
 */

/** An event; numbers choose among what there is at the time. */
const which = fc.nat(1_000);
const few = fc.array(which, { minLength: 1, maxLength: 6 });
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant("plan" as const), which }) },
  { weight: 36, arbitrary: fc.record({ kind: fc.constant("advance" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("notStarted" as const), which }) },
  {
    weight: 18,
    arbitrary: fc.record({
      kind: fc.constant("settle" as const),
      which,
      share: fc.nat(3),
      outcomes: fc.array(
        fc.constantFrom(
          "up" as const,
          "provisional" as const,
          "busy" as const,
          "no_answer" as const,
          ...DISPOSITIONS,
        ),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("giveBack" as const), which, few }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("close" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("refused" as const), which, few }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("tell" as const),
      which,
      command: fc.constantFrom("pause" as const, "resume" as const, "resume" as const, "resume" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("amend" as const), which, to: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("suppress" as const), few, everywhere: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("allow" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("append" as const), which, few }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("place" as const), which, few }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("callBack" as const), which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom("withdraw" as const, "hold" as const, "release" as const),
      which,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("takeOut" as const), which, few }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("wait" as const), minutes: fc.nat(90) }) },
);

describeLedgers("any order of events", (ledger) => {
  it("keeps everybody counted, every number with one open attempt, and every slot within its limit", async () => {
    // fast-check prints the seed and the events of a failure; { seed, path } as further options repeat it.
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 40, maxLength: 100 }), async (events) => {
        // Each run begins with an empty ledger: the lookups below read all of it.
        await rows(ledger().db, sql`truncate brands cascade`);
        const world = await World.make(ledger());
        for (const one of events) {
          await world.live(one);
          await world.expectSlotsWithinLimit();
          await world.expectSuppressedStopped();
          await expectInvariants(ledger());
        }
        await world.bringToItsEnd();
        await expectInvariants(ledger());
      }),
      { numRuns: sized({ short: 4, long: 60 }) },
    );
  });
});
