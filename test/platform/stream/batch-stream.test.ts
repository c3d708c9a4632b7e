import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { openBatchStream } from "../../../src/platform/index.ts";
import { BATCH, clientOf, KEY, settled, until } from "../fake-platform.ts";
import { listen, QUICK, startStream, waits } from "./fake-stream.ts";

describe("connecting", () => {
  test("carries the key in the header and the query, under the address's prefix", async () => {
    const fake = await startStream();
    const { stream } = listen({ wsUrl: `${fake.wsUrl}/api/` });
    await until("the stream is open", () => stream.state === "open");
    const [upgrade] = fake.upgrades;
    expect(upgrade?.url).toBe(`/api/ws/batch-call/${BATCH}?token=${KEY}`);
    expect(upgrade?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(upgrade?.headers["sec-websocket-extensions"]).toBeUndefined();
  });

  test("leaves the query alone where that is wanted", async () => {
    const fake = await startStream();
    listen(fake, { tokenInQuery: false });
    await until("the server was asked", () => fake.upgrades.length === 1);
    expect(fake.upgrades[0]?.url).toBe(`/ws/batch-call/${BATCH}`);
    expect(fake.upgrades[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test.each([
    ["wsUrl", { wsUrl: "http://127.0.0.1" }],
    ["apiKey", { apiKey: "secret\n" }],
    ["batchCallId", { batchCallId: ".." }],
  ])("refuses a %s that can't be used", (option, change) => {
    const options = {
      wsUrl: "ws://127.0.0.1:9",
      apiKey: KEY,
      batchCallId: BATCH,
      onHint: () => {},
      ...change,
    };
    expect(() => openBatchStream(options)).toThrow(option);
    expect(() => openBatchStream(options)).not.toThrow("secret");
  });
});

describe("frames", () => {
  test("become hints, the first of them at once", async () => {
    const fake = await startStream({
      onSocket: (socket) =>
        socket.send(JSON.stringify({ item_id: "i1", status: "completed", call_id: "c1" })),
    });
    const startedMs = Date.now();
    const { hints } = listen(fake, { timing: { hintWindowMs: 60_000 } });
    await until("a hint", () => hints.length === 1);
    expect(hints[0]).toMatchObject({ items: new Map([["i1", "completed"]]) });
    expect(hints[0]?.receivedAtMs).toBeGreaterThanOrEqual(startedMs);
    expect(hints[0]?.receivedAtMs).toBeLessThanOrEqual(Date.now());
  });

  test("that are garbage are survived and counted", async () => {
    const fake = await startStream({
      onSocket: (socket) => {
        for (const garbage of ["hello", "[1]", "null", "{", "7", ""]) socket.send(garbage);
        socket.send(Buffer.from([0xff, 0xfe, 0x00]));
        socket.send(Buffer.from([0xff, 0xfe]), { binary: false }); // Text that is not UTF-8.
        socket.send(Buffer.from('{"status":"running"}'));
      },
    });
    const { stream, hints } = listen(fake);
    await until("the hint behind the garbage", () => hints.length === 1);
    expect(stream.counters).toEqual({ frames: 9, malformed: 8, hints: 1, reconnects: 0 });
    expect(stream.state).toBe("open");
  });

  test("that come twice or in disorder are only more hints", async () => {
    const frames = ["completed", "running", "completed", "completed"].map((status) =>
      JSON.stringify({ status }),
    );
    const fake = await startStream({ onSocket: (socket) => frames.forEach((frame) => socket.send(frame)) });
    const { stream, hints } = listen(fake);
    await until("all frames", () => stream.counters.frames === 4);
    await until("the last hint", () => hints.length === 2);
    expect(hints.at(-1)).toMatchObject({ batchStatus: "completed", terminal: true });
  });

  test("that are too large cost the connection and nothing else", async () => {
    const fake = await startStream({
      onSocket: (socket, nth) => socket.send(nth === 1 ? "x".repeat(300_000) : '{"status":"running"}'),
    });
    const { stream, hints, changes } = listen(fake);
    await until("the hint after the reconnect", () => hints.length === 1);
    expect(waits(changes)[0]).toMatchObject({ reason: "oversize", code: undefined });
    expect(stream.counters).toEqual({ frames: 2, malformed: 1, hints: 1, reconnects: 1 });
  });

  test("that break the protocol cost the connection and nothing else", async () => {
    const fake = await startStream({
      onUpgrade: (raw, nth) => {
        if (nth > 1) return false;
        raw.end("HTTP/1.1 200 OK\r\n\r\n");
        return true;
      },
      onSocket: (socket, nth) => {
        // A frame with a reserved bit set, then the truth.
        if (nth === 1) Reflect.get(socket, "_socket").write(Buffer.from([0xf1, 0x00]));
        else socket.send('{"status":"running"}');
      },
    });
    const { hints, changes } = listen(fake);
    await until("the hint after two reconnects", () => hints.length === 1);
    expect(waits(changes).map((one) => one.reason)).toEqual(["refused", "unreachable"]);
  });

  test("in a flood reach the listener as a trickle, and all of them are read in time", async () => {
    const flood = 5_000;
    const fake = await startStream({
      onSocket: (socket) => {
        for (let nth = 0; nth < flood; nth++)
          socket.send(`{"item_id":"i${nth}","status":"x","padding":"${"p".repeat(200)}"}`);
      },
    });
    const startedMs = performance.now();
    const { stream, hints } = listen(fake);
    await until("the whole flood", () => stream.counters.frames === flood);
    await until("the last hint", () => hints.at(-1)?.items.has(`i${flood - 1}`) === true);
    const windows = (performance.now() - startedMs) / QUICK.hintWindowMs;
    expect(hints.length).toBeLessThanOrEqual(Math.ceil(windows) + 1);
    expect(hints.length).toBe(stream.counters.hints);
    expect(stream.counters).toMatchObject({ malformed: 0, reconnects: 0 });
  });

  test("wait in the server's buffers while a window has its fill", async () => {
    const flood = 100_000;
    const fake = await startStream({
      onSocket: (socket) => {
        for (let nth = 0; nth < flood; nth++) socket.send(`{"padding":"${"p".repeat(200)}"}`);
      },
    });
    const { stream } = listen(fake, { timing: { hintWindowMs: 60_000 } });
    await until("the window has its fill", () => stream.counters.frames >= 250);
    await until("the server is held up", () => (fake.sockets[0]?.bufferedAmount ?? 0) > 0);
    // What was on its way when reading stopped is read, and no more than that.
    await settled("the frames read", () => stream.counters.frames);
    expect(stream.counters.frames).toBeLessThan(flood / 2);
  });

  test("are survived where the listener throws", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): number => warnings.push(warning);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const fake = await startStream({ onSocket: (socket) => socket.send('{"status":"running"}') });
    const { stream } = listen(fake, {
      onHint: () => {
        throw new Error("listener broke");
      },
    });
    await until("the warning", () => warnings.length === 1);
    expect(warnings[0]?.message).toBe("listener broke");
    expect(stream.state).toBe("open");
  });
});

describe("through the client", () => {
  test("a stream uses the client's key and derived address, and ends with the client", async () => {
    const fake = await startStream();
    const platform = clientOf(`${fake.wsUrl.replace("ws:", "http:")}/api/`);
    const stream = platform.openBatchStream({ batchCallId: BATCH, onHint: () => {} });
    await until("it is open", () => stream.state === "open");
    expect(fake.upgrades[0]?.url).toBe(`/api/ws/batch-call/${BATCH}?token=${KEY}`);
    await platform.close();
    expect(stream.state).toBe("closed");
    await until("the server saw it", () => fake.closes.length === 1);
  });

  test("another address and no token in the query can be chosen", async () => {
    const fake = await startStream();
    const platform = clientOf("http://127.0.0.1:9", {
      wsUrl: `${fake.wsUrl}/live`,
      streamTokenInQuery: false,
    });
    platform.openBatchStream({ batchCallId: BATCH, onHint: () => {} });
    await until("the server was asked", () => fake.upgrades.length === 1);
    expect(fake.upgrades[0]?.url).toBe(`/live/ws/batch-call/${BATCH}`);
  });
});

test("the key is in nothing that a stream tells or shows", async () => {
  const fake = await startStream({
    onUpgrade: (raw, nth) => {
      if (nth === 1) raw.destroy();
      else if (nth === 2) raw.end("HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n");
      else if (nth === 3) raw.end("nonsense\r\n\r\n");
      return nth <= 3;
    },
    onSocket: (socket) => socket.send("{}"),
  });
  const { stream, hints, changes } = listen(fake);
  await until("it is open at last", () => hints.length === 1);
  const told =
    JSON.stringify([hints, changes, stream.counters]) + inspect(stream, { depth: 9, showHidden: true });
  expect(told).not.toContain(KEY);
  expect(told).not.toContain("token");
  expect(waits(changes).map((one) => one.reason)).toEqual(["unreachable", "refused", "unreachable"]);
});
