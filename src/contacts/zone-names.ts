/**
 * The one spelling of each zone. Node's Intl resolves links (`US/Eastern`), but to the CLDR's names, which
 * for these zones are not the ones that IANA and people use today.
 */
const ianaNames: ReadonlyMap<string, string> = new Map([
  ["Africa/Asmera", "Africa/Asmara"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["America/Catamarca", "America/Argentina/Catamarca"],
  ["America/Cordoba", "America/Argentina/Cordoba"],
  ["America/Jujuy", "America/Argentina/Jujuy"],
  ["America/Mendoza", "America/Argentina/Mendoza"],
  ["America/Coral_Harbour", "America/Atikokan"],
  ["America/Godthab", "America/Nuuk"],
  ["America/Indianapolis", "America/Indiana/Indianapolis"],
  ["America/Louisville", "America/Kentucky/Louisville"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Asia/Rangoon", "Asia/Yangon"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["Atlantic/Faeroe", "Atlantic/Faroe"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Pacific/Enderbury", "Pacific/Kanton"],
  ["Pacific/Ponape", "Pacific/Pohnpei"],
  ["Pacific/Truk", "Pacific/Chuuk"],
  ["Etc/UTC", "UTC"],
]);

export type ZoneNameResult =
  | { readonly ok: true; readonly zone: string }
  | { readonly ok: false; readonly reason: string };

const refuse = (reason: string): ZoneNameResult => ({ ok: false, reason });

const example = "give an IANA name such as America/New_York";
const zoneShape = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

function resolve(text: string): ZoneNameResult {
  if (/^(?:utc|gmt|z)?\s*[+-]\s*\d/i.test(text)) {
    return refuse(`An offset is not a time zone (it knows no daylight saving time): ${example}.`);
  }
  // "IST", "CST" and "BST" each mean several zones, and "EST" means Panama's to Intl: no daylight saving time,
  // so evening calls an hour late. "GMT" in a list of British numbers means London, with the same error.
  if (/^[A-Za-z]{1,4}$/.test(text) && text.toUpperCase() !== "UTC") {
    return refuse(`An abbreviation does not say which time zone is meant: ${example}.`);
  }
  const name = text.replace(/ /g, "_");
  if (!zoneShape.test(name)) return refuse(`It is not the name of a time zone: ${example}.`);
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return { ok: true, zone: ianaNames.get(timeZone) ?? timeZone };
  } catch (error) {
    if (error instanceof RangeError) return refuse(`There is no time zone of that name: ${example}.`);
    throw error;
  }
}

// A file names a few dozen zones a million times, and one look into Intl takes some 30 microseconds.
// The bound only matters for a column full of rubbish.
const maxCachedNames = 2_000;
const cache = new Map<string, ZoneNameResult>();

/**
 * The canonical IANA name of a time zone, in any case and by any of its links (`us/eastern`,
 * `America/New York`). Refused: unknown names, offsets, and abbreviations, which are ambiguous.
 */
export function canonicalZone(text: string): ZoneNameResult {
  const trimmed = text.trim();
  const known = cache.get(trimmed);
  if (known !== undefined) return known;
  const result = resolve(trimmed);
  if (cache.size >= maxCachedNames) cache.clear();
  cache.set(trimmed, result);
  return result;
}
