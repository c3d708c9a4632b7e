import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { ConfigError, readConfig, type Config } from "../src/config.ts";
import { shippedZoneData, useZoneData, zoneData, zoneOf } from "../src/domain/time/zone-data.ts";
import { goByZoneData, goByZoneDataLoudly, goByZoneDataOnceAsked } from "../src/zone-package.ts";
import { checkZoneData } from "../src/cli/doctor/check-all.ts";

const DAY_MS = 86_400_000;

interface Packed {
  version: string;
  zones: string[];
  links: string[];
}

const shipped = createRequire(import.meta.url)("moment-timezone/data/packed/latest.json") as Packed;

/** As `npm install --prefix` lays a later package there: Berlin has gone over to Moscow's clocks. */
function installed(dir: string, version: string): string {
  const moscow = shipped.zones.find((zone) => zone.startsWith("Europe/Moscow|")) ?? "";
  const zones = shipped.zones.map((zone) =>
    zone.startsWith("Europe/Berlin|") ? moscow.replace("Europe/Moscow", "Europe/Berlin") : zone,
  );
  const folder = path.join(dir, "node_modules", "moment-timezone");
  fs.mkdirSync(path.join(folder, "data", "packed"), { recursive: true });
  fs.writeFileSync(
    path.join(folder, "data", "packed", "latest.json"),
    JSON.stringify({ ...shipped, version, zones }),
  );
  const changelog = `### \`9.0.0\` _2027-03-04_\n* Updated data to IANA TZDB \`${version}\`.\n`;
  fs.writeFileSync(path.join(folder, "changelog.md"), changelog);
  return folder;
}

let dir: string;
const settings = (): Config => readConfig({ OUTDIAL_ZONE_DATA: dir });
const winterInBerlin = () => zoneOf("Europe/Berlin").offsetMs(Date.UTC(2027, 0, 15)) / 3_600_000;

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-zone-data-"));
});

afterEach(() => {
  useZoneData(shippedZoneData);
  fs.rmSync(dir, { recursive: true, force: true });
});

describe("the zone data that a process goes by", () => {
  it("is what Outdial ships where nothing is said, with the day of its release", () => {
    const { version, releasedOn, folder } = goByZoneData(readConfig({}));
    expect(version).toBe(shipped.version);
    expect(releasedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(releasedOn?.slice(0, 3)).toBe(version.slice(0, 3));
    expect(folder).toBeUndefined();
    expect(winterInBerlin()).toBe(1);
  });

  it("is the newer package that the settings name, without a new Outdial", () => {
    const folder = installed(dir, "2099a");
    expect(goByZoneData(settings())).toEqual({ version: "2099a", releasedOn: "2027-03-04", folder });
    expect(zoneData().version).toBe("2099a");
    expect(winterInBerlin()).toBe(3);
  });

  it("is read by a command when it computes a time, and not before", () => {
    expect(() => goByZoneDataOnceAsked(settings())).not.toThrow();
    expect(() => winterInBerlin()).toThrow(ConfigError);
    installed(dir, "2099a");
    expect(winterInBerlin()).toBe(3);
  });

  it("is told to whoever reads the log of a process, and that it is old where it is", () => {
    const logged: object[] = [];
    const log = {
      info: (fields: object, message: string) => void logged.push({ ...fields, message }),
      warn: (fields: object, message: string) => void logged.push({ ...fields, message, level: "warn" }),
    };
    installed(dir, "2099a");
    goByZoneDataLoudly(settings(), log, Date.parse("2027-05-01T00:00Z"));
    const zoneData = expect.stringMatching(/^2099a of 2027-03-04, from .*moment-timezone$/);
    expect(logged).toEqual([{ zoneData, message: "the time zone data is read" }]);
    goByZoneDataLoudly(settings(), log, Date.parse("2027-11-01T00:00Z"));
    expect(logged.slice(2)).toEqual([
      {
        level: "warn",
        zoneData,
        message: "the time zone data is old",
        remedy: expect.stringContaining("OUTDIAL_ZONE_DATA"),
      },
    ]);
  });

  it("may be named by the package's own folder, and may come without its list of changes", () => {
    dir = installed(dir, "2099a");
    fs.rmSync(path.join(dir, "changelog.md"));
    expect(goByZoneData(settings())).toEqual({ version: "2099a", releasedOn: undefined, folder: dir });
    dir = path.dirname(path.dirname(dir));
  });

  it("is what Outdial ships where that is newer than what was named once", () => {
    installed(dir, "2024a");
    expect(goByZoneData(settings())).toMatchObject({ version: shipped.version, folder: undefined });
    expect(winterInBerlin()).toBe(1);
  });

  it.each<[string, string | undefined, RegExp]>([
    ["is empty", undefined, /there is no such file or folder/],
    ["holds a file that was cut off", '{"version":"2099a","zo', /JSON/],
    ["holds too few zones", JSON.stringify({ ...shipped, zones: shipped.zones.slice(0, 9) }), /9 zones only/],
  ])("is refused, with the setting and the remedy, where the folder %s", (_, text, why) => {
    const file = path.join(installed(dir, "2099a"), "data", "packed", "latest.json");
    fs.rmSync(file);
    if (text !== undefined) fs.writeFileSync(file, text);
    expect(() => goByZoneData(settings())).toThrow(ConfigError);
    expect(() => goByZoneData(settings())).toThrow(why);
    expect(() => goByZoneData(settings())).toThrow(/OUTDIAL_ZONE_DATA names .*npm install --prefix/);
    expect(zoneData().version).toBe(shipped.version);
  });
});

describe("doctor", () => {
  it("says the version and the day of the time zones", () => {
    const { releasedOn = "" } = goByZoneData(readConfig({}));
    expect(checkZoneData(readConfig({}), Date.parse(releasedOn))).toEqual({
      name: "time zones",
      status: "ok",
      detail: `${shipped.version} of ${releasedOn}`,
    });
  });

  it("warns when they are older than half a year, and says what to do", () => {
    const { releasedOn = "" } = goByZoneData(readConfig({}));
    expect(checkZoneData(readConfig({}), Date.parse(releasedOn) + 190 * DAY_MS)).toMatchObject({
      status: "warn",
      detail: expect.stringContaining("older than half a year"),
      remedy: expect.stringContaining("OUTDIAL_ZONE_DATA"),
    });
  });

  it("fails where the settings name a folder without any", () => {
    expect(checkZoneData(settings(), 0)).toMatchObject({
      status: "fail",
      detail: expect.stringContaining("OUTDIAL_ZONE_DATA"),
    });
  });
});
