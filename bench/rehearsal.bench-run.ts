import { expect, it } from "vitest";

import { measureRehearsal } from "./rehearsal-measure.ts";

/** Settings come from `npm run bench -- rehearsal --contacts N --concurrency N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it("rehearsal", async () => {
  const contacts = settings["contacts"] ?? 100_000;
  const measured = await measureRehearsal({ contacts, concurrency: settings["concurrency"] ?? 200 });
  console.log(`\n${JSON.stringify(measured)}`);
  for (const { calls } of Object.values(measured.rehearsals)) expect(calls).toBeGreaterThan(contacts);
});
