// Holds every statement of the ledger against its schema: each is read off the sources, prepared by a database of that
// schema, and its columns compared with the rows that the sources read of it. `npm run check` runs it, so that a
// column that is renamed fails there. What is not seen: docs/adr/0038-the-schema-is-its-sql.md.
import path from "node:path";
import { fileURLToPath } from "node:url";

import { root } from "./prepare.mjs";
import { openDatabase } from "./statements/database.mjs";
import { openProgram, placeOf } from "./statements/program.mjs";
import { columnsRead } from "./statements/rows.mjs";
import { textsOf, UnresolvedError } from "./statements/texts.mjs";

const LEDGER = path.join(root, "scripts/statements/tsconfig.json");

/**
 * Columns that may be null and are read as if they were not, by file and name, each with what keeps null out. Those
 * that their statement compares with something need none.
 */
const NEVER_NULL = new Map([
  ["src/ledger/campaigns/imports.ts line", "written by the same statement, which knows each line"],
  ["src/ledger/campaigns/placement-changes.ts ended_ms", "written with the end of an attempt"],
  ["src/ledger/campaigns/reports.ts disposition", "written with the end of an attempt"],
  ["src/ledger/follow-ups/follow-ups.ts disposition", "a follow-up is of an attempt that has ended"],
  ["src/ledger/ground/installation.ts simulated", "written right before"],
  ["src/ledger/keys/key-rotations.ts id", "a key that was put in use has an id"],
]);

/** The statements of a project's sources, and what of them can't be told. */
export function readStatements(config) {
  const program = openProgram(config);
  try {
    const statements = [];
    const problems = [];
    const read = new Set();
    for (const call of program.statements) {
      try {
        const { texts, pieces } = textsOf(program, call.arguments[1]);
        for (const piece of pieces) read.add(piece);
        statements.push({ place: placeOf(call), texts, columns: columnsRead(program, call) });
      } catch (error) {
        if (!(error instanceof UnresolvedError)) throw error;
        problems.push(`${placeOf(call)}: not to be told what it says: ${error.message}`);
      }
    }
    if (problems.length === 0) {
      for (const piece of program.pieces.filter((piece) => !read.has(piece)))
        problems.push(`${placeOf(piece)}: no statement is seen to have this piece of SQL`);
    }
    return { statements, problems };
  } finally {
    program.close();
  }
}

/** What a database of the ledger's schema objects to. `neverNull` as above; entries that nothing needs are told, too. */
export async function objectionsTo(statements, database, neverNull = new Map()) {
  const objections = new Set();
  const unused = new Set(neverNull.keys());
  for (const { place, texts, columns } of statements) {
    const [file] = place.split(":");
    const isExpected = (name) => neverNull.has(`${file} ${name}`) && (unused.delete(`${file} ${name}`), true);
    for (const text of texts) {
      for (const objection of await objectionsOf({ text, columns, database, isExpected }))
        objections.add(`${place}: ${objection}`);
    }
  }
  for (const entry of unused) objections.add(`${entry}: nothing there is in need of an exception any more`);
  return [...objections];
}

async function objectionsOf({ text, columns, database, isExpected }) {
  let given;
  try {
    given = new Map((await database.describe(text)).map((column) => [column.name, column]));
  } catch (error) {
    return [`${error.message}, in: ${text.replaceAll(/\s+/g, " ")}`];
  }
  return columns.flatMap((read) => {
    const column = given.get(read.name);
    if (!column) return [`gives no ${read.name}, which is read`];
    if (!fits(column, read)) return [`gives ${read.name} as ${column.type}, which is read as ${read.type}`];
    if (read.mayBeNull || !column.of?.nullable || isCompared(column.of, text) || isExpected(read.name))
      return [];
    return [`gives ${column.of.name}, which may be null, as ${read.name}, which is read as ${read.type}`];
  });
}

function fits({ kind }, { kinds }) {
  return kind === "anything" || [...kinds].every((read) => read === kind || read === "anything");
}

/** A comparison with null is not true: the statement has no such row, wherever it stands, as a rule. */
function isCompared({ name }, text) {
  const column = name.slice(name.indexOf(".") + 1);
  return new RegExp(`\\b${column} (?:=|<|>|in\\b|is not null)|= (?:\\w+\\.)?${column}\\b`).test(text);
}

async function check() {
  const { statements, problems } = readStatements(LEDGER);
  const database = await openDatabase();
  const objections = [...problems, ...(await objectionsTo(statements, database, NEVER_NULL))];
  await database.close();
  const texts = statements.reduce((sum, statement) => sum + statement.texts.length, 0);
  console.log(
    objections.length === 0
      ? `${statements.length} statements, in ${texts} texts, fit the ledger's schema.`
      : objections.join("\n"),
  );
  process.exitCode = objections.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await check();
