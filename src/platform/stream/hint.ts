/**
 * What a frame of the batch stream seems to say. Its shape is not documented (contract 6.2), so every field is
 * a guess from the names seen elsewhere in the contract, and none of it is truth (invariant I4): whoever gets a
 * hint asks the REST interface.
 */
export interface Hint {
  /**
   * The newest word about each item that the frames named, by item id, or else by call id or number: whichever
   * the frame had first. As many as frames fit into one window.
   */
  readonly items: ReadonlyMap<string, string>;
  /** What the newest frame about the whole batch said of it. */
  readonly batchStatus?: string;
  /** Counters of the batch. */
  readonly counts?: Readonly<Record<string, number>>;
  /** A guess whether the whole batch has ended, where a frame says something about the batch. */
  readonly terminal?: boolean;
  /** When the newest frame arrived, epoch milliseconds. */
  readonly receivedAtMs: number;
}

const ITEM_ID = ["item_id", "batch_item_id", "batch_call_item_id"] as const;
const CALL_ID = ["call_id"] as const;
const PHONE = ["phone_number", "to_number", "phone"] as const;
const STATUS = ["status", "state"] as const;
const COUNTERS = ["total", "pending", "active", "completed", "failed", "processed"] as const;

/** Where a frame's content stands, if not at its top. */
const WRAPPERS = ["data", "payload", "item", "batch"] as const;

/** Words with which a batch may be over; `failed` is not in the contract but allowed for. */
const TERMINAL = new Set([
  "completed",
  "complete",
  "cancelled",
  "canceled",
  "failed",
  "finished",
  "ended",
  "done",
]);

/** A word longer than this is no id, number or status. */
const WORD_MAX_CHARS = 255;

type Fields = Readonly<Record<string, unknown>>;

/** Reads a frame; undefined if it is not a JSON object. An object that tells nothing is still a hint. */
export function readHint(frame: string, receivedAtMs: number): Hint | undefined {
  const top = parseObject(frame);
  if (top === undefined) return undefined;
  const layers = [top, ...WRAPPERS.map((name) => top[name]).filter(isObject)];
  const itemId =
    firstWord(layers, ITEM_ID) ?? (isObject(top["item"]) ? firstWord([top["item"]], ["id"]) : undefined);
  const key = itemId ?? firstWord(layers, CALL_ID) ?? firstWord(layers, PHONE);
  const status = firstWord(layers, STATUS);
  const counts = countsOf(layers);
  const aboutItem = key !== undefined && status !== undefined;
  return {
    items: aboutItem ? new Map([[key, status]]) : NO_ITEMS,
    ...(key === undefined &&
      status !== undefined && { batchStatus: status, terminal: TERMINAL.has(status.toLowerCase()) }),
    ...(counts !== undefined && { counts }),
    receivedAtMs,
  };
}

const NO_ITEMS: ReadonlyMap<string, string> = new Map();

/** Two hints as one: the newer word replaces the older one, item by item and for the batch. */
export function mergeHints(older: Hint, newer: Hint): Hint {
  const items = newer.items.size === 0 ? older.items : new Map([...older.items, ...newer.items]);
  return { ...older, ...newer, items };
}

function parseObject(frame: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(frame);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function firstWord(layers: readonly Fields[], names: readonly string[]): string | undefined {
  for (const layer of layers) {
    for (const name of names) {
      const value = Object.hasOwn(layer, name) ? layer[name] : undefined;
      if (typeof value === "string" && value !== "" && value.length <= WORD_MAX_CHARS) return value;
    }
  }
  return undefined;
}

function countsOf(layers: readonly Fields[]): Record<string, number> | undefined {
  const named = layers.map((layer) => layer["counts"]).find(isObject);
  const counters = layers.map((layer) => Object.fromEntries(COUNTERS.map((name) => [name, layer[name]])));
  // Statuses by which a platform counts are few; a frame that lists thousands is not remembered whole.
  const pairs = [
    ...Object.entries(named ?? {}).slice(0, 50),
    ...counters.flatMap((one) => Object.entries(one)),
  ];
  const numbers = pairs.filter((pair): pair is [string, number] => typeof pair[1] === "number");
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers);
}
