import type { Clock, Timer } from "../clock.ts";
import type { IdSequence } from "../ids.ts";
import type { Prescribed } from "../prescribed.ts";
import { Random } from "../random.ts";
import type { Outcome } from "../simulator.ts";
import type { AgentFields } from "../schemas/agents.ts";
import { configOf } from "./agents.ts";
import type { AgentRecord } from "./agents.ts";
import type { BatchRecord, ItemRecord } from "./batches.ts";
import type { Organization } from "./organization.ts";

type CallPhase = "dialing" | "connected" | "ended";

/** Who called whom: over the phone either way, or from a browser, with a published agent or for a test. */
export type CallKind = "outbound" | "inbound" | "web" | "test";

/**
 * A call, kept small: hundreds of thousands of them stay in memory. Ids, transcripts and all that processing makes
 * are derived when somebody reads them. Times are milliseconds of the clock's `now()`.
 */
export interface CallRecord {
  readonly index: number;
  readonly organization: Organization;
  readonly agent: AgentRecord;
  /** The version of the agent that talks. */
  readonly version: number;
  readonly kind: CallKind;
  /** The organization's own number; empty for a call from a browser. */
  readonly fromNumber: string;
  /** The other side's number; for a call from a browser a name, which no number has, for its dice. */
  readonly phone: string;
  /** The how manieth dial of this number, from 1. Below 0 where it was not us who dialed. */
  readonly nth: number;
  readonly batch: BatchRecord | null;
  /** The batch item behind it; null for a single call. */
  readonly item: ItemRecord | null;
  readonly request: CallRequest | null;
  readonly createdAt: number;
  phase: CallPhase;
  /** What it comes to; settled when it is dialed, changed only by somebody who ends it. */
  outcome: Outcome;
  error: string | null;
  optedOut: boolean;
  callbackRequested: boolean;
  endedByRequest: boolean;
  /** Simulated milliseconds between answer and end. */
  talkMs: number;
  connectedAt: number | null;
  endedAt: number | null;
  /** What somebody said that its processing shows; null: what the seed makes of it. */
  readonly prescribed: Prescribed | null;
  /** What happened in its room, where it has one; null: it is simulated. */
  readonly talk: CallTalk | null;
  /** What a fault, or whoever prescribed it, does to its processing; null: nothing. */
  processing: ProcessingTrouble | null;
  /** What ends the present phase. */
  timer: Timer | null;
}

/** What was said on a call in a room, and who left it first; null while they are there, and where neither did. */
export interface CallTalk {
  readonly lines: TranscriptLine[];
  hungUpBy: "user" | "agent" | null;
}

/** One line of a transcript. */
export interface TranscriptLine {
  readonly role: "agent" | "user";
  readonly content: string;
  /** Seconds from the answer. */
  readonly start: number;
}

/** What a single call was asked for with. */
export interface CallRequest {
  readonly metadata: Record<string, unknown> | null;
  readonly variables: Record<string, string> | null;
  /** The configuration of a test call whose caller changed something for that call alone. */
  readonly config: AgentFields | null;
}

export interface ProcessingTrouble {
  readonly end: "completed" | "failed" | "never";
  /** Simulated milliseconds on top of what the seed says. */
  readonly lateByMs: number;
}

/** The configuration that the agent of a call talks with. */
export function configOfCall(call: CallRecord): AgentFields {
  return call.request?.config ?? configOf(call.agent, call.version);
}

/** Contract 3.2. A call that nobody answered has failed, whatever the reason. */
export type CallStatus = "waiting" | "ringing" | "connected" | "ended" | "failed";

/** Setting a call up before the other end rings, simulated. */
const SETUP_MS = 1_000;

/** From the end of a call until processing begins, and the bounds of how long that then takes; simulated. */
const PROCESSING_BEGINS_MS = 1_000;
const PROCESSING_TAKES_MS = [2_000, 8_000] as const;

export type ProcessingStatus = "pending" | "processing" | "completed" | "failed";

export type CallFilter = (call: CallRecord) => boolean;

/** The calls of an organization, oldest first: a page that was read stays as it was when new calls come. */
export class Calls {
  readonly #seed: number;
  readonly #clock: Clock;
  readonly #ids: IdSequence;
  /** By index; null where a call was deleted. */
  readonly #calls: (CallRecord | null)[] = [];
  /** Deleted ones, which the log of dials and their batches go on holding. */
  readonly #removed: CallRecord[] = [];

  constructor(seed: number, clock: Clock, ids: IdSequence) {
    this.#seed = seed;
    this.#clock = clock;
    this.#ids = ids;
  }

