import { randomUUID } from "node:crypto";

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { Clock } from "./clock.ts";
import type { Faults, FaultOf } from "./faults.ts";
import { Random } from "./random.ts";

/** Marks a request that the sandbox sends to itself to let an effect come late. */
const REPLAY_HEADER = "x-sandbox-replay";

const DROPS_ANSWER = "dropsAnswer";
const REPLAY = "replay";

/** How a replayed request is to be taken. */
interface Replay {
  readonly regardless: boolean;
}

/** Whether the request is a late effect that the state must not stop. */
export function isRegardless(request: FastifyRequest): boolean {
  return request.getDecorator<Replay | null>(REPLAY)?.regardless === true;
}

/** Whether the request is a late effect, which no client is waiting for. */
export function isReplay(request: FastifyRequest): boolean {
  return request.getDecorator<Replay | null>(REPLAY) !== null;
}

/**
 * Lets the faults on routes happen to the routes of `app`. They come after authentication and validation: a
 * request that would have been refused anyway is refused, and uses no fault up.
 */
export function installRouteFaults(
  app: FastifyInstance,
  faults: Faults,
  clock: Clock,
  nameOf: (request: FastifyRequest) => string,
): void {
  // Known to this process alone, so no client can pass its request off as a replay.
  const secret = randomUUID();
  const jitter = new Random(0, "latency");
  app.decorateRequest(DROPS_ANSWER, false);
  app.decorateRequest(REPLAY, null);

  app.addHook("onRequest", async (request) => {
    const [token, manner] = String(request.headers[REPLAY_HEADER] ?? "").split(" ");
    if (token === secret) {
      request.setDecorator<Replay | null>(REPLAY, { regardless: manner === "regardless" });
    }
  });

  app.addHook("preHandler", async (request, reply) => {
    if (isReplay(request)) {
      return;
    }
    const name = nameOf(request);
    const latency = faults.takeLatency(name);
    if (latency !== null) {
      await clock.wait(latencyMs(latency, jitter));
    }
    const taken = faults.takeForRoute(name, idIn(request.params));
    if (taken === null) {
      return;
    }
    const { fault } = taken;
    switch (fault.kind) {
      case "status":
        return answer(reply, fault);
      case "drop_before":
        return drop(request, reply);
      case "drop_after":
        request.setDecorator<boolean>(DROPS_ANSWER, true);
        return;
      case "late":
        clock.afterReal(fault.after_ms, () => {
          replay(app, request, `${secret} ${fault.regardless === true ? "regardless" : "as-is"}`).then(
            (status) => {
              taken.record({ at: clock.iso(clock.now()), status });
            },
            (error: unknown) => {
              request.log.error({ err: error }, "a late effect failed");
            },
          );
        });
        return fault.status === undefined
          ? drop(request, reply)
          : reply.code(fault.status).send({ detail: "Injected fault" });
      case "latency":
        // Taken above, by its own call.
        return;
    }
  });

  app.addHook("onSend", async (request, _reply, payload) => {
    if (request.getDecorator<boolean>(DROPS_ANSWER)) {
      request.raw.socket.destroy();
    }
    return payload;
  });
}

/** The record that a path names: the first of its parameters. */
function idIn(params: unknown): string | undefined {
  const [id] = typeof params === "object" && params !== null ? Object.values(params) : [];
  return typeof id === "string" ? id : undefined;
}

/** The tail of a log-normal is long: above this every client has given up. */
const LONGEST_LATENCY_MS = 120_000;

/** How long one request waits, in milliseconds. */
export function latencyMs(fault: FaultOf<"latency">, dice: Random): number {
  const { ms, jitter_ms: jitterMs = 0, sigma } = fault;
  const spread = sigma === undefined ? ms : Math.min(LONGEST_LATENCY_MS, dice.logNormal(ms, sigma));
  return spread + dice.next() * jitterMs;
}

function answer(reply: FastifyReply, fault: FaultOf<"status">): FastifyReply {
  if (fault.retry_after !== undefined) {
    reply.header("retry-after", fault.retry_after);
  }
  return reply.code(fault.status).send(fault.body ?? { detail: "Injected fault" });
}

function drop(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

/** Sends a request again from within, and says what status nobody got to see. */
async function replay(app: FastifyInstance, request: FastifyRequest, token: string): Promise<number> {
  const { authorization } = request.headers;
  const body = request.body;
  const response = await app.inject({
    method: request.method,
    url: request.url,
    headers: { authorization: authorization ?? "", [REPLAY_HEADER]: token },
    remoteAddress: request.ip,
    ...(body === undefined || body === null ? {} : { payload: body }),
  });
  return response.statusCode;
}
