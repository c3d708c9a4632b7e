import { sql } from "drizzle-orm";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { readSequence, type SequenceDefinition } from "../../../src/domain/sequences/definition.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { at } from "../../../src/ledger/ground/sql.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";
import { followTurn } from "../../../src/ledger/sequences/after-turn.ts";
import { callStepsOf } from "../../../src/ledger/sequences/call-steps.ts";
import { commandEnrolment, EnrolmentOverError } from "../../../src/ledger/sequences/enrolment-commands.ts";
import type { InboxKind } from "../../../src/ledger/sequences/enrolment-inbox.ts";
import { takeEnrolmentTurn, type TurnResult } from "../../../src/ledger/sequences/enrolment-turns.ts";
import { enroll } from "../../../src/ledger/sequences/enrolling.ts";
import {
  pauseSequence,
  putSequenceVersion,
  resumeSequence,
} from "../../../src/ledger/sequences/sequence-commands.ts";
import { given } from "../../support/ledgers.ts";
import type { Person } from "./dial-oracle.ts";
import { running, type Running } from "./dial-records.ts";

/*
 * Sequences that call the same people as the campaigns do: a call, a wait, another call. Their turns are taken by what
 * the ledger says, as the relay takes them.
 */

/** What somebody waits for between the two calls. */
export type Rest =
  | { for: string }
  | { business_days: number; at?: string }
  | { until: string; days: "weekdays" | "business" };

/** What calls of a sequence are made by. */
export type StepPolicy = Pick<
  CampaignSpecInput,
  | "window"
  | "holidays"
  | "exceptions"
  | "presets"
  | "frequency"
  | "numbers"
  | "consent"
  | "retry"
  | "least_gap"
  | "concurrency"
  | "weight"
>;

export interface DrawnSequence {
  rest: Rest;
  policy: StepPolicy;
}

/** One of them, and what was told it. */
export interface Told {
  id: string;
  name: string;
  definition: SequenceDefinition;
  rest: Rest;
  isPaused: boolean;
  /** At any time. */
  wasPaused: boolean;
}

/** Somebody who is in a sequence. */
export interface Enrolled {
  id: string;
  sequence: Told;
  person: Person;
  enrolledMs: number;
  isResting: boolean;
  /** At any time. */
  wasResting: boolean;
  hasLeft: boolean;
}

/** A call of an enrolment, the first or the second. */
export interface PlacedCall {
  contact: number;
  enrolment: Enrolled;
  no: number;
  placedMs: number;
}

const BRAND = "two";

/** Somebody whose turn is due: by a row of the outbox, or by their time. */
interface Due {
  id: string;
  kind: string | null;
  turn: number | null;
}

/** More turns at one moment are no progress any more. */
const MOST_ROUNDS = 100;

export class DialSequences {
  readonly all: Told[] = [];
  readonly enrolled: Enrolled[] = [];
  readonly calls: PlacedCall[] = [];
  /** When turns were taken. */
  readonly turnsMs: number[] = [];
  readonly #ledger: Ledger;
  readonly #campaigns: Running[];
  readonly #wake: (campaignId: string) => void;
  /** Turns were taken since it was last seen what they placed. */
  #mayHavePlaced = false;

  constructor(ledger: Ledger, campaigns: Running[], wake: (campaignId: string) => void) {
    this.#ledger = ledger;
    this.#campaigns = campaigns;
    this.#wake = wake;
  }

  async begin(drawn: readonly DrawnSequence[], fromNumbers: readonly string[], nowMs: number): Promise<void> {
    for (const [index, { rest, policy }] of drawn.entries()) {
      const reading = readSequence({
        ...policy,
        name: `sequence ${index}`,
        brand: BRAND,
        agent_id: "agent",
        from_numbers: fromNumbers,
        steps: stepsAround(rest),
      });
      if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
      const { definition } = reading;
      const put = { definition, actor: "test", nowMs };
      const { sequence } = await this.#ledger.transaction((tx) => putSequenceVersion(tx, put));
      const { id, name } = sequence;
      this.all.push({ id, name, definition, rest, isPaused: false, wasPaused: false });
    }
  }

