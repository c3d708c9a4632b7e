import { findOpenings, openingsInZone, windowStatus, type Opening } from "../policy/calling-window.ts";
import type { DialingPolicy } from "../policy/dialing-policy.ts";
import { dayOfDate } from "../time/local-day.ts";
import { dayOf, timeOf } from "../time/local-moment.ts";
import { isZoneName, zoneOf } from "../time/zone-data.ts";
import type { DialCheck, DialFacts } from "./dial-facts.ts";

/* Whether a call was made within its hours, in each zone that the person may have been in (dial-checks.ts). */

/** When it was permitted, and when it rang: the platform begins calls of a started batch by itself. */
export function windows(facts: DialFacts, policy: DialingPolicy): DialCheck[] {
  const { permittedMs, startedMs } = facts;
  const permitted = windowAt("when it was permitted", permittedMs, facts, policy);
  if (startedMs === undefined || Math.floor(startedMs / 1_000) === Math.floor(permittedMs / 1_000))
    return [permitted];
  return [permitted, windowAt("when it began", startedMs, facts, policy)];
}

function windowAt(when: string, atMs: number, person: Whereabouts, { window }: DialingPolicy): DialCheck {
  const { zones, places } = person;
  // A day's openings cost little; what a closed one waits for is looked for over weeks.
  const open = findOpenings(window, zones, atMs, atMs + 1, places).length > 0;
  const status = open ? undefined : windowStatus(window, zones, atMs, places);
  const { dayOff, rule } = status?.open === false ? status : {};
  const hours = hoursByZone(window, person, atMs).map(
    ({ zone, shown, open, openings }) =>
      `${shown} ${zone} (${open ? "open" : "closed"}, ${openings.length === 0 ? "no hours that day" : openings.join(", ")})`,
  );
  const reason = dayOff ?? rule;
  const why = reason === undefined ? "" : ` (${reason})`;
  const where = hours.length === 0 ? "" : `: ${hours.join("; ")}`;
  const says = `${when} the window was ${open ? "open" : "closed"}${why}${where}`;
  return { rule: dayOff === undefined ? "window" : "day_off", allowed: open, says };
}

/** Whether those who take transferred calls were there: by one clock, whoever is called. */
export function transferHours({ permittedMs }: DialFacts, { transfers }: DialingPolicy): DialCheck[] {
  if (transfers?.hours === undefined) return [];
  const { window, zone } = transfers.hours;
  const allowed = findOpenings(window, [zone], permittedMs, permittedMs + 1).length > 0;
  const localMs = zoneOf(zone).localMs(permittedMs);
  const says = `those who take transferred calls were ${allowed ? "there" : "not there"}: ${dayOf(localMs)} ${timeOf(localMs)} ${zone}`;
  return [{ rule: "transfer_closed", allowed, says }];
}

/** Where somebody may be, as rules ask for it. */
type Whereabouts = Pick<DialFacts, "zones" | "places">;

interface ZoneHours {
  zone: string;
  /** The date and the time on its clocks. */
  shown: string;
  open: boolean;
  /** `09:00-18:00`, of that local day. */
  openings: string[];
}

/** Zones whose clocks show the same and whose hours are the same stand together, by the first of their names. */
function hoursByZone(window: DialingPolicy["window"], person: Whereabouts, atMs: number): ZoneHours[] {
  const found = new Map<string, ZoneHours & { more: number }>();
  for (const name of person.zones.filter(isZoneName)) {
    const localMs = zoneOf(name).localMs(atMs);
    const openings = openingsOfDay(window, name, person, localMs);
    const open = openings.some(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
    const shown = `${dayOf(localMs)} ${timeOf(localMs)}`;
    const texts = openings.map((opening) => openingText(opening, name));
    const key = `${shown} ${texts.join()}`;
    const same = found.get(key);
    if (same) same.more += 1;
    else found.set(key, { zone: name, shown, open, openings: texts, more: 0 });
  }
  return [...found.values()].map(({ more, ...hours }) =>
    more === 0 ? hours : { ...hours, zone: `${hours.zone} and ${more} more` },
  );
}

function openingsOfDay(
  window: DialingPolicy["window"],
  name: string,
  person: Whereabouts,
  localMs: number,
): Opening[] {
  const zone = zoneOf(name);
  const day = dayOfDate(dayOf(localMs));
  const startMs = zone.firstInstantMs(day * DAY_MS);
  const endMs = zone.firstInstantMs((day + 1) * DAY_MS);
  return openingsInZone(window, name, person, { startMs, endMs });
}

const DAY_MS = 86_400_000;

function openingText({ startMs, endMs }: Opening, name: string): string {
  const zone = zoneOf(name);
  const end = timeOf(zone.localMs(endMs)).slice(0, 5);
  return `${timeOf(zone.localMs(startMs)).slice(0, 5)}-${end === "00:00" ? "24:00" : end}`;
}
