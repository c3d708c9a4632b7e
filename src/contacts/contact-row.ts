import type { CountryCode } from "libphonenumber-js/max";
import { readConsent, type ConsentCells, type ConsentGiven } from "../domain/policy/consent.ts";
import { givenZone, zonesOfContact, type ContactZones } from "./contact-zones.ts";
import { nationalHome } from "./phone-region.ts";
import { normalisePhone, type NationalHome, type NormalisedPhone } from "./phone.ts";
import type { PlaceCells } from "./place-zones.ts";
import type { RejectionCode, RowProblem } from "./rejection.ts";
import { canonicalZone } from "./zone-names.ts";

/** A row that can become a contact. */
export interface AcceptedRow extends ContactZones {
  readonly kind: "contact";
  /** Physical line of the row's first character, 1-based; a CSV's header is on line 1 (2 behind `sep=`). */
  readonly line: number;
  /** E.164. */
  readonly phone: string;
  /** ISO 3166-1 alpha-2; undefined for numbers of no one country. */
  readonly region: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  /** What the row says of consent to be called; undefined: nothing. */
  readonly consent: ConsentGiven | undefined;
}

/** A row that can't. */
export interface RejectedRow {
  readonly kind: "rejected";
  readonly line: number;
  readonly code: RejectionCode;
  /** The problem and its remedy. */
  readonly reason: string;
  /** The beginning of the row as it stands in the file. */
  readonly raw: string;
}

export type ContactRow = AcceptedRow | RejectedRow;

/** Where a row stands in the file. */
export interface RowSource {
  readonly line: number;
  readonly raw: string;
}

/** The cells that decide about a row. */
export interface RowCells extends PlaceCells {
  readonly phone: string;
  readonly timeZone: string;
  /** The country of a number without `+`. */
  readonly region: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Absent: there is no such column. */
  readonly consent?: ConsentCells;
}

// Enough to recognise the row by; a rejects file of a million bad rows stays readable.
const maxRawChars = 200;

export function rejectRow(source: RowSource, problem: RowProblem): RejectedRow {
  const excerpt = source.raw.length > maxRawChars ? `${source.raw.slice(0, maxRawChars)}…` : source.raw;
  return {
    kind: "rejected",
    line: source.line,
    code: problem.code,
    reason: problem.reason,
    // Through bytes: that turns lone surrogates into U+FFFD, and lets go of the block the excerpt is cut from.
    raw: Buffer.from(excerpt, "utf8").toString("utf8"),
  };
}

// A file has a few hundred spellings of countries at most; the bound only matters for a column of rubbish.
const maxCachedHomes = 2_000;

/** Makes contacts of cells, for one file and its default region. */
export class ContactRows {
  readonly #defaultHome: NationalHome | undefined;
  readonly #now: () => number;
  readonly #homes = new Map<string, NationalHome | undefined>();

  /** @param now by which consent that is to come is told from consent that was given. */
  constructor(defaultRegion: CountryCode | undefined, now: () => number = Date.now) {
    this.#now = now;
    this.#defaultHome = defaultRegion === undefined ? undefined : { region: defaultRegion };
  }

  /**
   * The row's own country goes before the default region. One that is not understood only matters for a
   * national number: reading that as one of the default region would dial a stranger.
   */
  phone(cell: string, region: string): NormalisedPhone | (RowProblem & { readonly ok: false }) {
    const home = region === "" ? this.#defaultHome : this.#homeOf(region);
    const phone = normalisePhone(cell, home);
    if (phone.ok) return phone;
    const unknownRegion = home === undefined && region !== "" && phone.code === "phone_no_country";
    if (!unknownRegion) return { ok: false, code: phone.code, reason: phone.message };
    return {
      ok: false,
      code: "region_unknown",
      reason: `The country ${JSON.stringify(region.slice(0, 40))} is not known, and the number is a national one: give the country's two-letter code, or write the number with + and the country's code.`,
    };
  }

  row(source: RowSource, cells: RowCells): ContactRow {
    const phone = this.phone(cells.phone, cells.region);
    if (!phone.ok) return rejectRow(source, phone);
    const given = cells.timeZone === "" ? undefined : canonicalZone(cells.timeZone);
    if (given?.ok === false) return rejectRow(source, { code: "time_zone_invalid", reason: given.reason });
    const consent = cells.consent === undefined ? undefined : readConsent(cells.consent, this.#now());
    if (consent?.ok === false) {
      const { field, reason } = consent;
      return rejectRow(source, { code: "consent_invalid", reason: `${field} ${reason}` });
    }
    return {
      kind: "contact",
      line: source.line,
      phone: phone.phone,
      region: phone.region,
      ...(given === undefined ? zonesOfContact(phone, cells) : givenZone(given.zone, phone, cells)),
      variables: cells.variables,
      consent: consent?.consent,
    };
  }

  #homeOf(cell: string): NationalHome | undefined {
    if (this.#homes.has(cell)) return this.#homes.get(cell);
    if (this.#homes.size >= maxCachedHomes) this.#homes.clear();
    const home = nationalHome(cell);
    this.#homes.set(cell, home);
    return home;
  }
}
