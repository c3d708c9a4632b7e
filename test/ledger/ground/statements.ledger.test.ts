import { PgDialect } from "drizzle-orm/pg-core";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { objectionsTo, readStatements } from "../../../scripts/statements.mjs";
import { openDatabase, type Database } from "../../../scripts/statements/database.mjs";
import type { Shape } from "../../../src/ledger/ground/record.ts";
import { freshDataDir, given } from "../../support/ledgers.ts";
import { SAMPLE } from "../support/sample-record.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Ledger code as it might be written: `db` is there, and what builds SQL. */
const PREAMBLE = `
import { sql, type SQL } from "drizzle-orm";
import { firstRow, rows, type Db } from "${root}src/ledger/ground/connection.ts";
import { at, atOrNull, json, listOf, ms } from "${root}src/ledger/ground/sql.ts";
declare const db: Db;
`;

/** What is read off sources. */
function read(source: string): ReturnType<typeof readStatements> {
  const folder = fs.mkdtempSync(path.join(root, "node_modules/.cache/statements-"));
  try {
    fs.writeFileSync(path.join(folder, "code.ts"), `${PREAMBLE}${source}`);
    const config = path.join(folder, "tsconfig.json");
    fs.writeFileSync(
      config,
      JSON.stringify({ extends: `${root}tsconfig.json`, files: ["code.ts"], include: [] }),
    );
    return readStatements(config);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** What the check says of sources, but for where it found it. */
async function told(source: string): Promise<string[]> {
  const { statements, problems } = read(source);
  const objections = [...problems, ...(await objectionsTo(statements, database()))];
  return objections.map((objection) => objection.replaceAll(/\S+code\.ts:\d+: /g, ""));
}

const columnsOf = (shape: Shape<unknown>) => new PgDialect().sqlToQuery(shape.columns).sql;

let opened: { database: Database; dataDir: string } | undefined;
const database = () => given(opened).database;

beforeAll(async () => {
  fs.mkdirSync(path.join(root, "node_modules/.cache"), { recursive: true });
  const dataDir = freshDataDir();
  opened = { dataDir, database: await openDatabase(path.join(dataDir, "ledger")) };
});
afterAll(async () => {
  await opened?.database.close();
  if (opened) fs.rmSync(opened.dataDir, { recursive: true, force: true });
});

describe("the check of the ledger's statements", () => {
  it("lets through what fits the schema", async () => {
    const source = `
      const COLUMNS = sql\`id, state, ending, \${ms(sql\`ended_at\`)} as ended_ms\`;
      interface CampaignRow { id: string; state: string; ending: string | null; ended_ms: number | null }
      const find = (condition: SQL) => firstRow<CampaignRow>(db, sql\`select \${COLUMNS} from campaigns where \${condition}\`);
      export const byId = (id: string) => find(sql\`id = \${id}::uuid\`);
      export const byName = ({ name, since }: { name: string; since?: number }) =>
        find(sql\`name = \${name} and \${since === undefined ? sql\`true\` : sql\`created_at > \${at(since)}\`}\`);
      export const prune = (ids: readonly number[], names: readonly string[]) =>
        rows(db, sql\`delete from zone_sets where id in \${listOf(ids, "int")} or key in (\${sql.join(names.map((name) => sql\`\${name}\`), sql\`, \`)})\`);
    `;
    expect(await told(source)).toEqual([]);
  });

  it("names a column that was renamed, wherever its name stands", async () => {
    const source = `
      const set = (changes: SQL) => rows(db, sql\`update batches set state = 'settled', \${changes}\`);
      export const end = (nowMs: number) => set(sql\`settled_at = \${at(nowMs)}\`);
      export const free = () => set(sql\`held = 0\`);
    `;
    expect(await told(source)).toEqual([]);
    await database().run("alter table batches rename settled_at to done_at");
    try {
      expect(await told(source)).toEqual([
        expect.stringContaining('column "settled_at" of relation "batches" does not exist'),
      ]);
    } finally {
      await database().run("alter table batches rename done_at to settled_at");
    }
  });

  it("names a result that is read under another name than it is given, or as what it is not", async () => {
    expect(
      await told(`
        export const names = () => rows<{ name: string; agent: string }>(db, sql\`select name from campaigns\`);
        export const ends = () => rows<{ ended_at: number }>(db, sql\`select ended_at from campaigns where ended_at is not null\`);
        export const runs = (): Promise<{ run: string }[]> => rows(db, sql\`select run from campaigns\`);
        export const parents = () => rows<{ parent_id: string }>(db, sql\`select parent_id from campaigns\`);
        export const starts = () => rows<{ started_ms: number }>(db, sql\`select \${ms(sql\`started_at\`)} as started_ms from campaigns\`);
      `),
    ).toEqual([
      "gives no agent, which is read",
      "gives ended_at as timestamptz, which is read as number",
      "gives run as int4, which is read as string",
      "gives campaigns.parent_id, which may be null, as parent_id, which is read as string",
      "gives campaigns.started_at, which may be null, as started_ms, which is read as number",
    ]);
  });

  it("names what a record selects and the schema has not, or has as something else", async () => {
    const source = `
      import { flag, from, moment, number, optional, record, text } from "${root}src/ledger/ground/record.ts";
      const BATCH = record({ id: text, campaignId: text, agent: text, dialBy: optional(text), held: flag, trouble: text });
      export const read = () => firstRow(db, sql\`select \${BATCH.columns} from batches\`, BATCH);
      const STARTED = record({ id: text, startedAtMs: moment, endedAtMs: optional(moment) });
      export const list = () => rows(db, sql\`select \${STARTED.columns} from campaigns\`, STARTED);
      export const unread = (): Promise<{ endedAtMs: number | undefined }[]> => rows(db, sql\`select \${STARTED.columns} from campaigns\`);
    `;
    expect(await told(source)).toEqual([
      expect.stringContaining('column "agent" does not exist'),
      "gives campaigns.started_at, which may be null, as startedAtMs, which is read as number",
      "gives campaigns.ended_at, which may be null, as endedAtMs, which is read as number | undefined",
    ]);
    expect(await told(source.replace("agent: text, ", ""))).toEqual([
      "gives dialBy as timestamptz, which is read as string | undefined",
      "gives held as int2, which is read as boolean",
      "gives batches.trouble, which may be null, as trouble, which is read as string",
      expect.any(String),
      expect.any(String),
    ]);
  });

  it("reads of a record the columns that it has", async () => {
    const { statements, problems } = read(`
      import { SAMPLE } from "${root}test/ledger/support/sample-record.ts";
      export const list = () => rows(db, sql\`\${SAMPLE.columns}\`, SAMPLE);
    `);
    expect(problems).toEqual([]);
    expect(statements.map(({ texts }) => texts)).toEqual([[columnsOf(SAMPLE)]]);
  });

  it("tries both sides of each condition", async () => {
    const [said, ...others] = await told(`
      export const list = (open: boolean) =>
        rows(db, sql\`select id from campaigns where \${open ? sql\`ended_at is null\` : sql\`finished_at is not null\`}\`);
    `);
    expect(said).toContain('column "finished_at" does not exist');
    expect(others).toEqual([]);
  });

  it("refuses a statement that it can't read", async () => {
    const said = await told(`
      export const handedOn = (statement: SQL) => rows(db, statement);
      export function changed() {
        let condition = sql\`true\`;
        condition = sql\`nowhere\`;
        return rows(db, sql\`select id from campaigns where \${condition}\`);
      }
      export const raw = (table: string) => rows(db, sql.raw(\`vacuum \${table}\`));
      export const optional = (name?: string) => rows(db, sql\`select id from campaigns where name = \${name}\`);
    `);
    expect(said).toEqual([
      expect.stringContaining("nobody is seen to give it: statement"),
      expect.stringContaining("may have been changed since: condition"),
      expect.stringContaining("nobody is seen to give it: table"),
      expect.stringContaining("neither SQL nor a value that is a parameter: name"),
    ]);
  });

  it("refuses SQL that no statement is seen to have", async () => {
    expect(await told("export const FORGOTTEN = sql`deleted_at is null`;")).toEqual([
      "no statement is seen to have this piece of SQL",
    ]);
  });
});
