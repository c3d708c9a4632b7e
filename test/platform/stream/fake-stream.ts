import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import {
  type BatchStream,
  type BatchStreamOptions,
  type Hint,
  openBatchStream,
  type StreamStateChange,
} from "../../../src/platform/index.ts";
import { BATCH, KEY, portOf } from "../fake-platform.ts";

export interface FakeStream {
  readonly wsUrl: string;
  readonly server: Server;
  readonly upgrades: IncomingMessage[];
  readonly sockets: WebSocket[];
  /** Close codes that sockets ended with, as the server saw them. */
  readonly closes: number[];
}

export interface FakeOptions {
  readonly onSocket?: (socket: WebSocket, nth: number) => void;
  /** Answers an upgrade by itself; true if it did. */
  readonly onUpgrade?: (socket: Duplex, nth: number) => boolean;
  readonly autoPong?: boolean;
  readonly port?: number;
}

export async function startStream({
  onSocket,
  onUpgrade,
  autoPong = true,
  port = 0,
}: FakeOptions = {}): Promise<FakeStream> {
  const server = createServer();
  const acceptor = new WebSocketServer({ noServer: true, autoPong });
  const upgrades: IncomingMessage[] = [];
  const sockets: WebSocket[] = [];
  const closes: number[] = [];
  server.on("upgrade", (request, raw, head) => {
    upgrades.push(request);
    raw.on("error", () => {});
    if (onUpgrade?.(raw, upgrades.length) === true) return;
    acceptor.handleUpgrade(request, raw, head, (socket) => {
      sockets.push(socket);
      socket.on("close", (code) => closes.push(code));
      socket.on("error", () => {});
      onSocket?.(socket, sockets.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.terminate();
    server.closeAllConnections();
    server.close();
  });
  return { wsUrl: `ws://127.0.0.1:${portOf(server)}`, server, upgrades, sockets, closes };
}

export const QUICK = {
  backoffBaseMs: 10,
  backoffMaxMs: 40,
  refusedMs: 60_000,
  hintWindowMs: 20,
};

export interface Listening {
  readonly stream: BatchStream;
  readonly hints: Hint[];
  readonly changes: StreamStateChange[];
}

export function listen(
  target: { readonly wsUrl: string },
  options: Partial<BatchStreamOptions> = {},
): Listening {
  const hints: Hint[] = [];
  const changes: StreamStateChange[] = [];
  const stream = openBatchStream({
    wsUrl: target.wsUrl,
    apiKey: KEY,
    batchCallId: BATCH,
    onHint: (hint) => hints.push(hint),
    onState: (change) => changes.push(change),
    ...options,
    timing: { ...QUICK, ...options.timing },
  });
  onTestFinished(() => stream.close());
  return { stream, hints, changes };
}

export const waits = (changes: readonly StreamStateChange[]) =>
  changes.flatMap((one) => (one.state === "waiting" ? [one] : []));
