/*
 * Finds call ids in whatever a webhook carries: its payload is not documented (contract 6.1). What is found is only
 * ever looked up, so that a wrong find costs one look and changes nothing.
 */

/** A webhook is about one call, or a few; a list of hundreds is something else. */
const MAX_IDS = 50;
const MAX_DEPTH = 12;
/** Objects and lists looked into: a body of 256 KB may hold some hundred thousand. */
const MAX_VALUES = 20_000;

const CALL_KEY = /^(?:call_?(?:id|uuid|sid)|(?:current|parent|related)_?call_?id)$/i;
const CALL_LIST_KEY = /^call_?ids$/i;
/** What a record is of, where it carries its id as `id`. */
const CALL_WORD = /^calls?$|^call[_.-]|[_.-]call$|^call(?:Started|Ended|Connected|Analyzed)|[a-z]Call$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** Where a record says what it is. */
const KIND_KEY = /^(?:event|event_type|eventType|type|object|kind|topic)$/;
/** Ids are texts (contract 4); nothing else than this has been seen in one. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/;

/** Between the word for a call and its record. */
const WRAPPER = /^(?:data|payload|object|body|resource|record)$/i;

/** Ids that are named as a call's, and those that stand where one would: told apart, since only one may be meant. */
interface Found {
  named: Set<string>;
  likely: Set<string>;
}

/**
 * The ids of calls that a body names, in the order in which they were found, 50 at most. Ids that only stand where
 * a call's would count where none is named as one: a webhook has an id of its own, too.
 */
export function findCallIds(body: unknown): string[] {
  const found: Found = { named: new Set(), likely: new Set() };
  const queue: { value: unknown; depth: number; ofCall: boolean }[] = [
    { value: body, depth: 0, ofCall: saysCall(body) },
  ];
  // Breadth first: what stands outermost is what the event is about.
  for (let next = 0; next < queue.length && found.named.size < MAX_IDS; next += 1) {
    const at = queue[next];
    if (!at || typeof at.value !== "object" || at.value === null) continue;
    const isList = Array.isArray(at.value);
    for (const [key, value] of Object.entries(at.value)) {
      if (typeof value === "string") noteId(found, isList ? "" : key, value, at.ofCall);
      if (typeof value !== "object" || value === null) continue;
      if (CALL_LIST_KEY.test(key) && Array.isArray(value)) noteIds(found, value);
      if (at.depth === MAX_DEPTH || queue.length >= MAX_VALUES) continue;
      const goesOn = at.ofCall && (isList || WRAPPER.test(key));
      queue.push({
        value,
        depth: at.depth + 1,
        ofCall: goesOn || (!isList && CALL_WORD.test(key)) || saysCall(value),
      });
    }
  }
  return [...(found.named.size > 0 ? found.named : found.likely)].slice(0, MAX_IDS);
}

function noteId({ named, likely }: Found, key: string, value: string, ofCall: boolean): void {
  const text = value.trim();
  if (CALL_KEY.test(key) && ID.test(text)) named.add(text);
  else if (!UUID.test(text)) return;
  else if (key === "call") named.add(text);
  else if (ofCall && (key === "id" || key === "uuid" || key === "")) likely.add(text);
}

function noteIds({ named }: Found, values: readonly unknown[]): void {
  for (const value of values.slice(0, MAX_IDS)) {
    if (typeof value === "string" && ID.test(value.trim())) named.add(value.trim());
  }
}

/** `{"event": "call_ended", "id": ...}`, `{"type": "call", "data": {"id": ...}}`: the whole of it is about a call. */
function saysCall(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(value).some(
    ([key, word]) =>
      KIND_KEY.test(key) && typeof word === "string" && word.length <= 100 && CALL_WORD.test(word),
  );
}
