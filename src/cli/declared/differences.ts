import { documentOf, isSameKey, keyOf, nameOf, type DeclaredKey } from "../../domain/declared/documents.ts";
import { saysOf, type ScheduleSays } from "../../domain/schedules/recurring-spec.ts";
import type { DeclarationWire, DeclaredDifferenceWire } from "../../http/wire/declared.ts";
import type { Api } from "../api/client.ts";
import type { Colours } from "../view/colours.ts";
import { countText } from "../view/words.ts";
import type { FolderDocument } from "./folder.ts";

/** Documents of one request: what the system takes, with room for its frame. */
const MOST_AT_ONCE = 100;
const MOST_BYTES_AT_ONCE = 1024 * 1024;

/** What applying would change, document by document, in their order. */
export async function compare(
  api: Api,
  documents: readonly FolderDocument[],
): Promise<DeclaredDifferenceWire[]> {
  const items: DeclaredDifferenceWire[] = [];
  const schedules = schedulesIn(documents);
  const portions = [...portionsOf(documents.map(({ declared }) => documentOf(declared)))];
  const others = portions.length > 1 ? documents.map(({ declared }) => keyOf(declared)) : [];
  for (const some of portions) items.push(...(await api.declared.diff(some, schedules, others)).items);
  return items;
}

/** What the folder's schedules say of campaigns: it counts as soon as those are compared, wherever they stand. */
export function schedulesIn(documents: readonly FolderDocument[]): ScheduleSays[] {
  return documents.flatMap(({ declared }) =>
    declared.kind === "schedule" ? [saysOf(declared.definition)] : [],
  );
}

function* portionsOf(documents: readonly unknown[]): Generator<unknown[]> {
  let portion: unknown[] = [];
  let bytes = 0;
  for (const document of documents) {
    const size = Buffer.byteLength(JSON.stringify(document));
    if (portion.length > 0 && (portion.length >= MOST_AT_ONCE || bytes + size > MOST_BYTES_AT_ONCE)) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(document);
    bytes += size;
  }
  if (portion.length > 0) yield portion;
}

/** What was declared and is not in the folder, the last applied kinds first: as it would be pruned. */
export async function declaredNoMore(
  api: Api,
  documents: readonly FolderDocument[],
): Promise<DeclarationWire[]> {
  const { items } = await api.declared.list();
  return items.filter((item) => !documents.some(({ declared }) => isSameKey(keyOf(declared), item)));
}

const COLOUR = { create: "green", change: "yellow", same: "dim", refused: "red" } as const;

const SIGN = { create: "+", change: "~", same: "=", refused: "!" } as const;

/** A difference as lines, its fields below it. */
export function differenceText(item: DeclaredDifferenceWire, colours: Colours): string[] {
  const { change, fields, reason, warnings } = item;
  const line = `${SIGN[change]} ${nameOf(item)}${reason === null ? "" : `: ${reason}`}`;
  return [
    colours[COLOUR[change]](line),
    ...fields.map(({ field, before, after }) => `    ${field}: ${sideText(before)} -> ${sideText(after)}`),
    ...neededText(warnings),
  ];
}

/** What a document needs that is not there yet, below it. */
export function neededText(warnings: readonly string[]): string[] {
  return warnings.map((warning) => `    warning: ${warning}`);
}

function sideText(side: string | null): string {
  return side ?? "(not set)";
}

export function removalText(item: DeclaredKey & { removal: string }, colours: Colours): string {
  return colours.red(`- ${nameOf(item)}: ${item.removal}`);
}

/** `2 to create, 1 to change, 5 the same`. */
export function summaryText(items: readonly DeclaredDifferenceWire[]): string {
  const count = (change: DeclaredDifferenceWire["change"]) =>
    items.filter((item) => item.change === change).length;
  const refused = count("refused");
  const told = `${count("create")} to create, ${count("change")} to change, ${count("same")} the same`;
  return refused === 0 ? told : `${told}, ${countText(refused, "document")} refused`;
}
