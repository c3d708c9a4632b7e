import { placesInZone, placesOfContact, type ContactPlaces } from "./contact-places.ts";
import type { PlaceRole } from "./header-aliases.ts";
import type { NormalisedPhone } from "./phone.ts";
import { readPlace, type PlaceCells, type PlaceReading, type UnreadPlace } from "./place-zones.ts";
import { zoneSet, type ZoneSet } from "./zone-set.ts";
import { isPlacedByPrefix, zonesOfPhone, zonesWithoutPrefix } from "./zones.ts";

/*
 * Where a contact may be, from all that its row says.
 *
 * 1. A time zone in the row is the only one.
 * 2. The place that the row names goes before the number, whose owner may have moved. Where the number speaks against it,
 *    both count: a zone too many costs calls, a zone too few breaks the law.
 * 3. A country says less than a number that has a place within it.
 * 4. Without a place, the number's own zones; under `zones: strict` no prefix of +1 is believed.
 * 5. What holds under `strict` never has a zone less than what holds without.
 */

export interface ContactZones extends ContactPlaces {
  /** Every zone that the contact may be in; empty if nothing is known. */
  readonly zones: ZoneSet;
  /** The same under `zones: strict`. */
  readonly strictZones: ZoneSet;
  /** What decided. */
  readonly placedBy: "time_zone" | PlaceRole | "number";
  /** Cells of the row that could not be understood. */
  readonly unread: readonly UnreadPlace[];
}

const nothing: readonly UnreadPlace[] = [];

/** The zone says all of the clock, and nothing of the state: the rest of the row and the number do. */
export function givenZone(zone: string, phone: NormalisedPhone, cells: PlaceCells): ContactZones {
  const zones = zoneSet([zone]);
  const places = placesInZone(zone, placesOfContact(phone, readPlace(cells, phone).found));
  return { zones, strictZones: zones, ...places, placedBy: "time_zone", unread: nothing };
}

export function zonesOfContact(phone: NormalisedPhone, cells: PlaceCells): ContactZones {
  const { found, unread } = readPlace(cells, phone);
  const places = placesOfContact(phone, found);
  if (found === undefined) {
    return {
      ...places,
      zones: zonesOfPhone(phone),
      strictZones: zonesWithoutPrefix(phone),
      placedBy: "number",
      unread,
    };
  }
  const { zones, strictZones } = found.isExact
    ? withExactPlace(phone, found.zones)
    : withWidePlace(phone, found);
  return { zones, strictZones, ...places, placedBy: found.by, unread };
}

interface BothZones {
  readonly zones: ZoneSet;
  readonly strictZones: ZoneSet;
}

function withExactPlace(phone: NormalisedPhone, place: ZoneSet): BothZones {
  const number = zonesOfPhone(phone);
  const isContradicted = number.length > 0 && !number.some((zone) => place.includes(zone));
  const zones = isContradicted ? zoneSet([...place, ...number]) : place;
  return { zones, strictZones: zones };
}

/** A country, or a postal code of which nothing is known but its country. */
function withWidePlace(
  phone: NormalisedPhone,
  { zones: place, by }: NonNullable<PlaceReading["found"]>,
): BothZones {
  const number = zonesOfPhone(phone);
  const either = zoneSet([...place, ...number]);
  // All of a calling code is no place: the country is.
  if (!isPlacedByPrefix(phone)) {
    const zones = place.every((zone) => number.includes(zone)) ? place : either;
    return { zones, strictZones: zones };
  }
  const strictZones = zoneSet([...place, ...zonesWithoutPrefix(phone)]);
  const isWithin = by === "country" && number.every((zone) => place.includes(zone));
  return { zones: isWithin ? number : either, strictZones };
}

/**
 * Zones under `zones: strict` of somebody whose zones were found without: where they are no more than what the number's
 * prefix says, that is not believed any more.
 */
export function strictZonesOf(phone: NormalisedPhone, zones: readonly string[]): readonly string[] {
  return zoneSet(zones) === zonesOfPhone(phone) ? zonesWithoutPrefix(phone) : zones;
}
