import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { Problem } from "./problem.ts";

/*
 * Bodies of routes whose callers have proved nothing before their bodies are there.
 * 1. What is signed is exactly the bytes that came, and of what nobody documents no shape can be asked for: a body is
 *    taken as its bytes.
 * 2. One that comes too slowly has its connection cut.
 * 3. All of them together hold no more memory than their room has, from their first bytes to their answers.
 */

/** A quarter of a megabyte comes in this over the slowest line; who needs longer only keeps a connection. */
const BODY_WITHIN_MS = 30_000;

/** Hundreds of the largest bodies at once, of which each takes some times its size while it is worked off. */
const ROOM_BYTES = 64 * 1024 * 1024;

/** Bytes of bodies that may be in memory at once. */
export interface BodyRoom {
  /** False where there is no room for them. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createBodyRoom(mostBytes = ROOM_BYTES): BodyRoom {
  let left = mostBytes;
  return {
    take(bytes) {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    give(bytes) {
      left += bytes;
    },
  };
}

/** Takes bodies of the routes of this scope as the bytes that came, within this room. */
export function takeRawBodies(scope: FastifyInstance, room: BodyRoom, withinMs = BODY_WITHIN_MS): void {
  const held = new WeakMap<IncomingMessage, number>();
  scope.addHook("onRequest", async ({ raw }, reply) => {
    const timer = setTimeout(() => {
      if (!raw.complete) raw.destroy();
    }, withinMs);
    timer.unref();
    raw.once("close", () => {
      clearTimeout(timer);
    });
    onceOver(reply.raw, () => {
      room.give(held.get(raw) ?? 0);
      held.delete(raw);
    });
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload, request.routeOptions.bodyLimit, (bytes) => {
      if (!room.take(bytes)) return false;
      held.set(request.raw, (held.get(request.raw) ?? 0) + bytes);
      return true;
    }),
  );
}

/** An answer is over when it is written, or when nobody is there any more to read it. */
function onceOver(response: ServerResponse, over: () => void): void {
  let isOver = false;
  for (const event of ["finish", "close"] as const) {
    response.once(event, () => {
      if (!isOver) over();
      isOver = true;
    });
  }
}

/**
 * @param take says whether there is room for so many bytes more.
 * @throws Problem 413 where it is larger than `most`, 503 where there is no room.
 */
function readBody(payload: Readable, most: number, take: (bytes: number) => boolean): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (error: Error) => {
      // What still comes is passed over, so that the answer is read.
      payload.off("data", onData).resume();
      chunks.length = 0;
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) refuse(tooLarge(most));
      else if (take(chunk.length)) chunks.push(chunk);
      else refuse(noRoom());
    };
    payload.on("data", onData);
    payload.once("error", reject);
    payload.once("end", () => {
      resolve(Buffer.concat(chunks));
    });
    payload.once("close", () => {
      reject(new Error("the connection ended before the body was there"));
    });
  });
}

function tooLarge(most: number): Problem {
  return new Problem({
    status: 413,
    code: "too_large",
    detail: `the body is larger than the ${most} bytes that are taken here: send less at once`,
  });
}

function noRoom(): Problem {
  return new Problem({
    status: 503,
    code: "busy",
    detail: "more is being sent at once than is taken: send it again, as Retry-After says",
  });
}

/** What `takeRawBodies` made of a request's body; none is an empty one. */
export function rawBodyOf(request: { body: unknown }): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
