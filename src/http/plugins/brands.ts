import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { mayTouch } from "../../domain/ground/access.ts";
import { brandsOf, type BrandedThing } from "../../ledger/ground/brands.ts";
import type { Db } from "../../ledger/ground/connection.ts";
import { callerOf, otherBrands, requireBrand } from "../caller.ts";
import type { HttpDeps } from "../deps.ts";
import { letPass } from "../list-upload.ts";
import { unknownCampaign, type Problem } from "../problem.ts";
import type { BrandOf } from "../route-access.ts";
import {
  unknownAction,
  unknownAttention,
  unknownBlackout,
  unknownCall,
  unknownDelivery,
  unknownEnrolment,
  unknownFollowUp,
  unknownSchedule,
  unknownSequence,
  unknownSource,
  unknownTrigger,
} from "../unknown.ts";

/** Where the brand in the query says whose name is meant, or what is listed: one that is left out can be no other. */
const FILLED: ReadonlySet<BrandOf> = new Set(["query", "campaign", "sequence"]);

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** As whoever asks for one is answered where there is none. */
const UNKNOWN: Readonly<Record<BrandedThing, (id: string) => Problem>> = {
  campaign: unknownCampaign,
  sequence: unknownSequence,
  enrolment: unknownEnrolment,
  follow_up: unknownFollowUp,
  action: unknownAction,
  attention: unknownAttention,
  blackout: unknownBlackout,
  source: unknownSource,
  call: unknownCall,
  trigger: unknownTrigger,
  delivery: unknownDelivery,
  schedule: unknownSchedule,
};

/** They are shown to every brand where they are of none, since they bind it too. */
const BINDING: ReadonlySet<BrandedThing> = new Set(["blackout", "source"]);

/**
 * Holds callers of some brands to them, before a route is asked: what a request names itself is refused (403), what it
 * asks for by an id is answered as if it were not there (404). Callers of all brands cost nothing here.
 */
export function heedBrands(app: FastifyInstance, { ledger }: Pick<HttpDeps, "ledger">): void {
  app.addHook("preValidation", async (request) => {
    const access = request.routeOptions.config.access;
    const brands = request.caller?.brands;
    if (access === undefined || brands === undefined || !FILLED.has(access.brand)) return;
    const [only, ...others] = brands;
    if (only === undefined || others.length > 0) return;
    partWithBrand(request, access.brand)["brand"] ??= only;
  });
  app.addHook("preHandler", async (request) => {
    const access = request.routeOptions.config.access;
    if (access === undefined || request.caller?.brands === undefined) return;
    try {
      await judge(ledger.db, request, access.brand);
    } catch (error) {
      // What is left of a list has to be read before its sender hears of it.
      if (request.body instanceof Readable) letPass(request);
      throw error;
    }
  });
}

/** @throws Problem 403 or 404 */
async function judge(db: Db, request: FastifyRequest, of: BrandOf): Promise<void> {
  const params = fieldsOf(request.params);
  const body = fieldsOf(request.body);
  const named = textOf(partWithBrand(request, of)["brand"]);
  switch (of) {
    case "none":
    case "every":
    case "handler":
      return;
    case "query": {
      const campaign = textOf(fieldsOf(request.query)["campaign"]);
      if (campaign !== undefined) await judgeThing(db, request, "campaign", campaign);
      return requireBrand(request, named);
    }
    case "named":
    case "list":
    case "body":
      return requireBrand(request, named);
    case "entries":
      for (const entry of listIn(body["entries"])) requireBrand(request, textOf(fieldsOf(entry)["brand"]));
      return;
    case "campaign":
    case "sequence": {
      const ref = textOf(params["ref"] ?? body["campaign"]);
      if (ref === undefined || (await judgeThing(db, request, of, ref))) return;
      return requireBrand(request, named);
    }
    case "source":
    case "trigger":
    case "schedule":
      await judgeThing(db, request, of, textOf(params["name"]) ?? "");
      return;
    case "enrolment":
    case "follow_up":
    case "action":
    case "attention":
    case "blackout":
    case "call":
    case "delivery":
      await judgeThing(db, request, of, textOf(params["id"]) ?? "");
  }
}

/**
 * @returns whether there is such a thing, which the caller may ask for.
 * @throws Problem 404 where it is another brand's; 403 where it binds the caller's, too, and is to be changed.
 */
async function judgeThing(db: Db, request: FastifyRequest, kind: BrandedThing, id: string): Promise<boolean> {
  if ((kind === "campaign" || kind === "sequence") && !UUID.test(id)) return false;
  const brands = await brandsOf(db, kind, id);
  if (brands === undefined) return false;
  const caller = callerOf(request);
  const isOfNone = brands.length === 0;
  if (!isOfNone && brands.every((brand) => mayTouch(caller, brand))) return true;
  if (!isOfNone || !BINDING.has(kind)) throw UNKNOWN[kind](id);
  if (request.method === "GET" || request.method === "HEAD") return true;
  throw otherBrands(caller, undefined);
}

/**
 * Where the route itself reads the brand, and nowhere else: a brand in a part that it does not look at says nothing of
 * what it does. A route without a name in its address names what it is about in its body.
 */
function partWithBrand(request: FastifyRequest, of: BrandOf): Record<string, unknown> {
  const isOfThing = of === "campaign" || of === "sequence";
  const isInBody =
    of === "named" || of === "body" || (isOfThing && fieldsOf(request.params)["ref"] === undefined);
  return fieldsOf(isInBody ? request.body : request.query);
}

/** Parts of a request are read by their schemas before; what has none has no fields. */
function fieldsOf(part: unknown): Record<string, unknown> {
  return typeof part === "object" && part !== null ? (part as Record<string, unknown>) : {};
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
