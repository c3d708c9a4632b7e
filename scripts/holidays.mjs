// Writes the table of public holidays of the years ahead, as the package date-holidays works them out:
//   npm run holidays
// Some minutes. To be run when the package is updated, and before the years run out; tests say when.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { prepare } from "./prepare.mjs";

/** Years behind this one: calls of a year ago are explained with the holidays of then. */
const BEHIND = 2;

/** Years ahead: a release of today is in use for some of them. */
const AHEAD = 6;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const file = path.join(root, "src/domain/time/holiday-data.ts");

await prepare();
const imported = (name) => import(pathToFileURL(path.join(root, "dist/domain/time", name)).href);
const { allHolidayPlaces, workedOut } = await imported("holiday-package.js");
const { tableOf } = await imported("holiday-table.js");
const { version } = createRequire(import.meta.url)("date-holidays/package.json");
const thisYear = new Date().getUTCFullYear();
const years = { firstYear: thisYear - BEHIND, lastYear: thisYear + AHEAD };
const places = allHolidayPlaces();
const table = tableOf(places, years, workedOut);
if (/[`\\$]/.test(table.names + table.places))
  throw new Error("a name has a character that would have to be escaped");
fs.writeFileSync(
  file,
  `// Written by \`npm run holidays\` from the package date-holidays, whose data is under CC BY-SA 3.0, and so is this file.
// How it is read: holiday-table.ts.

/** Of the package that it was written from. */
export const PACKAGE_VERSION = ${JSON.stringify(version)};

export const FIRST_YEAR = ${years.firstYear};
export const LAST_YEAR = ${years.lastYear};

export const HOLIDAY_NAMES = \`${table.names}\`;

export const HOLIDAY_PLACES = \`${table.places}\`;
`,
);
console.log(`${path.relative(root, file)}: ${places.length} places, ${years.firstYear} to ${years.lastYear}`);
