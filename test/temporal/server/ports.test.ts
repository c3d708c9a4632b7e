import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { choosePort, isPortFree } from "../../../src/temporal/server/ports.ts";

const ip = "127.0.0.1";

async function listen(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, ip, resolve);
  });
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

test("the port of the last run is used again when it is free", async () => {
  expect(await choosePort({ ip, preferred: 23_456, taken: [] }, () => Promise.resolve(true))).toBe(23_456);
});

test("another free port is chosen when the last one is in use, by others or by ourselves", async () => {
  const isFree = (_ip: string, port: number) => Promise.resolve(port !== 23_456);
  const port = await choosePort({ ip, preferred: 23_456, taken: [] }, isFree);
  expect(port).not.toBe(23_456);
  const other = await choosePort({ ip, preferred: 23_457, taken: [23_457] }, isFree);
  expect(other).not.toBe(23_457);
});

test("chosen ports lie below those that systems give to outgoing connections", async () => {
  for (let count = 0; count < 20; count += 1) {
    const port = await choosePort({ ip, taken: [] });
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(30_000);
  }
});

test("a port that was asked for and is in use is an error that names it", async () => {
  const port = await listen();
  expect(await isPortFree(ip, port)).toBe(false);
  await expect(choosePort({ ip, required: port, taken: [] })).rejects.toThrow(`port ${port} on 127.0.0.1`);
});

test("a machine without free ports ends the search", async () => {
  await expect(choosePort({ ip, taken: [] }, () => Promise.resolve(false))).rejects.toThrow("no free port");
});
