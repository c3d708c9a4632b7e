import { describe, expect, it } from "vitest";

import { readCampaignSpec, type CampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { specDifference, whyFixed } from "../../../src/domain/campaigns/spec-difference.ts";

function spec(changes: object = {}): CampaignSpec {
  const reading = readCampaignSpec({
    name: "spring-renewal",
    agent_id: "agent",
    from_numbers: ["+12025550100", "+12025550101"],
    concurrency: 20,
    retry: { max_attempts: 2, delays: { busy: "10m", failed: "5m" } },
    window: { weekdays: ["09:00-18:00"], saturday: ["10:00-12:00"] },
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
}

const fields = (after: object) =>
  specDifference(spec(), spec(after)).map(({ field, amendable }) => [field, amendable]);

describe("the difference between two specs", () => {
  it("is none between a spec and itself, in whatever order its fields stand", () => {
    expect(specDifference(spec(), spec())).toEqual([]);
    expect(
      fields({
        window: { saturday: ["10:00-12:00"], weekdays: ["09:00-18:00"] },
        retry: { delays: { failed: "5m", busy: "10m" }, max_attempts: 2 },
      }),
    ).toEqual([]);
  });

  it("is none between a default and the same written out", () => {
    expect(
      fields({
        brand: "default",
        retry: { max_attempts: 2, delays: { busy: "10m", failed: "5m" }, max_per_disposition: {} },
      }),
    ).toEqual([]);
  });

  it.each([
    [{ concurrency: 10 }, "concurrency"],
    [{ retry: { max_attempts: 3 } }, "retry"],
    [{ window: "always" }, "window"],
    [{ starts_at: "2026-12-01T09:00:00Z" }, "starts_at"],
    [{ ends_at: "2026-12-01T09:00:00Z" }, "ends_at"],
    [{ not_called_within: "7d" }, "not_called_within"],
    [{ contacts: { file: "list.csv" } }, "contacts"],
    [{ analysis: { rules: [{ key: "k", equals: 1, disposition: "busy" }] } }, "analysis"],
  ])("%j may be amended", (after, field) => {
    expect(fields(after)).toEqual([[field, true]]);
  });

  it.each([
    [{ name: "autumn" }, "name"],
    [{ brand: "acme" }, "brand"],
    [{ agent_id: "other" }, "agent_id"],
    [{ from_numbers: ["+12025550100"] }, "from_numbers"],
    [{ from_numbers: ["+12025550101", "+12025550100"] }, "from_numbers"],
    [{ default_region: "US" }, "default_region"],
  ])("%j makes it another campaign", (after, field) => {
    expect(fields(after)).toEqual([[field, false]]);
  });

  it("is told with why it can't change, where that is not plain", () => {
    expect(whyFixed("zones")).toMatch(/were found when they were taken/);
    expect(whyFixed("agent_id")).toBe("");
  });

  it("says what stood and what stands there, also where one of them is nothing", () => {
    expect(specDifference(spec(), spec({ concurrency: 10, ends_at: "2026-12-01T09:00:00Z" }))).toEqual([
      { field: "concurrency", before: "20", after: "10", amendable: true },
      { field: "ends_at", before: "(not set)", after: '"2026-12-01T09:00:00Z"', amendable: true },
    ]);
    expect(specDifference(spec({ ends_at: "2026-12-01T09:00:00Z" }), spec())).toEqual([
      { field: "ends_at", before: '"2026-12-01T09:00:00Z"', after: "(not set)", amendable: true },
    ]);
  });

  it("is the same set of fields both ways round", () => {
    const other = spec({ concurrency: 1, window: "always", agent_id: "x", default_region: "DE" });
    const names = (differences: { field: string }[]) => differences.map((one) => one.field).sort();
    expect(names(specDifference(spec(), other))).toEqual(names(specDifference(other, spec())));
    expect(names(specDifference(spec(), other))).toHaveLength(4);
  });
});
