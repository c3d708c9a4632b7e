import { describe, expect, it } from "vitest";

import { callbackSpecOf } from "../../../src/domain/campaigns/callback-spec.ts";
import { readCampaignSpec, type CampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";

function spec(changes: object = {}): CampaignSpec {
  const reading = readCampaignSpec({
    name: "spring-renewal",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 25,
    retry: { max_attempts: 3 },
    window: "always",
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
}

describe("the callbacks of a campaign", () => {
  it("are made by its policy, agent and numbers, with a tenth of its calls up, and one at least", () => {
    expect(callbackSpecOf(spec())).toEqual({ ...spec(), name: "spring-renewal callbacks", concurrency: 3 });
    expect(callbackSpecOf(spec({ concurrency: 1 })).concurrency).toBe(1);
    expect(callbackSpecOf(spec({ concurrency: 30 })).concurrency).toBe(3);
  });

  it("have no more up than those who take its transferred calls are", () => {
    const taken = (capacity: number) =>
      callbackSpecOf(spec({ concurrency: 100, transfers: { capacity, expect: 0.1, talk: "5m" } }))
        .concurrency;
    expect(taken(4)).toBe(4);
    expect(taken(40)).toBe(10);
  });

  it("keep to its days off, and to the numbers that it may call", () => {
    const parent = spec({
      holidays: ["US"],
      exceptions: [{ date: "2026-12-24" }],
      numbers: { countries: ["US"] },
    });
    expect(callbackSpecOf(parent)).toEqual({ ...parent, name: "spring-renewal callbacks", concurrency: 3 });
  });

  it("wait for caps of attempts, and are not held by those of conversations", () => {
    const parent = spec({
      frequency: [
        { attempts: 3, within: "1d", at_cap: "end" },
        { conversations: 1, within: "30d" },
      ],
    });
    expect(callbackSpecOf(parent).frequency).toEqual([
      { attempts: 3, within: "1d", across: "brand", at_cap: "wait" },
    ]);
    const talks = callbackSpecOf(spec({ frequency: [{ conversations: 1, within: "30d" }] }));
    expect(talks).toEqual(callbackSpecOf(spec()));
  });

  it("leave nobody out for having been called, begin at once, and have no list", () => {
    const parent = spec({ not_called_within: "7d", ramp_up: "10m", contacts: { file: "list.csv" } });
    expect(callbackSpecOf(parent)).toEqual(callbackSpecOf(spec()));
  });

  it.each([
    ["x".repeat(90), `${"x".repeat(90)} callbacks`],
    ["x".repeat(100), `${"x".repeat(90)} callbacks`],
    // A letter of two units that begins with the last one that fits.
    [`${"x".repeat(89)}\u{20000}y`, `${"x".repeat(89)} callbacks`],
    [`${"x".repeat(88)}\u{20000}y`, `${"x".repeat(88)}\u{20000} callbacks`],
  ])("have a name that a campaign may have, of whole letters: %s", (name, shortened) => {
    const callbacks = callbackSpecOf(spec({ name }));
    expect(callbacks.name).toBe(shortened);
    expect(readCampaignSpec(callbacks)).toEqual({ ok: true, spec: callbacks });
  });
});
