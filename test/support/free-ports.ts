import net from "node:net";

/** Ports of loopback that nobody has at this moment, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("a server listens at no port");
    return address.port;
  });
  await Promise.all(servers.map((server) => new Promise((closed) => void server.close(closed))));
  return ports;
}

function listen(): Promise<net.Server> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}
