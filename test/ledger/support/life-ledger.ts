import { drizzle } from "drizzle-orm/node-postgres";
import { execFileSync } from "node:child_process";
import pg from "pg";
import { afterAll, beforeAll, describe, inject } from "vitest";

import { ledgerError, untilItsEnd, type Lane, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { bindToPlatform } from "../../../src/ledger/ground/installation.ts";
import { openPostgresLedger } from "../../../src/ledger/ground/postgres.ts";
import { given } from "../../support/ledgers.ts";
import { createDatabase, LEDGER_TEMPLATE } from "../../support/postgres.ts";

/*
 * A ledger in which thousands of short lives follow each other. What it runs is what every ledger runs; it is quicker
 * because each statement is planned once, because it is emptied and not made anew, and because nothing of it has to
 * survive the machine.
 *
 * The process that uses it can be killed at any commit: the transaction is lost, or is committed and nobody is told, and
 * whatever that process still asks for fails until the next one begins.
 */

/** At which commit from now on, and whether it is done by then. */
export interface Kill {
  commits: number;
  isCommitted: boolean;
}

export interface LifeLedger {
  ledger: Ledger;
  /** The process is killed at that commit. */
  killAt(kill: Kill): void;
  /** Whether it was. */
  isKilled(): boolean;
  /** Nobody is killed any more, and another process begins. */
  revive(): void;
  /** Whether its calls are simulated, of the next life. */
  bindAnew(isSimulated: boolean): Promise<void>;
  /** Empties all tables but what says whose ledger it is. */
  forgetEverybody(): Promise<void>;
}

/** Runs a suite on PostgreSQL, where it is installed: thousands of lives take hours on the embedded kind. */
export function withLifeLedger(name: string, suite: (life: () => LifeLedger) => void): void {
  const serverUrl = inject("postgresSocketUrl");
  describe.skipIf(serverUrl === undefined)(`${name} (PostgreSQL)`, () => {
    let opened: Awaited<ReturnType<typeof openLifeLedger>> | undefined;
    beforeAll(async () => {
      opened = await openLifeLedger(given(serverUrl));
    });
    afterAll(() => opened?.close());
    suite(() => given(opened));
  });
}

async function openLifeLedger(serverUrl: string): Promise<LifeLedger & { close(): Promise<void> }> {
  const url = await createDatabase(serverUrl, { template: LEDGER_TEMPLATE });
  // Sets how numbers are read, and finds out whether the schema is that of this program.
  const usual = await openPostgresLedger({ url, maxConnections: 1 });
  await bindToPlatform(usual.db, true);
  await usual.close();

  let kill: Kill | undefined;
  let isKilled = false;
  const mayGoOn = (): boolean => {
    if (isKilled) throw killed();
    if (kill === undefined || (kill.commits -= 1) >= 0) return true;
    isKilled = true;
    if (!kill.isCommitted) throw killed();
    return false;
  };
  const connect = async (commits: (text: string) => boolean): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url, options: SETTINGS, pipeline: true });
    await client.connect();
    prepareOnce(client, async (text, send) => {
      if (text === "rollback") return send();
      if (isKilled) throw killed();
      // What follows goes behind it at once, and fails where it fails.
      if (text === "begin") return void send();
      if (!commits(text)) return send();
      const isLast = !mayGoOn();
      const answer = await send();
      if (isLast) throw killed();
      return answer;
    });
    return client;
  };
  const alone = await connect(() => true);
  const inTransactions = await connect((text) => text === "commit");
  const lane = laneOver(alone, inTransactions);
  const apart = await shareProcessor([alone, inTransactions]);
  const { rows: tables } = await alone.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'installation'",
  );
  const emptying = tables.map(({ name }) => `delete from ${name};`).join("\n");
  return {
    ledger: { kind: "postgres", ...lane, urgent: lane, hasRoom: () => true, close: () => Promise.resolve() },
    killAt: (next) => {
      kill = { ...next };
    },
    isKilled: () => isKilled,
    revive: () => {
      kill = undefined;
      isKilled = false;
    },
    async bindAnew(isSimulated) {
      await inTransactions.query(`update installation set simulated = ${isSimulated}`);
    },
    async forgetEverybody() {
      await inTransactions.query(
        `set session_replication_role = replica; ${emptying} set session_replication_role = origin`,
      );
    },
    async close() {
      apart();
      await Promise.all([alone.end(), inTransactions.end()]);
    },
  };
}

/**
 * A plan that was made once serves all lives, whose tables are small, and full of rows that are gone: by indexes. Nothing
 * is kept of a machine that crashes.
 */
const SETTINGS = [
  "plan_cache_mode=force_generic_plan",
  "enable_seqscan=off",
  "jit=off",
  "synchronous_commit=off",
  "lock_timeout=10s",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");

/** What the driver says when its connection is gone. */
const killed = () =>
  Object.assign(new Error("Connection terminated: the process was killed"), { code: "57P01" });

/**
 * Whoever asks waits for whoever answers, and the other way round: on one processor neither has to be woken up on
 * another, a tenth of what a life costs. Where processors can't be chosen they are left as they are.
 *
 * @returns what ends it.
 */
async function shareProcessor(clients: readonly pg.Client[]): Promise<() => void> {
  const own = String(process.pid);
  const allowed = (pid: string) => /: ([\d,-]+)\s*$/.exec(taskset("-cp", pid) ?? "")?.[1];
  const before = allowed(own);
  const [last] = /\d+$/.exec(before ?? "") ?? [];
  if (before === undefined || last === undefined) return () => {};
  for (const client of clients) {
    const { rows: backends } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    for (const { pid } of backends) if (taskset("-cp", last, String(pid)) === undefined) return () => {};
  }
  // Only the thread that asks: others of this process help it best elsewhere.
  taskset("-cp", last, own);
  return () => void taskset("-cp", before, own);
}

function taskset(...args: string[]): string | undefined {
  try {
    return execFileSync("taskset", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return undefined;
  }
}

/** One transaction after the other, and statements beside them. */
function laneOver(alone: pg.Client, inTransactions: pg.Client): Lane {
  let last: Promise<unknown> = Promise.resolve();
  const db = drizzle(inTransactions);
  return {
    db: drizzle(alone),
    transaction(work) {
      const before = last;
      const own = (async () => {
        await before.catch(() => undefined);
        try {
          return await db.transaction((tx) => untilItsEnd(tx, work));
        } catch (error) {
          throw ledgerError(error);
        }
      })();
      last = own;
      return own;
    },
  };
}

/** Has the server parse and plan each text once in a connection: that is most of what short statements cost. */
function prepareOnce(
  client: pg.Client,
  around: (text: string, send: () => Promise<unknown>) => Promise<unknown>,
): void {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return name;
  };
  const plain: unknown = Reflect.get(client, "query");
  if (typeof plain !== "function") throw new Error("the driver has no query");
  const send = (...input: unknown[]): Promise<unknown> =>
    Promise.resolve(Reflect.apply(plain, client, input));
  const query = (asked: unknown, ...rest: unknown[]): Promise<unknown> => {
    // As Drizzle asks; texts alone are ours, and may be several statements.
    if (typeof asked !== "object" || asked === null || !("text" in asked) || typeof asked.text !== "string")
      return send(asked, ...rest);
    const { text } = asked;
    return around(text, () => send({ ...asked, name: nameOf(text) }, ...rest));
  };
  Object.defineProperty(client, "query", { value: query });
}
