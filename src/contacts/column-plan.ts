import {
  columnsFor,
  CONSENT_ROLES,
  foldedName,
  isConsentRole,
  PLACE_ROLES,
  type ColumnRole,
  type ConsentRole,
  type PlaceRole,
} from "./header-aliases.ts";
import { ImportHeaderError } from "./import-errors.ts";
import type { ImportLimits } from "./import-limits.ts";

/**
 * The caller's own mapping: `phone`, `time_zone`, `region`, `country`, `state` and `postal_code` name the columns with
 * these roles; any other key renames a column to a variable of that name. Column names are matched as written, then without regard
 * to case, spaces, underscores and diacritics.
 */
export type ColumnMap = Readonly<Record<string, string>>;

/** What the import makes of one column. */
export interface ColumnUse {
  readonly name: string;
  readonly role: ColumnRole | "variable";
  /** The dynamic variable it becomes; a phone or time zone column becomes none, one of a place or a region does. */
  readonly variable?: string;
}

/** Where each thing is in a row. */
export interface ColumnPlan {
  readonly columns: readonly ColumnUse[];
  readonly phone: number;
  readonly timeZone: number | undefined;
  readonly region: number | undefined;
  /** What says where the person is; the country may be the column of the region, too. */
  readonly place: Readonly<Partial<Record<PlaceRole, number>>>;
  /** What says whether the person may be called. */
  readonly consent: Readonly<Partial<Record<ConsentRole, number>>>;
  readonly variables: readonly { readonly name: string; readonly index: number }[];
}

const forbiddenNames = new Set(["__proto__", "constructor", "prototype"]);

/** Names that would reach into JavaScript's own objects. */
export function isForbiddenName(name: string): boolean {
  return forbiddenNames.has(name);
}

// Control characters other than the white space that a multi-line heading has.
// eslint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/;

// A message stays a message, even for a file that is no list at all.
const maxNamesListed = 20;

function list(names: readonly string[]): string {
  const shown = names.slice(0, maxNamesListed).map((name) => JSON.stringify(name));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

function checkName(name: string, position: number, line: number, limits: ImportLimits): void {
  if (name === "") {
    throw new ImportHeaderError(
      "column_name_empty",
      `Column ${position} has no name in the header: name it, or delete the column (a delimiter at the end of the line makes one, too).`,
      [name],
      line,
    );
  }
  if (name.length > limits.maxColumnNameChars) {
    const start = `${name.slice(0, 40)}...`;
    throw new ImportHeaderError(
      "column_name_too_long",
      `Column ${position} (${JSON.stringify(start)}) has a name of more than ${limits.maxColumnNameChars} characters: shorten it, and check that the first line is a header.`,
      [start],
      line,
    );
  }
  if (controlCharacter.test(name)) {
    throw new ImportHeaderError(
      "column_name_control_character",
      `The name of column ${position} (${JSON.stringify(name)}) has a control character, such as NUL: remove it.`,
      [name],
      line,
    );
  }
  if (isForbiddenName(name)) {
    throw new ImportHeaderError(
      "column_name_forbidden",
      `A column can't be named ${JSON.stringify(name)}: JavaScript uses the name itself. Rename it.`,
      [name],
      line,
    );
  }
}

/** Excel exports keep columns apart by position, a plan by name: so a repeated name would lose one of them. */
function checkNames(names: readonly string[], line: number, limits: ImportLimits): void {
  if (names.length > limits.maxColumns) {
    throw new ImportHeaderError(
      "too_many_columns",
      `The header has ${names.length} columns, ${limits.maxColumns} at most are taken: remove those that no call needs.`,
      [],
      line,
    );
  }
  for (const [index, name] of names.entries()) {
    checkName(name, index + 1, line, limits);
    const earlier = names.indexOf(name);
    if (earlier < index) {
      throw new ImportHeaderError(
        "column_name_repeated",
        `Columns ${earlier + 1} and ${index + 1} are both named ${JSON.stringify(name)}: rename one of them.`,
        [name],
        line,
      );
    }
  }
}

export function findColumn(names: readonly string[], wanted: string, key: string, line: number): number {
  const exact = names.indexOf(wanted.trim());
  if (exact >= 0) return exact;
  const folded = foldedName(wanted);
  const similar = names.flatMap((name, index) => (foldedName(name) === folded ? [index] : []));
  const [only, second] = similar;
  if (only !== undefined && second === undefined) return only;
  throw new ImportHeaderError(
    "column_not_found",
    `The mapping of ${key} names the column ${JSON.stringify(wanted)}, which ${only === undefined ? "the header does not have" : "fits several columns"}. The columns are: ${list(names)}.`,
    [wanted],
    line,
  );
}

function mappedColumns(names: readonly string[], map: ColumnMap, line: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const [key, wanted] of Object.entries(map)) {
    const index = findColumn(names, wanted, key, line);
    for (const [other, taken] of found) {
      if (taken !== index) continue;
      throw new ImportHeaderError(
        "column_mapped_twice",
        `The mapping uses the column ${JSON.stringify(names[index])} for ${other} and for ${key}: give each its own.`,
        [names[index] ?? ""],
        line,
      );
    }
    found.set(key, index);
  }
  return found;
}

