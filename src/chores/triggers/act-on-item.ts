import { createHash } from "node:crypto";

import { z } from "zod";

import { readContact, type OneContact } from "../../contacts/one-contact.ts";
import type { Wanted } from "../../domain/triggers/trigger-mapping.ts";
import type { Delivery } from "../../ledger/triggers/deliveries.ts";
import type { Db } from "../../ledger/ground/connection.ts";
import type { DataKeys } from "../../ledger/ground/data-keys.ts";
import { enroll } from "../../ledger/sequences/enrolling.ts";
import { tellEnrolments } from "../../ledger/sequences/enrolment-inbox.ts";
import { exitEnrolments } from "../../ledger/sequences/trigger-exits.ts";
import { claimItem, keepItem, releaseItem, type ItemClaim } from "../../ledger/triggers/trigger-items.ts";
import type { Trigger } from "../../ledger/triggers/triggers.ts";
import type { ActivityDeps } from "../../activities/deps.ts";

const actionResultSchema = z.object({
  what: z.enum(["enroll", "event", "exit"]),
  enrolment_id: z.string().optional(),
  /** Whether the person was in the sequence before. */
  already: z.boolean().optional(),
  /** Enrolments that were told. */
  told: z.number().optional(),
  /** Of an event: how many of those are in a sequence that asks for such a one. */
  heard: z.number().optional(),
  reason: z.string().optional(),
  detail: z.string().optional(),
  /** Nothing more comes of it by itself. */
  needs_a_person: z.literal(true).optional(),
  /** Another item with its key came before: nothing was done for this one, and the rest says what was for that. */
  repeated: z.literal(true).optional(),
});

/** What was done for an item, or why it was not. Kept with the item, so that it is read by later versions, too. */
export type ActionResult = z.output<typeof actionResultSchema>;

interface Item {
  trigger: Trigger;
  delivery: Delivery;
  /** Tells it from the others of its delivery, wherever it stands among them. */
  element: string;
  /** Of a trigger that names a field: the same thing in whichever delivery it comes. */
  idempotencyKey: string | undefined;
  dataKeys: DataKeys | undefined;
  wanted: readonly Wanted[];
}

/** Does what an item asks for, each in a transaction of its own, under a key that makes it the same again. */
export async function actOn(deps: ActivityDeps, item: Item): Promise<ActionResult[]> {
  const results: ActionResult[] = [];
  for (const wanted of item.wanted) {
    const isHeldUp = results.some((one) => one.needs_a_person);
    results.push(await act(deps, item, wanted, isHeldUp));
  }
  return results;
}

/** @param isHeldUp something that the item asks for before this waits for a person, and is done after it. */
async function act(deps: ActivityDeps, item: Item, wanted: Wanted, isHeldUp: boolean): Promise<ActionResult> {
  const person = readContact(wanted.phone, {
    defaultRegion: wanted.region,
    ...(wanted.kind === "enroll" && saidOf(wanted)),
  });
  // The message names no digit of the number.
  if (!person.ok)
    return { what: wanted.kind, reason: person.code, detail: person.reason, needs_a_person: true };
  const claim: ItemClaim = {
    triggerId: item.trigger.id,
    key: item.idempotencyKey === undefined ? nameOf(item) : digestOf(item.idempotencyKey),
    what: wanted.kind,
    deliveryId: item.delivery.id,
    element: item.element,
    phone: person.phone,
    nowMs: deps.now(),
  };
  return deps.ledger.transaction(async (tx): Promise<ActionResult> => {
    const claimed = await claimItem(tx, claim);
    if (claimed.kind === "done") {
      const before = actionResultSchema.parse(claimed.result);
      return claimed.same ? before : { ...before, repeated: true };
    }
    const result = await carryOut(tx, item, wanted, { ...person, nowMs: claim.nowMs });
    await (mayComeAgain(result, isHeldUp) ? releaseItem(tx, claim) : keepItem(tx, claim, { ...result }));
    return result;
  });
}

/**
 * Whether it is to be done when the item is worked off again, or sent again. Of an item that is held up its event is:
 * whom it enrolls then hears it, and nobody hears it twice. An exit that somebody heard is not: they may be back.
 */
function mayComeAgain(result: ActionResult, isHeldUp: boolean): boolean {
  if (result.needs_a_person) return true;
  return isHeldUp && (result.what === "event" || result.told === 0);
}

async function carryOut(
  tx: Db,
  item: Item,
  wanted: Wanted,
  person: Extract<OneContact, { ok: true }> & { nowMs: number },
): Promise<ActionResult> {
  const requestKey = `${keyOf(item)}:${wanted.kind}`;
  const actor = `trigger ${item.trigger.name}`;
  const { brand } = wanted;
  const { phone, nowMs } = person;
  switch (wanted.kind) {
    case "enroll": {
      const enrolled = await enroll(tx, {
        sequenceName: wanted.sequence,
        brand,
        phone,
        region: person.region,
        zones: person.zones,
        strictZones: person.strictZones,
        consent: person.consent,
        places: person.places,
        strictPlaces: person.strictPlaces,
        variables: wanted.variables,
        key: wanted.key,
        source: actor,
        dataKeys: item.dataKeys,
        requestKey,
        nowMs,
      });
      if (enrolled.kind !== "refused")
        return {
          what: "enroll",
          enrolment_id: enrolled.enrolmentId,
          already: enrolled.kind === "already",
          // What a sender's system has in such a field is nobody's mistake, and no reason to lose the person.
          ...(person.unread.length > 0 && {
            detail: `not understood, so placed without: ${person.unread.map(({ column }) => column).join(", ")}`,
          }),
        };
      const { reason, detail } = enrolled;
      // Somebody who is not to be called is no mistake of anybody's.
      return { what: "enroll", reason, detail, ...(reason !== "suppressed" && { needs_a_person: true }) };
    }
    case "event": {
      const { sequence: sequenceName, name, data } = wanted;
      const event = { name, data, requestKey, at: item.delivery.receivedAtMs };
      return { what: "event", ...(await tellEnrolments(tx, { brand, phone, sequenceName, event, actor })) };
    }
    case "exit":
      return {
        what: "exit",
        told: await exitEnrolments(tx, {
          brand,
          phone,
          sequenceName: wanted.sequence,
          outcome: wanted.outcome,
          reason: actor,
          requestKey,
          actor,
          nowMs,
        }),
      };
  }
}

/** Senders put the same thing into another request when they send it again: a named field goes before its delivery. */
function keyOf(item: Item): string {
  if (item.idempotencyKey === undefined) return `delivery:${nameOf(item)}`;
  return `trigger:${item.trigger.id}:${digestOf(item.idempotencyKey)}`;
}

function saidOf({ timeZone, country, state, postalCode, consent }: Extract<Wanted, { kind: "enroll" }>) {
  return { timeZone, country, state, postalCode, consent };
}

function nameOf({ delivery, element }: Item): string {
  return `${delivery.id}:${element}`;
}

function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
