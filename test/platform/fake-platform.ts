import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import {
  createPlatform,
  type PlatformClient,
  PlatformError,
  type PlatformOptions,
} from "../../src/platform/index.ts";
import { PATIENCE_MS } from "../support/until.ts";

export const KEY = "sk_test_abcdef0123456789";
export const BATCH = "7f0c8a52-3a43-4c1e-9f0e-1f2d3c4b5a69";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface FakePlatform {
  readonly origin: string;
  readonly port: number;
  readonly server: Server;
  /** Every request whose body arrived in full, in order. */
  readonly seen: SeenRequest[];
  /** Connections accepted so far. */
  readonly connections: () => number;
}

export type Answer = (request: SeenRequest, response: ServerResponse, nth: number) => void;

/** A server on a real socket that answers as it is told and remembers what it was asked. */
export async function startPlatform(answer: Answer): Promise<FakePlatform> {
  const seen: SeenRequest[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://fake");
      const one: SeenRequest = {
        method: request.method ?? "",
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(one);
      answer(one, response, seen.length);
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = portOf(server);
  return { origin: `http://127.0.0.1:${port}`, port, server, seen, connections: () => connections };
}

export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return address.port;
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Far above what anything here takes, also on a machine with much else to do, and below the runner's own bound. */
const BOUND_MS = 15_000;

/** A client that is closed with the test. Times out, so that a hang is a failure and not a wait. */
export function clientOf(
  target: string | FakePlatform,
  options: Partial<PlatformOptions> = {},
): PlatformClient {
  const platform = createPlatform({
    baseUrl: typeof target === "string" ? target : target.origin,
    apiKey: KEY,
    timeouts: { wholeMs: BOUND_MS },
    ...options,
  });
  onTestFinished(() => platform.close());
  return platform;
}

/** The error that a call fails with; it must be one of the client's own. */
export async function failureOf(call: Promise<unknown>): Promise<PlatformError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof PlatformError))
    throw new Error(`expected a PlatformError, got ${String(outcome)}`);
  return outcome;
}

/** Waits until something is so; fails after `withinMs`. */
export async function until(what: string, holds: () => boolean, withinMs = PATIENCE_MS): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > deadlineMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Watches for a while that something does not change. */
export async function stays(what: string, read: () => unknown, forMs = 80): Promise<void> {
  const before = read();
  const untilMs = performance.now() + forMs;
  while (performance.now() < untilMs) {
    if (read() !== before) throw new Error(`changed: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits until something has not changed for a while. */
export async function settled(what: string, read: () => unknown, forMs = 80): Promise<void> {
  let last = read();
  let sinceMs = performance.now();
  await until(`${what} settles`, () => {
    const now = read();
    if (now !== last) sinceMs = performance.now();
    last = now;
    return performance.now() - sinceMs >= forMs;
  });
}

export const A_BATCH = {
  agent_id: "11111111-1111-4111-8111-111111111111",
  from_number: "+12025550100",
  contacts: [{ phone_number: "+12025550123", dynamic_variables: { name: "Ann" } }],
  retry_attempts: 0,
  max_concurrent_calls: 10,
};
