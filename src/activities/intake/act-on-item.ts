import { createHash } from "node:crypto";

import { readContact } from "../../contacts/one-contact.ts";
import type { Wanted } from "../../domain/trigger-mapping.ts";
import type { Delivery } from "../../ledger/deliveries.ts";
import { enroll } from "../../ledger/enrolling.ts";
import { tellEnrolments } from "../../ledger/enrolment-inbox.ts";
import { exitEnrolments } from "../../ledger/trigger-exits.ts";
import type { Trigger } from "../../ledger/triggers.ts";
import type { ActivityDeps } from "../deps.ts";

/** What was done for an item, or why it was not. */
export interface ActionResult {
  what: Wanted["kind"];
  enrolment_id?: string;
  /** Whether the person was in the sequence before. */
  already?: boolean;
  /** Enrolments that were told. */
  told?: number;
  reason?: string;
  detail?: string;
  /** Nothing more comes of it by itself. */
  needs_a_person?: true;
}

interface Item {
  trigger: Trigger;
  delivery: Delivery;
  n: number;
  /** Of a trigger that names a field: the same thing in whichever delivery it comes. */
  idempotencyKey: string | undefined;
  wanted: readonly Wanted[];
}

/** Does what an item asks for, each in a transaction of its own, under a key that makes it the same again. */
export async function actOn(deps: ActivityDeps, item: Item): Promise<ActionResult[]> {
  const results: ActionResult[] = [];
  for (const wanted of item.wanted) results.push(await act(deps, item, wanted));
  return results;
}

async function act(deps: ActivityDeps, item: Item, wanted: Wanted): Promise<ActionResult> {
  const person = readContact(wanted.phone, {
    defaultRegion: wanted.region,
    ...(wanted.kind === "enroll" && { timeZone: wanted.timeZone }),
  });
  // The message names no digit of the number.
  if (!person.ok)
    return { what: wanted.kind, reason: person.code, detail: person.reason, needs_a_person: true };
  const requestKey = `${keyOf(item)}:${wanted.kind}`;
  const actor = `trigger ${item.trigger.name}`;
  const { brand } = wanted;
  const { phone } = person;
  return deps.ledger.transaction(async (tx): Promise<ActionResult> => {
    switch (wanted.kind) {
      case "enroll": {
        const enrolled = await enroll(tx, {
          sequenceName: wanted.sequence,
          brand,
          phone,
          region: person.region,
          zones: person.zones,
          variables: wanted.variables,
          key: wanted.key,
          source: actor,
          requestKey,
          nowMs: deps.now(),
        });
        if (enrolled.kind !== "refused")
          return {
            what: "enroll",
            enrolment_id: enrolled.enrolmentId,
            already: enrolled.kind === "already",
          };
        const { reason, detail } = enrolled;
        // Somebody who is not to be called is no mistake of anybody's.
        return { what: "enroll", reason, detail, ...(reason !== "suppressed" && { needs_a_person: true }) };
      }
      case "event": {
        const { sequence: sequenceName, name, data } = wanted;
        const event = { name, data, requestKey, at: item.delivery.receivedAtMs };
        return {
          what: "event",
          told: await tellEnrolments(tx, { brand, phone, sequenceName, event, actor }),
        };
      }
      case "exit":
        return {
          what: "exit",
          told: await exitEnrolments(tx, {
            brand,
            phone,
            sequenceName: wanted.sequence,
            outcome: wanted.outcome,
            reason: `trigger ${item.trigger.name}`,
            requestKey,
            actor,
            nowMs: deps.now(),
          }),
        };
    }
  });
}

/** Senders put the same thing into another request when they send it again: a named field goes before its place. */
function keyOf({ trigger, delivery, n, idempotencyKey }: Item): string {
  if (idempotencyKey === undefined) return `delivery:${delivery.id}:${n}`;
  return `trigger:${trigger.id}:${createHash("sha256").update(idempotencyKey).digest("hex")}`;
}
