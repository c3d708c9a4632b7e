import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

import type { Config } from "../config.ts";
import type { ApiAddress } from "./api/transport.ts";
import { isAlive } from "./process-alive.ts";

/*
 * A run on a database has no lock file that names its address, and listens at a port that is free. It leaves a file
 * in its data folder instead, so that a command beside it finds it: what pauses a campaign has to work when somebody
 * needs it. The file says of the database only a digest: commands of another one are not led here.
 */

/** What of a configuration says whose system it is. */
type Whose = Pick<Config, "dataDir" | "databaseUrl">;

interface Announced {
  pid: number;
  atMs: number;
  database: string;
  address: string;
  token?: string;
}

/** Tells of a system of this process until `end`. Nothing is told of one that keeps its ledger in the data folder. */
export function announceSystem(config: Whose, { url, token }: ApiAddress): { end(): void } {
  if (config.databaseUrl === undefined) return { end: () => {} };
  const folder = folderOf(config);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [file, { pid }] of filesIn(folder)) if (!isAlive(pid)) fs.rmSync(file, { force: true });
  const announced: Announced = {
    pid: process.pid,
    atMs: Date.now(),
    database: digestOf(config.databaseUrl),
    address: url,
    ...(token !== undefined && { token }),
  };
  const file = path.join(folder, `${process.pid}.json`);
  // Whole or not at all: a reader never meets half a file.
  fs.writeFileSync(`${file}.new`, JSON.stringify(announced), { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
  return { end: () => fs.rmSync(file, { force: true }) };
}

/** The newest system on the same database whose process lives. */
export function findAnnounced(config: Whose): ApiAddress | undefined {
  if (config.databaseUrl === undefined) return undefined;
  const database = digestOf(config.databaseUrl);
  const [newest] = filesIn(folderOf(config))
    .map(([, announced]) => announced)
    .filter((one) => one.database === database && isAlive(one.pid))
    .toSorted((a, b) => b.atMs - a.atMs);
  return newest && { url: newest.address, token: newest.token };
}

function folderOf({ dataDir }: Whose): string {
  return path.join(dataDir, "systems");
}

function digestOf(databaseUrl: string): string {
  return createHash("sha256").update(databaseUrl).digest("hex");
}

function filesIn(folder: string): [file: string, announced: Announced][] {
  const found: [string, Announced][] = [];
  for (const name of namesIn(folder)) {
    const file = path.join(folder, name);
    const announced = name.endsWith(".json") ? readAnnounced(file) : undefined;
    if (announced) found.push([file, announced]);
  }
  return found;
}

/** None where it can't be read: then the usual address is tried, as ever. */
function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** By hand: a short command does not wait for a library of schemas. */
function readAnnounced(file: string): Announced | undefined {
  try {
    const content: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
    if (typeof content !== "object" || content === null) return undefined;
    const { pid, atMs, database, address, token } = content as Partial<Record<keyof Announced, unknown>>;
    if (typeof pid !== "number" || typeof atMs !== "number") return undefined;
    if (typeof database !== "string" || typeof address !== "string") return undefined;
    return { pid, atMs, database, address, ...(typeof token === "string" && { token }) };
  } catch {
    // Removed meanwhile, by the process that has just ended; or another user's.
    return undefined;
  }
}
