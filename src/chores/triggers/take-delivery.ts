import { isDeepStrictEqual } from "node:util";

import { createBreather } from "../../ledger/ground/breather.ts";
import { digestOf } from "../../ledger/ground/digest.ts";
import { readSentBody } from "../../domain/triggers/sent-body.ts";
import { sequenceOfTrigger } from "../../domain/triggers/trigger.ts";
import { mapOneByOne, type MappedItem } from "../../domain/triggers/trigger-mapping.ts";
import { raiseAttention, resolveAttention } from "../../ledger/ground/attention.ts";
import {
  countFailedDeliveries,
  endDelivery,
  readDelivery,
  readFirstOf,
  type Delivery,
} from "../../ledger/triggers/deliveries.ts";
import { readTrigger, type Trigger } from "../../ledger/triggers/triggers.ts";
import type { ActivityDeps } from "../../activities/deps.ts";
import { actOn, type ActionResult } from "./act-on-item.ts";

/** What became of one item; deliveries show it. */
interface ItemResult {
  /** From 0, in the order of the list. */
  n: number;
  state: "done" | "ignored" | "failed";
  did?: ActionResult[];
  /** Which expression of the trigger did not work for it, and why. */
  field?: string;
  problem?: string;
}

interface Outcome {
  state: "done" | "ignored" | "failed";
  result: {
    trigger_version: number;
    items: ItemResult[];
    field?: string;
    problem?: string;
    /** The delivery under whose key this one came, which asks for the same. */
    repeats?: string;
    /** The delivery under whose key this one came, and asks for something else. */
    differs_from?: string;
  };
}

/**
 * Works a delivery off under its trigger's present definition. What can't be done until a person mends something
 * makes it `failed`, and that is put on the list that people see.
 *
 * Safe to retry, and to be done by two at once: what is done for an item is remembered under its key by the
 * transaction that does it, and the delivery ends once.
 */
export async function takeDelivery(
  deps: ActivityDeps,
  { deliveryId }: { deliveryId: string },
): Promise<void> {
  const delivery = await readDelivery(deps.ledger.db, deliveryId);
  if (delivery?.state !== "received") return;
  const trigger = await readTrigger(deps.ledger.db, delivery.triggerId);
  if (!trigger) throw new Error(`delivery ${deliveryId} has no trigger`);
  const outcome = (await besideItsFirst(deps, trigger, delivery)) ?? (await workOff(deps, trigger, delivery));
  await end(deps, trigger, delivery, outcome);
  deps.outbox.kick();
}

async function workOff(deps: ActivityDeps, trigger: Trigger, delivery: Delivery): Promise<Outcome> {
  const result: Outcome["result"] = { trigger_version: trigger.version, items: [] };
  const mapping = mappingOf(trigger, delivery);
  if (!mapping.ok) {
    return { state: "failed", result: { ...result, field: mapping.field, problem: mapping.problem } };
  }
  const before = doneBefore(trigger, delivery);
  const elementName = elementNames();
  const breathe = createBreather();
  for (const item of mapping.items) {
    const n = result.items.length;
    const at = { n, element: elementName(mapping.elements[n]) };
    result.items.push(before.get(n) ?? (await resultOf(deps, trigger, delivery, at, item)));
    await breathe();
  }
  return { state: stateOf(result.items), result };
}

/**
 * What becomes of another body under a key that came before. Senders write times and counters of tries anew: as long as
 * the trigger makes the same of both, it is the same again. Otherwise the second may be lost, or the first be done
 * twice, and a person says which. Undefined where it is to be worked off.
 */
async function besideItsFirst(
  deps: ActivityDeps,
  trigger: Trigger,
  delivery: Delivery,
): Promise<Outcome | undefined> {
  // A person wants it worked off.
  if (delivery.result !== undefined) return undefined;
  const first = await readFirstOf(deps.ledger.db, delivery);
  if (!first) return undefined;
  const result = { trigger_version: trigger.version, items: [] };
  // As if both had come at once: an expression may ask for the time.
  const again = await wantedOf(mappingOf(trigger, { ...delivery, receivedAtMs: first.receivedAtMs }));
  const isSame =
    first.body !== undefined && isDeepStrictEqual(await wantedOf(mappingOf(trigger, first)), again);
  return isSame
    ? { state: "ignored", result: { ...result, repeats: first.id } }
    : { state: "failed", result: { ...result, differs_from: first.id } };
}

/** What is asked for, without what makes it the same again. */
async function wantedOf(mapping: ReturnType<typeof mapOneByOne>): Promise<unknown> {
  if (!mapping.ok) return mapping;
  const wanted: unknown[] = [];
  const breathe = createBreather();
  for (const item of mapping.items) {
    wanted.push(item.kind === "wanted" ? item.wanted : item);
    await breathe();
  }
  return wanted;
}

