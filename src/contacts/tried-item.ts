import type { MappedItem, Wanted } from "../domain/triggers/trigger-mapping.ts";
import { readContact } from "./one-contact.ts";

/** What would be done for an item, if a trigger was tried: `ok` where its numbers can be read. */
export type TriedItem =
  | { kind: "ignored"; ok: true }
  | { kind: "problem"; ok: false; field: string; problem: string }
  | {
      kind: "wanted";
      ok: boolean;
      idempotency_key?: string;
      /** Each with its number as it was read, or why it can't be. */
      wanted: (Wanted & { number: string })[];
    };

export function triedItem(item: MappedItem): TriedItem {
  if (item.kind === "ignored") return { kind: item.kind, ok: true };
  if (item.kind === "problem") {
    const { field, problem } = item;
    return { kind: item.kind, ok: false, field, problem };
  }
  let ok = true;
  const wanted = item.wanted.map((one) => {
    const contact = readContact(one.phone, { defaultRegion: one.region });
    ok &&= contact.ok;
    return { ...one, number: contact.ok ? contact.phone : contact.reason };
  });
  const { idempotencyKey } = item;
  return {
    kind: item.kind,
    ok,
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
    wanted,
  };
}
