// Writes docs/platform-fields.md: every field of every answer that the client has a type for, out of the schemas that
// answers are read with. `npm run docs:platform`. A test holds the page against the program.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

export const PAGE = "docs/platform-fields.md";

const code = (text) => `\`${text}\``;
const table = (headings, rows) =>
  [headings, headings.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const TYPES = {
  id: "text, always there",
  text: "text",
  number: "number",
  flag: "true or false",
  texts: "list of texts",
  object: "object",
  numbers: "numbers by name",
  json: "as it came",
};

/** A field's type, and the record that stands in it. */
function typeOf({ as, row }) {
  if (as === "record") return "record, below";
  if (as === "list") return row === undefined ? "list, as it came" : "list of records, below";
  return TYPES[as];
}

function readingIn(readings, schema, where) {
  const reading = readings.get(schema);
  if (reading === undefined) throw new Error(`nothing says how ${where} is read`);
  return reading;
}

/** The table of a record, and then of the records in it. */
function tablesOf(schema, readings, heading) {
  const { fields, aliases = {} } = readingIn(readings, schema, heading);
  const inner = [];
  const rows = Object.entries(fields).map(([name, field]) => {
    const reading = readingIn(readings, field, `${heading}: ${name}`);
    if (reading.row !== undefined) inner.push([name, reading.row]);
    return [code(name), typeOf(reading), [aliases[name] ?? []].flat().map(code).join(", ")];
  });
  return [
    `${heading}\n\n${table(["field", "type", "also read from"], rows)}`,
    ...inner.flatMap(([name, row]) => tablesOf(row, readings, `In ${code(name)}:`)),
  ];
}

/** The record that an operation answers with, alone or in a list; undefined where no field of it is known. */
function recordOf({ answer }, readings) {
  const schema = answer.kind === "object" ? answer.of : answer.row;
  return schema !== undefined && readings.has(schema) ? schema : undefined;
}

/** The page. `operations` and `resources` are the client's table, `readings` says how each schema is read. */
export function platformFieldsPage({ operations, resources, readings }) {
  const known = new Map();
  for (const entry of operations) {
    const record = recordOf(entry, readings);
    if (record === undefined) continue;
    if (!known.has(record)) known.set(record, []);
    known.get(record).push(entry);
  }
  const parts = Object.entries(resources).flatMap(([resource, { title }]) => {
    const records = [...known].filter(([, [first]]) => first.resource === resource);
    if (records.length === 0) return [];
    const tables = records.flatMap(([schema, entries]) => {
      const names = entries.map(
        ({ name, answer }) => `${answer.kind === "object" ? "" : "rows of "}${code(name)}`,
      );
      return tablesOf(schema, readings, `### ${names.join(", ")}`);
    });
    return [`## ${title}\n\n${tables.join("\n\n")}`];
  });
  return `<!-- Written by \`npm run docs:platform\`. Change the program, not this page. -->

# Fields of the platform's answers

What the [client](client.md) has types for, by the operations that answer with it. The tables come from the schemas
that answers are read with, and so do the types: what is not here does not compile, and \`unnamedField(answer, name)\`
reads it where a platform sends it. Any field but an id may be missing, which is \`undefined\`; \`null\` is read as
missing, but for what is handed on as it came. What may be sent is on the page of
[operations](platform-operations.md).

${parts.join("\n\n")}
`;
}

async function write() {
  const { prepare } = await import("./prepare.mjs");
  await prepare();
  const built = (file) => import(pathToFileURL(path.join(root, "dist/platform", file)).href);
  const { operations, resources } = await built("index.js");
  const { readings } = await built("decoding.js");
  fs.writeFileSync(path.join(root, PAGE), platformFieldsPage({ operations, resources, readings }));
  console.log(PAGE);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await write();
