import { afterEach, describe, expect, it } from "vitest";

import { serveHealth, type HealthServer } from "../../src/cli/health-server.ts";
import { given } from "../support/ledgers.ts";

describe("probes over HTTP", () => {
  let server: HealthServer | undefined;
  let nowMs = 1_000_000;
  afterEach(() => server?.close());

  const serve = async () => (server = await serveHealth({ host: "127.0.0.1", port: 0 }, () => nowMs));
  const ask = async (path: string, method = "GET") => {
    const answer = await fetch(`${given(server).url}${path}`, { method });
    return [answer.status, (await answer.text()).trim()];
  };

  it("say that a process lives from its start to its end, and that it is ready while it lacks nothing", async () => {
    const { tell } = await serve();
    expect(await ask("/healthz")).toEqual([200, "lives"]);
    expect(await ask("/readyz")).toEqual([503, "it starts"]);
    tell({ phase: "running", atMs: nowMs, problem: "the ledger does not answer" });
    expect(await ask("/readyz")).toEqual([503, "the ledger does not answer"]);
    expect(await ask("/healthz")).toEqual([200, "lives"]);
    tell({ phase: "running", atMs: nowMs, problem: undefined });
    expect(await ask("/readyz?verbose")).toEqual([200, "ready"]);
    nowMs += 30_001;
    expect(await ask("/readyz")).toEqual([503, "it has not looked at what it needs for half a minute"]);
    tell({ phase: "draining" });
    expect(await ask("/readyz")).toEqual([503, "it drains"]);
    // A beat that was under way when it began to drain.
    tell({ phase: "running", atMs: nowMs, problem: undefined });
    expect(await ask("/readyz")).toEqual([503, "it drains"]);
    expect(await ask("/healthz")).toEqual([200, "lives"]);
  });

  it("answer nothing else, and say where their address can't be had", async () => {
    const { url } = await serve();
    expect((await ask("/"))[0]).toBe(404);
    expect((await ask("/readyz", "POST"))[0]).toBe(405);
    const port = Number(new URL(url).port);
    await expect(serveHealth({ host: "127.0.0.1", port }, () => nowMs)).rejects.toThrow(
      /OUTDIAL_HEALTH_LISTEN is 127\.0\.0\.1:\d+, where nothing can be served \(another process has that port\)/,
    );
  });
});
