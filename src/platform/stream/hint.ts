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
  /** Frames that say something which is not understood: something may have moved. */
  readonly unclear?: number;
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
  const fields = frameFields(frame);
  return fields && hintOf(fields, receivedAtMs);
}

/** What a frame's object seems to say. */
export function hintOf(top: Fields, receivedAtMs: number): Hint {
  const layers = layersOf(top);
  const about = itemOf(layers);
  const own = about && (wordIn(about.layer.fields, STATUS) ?? beside(layers, about.layer));
  const batchStatus = firstWord(about ? around(layers, about.layer, own?.from) : layers, STATUS);
  const counts = countsOf(layers.map(({ fields }) => fields));
  const isTelling = own !== undefined || batchStatus !== undefined || counts !== undefined;
  return {
    items: about && own ? new Map([[about.key, own.word]]) : NO_ITEMS,
    ...(batchStatus !== undefined && { batchStatus, terminal: TERMINAL.has(batchStatus.toLowerCase()) }),
    ...(counts !== undefined && { counts }),
    ...(!isTelling && !isIdle(layers) && { unclear: 1 }),
    receivedAtMs,
  };
}

const NO_ITEMS: ReadonlyMap<string, string> = new Map();

/** A frame's content, and what stands wrapped in it: the top first. */
interface Layer {
  fields: Fields;
  /** By what it is called in the layer around it; undefined: the top. */
  name?: string;
  inside?: Layer;
}

/** How deep a frame is wrapped at most. */
const DEEPEST = 3;

function layersOf(top: Fields): Layer[] {
  const layers: Layer[] = [{ fields: top }];
  let outer: readonly Layer[] = layers;
  for (let depth = 1; depth < DEEPEST; depth += 1) {
    outer = outer.flatMap((inside) =>
      WRAPPERS.flatMap((name) => {
        const fields = inside.fields[name];
        return isObject(fields) ? [{ fields, name, inside }] : [];
      }),
    );
    layers.push(...outer);
  }
  return layers;
}

/** The item that a frame is about, by the best of its names, and where that stands. */
function itemOf(layers: readonly Layer[]): { key: string; layer: Layer } | undefined {
  for (const names of [ITEM_ID, ["id"], CALL_ID, PHONE]) {
    for (const layer of layers) {
      if (names[0] === "id" && layer.name !== "item") continue;
      const key = wordIn(layer.fields, names)?.word;
      if (key !== undefined) return { key, layer };
    }
  }
  return undefined;
}

/** A word for an item whose own layer has none: it stands deeper, or around it where nothing is said of the batch. */
function beside(layers: readonly Layer[], own: Layer): Word | undefined {
  const others = layers.filter((layer) => layer !== own && layer.name !== "batch");
  for (const { fields } of [...others.filter((layer) => layer.inside === own), ...others]) {
    const found = wordIn(fields, STATUS);
    if (found) return found;
  }
  return undefined;
}

/** Where words about the batch stand in a frame about one of its items: around that, or under the batch's name. */
function around(layers: readonly Layer[], own: Layer, taken: Fields | undefined): Layer[] {
  const outer = new Set<Layer>();
  for (let layer = own.inside; layer; layer = layer.inside) outer.add(layer);
  return layers.filter(
    (layer) => layer !== own && layer.fields !== taken && (outer.has(layer) || layer.name === "batch"),
  );
}

/** Says that the connection lives, and nothing else. */
function isIdle(layers: readonly Layer[]): boolean {
  const kind = firstWord(layers, ["type", "event"]);
  return (
    kind !== undefined &&
    /^(?:heartbeat|keep.?alive|ping|pong|hello|welcome|connected|subscribed|ack)/i.test(kind)
  );
}

/** Two hints as one: the newer word replaces the older one, item by item and for the batch. */
export function mergeHints(older: Hint, newer: Hint): Hint {
  const items = newer.items.size === 0 ? older.items : new Map([...older.items, ...newer.items]);
  const unclear = (older.unclear ?? 0) + (newer.unclear ?? 0);
  return { ...older, ...newer, items, ...(unclear > 0 && { unclear }) };
}

/** A frame as it came; undefined if it is not a JSON object. */
export function frameFields(frame: string): Fields | undefined {
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

interface Word {
  word: string;
  from: Fields;
}

function wordIn(from: Fields, names: readonly string[]): Word | undefined {
  for (const name of names) {
    const word = Object.hasOwn(from, name) ? from[name] : undefined;
    if (typeof word === "string" && word !== "" && word.length <= WORD_MAX_CHARS) return { word, from };
  }
  return undefined;
}

function firstWord(layers: readonly Layer[], names: readonly string[]): string | undefined {
  for (const { fields } of layers) {
    const found = wordIn(fields, names);
    if (found) return found.word;
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
