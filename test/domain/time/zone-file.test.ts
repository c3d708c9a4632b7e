import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

import { zoneOf } from "../../../src/domain/time/zone-data.ts";
import { zoneFile } from "../../../src/domain/time/zone-file.ts";
import { clocksOf, PYTHON } from "./support/reference.ts";

const [FROM_MS, TO_MS] = [Date.UTC(2025, 0, 1), Date.UTC(2040, 0, 1)];

const ZONES = [
  "UTC",
  "America/New_York",
  "America/St_Johns",
  "America/Vancouver",
  "Africa/Casablanca",
  "Africa/Cairo",
  "Asia/Gaza",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Europe/Dublin",
  "Pacific/Kiritimati",
];

function missing(): string | undefined {
  try {
    execFileSync(PYTHON, ["-c", "import zoneinfo"], { stdio: "pipe" });
    return undefined;
  } catch {
    return "Python 3.9 or later, which reads zone files, is not there";
  }
}

it("a zone's file says to another reader what its clocks do", async ({ skip }) => {
  const reason = missing();
  if (reason !== undefined) {
    if (process.env["CI"]) throw new Error(`${reason}, and in CI it must be`);
    console.warn(`\nSKIPPED: zone files are not read by another reader: ${reason}\n`);
    return skip(reason);
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-zones-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const name of ZONES) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), zoneFile(zoneOf(name), FROM_MS, TO_MS));
  }
  const clocks = await clocksOf({ folder }, FROM_MS, TO_MS);
  for (const name of ZONES) {
    const zone = zoneOf(name);
    const changes = zone
      .changes(FROM_MS, TO_MS)
      .map(({ atMs }) => [atMs / 1_000, zone.offsetMs(atMs) / 1_000]);
    expect(clocks[name], name).toEqual([zone.offsetMs(FROM_MS) / 1_000, changes]);
  }
});

it("the file of a zone whose clocks stand still has none of their changes", () => {
  expect(zoneFile(zoneOf("Asia/Kolkata"), FROM_MS, TO_MS).length).toBe(44 + 10 + 44 + 10 + 2);
});
