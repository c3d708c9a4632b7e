import {
  evaluate,
  evaluateCondition,
  evaluateText,
  type Evaluation,
  type JsonValue,
} from "../expressions/expressions.ts";
import { TakenIn, ValueProblem } from "../expressions/expression-values.ts";
import { valueFault } from "../ground/plain-text.ts";
import type { ConsentCells } from "../policy/consent.ts";
import { isEventName, type TriggerDefinition } from "./trigger.ts";

/** More than any sender puts into one request (HubSpot: 100). */
export const MAX_ITEMS = 500;

/** A list may be as large as a body (256 KB); each element is bounded again where it is used. */
export const MAX_LIST_CHARS = 262_144;

/** What came, as the expressions of its trigger see it. */
export interface Sent {
  payload: unknown;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** When it came. Unix milliseconds. */
  atMs: number;
}

/** What is to be done for one item. */
export type Wanted =
  | {
      kind: "enroll";
      sequence: string;
      brand: string;
      phone: string;
      region: string | undefined;
      timeZone: string | undefined;
      country: string | undefined;
      state: string | undefined;
      postalCode: string | undefined;
      consent: ConsentCells;
      variables: Record<string, string>;
      key: string | undefined;
    }
  | {
      kind: "event";
      name: string;
      sequence: string | undefined;
      brand: string;
      phone: string;
      region: string | undefined;
      data: Record<string, JsonValue>;
    }
  | {
      kind: "exit";
      sequence: string;
      brand: string;
      phone: string;
      region: string | undefined;
      outcome: string;
    };

export type MappedItem =
  | { kind: "wanted"; idempotencyKey: string | undefined; wanted: Wanted[] }
  /** The trigger's condition says that it does not count. */
  | { kind: "ignored" }
  | { kind: "problem"; field: string; problem: string };

type Unmapped = { ok: false; field: string; problem: string };

export type Mapping = { ok: true; items: MappedItem[] } | Unmapped;

/** What a trigger makes of what came: pure, so that it can be tried without anything running. */
export function mapSent(definition: TriggerDefinition, whole: Sent): Mapping {
  const mapping = mapOneByOne(definition, whole);
  return mapping.ok ? { ok: true, items: [...mapping.items] } : mapping;
}

/** Items that are mapped one by one. */
export interface MappingInTurn {
  ok: true;
  items: Iterable<MappedItem>;
  /** What each is made of, in the same order. */
  elements: readonly unknown[];
}

/** The same, where each item is mapped when its turn comes: all of a long list would take a while. */
export function mapOneByOne(definition: TriggerDefinition, whole: Sent): MappingInTurn | Unmapped {
  const taking = takeIn(whole.payload);
  if (!taking.ok) return { ok: false, field: "the body", problem: taking.problem };
  // Once for all items: 500 of them times a dozen expressions would walk along the payload 6,000 times.
  const sent = { ...whole, payload: taking.taken };
  if (definition.each === undefined)
    return { ok: true, items: [mapItem(definition, sent, sent.payload)], elements: [whole.payload] };
  const found = evaluate(definition.each, "trigger", scopeOf(sent, sent.payload), MAX_LIST_CHARS);
  if (!found.ok) return { ok: false, field: "each", problem: found.problem };
  if (!Array.isArray(found.value)) return { ok: false, field: "each", problem: "comes to no list" };
  if (found.value.length > MAX_ITEMS)
    return {
      ok: false,
      field: "each",
      problem: `comes to ${found.value.length} items, and ${MAX_ITEMS} are taken at most`,
    };
  return { ok: true, items: mapItems(definition, sent, found.value), elements: found.value };
}

function* mapItems(
  definition: TriggerDefinition,
  sent: Sent,
  items: readonly unknown[],
): Generator<MappedItem, void, undefined> {
  for (const item of items) yield mapItem(definition, sent, item);
}

