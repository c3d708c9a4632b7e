import type { FastifyRequest } from "fastify";

import { brandOfSchedule, type ScheduleDefinition } from "../../../domain/schedules/schedule.ts";
import type { Schedule } from "../../../ledger/schedules/schedules.ts";
import { requireBrand, requireOwnName } from "../../caller.ts";
import { requireOpenSource } from "../../contact-sources.ts";

/**
 * What a caller may declare of schedules: those that run campaigns of its own brands, with lists that it may name. One
 * that runs an automation is of no brand.
 *
 * @throws Problem 403
 */
export function requireOwnSchedule(request: FastifyRequest, definition: ScheduleDefinition): void {
  requireBrand(request, brandOfSchedule(definition));
  const { contacts, spec } = definition.run;
  requireOpenSource(request, contacts);
  requireOpenSource(request, spec?.["contacts"]);
}

/** What a schedule that is declared stands in place of: one of another brand is not replaced, nor its runs shown. */
export function ownSchedules(request: FastifyRequest): (before: Schedule) => void {
  return ({ name, definition }) => {
    const brand = brandOfSchedule(definition);
    requireOwnName(request, { kind: "schedule", name, brands: brand === undefined ? [] : [brand] });
  };
}
