import { createRequire } from "node:module";

import { Zone } from "./zone.ts";

/*
 * The rules of every time zone: IANA's data as the package moment-timezone carries it, in its packed form, reaching
 * from the 19th century to the year 2499. What a build of Node knows of zones is as old as that build, so that nothing
 * that decides when somebody is called asks it (I2).
 */

/** A release of the zone data. */
export interface ZoneData {
  /** IANA's name of it, such as 2026f. A later one is greater. */
  readonly version: string;
  /** A zone by its name or any of its links, in any case. @throws UnknownZoneError */
  zone(name: string): Zone;
  /** The name as the data spells it; undefined where it has no such zone. */
  spelling(name: string): string | undefined;
  /** Every zone and link. */
  names(): string[];
}

/** A name that the zone data does not have. */
export class UnknownZoneError extends Error {
  override readonly name = "UnknownZoneError";
}

/** It is no zone data, or not of the form that is known. */
export class ZoneDataError extends Error {
  override readonly name = "ZoneDataError";
}

let source: () => ZoneData = shippedZoneData;
let inForce: ZoneData | undefined;

/** The zone data that this process goes by. Loading it takes some milliseconds, the first time. */
export function zoneData(): ZoneData {
  inForce ??= source();
  return inForce;
}

/** What this version of Outdial brings along. */
export function shippedZoneData(): ZoneData {
  return readZoneData(createRequire(import.meta.url)("moment-timezone/data/packed/latest.json"));
}

/**
 * Has the process go by other data from now on. Before anything is computed.
 *
 * @param read asked when the first time is computed
 */
export function useZoneData(read: () => ZoneData): void {
  source = read;
  inForce = undefined;
}

/** A zone of the data in force, by its name or any of its links, in any case. @throws UnknownZoneError */
export function zoneOf(name: string): Zone {
  return zoneData().zone(name);
}

/** Whether the data in force has such a zone or link, in any case. */
export function isZoneName(name: string): boolean {
  return zoneData().spelling(name) !== undefined;
}

/** The world has some 340 that differ, since the 19th century. Fewer are a file that was cut off. */
const FEWEST_ZONES = 300;

/**
 * Reads the data of moment-timezone. Zones are unpacked when they are asked for.
 *
 * @param packed its `data/packed/latest.json`
 * @throws ZoneDataError
 */
export function readZoneData(packed: unknown): ZoneData {
  const { version, zones, links } = fieldsOf(packed);
  if (typeof version !== "string" || !/^\d{4}[a-z]+$/.test(version))
    throw new ZoneDataError("it does not say which release of IANA's data it is");
  const entries = new Map<string, Entry>();
  for (const text of textsOf(zones, "zones")) {
    const name = text.slice(0, text.indexOf("|"));
    entries.set(name.toLowerCase(), { name, packed: text });
  }
  if (entries.size < FEWEST_ZONES) throw new ZoneDataError(`it has ${entries.size} zones only`);
  for (const text of textsOf(links, "links")) {
    const [target = "", name = ""] = text.split("|");
    const entry = entries.get(target.toLowerCase());
    if (!entry || name === "")
      throw new ZoneDataError(`its link ${JSON.stringify(text)} leads to none of its zones`);
    entries.set(name.toLowerCase(), { name, packed: entry.packed });
  }
  return zoneDataOf(version, entries);
}

interface Entry {
  name: string;
  packed: string;
  zone?: Zone;
}

function zoneDataOf(version: string, entries: ReadonlyMap<string, Entry>): ZoneData {
  return {
    version,
    zone(name) {
      const entry = entries.get(name.toLowerCase());
      if (!entry)
        throw new UnknownZoneError(
          `the time zone data ${version} has no zone ${JSON.stringify(name)}: give an IANA name such as America/New_York, or newer data with OUTDIAL_ZONE_DATA`,
        );
      entry.zone ??= unpack(entry);
      return entry.zone;
    },
    spelling: (name) => entries.get(name.toLowerCase())?.name,
    names: () => [...entries.values()].map(({ name }) => name),
  };
}

function fieldsOf(packed: unknown): Readonly<Record<string, unknown>> {
  if (typeof packed !== "object" || packed === null) throw new ZoneDataError("it is no object");
  return Object.fromEntries(Object.entries(packed));
}

function textsOf(value: unknown, what: string): string[] {
  if (!Array.isArray(value)) throw new ZoneDataError(`it has no list of ${what}`);
  return value.map((text: unknown) => {
    if (typeof text === "string" && text.includes("|")) return text;
    throw new ZoneDataError(`one of its ${what} is ${JSON.stringify(text)}`);
  });
}

/**
 * `name|abbreviations|offsets|indices|untils|population`: offsets are minutes *behind* UTC, the indices say which of
 * them holds in each stretch, and each until is the end of a stretch, in minutes since the one before; all in base 60.
 */
function unpack({ name, packed }: Entry): Zone {
  const [, , offsets = "", indices = "", untils = ""] = packed.split("|");
  const offsetsMs = offsets.split(" ").map((text) => -Math.round(base60(text) * 60) * 1_000);
  let minutes = 0;
  const ends = untils === "" ? [] : untils.split(" ").map((text) => (minutes += base60(text)));
  const stretches = Array.from(indices, (digit, index) => ({
    startMs: Math.round((ends[index - 1] ?? 0) * 60) * 1_000,
    offsetMs: offsetsMs[base60(digit)] ?? Number.NaN,
  }));
  const isWhole =
    stretches.length === ends.length + 1 &&
    stretches.every(({ offsetMs }) => Number.isFinite(offsetMs)) &&
    stretches.every(({ startMs }, index) => index < 2 || startMs > (stretches[index - 1]?.startMs ?? 0));
  if (!isWhole) throw new ZoneDataError(`its zone ${name} can't be unpacked`);
  return new Zone(name, stretches);
}

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX";

/** A number in base 60, `-1a.b`. Not a number where it is none. */
function base60(text: string): number {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  let value = whole + fraction === "" ? Number.NaN : 0;
  for (const digit of whole) value = value * 60 + digitOf(digit);
  let place = 1;
  for (const digit of fraction) {
    place /= 60;
    value += digitOf(digit) * place;
  }
  return text.startsWith("-") ? -value : value;
}

function digitOf(digit: string): number {
  const value = DIGITS.indexOf(digit);
  return value < 0 ? Number.NaN : value;
}
