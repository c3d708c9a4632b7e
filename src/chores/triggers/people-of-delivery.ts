import { createHash } from "node:crypto";

import { createBreather } from "../../ledger/ground/breather.ts";
import { readContact } from "../../contacts/one-contact.ts";
import { readSentBody } from "../../domain/triggers/sent-body.ts";
import { peopleNamed } from "../../domain/triggers/trigger-people.ts";
import { readDelivery } from "../../ledger/triggers/deliveries.ts";
import { readTrigger } from "../../ledger/triggers/triggers.ts";
import type { ActivityDeps } from "../../activities/deps.ts";

/**
 * Whom a delivery is about, by its trigger's present definition: a number for each person, the same for all that is
 * told of them. Numbers that can't be read are nobody's, and nobody is enrolled, told or taken out under them.
 *
 * Safe to retry: it only reads.
 */
export async function peopleOfDelivery(
  deps: Pick<ActivityDeps, "ledger">,
  deliveryId: string,
): Promise<number[]> {
  const delivery = await readDelivery(deps.ledger.db, deliveryId);
  if (delivery?.state !== "received" || !delivery.body) return [];
  const trigger = await readTrigger(deps.ledger.db, delivery.triggerId);
  const { type, text, headers } = delivery.body;
  const reading = readSentBody(type, text);
  if (!trigger || !reading.ok) return [];
  const sent = { payload: reading.payload, headers, atMs: delivery.receivedAtMs };
  const people = new Set<number>();
  const breathe = createBreather();
  for (const { phone, region } of peopleNamed(trigger.definition, sent)) {
    // As whoever acts on it reads the number: two ways to write one are one person.
    const person = readContact(phone, { defaultRegion: region });
    if (person.ok) people.add(markOf(person.phone));
    await breathe();
  }
  return [...people];
}

const MARK_BYTES = 6;

/** What deliveries that wait know a person by. */
export function markOf(phone: string): number {
  return createHash("sha256").update(phone).digest().readUIntBE(0, MARK_BYTES);
}
