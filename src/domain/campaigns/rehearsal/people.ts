import type { NumberKind } from "../../policy/number-kind.ts";

/** The people of a list as far as calling them goes: by the zones that they may be in, and what their numbers are. */
export interface People {
  count: number;
  /** Sets of zones; their contacts share a lane, as in the ledger. */
  zoneSets: readonly (readonly string[])[];
  /** Of each person, in the order of the list. */
  zoneSetOf: Uint32Array;
  kinds: readonly NumberKind[];
  kindOf: Uint32Array;
  /** Those whose numbers are on a list of whom not to call. */
  suppressed: ReadonlySet<number>;
}

/** Gathers people in a few bytes each. */
export class PeopleGatherer {
  readonly #zoneSets = new Table<readonly string[]>();
  readonly #kinds = new Table<NumberKind>();
  readonly #zoneSetOf: number[] = [];
  readonly #kindOf: number[] = [];
  readonly #suppressed = new Set<number>();

  add(zones: readonly string[], kind: NumberKind, isSuppressed = false): void {
    if (isSuppressed) this.#suppressed.add(this.#kindOf.length);
    this.#zoneSetOf.push(this.#zoneSets.indexOf(zones.join(), zones));
    this.#kindOf.push(this.#kinds.indexOf(`${kind.country ?? ""} ${kind.costly ?? ""}`, kind));
  }

  people(): People {
    return {
      count: this.#zoneSetOf.length,
      zoneSets: this.#zoneSets.all,
      zoneSetOf: Uint32Array.from(this.#zoneSetOf),
      kinds: this.#kinds.all,
      kindOf: Uint32Array.from(this.#kindOf),
      suppressed: this.#suppressed,
    };
  }
}

/** Different values, each by a number. */
class Table<Value> {
  readonly all: Value[] = [];
  readonly #known = new Map<string, number>();

  indexOf(key: string, value: Value): number {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.all.length);
    this.all.push(value);
    return this.all.length - 1;
  }
}
