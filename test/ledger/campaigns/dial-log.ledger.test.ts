import fc from "fast-check";
import { afterAll, expect, it } from "vitest";

import { sized } from "../../support/long.ts";
import { life, PEOPLE } from "../support/dial-draws.ts";
import { objectionsToLife } from "../support/dial-judge.ts";
import { DialLife } from "../support/dial-life.ts";
import { drawIds, randomIds } from "../support/drawn-ids.ts";
import { withLifeLedger } from "../support/life-ledger.ts";
import { expectInvariants } from "../support/invariants.ts";

/*
 * Campaigns of two brands and the calls of a sequence's step go to the same people, under policies that are drawn,
 * changed, paused, blacked out and cancelled at any moment, by a process that is killed at any commit. The log of their
 * dials alone is judged, by a reading of the rules that shares nothing with the program: no dial is against any of them,
 * and everybody comes to an end for which there is a reason.
 */

withLifeLedger("any policies, changed at any moment", (opened) => {
  afterAll(randomIds);

  it("let no dial be made against them, and lose nobody", { timeout: 14_400_000 }, async () => {
    let dials = 0;
    // fast-check prints the seed and the path of a failure, and the life: { seed, path } as further options repeat it alone.
    await fc.assert(
      fc.asyncProperty(life, async ({ beginMs: nowMs, changes, ...beginning }) => {
        await opened().forgetEverybody();
        drawIds(JSON.stringify(changes));
        const lived = await DialLife.begin(opened(), PEOPLE, { ...beginning, nowMs });
        for (const change of changes) await lived.live(change);
        await lived.bringToItsEnd();
        await expectInvariants(opened().ledger);
        dials += lived.log.length;
        expect(await objectionsToLife(lived)).toEqual([]);
      }),
      // A smaller life that fails too is worth minutes where somebody looks for it.
      { numRuns: sized({ short: 100, long: 10_000 }), endOnFailure: sized({ short: true, long: false }) },
    );
    // A log of nothing would be fair, too.
    expect(dials).toBeGreaterThan(500);
  });
});