function takeIn(payload: unknown): { ok: true; taken: TakenIn } | { ok: false; problem: string } {
  try {
    return { ok: true, taken: new TakenIn(payload) };
  } catch (error) {
    if (error instanceof ValueProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

/** The part of a payload that makes it the same again. Undefined: the trigger names none, or this has none. */
export function fieldKeyOf(definition: TriggerDefinition, sent: Sent): string | undefined {
  const field = definition.idempotency?.field;
  if (field === undefined || definition.each !== undefined) return undefined;
  const key = evaluateText(field, "trigger", scopeOf(sent, sent.payload));
  return key.ok && key.value !== "" ? key.value : undefined;
}

function scopeOf(sent: Sent, item: unknown) {
  return { payload: sent.payload, item, headers: sent.headers, now: new Date(sent.atMs) };
}

/** Thrown within a mapping and caught at its edge: a problem of one field ends the item. */
class FieldProblem extends Error {
  readonly field: string;
  constructor(field: string, problem: string) {
    super(problem);
    this.field = field;
  }
}

function mapItem(definition: TriggerDefinition, sent: Sent, item: unknown): MappedItem {
  const scope = scopeOf(sent, item);
  try {
    if (definition.when !== undefined) {
      const counts = valueOf("when", evaluateCondition(definition.when, "trigger", scope));
      if (!counts) return { kind: "ignored" };
    }
    const field = definition.idempotency?.field;
    const key =
      field === undefined ? undefined : valueOf("idempotency.field", evaluateText(field, "trigger", scope));
    if (key === "") throw new FieldProblem("idempotency.field", "comes to an empty text");
    return { kind: "wanted", idempotencyKey: key, wanted: wantedOf(definition, scope) };
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    return { kind: "problem", field: error.field, problem: error.message };
  }
}

type Scope = ReturnType<typeof scopeOf>;

function valueOf<Value>(field: string, result: Evaluation<Value>): Value {
  if (!result.ok) throw new FieldProblem(field, result.problem);
  const fault = valueFault(result.value);
  if (fault !== undefined) throw new FieldProblem(field, fault);
  return result.value;
}

function wantedOf({ enroll, event, exit }: TriggerDefinition, scope: Scope): Wanted[] {
  const textOf = (field: string, source: string) => valueOf(field, evaluateText(source, "trigger", scope));
  const optional = (field: string, source: string | undefined) =>
    source === undefined ? undefined : textOf(field, source);
  const wanted: Wanted[] = [];
  // In this order: somebody who is enrolled by this is told of this, too.
  if (enroll) {
    const variables = Object.entries(enroll.variables).map(
      ([name, source]) => [name, textOf(`enroll.variables.${name}`, source)] as const,
    );
    wanted.push({
      kind: "enroll",
      sequence: enroll.sequence,
      brand: enroll.brand,
      phone: textOf("enroll.phone", enroll.phone),
      region: enroll.default_region,
      timeZone: optional("enroll.time_zone", enroll.time_zone),
      country: optional("enroll.country", enroll.country),
      state: optional("enroll.state", enroll.state),
      postalCode: optional("enroll.postal_code", enroll.postal_code),
      consent: {
        basis: optional("enroll.consent_basis", enroll.consent_basis) ?? "",
        at: optional("enroll.consent_at", enroll.consent_at) ?? "",
        proof: optional("enroll.consent_proof", enroll.consent_proof) ?? "",
        expiresAt: optional("enroll.consent_expires_at", enroll.consent_expires_at) ?? "",
      },
      variables: Object.fromEntries(variables),
      key: optional("enroll.key", enroll.key),
    });
  }
  if (event) {
    const name = event.name ?? optional("event.name_from", event.name_from) ?? "";
    if (!isEventName(name)) throw new FieldProblem("event.name_from", "comes to no name of an event");
    const data = Object.entries(event.data).map(
      ([field, source]) =>
        [field, valueOf(`event.data.${field}`, evaluate(source, "trigger", scope))] as const,
    );
    wanted.push({
      kind: "event",
      name,
      sequence: event.sequence,
      brand: event.brand,
      phone: textOf("event.phone", event.phone),
      region: event.default_region,
      data: Object.fromEntries(data),
    });
  }
  if (exit) {
    wanted.push({
      kind: "exit",
      sequence: exit.sequence,
      brand: exit.brand,
      phone: textOf("exit.phone", exit.phone),
      region: exit.default_region,
      outcome: exit.outcome,
    });
  }
  return wanted;
}
