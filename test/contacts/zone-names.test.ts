import { expect, it, onTestFinished } from "vitest";

import { canonicalZone } from "../../src/contacts/zone-names.ts";
import { useZoneData, zoneData } from "../../src/domain/time/zone-data.ts";

it.each([
  ["America/New_York", "America/New_York"],
  ["america/new_york", "America/New_York"],
  [" America/New York ", "America/New_York"],
  ["US/Eastern", "America/New_York"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Kolkata", "Asia/Kolkata"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["Europe/Amsterdam", "Europe/Amsterdam"],
  ["Japan", "Asia/Tokyo"],
  ["EST5EDT", "America/New_York"],
  ["UTC", "UTC"],
  ["Etc/UTC", "UTC"],
  ["Iceland", "Atlantic/Reykjavik"],
  ["Singapore", "Asia/Singapore"],
  ["America/Fort_Wayne", "America/Indiana/Indianapolis"],
  ["Atlantic/Jan_Mayen", "Arctic/Longyearbyen"],
  ["US/Pacific-New", "America/Los_Angeles"],
  ["Etc/GMT-14", "Etc/GMT-14"],
])("%j is %s", (text, zone) => {
  expect(canonicalZone(text)).toEqual({ ok: true, zone });
});

it.each([
  ["Mars/Olympus", "no time zone of that name"],
  ["Etc/Unknown", "no time zone of that name"],
  ["+02:00", "offset"],
  ["UTC+2", "offset"],
  ["GMT-5", "offset"],
  ["EST", "abbreviation"],
  ["IST", "abbreviation"],
  ["GMT", "abbreviation"],
  ["W. Europe Standard Time", "not the name"],
  ["../etc/passwd", "not the name"],
])("%j is refused with a remedy", (text, reason) => {
  expect(canonicalZone(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  expect(canonicalZone(text)).toMatchObject({ reason: expect.stringContaining("America/New_York") });
});

it("has one spelling for every zone that this Node or the zone data names, and that spelling is a zone", () => {
  const names = [...new Set([...Intl.supportedValuesOf("timeZone"), ...zoneData().names()])];
  const spellings = names.map((name) => canonicalZone(name)).filter(({ ok }) => ok);
  expect(spellings.length).toBeGreaterThan(550);
  expect(spellings.map((result) => canonicalZone(result.ok ? result.zone : ""))).toEqual(spellings);
});

it("has no spelling that goes by another clock than the name that was given", () => {
  const data = zoneData();
  const clockOf = (name: string) => {
    const zone = data.zone(name);
    const [fromMs, toMs] = [Date.UTC(2024, 0, 1), Date.UTC(2050, 0, 1)];
    return { offsetMs: zone.offsetMs(fromMs), changes: zone.changes(fromMs, toMs) };
  };
  for (const name of data.names()) {
    const result = canonicalZone(name);
    if (result.ok) expect(clockOf(result.zone), name).toEqual(clockOf(name));
  }
});

it("leaves a name to itself where its clock parts from that of the name that stood for it", () => {
  const shipped = zoneData();
  onTestFinished(() => useZoneData(() => shipped));
  const data = {
    ...shipped,
    zone: (name: string) => shipped.zone(name.toLowerCase() === "navajo" ? "America/Los_Angeles" : name),
  };
  useZoneData(() => data);
  expect(canonicalZone("navajo")).toEqual({ ok: true, zone: "Navajo" });
});
