import { describe, expect, it } from "vitest";

import { callbackSpecOf } from "../../../src/domain/campaigns/callback-spec.ts";
import { readCampaignSpec, type CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";

function specOf(changes: Partial<CampaignSpecInput> = {}) {
  const reading = readCampaignSpec({
    name: "june",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 25,
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
}

describe("the spec of a campaign's callbacks", () => {
  it("is the campaign's own policy, under another name and with a tenth of its calls at once", () => {
    const policy = {
      window: { weekdays: ["10:00-12:00"] },
      holidays: ["US"],
      exceptions: [{ date: "2026-12-24" }],
      numbers: { countries: ["US"] },
      least_gap: "1h",
    };
    const spec = specOf(policy);
    expect(callbackSpecOf(spec)).toEqual({ ...spec, name: "june callbacks", concurrency: 3 });
    expect(callbackSpecOf(specOf({ concurrency: 1 })).concurrency).toBe(1);
  });

  it("leaves nobody out for having been called: caps of attempts have them wait, those of conversations do not hold", () => {
    const spec = specOf({
      not_called_within: "7d",
      ramp_up: "10m",
      frequency: [
        { attempts: 3, within: "1d", at_cap: "end" },
        { conversations: 1, within: "30d" },
      ],
    });
    const callbacks = callbackSpecOf(spec);
    expect(callbacks.frequency).toEqual([{ attempts: 3, within: "1d", across: "brand", at_cap: "wait" }]);
    expect(Object.keys(callbacks)).not.toContain("not_called_within");
    expect(Object.keys(callbacks)).not.toContain("ramp_up");
    const talks = callbackSpecOf(specOf({ frequency: [{ conversations: 1, within: "30d" }] }));
    expect(Object.keys(talks)).not.toContain("frequency");
  });

  it("fits a name of any length, and is the same when it is made of itself", () => {
    const long = callbackSpecOf(specOf({ name: "x".repeat(100) }));
    expect(long.name).toBe(`${"x".repeat(90)} callbacks`);
    expect(readCampaignSpec(long)).toEqual({ ok: true, spec: long });
  });
});
