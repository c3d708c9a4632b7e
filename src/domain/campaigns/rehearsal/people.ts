import type { ConsentRecord } from "../../policy/consent.ts";
import type { NumberKind } from "../../policy/number-kind.ts";

/** Whoever may be in the same zones and places, and is called with the same priority: a lane, as in the ledger. */
export interface LaneOfPeople {
  zones: readonly string[];
  places: readonly string[];
  /** The highest is called first. */
  priority: number;
}

/** The people of a list as far as calling them goes: by the lanes that they are in, and what their numbers are. */
export interface People {
  count: number;
  lanes: readonly LaneOfPeople[];
  /** Of each person, in the order of the list. */
  laneOf: Uint32Array;
  kinds: readonly NumberKind[];
  kindOf: Uint32Array;
  /** Those whose numbers are on a list of whom not to call. */
  suppressed: ReadonlySet<number>;
  /** What the list says of consent, the last line last; absent: nothing, or nobody asks. */
  consents: ReadonlyMap<number, readonly ConsentRecord[]>;
}

/** One person of a list, as it is gathered. */
export interface Gathered {
  zones: readonly string[];
  kind: NumberKind;
  places?: readonly string[];
  priority?: number;
  isSuppressed?: boolean;
}

/** Gathers people in a few bytes each. */
export class PeopleGatherer {
  readonly #lanes = new Table<LaneOfPeople>();
  readonly #kinds = new Table<NumberKind>();
  readonly #laneOf: number[] = [];
  readonly #kindOf: number[] = [];
  readonly #suppressed = new Set<number>();
  readonly #consents = new Map<number, ConsentRecord[]>();

  /** Says by which number the person is known. */
  add({ zones, kind, places = [], priority = 0, isSuppressed = false }: Gathered): number {
    const person = this.#laneOf.length;
    const key = `${priority} ${zones.join()} ${places.join()}`;
    this.#laneOf.push(this.#lanes.indexOf(key, { zones, places, priority }));
    this.#kindOf.push(this.#kinds.indexOf(`${kind.country ?? ""} ${kind.costly ?? ""}`, kind));
    if (isSuppressed) this.#suppressed.add(person);
    return person;
  }

  /** Its number turned out to be on a list of whom not to call. */
  suppress(person: number): void {
    this.#suppressed.add(person);
  }

  consented(person: number, record: ConsentRecord): void {
    const before = this.#consents.get(person);
    if (before) before.push(record);
    else this.#consents.set(person, [record]);
  }

  people(): People {
    return {
      count: this.#laneOf.length,
      lanes: this.#lanes.all,
      laneOf: Uint32Array.from(this.#laneOf),
      kinds: this.#kinds.all,
      kindOf: Uint32Array.from(this.#kindOf),
      suppressed: this.#suppressed,
      consents: this.#consents,
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
