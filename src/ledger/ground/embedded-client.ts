import type { PGlite } from "@electric-sql/pglite";
import { drizzle, type PgliteDatabase } from "drizzle-orm/pglite";
import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { z } from "zod";

import { EMBEDDED_ENDED, LateStatementError, ledgerError, untilItsEnd, type Lane } from "./connection.ts";
import { OPEN_ID, startEmbeddedThread, type Told } from "./embedded-thread.ts";

/*
 * PGlite in a thread of its own (embedded-thread.ts), and the line of those who want something of it.
 *
 * 1. There is one session: a transaction has it to itself, everything else waits. Here, and not in PGlite, so that who
 *    is urgent comes next, behind nothing but the statement or the transaction that is under way.
 * 2. Each answer comes by way of the loop: however many statements follow each other, everything else has its turn.
 * 3. A thread that ends by itself takes the ledger with it: whoever waits is told so, and so is whoever asks later.
 */

const answerSchema = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string(), code: z.string().optional() }).optional(),
});

/** What PostgreSQL says of a statement. */
class EmbeddedStatementError extends Error {
  override readonly name = "EmbeddedStatementError";
  /** SQLSTATE; undefined for what is no matter of a statement. */
  readonly code: string | undefined;
  constructor({ message, code }: { message: string; code?: string | undefined }) {
    super(message);
    this.code = code;
  }
}

/** An embedded database that is open. */
export interface EmbeddedClient extends Lane {
  readonly db: PgliteDatabase;
  /** Before everybody else who waits. */
  readonly urgent: Lane;
  /** Rejects when the database ended by itself. */
  readonly failed: Promise<never>;
  /** Lets what was asked before come to its end. @throws LedgerUnavailableError where it ended by itself. */
  close(): Promise<void>;
}

/**
 * Opens the database in a folder, in a thread of its own.
 *
 * @param worker the thread, where somebody else has started it
 */
export async function openEmbeddedClient(
  folder: string,
  worker: Worker = startEmbeddedThread(folder),
): Promise<EmbeddedClient> {
  const thread = await speakWith(worker);
  const line = createLine();
  return {
    ...laneOver(thread, line, false),
    urgent: laneOver(thread, line, true),
    failed: thread.failed,
    async close() {
      // What was asked for in this turn of the loop is on its way into the line.
      await setImmediate();
      const release = await line.take(false);
      try {
        await thread.tell({ what: "close" });
      } catch (error) {
        throw ledgerError(error);
      } finally {
        release();
        await thread.end();
      }
    },
  };
}

interface Thread {
  tell(told: Told): Promise<unknown>;
  /** Ends it where it stands; resolves once nothing of it runs any more. */
  end(): Promise<void>;
  readonly failed: Promise<never>;
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

async function speakWith(worker: Worker): Promise<Thread> {
  const waiting = new Map<number, Waiting>();
  let last = OPEN_ID;
  let gone: Error | undefined;
  let isClosing = false;
  let fail: (why: unknown) => void = () => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const leave = (why: Error) => {
    gone ??= why;
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
    if (!isClosing) fail(ledgerError(gone));
  };
  const answered = (id: number) =>
    new Promise<unknown>((resolve, reject) => {
      // The thread keeps the process alive for as long as somebody waits for it, and no longer.
      if (waiting.size === 0) worker.ref();
      waiting.set(id, { resolve, reject });
    });
  worker.on("message", (message: unknown) => {
    const { id, result, error } = answerSchema.parse(message);
    const one = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0 && !isClosing) worker.unref();
    if (error) one?.reject(new EmbeddedStatementError(error));
    else one?.resolve(result);
  });
  worker.on("error", (error) => leave(new Error(`${EMBEDDED_ENDED}: ${error.message}`, { cause: error })));
  worker.once("exit", () => leave(new Error(EMBEDDED_ENDED)));
  const end = async () => void (await worker.terminate());
  try {
    await answered(OPEN_ID);
  } catch (error) {
    await end();
    throw error;
  }
  return {
    end,
    failed,
    async tell(told) {
      if (gone) throw gone;
      if (told.what === "close") isClosing = true;
      last += 1;
      worker.postMessage({ id: last, told });
      return answered(last);
    },
  };
}

/** Who has the session, and who is next. */
interface Line {
  /** @returns what gives it back. */
  take(isUrgent: boolean): Promise<() => void>;
}

function createLine(): Line {
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];
  let isTaken = false;
  const next = () => {
    const one = urgent.shift() ?? others.shift();
    if (one) one();
    else isTaken = false;
  };
  return {
    async take(isUrgent) {
      if (isTaken)
        await new Promise<void>((resolve) => {
          (isUrgent ? urgent : others).push(resolve);
        });
      isTaken = true;
      let released = false;
      return () => {
        if (released) return;
        released = true;
        next();
      };
    },
  };
}

type Ask = (
  statement: string,
  params?: readonly unknown[],
  options?: { rowMode?: string },
) => Promise<unknown>;

function laneOver(thread: Thread, line: Line, isUrgent: boolean): Lane & { db: PgliteDatabase } {
  const ask: Ask = (statement, params = [], options = {}) =>
    thread.tell({ what: "query", statement, params, rowMode: options.rowMode });
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const release = await line.take(isUrgent);
    try {
      return await work();
    } finally {
      release();
    }
  };
  const client = {
    query: (...asked: Parameters<Ask>) => inTurn(() => ask(...asked)),
    transaction: <T>(work: (tx: { query: Ask }) => Promise<T>): Promise<T> =>
      inTurn(async () => {
        await thread.tell({ what: "begin" });
        // There is one session: what comes behind the end would be done in whatever transaction is open by then.
        let isOver = false;
        const askWithin: Ask = (...asked) =>
          isOver ? Promise.reject(new LateStatementError()) : ask(...asked);
        let result: T;
        try {
          result = await work({ query: askWithin }).finally(() => {
            isOver = true;
          });
        } catch (error) {
          await thread.tell({ what: "end", how: "rollback" });
          throw error;
        }
        await thread.tell({ what: "end", how: "commit" });
        return result;
      }),
  };
  // Of PGlite drizzle uses these two alone.
  const db = drizzle({ client: client as unknown as PGlite });
  return {
    db,
    async transaction(work) {
      try {
        return await db.transaction((tx) => untilItsEnd(tx, work));
      } catch (error) {
        throw ledgerError(error);
      }
    },
  };
}
