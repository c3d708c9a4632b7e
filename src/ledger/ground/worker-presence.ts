import { setTimeout } from "node:timers/promises";
import pg from "pg";

/*
 * Which workers there are, by a connection that each of them keeps for nothing else. A process that is killed loses its
 * connections with it, and the database knows within milliseconds; one whose machine is gone is missed later, by its
 * heartbeats. What is told here is a hint: whoever is cut off from the database for a moment looks like one who is gone.
 */

/** Another worker, by a name that no other process has or had. */
export interface Peer {
  name: string;
  /** It was asked to end, and hands over what it has. */
  leaves: boolean;
}

export interface Peers {
  peers: Peer[];
  /** It is the first answer of a connection: whoever is missing from it may be about to connect again, too. */
  isConnectedAnew: boolean;
}

export interface WorkerPresence {
  /** The other workers. It connects again where the connection was lost. @throws where the database does not answer */
  peers(): Promise<Peers>;
  /** Says that this one is about to end. */
  leave(): Promise<void>;
  /** Where there are others, not before they have seen that it leaves. */
  close(): Promise<void>;
}

const WORKER = /^outdial worker (\S+)( leaves)?$/;

/** Longer than any answer to this takes; shorter than anybody should wait for a hint. */
const WITHIN_MS = 5_000;

/** Others look once a second: whoever leaves is there for as long, or would look like one who was killed. */
const SEEN_TO_LEAVE_MS = 1_500;

/**
 * Nothing is asked before somebody wants to know.
 *
 * @param name of this process
 */
export function keepPresence(databaseUrl: string, name: string): WorkerPresence {
  let kept: pg.Client | undefined;
  let answered: pg.Client | undefined;
  let leaves = false;
  let seenToLeaveAtMs = 0;
  let hasPeers = false;
  const connected = async (): Promise<pg.Client> => {
    if (kept) return kept;
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: WITHIN_MS,
      query_timeout: WITHIN_MS,
      keepAlive: true,
      application_name: nameOf(name, leaves),
    });
    client.on("error", () => lose(client));
    await client.connect();
    kept = client;
    // A name in the address goes before ours.
    await ask(client, `select set_config('application_name', $1, false)`, [nameOf(name, leaves)]);
    return client;
  };
  const lose = (client: pg.Client) => {
    if (kept === client) kept = undefined;
    client.end().catch(() => {});
  };
  const ask = async (client: pg.Client, text: string, values: string[]) => {
    try {
      return await client.query<{ name: string }>(text, values);
    } catch (error) {
      lose(client);
      throw error;
    }
  };
  return {
    async peers() {
      const client = await connected();
      const { rows } = await ask(
        client,
        `select distinct application_name as name from pg_stat_activity
         where datname = current_database() and application_name like 'outdial worker %'`,
        [],
      );
      const isConnectedAnew = answered !== client;
      answered = client;
      const peers = rows.flatMap(({ name: told }) => {
        const [, peer, leaving] = WORKER.exec(told) ?? [];
        return peer === undefined || peer === name ? [] : [{ name: peer, leaves: leaving !== undefined }];
      });
      hasPeers = peers.length > 0;
      return { peers, isConnectedAnew };
    },
    async leave() {
      leaves = true;
      seenToLeaveAtMs = performance.now() + SEEN_TO_LEAVE_MS;
      if (kept) await ask(kept, `select set_config('application_name', $1, false)`, [nameOf(name, leaves)]);
    },
    async close() {
      const waitMs = seenToLeaveAtMs - performance.now();
      if (kept && hasPeers && waitMs > 0) await setTimeout(waitMs);
      const client = kept;
      kept = undefined;
      await client?.end().catch(() => {});
    },
  };
}

function nameOf(name: string, leaves: boolean): string {
  return `outdial worker ${name}${leaves ? " leaves" : ""}`;
}
