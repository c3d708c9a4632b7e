import { describe, expect, it } from "vitest";

import { campaignSpecSchema, type CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { clonedSpecOf } from "../../../src/domain/campaigns/cloned-spec.ts";
import { whyLeftOut, type Clonable, type Whom } from "../../../src/domain/campaigns/cloned-people.ts";

const NOW_MS = Date.parse("2026-06-10T11:59:00Z");

function cloned(
  changes: Partial<CampaignSpecInput>,
  own: { startsAt?: string | null; endsAt?: string | null } = {},
) {
  const spec = campaignSpecSchema.parse({
    name: "spring",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 5,
    presets: ["us-federal"],
    ...changes,
  });
  const result = clonedSpecOf(spec, {
    name: "autumn",
    startsAt: own.startsAt,
    endsAt: own.endsAt,
    nowMs: NOW_MS,
  });
  return { spec, result };
}

describe("the spec of a clone", () => {
  it("is the campaign's but for its name, presets in their versions included", () => {
    const { spec, result } = cloned({ ends_at: "2026-07-01T00:00:00Z", starts_at: "2026-06-11T00:00:00Z" });
    expect(result).toEqual({ ok: true, spec: { ...spec, name: "autumn" }, dropped: [] });
    expect(spec.presets?.[0]).toMatch(/^us-federal@/);
  });

  it("has no beginning that has passed, and says so", () => {
    const { result } = cloned({ starts_at: "2026-06-01T00:00:00Z" });
    if (!result.ok) throw new Error("refused");
    expect(result.spec).not.toHaveProperty("starts_at");
    expect(result.dropped).toEqual([
      "starts_at 2026-06-01T00:00:00Z has passed: calls begin when it is started",
    ]);
  });

  it("is refused with an end that has passed, rather than without an end", () => {
    const ended = { ends_at: "2026-06-10T11:59:00Z" };
    expect(cloned(ended).result).toMatchObject({ ok: false, problems: [{ field: "ends_at" }] });
    expect(cloned(ended, { endsAt: "2026-06-01T00:00:00Z" }).result).toMatchObject({ ok: false });
    const endless = cloned(ended, { endsAt: null }).result;
    expect(endless).toMatchObject({ ok: true, spec: { name: "autumn" } });
    expect(endless).not.toHaveProperty("spec.ends_at");
    expect(cloned(ended, { endsAt: "2026-08-01T00:00:00Z" }).result).toMatchObject({
      spec: { ends_at: "2026-08-01T00:00:00Z" },
    });
  });

  it("takes a beginning of its own, to come", () => {
    const own = { startsAt: "2026-06-20T00:00:00Z" };
    expect(cloned({ starts_at: "2026-06-12T00:00:00Z" }, own).result).toMatchObject({
      spec: { starts_at: "2026-06-20T00:00:00Z" },
      dropped: [],
    });
    expect(cloned({}, { startsAt: "2026-06-10T00:00:00Z" }).result).toMatchObject({
      ok: false,
      problems: [{ field: "starts_at" }],
    });
    const begun = cloned({ starts_at: "2026-06-12T00:00:00Z" }, { startsAt: null }).result;
    expect(begun).toMatchObject({ ok: true, dropped: [] });
    expect(begun).not.toHaveProperty("spec.starts_at");
  });

  it("has no beginning at this very moment: that has passed", () => {
    const now = "2026-06-10T11:59:00Z";
    expect(cloned({ starts_at: now }).result).toMatchObject({
      dropped: [`starts_at ${now} has passed: calls begin when it is started`],
    });
    expect(cloned({}, { startsAt: now }).result).toMatchObject({
      ok: false,
      problems: [{ field: "starts_at" }],
    });
  });

  it("keeps exceptions until their last day is over on the last clock of the earth", () => {
    const exceptions = [
      { date: "2026-06-01", to: "2026-06-08" },
      // At 11:59 on the 10th in UTC it is still the 9th at UTC-12.
      { date: "2026-06-09" },
      { date: "2026-12-24", name: "Christmas Eve" },
    ];
    const { result } = cloned({ exceptions });
    expect(result).toMatchObject({
      spec: { exceptions: [{ date: "2026-06-09" }, { date: "2026-12-24" }] },
      dropped: ["an exception that has passed"],
    });
    const [first, second, third] = exceptions;
    expect(cloned({ exceptions: second && third ? [second, third] : [] }).result).toMatchObject({
      dropped: [],
    });
    expect(
      cloned({ exceptions: [{ date: "2026-05-01" }, { date: "2026-06-01" }, { date: "2026-06-09" }] }).result,
    ).toMatchObject({
      spec: { exceptions: [{ date: "2026-06-09" }] },
      dropped: ["2 exceptions of dates that have passed"],
    });
    expect(cloned({ exceptions: first ? [first] : [] }).result).not.toHaveProperty("spec.exceptions");
  });
});

describe("who comes into a clone", () => {
  const person = (changes: Partial<Clonable>): Clonable => ({
    state: "done",
    outcome: "no_answer",
    reason: "final",
    isForgotten: false,
    isWithdrawn: false,
    isTagged: false,
    ...changes,
  });
  const why = (people: Whom["people"], changes: Partial<Clonable>, tag?: string) =>
    whyLeftOut({ people, tag }, person(changes));

  it("is never who was withdrawn, whoever is asked for", () => {
    for (const people of ["all", "unreached", ["no_answer"]] as const)
      expect(why(people, { isWithdrawn: true })).toBe("withdrawn");
  });

  it("is never who was forgotten: nothing of them could be called", () => {
    for (const people of ["all", "unreached", ["no_answer"]] as const)
      expect(why(people, { isForgotten: true })).toBe("forgotten");
  });

  it.each([
    [{ outcome: "no_answer" }, undefined],
    [{ outcome: "busy" }, undefined],
    [{ outcome: "voicemail" }, undefined],
    [{ outcome: "failed" }, undefined],
    [{ outcome: "answered" }, "reached"],
    [{ outcome: "callback_requested" }, "reached"],
    [{ outcome: "opted_out" }, "reached"],
    [{ outcome: "unknown" }, "perhaps_reached"],
    [{ outcome: "invalid_number" }, "invalid_number"],
    [{ outcome: null, state: "excluded", reason: "after_end" }, undefined],
    [{ outcome: null, state: "excluded", reason: "called_back" }, "reached"],
    [{ outcome: "answered", state: "excluded", reason: "after_end" }, "reached"],
    [{ outcome: "busy", state: "done", reason: "called_back" }, "reached"],
    [{ outcome: null, state: "done", reason: "final" }, "perhaps_reached"],
    [{ outcome: null, state: "open", reason: null }, "still_open"],
    [{ outcome: null, state: "leased", reason: null }, "still_open"],
  ] as const)("of the unreached: %j is %s", (changes, expected) => {
    expect(why("unreached", changes)).toBe(expected);
  });

  it("by disposition is who is done with one of these", () => {
    expect(why(["busy", "no_answer"], {})).toBeUndefined();
    expect(why(["busy"], {})).toBe("other_disposition");
    expect(why(["busy"], { state: "excluded", outcome: "busy" })).toBe("other_disposition");
    expect(why(["no_answer"], { state: "open", outcome: null })).toBe("still_open");
    expect(why(["unknown"], { outcome: "unknown" })).toBeUndefined();
  });

  it("by tag is who has it, of those who are asked for", () => {
    expect(why("all", {}, "vip")).toBe("not_tagged");
    expect(why("all", { isTagged: true }, "vip")).toBeUndefined();
    expect(why("unreached", { isTagged: true, outcome: "answered" }, "vip")).toBe("reached");
  });
});
