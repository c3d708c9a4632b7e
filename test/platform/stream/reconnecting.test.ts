import { describe, expect, test } from "vitest";
import { STREAM_TIMING } from "../../../src/platform/stream/batch-stream.ts";
import { portOf, until } from "../fake-platform.ts";
import { listen, startStream, waits } from "./fake-stream.ts";

describe("a connection", () => {
  test("without a sign of life is dropped and made again", async () => {
    const fake = await startStream({ autoPong: false });
    const { stream, changes } = listen(fake, { timing: { pingMs: 20, idleMs: 60 } });
    await until("a second connection", () => fake.sockets.length === 2);
    expect(waits(changes)[0]).toMatchObject({ reason: "silent" });
    expect(stream.counters.reconnects).toBeGreaterThanOrEqual(1);
  });

  test("that has nothing to say but answers pings is kept", async () => {
    const fake = await startStream();
    let pings = 0;
    const { stream } = listen(fake, { timing: { pingMs: 20, idleMs: 1_500 } });
    await until("a socket", () => fake.sockets.length === 1);
    fake.sockets[0]?.on("ping", () => (pings += 1));
    // More than fit into its idle time.
    await until("many pings", () => pings >= 90);
    expect(stream.state).toBe("open");
    expect(fake.sockets.length).toBe(1);
  });

  test("whose upgrade is never answered is given up", async () => {
    const fake = await startStream({ onUpgrade: (_, nth) => nth === 1 });
    const { stream, changes } = listen(fake, { timing: { handshakeMs: 50 } });
    await until("the second try is open", () => stream.state === "open");
    expect(waits(changes)[0]).toMatchObject({ reason: "silent" });
  });

  test("that is lost comes back, with growing waits", async () => {
    const fake = await startStream({ onSocket: (socket, nth) => nth <= 4 && socket.terminate() });
    const { stream, changes } = listen(fake, { timing: { backoffBaseMs: 4, backoffMaxMs: 32 } });
    await until("the fifth connection stays", () => fake.sockets.length === 5 && stream.state === "open");
    const delays = waits(changes).map((one) => one.delayMs);
    expect(delays.length).toBe(4);
    delays.forEach((delayMs, index) => {
      expect(delayMs).toBeGreaterThanOrEqual(2 * 2 ** index);
      expect(delayMs).toBeLessThanOrEqual(4 * 2 ** index);
    });
    expect(stream.counters.reconnects).toBe(4);
  });

  test("that lived for a while makes the next wait short again", async () => {
    const fake = await startStream({ onSocket: (socket, nth) => nth <= 3 && socket.terminate() });
    const { stream, changes } = listen(fake, {
      timing: { backoffBaseMs: 20, backoffMaxMs: 10_000, stableMs: 50 },
    });
    await until("the fourth connection is open", () => fake.sockets.length === 4 && stream.state === "open");
    const openMs = performance.now();
    await until("it has lived for a while", () => performance.now() > openMs + 80);
    fake.sockets[3]?.terminate();
    await until("the fourth loss", () => waits(changes).length === 4);
    expect(waits(changes)[3]?.delayMs).toBeLessThanOrEqual(20);
  });

  test("is tried again and again while the server is away", async () => {
    const gone = await startStream();
    const port = portOf(gone.server);
    await new Promise((resolve) => gone.server.close(resolve));
    const { stream, changes } = listen(gone);
    await until("some tries", () => waits(changes).length >= 3);
    expect(waits(changes)[0]).toMatchObject({ reason: "unreachable", code: "ECONNREFUSED" });
    await startStream({ port });
    await until("it is back", () => stream.state === "open");
  });

  test.each([
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "not_found"],
  ])("that is refused with %i is reported as such, and tried again much later", async (status, reason) => {
    const fake = await startStream({
      onUpgrade: (raw) => {
        raw.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
        return true;
      },
    });
    const { stream, changes } = listen(fake);
    await until("the refusal", () => stream.state === "waiting");
    const [wait] = waits(changes);
    expect(wait).toMatchObject({ reason, code: status });
    expect(wait?.delayMs).toBeGreaterThanOrEqual(30_000);
    expect(fake.upgrades.length).toBe(1);
  });

  test.each([
    ["429 with its wait", "429 Slow\r\nretry-after: 5", 429, 5_000],
    ["503", "503 Later", 503, 5],
    ["a redirect, which is not followed", "302 There\r\nlocation: ws://127.0.0.1:1/", 302, 5],
  ])("that is refused with %s waits as it should", async (_, answer, code, atLeastMs) => {
    const fake = await startStream({
      onUpgrade: (raw) => {
        raw.end(`HTTP/1.1 ${answer}\r\ncontent-length: 0\r\n\r\n`);
        return true;
      },
    });
    const { changes } = listen(fake);
    await until("the refusal", () => waits(changes).length >= 1);
    expect(waits(changes)[0]).toMatchObject({ reason: "refused", code });
    expect(waits(changes)[0]?.delayMs).toBeGreaterThanOrEqual(atLeastMs);
  });

  test("that ends with its batch is a normal end, and no reason to hurry back", async () => {
    const fake = await startStream({
      onSocket: (socket) => {
        socket.send('{"status":"completed"}');
        socket.close(1000);
      },
    });
    const { stream, hints, changes } = listen(fake);
    await until("the end", () => stream.state === "waiting");
    expect(hints[0]).toMatchObject({ terminal: true });
    expect(waits(changes)[0]).toMatchObject({ reason: "batch_ended", code: 1000 });
    expect(waits(changes)[0]?.delayMs).toBeGreaterThanOrEqual(30_000);
  });

  test("that is closed in the middle of a batch comes back soon", async () => {
    const fake = await startStream({ onSocket: (socket, nth) => nth === 1 && socket.close(1001) });
    const { stream, changes } = listen(fake);
    await until("it is back", () => fake.sockets.length === 2 && stream.state === "open");
    expect(waits(changes)[0]).toMatchObject({ reason: "closed", code: 1001 });
  });
});

test("pings fit into the idle time, and the idle time into what proxies allow", () => {
  expect(STREAM_TIMING.idleMs).toBeGreaterThanOrEqual(3 * STREAM_TIMING.pingMs);
  expect(STREAM_TIMING.idleMs).toBeLessThan(60_000);
});
