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
  close(): Promise<void>;
}

const WORKER = /^outdial worker (\S+)( leaves)?$/;

/** Longer than any answer to this takes; shorter than anybody should wait for a hint. */
const WITHIN_MS = 5_000;

/**
 * Nothing is asked before somebody wants to know.
 *
 * @param name of this process
 */
export function keepPresence(databaseUrl: string, name: string): WorkerPresence {
  let kept: pg.Client | undefined;
  let answered: pg.Client | undefined;
  let leaves = false;
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
      return { peers, isConnectedAnew };
    },
    async leave() {
      leaves = true;
      if (kept) await ask(kept, `select set_config('application_name', $1, false)`, [nameOf(name, leaves)]);
    },
    async close() {
      const client = kept;
      kept = undefined;
      await client?.end().catch(() => {});
    },
  };
}

function nameOf(name: string, leaves: boolean): string {
  return `outdial worker ${name}${leaves ? " leaves" : ""}`;
}
