import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { ConfigError, type Config } from "./config.ts";
import { releaseDayOf, type ZoneDataFacts } from "./domain/time/zone-age.ts";
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

/**
 * Has this process go by the newer one of the zone data that OUTDIAL_ZONE_DATA names and of what Outdial ships. To be
 * called before any time is computed; again changes nothing.
 *
 * @throws ConfigError where the settings name a folder without zone data.
 */
export function goByZoneData({ zoneDataDir }: Pick<Config, "zoneDataDir">): ZoneDataFacts {
  // Data that was named and can't be read is not passed over: who named it counts on it.
  const named = zoneDataDir === undefined ? undefined : namedPackage(zoneDataDir);
  const { data, releasedOn, folder } = newerOf(shippedPackage(), named);
  if (zoneData().version !== data.version) useZoneData(data);
  return { version: data.version, releasedOn, folder };
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
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError([
      `OUTDIAL_ZONE_DATA names ${dir}, which has no zone data that can be read (${why}): make it with npm install --prefix ${dir} moment-timezone@latest, or unset it`,
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
