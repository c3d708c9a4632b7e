import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

import { shippedZoneData } from "../../../src/domain/time/zone-data.ts";
import { clocksOf, newestReference, type ClockOf, type Reference } from "./support/reference.ts";

/*
 * The zone data that Outdial ships against the newest that can be had today, zone by zone. It fails once IANA has
 * changed the law of the next two years and the package has not been updated: that is what it is for.
 */

const DAY_MS = 86_400_000;

/** Files of a system's folder that are no zones; `Factory` is what a machine has before anybody has set it up. */
const NO_ZONES = new Set(["Factory", "localtime", "posixrules"]);

let folder: string;
let newest: Reference | undefined;
let problems: string[];

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-tzdata-"));
  ({ newest, problems } = await newestReference(folder));
}, 120_000);

afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

function shippedClock(name: string, fromMs: number, toMs: number): ClockOf | undefined {
  const data = shippedZoneData();
  if (data.spelling(name) === undefined) return undefined;
  const zone = data.zone(name);
  return [
    zone.offsetMs(fromMs) / 1_000,
    zone.changes(fromMs, toMs).map(({ atMs }) => [atMs / 1_000, zone.offsetMs(atMs) / 1_000]),
  ];
}

it("the clocks of every zone go in the next two years as the newest zone data says", async ({ skip }) => {
  const { version } = shippedZoneData();
  if (newest === undefined || (newest.version < version && problems.length > 0)) {
    const found = newest === undefined ? "" : `, and ${newest.from} is ${newest.version}`;
    const words = `the zone data ${version} that Outdial ships can't be held against newer data: ${problems.join("; ")}${found}`;
    if (process.env["CI"]) throw new Error(`${words}. In CI it must be`);
    console.warn(`\nSKIPPED: ${words}\n`);
    return skip(words);
  }
  // Older data has nothing to say.
  if (newest.version < version) return;
  // From today's midnight on, so that a run at noon and one at night see the same.
  const fromMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const toMs = fromMs + 730 * DAY_MS;
  const clocks = await clocksOf(newest, fromMs, toMs);
  expect(Object.keys(clocks).length).toBeGreaterThan(500);
  const otherwise = Object.entries(clocks)
    .filter(([name]) => !NO_ZONES.has(name))
    .filter(([name, clock]) => JSON.stringify(shippedClock(name, fromMs, toMs)) !== JSON.stringify(clock));
  const remedy = "npm install --save-exact moment-timezone@latest";
  expect(
    otherwise.map(([name]) => name),
    `these zones go otherwise in ${newest.version} (${newest.from}) than in ${version}, which Outdial ships: ${remedy}`,
  ).toEqual([]);
}, 180_000);
