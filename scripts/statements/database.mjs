// A database with the ledger's schema, and what it says of a statement without running it.
import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import path from "node:path";

import { root } from "../prepare.mjs";

const MIGRATIONS = path.join(root, "src/ledger/migrations");

/** What both drivers make of a column's value. Of jsonb anything may come out. */
const KIND_OF = {
  bool: "boolean",
  float8: "number",
  int2: "number",
  int4: "number",
  int8: "number",
  jsonb: "anything",
  text: "string",
  uuid: "string",
  _text: "list",
  _uuid: "list",
};

/** Makes one in memory, as a ledger is made; or opens that of an embedded ledger. */
export async function openDatabase(folder) {
  const database = await PGlite.create(folder);
  await migrate(drizzle(database), { migrationsFolder: MIGRATIONS });
  const catalog = await database.query(
    `select 'type ' || oid as key, typname::text as name, false as nullable from pg_type
     union all
     select attrelid || ' ' || attnum, attrelid::regclass || '.' || attname, not attnotnull from pg_attribute
     where attnum > 0`,
  );
  const known = new Map(catalog.rows.map((row) => [row.key, row]));
  return {
    run: (text) => database.exec(text),
    close: () => database.close(),
    /** The columns that a statement gives, and of which columns of tables they are, where they are of one. */
    async describe(text) {
      const fields = await fieldsOf(database, text);
      const sources = await sourcesOf(database, text, fields);
      return fields.map(({ name, dataTypeID }, n) => {
        const type = known.get(`type ${dataTypeID}`)?.name;
        const { tableID, columnID } = sources[n];
        return { name, type, kind: KIND_OF[type], of: known.get(`${tableID} ${columnID}`) };
      });
    },
  };
}

/** A moment as `ms` of ground/sql.ts writes it: the column by itself is what the database knows. */
const MOMENT = /round\(extract\(epoch from ([\w.]+)\) \* 1000\)::float8/g;

async function sourcesOf(database, text, fields) {
  const plain = text.replaceAll(MOMENT, "$1");
  if (plain === text) return fields;
  // Where it is part of a sum, say, the column does not fit there.
  return fieldsOf(database, plain).catch(() => fields);
}

/**
 * Has a statement parsed and described, without running it. What PGlite itself has for this does not tell which
 * columns of tables its results are.
 */
async function fieldsOf(database, text) {
  const messages = [message("P", `\0${text}\0\0\0`), message("D", "S\0"), message("S", "")];
  const answers = await database.execProtocol(Buffer.concat(messages), { syncToFs: false });
  return answers.messages.find(({ name }) => name === "rowDescription")?.fields ?? [];
}

/** Of PostgreSQL's protocol: a letter, the length of all behind it, and what it says. */
function message(letter, said) {
  const body = Buffer.from(said);
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}
