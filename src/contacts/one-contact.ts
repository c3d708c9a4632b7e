import type { ConsentCells, ConsentGiven } from "../domain/policy/consent.ts";
import { ContactRows } from "./contact-row.ts";
import { strictPlacesOf } from "./contact-places.ts";
import { strictZonesOf } from "./contact-zones.ts";
import { normalisePhone, phoneRegion } from "./phone.ts";
import type { UnreadPlace } from "./place-zones.ts";

/** One person to call, as lists give them: see contact-row.ts. */
export type OneContact =
  | {
      ok: true;
      phone: string;
      region: string | undefined;
      zones: readonly string[];
      /** Under `zones: strict`. */
      strictZones: readonly string[];
      /** Countries and states that its owner may be in (contact-places.ts). */
      places: readonly string[];
      /** Under `zones: strict`. */
      strictPlaces: readonly string[];
      /** What of the person's place could not be understood: they are placed without it. */
      unread: readonly UnreadPlace[];
      /** What was said of consent to be called; undefined: nothing. */
      consent: ConsentGiven | undefined;
    }
  | { ok: false; code: string; reason: string };

export interface OneContactOptions {
  /** ISO 3166-1 alpha-2: the country of numbers without `+`, where `region` says nothing. */
  readonly defaultRegion?: string | undefined;
  /** The person's own country, as people write it. */
  readonly region?: string | undefined;
  /** The zone that the person is known to be in. */
  readonly timeZone?: string | undefined;
  /** Where the person lives: a country, a state or province of it, a ZIP code or a postal code of Canada. */
  readonly country?: string | undefined;
  readonly state?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly consent?: ConsentCells | undefined;
}

/**
 * Reads a number as people write it, by the rules that rows of lists are read by: E.164, its country, and every
 * zone that its owner may be in.
 */
export function readContact(phone: string, options: OneContactOptions = {}): OneContact {
  const home = options.defaultRegion === undefined ? undefined : phoneRegion(options.defaultRegion);
  const row = new ContactRows(home).row(
    { line: 1, raw: "" },
    {
      phone,
      timeZone: options.timeZone ?? "",
      // Who says where the person lives says whose a national number is, where nothing else does.
      region: options.region ?? options.country ?? "",
      country: (options.country ?? "").trim(),
      state: (options.state ?? "").trim(),
      postalCode: (options.postalCode ?? "").trim(),
      variables: {},
      ...(options.consent && { consent: options.consent }),
    },
  );
  if (row.kind === "rejected") return { ok: false, code: row.code, reason: row.reason };
  const { region, zones, strictZones, places, strictPlaces, unread, consent } = row;
  return {
    ok: true,
    phone: row.phone,
    region,
    zones,
    strictZones,
    places,
    strictPlaces,
    unread,
    consent,
  };
}

/** Zones under `zones: strict` of somebody who was taken with these without it. */
export function strictZonesOfNumber(phone: string, zones: readonly string[]): readonly string[] {
  const read = normalisePhone(phone);
  return read.ok ? strictZonesOf(read, zones) : zones;
}

/** Places under `zones: strict` of somebody who was taken with these without it; none stay unknown. */
export function strictPlacesOfNumber(phone: string, places: readonly string[]): readonly string[] {
  const read = normalisePhone(phone);
  return read.ok && places.length > 0 ? strictPlacesOf(read, places) : places;
}
