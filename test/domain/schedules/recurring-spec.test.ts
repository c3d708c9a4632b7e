import { describe, expect, it } from "vitest";

import { declaredSpecOf } from "../../../src/domain/schedules/recurring-spec.ts";
import { specOf } from "../../ledger/support/scenario.ts";

describe("what a declared campaign leaves out", () => {
  const named = specOf();
  const within = (asked: string | undefined) =>
    asked === undefined ? named : { ...named, not_called_within: asked };

  it.each([
    // What its document says, what its schedules say, its newest run, and what is to be.
    ["is what its document says without schedules", "1d", [], ["running", "7d"], "1d"],
    ["is what its document says where no schedule says it", "1d", [undefined], ["running", "7d"], "1d"],
    ["is what its schedule says, before the first run", undefined, ["7d"], undefined, "7d"],
    ["is what its schedule says, in place of the document's", "1d", ["7d"], ["running", "1d"], "7d"],
    ["is what its schedule says, while a run is going on", undefined, ["7d"], ["running", "7d"], "7d"],
    ["is what its schedule says, where it was taken off", undefined, ["7d"], ["paused", undefined], "7d"],
    ["is what its schedule says by now", undefined, ["14d"], ["running", "7d"], "14d"],
    ["is what its schedule says, between runs", undefined, ["7d"], ["completed", "7d"], "7d"],
    [
      "is what one of several said, whichever began the run",
      undefined,
      ["7d", "1d"],
      ["running", "1d"],
      "1d",
    ],
    [
      "is nothing where one that says nothing began the run",
      undefined,
      ["7d", undefined],
      ["running", undefined],
      undefined,
    ],
    ["is the longest of what several say", undefined, ["23h", "1d", undefined], ["running", "12h"], "1d"],
    [
      "is what its document says, where that is longer and a person began the run",
      "30d",
      ["7d"],
      ["running", "30d"],
      "30d",
    ],
    [
      "is what its document says, where that is longer, before the first run",
      "30d",
      ["7d"],
      undefined,
      "30d",
    ],
    [
      "is what its schedule says in the run that it began, where the document's is longer",
      "30d",
      ["7d"],
      ["running", "7d", "of a schedule"],
      "7d",
    ],
    ["stays in a run that was started, where nobody says it any more", undefined, [], ["paused", "7d"], "7d"],
    ["stays in a run that is over, where nobody says it any more", undefined, [], ["completed", "7d"], "7d"],
    [
      "stays in a run that was started, where others say less",
      undefined,
      ["1d", undefined],
      ["draining", "7d"],
      "7d",
    ],
    [
      "stays in the run of a schedule that is gone, where the document says less",
      "1d",
      [],
      ["running", "7d", "of a schedule"],
      "7d",
    ],
    [
      "grows in the run of a schedule that is gone, where the document says more",
      "14d",
      [],
      ["running", "7d", "of a schedule"],
      "14d",
    ],
    [
      "is what its document says, when the run of a schedule that is gone is over",
      "1d",
      [],
      ["completed", "7d", "of a schedule"],
      "1d",
    ],
    [
      "is what its schedule said to a run whose list is being loaded",
      undefined,
      ["7d", "1d"],
      ["scheduled", "1d", "of a schedule"],
      "1d",
    ],
    [
      "is what its document says, in a run that was not started",
      undefined,
      [],
      ["scheduled", "7d"],
      undefined,
    ],
    ["is the longest until a schedule begins the run", "30d", ["7d"], ["scheduled", "7d"], "30d"],
    [
      "is what its schedule says, before it begins the run",
      undefined,
      ["7d"],
      ["scheduled", undefined],
      "7d",
    ],
  ] as const)("%s", (_what, document, says, newest, expected) => {
    const schedules = says.map((not_called_within, nth) => ({
      name: `s${nth}`,
      brand: "default",
      campaign: "c",
      not_called_within,
      has_spec: false,
    }));
    const run = newest && {
      state: newest[0],
      spec: within(newest[1]),
      isOfSchedule: newest[2] !== undefined,
    };
    const spec = declaredSpecOf(within(document), schedules, run);
    expect(spec.not_called_within).toBe(expected);
    expect({ ...spec, not_called_within: document }).toEqual({ ...named, not_called_within: document });
  });
});
