import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { allows, bearerOf } from "./auth.ts";
import type { Caller } from "./auth.ts";
import { refuseSocket } from "./app.ts";
import type { Core } from "./core.ts";
import { ApiError } from "./errors.ts";
import type { BatchRecord } from "./state/batches.ts";

/** Bounds the memory of stream readers: each may have a megabyte waiting. */
const MOST_READERS = 1_000;

/** The path of the batch stream below the base path (contract 6.2). */
const STREAM_PATH = /^\/ws\/batch-call\/([^/]+)\/?$/;

/** Takes requests for a WebSocket: a stream for those with a key and a batch, an HTTP status for all others. */
export function upgradeTo(core: Core, basePath: string) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Without a listener, a reader that resets the connection during the handshake would end the process.
    socket.on("error", () => socket.destroy());
    const refusedWith = core.faults.take("stream_refuse")?.status;
    const found = refusedWith ?? readerOf(core, basePath, request);
    core.stats.asked("GET /ws/batch-call/:id");
    core.stats.answered("GET /ws/batch-call/:id", typeof found === "number" ? found : 101);
    if (typeof found === "number") {
      refuseSocket(socket, found, core);
    } else {
      core.streams.accept(request, socket, head, found);
    }
  };
}

/** The batch that a request may follow, or the status that refuses it. */
function readerOf(core: Core, basePath: string, request: IncomingMessage): BatchRecord | number {
  const target = request.url ?? "/";
  if (!URL.canParse(target, "http://sandbox")) {
    return 404;
  }
  const url = new URL(target, "http://sandbox");
  const path = url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length) : "";
  const id = STREAM_PATH.exec(path)?.[1];
  if (id === undefined) {
    return 404;
  }
  // The header first; browsers cannot set it and send the key in the query.
  const key = bearerOf(request.headers.authorization) ?? url.searchParams.get("token");
  const caller = admitted(core, key, request.socket.remoteAddress ?? "");
  if (typeof caller === "number") {
    return caller;
  }
  if (!allows(caller.scopes, "batch_calls:read")) {
    return 403;
  }
  if (core.streams.readerCount >= MOST_READERS) {
    return 503;
  }
  return caller.organization.batches.find(id) ?? 404;
}

/** Who bears the key, or the status that refuses it. */
function admitted(core: Core, key: string | null, address: string): Caller | number {
  try {
    return core.keys.admit(key, address);
  } catch (error) {
    if (error instanceof ApiError) {
      return error.statusCode;
    }
    throw error;
  }
}