// Enough digits for a phone number: then the line is a row.
const numberLike = /^[+(]?(?:[\s()./-]*\d){7,}$/;

const remedy = (role: ColumnRole, example: string): string =>
  `say which with --map ${role}=${JSON.stringify(example)}`;

function columnFor(
  role: ColumnRole,
  names: readonly string[],
  mapped: ReadonlyMap<string, number>,
  line: number,
): number | undefined {
  const given = mapped.get(role);
  if (given !== undefined) return given;
  const taken = new Set(mapped.values());
  const folded = names.map((name, index) => (taken.has(index) ? "" : foldedName(name)));
  const found = columnsFor(role, folded);
  const [only] = found;
  if (found.length > 1) {
    const rivals = found.map((index) => names[index] ?? "");
    throw new ImportHeaderError(
      role === "phone" ? "phone_column_ambiguous" : "time_zone_column_ambiguous",
      `The columns ${list(rivals)} all look like the ${role === "phone" ? "phone number" : "time zone"}: ${remedy(role, rivals[0] ?? "")}.`,
      rivals,
      line,
    );
  }
  return only;
}

export function noPhoneColumn(names: readonly string[], line: number): ImportHeaderError {
  if (names.some((name) => numberLike.test(name))) {
    return new ImportHeaderError(
      "no_header",
      'The first line holds a number instead of column names: put a header line above it, such as "phone,first_name".',
      names.slice(0, 1),
      line,
    );
  }
  return new ImportHeaderError(
    "no_phone_column",
    `No column looks like the phone number: ${remedy("phone", names[0] ?? "")}. The columns are: ${list(names)}. If that is one column with everything in it, the delimiter is another one.`,
    names,
    line,
  );
}

/**
 * What to do with the columns of this header.
 *
 * @throws {ImportHeaderError} naming the column and the remedy
 */
export function planColumns(
  header: readonly string[],
  map: ColumnMap,
  line: number,
  limits: ImportLimits,
): ColumnPlan {
  const names = header.map((name) => name.trim());
  checkNames(names, line, limits);
  const mapped = mappedColumns(names, map, line);
  const phone = columnFor("phone", names, mapped, line);
  if (phone === undefined) throw noPhoneColumn(names, line);
  const timeZone = columnFor("time_zone", names, mapped, line);
  const ownCountry = mapped.get("country");
  const region = columnFor("region", names, mapped, line) ?? ownCountry;
  const placed = PLACE_ROLES.map((role) => [role, columnFor(role, names, mapped, line)] as const);
  const consented = CONSENT_ROLES.map((role) => [role, columnFor(role, names, mapped, line)] as const);
  const roleAt = new Map<number | undefined, ColumnRole>([
    ...consented.map(([role, index]) => [index, role] as const),
    ...placed.map(([role, index]) => [index, role] as const),
    // A mapped country stands for the region, too, and keeps the name that it was given.
    [region, region !== undefined && region === ownCountry ? "country" : "region"],
    [timeZone, "time_zone"],
    [phone, "phone"],
  ]);
  const renamed = new Map([...mapped].map(([key, index]) => [index, key]));
  const columns = names.map((name, index): ColumnUse => {
    const role = roleAt.get(index);
    if (role === undefined) return { name, role: "variable", variable: renamed.get(index) ?? name };
    if (role === "phone" || role === "time_zone" || isConsentRole(role)) return { name, role };
    // A country of numbers keeps its name; what is mapped to a place is named by that, as any renamed column is.
    return { name, role, variable: role === "region" ? name : (renamed.get(index) ?? name) };
  });
  const variables = columns.flatMap(({ variable }, index) =>
    variable === undefined ? [] : [{ name: variable, index }],
  );
  checkVariables(
    variables.map(({ name }) => name),
    line,
  );
  const place = Object.fromEntries(placed.filter(([, index]) => index !== undefined));
  const consent = Object.fromEntries(consented.filter(([, index]) => index !== undefined));
  return { columns, phone, timeZone, region, place, consent, variables };
}

/** A rename must not hide another column. */
function checkVariables(names: readonly string[], line: number): void {
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  const forbidden = names.find(isForbiddenName);
  if (repeated === undefined && forbidden === undefined) return;
  const name = repeated ?? forbidden ?? "";
  throw new ImportHeaderError(
    repeated === undefined ? "column_name_forbidden" : "column_name_repeated",
    `The mapping makes a variable named ${JSON.stringify(name)}, ${repeated === undefined ? "a name that JavaScript uses itself" : "which another column has already"}: choose another name.`,
    [name],
    line,
  );
}
