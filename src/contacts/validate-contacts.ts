import { DEFAULT_WINDOW_SPEC, type CallingWindow } from "../domain/policy/calling-window.ts";
import { windowOf } from "../domain/campaigns/window-spec.ts";
import {
  createNeverMemo,
  NeverDialedGroups,
  whyNever,
  type NeverDialed,
} from "../domain/policy/never-dialed.ts";
import type { DialingPolicy, TransferPolicy } from "../domain/policy/dialing-policy.ts";
import { consentStandings } from "../domain/policy/policy-gate.ts";
import type { AcceptedRow, RejectedRow } from "./contact-row.ts";
import type { PlaceRole } from "./header-aliases.ts";
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
  /** How the campaign that the list is for would take it; absent: as one that names no window. */
  readonly campaign?: ForCampaign;
  /** Told of each row that would be a contact, or is one whose number an earlier row has. */
  readonly onContact?: (row: AcceptedRow, isDuplicate: boolean) => void;
  /** Done behind each chunk of rows, before the next one is read. */
  readonly afterChunk?: () => Promise<void>;
}

export interface ForCampaign {
  readonly window: CallingWindow;
  /** Those who take its transferred calls; absent: they bound nothing. */
  readonly transfers?: TransferPolicy | undefined;
  /** Under `zones: strict`. */
  readonly isStrict: boolean;
  /** Which consent it asks for; absent: none. */
  readonly consent?: Pick<DialingPolicy, "consent" | "presetConsents">;
  readonly nowMs: number;
}

/** Cells that say where somebody is, in a way that is not understood. */
export interface UnreadPlaces {
  readonly column: PlaceRole;
  readonly contacts: number;
  /** Some of the values. */
  readonly examples: readonly string[];
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
  /** Contacts by what their zones were found from. */
  readonly placedBy: Readonly<Partial<Record<AcceptedRow["placedBy"], number>>>;
  readonly unreadPlaces: readonly UnreadPlaces[];
  /** Who can never be dialed under the campaign's window, in groups, largest first, with what would help. */
  readonly neverDialed: readonly (NeverDialed & { readonly why: string; readonly remedy: string })[];
  /** Who has no such consent in the list as the campaign asks for, largest group first: what is recorded elsewhere is not known. */
  readonly withoutConsent: readonly { readonly contacts: number; readonly why: string }[];
  readonly problems: readonly RejectedRow[];
  /** Why the file can't be read to its end, if so: the counts are of the rows before. */
  readonly stopped: { readonly code: string; readonly message: string; readonly line: number | null } | null;
  readonly warnings: readonly string[];
  /** Bytes used to find the duplicates. */
  readonly duplicateCheckBytes: number;
}

// A screenful; the rejects file of an import has all of them.
const defaultMaxProblems = 20;

// Enough to see what is in the column.
const maxExamples = 5;
const maxExampleChars = 40;

const consentEnded = "consent that ended, or ends within minutes, or is older than it may be";

const anyCampaign = (): ForCampaign => ({
  window: windowOf(DEFAULT_WINDOW_SPEC),
  isStrict: false,
  nowMs: Date.now(),
});

class Tally {
  readonly #numbers = new NumberSet();
  readonly #codes = new Map<RejectionCode, number>();
  readonly #regions = new Map<string, number>();
  readonly #zoneSets = new Map<ZoneSet, number>();
  readonly #problems: RejectedRow[] = [];
  readonly #placedBy = new Map<AcceptedRow["placedBy"], number>();
  readonly #unread = new Map<PlaceRole, { contacts: number; examples: Set<string> }>();
  readonly #withoutConsent = new Map<string, number>();
  readonly #never = new NeverDialedGroups();
  readonly #neverOf: ReturnType<typeof createNeverMemo>;
  readonly #campaign: ForCampaign;
  readonly #maxProblems: number;
  readonly #onContact: ValidateContactsOptions["onContact"];
  #ok = 0;
  #duplicate = 0;

  constructor(campaign: ForCampaign, maxProblems: number, onContact: ValidateContactsOptions["onContact"]) {
    this.#campaign = campaign;
    this.#onContact = onContact;
    this.#neverOf = createNeverMemo(campaign.window, campaign.nowMs, campaign.transfers);
    this.#maxProblems = maxProblems;
  }

