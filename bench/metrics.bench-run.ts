import { expect, inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { measureCampaign } from "./measure-campaign.ts";

/** Settings come from `npm run bench -- metrics --contacts N --concurrency N --speed N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

/** The same campaign in turn without and with metrics: other work of the machine falls on both. */
const TURNS = [false, true, true, false];

it("metrics", async () => {
  const found = {
    without: { cpu: 0, attempts: 0, seconds: 0 },
    watched: { cpu: 0, attempts: 0, seconds: 0 },
  };
  for (const isWatched of TURNS) {
    const measure = await measureCampaign({
      contacts: settings["contacts"] ?? 4_000,
      concurrency: settings["concurrency"] ?? 400,
      speed: settings["speed"] ?? 100,
      attempts: 3,
      isBlind: false,
      isWatched,
      postgresUrl: given(inject("postgresUrl")),
      cacheDir: cacheDir(),
    });
    const sum = found[isWatched ? "watched" : "without"];
    sum.cpu += measure.workerCpuSeconds;
    sum.attempts += measure.report.attempts;
    sum.seconds += measure.seconds;
  }
  const cpuMsOf = ({ cpu, attempts }: typeof found.watched) => (1_000 * cpu) / attempts;
  const result = {
    ...found,
    cpuMsAnAttempt: { without: cpuMsOf(found.without), watched: cpuMsOf(found.watched) },
    cpuRatio: cpuMsOf(found.watched) / cpuMsOf(found.without),
    secondsRatio: found.watched.seconds / found.without.seconds,
  };
  console.log(`\n${JSON.stringify(result)}`);
  expect(found.watched.attempts).toBe(found.without.attempts);
});
