import { describe, expect, it, onTestFinished } from "vitest";

import { startChore } from "../../../src/chores/chores.ts";
import { intakeDeps } from "../../support/intake.ts";
import { withLedger } from "../../support/ledgers.ts";

describe("a chore of several processes", () => {
  withLedger((ledger) => {
    const deps = () => intakeDeps(ledger(), undefined as never);

    it("is done by each of them where it is of each, and goes on in others where one fails", async () => {
      const turns = { one: 0, two: 0 };
      for (const holder of ["one", "two"] as const) {
        const chore = startChore(deps(), holder, {
          name: "of each",
          everyMs: 10,
          perform: async () => {
            turns[holder] += 1;
            if (holder === "one") throw new Error("not here");
          },
          isEverywhere: true,
        });
        onTestFinished(() => chore.stop());
      }
      await expect.poll(() => turns.one >= 3 && turns.two >= 3).toBe(true);
    });

    it("is done by one of them where it is for all, and by another once that is gone", async () => {
      const turns: string[] = [];
      // Longer than any machine is busy: a lease lasts for two turns and a half.
      const chores = ["one", "two"].map((holder) =>
        startChore(deps(), holder, {
          name: "for all",
          everyMs: 1_000,
          perform: async () => void turns.push(holder),
        }),
      );
      onTestFinished(() => Promise.all(chores.map((chore) => chore.stop())).then(() => {}));
      await expect.poll(() => turns.length).toBeGreaterThan(0);
      const [first] = turns;
      await chores[first === "one" ? 0 : 1]?.stop();
      await expect.poll(() => turns.some((holder) => holder !== first)).toBe(true);
    });
  });
});
