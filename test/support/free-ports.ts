import net from "node:net";

/** Below those that systems hand out to whoever connects to somebody: 32768 of Linux, 49152 of others. */
const LASTING = { from: 12_000, to: 32_000 };

/** Processes of tests that run beside this one draw from other ports. */
const SHARE = 2_500;

/** Several of these, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await lastingPort());
  return [...ports];
}

/**
 * A port of loopback that nobody has, and that stays free while a process takes its time to listen: one from the system
 * may be given to any connection of the machine until then.
 */
export async function lastingPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const share = Number(process.env["VITEST_POOL_ID"] ?? 0) % ((LASTING.to - LASTING.from) / SHARE);
    const port = LASTING.from + share * SHARE + Math.floor(Math.random() * SHARE);
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
