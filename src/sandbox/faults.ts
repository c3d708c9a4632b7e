import { z } from "zod";

import { documentFaults } from "./schemas/knowledge-bases.ts";
import { share, times } from "./schemas/fault-fields.ts";
import { roomFaults } from "./schemas/room-faults.ts";
import { workflowFaults } from "./schemas/workflow-faults.ts";

import { Random } from "./random.ts";

/**
 * Faults are data: what to do wrong, where, and how often. All their durations are milliseconds of the real world
 * (a network does not get faster with the sandbox's speed). `times` is how often a fault strikes before it is spent;
 * without it, it stays until it is removed.
 */
const durationMs = z.number().min(0);
/** A method and a path template, such as `POST /v1/batch-calls/:id/start`, or `*` for every route of the platform. */
const route = z.string().regex(/^(\*|(GET|POST|PATCH|PUT|DELETE) \/\S+)$/);
const phone = z.string().optional();

const FORCEABLE = new Set(["POST /v1/batch-calls/:id/start", "POST /v1/batch-calls/:id/resume"]);

/** Ways in which platforms write times beside the contract's ISO 8601; the first three name no zone. */
export const TIME_SHAPES = [
  "naive",
  "spaced",
  "microseconds",
  "offset",
  "epoch_seconds",
  "epoch_milliseconds",
] as const;

const routeFaults = [
  /** The request waits before it has its effect, which it has then even if the client gave up meanwhile. */
  z.strictObject({
    kind: z.literal("latency"),
    route,
    ms: durationMs,
    jitter_ms: durationMs.optional(),
    /** Makes `ms` the median of a log-normal distribution with this spread; 0.5 is a calm network, 1.5 a bad one. */
    sigma: z.number().min(0).max(3).optional(),
    share,
    times,
  }),
  /** The request is answered with this status; it has no effect. With `id` only where the path names this record. */
  z.strictObject({
    kind: z.literal("status"),
    route,
    status: z.int().min(400).max(599),
    id: z.string().optional(),
    body: z.json().optional(),
    /** Sent as it is, so that absurd values can be tried. */
    retry_after: z.string().optional(),
    share,
    times,
  }),
  /** The connection is cut; the request has no effect. */
  z.strictObject({ kind: z.literal("drop_before"), route, share, times }),
  /** The request has its effect, and the connection is cut instead of answering. */
  z.strictObject({ kind: z.literal("drop_after"), route, share, times }),
  /**
   * The connection is cut, or answered with `status`, and the request takes effect `after_ms` later, if the state
   * then still allows it. With `regardless` a start takes effect whatever became of the batch in between, cancelled
   * and deleted included: a hostile platform.
   */
  z.strictObject({
    kind: z.literal("late"),
    route,
    after_ms: durationMs,
    status: z.int().min(400).max(599).optional(),
    regardless: z.boolean().optional(),
    share,
    times,
  }),
  /**
   * Records in the answer (itself, or the rows of its list) are not what they are: these fields have these values, and
   * with `row` the whole record is replaced. With `phone` or `id`, only records that show this number, or are this one.
   */
  z.strictObject({
    kind: z.literal("garble"),
    route,
    fields: z.record(z.string(), z.json()).optional(),
    row: z.json().optional(),
    phone,
    id: z.string().optional(),
    share,
    times,
  }),
] as const;

