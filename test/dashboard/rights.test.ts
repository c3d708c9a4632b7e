import fs from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { mayAsk, RIGHTS, type Guarded, type Rights } from "../../dashboard/src/api/rights.ts";
import { ROLES, type Role } from "../../src/domain/ground/access.ts";
import { OPERATIONS } from "../../src/http/description/operations.ts";
import { ROUTE_ACCESS } from "../../src/http/route-access.ts";

/*
 * What the dashboard offers, held against the API's own table of who may ask for what: nothing is offered that it
 * refuses, and nothing is hidden that it allows.
 */

const SOURCE = path.join(path.dirname(path.dirname(import.meta.dirname)), "dashboard/src");

/** What the API asks of whoever asks for an operation; undefined: it is for everybody who is signed in. */
const ASKED = new Map<string, Rights | undefined>(
  Object.entries(OPERATIONS).map(([route, { id }]) => {
    const access = ROUTE_ACCESS[route];
    const needs = access?.role;
    const ofEveryBrand = access?.brand === "every";
    if (needs === undefined || (needs === "viewer" && !ofEveryBrand)) return [id, undefined];
    return [id, { needs, ...(ofEveryBrand && { ofEveryBrand }) }];
  }),
);

const wordsOf = (rights: Rights | undefined) => JSON.stringify(rights ?? "everybody");

interface Source {
  text: string;
  /** Files that import it. */
  importers: Set<string>;
}

const FILES = new Map<string, Source>(
  fs
    .readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [
      name,
      { text: fs.readFileSync(path.join(SOURCE, name), "utf8"), importers: new Set<string>() },
    ]),
);
for (const [name, { text }] of FILES) {
  for (const [, from = ""] of text.matchAll(/(?:from |import\()"(\.[^"]+)"/g))
    FILES.get(path.join(path.dirname(name), from))?.importers.add(name);
}

/** Where pages and what they stand for are said. */
const INDEX = "pages/index.ts";

const PAGES = [
  ...(FILES.get(INDEX)?.text ?? "").matchAll(/\{ path: "([^"]+)", show: (\w+)(?:, of: "(\w+)")? \}/g),
].map(([, place = "", component = "", of]) => ({ place, component, of }));

/** The file of a page, also where it is loaded by whoever opens it. */
function fileOf(component: string): string {
  const found = [...FILES].find(
    ([name, { text }]) => name !== INDEX && new RegExp(`export function ${component}\\(`).test(text),
  );
  if (!found) throw new Error(`no file has the page ${component}`);
  return found[0];
}

/** Operations that a file asks for by the client. */
function askedIn({ text }: Source): string[] {
  const called = text.matchAll(/\.(\w+)\(|useRead\(\s*"(\w+)"/g);
  return [...new Set([...called].map(([, method, read]) => method ?? read ?? ""))].filter((name) =>
    ASKED.has(name),
  );
}

/** Operations by which a file, or the pages that it is, says who is shown something. */
function guardsIn(name: string): string[] {
  const { text } = FILES.get(name) ?? { text: "" };
  const inside = [...text.matchAll(/useMay\("(\w+)"\)/g)].map(([, of = ""]) => of);
  const pages = PAGES.flatMap(({ component, of }) =>
    of !== undefined && fileOf(component) === name ? [of] : [],
  );
  return [...inside, ...pages];
}

/** Whether a file, or all that show it, show what needs these rights to whoever has just these. */
function isGuarded(name: string, rights: Rights, seen: readonly string[] = []): boolean {
  if (guardsIn(name).some((of) => wordsOf(ASKED.get(of)) === wordsOf(rights))) return true;
  const importers = [...(FILES.get(name)?.importers ?? [])].filter(
    (one) => one !== INDEX && !seen.includes(one),
  );
  return importers.length > 0 && importers.every((one) => isGuarded(one, rights, [...seen, name]));
}

const CALLERS = ROLES.flatMap((role: Role) =>
  [null, ["acme"]].map((brands) => ({ role, brands, who: `${role} of ${brands?.join(", ") ?? "all"}` })),
);

/** As the API decides it (src/http/plugins): by the role, and whether it is about every brand. */
function mayByTheApi({ role, brands }: (typeof CALLERS)[number], operation: string): boolean {
  const asked = ASKED.get(operation);
  if (!asked) return true;
  return ROLES.indexOf(role) >= ROLES.indexOf(asked.needs) && (!asked.ofEveryBrand || brands === null);
}

describe("what the dashboard offers", () => {
  it("is known to be for whom the API lets ask for it", () => {
    const known = Object.entries<Rights>(RIGHTS).map(([name, rights]) => `${name} ${wordsOf(rights)}`);
    const asked = Object.keys(RIGHTS).map((name) => `${name} ${wordsOf(ASKED.get(name))}`);
    expect(known).toEqual(asked);
  });

  it("names what is not for everybody, wherever a page asks for it", () => {
    const used = [...FILES.values()].flatMap(askedIn).filter((name) => ASKED.get(name) !== undefined);
    expect(new Set(used).size).toBeGreaterThan(50);
    expect([...new Set(used)].filter((name) => !(name in RIGHTS))).toEqual([]);
    const named = new Set([...FILES.keys()].flatMap(guardsIn));
    expect(Object.keys(RIGHTS).filter((name) => !used.includes(name) && !named.has(name))).toEqual([]);
  });

  it("is offered under the rights that it needs, no more and no less", () => {
    const open = [...FILES].flatMap(([name, source]) =>
      askedIn(source).flatMap((operation) => {
        const rights = ASKED.get(operation);
        return rights && !isGuarded(name, rights) ? [`${operation} in ${name}`] : [];
      }),
    );
    expect(open).toEqual([]);
  });

  it("is on pages that ask for what they stand for", () => {
    expect(PAGES.length).toBe((FILES.get(INDEX)?.text.match(/show: /g) ?? []).length - 1);
    const others = PAGES.filter(({ component, of }) => {
      if (of === undefined) return false;
      const file = fileOf(component);
      const shown = [...FILES].filter(
        ([name, { importers }]) => name === file || importers.has(file) || reaches(name, file),
      );
      return !shown.some(([, source]) => askedIn(source).includes(of));
    });
    expect(others).toEqual([]);
  });

  it("stands at the side for those whom its page is for", () => {
    const side = (FILES.get(INDEX)?.text ?? "").matchAll(
      /\{ path: "([^"]+)", name: [\w.]+(?:, of: "(\w+)")? \}/g,
    );
    const entries = [...side].map(([, place, of]) => ({ place, of }));
    expect(entries.length).toBeGreaterThan(10);
    for (const { place, of } of entries) {
      const page = PAGES.find((one) => one.place.replace(/\/:\w+\?$/, "") === place);
      expect([place, page?.of]).toEqual([place, of]);
    }
  });

  it.each(CALLERS)("is for a $who what the API allows them", (caller) => {
    const operations = Object.keys(RIGHTS) as Guarded[];
    const offered = operations.filter((name) => mayAsk(caller, name));
    expect(offered).toEqual(operations.filter((name) => mayByTheApi(caller, name)));
  });
});

/** Whether the second shows the first, by whatever is between them. */
function reaches(name: string, page: string, seen: readonly string[] = []): boolean {
  const importers = [...(FILES.get(name)?.importers ?? [])].filter((one) => !seen.includes(one));
  return importers.includes(page) || importers.some((one) => reaches(one, page, [...seen, name]));
}
