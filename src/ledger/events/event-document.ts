import { placeOf, type LedgerEvent } from "./events.ts";

/** A place of a list as readers are given it. What stands in it is nobody's business. */
export function cursorText(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** An event as the feed, its live form and webhooks tell it. */
export function eventDocument(event: LedgerEvent) {
  return {
    id: cursorText(placeOf(event)),
    type: event.type,
    at: new Date(event.atMs).toISOString(),
    brand: event.brand ?? null,
    campaign_id: event.campaignId ?? null,
    callbacks_of: event.parentId ?? null,
    campaign: event.campaign ?? null,
    data: event.data,
  };
}
