import { sequenceOfTrigger } from "../../domain/triggers/trigger.ts";
import { writeAudit } from "../ground/audit.ts";
import { resolveAttention } from "../ground/attention.ts";
import type { Db } from "../ground/connection.ts";
import {
  countFailedDeliveries,
  endDelivery,
  holdDelivery,
  readDelivery,
  type Delivery,
} from "./deliveries.ts";
import { readTrigger } from "./triggers.ts";

/** Why a delivery can't be left undone. */
export type SkipRefusal = "unknown" | "not_failed";

interface Skip {
  deliveryId: string;
  /** For the audit, and for whoever looks at the delivery. */
  reason: string | undefined;
  actor: string;
  nowMs: number;
}

/**
 * Leaves what failed undone for good, as a person says: nothing comes of it any more, unless its sender sends it again
 * under another key. What it asked for before it failed stays done.
 */
export async function skipDelivery(tx: Db, skip: Skip): Promise<Delivery | SkipRefusal> {
  const { deliveryId, reason, actor, nowMs } = skip;
  // What it came to is kept, and a retry that fails meanwhile would come to something newer.
  const delivery = await holdDelivery(tx, deliveryId);
  const trigger = delivery && (await readTrigger(tx, delivery.triggerId));
  if (!delivery || !trigger) return "unknown";
  const isEnded = await endDelivery(tx, {
    deliveryId,
    from: "failed",
    state: "ignored",
    result: { ...delivery.result, skipped: { by: actor, ...(reason !== undefined && { reason }) } },
    enrollsInto: sequenceOfTrigger(trigger.definition),
    nowMs,
  });
  if (!isEnded) return "not_failed";
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "delivery.skip",
    detail: { delivery: deliveryId, trigger: trigger.name, ...(reason !== undefined && { reason }) },
  });
  const resolution = "what failed of it is left undone";
  await resolveAttention(tx, { kind: "delivery_differs", subject: deliveryId, by: actor, resolution, nowMs });
  if ((await countFailedDeliveries(tx, trigger.id)) === 0)
    await resolveAttention(tx, {
      kind: "delivery_failed",
      subject: trigger.name,
      by: actor,
      resolution,
      nowMs,
    });
  return (await readDelivery(tx, deliveryId)) ?? "unknown";
}
