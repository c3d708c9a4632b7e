import fs from "node:fs";
import path from "node:path";
import { z } from "zod";

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

const pulseSchema = z.object({
  kind: z.enum(["worker", "server"]),
  pid: z.number().int(),
  atMs: z.number(),
  problem: z.string().optional(),
});

type Pulse = z.infer<typeof pulseSchema>;

interface PulseOptions {
  dataDir: string;
  kind: DaemonKind;
  /** Whether what the process needs is there. @throws where it is not. */
  probe: () => Promise<void>;
  log: { warn(fields: object, message: string): void };
}

/** Beats until it is stopped, which removes the file. */
export function startPulse(options: PulseOptions): { stop(): Promise<void> } {
  const { dataDir, kind, probe, log } = options;
  const file = path.join(folderOf(dataDir), `${kind}-${process.pid}.json`);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const beat = async (): Promise<void> => {
    const problem = await problemOf(probe);
    try {
      if (!stopped)
        await write(file, { kind, pid: process.pid, atMs: Date.now(), ...(problem && { problem }) });
    } catch (error) {
      // Whoever probes sees an old pulse, which is the truth: there is no room for what matters, either.
      log.warn({ error: String(error) }, "the health file can't be written");
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
    return error instanceof Error ? error.message : String(error);
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
    return pulseSchema.safeParse(JSON.parse(fs.readFileSync(file, "utf8"))).data;
  } catch {
    // Removed meanwhile, by the process that has just ended.
    return undefined;
  }
}
