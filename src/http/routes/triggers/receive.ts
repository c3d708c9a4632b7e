import { createHash, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { UnknownSecretError, UnusableSecretError } from "../../../domain/ground/secrets.ts";
import { brandsOfTrigger } from "../../../domain/triggers/trigger.ts";
import { readSentBody } from "../../../domain/triggers/sent-body.ts";
import type { TriggerAuth } from "../../../domain/triggers/trigger-auth.ts";
import { isContention, isOfTheLedger } from "../../../ledger/ground/connection.ts";
import {
  acceptDeliveries,
  type AcceptedDelivery,
  type NewDelivery,
} from "../../../ledger/triggers/deliveries.ts";
import {
  findTriggers,
  triggerOf,
  type StoredTrigger,
  type Trigger,
} from "../../../ledger/triggers/triggers.ts";
import { noteWork, traceToKeep } from "../../../tracing/work.ts";
import type { HttpDeps } from "../../deps.ts";
import { createGathering } from "../../gathering.ts";
import { Problem } from "../../problem.ts";
import { rawBodyOf, takeRawBodies, type BodyRoom } from "../../raw-body.ts";
import { verify, type Verdict } from "./signatures/verify.ts";
import { deliveryAcceptedSchema } from "../../wire/triggers.ts";
import { deliveryKey, isOfRequest } from "./delivery-key.ts";
import { bodyTypeOf, keptHeaders, readText } from "./sent.ts";
import { elapsedMs } from "../../../domain/time/elapsed.ts";

/** CRMs send some kilobytes, a hundred events at once some ten. */
const LARGEST_BODY_BYTES = 256 * 1024;

const params = z.object({ name: z.string().max(200) });

/**
 * Taking what other systems tell. A delivery is acknowledged only once it is in the ledger (I5); nothing of it is
 * logged. Without a valid signature nobody learns whether there is a trigger of that name.
 */
export function receiveRoutes(deps: HttpDeps, room: BodyRoom): FastifyPluginAsyncZod {
  const pace = createDeliveryPace(deps.now, deps.deliveriesPerMinute);
  const intake = createIntake(deps);
  const refusedLately = createRefusalLog(deps);
  return async (app) => {
    takeRawBodies(app, room);
    app.post(
      "/v1/triggers/:name",
      {
        config: { authenticatesItself: true },
        bodyLimit: LARGEST_BODY_BYTES,
        schema: {
          params,
          consumes: ["application/json", "application/x-www-form-urlencoded"],
          security: [],
          response: { 200: deliveryAcceptedSchema, 202: deliveryAcceptedSchema },
        },
      },
      async (request, reply) => {
        const trigger = await authenticate(deps, intake, request, refusedLately);
        const waitSeconds = pace(trigger.id);
        if (waitSeconds > 0) throw tooMany(reply, waitSeconds);
        return take(deps, intake, trigger, request, reply);
      },
    );
  };
}

interface Intake {
  /** As it is now; undefined where there is none. */
  find: (name: string) => Promise<StoredTrigger | undefined>;
  /** Durable once it is answered. */
  accept: (delivery: NewDelivery) => Promise<AcceptedDelivery>;
}

/** Deliveries that share a transaction: what comes within a few milliseconds where a thousand come a second. */
const ACCEPTED_TOGETHER = 100;
const ACCEPTED_CHARACTERS = 2 * 1024 * 1024;

/** How long for a key that somebody else has in hand. Who waits alone holds a connection. */
const TOGETHER_WAIT_MS = 200;
const ALONE_WAITS_MS = 5_000;

/** Several senders share what each would have the ledger do. */
function createIntake({ ledger }: HttpDeps): Intake {
  return {
    find: createGathering({
      most: ACCEPTED_TOGETHER,
      perform: async (names) => {
        const found = await findTriggers(ledger.db, [...new Set(names)]);
        return names.map((name) => found.get(name));
      },
      isOfAll: isOfTheLedger,
    }),
    accept: createGathering({
      most: ACCEPTED_TOGETHER,
      mostWeight: ACCEPTED_CHARACTERS,
      weightOf: ({ body }) => body.text.length,
      perform: (deliveries, isAlone) =>
        ledger.transaction((tx) =>
          acceptDeliveries(tx, deliveries, isAlone ? ALONE_WAITS_MS : TOGETHER_WAIT_MS),
        ),
      isOfAll: (error) => isOfTheLedger(error) && !isContention(error),
      isHeldUp: isContention,
    }),
  };
}

/** Of each trigger one refusal in this time is logged: anybody can cause as many as they like. */
const LOG_EVERY_MS = 10_000;

function createRefusalLog(deps: HttpDeps): (trigger: Trigger, problem: string) => void {
  const lastMs = new Map<string, number>();
  return (trigger, problem) => {
    const nowMs = deps.now();
    if (elapsedMs(nowMs, lastMs.get(trigger.id) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    lastMs.set(trigger.id, nowMs);
    deps.log.warn({ trigger: trigger.name, problem }, "a delivery was refused");
  };
}

/** Whoever asks for a trigger that is not there is checked like everybody else, against a key that nobody has. */
const NOBODY: TriggerAuth = { scheme: "standard_webhooks", secret: "nobody", tolerance: "5m" };
const NOBODYS_SECRET = [randomBytes(32).toString("hex")];

async function authenticate(
  deps: HttpDeps,
  intake: Intake,
  request: FastifyRequest<{ Params: z.output<typeof params> }>,
  noteRefusal: (trigger: Trigger, problem: string) => void,
): Promise<Trigger> {
  const stored = await intake.find(request.params.name);
  const trigger = stored && triggerOf(stored);
  const verdict = verdictOn(deps, request, trigger);
  if (!trigger || !verdict.ok) {
    if (trigger && !verdict.ok) noteRefusal(trigger, verdict.problem);
    throw new Problem({
      status: 401,
      code: "unauthorized",
      detail:
        "there is no such trigger, or the request does not show that it comes from its sender: check the address, the secret and how the request is signed; the log of the system says more",
    });
  }
  if (trigger.enabled) return trigger;
  throw new Problem({
    status: 409,
    code: "trigger_disabled",
    detail: `the trigger ${trigger.name} is disabled, and takes nothing until somebody enables it`,
  });
}

function verdictOn(deps: HttpDeps, request: FastifyRequest, trigger: Trigger | undefined): Verdict {
  const asked = {
    method: request.method,
    url: request.raw.url ?? "",
    rawHeaders: request.raw.rawHeaders,
    rawBody: rawBodyOf(request),
    nowMs: deps.now(),
  };
  const nobody = () => verify(NOBODY, { ...asked, secrets: { read: () => NOBODYS_SECRET } });
  if (!trigger) return nobody();
  try {
    const { auth } = trigger.definition;
    const brands = brandsOfTrigger(trigger.definition);
    return verify(auth, { ...asked, secrets: { read: (name) => deps.secrets.read(name, brands) } });
  } catch (error) {
    if (!(error instanceof UnknownSecretError) && !(error instanceof UnusableSecretError)) throw error;
    // Whoever sends learns nothing of it; the log says it, and so does whoever looks at the trigger.
    nobody();
    return { ok: false, status: 401, problem: error.message };
  }
}

function tooMany(reply: FastifyReply, waitSeconds: number): Problem {
  reply.header("retry-after", String(waitSeconds));
  return new Problem({
    status: 429,
    code: "rate_limited",
    detail: "more came through this trigger than it takes in a minute: wait as long as Retry-After says",
  });
}

async function take(
  deps: HttpDeps,
  intake: Intake,
  trigger: Trigger,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const type = bodyTypeOf(request.headers);
  const rawBody = rawBodyOf(request);
  const text = readText(rawBody);
  const reading = readSentBody(type, text);
  if (!reading.ok) {
    const detail = `the body ${reading.problem}`;
    throw new Problem({ status: 400, code: "invalid_request", detail });
  }
  if (!deps.ledger.hasRoom()) {
    throw new Problem({
      status: 503,
      code: "ledger_full",
      detail: "the disk under the ledger is almost full: send it again later",
    });
  }
  const headers = keptHeaders(request.headers, trigger.definition.auth);
  const nowMs = deps.now();
  const digest = createHash("sha256").update(rawBody).digest("hex");
  const sent = { payload: reading.payload, headers, atMs: nowMs };
  const key = deliveryKey(trigger.definition, request.headers, sent, digest);
  const body = { type, headers, text };
  const traceParent = traceToKeep();
  const accepted = await intake.accept({ triggerId: trigger.id, key, digest, body, nowMs, traceParent });
  const { deliveryId, duplicate, differs } = accepted;
  noteWork({ deliveryId });
  if (differs && isOfRequest(key))
    throw new Problem({
      status: 409,
      code: "idempotency_key_reused",
      detail:
        "another body came under this Idempotency-Key before, and counts. This one is kept, and nothing is done for it until a person has looked at both: give every event a key of its own",
      extra: { delivery_id: deliveryId },
    });
  if (duplicate) {
    return reply
      .code(200)
      .send({ delivery_id: deliveryId, duplicate: true, ...(differs && { differs: true as const }) });
  }
  deps.outbox.kick();
  return reply.code(202).send({ delivery_id: deliveryId });
}

/**
 * Deliveries that one trigger takes, by process: a CRM that tells of its whole database at once is slowed down, and
 * the others are not. A burst of a minute's worth passes. Only those who proved who they are count, so that nobody can
 * shut a trigger for its sender.
 */
function createDeliveryPace(now: () => number, perMinute: number): (triggerId: string) => number {
  const buckets = new Map<string, { tokens: number; filledAtMs: number }>();
  /** 0: it is taken. Else after how many seconds to come back. */
  return (triggerId) => {
    const nowMs = now();
    const bucket = buckets.get(triggerId) ?? { tokens: perMinute, filledAtMs: nowMs };
    const gained = (Math.max(0, nowMs - bucket.filledAtMs) * perMinute) / 60_000;
    const tokens = Math.min(perMinute, bucket.tokens + gained);
    const taken = tokens >= 1;
    // One entry for each trigger that there is.
    buckets.set(triggerId, { tokens: taken ? tokens - 1 : tokens, filledAtMs: nowMs });
    return taken ? 0 : Math.max(1, Math.ceil(60 / perMinute));
  };
}
