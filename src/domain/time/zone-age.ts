/*
 * How old the zone data is. Governments change their clocks at a few weeks' notice, and IANA releases what they did
 * some times a year.
 */

/** What is told of the zone data that a process goes by. */
export interface ZoneDataFacts {
  /** IANA's name of the release, such as 2026f. */
  version: string;
  /** The day on which the package had it, `2026-10-29`; undefined where the package does not say. */
  releasedOn: string | undefined;
  /** The folder that the settings name, where it is from there; undefined: Outdial brought it along. */
  folder: string | undefined;
}

/** Half a year. */
const OLD_AFTER_MS = 183 * 86_400_000;

/** Data whose day is not known is as old as its year: an early word is better than none. */
export function zoneDataAgeMs({ version, releasedOn }: ZoneDataFacts, nowMs: number): number {
  return nowMs - Date.parse(releasedOn ?? `${version.slice(0, 4)}-01-01`);
}

export function isOldZoneData(zones: ZoneDataFacts, nowMs: number): boolean {
  return zoneDataAgeMs(zones, nowMs) > OLD_AFTER_MS;
}

/** `2026f of 2026-10-29`. */
export function zoneDataText({ version, releasedOn, folder }: ZoneDataFacts): string {
  const day = releasedOn === undefined ? "" : ` of ${releasedOn}`;
  return `${version}${day}${folder === undefined ? "" : `, from ${folder}`}`;
}

/** What to do about data that is old. */
export const OLD_ZONE_DATA_REMEDY =
  "install a newer moment-timezone and name its folder in OUTDIAL_ZONE_DATA (docs/operations.md, Time zone data), or a newer Outdial";

/**
 * The day of the first package that carried a release, from the package's list of changes:
 *
 *     ### `0.6.6` _2026-10-29_
 *     * Updated data to IANA TZDB `2026f`.
 *
 * Undefined where that list does not name it.
 */
export function releaseDayOf(version: string, changelog: string): string | undefined {
  const days = changelog.split(/^### /m).flatMap((section) => {
    const [, day] = /^`[^`\n]+` _(\d{4}-\d{2}-\d{2})_/.exec(section) ?? [];
    return day !== undefined && section.includes(`IANA TZDB \`${version}\``) ? [day] : [];
  });
  return days.filter((day) => !Number.isNaN(Date.parse(day))).sort()[0];
}
