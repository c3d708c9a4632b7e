import { z } from "zod";

import { EVENT_TYPE_NAMES, isEventType, type EventTypeName } from "../domain/ground/event-types.ts";
import { brandNameSchema } from "../domain/ground/brand-name.ts";
import { eventDocument } from "../ledger/events/event-document.ts";
import type { LedgerEvent, Place } from "../ledger/events/events.ts";
import { cursorOf, readCursor } from "./cursor.ts";
import { Problem } from "./problem.ts";
import type { EventWire } from "./wire/events.ts";

/* What the feed and its live form have in common: which events are asked for, and how one is shown. */

const typesQuery = z
  .string()
  .max(1_000)
  .transform((text, context) => {
    const names = text.split(",").map((name) => name.trim());
    const wrong = names.filter((name) => !isEventType(name));
    if (wrong.length > 0)
      context.addIssue({
        code: "custom",
        message: `there is no event ${wrong.join(", ")}: name some of ${EVENT_TYPE_NAMES.join(", ")}`,
      });
    return new Set(names.filter(isEventType));
  });

export const eventFilterQuery = {
  /** Some types, separated by commas. */
  types: typesQuery.optional(),
  /** A campaign's id; its callbacks are of it. */
  campaign: z.uuid().optional(),
  brand: brandNameSchema.optional(),
};

export interface EventFilter {
  types?: ReadonlySet<EventTypeName> | undefined;
  campaign?: string | undefined;
  brand?: string | undefined;
}

export function isWanted(event: LedgerEvent, { types, campaign, brand }: EventFilter): boolean {
  if (types && !types.has(event.type)) return false;
  if (campaign !== undefined && event.campaignId !== campaign && event.parentId !== campaign) return false;
  return brand === undefined || event.brand === brand;
}

export function eventView(event: LedgerEvent): EventWire {
  return eventDocument(event);
}

const part = z.int().nonnegative();

/** @throws Problem 422 */
export function readPlace(after: string): Place {
  return readCursor(after, z.tuple([part.max(2 ** 31 - 1), part, part]));
}

/** @param gone the place of the newest event that was forgotten */
export function eventsGone(gone: Place): Problem {
  return new Problem({
    status: 410,
    code: "events_gone",
    detail: `what came behind that place was forgotten in part, and would be passed over: begin anew with after=${cursorOf(gone)}, which is behind all that was forgotten, and take what happened before from the campaigns' results and the audit`,
  });
}
