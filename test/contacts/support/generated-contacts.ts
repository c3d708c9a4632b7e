import examples from "libphonenumber-js/examples.mobile.json" with { type: "json" };
import { getExampleNumber, type CountryCode } from "libphonenumber-js/max";

const countries: readonly CountryCode[] = [
  "US",
  "CA",
  "GB",
  "DE",
  "FR",
  "ES",
  "PT",
  "IT",
  "NL",
  "BE",
  "CH",
  "AT",
  "PL",
  "SE",
  "NO",
  "DK",
  "FI",
  "IE",
  "AU",
  "NZ",
  "BR",
  "MX",
  "AR",
  "CL",
  "IN",
  "ID",
  "JP",
  "RU",
  "KZ",
  "TR",
];

const names = ["Anna", "José", "Zoë", "Müller", "Nguyễn", "O'Brien", "Владимир", "佐藤"];

/** xorshift32: the same list for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
}

export interface GeneratedContactsInput {
  readonly rows: number;
  readonly seed: number;
}

/**
 * A contact list as CSV: mobile numbers of 30 countries, every fifth written with spaces, one row in 200
 * with a number that does not exist, one in 50 with a quoted cell; four more columns.
 */
export async function* generatedContacts(input: GeneratedContactsInput): AsyncGenerator<Uint8Array> {
  const random = randomNumbers(input.seed);
  const stems = countries.map((country) => getExampleNumber(country, examples)?.number.slice(0, -5) ?? "");
  let lines = "phone,first_name,company,plan,note\n";
  for (let row = 0; row < input.rows; row += 1) {
    const stem = stems[row % stems.length] ?? "";
    const tail = String(Math.floor(random() * 100_000)).padStart(5, "0");
    const whole = row % 200 === 199 ? "+49" : stem + tail;
    const phone = row % 5 === 0 ? `${whole.slice(0, 3)} ${whole.slice(3, 6)} ${whole.slice(6)}` : whole;
    const note = row % 50 === 0 ? `"said ""call, please"" on ${row}"` : `note ${row}`;
    lines += `${phone},${names[row % names.length]},Company ${row % 1_000},gold,${note}\n`;
    if (lines.length > 60_000 || row === input.rows - 1) {
      yield Buffer.from(lines, "utf8");
      lines = "";
    }
  }
}
