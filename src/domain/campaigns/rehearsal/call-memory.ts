import { CONVERSATIONS, DISPOSITIONS, type Disposition } from "../../policy/disposition.ts";
import type { DialingPolicy, FrequencyCap } from "../../policy/dialing-policy.ts";
import type { ContactFacts } from "../../policy/gate-question.ts";
import { DAY_MS } from "../../time/local-day.ts";
import { looksAhead } from "../../policy/retry-delay.ts";
import type { People } from "./people.ts";

/*
 * The calls that were made in a run, and from them the facts that the ledger would know at that moment. This is the one
 * place where facts for the gate are made in a rehearsal: a new rule's fact is added here.
 */

const NO_CALLS: ContactFacts["attemptsByDisposition"] = {};
/** As a list that is imported into the ledger would have it. */
const SUPPRESSION = { scope: "brand", source: "list", reason: "on the list of whom not to call" } as const;
const NO_CAPS: readonly undefined[] = [];
const NOTHING_SAID: ContactFacts["consents"] = [];
const CONVERSED: ReadonlySet<Disposition> = new Set(CONVERSATIONS);

export class CallMemory {
  readonly #people: People;
  readonly #policy: DialingPolicy;
  readonly #room: number;
  readonly #made: Uint8Array;
  /** Of each person's n-th call; when it began, only where a retry asks for it. */
  readonly #beganMs: Float64Array | undefined;
  readonly #endedMs: Float64Array;
  readonly #came: Uint8Array;

  constructor(people: People, policy: DialingPolicy) {
    this.#people = people;
    this.#policy = policy;
    this.#room = policy.maxAttempts;
    this.#made = new Uint8Array(people.count);
    this.#beganMs = looksAhead(policy.delays) ? new Float64Array(people.count * this.#room) : undefined;
    this.#endedMs = new Float64Array(people.count * this.#room);
    this.#came = new Uint8Array(people.count * this.#room);
  }

  callsOf(person: number): number {
    return this.#made[person] ?? 0;
  }

  book(person: number, call: { disposition: Disposition; beganMs: number; endedMs: number }): void {
    const nth = this.callsOf(person);
    const at = person * this.#room + nth;
    this.#made[person] = nth + 1;
    if (this.#beganMs) this.#beganMs[at] = call.beganMs;
    this.#endedMs[at] = call.endedMs;
    this.#came[at] = DISPOSITIONS.indexOf(call.disposition);
  }

  /**
   * Calls that were made before the rehearsal begins, of which the last alone is known: a day apart, and each came to what
   * that one did. What of them counts still is in the moment at which the person is due.
   */
  bookEarlier(
    person: number,
    {
      calls,
      cameTo = "no_answer",
      beforeMs,
    }: { calls: number; cameTo: Disposition | undefined; beforeMs: number },
  ): void {
    const many = Math.min(calls, this.#room);
    for (let nth = 0; nth < many; nth += 1) {
      const atMs = beforeMs - (many - nth) * DAY_MS;
      this.book(person, { disposition: cameTo, beganMs: atMs, endedMs: atMs });
    }
  }

  /** How many of a person's calls came to that. */
  cameTo(person: number, disposition: Disposition): number {
    let count = 0;
    for (let nth = 0; nth < this.callsOf(person); nth += 1) {
      if (this.#dispositionOf(person, nth) === disposition) count += 1;
    }
    return count;
  }

  /** When each of a person's calls began, in order; none where no retry of the policy asks. */
  calledMs(person: number): number[] {
    const from = person * this.#room;
    return this.#beganMs ? [...this.#beganMs.subarray(from, from + this.callsOf(person))] : [];
  }

  /** What the ledger would know. Nothing of other campaigns, of calls from people: see docs/rehearsal.md. */
  factsOf(person: number, input: { dueAtMs: number; nowMs: number }): ContactFacts {
    const { lanes, laneOf, kinds, kindOf, suppressed, consents } = this.#people;
    const lane = lanes[laneOf[person] ?? 0];
    const made = this.callsOf(person);
    const last = made === 0 ? undefined : this.#dispositionOf(person, made - 1);
    const caps = this.#policy.frequency;
    return {
      number: kinds[kindOf[person] ?? 0] ?? { country: undefined, costly: undefined },
      zones: lane?.zones ?? [],
      places: lane?.places ?? [],
      suppression: suppressed.has(person) ? SUPPRESSION : undefined,
      consents: consents.get(person) ?? NOTHING_SAID,
      attempts: made,
      attemptsByDisposition: made === 0 ? NO_CALLS : this.#byDisposition(person),
      lastDisposition: last,
      openElsewhere: false,
      dueAtMs: input.dueAtMs,
      calledBackAtMs: undefined,
      calledAtMs: undefined,
      lastCallAtMs: undefined,
      ownLastCallAtMs: made === 0 ? undefined : this.#endedAt(person, made - 1),
      cappedSinceMs:
        caps.length === 0 ? NO_CAPS : caps.map((cap) => this.#cappedSince(person, cap, input.nowMs)),
      perhapsCappedSinceMs: caps.length === 0 ? NO_CAPS : caps.map(() => undefined),
      undecidedUntilMs: undefined,
      // The pace of real calls: nobody is called twice within a minute.
      isSimulated: false,
    };
  }

  #byDisposition(person: number): ContactFacts["attemptsByDisposition"] {
    const counts: Partial<Record<Disposition, number>> = {};
    for (let nth = 0; nth < this.callsOf(person); nth += 1) {
      const disposition = this.#dispositionOf(person, nth);
      counts[disposition] = (counts[disposition] ?? 0) + 1;
    }
    return counts;
  }

  /** As the facts query has it: when the oldest of the newest calls ended that are as many as the cap allows. */
  #cappedSince(person: number, cap: FrequencyCap, nowMs: number): number | undefined {
    let counted = 0;
    for (let nth = this.callsOf(person) - 1; nth >= 0; nth -= 1) {
      const endedMs = this.#endedAt(person, nth);
      if (endedMs <= nowMs - cap.withinMs) return undefined;
      if (cap.counts === "conversations" && !CONVERSED.has(this.#dispositionOf(person, nth))) continue;
      counted += 1;
      if (counted === cap.atMost) return endedMs;
    }
    return undefined;
  }

  #dispositionOf(person: number, nth: number): Disposition {
    return DISPOSITIONS[this.#came[person * this.#room + nth] ?? 0] ?? "unknown";
  }

  #endedAt(person: number, nth: number): number {
    return this.#endedMs[person * this.#room + nth] ?? 0;
  }
}
