import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { reasonWords } from "./domain/ground/reason-words.ts";
import { ConfigError, type Config } from "./config.ts";
import {
  isOldZoneData,
  OLD_ZONE_DATA_REMEDY,
  releaseDayOf,
  zoneDataText,
  type ZoneDataFacts,
} from "./domain/time/zone-age.ts";
import {
  readZoneData,
  shippedZoneData,
  useZoneData,
  zoneData,
  type ZoneData,
} from "./domain/time/zone-data.ts";

/* Which zone data a process goes by, and of which day it is: what Outdial ships, or newer data that the settings name. */

interface Package {
  data: ZoneData;
  releasedOn: string | undefined;
  folder: string | undefined;
}

type Settings = Pick<Config, "zoneDataDir">;

/**
 * Has this process go by the newer one of the zone data that OUTDIAL_ZONE_DATA names and of what Outdial ships. To be
 * called before any time is computed; again changes nothing.
 *
 * @throws ConfigError where the settings name a folder without zone data.
 */
export function goByZoneData(settings: Settings): ZoneDataFacts {
  const { data, releasedOn, folder } = packageInForce(settings);
  if (zoneData().version !== data.version) useZoneData(() => data);
  return { version: data.version, releasedOn, folder };
}

/** The same for commands, most of which compute no time: what the settings name is read when one does. */
export function goByZoneDataOnceAsked(settings: Settings): void {
  if (settings.zoneDataDir !== undefined) useZoneData(() => packageInForce(settings).data);
}

/** The part of a logger that is told by which zone data a process goes. */
export interface ZoneDataLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** As `goByZoneData`, told to whoever reads the process's log. */
export function goByZoneDataLoudly(settings: Settings, log: ZoneDataLog, nowMs: number): ZoneDataFacts {
  const zones = goByZoneData(settings);
  log.info({ zoneData: zoneDataText(zones) }, "the time zone data is read");
  if (isOldZoneData(zones, nowMs))
    log.warn({ zoneData: zoneDataText(zones), remedy: OLD_ZONE_DATA_REMEDY }, "the time zone data is old");
  return zones;
}

function packageInForce({ zoneDataDir }: Settings): Package {
  // Data that was named and can't be read is not passed over: who named it counts on it.
  const named = zoneDataDir === undefined ? undefined : namedPackage(zoneDataDir);
  return newerOf(shippedPackage(), named);
}

function newerOf(shipped: Package, named: Package | undefined): Package {
  return named !== undefined && named.data.version > shipped.data.version ? named : shipped;
}

function shippedPackage(): Package {
  const folder = path.dirname(createRequire(import.meta.url).resolve("moment-timezone/package.json"));
  const data = shippedZoneData();
  return { data, releasedOn: dayIn(folder, data.version), folder: undefined };
}

function namedPackage(dir: string): Package {
  const installed = path.join(dir, "node_modules", "moment-timezone");
  const folder = fs.existsSync(installed) ? installed : dir;
  try {
    const text = fs.readFileSync(path.join(folder, "data", "packed", "latest.json"), "utf8");
    const data = readZoneData(JSON.parse(text));
    return { data, releasedOn: dayIn(folder, data.version), folder };
  } catch (error) {
    throw new ConfigError([
      `OUTDIAL_ZONE_DATA names ${dir}, which has no zone data that can be read (${zoneDataReason(error)}): make it with npm install --prefix ${dir} moment-timezone@latest, or unset it`,
    ]);
  }
}

function dayIn(folder: string, version: string): string | undefined {
  try {
    return releaseDayOf(version, fs.readFileSync(path.join(folder, "changelog.md"), "utf8"));
  } catch {
    // A package without a list of changes: the data is there all the same, and of its year.
    return undefined;
  }
}

function zoneDataReason(error: unknown): string {
  // A parser quotes what it stumbled over.
  return error instanceof SyntaxError ? "what stands there is not JSON" : reasonWords(error);
}