  async enroll(
    which: number,
    person: Person,
    { requestKey, nowMs }: { requestKey: string; nowMs: number },
  ): Promise<void> {
    const sequence = given(this.all[which % this.all.length]);
    const { phone, country: region, zones, places } = person;
    const where = { zones, strictZones: zones, places, strictPlaces: places };
    const whom = { phone, region, ...where, variables: {}, source: "test", requestKey };
    const result = await this.#ledger.transaction((tx) =>
      enroll(tx, { sequenceName: sequence.name, brand: BRAND, ...whom, nowMs }),
    );
    // Whoever was not answered asks again, and is in it already.
    if (result.kind === "refused" || this.enrolled.some(({ id }) => id === result.enrolmentId)) return;
    const id = result.enrolmentId;
    this.enrolled.push({
      id,
      sequence,
      person,
      enrolledMs: nowMs,
      isResting: false,
      wasResting: false,
      hasLeft: false,
    });
  }

  /** Tells one enrolment. Whoever is through hears nothing any more. */
  async tell(
    enrolled: Enrolled,
    kind: InboxKind,
    { requestKey, nowMs }: { requestKey: string; nowMs: number },
  ): Promise<void> {
    const entry = { kind, data: {}, requestKey, actor: "test", atMs: nowMs };
    try {
      const { turn } = await this.#ledger.transaction((tx) =>
        commandEnrolment(tx, { enrolmentId: enrolled.id, entry, nowMs }),
      );
      if (turn) await this.#follow(enrolled.id, turn, nowMs);
    } catch (error) {
      if (!(error instanceof EnrolmentOverError)) throw error;
      return;
    }
    enrolled.isResting = kind === "pause" || (kind !== "resume" && enrolled.isResting);
    enrolled.wasResting ||= enrolled.isResting;
    enrolled.hasLeft ||= kind === "exit";
  }

  async tellAll(sequence: Told, command: "pause" | "resume", nowMs: number): Promise<void> {
    const told = { sequenceId: sequence.id, actor: "test", reason: undefined, nowMs };
    try {
      await this.#ledger.transaction((tx) =>
        command === "pause" ? pauseSequence(tx, told) : resumeSequence(tx, told),
      );
    } catch (error) {
      if (!(error instanceof CommandRefusedError)) throw error;
      return;
    }
    sequence.isPaused = command === "pause";
    sequence.wasPaused ||= sequence.isPaused;
  }

  /** Everybody goes on. Whether a whole sequence does, whose campaigns are to look then. */
  async letGoOn(commandId: () => string, nowMs: number): Promise<boolean> {
    const paused = this.all.filter(({ isPaused }) => isPaused);
    for (const sequence of paused) await this.tellAll(sequence, "resume", nowMs);
    for (const one of this.enrolled)
      if (one.isResting) await this.tell(one, "resume", { requestKey: commandId(), nowMs });
    return paused.length > 0;
  }

  /** Takes all turns that are due. When the next one is; undefined: everybody is through. */
  async takeTurns(nowMs: number): Promise<number | undefined> {
    if (this.enrolled.length === 0) return undefined;
    for (let rounds = 0; rounds < MOST_ROUNDS; rounds += 1) {
      const active = await rows<Due & { is_due: boolean; look_ms: number | null }>(
        this.#ledger.db,
        sql`select e.id, o.kind, o.turn, round(extract(epoch from e.look_by) * 1000)::float8 as look_ms,
              coalesce(e.look_by <= ${at(nowMs)}, false) or coalesce(o.due_at <= ${at(nowMs)}, false) as is_due
            from enrolments e
              left join outbox o on o.kind in ('enrolment', 'enrolment_bulk') and o.subject = e.id::text
            where e.state = 'active' order by e.phone, e.id`,
      );
      const due = active.filter((one) => one.is_due);
      if (due.length === 0) {
        await this.#noteCalls(nowMs);
        if (this.turnsMs.at(-1) !== nowMs) this.turnsMs.push(nowMs);
        const looks = active.map((one) => one.look_ms ?? Number.POSITIVE_INFINITY);
        return looks.length === 0 ? undefined : Math.min(...looks);
      }
      for (const one of due) await this.#takeTurn(one, nowMs);
    }
    throw new Error("turns are due over and over");
  }

  async #takeTurn({ id, kind, turn }: Due, nowMs: number): Promise<void> {
    this.#mayHavePlaced = true;
    const taken = await this.#ledger.transaction((tx) => takeEnrolmentTurn(tx, { enrolmentId: id, nowMs }));
    await this.#follow(id, given(taken), nowMs);
    // One that was written anew meanwhile stays.
    if (turn !== null)
      await rows(
        this.#ledger.db,
        sql`delete from outbox where kind = ${kind} and subject = ${id} and turn = ${turn}`,
      );
  }

  async #follow(enrolmentId: string, turn: TurnResult, nowMs: number): Promise<void> {
    const wake = { campaign: this.#wake };
    const ports = { ledger: this.#ledger, wake, outbox: { kick() {} }, now: () => nowMs };
    await followTurn({ ...ports, haltBatches: () => Promise.resolve() }, enrolmentId, turn);
  }

  /** What was placed since, and into which campaigns. */
  async #noteCalls(nowMs: number): Promise<void> {
    if (!this.#mayHavePlaced) return;
    const last = this.calls.at(-1)?.contact ?? 0;
    const found = await rows<{ id: number; enrolment: string; no: number; campaign: string; step: string }>(
      this.#ledger.db,
      sql`select c.id, c.enrolment_id as enrolment, c.call_no as no, c.campaign_id as campaign, k.step
          from contacts c join campaigns k on k.id = c.campaign_id
          where c.enrolment_id is not null and c.id > ${last} order by c.id`,
    );
    for (const { id: contact, enrolment: of, no, campaign, step } of found) {
      const enrolment = given(this.enrolled.find(({ id }) => id === of));
      this.calls.push({ contact, enrolment, no, placedMs: nowMs });
      if (this.#campaigns.some(({ id }) => id === campaign)) continue;
      const { id, definition } = enrolment.sequence;
      const { spec } = given(callStepsOf(id, definition).get(step));
      this.#campaigns.push(running({ id: campaign, brand: BRAND, spec, isStanding: true, sequence: id }));
    }
    this.#mayHavePlaced = false;
  }

  /** Whether nobody calls for it now, by what it was told itself. */
  isPaused({ sequence: of }: Pick<Running, "sequence">): boolean {
    return this.all.some(({ id, isPaused }) => id === of && isPaused);
  }

  /** Whom nobody calls for a sequence now. */
  get kept(): ReadonlySet<number> {
    return new Set(
      this.calls.flatMap(({ contact, enrolment: { isResting, hasLeft } }) =>
        isResting || hasLeft ? [contact] : [],
      ),
    );
  }
}

/** Both calls end by themselves in the end: nobody is in a sequence for ever. */
function stepsAround(rest: Rest): object[] {
  const on = (next: string) => ({
    unknown: next,
    refused: "done",
    not_reached_in_time: next,
    otherwise: next,
  });
  return [
    { id: "first", call: { give_up_after: "6d" }, on: on("rest") },
    { id: "rest", wait: rest },
    { id: "second", call: { give_up_after: "6d" }, on: on("done") },
    { id: "done", exit: { outcome: "over" } },
  ];
}
