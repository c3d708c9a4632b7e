import { describe, expect, test } from "vitest";
import type { Hint } from "../../../src/platform/index.ts";
import { stays, until } from "../fake-platform.ts";
import { type FakeOptions, listen, startStream } from "./fake-stream.ts";

describe("closing", () => {
  test("says goodbye, frees the socket, and nothing is called afterwards", async () => {
    const fake = await startStream({
      onSocket: (socket) => {
        const chatter = setInterval(() => socket.send('{"status":"running"}'), 1);
        socket.on("close", () => clearInterval(chatter));
      },
    });
    const { stream, hints, changes } = listen(fake);
    await until("hints", () => hints.length >= 3);
    const closing = stream.close();
    expect(stream.state).toBe("closed");
    const heard = hints.length;
    await closing;
    await until("the server saw it", () => fake.closes.length === 1);
    expect(fake.closes).toEqual([1000]);
    expect(hints.length).toBe(heard);
    expect(changes.at(-1)).toEqual({ state: "closed" });
    await stream.close();
    expect(changes.filter((one) => one.state === "closed").length).toBe(1);
  });

  test("does not wait for a server that never answers", async () => {
    const fake = await startStream({ onSocket: (socket) => socket.pause() });
    const { stream } = listen(fake);
    await until("it is open", () => stream.state === "open");
    // The test's own time limit is below that of the socket's goodbye.
    await stream.close();
  });

  test.each<[string, FakeOptions]>([
    ["connecting", { onUpgrade: () => true }],
    ["open", {}],
    [
      "waiting",
      {
        onUpgrade: (raw) => {
          raw.end("HTTP/1.1 401 No\r\ncontent-length: 0\r\n\r\n");
          return true;
        },
      },
    ],
  ])("by a signal works while it is %s", async (state, options) => {
    const fake = await startStream(options);
    const abort = new AbortController();
    const { stream, changes } = listen(fake, { signal: abort.signal });
    await until("the server was asked", () => fake.upgrades.length === 1);
    await until(`it is ${state}`, () => stream.state === state);
    abort.abort();
    expect(stream.state).toBe("closed");
    await stream.closed;
    await stays("what the listener was told", () => changes.length);
    expect(fake.upgrades.length).toBe(1);
  });

  test("before it began connects to nobody", async () => {
    const fake = await startStream();
    const { stream, changes } = listen(fake, { signal: AbortSignal.abort() });
    await stream.closed;
    expect(stream.state).toBe("closed");
    expect(changes).toEqual([]);
    expect(fake.upgrades.length).toBe(0);
  });

  test("from inside a callback is as good as from outside", async () => {
    const fake = await startStream({ onSocket: (socket) => socket.send("{}") });
    const abort = new AbortController();
    const hints: Hint[] = [];
    const { stream } = listen(fake, {
      signal: abort.signal,
      onHint: (hint) => {
        hints.push(hint);
        abort.abort();
      },
    });
    await stream.closed;
    expect(hints.length).toBe(1);
    const early = new AbortController();
    const second = listen(fake, { signal: early.signal, onState: () => early.abort() });
    await second.stream.closed;
    expect(second.stream.state).toBe("closed");
  });
});
