import net from "node:net";

/** Ports of loopback that nobody has at this moment, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("a server listens at no port");
    return address.port;
  });
  await Promise.all(servers.map((server) => new Promise((closed) => void server.close(closed))));
  return ports;
}

/** Below those that systems hand out to whoever connects to somebody: 32768 of Linux, 49152 of others. */
const LASTING = { from: 12_000, to: 32_000 };

/**
 * A port of loopback that nobody has, and that stays free while a process takes its time to listen: one from the system
 * may be given to any connection of the machine until then.
 */
export async function lastingPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = LASTING.from + Math.floor(Math.random() * (LASTING.to - LASTING.from));
    const server = await listen(port).catch(() => undefined);
    if (!server) continue;
    await new Promise((closed) => void server.close(closed));
    return port;
  }
  throw new Error(`no port from ${LASTING.from} to ${LASTING.to} is free`);
}

function listen(port: number): Promise<net.Server> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
