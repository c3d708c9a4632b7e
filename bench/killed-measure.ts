import { AGENT, stageOf, type FullAgain } from "./full-again-measure.ts";
import { openMeasuredSystem, type MeasuredSystem } from "./measured-system.ts";
import { findPostgresBinaries, startPostgres, type TestPostgres } from "../test/support/postgres.ts";
import { given } from "../test/support/ledgers.ts";
import type { OutdialProcess } from "../test/support/processes.ts";
import { until } from "../test/support/engine.ts";

export interface KilledInput {
  contacts: number;
  lines: number;
  cacheDir: string;
}

/** From when something is started again. Milliseconds. */
interface Again extends FullAgain {
  /** Until it says that it runs, or answers. */
  restartedMs: number;
}

/** How soon a campaign of many people dials on after a part of the system was killed. Milliseconds. */
export interface KilledMeasure {
  contacts: number;
  lines: number;
  /** From the upload's begin until all rows are taken. */
  importedMs: number;
  /** From the command to start it. */
  start: FullAgain;
  /** Of each part, from when it is started again, once all batches that were there ended: nothing but the system dials. */
  worker: Again;
  temporal: Again;
  postgres: Again;
  all: Again;
  /** From when it is started again until it answers what is asked of the campaign; dialing does not wait for it. */
  server: { answersMs: number; dialedMeanwhile: FullAgain };
  dials: number;
}

/** What is committed stays committed over the death of the process: the disk is the machine's affair. */
const DURABLE = ["synchronous_commit=on", "full_page_writes=on", "max_wal_size=1GB", "autovacuum=on"];

export async function measureKilled({ contacts, lines, cacheDir }: KilledInput): Promise<KilledMeasure> {
  const postgres = await startPostgres(given(findPostgresBinaries()), undefined, DURABLE);
  try {
    const postgresUrl = postgres.url;
    const system = await openMeasuredSystem({ speed: 1, sandbox: { speed: 1 }, postgresUrl, cacheDir });
    try {
      return await measure(system, postgres, { contacts, lines });
    } finally {
      await system.close();
    }
  } finally {
    await postgres.stop();
  }
}

async function measure(
  system: MeasuredSystem,
  postgres: TestPostgres,
  { contacts, lines }: { contacts: number; lines: number },
): Promise<KilledMeasure> {
  const { api, sandbox, settings } = system;
  // As users have it: nobody counts its statements.
  settings["DATABASE_URL"] = system.databaseUrl;
  const startWorker = async () => {
    const started = await system.start("worker");
    await started.waitFor(/the worker runs/);
    return started;
  };
  let server = await system.start("server");
  let worker: OutdialProcess = await startWorker();
  const stage = stageOf(system);
  const spec = { name: "measured", ...AGENT, concurrency: lines, window: "always", default_region: "US" };
  const beganMs = Date.now();
  const id = await stage.prepare(spec, contacts, 0);
  const importedMs = Date.now() - beganMs;
  const start = await stage.untilFull(lines, () => api.campaigns.start(id, { allowPartial: false }));

  /** Kills, lets the platform's own batches come to their ends, and starts what was killed. */
  const again = async (kill: () => Promise<unknown>, restart: () => Promise<unknown>): Promise<Again> => {
    await kill();
    await stage.drain();
    const downMs = Date.now();
    let restartedMs = 0;
    const full = await stage.untilFull(lines, async () => {
      await restart();
      restartedMs = Date.now() - downMs;
    });
    return { restartedMs, ...full };
  };
  const ofWorker = await again(
    () => worker.kill(),
    async () => void (worker = await startWorker()),
  );
  const ofTemporal = await again(
    () => system.temporal.kill(),
    () => system.restartTemporal(),
  );
  const ofPostgres = await again(
    () => postgres.kill(),
    () => postgres.startAgain(),
  );
  const ofAll = await again(
    () => Promise.all([worker.kill(), server.kill(), system.temporal.kill(), postgres.kill()]),
    async () => {
      await postgres.startAgain();
      await system.restartTemporal();
      [worker, server] = await Promise.all([startWorker(), system.start("server")]);
    },
  );
  await server.kill();
  const dialedMeanwhile = await stage.untilFull(lines, () => stage.endCalls(Math.floor(lines / 2)));
  const restartedMs = Date.now();
  await system.start("server");
  await until("the server to answer", async () => (await fetch(`${system.url}/v1/campaigns/${id}`)).ok);
  const answersMs = Date.now() - restartedMs;
  const phones = sandbox.dialLog.entries().map(({ phone }) => phone);
  if (new Set(phones).size !== phones.length) throw new Error("somebody was dialed twice");
  return {
    contacts,
    lines,
    importedMs,
    start,
    worker: ofWorker,
    temporal: ofTemporal,
    postgres: ofPostgres,
    all: ofAll,
    server: { answersMs, dialedMeanwhile },
    dials: phones.length,
  };
}