  reject(row: RejectedRow): void {
    this.#codes.set(row.code, (this.#codes.get(row.code) ?? 0) + 1);
    if (this.#problems.length < this.#maxProblems) this.#problems.push(row);
  }

  accept(row: AcceptedRow): void {
    if (!this.#numbers.add(row.phone)) {
      this.#duplicate += 1;
      this.#onContact?.(row, true);
      return;
    }
    this.#ok += 1;
    this.#placedBy.set(row.placedBy, (this.#placedBy.get(row.placedBy) ?? 0) + 1);
    for (const unread of row.unread) this.#noteUnread(unread);
    const { isStrict } = this.#campaign;
    const zones = isStrict ? row.strictZones : row.zones;
    const places = isStrict ? row.strictPlaces : row.places;
    this.#noteConsent(row, zones, places);
    const never = this.#neverOf(zones, places);
    if (never !== undefined) this.#never.add(never, row.region, zones);
    const region = row.region ?? "non-geographic";
    this.#regions.set(region, (this.#regions.get(region) ?? 0) + 1);
    this.#zoneSets.set(zones, (this.#zoneSets.get(zones) ?? 0) + 1);
    this.#onContact?.(row, false);
  }

  /** As the gate would, once what the row says is recorded. */
  #noteConsent({ consent }: AcceptedRow, zones: AcceptedRow["zones"], places: AcceptedRow["places"]): void {
    const { consent: asked, nowMs } = this.#campaign;
    if (asked === undefined) return;
    const consents =
      consent === undefined
        ? []
        : [{ basis: consent.basis, atMs: consent.obtainedAtMs, expiresAtMs: consent.expiresAtMs }];
    for (const { standing } of consentStandings({ consents, places, zones }, asked, nowMs)) {
      if (standing.kind === "given") continue;
      // Each ended at a moment of its own: they are one group, however long the list is.
      const why = standing.kind === "consent_expired" ? consentEnded : standing.detail;
      this.#withoutConsent.set(why, (this.#withoutConsent.get(why) ?? 0) + 1);
      return;
    }
  }

  #noteUnread({ column, value }: AcceptedRow["unread"][number]): void {
    const noted = this.#unread.get(column) ?? { contacts: 0, examples: new Set() };
    this.#unread.set(column, noted);
    noted.contacts += 1;
    if (noted.examples.size < maxExamples) noted.examples.add(value.slice(0, maxExampleChars));
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
      timeZoneGiven: this.#placedBy.get("time_zone") ?? 0,
      placedBy: Object.fromEntries(byCount(this.#placedBy)),
      unreadPlaces: [...this.#unread].map(([column, { contacts, examples }]) => ({
        column,
        contacts,
        examples: [...examples],
      })),
      neverDialed: this.#never.all().map((group) => ({ ...group, ...whyNever(group, this.#campaign.nowMs) })),
      withoutConsent: byCount(this.#withoutConsent).map(([why, contacts]) => ({ contacts, why })),
      problems: this.#problems,
      stopped:
        failure === undefined
          ? null
          : { code: failure.code, message: failure.message, line: failure.line ?? null },
      warnings: this.#warnings(layout, rejected, failure),
      duplicateCheckBytes: this.#numbers.bytes,
    };
  }

  #warnings(layout: FileLayout, rejected: number, failure: ImportFileError | undefined): string[] {
    const read = this.#ok + rejected + this.#duplicate;
    const count = (...codes: RejectionCode[]): number =>
      codes.reduce((sum, code) => sum + (this.#codes.get(code) ?? 0), 0);
    const warnings: string[] = [];
    const warn = (isSo: boolean, message: string): void => {
      if (isSo) warnings.push(message);
    };
    warn(read === 0 && failure === undefined, "The file has no rows, only a header.");
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
    for (const [column, { contacts, examples }] of this.#unread) {
      const shown = [...examples].map((value) => JSON.stringify(value)).join(", ");
      warnings.push(
        `The ${column} of ${counted(contacts, "contact")} is not understood (${shown}), and does not count: their zones are found from the rest. If the column is no ${PLACE_NAMES[column]}, rename it, or say which is one with --map ${column}=...`,
      );
    }
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
  const { campaign = anyCampaign(), maxProblems = defaultMaxProblems, onContact } = options;
  const tally = new Tally(campaign, maxProblems, onContact);
  let failure: ImportFileError | undefined;
  try {
    for await (const { rows } of chunks) {
      for (const row of rows) {
        if (row.kind === "contact") tally.accept(row);
        else tally.reject(row);
      }
      await options.afterChunk?.();
    }
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error;
    failure = error;
  }
  return tally.result(layout, failure);
}

const PLACE_NAMES: Readonly<Record<PlaceRole, string>> = {
  country: "country",
  state: "state",
  postal_code: "postal code",
};

/** `1 row`, `2 rows`. */
function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