const platformFaults = [
  /** A stream is closed once it carried so many messages (0: at once). `abrupt` cuts it without a close frame. */
  z.strictObject({
    kind: z.literal("stream_close"),
    after_messages: z.int().min(0).optional(),
    code: z.int().min(1000).max(4999).optional(),
    abrupt: z.boolean().optional(),
    times,
  }),
  /** Stream connections are answered with this HTTP status. */
  z.strictObject({ kind: z.literal("stream_refuse"), status: z.int().min(400).max(599), times }),
  /** Messages of the stream are replaced by nonsense of a kind. */
  z.strictObject({
    kind: z.literal("stream_garble"),
    mode: z.enum(["not_json", "oversize", "wrong_ids", "false_status"]),
    times,
  }),
  /** Streams stay open and say nothing, heartbeats included. */
  z.strictObject({ kind: z.literal("stream_silence") }),
  /** A started batch is picked up so much later. */
  z.strictObject({ kind: z.literal("pickup_delay"), ms: durationMs, times }),
  /**
   * A start is accepted, and nobody ever picks the batch up: it stays as it is shown, `queued` where nothing is said.
   */
  z.strictObject({
    kind: z.literal("never_picked_up"),
    shown_as: z.enum(["pending", "queued", "running"]).optional(),
    times,
  }),
  /** A batch that is created is known nowhere (404, in no list) until so much later: replicas that lag. */
  z.strictObject({ kind: z.literal("visible_late"), ms: durationMs, times }),
  /** Calls end so much later than planned. */
  z.strictObject({ kind: z.literal("finish_late"), ms: durationMs, phone, times }),
  /** Calls never end by themselves. */
  z.strictObject({ kind: z.literal("never_finish"), phone, times }),
  /**
   * Calls are processed so much later, and then end as said: `never` stays at `processing` for good. One fault is
   * used up by each call that ends.
   */
  z.strictObject({
    kind: z.literal("processing"),
    ms: durationMs.optional(),
    end: z.enum(["completed", "failed", "never"]).optional(),
    phone,
    times,
  }),
  /** Call statuses are shown under other words: `{"ended": "wrapped_up"}`. So are those of batches. */
  z.strictObject({ kind: z.literal("call_words"), words: z.record(z.string(), z.string()) }),
  z.strictObject({ kind: z.literal("batch_words"), words: z.record(z.string(), z.string()) }),
  /** The synchronisation of SIP connections fails, with this text. */
  z.strictObject({ kind: z.literal("sip_sync_fails"), error: z.string().optional(), times }),
  /** Webhooks: sent twice, sent so much later (and so out of order), or answered by nobody. */
  z.strictObject({ kind: z.literal("webhook_duplicate"), event: z.string().optional(), times }),
  z.strictObject({ kind: z.literal("webhook_delay"), event: z.string().optional(), ms: durationMs, times }),
  z.strictObject({ kind: z.literal("webhook_loss"), event: z.string().optional(), times }),
  /** Item statuses are shown under other words: `{"no_answer": "unreached"}`. */
  z.strictObject({ kind: z.literal("item_words"), words: z.record(z.string(), z.string()) }),
  /** The items listing gives at most so many rows a page, whatever `limit` says. */
  z.strictObject({ kind: z.literal("items_page_cap"), rows: z.int().min(1) }),
  /** Times in answers are written in another way. */
  z.strictObject({ kind: z.literal("time_shape"), shape: z.enum(TIME_SHAPES) }),
  /** A page of items lacks those of this number, or all: a read that lies. One fault is used up by each page with rows. */
  z.strictObject({ kind: z.literal("items_missing"), phone, times }),
  /** A page of items shows those of this number, or all, as if nobody had dialed them. */
  z.strictObject({ kind: z.literal("items_forgotten"), phone, times }),
  /** The `Date` header is off by so much; negative is behind. */
  z.strictObject({ kind: z.literal("date_skew"), ms: z.number() }),
  /**
   * Batches are forgotten (404, in no list) while their dialing goes on: one that exists, or with `vanish_on` the
   * next that are created or started.
   */
  z.strictObject({ kind: z.literal("vanish"), batch_call_id: z.string() }),
  z.strictObject({ kind: z.literal("vanish_on"), event: z.enum(["create", "start"]), times }),
] as const;

export const faultSchema = z
  .discriminatedUnion("kind", [
    ...routeFaults,
    ...platformFaults,
    ...workflowFaults,
    ...documentFaults,
    ...roomFaults,
  ])
  .refine((fault) => fault.kind !== "late" || fault.regardless !== true || FORCEABLE.has(fault.route), {
    error: "only a start or resume of a batch can take effect regardless of the state",
    path: ["regardless"],
  });

export type Fault = z.output<typeof faultSchema>;
export type FaultKind = Fault["kind"];
export type FaultOf<K extends FaultKind> = Extract<Fault, { readonly kind: K }>;
/** Those that decide whether and how a request is answered. */
type RouteFault = Exclude<Extract<Fault, { readonly route: string }>, { readonly kind: "garble" }>;

/** A fault in force, with what it did so far. */
export interface ActiveFault {
  readonly fault_id: string;
  readonly fault: Fault;
  /** How often it has struck. */
  readonly hits: number;
  /** How often it will strike yet; null without a bound. 0: spent. */
  readonly remaining: number | null;
  /** For `late`: the effects that came, with the status that nobody got to see. The last thousand are kept. */
  readonly effects: readonly { readonly at: string; readonly status: number }[];
}

interface Armed {
  readonly fault_id: string;
  readonly fault: Fault;
  hits: number;
  remaining: number | null;
  readonly effects: { at: string; status: number }[];
}

/** Bounds what a test that forgets to clean up can pile up. */
const MOST_FAULTS = 1_000;
const MOST_EFFECTS = 1_000;

/** The faults in force. Spent ones stay listed, with what they did, until they are removed. */
export class Faults {
  readonly #armed: Armed[] = [];
  readonly #routes = new Set<string>();
  readonly #listeners: ((fault: Fault) => void)[] = [];
  readonly #refusals: ((fault: Fault) => string | null)[] = [];
  readonly #dice = new Random(0, "share of faults");
  #sequence = 0;

  /** Makes a route known; `add` refuses faults on routes that do not exist, so a slip of the pen is no silent pass. */
  knowRoute(name: string): void {
    this.#routes.add(name);
  }

  /** Calls the listener with each fault that comes into force; a listener that throws refuses the fault. */
  onAdded(listener: (fault: Fault) => void): void {
    this.#listeners.push(listener);
  }

  /** Asks before each fault is taken, now or as part of a scenario: a text says why this sandbox can't have it. */
  refuseWhere(reason: (fault: Fault) => string | null): void {
    this.#refusals.push(reason);
  }

