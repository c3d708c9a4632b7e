// Zones of countries, and which of them are one clock.

/**
 * Zones that no window is kept in: time that is not the law's there (Urumqi), a place whose numbers have not worked
 * since 2014 (Simferopol), and an island where nobody lives (Macquarie).
 */
const LEFT_OUT = new Set(["Asia/Urumqi", "Europe/Simferopol", "Antarctica/Macquarie"]);

/** Countries with numbers that the time zone database counts to a neighbour. */
const COUNTED_TO = { AC: ["Atlantic/St_Helena"], TA: ["Atlantic/St_Helena"], XK: ["Europe/Belgrade"] };

/**
 * Zones of one country with the same clock, from a year back to four years ahead, are one clock: one of them, where most
 * people live, stands for it. Zones of two countries never are, since either may change its law alone.
 */
export class Clocks {
  #countries;
  #clocks;
  #links;
  #standsFor = new Map();
  #people = new Map();

  constructor({ countries, clocks, links, places }) {
    this.#countries = new Map(
      [...Object.entries(countries), ...Object.entries(COUNTED_TO)].map(([country, zones]) => [
        country,
        zones.filter((zone) => !LEFT_OUT.has(zone)),
      ]),
    );
    this.#clocks = clocks;
    this.#links = links;
    for (const [country, , [zone], population] of places) {
      const key = `${country} ${zone}`;
      this.#people.set(key, (this.#people.get(key) ?? 0) + population);
    }
    for (const [country, zones] of this.#countries) {
      for (const clock of new Set(zones.map((zone) => clocks[zone]))) {
        const same = zones.filter((zone) => clocks[zone] === clock);
        // As the database lists them, where no place is known: it puts the most populous first.
        const [first] = same.toSorted((a, b) => this.#peopleIn(country, b) - this.#peopleIn(country, a));
        for (const zone of same) this.#standsFor.set(`${country} ${zone}`, first);
      }
    }
  }

  /** The countries that have zones. */
  get countries() {
    return [...this.#countries.keys()].sort();
  }

  /** One zone for each clock of a country, sorted. */
  ofCountry(country) {
    return sorted(
      (this.#countries.get(country) ?? []).map((zone) => this.#standsFor.get(`${country} ${zone}`)),
    );
  }

  ofCountries(countries) {
    return sorted(countries.flatMap((country) => this.ofCountry(country)));
  }

  clockOf(zone) {
    return this.#clocks[zone];
  }

  #peopleIn(country, zone) {
    return this.#people.get(`${country} ${zone}`) ?? 0;
  }

  /** People in the known places of a country that keep the clock of this zone. */
  peopleBy(country, zone) {
    const same = (this.#countries.get(country) ?? []).filter(
      (one) => this.#clocks[one] === this.#clocks[zone],
    );
    return same.reduce((sum, one) => sum + this.#peopleIn(country, one), 0);
  }

  /** What a zone is called within these countries; undefined where none of them has it. */
  within(zone, countries) {
    for (const name of [zone, this.#links[zone]]) {
      for (const country of countries) {
        const found = this.#standsFor.get(`${country} ${name}`);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}

export function sorted(zones) {
  return [...new Set(zones)].sort((a, b) => (a < b ? -1 : 1));
}
