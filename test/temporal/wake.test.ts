import { Client, Connection } from "@temporalio/client";
import net from "node:net";
import { expect, it, onTestFinished } from "vitest";

import { createWaker } from "../../src/temporal/wake.ts";

it("does not wait for a Temporal that takes a wake-up and never answers", { timeout: 15_000 }, async () => {
  // It accepts connections and says nothing, as a server does whose machine is overloaded.
  const sockets = new Set<net.Socket>();
  const silent = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const address = silent.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const connection = Connection.lazy({ address: `127.0.0.1:${address.port}`, interceptors: [] });
  onTestFinished(() => connection.close());
  const waker = createWaker(new Client({ connection }), () => {});
  waker.campaign("one");
  waker.batch("two");
  const beganMs = performance.now();
  await waker.flush();
  expect(performance.now() - beganMs).toBeLessThan(10_000);
});
