/**
 * Why a row of a contact file is not a contact. The strings are stable: they are stored with each rejected
 * row, counted in reports, and written in the `code` column of the rejects file.
 */
export type PhoneRejectionCode =
  /** The phone cell is empty. */
  | "phone_empty"
  /** No digits, or characters that no phone number has. */
  | "phone_not_a_number"
  /** Letters in the number: a vanity number, a label, a note. */
  | "phone_letters"
  /** More than one number in the cell. */
  | "phone_several"
  /** The number needs an extension, which a dialer can't press. */
  | "phone_extension"
  /** A spreadsheet rewrote the number (`4.91512E+11`, `1234.0`, `####`): digits are lost. */
  | "phone_spreadsheet_damage"
  /** An emergency number, a short code or a star code. */
  | "phone_short_code"
  /** Too few digits for its country. */
  | "phone_too_short"
  /** Too many digits for its country, or more than the 15 of E.164. */
  | "phone_too_long"
  /** The right length, but no such range in its country. */
  | "phone_not_valid"
  /** A national number, and nothing says of which country. */
  | "phone_no_country"
  /** Valid both as a national number and, with a `+` in front, as another one. */
  | "phone_ambiguous"
  /** `+` and digits that begin with no country's calling code. */
  | "phone_unknown_calling_code";

/** All codes: of the number, of the row, and of the row's JSON. */
export type RejectionCode =
  | PhoneRejectionCode
  /** The row's country is not understood, and its number is a national one. */
  | "region_unknown"
  /** The given time zone is not an IANA zone name. */
  | "time_zone_invalid"
  /** What it says of consent can't be: no basis that is known, no moment, one that is to come. */
  | "consent_invalid"
  /** Fewer or more cells than the header has; more names than an NDJSON object may have. */
  | "too_few_columns"
  | "too_many_columns"
  /** Text after a closing quote. */
  | "bad_quoting"
  /** Longer than the limits allow. */
  | "row_too_large"
  | "value_too_long"
  /** Bytes or code units that are not text in the file's encoding. */
  | "invalid_encoding"
  /** U+0000, which no database keeps as text. */
  | "nul_character"
  | "json_invalid"
  | "json_not_an_object"
  | "json_value_not_scalar"
  | "json_number_not_exact"
  | "json_name_repeated"
  | "json_name_forbidden"
  /** Two names of one object look like the phone number, or the time zone. */
  | "json_name_ambiguous";

/** A problem of one row, with a reason that names the problem and the remedy. */
export interface RowProblem {
  readonly code: RejectionCode;
  readonly reason: string;
}
