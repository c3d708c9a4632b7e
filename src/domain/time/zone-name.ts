import { z } from "zod";

import { isZoneName } from "./zone-data.ts";

/** A time zone as documents name it. */
export const zoneNameSchema = z.string().refine(isZone, {
  message: "must be the name of a time zone such as America/New_York, or UTC",
});

function isZone(name: string): boolean {
  // Abbreviations and offsets know no daylight saving time, or mean several zones.
  if (name !== "UTC" && !/^[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)+$/.test(name)) return false;
  return isZoneName(name);
}
