import { evaluate, evaluateText } from "../expressions/expressions.ts";
import { TakenIn, ValueProblem } from "../expressions/expression-values.ts";
import type { TriggerDefinition } from "./trigger.ts";
import { MAX_ITEMS, MAX_LIST_CHARS, type Sent } from "./trigger-mapping.ts";

/** A number as a payload has it, and the country of those without `+`. */
export interface NamedPerson {
  phone: string;
  region: string | undefined;
}

/**
 * Everybody whom something that came may be about, item by item: whoever a condition leaves out is among them.
 * What has no value or is no list is nobody's, and can't be acted on either. Pure, and lazy: whoever reads a long
 * list does so in pieces.
 */
export function* peopleNamed(
  { each, enroll, event, exit }: TriggerDefinition,
  whole: Sent,
): Generator<NamedPerson, void, undefined> {
  const payload = takeIn(whole.payload);
  if (!payload) return;
  const { headers, atMs } = whole;
  const scopeOf = (item: unknown) => ({ payload, item, headers, now: new Date(atMs) });
  const wanted = [enroll, event, exit].flatMap((one) => (one ? [one] : []));
  for (const item of itemsOf(each, payload, scopeOf)) {
    const seen = new Set<string>();
    for (const { phone, default_region: region } of wanted) {
      // Most of them name the same person in the same words.
      const key = JSON.stringify([phone, region]);
      if (seen.has(key)) continue;
      seen.add(key);
      const named = evaluateText(phone, "trigger", scopeOf(item));
      if (named.ok) yield { phone: named.value, region };
    }
  }
}

function itemsOf(
  each: string | undefined,
  payload: TakenIn,
  scopeOf: (item: unknown) => Record<string, unknown>,
): readonly unknown[] {
  if (each === undefined) return [payload];
  const found = evaluate(each, "trigger", scopeOf(payload), MAX_LIST_CHARS);
  return found.ok && Array.isArray(found.value) && found.value.length <= MAX_ITEMS ? found.value : [];
}

function takeIn(payload: unknown): TakenIn | undefined {
  try {
    return new TakenIn(payload);
  } catch (error) {
    if (error instanceof ValueProblem) return undefined;
    throw error;
  }
}