  /** Throws if a fault is malformed, names an unknown route, or can't strike here. */
  check(fault: Fault): Fault {
    const parsed = faultSchema.parse(fault);
    if ("route" in parsed && parsed.route !== "*" && !this.#routes.has(parsed.route)) {
      throw new Error(`no such route: ${parsed.route}; known are ${[...this.#routes].sort().join(", ")}`);
    }
    for (const reason of this.#refusals) {
      const refused = reason(parsed);
      if (refused !== null) {
        throw new Error(refused);
      }
    }
    return parsed;
  }

  /** Puts a fault in force. Throws if it is malformed or names an unknown route. */
  add(fault: Fault): ActiveFault {
    const parsed = this.check(fault);
    if (this.#armed.length >= MOST_FAULTS) {
      throw new Error(`more than ${MOST_FAULTS} faults: remove some`);
    }
    this.#sequence += 1;
    const armed: Armed = {
      fault_id: `fault-${this.#sequence}`,
      fault: parsed,
      hits: 0,
      remaining: ("times" in parsed ? parsed.times : undefined) ?? null,
      effects: [],
    };
    this.#armed.push(armed);
    try {
      for (const listener of this.#listeners) {
        listener(parsed);
      }
    } catch (error) {
      this.remove(armed.fault_id);
      throw error;
    }
    return armed;
  }

  /** Takes a fault out of force; false if there is none of that id. */
  remove(faultId: string): boolean {
    const index = this.#armed.findIndex((armed) => armed.fault_id === faultId);
    if (index === -1) {
      return false;
    }
    this.#armed.splice(index, 1);
    return true;
  }

  clear(): void {
    this.#armed.length = 0;
  }

  list(): readonly ActiveFault[] {
    return [...this.#armed];
  }

  find(faultId: string): ActiveFault | null {
    return this.#armed.find((armed) => armed.fault_id === faultId) ?? null;
  }

  /** The oldest unspent fault of a kind, without using it up. */
  peek<K extends FaultKind>(kind: K): FaultOf<K> | null {
    const armed = this.#search((fault) => fault.kind === kind);
    // The search compared the kind, which is the discriminant.
    return armed === null ? null : (armed.fault as FaultOf<K>);
  }

  /** The oldest unspent fault of a kind that fits, used up by one. */
  take<K extends FaultKind>(kind: K, fits: (fault: FaultOf<K>) => boolean = () => true): FaultOf<K> | null {
    const armed = this.#search(
      (fault) => fault.kind === kind && fits(fault as FaultOf<K>) && this.#strikes(fault),
    );
    if (armed === null) {
      return null;
    }
    strike(armed);
    return armed.fault as FaultOf<K>;
  }

  /** The oldest unspent latency of a route, used up by one. */
  takeLatency(name: string): FaultOf<"latency"> | null {
    return this.take("latency", (fault) => isOn(fault.route, name));
  }

  /**
   * The oldest unspent fault that changes how a request of a route is answered, used up by one.
   *
   * @param id the record that the request's path names
   */
  takeForRoute(name: string, id?: string): TakenFault | null {
    const armed = this.#search(
      (fault) =>
        isRouteFault(fault) &&
        fault.kind !== "latency" &&
        isOn(fault.route, name) &&
        (fault.kind !== "status" || fault.id === undefined || fault.id === id) &&
        this.#strikes(fault),
    );
    if (armed === null || !isRouteFault(armed.fault)) {
      return null;
    }
    strike(armed);
    return {
      fault: armed.fault,
      record: (effect) => {
        armed.effects.push(effect);
        armed.effects.splice(0, Math.max(0, armed.effects.length - MOST_EFFECTS));
      },
    };
  }

  /** What is wrong with the records of an answer, oldest first. Each that fits is used up by one. */
  takeGarbles(name: string, fits: (fault: FaultOf<"garble">) => boolean): readonly FaultOf<"garble">[] {
    return this.#armed.flatMap((armed) => {
      const { fault } = armed;
      if (fault.kind !== "garble" || armed.remaining === 0) {
        return [];
      }
      if (!isOn(fault.route, name) || !fits(fault) || !this.#strikes(fault)) {
        return [];
      }
      strike(armed);
      return [fault];
    });
  }

  #strikes(fault: Fault): boolean {
    return !("share" in fault) || fault.share === undefined || this.#dice.chance(fault.share);
  }

  #search(fits: (fault: Fault) => boolean): Armed | null {
    // Asked several times a dial: with no fault in force this must cost nothing.
    if (this.#armed.length === 0) {
      return null;
    }
    return this.#armed.find((armed) => armed.remaining !== 0 && fits(armed.fault)) ?? null;
  }
}

export interface TakenFault {
  readonly fault: RouteFault;
  /** Notes an effect that came late. */
  readonly record: (effect: { readonly at: string; readonly status: number }) => void;
}

function isRouteFault(fault: Fault): fault is RouteFault {
  return "route" in fault && fault.kind !== "garble";
}

function isOn(route: string, name: string): boolean {
  return route === "*" || route === name;
}

function strike(armed: Armed): void {
  armed.hits += 1;
  if (armed.remaining !== null) {
    armed.remaining -= 1;
  }
}
