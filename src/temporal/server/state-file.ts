import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { hasCode } from "./errors.ts";
import { inspectProcess, isAlive, type ProcessIdentity } from "./process.ts";

/*
 * `temporal.json` in the data folder: which server runs there, or with which ports the last one ran.
 *
 * 1. A server is written down before it runs (server-process.ts sees to it), so none runs unrecorded.
 * 2. A recorded pid is believed only with proof: same start, and a command line with our data file in it.
 * 3. The server belongs to its owner, the process that started or adopted it; while that one lives, others
 *    use the server but do not stop it.
 */

const identitySchema = z.object({ pid: z.number().int().positive(), startedAt: z.string() });
const portSchema = z.number().int().min(1).max(65_535);
const lastRunShape = {
  format: z.literal(1),
  port: portSchema,
  uiPort: portSchema.optional(),
  /** Of the newest server that had the data file open: an older one must not. */
  serverVersion: z.string(),
};
const stateSchema = z.discriminatedUnion("state", [
  z.object({ ...lastRunShape, state: z.literal("stopped") }),
  z.object({
    ...lastRunShape,
    state: z.literal("running"),
    server: identitySchema,
    owner: identitySchema,
    address: z.string(),
    namespace: z.string(),
    startedAt: z.string(),
    executable: z.string(),
  }),
]);

export type ServerState = z.infer<typeof stateSchema>;
export type RunningState = Extract<ServerState, { state: "running" }>;

export function statePath(dataDir: string): string {
  return path.join(dataDir, "temporal.json");
}

export function databasePath(dataDir: string): string {
  return path.join(dataDir, "temporal.db");
}

/**
 * Undefined where there is none, or what is there makes no sense. To replace that is safe: the lock, not this
 * file, says whether a server has the data open.
 */
export function readState(dataDir: string): ServerState | undefined {
  let text: string;
  try {
    text = readFileSync(statePath(dataDir), "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Replaces it as a whole, readable by its owner only (0600), and durably. */
export function writeState(dataDir: string, state: ServerState): void {
  const temporary = `${statePath(dataDir)}.${randomUUID()}`;
  const fd = openSync(temporary, "wx", 0o600);
  try {
    writeSync(fd, `${JSON.stringify(state, null, 2)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, statePath(dataDir));
}

/** What remains of a run: its ports, so that the next one gets the same address. */
export function stopped(state: RunningState): ServerState {
  const { format, port, uiPort, serverVersion } = state;
  return { format, port, uiPort, serverVersion, state: "stopped" };
}

/** Whether the recorded process lives and is a server on this data folder. */
export async function isOurServer(dataDir: string, server: ProcessIdentity): Promise<boolean> {
  const facts = await inspectProcess(server.pid);
  return facts?.startedAt === server.startedAt && facts.command.includes(databasePath(dataDir));
}

/** Whether a process other than `self` that owns the server still lives. */
export async function isOwnedByAnother(state: RunningState, self: ProcessIdentity): Promise<boolean> {
  const { owner } = state;
  if (owner.pid === self.pid && owner.startedAt === self.startedAt) return false;
  return isAlive(owner);
}
