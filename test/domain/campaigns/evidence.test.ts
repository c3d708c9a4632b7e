import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { addRead, judge, type Evidence, type Verdict } from "../../../src/domain/campaigns/evidence.ts";

const PHONE = "+12025550100";

/** U: its item is there and shows no dial. M: its item is not listed. */
type Seen = "U" | "M";

/** What becomes of one number whose reads say this, one after the other, until it is decided. */
function judged(reads: string): keyof Verdict {
  let evidence: Evidence | undefined;
  let decided: keyof Verdict = "open";
  for (const seen of reads) {
    const read = readOf([[PHONE, seen === "U" ? "U" : "M"]]);
    evidence = addRead(evidence, read);
    const verdict = judge(evidence, read);
    decided = verdict.proven.length > 0 ? "proven" : verdict.disproven.length > 0 ? "disproven" : "open";
    if (decided !== "open") return decided;
  }
  return decided;
}

function readOf(seen: readonly (readonly [string, Seen])[]) {
  return {
    undialed: seen.filter(([, one]) => one === "U").map(([phone]) => phone),
    missing: seen.filter(([, one]) => one === "M").map(([phone]) => phone),
  };
}

describe("what reads of a batch that is over prove of one number", () => {
  it.each([
    ["U", "open"],
    ["M", "open"],
    ["UU", "proven"],
    ["MM", "disproven"],
    ["UM", "open"],
    ["MU", "open"],
    ["UMU", "proven"],
    ["MUU", "proven"],
    ["UMM", "disproven"],
    ["MUM", "disproven"],
  ] as const)("%s: %s", (reads, verdict) => {
    expect(judged(reads)).toBe(verdict);
  });

  it("is decided by three reads at the most, and never by one", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[UM]{3}$/), (reads) => {
        expect(judged(reads.slice(0, 1))).toBe("open");
        expect(judged(reads)).not.toBe("open");
      }),
    );
  });

  it("is proven by a read that agrees with an earlier one, and by nothing else", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[UM]{2,3}$/), (reads) => {
        if (judged(reads) === "proven") {
          expect(reads.replaceAll("M", "").length).toBeGreaterThanOrEqual(2);
        }
      }),
    );
  });

  it("says of each number of the last read one thing, and nothing of others", () => {
    const phones = ["a", "b", "c", "d"];
    const first = readOf([
      ["a", "U"],
      ["b", "M"],
      ["c", "U"],
      ["d", "M"],
    ]);
    // "d" was seen to be dialed meanwhile: it stands in no further read.
    const second = readOf([
      ["a", "U"],
      ["b", "U"],
      ["c", "M"],
    ]);
    const evidence = addRead(addRead(undefined, first), second);
    expect(judge(evidence, second)).toEqual({ proven: ["a"], disproven: [], open: ["b", "c"] });
    expect(phones).toContain("d");
    const third = readOf([
      ["b", "U"],
      ["c", "M"],
    ]);
    expect(judge(addRead(evidence, third), third)).toEqual({ proven: ["b"], disproven: ["c"], open: [] });
  });

  it("disproves at the third read what shows no dial in it for the first time", () => {
    const undialed = readOf([[PHONE, "U"]]);
    // Its word was one that nobody knows, in both.
    const evidence = addRead(addRead(addRead(undefined, readOf([])), readOf([])), undialed);
    expect(judge(evidence, undialed)).toEqual({ proven: [], disproven: [PHONE], open: [] });
  });

  it("proves nothing of a number that was undialed twice and is not listed now", () => {
    const undialed = readOf([[PHONE, "U"]]);
    const missing = readOf([[PHONE, "M"]]);
    const evidence = addRead(addRead(addRead(undefined, undialed), undialed), missing);
    expect(judge(evidence, missing)).toEqual({ proven: [], disproven: [PHONE], open: [] });
  });
});
