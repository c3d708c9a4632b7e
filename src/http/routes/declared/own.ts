import type { FastifyRequest } from "fastify";

import { brandsOfDocument, type Declared } from "../../../domain/declared/documents.ts";
import { findCampaign } from "../../../ledger/campaigns/campaigns.ts";
import { brandsOf } from "../../../ledger/ground/brands.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import { callerOf, requireBrand, requireBrands, requireOwnName } from "../../caller.ts";
import { requireOpenSource } from "../../contact-sources.ts";
import { requireOwnSchedule } from "../schedules/own.ts";

/**
 * Holds a caller of some brands to what is theirs, of a document and of what stands under its name: that is compared
 * with it, and shown.
 *
 * @throws Problem 403 for a document of another brand or of all; 409 where its name is another's
 */
export async function requireOwnDocument(db: Db, request: FastifyRequest, declared: Declared): Promise<void> {
  if (callerOf(request).brands === undefined) return;
  const brands = brandsOfDocument(declared);
  if (brands === undefined) return requireBrand(request, undefined);
  requireBrands(request, brands);
  const { kind, definition } = declared;
  if (kind === "campaign") {
    const there = await findCampaign(db, definition.brand, definition.name);
    requireOpenSource(request, definition.contacts, there?.spec.contacts);
  }
  if (kind === "schedule") requireOwnSchedule(request, definition);
  if (kind !== "trigger" && kind !== "schedule") return;
  const there = await brandsOf(db, kind, definition.name);
  if (there) requireOwnName(request, { kind, name: definition.name, brands: there });
}
