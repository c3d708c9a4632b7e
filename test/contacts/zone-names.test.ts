import { expect, it } from "vitest";
import { canonicalZone } from "../../src/contacts/zone-names.ts";

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

it("has one spelling for every zone of this Node, and that spelling is a zone", () => {
  const spellings = Intl.supportedValuesOf("timeZone").map((zone) => canonicalZone(zone));
  expect(spellings.length).toBeGreaterThan(400);
  expect(spellings.map((result) => canonicalZone(result.ok ? result.zone : ""))).toEqual(spellings);
});
