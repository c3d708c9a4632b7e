import type * as Pglite from "@electric-sql/pglite";
import { createRequire } from "node:module";
import type * as Threads from "node:worker_threads";
import { Worker } from "node:worker_threads";

/*
 * The thread that PGlite runs in. PGlite computes where it is called: in the process's own thread one statement after
 * the other would keep the loop from turning, for seconds. This does what it is told, one thing after the other; who is
 * next is decided by whoever tells it (embedded-client.ts).
 */

/** What it is told; `id` comes back with the answer. */
export type Told =
  | { what: "query"; statement: string; params: readonly unknown[]; rowMode: string | undefined }
  | { what: "begin" }
  | { what: "end"; how: "commit" | "rollback" }
  | { what: "close" };

/** Under this id it says that the database is open. */
export const OPEN_ID = 0;

/** Opens the database in a folder, in a thread of its own. */
export function startEmbeddedThread(folder: string): Worker {
  const pglite = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  // As text, so that it is read alike from the sources and from the build, and wherever either is copied to.
  const code = `(${runDatabase.toString()})(require("node:worker_threads"), require(${JSON.stringify(pglite)}))`;
  // Its code needs no flag that this process may have been started with.
  return new Worker(code, { eval: true, execArgv: [], workerData: { folder, openId: OPEN_ID } });
}

/** The thread's whole code. It reaches the thread as text: nothing in it may name anything outside of it. */
async function runDatabase(
  { parentPort, workerData }: typeof Threads,
  { PGlite, types }: typeof Pglite,
): Promise<void> {
  type Handle = Pick<InstanceType<typeof PGlite>, "query">;
  // Moments, days and lists of them as PostgreSQL writes them, as drizzle's driver asks for: functions can't be sent here.
  const lists = { timestamp: 1115, timestamptz: 1185, date: 1182, interval: 1187, numeric: 1231 };
  const asWritten = [types.TIMESTAMP, types.TIMESTAMPTZ, types.DATE, types.INTERVAL, ...Object.values(lists)];
  const parsers = Object.fromEntries(asWritten.map((type) => [type, (value: string) => value]));
  // Without the statement and its values, which PGlite has in its errors. Not all that it throws are errors.
  const problemOf = (thrown: unknown): { message: string; code: string | undefined } => {
    if (typeof thrown !== "object" || thrown === null) return { message: String(thrown), code: undefined };
    const { message, code, errno }: { message?: unknown; code?: unknown; errno?: unknown } = thrown;
    return {
      message: typeof message === "string" && message !== "" ? message : `error ${String(errno)}`,
      code: typeof code === "string" ? code : undefined,
    };
  };
  const db = await PGlite.create({ dataDir: workerData.folder }).catch((error: unknown) => {
    parentPort?.postMessage({ id: workerData.openId, error: problemOf(error) });
  });
  if (!db) return;
  /** The transaction that is open: where its statements go, and how it ends. */
  let transaction: { handle: Handle; end: (how: string) => void; done: Promise<void> } | undefined;

  const begin = async () => {
    let end = (_how: string) => {};
    const ended = new Promise<string>((resolve) => {
      end = resolve;
    });
    let done = Promise.resolve();
    const handle = await new Promise<Handle>((resolve, reject) => {
      done = db.transaction(async (begun) => {
        resolve(begun);
        if ((await ended) === "rollback") await begun.rollback();
      });
      // One that can't begin. How one ends is told to whoever ends it.
      done.catch(reject);
    });
    transaction = { handle, end, done };
  };

  const act = async (told: Told): Promise<unknown> => {
    switch (told.what) {
      case "query": {
        const params = [...told.params];
        const options = { parsers, ...(told.rowMode === "array" && { rowMode: "array" as const }) };
        const { rows, fields } = await (transaction?.handle ?? db).query(told.statement, params, options);
        return { rows, fields };
      }
      case "begin":
        return begin();
      case "end": {
        const ending = transaction;
        transaction = undefined;
        ending?.end(told.how);
        return ending?.done;
      }
      case "close":
        return db.close();
    }
  };

  const answer = async (id: number, told: Told) => {
    try {
      parentPort?.postMessage({ id, result: await act(told) });
    } catch (error) {
      parentPort?.postMessage({ id, error: problemOf(error) });
    }
  };

  parentPort?.on("message", ({ id, told }: { id: number; told: Told }) => void answer(id, told));
  parentPort?.postMessage({ id: workerData.openId });
}
