import type { AcceptedRow, RejectedRow } from "./contact-row.ts";
import { ImportFileError } from "./import-errors.ts";
import { NumberSet } from "./number-set.ts";
import { openContacts, type ReadContactsOptions } from "./read-contacts.ts";
import type { RejectionCode } from "./rejection.ts";
import type { FileLayout } from "./row-reader.ts";
import type { ContactSource } from "./text-decoding.ts";
import type { ZoneSet } from "./zone-set.ts";

export interface ValidateContactsOptions extends ReadContactsOptions {
  /** How many rejected rows to hand back as examples; 20 if absent. */
  readonly maxProblems?: number;
}

/** What an import of the file would say. Plain data, to be printed as JSON. */
export interface ContactsValidation {
  readonly layout: FileLayout;
  /** read = ok + rejected + duplicate. */
  readonly rows: {
    readonly read: number;
    readonly ok: number;
    readonly rejected: number;
    /** Rows whose number an earlier row of the file has. */
    readonly duplicate: number;
  };
  readonly rejectedByCode: Readonly<Partial<Record<RejectionCode, number>>>;
  /** Contacts by ISO country; `non-geographic` for numbers of no one country. */
  readonly regions: Readonly<Record<string, number>>;
  /** Contacts by the zones they may be in, most first. No zones: they would be excluded. */
  readonly zoneSets: readonly { readonly zones: ZoneSet; readonly contacts: number }[];
  /** Contacts whose zone the file gives. */
  readonly timeZoneGiven: number;
  readonly problems: readonly RejectedRow[];
  /** Why the file can't be read to its end, if so: the counts are of the rows before. */
  readonly stopped: { readonly code: string; readonly message: string; readonly line: number | null } | null;
  readonly warnings: readonly string[];
  /** Bytes used to find the duplicates. */
  readonly duplicateCheckBytes: number;
}

// A screenful; the rejects file of an import has all of them.
const defaultMaxProblems = 20;

class Tally {
  readonly #numbers = new NumberSet();
  readonly #codes = new Map<RejectionCode, number>();
  readonly #regions = new Map<string, number>();
  readonly #zoneSets = new Map<ZoneSet, number>();
  readonly #problems: RejectedRow[] = [];
  readonly #maxProblems: number;
  #ok = 0;
  #duplicate = 0;
  #timeZoneGiven = 0;

  constructor(maxProblems: number) {
    this.#maxProblems = maxProblems;
  }

  reject(row: RejectedRow): void {
    this.#codes.set(row.code, (this.#codes.get(row.code) ?? 0) + 1);
    if (this.#problems.length < this.#maxProblems) this.#problems.push(row);
  }

  accept(row: AcceptedRow): void {
    if (!this.#numbers.add(row.phone)) {
      this.#duplicate += 1;
      return;
    }
    this.#ok += 1;
    if (row.timeZoneGiven) this.#timeZoneGiven += 1;
    const region = row.region ?? "non-geographic";
    this.#regions.set(region, (this.#regions.get(region) ?? 0) + 1);
    this.#zoneSets.set(row.zones, (this.#zoneSets.get(row.zones) ?? 0) + 1);
  }

  result(layout: FileLayout, failure: ImportFileError | undefined): ContactsValidation {
    const rejected = [...this.#codes.values()].reduce((sum, count) => sum + count, 0);
    const byCount = <Key>(counts: ReadonlyMap<Key, number>): [Key, number][] =>
      [...counts].sort(([, left], [, right]) => right - left);
    return {
      layout,
      rows: {
        read: this.#ok + rejected + this.#duplicate,
        ok: this.#ok,
        rejected,
        duplicate: this.#duplicate,
      },
      rejectedByCode: Object.fromEntries(byCount(this.#codes)),
      regions: Object.fromEntries(byCount(this.#regions)),
      zoneSets: byCount(this.#zoneSets).map(([zones, contacts]) => ({ zones, contacts })),
      timeZoneGiven: this.#timeZoneGiven,
      problems: this.#problems,
      stopped:
        failure === undefined
          ? null
          : { code: failure.code, message: failure.message, line: failure.line ?? null },
      warnings: this.#warnings(layout, rejected),
      duplicateCheckBytes: this.#numbers.bytes,
    };
  }

  #warnings(layout: FileLayout, rejected: number): string[] {
    const read = this.#ok + rejected + this.#duplicate;
    const count = (...codes: RejectionCode[]): number =>
      codes.reduce((sum, code) => sum + (this.#codes.get(code) ?? 0), 0);
    const warnings: string[] = [];
    const warn = (isSo: boolean, message: string): void => {
      if (isSo) warnings.push(message);
    };
    warn(read === 0, "The file has no rows, only a header.");
    warn(
      read > 0 && count("phone_no_country") === read,
      "Every number is a national one and there is no default region: give one (default_region, such as US or DE), or write the numbers with +.",
    );
    warn(
      count("phone_spreadsheet_damage") > 0,
      `A spreadsheet changed ${counted(count("phone_spreadsheet_damage"), "number")}: format the phone column as Text in the original, and export it again.`,
    );
    warn(
      count("invalid_encoding") > 0,
      `${counted(count("invalid_encoding"), "row")} not valid ${layout.encoding}: save the file as UTF-8.`,
    );
    warn(
      count("too_few_columns", "too_many_columns") * 2 > read,
      `Most rows do not have the header's columns: check the delimiter (read as ${JSON.stringify(layout.delimiter)}).`,
    );
    const withoutZone = [...this.#zoneSets].reduce(
      (sum, [zones, rows]) => sum + (zones.length === 0 ? rows : 0),
      0,
    );
    warn(
      withoutZone > 0,
      `${withoutZone} numbers tell nothing of a time zone and would be excluded: give one in a time_zone column.`,
    );
    const utc = [...this.#zoneSets].reduce((sum, [zones, rows]) => sum + (zones[0] === "UTC" ? rows : 0), 0);
    warn(
      utc > 0,
      `${utc} contacts have the time zone UTC, where nobody lives: if a program filled it in, their calls come at the wrong hours.`,
    );
    warn(
      this.#numbers.full,
      `Only the first ${this.#numbers.size} numbers were compared with each other; the import finds all duplicates.`,
    );
    return warnings;
  }
}

/**
 * Reads a whole contact file and says what an import would say; writes nothing. Memory is constant but for
 * the set of numbers seen: 16 to 32 bytes each, up to 256 MiB.
 *
 * @throws {ImportOptionError | ImportHeaderError | ImportFileError} where not a single row can be read
 */
export async function validateContacts(
  source: ContactSource,
  options: ValidateContactsOptions = {},
): Promise<ContactsValidation> {
  const { layout, chunks } = await openContacts(source, options);
  const tally = new Tally(options.maxProblems ?? defaultMaxProblems);
  let failure: ImportFileError | undefined;
  try {
    for await (const { rows } of chunks) {
      for (const row of rows) {
        if (row.kind === "contact") tally.accept(row);
        else tally.reject(row);
      }
    }
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error;
    failure = error;
  }
  return tally.result(layout, failure);
}

/** `1 row`, `2 rows`. */
function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
