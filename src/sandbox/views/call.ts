import type { z } from "zod";

import type { Clock } from "../clock.ts";
import { Conversation } from "../conversation.ts";
import type { Faults } from "../faults.ts";
import { callRoomName } from "../rooms/rooms.ts";
import type { callListItem, callResponse } from "../schemas/calls.ts";
import { callExecutionsView } from "./executions.ts";
import type { CallRecord } from "../state/calls.ts";

/** How calls are shown. What was said is made up from the seed on the way out. */
export class CallViews {
  readonly #seed: number;
  readonly #clock: Clock;
  readonly #faults: Faults;
  readonly #baseUrl: () => string;
  readonly #roomUrl: string | null;

  constructor(seed: number, clock: Clock, faults: Faults, baseUrl: () => string, roomUrl: string | null) {
    this.#seed = seed;
    this.#clock = clock;
    this.#faults = faults;
    this.#baseUrl = baseUrl;
    this.#roomUrl = roomUrl;
  }

  /** The word under which the status of a call is shown now. */
  statusWord(call: CallRecord): string {
    const status = call.organization.calls.statusOf(call);
    return this.#faults.peek("call_words")?.words[status] ?? status;
  }

  /** CallListItem (contract 2.3). */
  listed(call: CallRecord): z.output<typeof callListItem> {
    const { calls } = call.organization;
    return {
      call_id: calls.idOf(call),
      call_type: callTypeOf(call),
      status: this.statusWord(call),
      agent_id: call.agent.id,
      agent_name: call.agent.fields.name,
      ...numbersOf(call),
      batch_call_id: call.batch?.id ?? null,
      duration_seconds: durationOf(call),
      start_time: this.#clock.iso(call.createdAt),
      end_time: this.#clock.isoOrNull(call.endedAt),
      created_at: this.#clock.iso(call.createdAt),
    };
  }

  /** CallResponse (contract 2.3). */
  full(call: CallRecord): z.output<typeof callResponse> {
    const processing = call.organization.calls.processingStatusOf(call);
    return {
      ...this.listed(call),
      // The token is in the answer that makes the call, and nowhere else.
      access_token: null,
      ...this.#roomOf(call),
      ...(processing === "completed" ? this.#processed(call) : UNPROCESSED),
      processing_status: processing,
      workflow_executions: callExecutionsView(call, this.#clock),
      metadata: call.request?.metadata ?? null,
      dynamic_variables: call.request?.variables ?? call.item?.variables ?? null,
    };
  }

  /** Where a browser joins (contract 2.3). */
  #roomOf(call: CallRecord): { room_name: string | null; room_url: string | null } {
    return call.kind === "web" || call.kind === "test"
      ? { room_name: callRoomName(call), room_url: this.#roomUrl }
      : { room_name: null, room_url: null };
  }

  #processed(call: CallRecord) {
    const conversation = new Conversation(this.#seed, call);
    const { calls } = call.organization;
    return {
      transcript: conversation.transcript().map((line) => ({ ...line })),
      recording_url:
        call.connectedAt === null ? null : `${this.#baseUrl()}/v1/calls/${calls.idOf(call)}/recording`,
      call_analysis: conversation.analysis(),
      call_summary: conversation.summary(),
      call_sentiment: { ...conversation.sentiment() },
      call_cost: call.organization.billing.costOfCall(call.index),
      latency_metrics: conversation.latency(),
    };
  }
}

const UNPROCESSED = {
  transcript: null,
  recording_url: null,
  call_analysis: null,
  call_summary: null,
  call_sentiment: null,
  call_cost: null,
  latency_metrics: null,
};

/** Simulated seconds of talk, so that rules about duration mean the same at any speed; null until the call is over. */
function durationOf(call: CallRecord): number | null {
  if (call.endedAt === null) {
    return null;
  }
  return call.connectedAt === null ? 0 : Math.round(call.talkMs / 1000);
}

/** `inbound`, `outbound` or `web`; test calls are calls from a browser, too. */
export function callTypeOf(call: CallRecord): "inbound" | "outbound" | "web" {
  return call.kind === "test" ? "web" : call.kind;
}

function numbersOf(call: CallRecord): { from_number: string | null; to_number: string | null } {
  switch (call.kind) {
    case "outbound":
      return { from_number: call.fromNumber, to_number: call.phone };
    case "inbound":
      return { from_number: call.phone, to_number: call.fromNumber };
    case "web":
    case "test":
      return { from_number: null, to_number: null };
  }
}
