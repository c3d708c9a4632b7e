import fc from "fast-check";
import { afterAll, expect, it } from "vitest";

import { sized } from "../../support/long.ts";
import { askedLife, testSeed } from "../../support/seed.ts";
import { life, PEOPLE } from "../support/dial-draws.ts";
import { objectionsToLife } from "../support/dial-judge.ts";
import { DialLife } from "../support/dial-life.ts";
import { Met } from "../support/dial-met.ts";
import { drawIds, randomIds } from "../support/drawn-ids.ts";
import { withLifeLedger } from "../support/life-ledger.ts";
import { expectInvariants } from "../support/invariants.ts";

/*
 * Campaigns of two brands, their callbacks and two sequences call the same people, from the same numbers and often over
 * the same lines, under policies that are drawn, changed, paused, blacked out and cancelled at any moment, by a process
 * that is killed at any commit. The log of their dials alone is judged, by a reading of the rules that shares nothing
 * with the program: no dial is against any of them, and everybody comes to an end for which there is a reason.
 */

const LIVES = 1;

const one = askedLife();

withLifeLedger("any policies, changed at any moment", (opened) => {
  afterAll(randomIds);

  it("let no dial be made against them, and lose nobody", { timeout: 14_400_000 }, async () => {
    let dials = 0;
    let secondCalls = 0;
    const met = new Met();
    // fast-check prints the seed and the path of a failure, and the life: OUTDIAL_TEST_LIFE=seed:path repeats it alone.
    await fc.assert(
      fc.asyncProperty(life, async ({ beginMs: nowMs, changes, ...beginning }) => {
        await opened().forgetEverybody();
        drawIds(JSON.stringify(changes));
        const lived = await DialLife.begin(opened(), PEOPLE, { ...beginning, nowMs });
        for (const change of changes) await lived.live(change);
        await lived.bringToItsEnd();
        await expectInvariants(opened().ledger);
        dials += lived.log.length;
        secondCalls += lived.sequences.calls.filter(({ no }) => no === 2).length;
        await met.note(opened().ledger.db, changes, lived);
        expect(await objectionsToLife(lived)).toEqual([]);
      }),
      // The short form lives the same lives each time, so that a change is judged by what it changes in them; the long
      // one begins anywhere, and takes minutes to find a smaller life that fails, too.
      one === undefined
        ? sized({
            short: { numRuns: 100, seed: LIVES, endOnFailure: true },
            long: { numRuns: 10_000, seed: testSeed() },
          })
        : { ...one, numRuns: 1, endOnFailure: true },
    );
    if (one !== undefined) return;
    // A log of nothing would be fair, too.
    expect(dials).toBeGreaterThan(1_200);
    expect(secondCalls).toBeGreaterThan(90);
    expect(met.lacking()).toEqual([]);
  });
});
