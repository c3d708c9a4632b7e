import { Client, Connection } from "@temporalio/client";
import net from "node:net";
import { expect, it, vi } from "vitest";

import { createRequestRetry } from "../../src/temporal/request-retry.ts";
import { PATIENCE_MS } from "../support/until.ts";

async function closedPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

it("leaves no repetition behind that would end the process once the connection is closed", async () => {
  const retry = createRequestRetry();
  let tries = 0;
  const interceptors = retry.interceptors.map<(typeof retry.interceptors)[number]>(
    (one) => (options, next) =>
      one(options, (tried) => {
        tries += 1;
        return next(tried);
      }),
  );
  const connection = Connection.lazy({ address: `127.0.0.1:${await closedPort()}`, interceptors });
  const signal = new Client({ connection }).workflow.getHandle("nobody").signal("wake");
  const ended = signal.then(
    () => "delivered",
    () => "given up",
  );
  await vi.waitUntil(() => tries >= 3, { timeout: PATIENCE_MS });
  const beganMs = performance.now();
  await retry.stop();
  await connection.close();
  expect(performance.now() - beganMs).toBeLessThan(3_000);
  // A repetition on the closed connection would throw out of a timer, which fails this test file.
  expect(await ended).toBe("given up");
  await retry.stop();
});
