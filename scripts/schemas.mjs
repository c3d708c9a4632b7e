// Writes the JSON Schemas of declared documents into schemas/, for editors. `node scripts/schemas.mjs`. A test holds
// the files against the program, so that none of them can be out of date.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { prepare } from "./prepare.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

await prepare();
const { SCHEMA_NAMES, schemaFileText } = await import(
  pathToFileURL(path.join(root, "dist/domain/declared/schemas.js")).href
);
fs.mkdirSync(path.join(root, "schemas"), { recursive: true });
for (const name of SCHEMA_NAMES) {
  fs.writeFileSync(path.join(root, "schemas", `${name}.json`), schemaFileText(name));
  console.log(`schemas/${name}.json`);
}