  add(call: Omit<CallRecord, "index">): CallRecord {
    const record: CallRecord = {
      index: this.#calls.length,
      organization: call.organization,
      agent: call.agent,
      version: call.version,
      kind: call.kind,
      fromNumber: call.fromNumber,
      phone: call.phone,
      nth: call.nth,
      batch: call.batch,
      item: call.item,
      request: call.request,
      createdAt: call.createdAt,
      phase: call.phase,
      outcome: call.outcome,
      error: call.error,
      optedOut: call.optedOut,
      callbackRequested: call.callbackRequested,
      endedByRequest: call.endedByRequest,
      talkMs: call.talkMs,
      connectedAt: call.connectedAt,
      endedAt: call.endedAt,
      prescribed: call.prescribed,
      talk: call.talk,
      processing: call.processing,
      timer: call.timer,
    };
    this.#calls.push(record);
    return record;
  }

  /** How many there ever were. */
  get count(): number {
    return this.#calls.length;
  }

  idOf(call: CallRecord): string {
    return this.#ids.at(call.index);
  }

  find(id: string): CallRecord | null {
    const index = this.#ids.indexOf(id);
    return index === null ? null : (this.#calls[index] ?? null);
  }

  /** The calls that fit, from the first that was made at `since` (a `now()`) or later. */
  select(since: number, fits: CallFilter): CallRecord[] {
    const found: CallRecord[] = [];
    for (let index = this.#firstSince(since); index < this.#calls.length; index += 1) {
      const call = this.#calls[index];
      if (call !== null && call !== undefined && fits(call)) {
        found.push(call);
      }
    }
    return found;
  }

  /** The calls of one batch that fit; it keeps them itself, so this does not look through all the others. */
  selectOf(batch: BatchRecord, fits: CallFilter): CallRecord[] {
    return batch.calls.filter((call) => this.#calls[call.index] === call && fits(call));
  }

  remove(call: CallRecord): void {
    this.#calls[call.index] = null;
    this.#removed.push(call);
  }

  isRemoved(call: CallRecord): boolean {
    return this.#calls[call.index] !== call;
  }

  /** Every call that there ever was, deleted ones included, by index. */
  everyone(): CallRecord[] {
    const kept = this.#calls.filter((call) => call !== null);
    return [...kept, ...this.#removed].sort((one, other) => one.index - other.index);
  }

  /** Takes a call back as it was before a restart; calls come by index, without gaps. */
  takeBack(call: CallRecord, removed: boolean): void {
    this.#calls.push(removed ? null : call);
    if (removed) {
      this.#removed.push(call);
    }
  }

  statusOf(call: CallRecord): CallStatus {
    switch (call.phase) {
      case "dialing": {
        if (call.kind === "web" || call.kind === "test") {
          // Nothing rings: the room waits for somebody to join.
          return "waiting";
        }
        const waitedMs = this.#clock.simulated(this.#clock.now() - call.createdAt);
        return waitedMs < SETUP_MS ? "waiting" : "ringing";
      }
      case "connected":
        return "connected";
      case "ended":
        return call.connectedAt === null ? "failed" : "ended";
    }
  }

  /** Processing is a matter of time alone, so it needs no timer. */
  processingStatusOf(call: CallRecord): ProcessingStatus {
    if (call.endedAt === null) {
      return "pending";
    }
    const sinceEndMs = this.#clock.simulated(this.#clock.now() - call.endedAt);
    if (sinceEndMs < PROCESSING_BEGINS_MS) {
      return "pending";
    }
    const takesMs = this.processedAfterMs(call);
    return takesMs === null || sinceEndMs < takesMs ? "processing" : endedAs(call.processing);
  }

  /** Simulated milliseconds from the end of a call to the end of its processing; null: it never ends. */
  processedAfterMs(call: CallRecord): number | null {
    if (call.processing?.end === "never") {
      return null;
    }
    const random = new Random(this.#seed, "processing", call.phone, call.nth);
    return PROCESSING_BEGINS_MS + random.between(...PROCESSING_TAKES_MS) + (call.processing?.lateByMs ?? 0);
  }

  /** Creation times never go back, so this is a binary search, with deleted calls stepped over. */
  #firstSince(since: number): number {
    let low = 0;
    let high = this.#calls.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const call = this.#firstAtOrAfter(middle, high);
      if (call === null || call.createdAt >= since) {
        high = middle;
      } else {
        low = call.index + 1;
      }
    }
    return low;
  }

  #firstAtOrAfter(from: number, to: number): CallRecord | null {
    for (let index = from; index < to; index += 1) {
      const call = this.#calls[index];
      if (call !== null && call !== undefined) {
        return call;
      }
    }
    return null;
  }
}

function endedAs(trouble: ProcessingTrouble | null): ProcessingStatus {
  return trouble?.end === "failed" ? "failed" : "completed";
}
