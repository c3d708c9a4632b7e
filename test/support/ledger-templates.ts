import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import type { Ledger } from "../../src/ledger/ground/connection.ts";
import { createDatabase, LEDGER_TEMPLATE, startPostgres } from "./postgres.ts";
import { refuseUntoldEnds } from "./told-ends.ts";

/*
 * Fresh ledgers, to be copied: making one of either kind takes seconds, and every run would make them. They are kept
 * beside the packages, under what they were made from; whoever makes the same at the same moment keeps the first.
 */

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = path.join(root, "node_modules", ".cache", "outdial", "fresh-ledgers");

/** What makes a ledger: its migrations, what carries them out, and these files. */
const MADE_BY = [
  "src/ledger/migrations",
  ...["ledger-templates.ts", "postgres.ts", "told-ends.ts"].map((name) => `test/support/${name}`),
];
const CARRIED_OUT_BY = ["@electric-sql/pglite", "drizzle-orm"];

/** A data folder with a fresh embedded ledger. It is never opened. */
export function embeddedTemplate(): Promise<string> {
  return kept("embedded", [], async (folder) => {
    const { openEmbeddedLedger } = await import("../../src/ledger/ground/embedded.ts");
    await finish(await openEmbeddedLedger(folder));
  });
}

/**
 * The data folder of a PostgreSQL that has a ledger in its template database. No server runs on it.
 *
 * @param binaries the folder of PostgreSQL's programs
 */
export function postgresTemplate(binaries: string): Promise<string> {
  const { size, mtimeMs } = fs.statSync(path.join(binaries, "postgres"));
  // A server keeps the zone of who made it.
  const madeBy = [binaries, String(size), String(mtimeMs), process.env["TZ"] ?? ""];
  return kept("postgres", madeBy, async (folder) => {
    const server = await startPostgres(binaries);
    const url = await createDatabase(server.url, { name: LEDGER_TEMPLATE });
    const { openPostgresLedger } = await import("../../src/ledger/ground/postgres.ts");
    await finish(await openPostgresLedger({ url, maxConnections: 1 }));
    await server.stop((data) => fs.cpSync(data, folder, { recursive: true }));
  });
}

async function finish(ledger: Ledger): Promise<void> {
  await refuseUntoldEnds(ledger);
  await ledger.close();
}

/** Whoever works on migrations makes many; those of others may still be copied for a while. */
const KEPT_FOR_MS = 24 * 60 * 60_000;

async function kept(
  kind: string,
  madeBy: readonly string[],
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = path.join(cache, `${kind}-${digestOf(madeBy)}`);
  if (fs.existsSync(folder)) return folder;
  fs.mkdirSync(cache, { recursive: true });
  for (const name of fs.readdirSync(cache)) {
    const old = path.join(cache, name);
    if (Date.now() - fs.statSync(old).mtimeMs > KEPT_FOR_MS) fs.rmSync(old, { recursive: true, force: true });
  }
  const half = fs.mkdtempSync(path.join(cache, "half-"));
  try {
    await make(half);
    fs.renameSync(half, folder);
  } catch (error) {
    fs.rmSync(half, { recursive: true, force: true });
    // Somebody else has made the same meanwhile.
    if (!fs.existsSync(folder)) throw error;
  }
  return folder;
}

function digestOf(madeBy: readonly string[]): string {
  const hash = createHash("sha256").update([process.platform, process.arch, ...madeBy].join("\0"));
  for (const file of MADE_BY.flatMap(filesUnder).sort())
    hash.update(`\0${file}\0`).update(fs.readFileSync(path.join(root, file)));
  for (const name of CARRIED_OUT_BY)
    hash.update("\0").update(fs.readFileSync(path.join(root, "node_modules", name, "package.json")));
  return hash.digest("hex").slice(0, 24);
}

function filesUnder(place: string): string[] {
  if (fs.statSync(path.join(root, place)).isFile()) return [place];
  const entries = fs.readdirSync(path.join(root, place), { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) =>
    entry.isFile() ? [path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name))] : [],
  );
}
