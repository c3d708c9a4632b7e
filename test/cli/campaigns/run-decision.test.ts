import { describe, expect, it, test } from "vitest";

import { decideRun, INTERRUPTED_REASON, type RunWish } from "../../../src/cli/campaigns/run/run-decision.ts";
import { shellText } from "../../../src/cli/hints.ts";
import { readCampaignSpec, type CampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { AGENT, campaignOf } from "../support.ts";

function spec(changes: Record<string, unknown> = {}): CampaignSpec {
  const reading = readCampaignSpec({
    name: "spring",
    agent_id: AGENT,
    from_numbers: ["+12025550100"],
    concurrency: 20,
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
}

function wish(changes: Partial<RunWish> = {}): RunWish {
  return {
    spec: spec(),
    list: { name: "list.csv", digest: "aaaa" },
    amend: false,
    isNew: false,
    partial: false,
    ...changes,
  };
}

const OTHER_LIST = { name: "more.csv", digest: "bbbb" };

function refusal(decision: ReturnType<typeof decideRun>): string {
  return decision.kind === "refuse" ? decision.message : `not refused: ${JSON.stringify(decision)}`;
}

describe("a campaign that does not exist", () => {
  it("is created, with --new as well", () => {
    expect(decideRun(undefined, wish())).toEqual({ kind: "create" });
    expect(decideRun(undefined, wish({ isNew: true, amend: true }))).toEqual({ kind: "create" });
  });
});

describe("a campaign that is over", () => {
  const over = campaignOf({ state: "completed", ended_at: "2026-11-23T16:00:00.000Z" });

  it("shows its report and dials nobody", () => {
    expect(decideRun(over, wish())).toEqual({ kind: "report" });
    expect(decideRun(campaignOf({ ...over, state: "cancelled" }), wish())).toEqual({ kind: "report" });
  });

  it("is run anew only where that was asked for", () => {
    expect(decideRun(over, wish({ isNew: true, list: OTHER_LIST }))).toEqual({ kind: "create" });
  });

  it("is refused with the difference, field by field, which amending can't put in force any more", () => {
    const changed = wish({ spec: spec({ concurrency: 30 }), list: OTHER_LIST, amend: true });
    const message = refusal(decideRun(over, changed));
    expect(message).toContain("concurrency: was 20, is now 30");
    expect(message).toContain("contacts: were list.csv (aaaa), is now more.csv (bbbb)");
    expect(message).toContain("--new");
  });
});

describe("a campaign under way", () => {
  const same = { kind: "carry_on", amend: false, takeList: false, allowPartial: false };

  test.each([
    ["scheduled", null, "start"],
    ["running", null, "follow"],
    ["draining", "enough", "follow"],
    ["paused", INTERRUPTED_REASON, "resume"],
    ["paused", "lunch", "hold"],
    ["paused", null, "hold"],
  ] as const)("that is %s (%s) goes on with: %s", (state, state_reason, next) => {
    expect(decideRun(campaignOf({ state, state_reason }), wish())).toEqual({ ...same, next });
  });

  it("takes the rest of a list that was cut off", () => {
    const [list] = campaignOf().lists;
    const cut = campaignOf({ lists: list ? [{ ...list, completed_at: null }] : [] });
    expect(decideRun(cut, wish())).toMatchObject({ takeList: true, next: "follow" });
  });

  it("is not run a second time beside itself", () => {
    expect(refusal(decideRun(campaignOf(), wish({ isNew: true })))).toContain(
      "outdial campaign cancel spring",
    );
  });

  it("refuses a changed policy or list, unless told to amend", () => {
    const changed = { spec: spec({ concurrency: 5 }), list: OTHER_LIST };
    const message = refusal(decideRun(campaignOf(), wish(changed)));
    expect(message).toContain("concurrency: was 20, is now 5");
    expect(message).toContain("is now more.csv");
    expect(message).toContain("--amend");
    expect(decideRun(campaignOf(), wish({ ...changed, amend: true }))).toEqual({
      ...same,
      amend: true,
      takeList: true,
      next: "follow",
    });
  });

  it("never changes who calls, or whom a name means", () => {
    const changed = wish({ spec: spec({ agent_id: "other" }), amend: true });
    expect(refusal(decideRun(campaignOf(), changed))).toContain("agent_id can't change");
  });

  it("changes nothing any more once it is ending", () => {
    const changed = wish({ spec: spec({ concurrency: 5 }), amend: true });
    expect(refusal(decideRun(campaignOf({ state: "draining" }), changed))).toContain("is ending");
  });

  it("takes another list where nobody was accepted from the first one", () => {
    const blank = campaignOf({
      state: "scheduled",
      contacts: { total: 0, done: 0, excluded: 0, open: 0, leased: 0 },
    });
    expect(decideRun(blank, wish({ list: OTHER_LIST }))).toEqual({
      ...same,
      takeList: true,
      allowPartial: true,
      next: "start",
    });
  });

  it("finds no difference in how a spec is written", () => {
    const written = campaignOf({
      spec: {
        concurrency: 20,
        from_numbers: ["+12025550100"],
        agent_id: AGENT,
        name: "spring",
        brand: "default",
      },
    });
    expect(decideRun(written, wish())).toEqual({ ...same, next: "follow" });
  });
});

test("names are quoted as a shell takes them", () => {
  expect(shellText("spring-renewal_2.b")).toBe("spring-renewal_2.b");
  expect(shellText("it's spring")).toBe("'it'\\''s spring'");
});
