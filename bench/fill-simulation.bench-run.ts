import { it } from "vitest";

import { simulateFill } from "./fill/simulate.ts";

/** Settings come from `npm run bench -- fill-simulation --contacts N --concurrency N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

/** How many times the slots are gathered that Outdial gathers: the curve of full lines against requests. */
const GATHERINGS = [0.5, 1, 2, 4];

it("fill-simulation", () => {
  const sizes = [
    { contacts: settings["contacts"] ?? 2_000, lines: settings["concurrency"] ?? 100 },
    ...(settings["contacts"] === undefined
      ? [
          { contacts: 10_000, lines: 100 },
          { contacts: 400, lines: 30 },
          { contacts: 20_000, lines: 1_000 },
        ]
      : []),
  ];
  for (const { contacts, lines } of sizes) {
    for (const isStreamOpen of [true, false]) {
      for (const gathering of GATHERINGS) {
        const simulated = simulateFill({ contacts, lines, seed: 1, isStreamOpen, gathering });
        console.log(JSON.stringify({ contacts, lines, isStreamOpen, gathering, ...simulated }));
      }
    }
  }
});
