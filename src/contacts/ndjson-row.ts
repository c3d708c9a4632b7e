import { isForbiddenName, type ColumnMap } from "./column-plan.ts";
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
import type { ImportLimits } from "./import-limits.ts";
import type { RowCells } from "./contact-row.ts";
import type { RowProblem } from "./rejection.ts";

/** Thrown to leave a row; whoever reads a line catches it. */
export class RowRefused extends Error {
  readonly problem: RowProblem;

  constructor(code: RowProblem["code"], reason: string) {
    super(reason);
    this.problem = { code, reason };
  }
}

/** Names that hold variables of their own instead of being one: ours, and the platform's for the same. */
const nestedNames = new Set(["variables", "dynamic_variables"]);

interface KeyPlan {
  readonly phone: string | undefined;
  readonly timeZone: string | undefined;
  readonly region: string | undefined;
  readonly place: Readonly<Partial<Record<PlaceRole, string>>>;
  readonly consent: Readonly<Partial<Record<ConsentRole, string>>>;
  /** Names of the mapping, by key. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly problem: RowProblem | undefined;
}

// Objects of one file have a handful of shapes; the bound only matters for generated keys.
const maxCachedPlans = 200;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const where = (name: string): string => JSON.stringify(name.slice(0, 40));

/** Reads one JSON object a line: `{"phone": "...", "first_name": "..."}`, or with `variables` nested. */
export class NdjsonRows {
  readonly #map: ReadonlyMap<string, string>;
  readonly #limits: ImportLimits;
  readonly #plans = new Map<string, KeyPlan>();

  constructor(map: ColumnMap, limits: ImportLimits) {
    this.#map = new Map(Object.entries(map).map(([key, name]) => [key, foldedName(name)]));
    this.#limits = limits;
  }

  /**
   * The cells of one line, or why it has none. Strings stay as they are; true, false and numbers become
   * their JSON text; null becomes the empty string.
   */
  cells(line: string): RowCells | RowProblem {
    try {
      return this.#read(line);
    } catch (error) {
      if (error instanceof RowRefused) return error.problem;
      throw error;
    }
  }

  #read(line: string): RowCells {
    const object = parseObject(line);
    const keys = Object.keys(object);
    const plan = this.#planFor(keys);
    if (plan.problem !== undefined) throw new RowRefused(plan.problem.code, plan.problem.reason);
    const variables: Record<string, string> = {};
    const { consent } = plan;
    const consentKeys = new Set(Object.values(consent));
    for (const key of keys) {
      const value = object[key];
      if (key === plan.phone || key === plan.timeZone || consentKeys.has(key)) continue;
      if (nestedNames.has(key) && value !== null) this.#addNested(variables, key, value);
      else if (!nestedNames.has(key)) add(variables, plan.renamed.get(key) ?? key, scalarText(key, value));
    }
    if (Object.keys(variables).length > this.#limits.maxColumns) throw tooMany(this.#limits.maxColumns);
    const cell = (key: string | undefined): string =>
      key === undefined ? "" : scalarText(key, object[key]).trim();
    return {
      phone: phoneText(line, plan.phone === undefined ? null : object[plan.phone]),
      timeZone: cell(plan.timeZone),
      region: cell(plan.region),
      country: cell(plan.place.country),
      state: cell(plan.place.state),
      postalCode: cell(plan.place.postal_code),
      variables,
      consent: {
        basis: cell(consent.consent_basis),
        at: cell(consent.consent_at),
        proof: cell(consent.consent_proof),
        expiresAt: cell(consent.consent_expires_at),
      },
    };
  }

  #addNested(variables: Record<string, string>, name: string, value: unknown): void {
    if (!isObject(value)) {
      throw new RowRefused(
        "json_value_not_scalar",
        `${where(name)} has to be an object of names and values.`,
      );
    }
    for (const [key, inner] of Object.entries(value)) add(variables, key, scalarText(key, inner));
  }

  #planFor(keys: readonly string[]): KeyPlan {
    // Keys can hold anything but a NUL: `forbidden` refuses those before the plan is used.
    const shape = keys.join("\0");
    const known = this.#plans.get(shape);
    if (known !== undefined) return known;
    const plan = this.#plan(keys);
    if (this.#plans.size >= maxCachedPlans) this.#plans.clear();
    this.#plans.set(shape, plan);
    return plan;
  }

