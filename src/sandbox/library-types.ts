/*
 * What programs that take the sandbox as a library give and get, in words of its own: the schemas in faults.ts and
 * prescription.ts say the same, in types of a library that such a program need not have. A test holds them together.
 */

export type FaultJson = string | number | boolean | null | FaultJson[] | { [key: string]: FaultJson };

/** How often it strikes before it is spent; without it, it stays until it is removed. */
interface Counted {
  readonly times?: number | undefined;
}

/** Of requests on a route: `POST /v1/calls/phone`, `POST /v1/batch-calls/:id/start`, or `*` for every one. */
interface OnRoute extends Counted {
  readonly route: string;
  /** The share of requests that it strikes, 0 to 1; without it, all. */
  readonly share?: number | undefined;
}

/** Calls of one number alone. */
interface OfPhone {
  readonly phone?: string | undefined;
}

interface OfWorkflow {
  readonly workflow_id?: string | undefined;
}

interface OfEvent extends Counted {
  readonly event?: string | undefined;
}

interface Words {
  /** By the word that they stand for. */
  readonly words: Record<string, string>;
}

type RouteFault =
  | ({
      readonly kind: "latency";
      readonly ms: number;
      readonly jitter_ms?: number | undefined;
      readonly sigma?: number | undefined;
    } & OnRoute)
  | ({
      readonly kind: "status";
      readonly status: number;
      readonly id?: string | undefined;
      readonly body?: FaultJson | undefined;
      readonly retry_after?: string | undefined;
    } & OnRoute)
  | ({ readonly kind: "drop_before" } & OnRoute)
  | ({ readonly kind: "drop_after" } & OnRoute)
  | ({
      readonly kind: "late";
      readonly after_ms: number;
      readonly status?: number | undefined;
      readonly regardless?: boolean | undefined;
    } & OnRoute)
  | ({
      readonly kind: "garble";
      readonly fields?: Record<string, FaultJson> | undefined;
      readonly row?: FaultJson | undefined;
      readonly id?: string | undefined;
    } & OnRoute &
      OfPhone);

type StreamFault =
  | ({
      readonly kind: "stream_close";
      readonly after_messages?: number | undefined;
      readonly code?: number | undefined;
      readonly abrupt?: boolean | undefined;
    } & Counted)
  | ({ readonly kind: "stream_refuse"; readonly status: number } & Counted)
  | ({
      readonly kind: "stream_garble";
      readonly mode: "not_json" | "oversize" | "wrong_ids" | "false_status";
    } & Counted)
  | { readonly kind: "stream_silence" };

type CallFault =
  | ({ readonly kind: "pickup_delay"; readonly ms: number } & Counted)
  | ({
      readonly kind: "never_picked_up";
      readonly shown_as?: "pending" | "queued" | "running" | undefined;
    } & Counted)
  | ({ readonly kind: "visible_late"; readonly ms: number } & Counted)
  | ({ readonly kind: "finish_late"; readonly ms: number } & Counted & OfPhone)
  | ({ readonly kind: "never_finish" } & Counted & OfPhone)
  | ({
      readonly kind: "processing";
      readonly ms?: number | undefined;
      readonly end?: "completed" | "failed" | "never" | undefined;
    } & Counted &
      OfPhone)
  | { readonly kind: "vanish"; readonly batch_call_id: string }
  | ({ readonly kind: "vanish_on"; readonly event: "create" | "start" } & Counted);

type ShapeFault =
  | ({ readonly kind: "call_words" } & Words)
  | ({ readonly kind: "batch_words" } & Words)
  | ({ readonly kind: "item_words" } & Words)
  | { readonly kind: "items_page_cap"; readonly rows: number }
  | ({ readonly kind: "items_missing" } & Counted & OfPhone)
  | ({ readonly kind: "items_forgotten" } & Counted & OfPhone)
  | {
      readonly kind: "time_shape";
      readonly shape: "naive" | "spaced" | "microseconds" | "offset" | "epoch_seconds" | "epoch_milliseconds";
    }
  | { readonly kind: "date_skew"; readonly ms: number };

type AroundFault =
  | ({ readonly kind: "sip_sync_fails"; readonly error?: string | undefined } & Counted)
  | ({ readonly kind: "webhook_duplicate" } & OfEvent)
  | ({ readonly kind: "webhook_delay"; readonly ms: number } & OfEvent)
  | ({ readonly kind: "webhook_loss" } & OfEvent)
  | ({
      readonly kind: "execution";
      readonly outcome: "success" | "failed" | "timeout" | "stuck";
      readonly error?: string | undefined;
      readonly share?: number | undefined;
    } & Counted &
      OfWorkflow)
  | ({ readonly kind: "execution_slow"; readonly ms: number } & Counted & OfWorkflow)
  | ({
      readonly kind: "document";
      readonly outcome: "failed" | "stuck";
      readonly filename?: string | undefined;
      readonly error?: string | undefined;
    } & Counted);

/** Only where the rooms are on a LiveKit server; a restart only of one that the sandbox started. */
type RoomFault =
  | ({ readonly kind: "agent_never_joins" } & Counted)
  | ({ readonly kind: "agent_greets_late"; readonly ms: number } & Counted)
  | ({ readonly kind: "room_drops"; readonly after_ms?: number | undefined } & Counted)
  | ({ readonly kind: "room_token_expired" } & Counted)
  | { readonly kind: "room_server_restarts" };

/** What to do wrong, where, and how often. Durations are real milliseconds, whatever the speed. */
export type SandboxFault = RouteFault | StreamFault | CallFault | ShapeFault | AroundFault | RoomFault;

/** A fault in force, with what it did so far. */
export interface SandboxFaultInForce {
  readonly id: string;
  readonly fault: SandboxFault;
  /** How often it struck. */
  readonly hits: number;
  /** How often it will strike yet, 0 where it is spent; undefined: as often as it can. */
  readonly remaining: number | undefined;
  /** Of `late`: when requests took effect after all, and with which status. */
  readonly effects: readonly { readonly at: string; readonly status: number }[];
}

export interface SandboxFaults {
  /** Puts a fault in force. @throws Error which names what is wrong with it, or why this sandbox can't have it */
  add(fault: SandboxFault): SandboxFaultInForce;
  /** Takes one out of force; false where there is none of that id. */
  remove(id: string): boolean;
  /** All that were put in force and not removed, spent ones too, oldest first. */
  list(): readonly SandboxFaultInForce[];
  /** Takes all out of force, those of a scenario included. */
  clear(): void;
}

/** What a call comes to, by one word. */
export type SandboxOutcome = "answered" | "voicemail" | "no_answer" | "busy" | "failed" | "unreachable";

/** The same with details; what is left out follows from the seed. */
export interface SandboxCallPlan {
  readonly outcome: SandboxOutcome;
  /** Simulated milliseconds. */
  readonly ring_ms?: number | undefined;
  readonly talk_ms?: number | undefined;
  readonly error?: string | undefined;
  readonly opted_out?: boolean | undefined;
  readonly callback_requested?: boolean | undefined;
  /** Beside the sandbox's own; null: none. */
  readonly analysis?: Record<string, FaultJson> | null | undefined;
  readonly summary?: string | null | undefined;
  readonly transcript_lines?: number | undefined;
  readonly processing?: "completed" | "failed" | "never" | undefined;
  /** Simulated milliseconds. */
  readonly processing_late_ms?: number | undefined;
}