function mappingOf(trigger: Trigger, { body, receivedAtMs }: Delivery): ReturnType<typeof mapOneByOne> {
  if (!body) return { ok: false, field: "the body", problem: "was forgotten" };
  const reading = readSentBody(body.type, body.text);
  if (!reading.ok) return { ok: false, field: "the body", problem: reading.problem };
  const { payload } = reading;
  return mapOneByOne(trigger.definition, { payload, headers: body.headers, atMs: receivedAtMs });
}

/**
 * Names by which elements of a list are known wherever they stand in it: a digest, and which of its equals it is.
 * Whoever mends a trigger may leave some out, or bring them into another order.
 */
function elementNames(): (element: unknown) => string {
  const seen = new Map<string, number>();
  return (element) => {
    const digest = digestOf(element);
    const nth = seen.get(digest) ?? 0;
    seen.set(digest, nth + 1);
    return `${digest}:${nth}`;
  };
}

/**
 * Of a delivery that failed in part and is worked off again: items that were through then stay as they are. By another
 * version of its trigger others may stand in their places: what was done for each is known by its key alone.
 */
function doneBefore({ version }: Trigger, { result }: Delivery): Map<number, ItemResult> {
  if (result?.["trigger_version"] !== version) return new Map();
  const items: unknown = result["items"];
  if (!Array.isArray(items)) return new Map();
  const through = items.filter(isThrough);
  return new Map(through.map((item) => [item.n, item]));
}

function isThrough(item: unknown): item is ItemResult {
  if (typeof item !== "object" || item === null || !("n" in item) || !("state" in item)) return false;
  return typeof item.n === "number" && item.state === "done";
}

async function resultOf(
  deps: ActivityDeps,
  trigger: Trigger,
  delivery: Delivery,
  { n, element }: { n: number; element: string },
  item: MappedItem,
): Promise<ItemResult> {
  if (item.kind === "ignored") return { n, state: "ignored" };
  if (item.kind === "problem") return { n, state: "failed", field: item.field, problem: item.problem };
  const did = await actOn(deps, {
    trigger,
    delivery,
    element,
    idempotencyKey: item.idempotencyKey,
    dataKeys: deps.dataKeys,
    wanted: item.wanted,
  });
  return { n, state: did.some((one) => one.needs_a_person) ? "failed" : "done", did };
}

function stateOf(items: readonly ItemResult[]): Outcome["state"] {
  if (items.some((item) => item.state === "failed")) return "failed";
  return items.some((item) => item.state === "done") ? "done" : "ignored";
}

async function end(
  deps: ActivityDeps,
  trigger: Trigger,
  delivery: Delivery,
  { state, result }: Outcome,
): Promise<void> {
  const nowMs = deps.now();
  await deps.ledger.transaction(async (tx) => {
    const ended = await endDelivery(tx, {
      deliveryId: delivery.id,
      state,
      result: { ...result },
      enrollsInto: sequenceOfTrigger(trigger.definition),
      nowMs,
    });
    if (!ended) return;
    if (result.differs_from !== undefined)
      return raiseAttention(tx, {
        kind: "delivery_differs",
        subject: delivery.id,
        brand: brandOf(trigger),
        summary: `through the trigger ${trigger.name} came another body under the key of delivery ${result.differs_from}, and asks for something else: only the first was acted on`,
        remedy: `look at both (\`outdial trigger deliveries ${trigger.name} --id ${delivery.id}\`): where it is another event, mend the trigger's idempotency, and \`outdial trigger retry ${trigger.name} --id ${delivery.id}\` acts on it; where it is the same, \`outdial trigger skip ${delivery.id}\``,
        nowMs,
      });
    if (delivery.result?.["differs_from"] !== undefined)
      await resolveAttention(tx, {
        kind: "delivery_differs",
        subject: delivery.id,
        by: "engine",
        resolution: "it was worked off",
        nowMs,
      });
    if (state === "failed") {
      await raiseAttention(tx, {
        kind: "delivery_failed",
        subject: trigger.name,
        brand: brandOf(trigger),
        summary: `what came through the trigger ${trigger.name} could not be acted on: ${told(result)}`,
        remedy: `see \`outdial trigger deliveries ${trigger.name} --state failed\`, mend the trigger, its sequence or the sender, then \`outdial trigger retry ${trigger.name}\``,
        nowMs,
      });
    } else if (delivery.result !== undefined && (await countFailedDeliveries(tx, trigger.id)) === 0) {
      await resolveAttention(tx, {
        kind: "delivery_failed",
        subject: trigger.name,
        by: "engine",
        resolution: "every delivery that had failed was worked off",
        nowMs,
      });
    }
  });
}

function brandOf({ definition: { enroll, event, exit } }: Trigger): string {
  return (enroll ?? event ?? exit)?.brand ?? "default";
}

/** The first problem, without anything of the payload. */
function told(result: Outcome["result"]): string {
  if (result.field !== undefined) return `${result.field} ${result.problem ?? ""}`;
  const failed = result.items.find((item) => item.state === "failed");
  if (failed?.field !== undefined) return `${failed.field} ${failed.problem ?? ""}`;
  const action = failed?.did?.find((one) => one.needs_a_person);
  return action ? `${action.what}: ${action.reason ?? ""}` : "see its result";
}