  #plan(keys: readonly string[]): KeyPlan {
    let problem: RowProblem | undefined;
    const folded = keys.map((key) => (nestedNames.has(key) ? "" : foldedName(key)));
    const mappedNames = new Set(this.#map.values());
    const find = (role: ColumnRole): string | undefined => {
      const wanted = this.#map.get(role);
      const found =
        wanted === undefined
          ? columnsFor(
              role,
              folded.map((name) => (mappedNames.has(name) ? "" : name)),
            )
          : folded.flatMap((name, index) => (name === wanted ? [index] : []));
      if (found.length > 1 && (role === "phone" || role === "time_zone"))
        problem ??= ambiguous(
          found.map((index) => keys[index] ?? ""),
          role,
        );
      const [index] = found;
      return index === undefined ? undefined : keys[index];
    };
    const phone = find("phone");
    const timeZone = find("time_zone");
    const region = find("region") ?? (this.#map.has("country") ? find("country") : undefined);
    const place = Object.fromEntries(
      PLACE_ROLES.map((role) => [role, find(role)] as const).filter(([, key]) => key !== undefined),
    );
    const consent = Object.fromEntries(
      CONSENT_ROLES.map((role) => [role, find(role)] as const).filter(([, key]) => key !== undefined),
    );
    const renamed = new Map<string, string>();
    for (const [name, wanted] of this.#map) {
      const key = keys[folded.indexOf(wanted)];
      if (key === undefined || key === phone || key === timeZone || isConsentRole(name)) continue;
      if (name !== "region") renamed.set(key, name);
    }
    problem ??= forbidden(keys);
    return { phone, timeZone, region, place, consent, renamed, problem };
  }
}

function ambiguous(names: readonly string[], role: ColumnRole): RowProblem {
  const rivals = names.map(where).join(", ");
  return {
    code: "json_name_ambiguous",
    reason: `${rivals} all look like the ${role === "phone" ? "phone number" : "time zone"}: say which with --map ${role}=${where(names[0] ?? "")}.`,
  };
}

function forbidden(keys: readonly string[]): RowProblem | undefined {
  const bad = keys.find((key) => isForbiddenName(key) || key.trim() === "" || key.includes("\0"));
  if (bad === undefined) return undefined;
  return {
    code: "json_name_forbidden",
    reason: `A variable can't be named ${where(bad)}: rename it.`,
  };
}

function tooMany(maxColumns: number): RowRefused {
  return new RowRefused(
    "too_many_columns",
    `The object has more than ${maxColumns} names: leave out what no call needs.`,
  );
}

/** @throws {RowRefused} */
export function parseObject(line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // The parser's own message quotes the line, which is someone's personal data.
    throw new RowRefused("json_invalid", "The line is not valid JSON: write one complete object a line.");
  }
  if (!isObject(value)) {
    throw new RowRefused(
      "json_not_an_object",
      'The line is JSON, but not an object: write {"phone": "...", ...}.',
    );
  }
  return value;
}

function add(variables: Record<string, string>, name: string, value: string): void {
  const problem = forbidden([name]);
  if (problem !== undefined) throw new RowRefused(problem.code, problem.reason);
  if (Object.hasOwn(variables, name)) {
    throw new RowRefused("json_name_repeated", `The variable ${where(name)} is given twice: keep one.`);
  }
  variables[name] = value;
}

function scalarText(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number") {
    throw new RowRefused(
      "json_value_not_scalar",
      `The value of ${where(name)} is an object or a list: variables are text, so give it as a string.`,
    );
  }
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw new RowRefused(
      "json_number_not_exact",
      `The number in ${where(name)} is too large to be read exactly: give it as a string.`,
    );
  }
  return String(value);
}

/** A phone number as a JSON number is taken only if the line has its very digits, not `4.9e11`. */
export function phoneText(line: string, value: unknown): string {
  if (typeof value === "number" && !line.includes(String(value))) return value.toExponential();
  return scalarText("phone", value);
}
