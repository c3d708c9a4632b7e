import fs from "node:fs";
import path from "node:path";

import { reasonWords } from "../../../domain/ground/reason-words.ts";

/*
 * The pulse of a worker or server: a small file of its own in the data folder, written again as long as the
 * process lives, with what it lacks. `outdial health` reads it, so that a probe costs the running system nothing.
 */

/** worker: dials. server: serves the HTTP API. On the embedded ledger each is both, since one process is all there is. */
export type DaemonKind = "worker" | "server";

/** Each beat is one small query and one request to Temporal that is no action. */
const BEAT_EVERY_MS = 10_000;

/** The ledger answers within this, or counts as away: half a beat. */
const ANSWER_WITHIN_MS = 5_000;

/** Three beats: one may be late on a busy machine. */
const DEAD_AFTER_MS = 30_000;

interface Pulse {
  kind: DaemonKind;
  pid: number;
  atMs: number;
  problem?: string;
}

interface PulseOptions {
  dataDir: string;
  kind: DaemonKind;
  /** Whether what the process needs is there. @throws where it is not. */
  probe: () => Promise<void>;
  log: { warn(fields: object, message: string): void };
  /** Told of each beat: what the process lacks; undefined: nothing. */
  onBeat?: (problem: string | undefined) => void;
}

/** Beats until it is stopped, which removes the file. */
export function startPulse(options: PulseOptions): { stop(): Promise<void> } {
  const { dataDir, kind, probe, log, onBeat } = options;
  const file = path.join(folderOf(dataDir), `${kind}-${process.pid}.json`);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const beat = async (): Promise<void> => {
    const problem = await problemOf(probe);
    onBeat?.(problem);
    try {
      if (!stopped)
        await write(file, { kind, pid: process.pid, atMs: Date.now(), ...(problem && { problem }) });
    } catch (error) {
      // Whoever probes sees an old pulse, which is the truth: there is no room for what matters, either.
      log.warn({ error: reasonWords(error) }, "the health file can't be written");
    }
    if (stopped) return;
    timer = setTimeout(() => {
      beating = beat();
    }, BEAT_EVERY_MS);
  };
  let beating = beat();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await beating;
      await fs.promises.rm(file, { force: true });
    },
  };
}

async function problemOf(probe: () => Promise<void>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${ANSWER_WITHIN_MS / 1_000} s`)),
      ANSWER_WITHIN_MS,
    );
  });
  try {
    await Promise.race([probe(), late]);
    return undefined;
  } catch (error) {
    return reasonWords(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Whole or not at all: a reader never meets half a file. */
async function write(file: string, pulse: Pulse): Promise<void> {
  await fs.promises.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await fs.promises.writeFile(`${file}.new`, JSON.stringify(pulse), { mode: 0o600 });
  await fs.promises.rename(`${file}.new`, file);
}

function folderOf(dataDir: string): string {
  return path.join(dataDir, "health");
}

/** One worker or server of a data folder, as its last pulse says. */
export interface Vitals {
  kind: DaemonKind;
  pid: number;
  agoMs: number;
  /** Undefined: it lives and has what it needs. */
  problem: string | undefined;
}

/** Somebody runs there, and nobody lacks anything. */
export function isWell(all: readonly Vitals[]): boolean {
  return all.length > 0 && all.every(({ problem }) => problem === undefined);
}

/** In words, a line a process. */
export function vitalsLines(dataDir: string, all: readonly Vitals[]): string[] {
  if (all.length === 0)
    return [`no worker or server runs on the data folder ${dataDir}: start one with \`outdial worker\``];
  return all.map(
    ({ kind, pid, agoMs, problem }) =>
      `${kind} ${pid}: ${problem ?? "well"} (heard from ${Math.round(agoMs / 1_000)} s ago)`,
  );
}

/** Who runs on a data folder. Files of processes that are gone are not counted. */
export function readPulses(dataDir: string, nowMs: number, isAlive: (pid: number) => boolean): Vitals[] {
  const folder = folderOf(dataDir);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const pulse = readPulse(path.join(folder, name));
      if (pulse === undefined || !isAlive(pulse.pid)) return [];
      const { kind, pid, atMs, problem } = pulse;
      const agoMs = nowMs - atMs;
      return [{ kind, pid, agoMs, problem: agoMs > DEAD_AFTER_MS ? "it gives no sign of life" : problem }];
    });
}

function readPulse(file: string): Pulse | undefined {
  try {
    return pulseIn(JSON.parse(fs.readFileSync(file, "utf8")));
  } catch {
    // Removed meanwhile, by the process that has just ended.
    return undefined;
  }
}

/** By hand: a probe runs every few seconds, and a library of schemas takes longer to load than all else it does. */
function pulseIn(content: unknown): Pulse | undefined {
  if (typeof content !== "object" || content === null) return undefined;
  const { kind, pid, atMs, problem } = content as Partial<Record<keyof Pulse, unknown>>;
  if ((kind !== "worker" && kind !== "server") || typeof pid !== "number" || typeof atMs !== "number") return;
  return { kind, pid, atMs, ...(typeof problem === "string" && { problem }) };
}
