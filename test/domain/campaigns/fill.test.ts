import { describe, expect, it } from "vitest";

import { simulateFill } from "../../../bench/fill/simulate.ts";

/*
 * How full Outdial's own decisions keep the lines while anybody waits, in a simulation without clocks: seeded, so that
 * these are figures and not timings. What a real system reaches is `npm run bench -- fill` (docs/performance.md).
 */

describe("lines of a campaign while anybody waits", () => {
  it.each([
    { contacts: 10_000, lines: 100, isStreamOpen: true, fill: 0.98, requests: 0.6 },
    { contacts: 2_000, lines: 100, isStreamOpen: true, fill: 0.97, requests: 0.6 },
    { contacts: 400, lines: 30, isStreamOpen: true, fill: 0.96, requests: 1 },
    { contacts: 20_000, lines: 1_000, isStreamOpen: true, fill: 0.97, requests: 0.4 },
    { contacts: 100, lines: 5, isStreamOpen: true, fill: 0.97, requests: 2 },
    { contacts: 10_000, lines: 100, isStreamOpen: false, fill: 0.97, requests: 0.6 },
    { contacts: 2_000, lines: 100, isStreamOpen: false, fill: 0.95, requests: 0.6 },
    { contacts: 400, lines: 30, isStreamOpen: false, fill: 0.95, requests: 1 },
  ])("are as full as they were: %o", ({ contacts, lines, isStreamOpen, fill, requests }) => {
    for (const seed of [1, 2, 3]) {
      const simulated = simulateFill({ contacts, lines, isStreamOpen, seed });
      expect(simulated.fill).toBeGreaterThan(fill);
      expect(simulated.requestsPerContact).toBeLessThan(requests);
      expect(simulated.mostBusy).toBeLessThanOrEqual(lines);
    }
  });

  it("are fuller, and dearer, the fewer slots are gathered for a batch", () => {
    const at = (gathering: number) =>
      simulateFill({ contacts: 2_000, lines: 100, isStreamOpen: true, seed: 1, gathering });
    const [few, as, many] = [at(0.5), at(1), at(4)];
    expect([few.fill > as.fill, as.fill > many.fill]).toEqual([true, true]);
    expect([
      few.requestsPerContact > as.requestsPerContact,
      as.requestsPerContact > many.requestsPerContact,
    ]).toEqual([true, true]);
  });
});
