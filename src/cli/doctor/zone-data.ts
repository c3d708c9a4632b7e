import { ConfigError, type Config } from "../../config.ts";
import { isOldZoneData, OLD_ZONE_DATA_REMEDY, zoneDataText } from "../../domain/time/zone-age.ts";
import { goByZoneData } from "../../zone-package.ts";
import { fail, ok, warn, type Check } from "./check.ts";

/** Which rules of time zones calling hours go by, and whether they are old. */
export function checkZoneData(config: Config, nowMs: number): Check {
  try {
    const zones = goByZoneData(config);
    if (!isOldZoneData(zones, nowMs)) return ok("time zones", zoneDataText(zones));
    return warn("time zones", `${zoneDataText(zones)}, older than half a year`, OLD_ZONE_DATA_REMEDY);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return fail("time zones", error.problems.join("; "), "correct OUTDIAL_ZONE_DATA, or unset it");
  }
}
