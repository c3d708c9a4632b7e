import { z } from "zod";

import { readBySchema, type DefinitionReading } from "../ground/definition-reading.ts";
import type { StoredCall } from "./rehearsal.ts";

/**
 * A call as the platform shows it, by its own fields, with what its batch's item said beside it where that is known.
 * Variables are those that it was made with, where the platform shows them.
 */
export const storedCallSchema = z.looseObject({
  call_id: z.string().min(1).max(255),
  /** The item's word, such as `voicemail`. */
  item_status: z.string().max(100).nullish(),
  /** The item's error text, such as `SIP 486 Busy Here`. */
  error_message: z.string().max(10_000).nullish(),
  /** The how manieth call to the contact it was. */
  attempt: z.int().min(1).max(1_000).nullish(),
});

/** Reads a call, and tells every problem of what is none. */
export function readStoredCall(value: unknown): DefinitionReading<StoredCall> {
  const reading = readBySchema(storedCallSchema, value, { whole: "the call", kind: "a call" });
  return reading.ok ? { ok: true, definition: storedCallOf(reading.definition) } : reading;
}

export function storedCallOf(call: z.output<typeof storedCallSchema>): StoredCall {
  const { item_status: itemStatus, error_message: errorText, attempt, ...raw } = call;
  const { to_number: phone, dynamic_variables: variables } = raw;
  return {
    raw,
    itemStatus: itemStatus ?? undefined,
    errorText: errorText ?? undefined,
    attempt: attempt ?? undefined,
    ...(typeof phone === "string" && { contact: { phone, region: null, variables: textsOf(variables) } }),
  };
}

function textsOf(variables: unknown): Record<string, string> {
  if (typeof variables !== "object" || variables === null) return {};
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
