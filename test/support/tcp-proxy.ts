import net from "node:net";

/*
 * A connection between two others that a test can cut, as networks do. What is on its way when it is cut is lost.
 */

/** `refused`: connections end, and nobody listens. `silent`: everything is swallowed, and nothing ever ends. */
type Cut = "refused" | "silent";

export interface TcpProxy {
  /** The address with this proxy's port in it. */
  through(address: string): string;
  cut(how: Cut): Promise<void>;
  /** New connections pass; those from before the cut are ended. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** Told of what clients send, in order, by connection. */
export type OnSent = (connection: number, chunk: Buffer) => void;

/** @param target the address behind it: host and port are taken */
export async function startTcpProxy(target: string, onSent?: OnSent): Promise<TcpProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const pairs = new Set<[net.Socket, net.Socket | undefined]>();
  let state: "open" | Cut = "open";
  let connections = 0;
  const server = net.createServer((client) => {
    connections += 1;
    const id = connections;
    // Swallowed: it is accepted, and never hears anything.
    const behind = state === "open" ? net.connect(Number(targetPort), hostname) : undefined;
    const pair: [net.Socket, net.Socket | undefined] = [client, behind];
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      behind?.destroy();
    };
    client.on("error", end).on("close", end);
    behind?.on("error", end).on("close", end);
    if (onSent) client.on("data", (chunk: Buffer) => onSent(id, chunk));
    if (behind) {
      client.pipe(behind);
      behind.pipe(client);
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        server.off("error", reject);
        resolve();
      });
    });
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const { port } = address;
  const endAll = () => {
    for (const [client, behind] of pairs) {
      client.destroy();
      behind?.destroy();
    }
  };
  const stopListening = () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
      endAll();
    });
  return {
    through(text) {
      const url = new URL(text);
      url.hostname = "127.0.0.1";
      url.port = String(port);
      return url.href;
    },
    async cut(how) {
      state = how;
      if (how === "refused") return stopListening();
      for (const [client, behind] of pairs) {
        client.unpipe();
        behind?.unpipe();
        behind?.pause();
        client.resume();
      }
    },
    async mend() {
      const was = state;
      state = "open";
      endAll();
      if (was === "refused") await listen(port);
    },
    async close() {
      if (server.listening) await stopListening();
    },
  };
}
