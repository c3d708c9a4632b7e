import type { FastifyRequest } from "fastify";

import { brandsOfTrigger } from "../../../domain/triggers/trigger.ts";
import { readableDefinition, type StoredTrigger } from "../../../ledger/triggers/triggers.ts";
import { requireOwnName } from "../../caller.ts";

/** What a trigger that is written stands in place of: one of another brand is not replaced. */
export function ownTriggers(request: FastifyRequest): (before: StoredTrigger) => void {
  return (before) => {
    const definition = readableDefinition(before);
    // Nobody knows for whom one acts that can't be read: it is for callers of every brand.
    const brands = definition ? brandsOfTrigger(definition) : [];
    requireOwnName(request, { kind: "trigger", name: before.name, brands });
  };
}
