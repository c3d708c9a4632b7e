/**
 * The prefix data names one city for many countries ("Europe/Bucharest" for Libya). Where that city's clock
 * differs from the place's own, a window computed from it would be open while it is closed there. These are
 * all the places where, for some moment of a year, no zone of a calling code has the offset of one of its
 * inhabited zones; a test compares the result with every country's zones in the CLDR.
 *
 * Left as they are: Asia/Urumqi (unofficial time beside China's legal one) and Europe/Simferopol
 * (numbers under +380 there have not worked since 2014).
 */

/** Under `prefix`, `from` stands for the zones of `to`. */
export interface ZoneReplacement {
  readonly prefix: string;
  readonly from: string;
  readonly to: readonly string[];
}

export const zoneReplacements: readonly ZoneReplacement[] = [
  // Kaliningrad has no summer time.
  { prefix: "7", from: "Europe/Bucharest", to: ["Europe/Kaliningrad"] },
  // Quintana Roo has no summer time, and nobody else in Mexico keeps New York's.
  { prefix: "52", from: "America/New_York", to: ["America/Cancun"] },
  // The area of 08 holds the Northern Territory, without South Australia's summer time.
  { prefix: "61", from: "Australia/Adelaide", to: ["Australia/Adelaide", "Australia/Darwin"] },
  // South Sudan left East Africa Time in 2021.
  { prefix: "211", from: "Africa/Nairobi", to: ["Africa/Juba"] },
  // Morocco is at +01 in winter, too, except in Ramadan.
  { prefix: "212", from: "Atlantic/Canary", to: ["Africa/Casablanca", "Africa/El_Aaiun"] },
  // None of the next three has summer time.
  { prefix: "213", from: "Europe/Paris", to: ["Africa/Algiers"] },
  { prefix: "218", from: "Europe/Bucharest", to: ["Africa/Tripoli"] },
  { prefix: "505", from: "America/Chicago", to: ["America/Managua"] },
  // Summer time on days of its own.
  { prefix: "970", from: "Europe/Bucharest", to: ["Asia/Gaza", "Asia/Hebron"] },
];

/** Zones that are missing from exactly this prefix's entry. */
export interface ZoneAddition {
  readonly prefix: string;
  readonly zones: readonly string[];
}

export const zoneAdditions: readonly ZoneAddition[] = [
  // Magallanes and Aysen keep summer time all year. America/Coyhaique, with the same rules, is unknown to
  // time zone data before 2025b, which Node 20.19 may have.
  { prefix: "56", zones: ["America/Punta_Arenas"] },
  // The data gives all of 07 beyond the listed exchanges to Sydney; nearly all of it is Queensland.
  { prefix: "617", zones: ["Australia/Brisbane"] },
  { prefix: "299", zones: ["America/Danmarkshavn"] },
  { prefix: "675", zones: ["Pacific/Bougainville"] },
];
