import { z } from "zod";

import { withoutSecrets } from "../../../domain/ground/literal-secrets.ts";
import type { Delivery, ListedDelivery } from "../../../ledger/triggers/deliveries.ts";
import type { StoredTrigger } from "../../../ledger/triggers/triggers.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import type { DeliverySummaryWire, DeliveryWire, TriggerWire } from "../../wire/triggers.ts";

export function triggerView(trigger: StoredTrigger): TriggerWire {
  return {
    id: trigger.id,
    name: trigger.name,
    version: trigger.version,
    enabled: trigger.enabled,
    path: `/v1/triggers/${trigger.name}`,
    // One that was stored before such were refused may hold a secret's value.
    definition: { ...Object(withoutSecrets(trigger.definition)) },
    created_at: isoOf(trigger.createdAtMs),
    updated_at: isoOf(trigger.updatedAtMs),
  };
}

export function deliverySummary(delivery: ListedDelivery, trigger: string): DeliverySummaryWire {
  return {
    id: delivery.id,
    trigger,
    state: delivery.state,
    times: delivery.times,
    received_at: isoOf(delivery.receivedAtMs),
    ended_at: isoOrNull(delivery.endedAtMs),
    unheard: unheardOf(delivery.result),
    result: delivery.result ?? null,
  };
}

/** One as it came. */
export function deliveryView(delivery: Delivery, trigger: string): DeliveryWire {
  const { key, digest, body } = delivery;
  return { ...deliverySummary(delivery, trigger), key, digest, body: body ?? null };
}

/** One that was sent again is told by the first. */
const eventResult = z.object({
  what: z.literal("event"),
  heard: z.literal(0),
  repeated: z.undefined().optional(),
});
const resultSchema = z.object({ items: z.array(z.object({ did: z.array(z.unknown()).default([]) })) });

function unheardOf(result: unknown): number {
  const items = resultSchema.safeParse(result).data?.items ?? [];
  return items.flatMap(({ did }) => did).filter((one) => eventResult.safeParse(one).success).length;
}
