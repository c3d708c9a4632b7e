import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { readSequence, type SequenceDefinition } from "../../../src/domain/sequences/definition.ts";
import {
  startPosition,
  takeTurn,
  type Effect,
  type JourneyEntry,
  type Next,
  type Position,
  type TurnFacts,
  type TurnInput,
} from "../../../src/domain/sequences/turn.ts";

export const AGENT = "11111111-1111-4111-8111-111111111111";
/** A Tuesday, 11:00 in Berlin. */
export const START_MS = Date.parse("2026-12-01T10:00:00Z");
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A definition of these steps; everything that a call needs is said for the whole sequence. */
export function written(steps: readonly object[], changes: object = {}): object {
  return { name: "welcome", agent_id: AGENT, from_numbers: ["+12025550100"], steps, ...changes };
}

export function read(steps: readonly object[], changes: object = {}): SequenceDefinition {
  const reading = readSequence(written(steps, changes));
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems, undefined, 1));
  return reading.definition;
}

/** One person's way, walked as the ledger walks it; each position goes through JSON, as it does there. */
export class Person {
  readonly definition: SequenceDefinition;
  position: Position;
  nowMs = START_MS;
  next: Next = { kind: "wait", untilMs: undefined };
  readonly journey: JourneyEntry[] = [];
  readonly effects: Effect[] = [];
  readonly asked: Next[] = [];
  facts: TurnFacts = {
    sequenceId: "5e000000-0000-4000-8000-000000000001",
    enrolmentId: "e0000000-0000-4000-8000-000000000001",
    phone: "+4930123456",
    region: "DE",
    zones: ["Europe/Berlin"],
    key: "",
  };
  /** What the ledger says of a call that is to be placed, and of one to be withdrawn. */
  placing: { reason: string; detail: string } | undefined;
  withdrawing: "withdrawn" | "in_flight" | "over" | "unknown" = "withdrawn";

  constructor(definition: SequenceDefinition, variables: Record<string, string> = {}) {
    this.definition = definition;
    this.position = startPosition(definition, variables);
  }

  /** Takes the inputs in, and goes on until it waits or is over. */
  take(...inputs: TurnInput[]): this {
    let pending = inputs;
    for (let turns = 0; turns < 2_000; turns += 1) {
      const { definition, position, facts, nowMs } = this;
      const turn = takeTurn({ definition, position, inputs: pending, facts, nowMs });
      // The ledger keeps it as JSON.
      this.position = JSON.parse(JSON.stringify(turn.position)) as Position;
      this.next = turn.next;
      this.journey.push(...turn.journey);
      this.effects.push(...turn.effects);
      pending = pending.slice(turn.taken);
      if (turn.next.kind === "done") return this;
      if (turn.next.kind === "wait" && pending.length === 0) return this;
      if (turn.next.kind !== "wait") this.asked.push(turn.next);
      if (turn.next.kind === "call" && this.placing)
        pending = [{ kind: "call_refused", callNo: turn.next.callNo, ...this.placing }, ...pending];
      if (turn.next.kind === "withdraw")
        pending = [{ kind: "withdrawal", callNo: turn.next.callNo, result: this.withdrawing }, ...pending];
    }
    throw new Error("it does not come to rest");
  }

  after(waitMs: number, ...inputs: TurnInput[]): this {
    this.nowMs += waitMs;
    return this.take(...inputs);
  }

  event(
    name: string,
    data: TurnInput extends infer I ? (I extends { data: infer D } ? D : never) : never = {},
  ): this {
    return this.take({ kind: "event", name, data, atMs: this.nowMs });
  }

  /** The call that is waited for comes to something. */
  call(
    disposition: Disposition | undefined,
    changes: { reason?: string; callNo?: number; errorText?: string } = {},
  ): this {
    return this.take({
      kind: "call_over",
      callNo: changes.callNo ?? this.position.counters.calls,
      disposition,
      reason: changes.reason,
      ...(changes.errorText !== undefined && { errorText: changes.errorText }),
      attempts: 1,
      callId: "call-1",
      durationSeconds: 61,
      endedAtMs: this.nowMs,
    });
  }

  get told(): string[] {
    return this.journey.map(({ step, what }) => `${step ?? "-"}: ${what}`);
  }

  get outcome(): string | undefined {
    return this.position.ended?.outcome;
  }
}
