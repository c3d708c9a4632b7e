import type { Clock } from "../clock.ts";
import type { DialLog } from "../dial-log.ts";
import type { Faults } from "../faults.ts";
import type { Outcomes } from "../outcomes.ts";
import type { AgentRecord } from "./agents.ts";
import type { BatchRecord, ItemRecord } from "./batches.ts";
import { configOfCall } from "./calls.ts";
import type { CallKind, CallRecord, CallRequest, ProcessingTrouble } from "./calls.ts";
import type { Organization } from "./organization.ts";

export interface DialInput {
  readonly organization: Organization;
  readonly agent: AgentRecord;
  readonly kind: CallKind;
  readonly fromNumber: string;
  readonly phone: string;
  readonly batch: BatchRecord | null;
  readonly item: ItemRecord | null;
  readonly request: CallRequest | null;
  /** It waits in a room for somebody, and goes on as they do: `join`, `end`, `hangUp`, `giveUp`. */
  readonly inRoom?: boolean;
}

/** Hears of calls as they go on. */
export interface CallObserver {
  /** It was placed, or came in. Batches know of their own calls before. */
  callStarted?(call: CallRecord): void;
  callConnected(call: CallRecord): void;
  callEnded(call: CallRecord): void;
}

/** What faults do to the end of a call. */
interface Ending {
  readonly never: boolean;
  readonly lateByMs: number;
}

const UNTROUBLED: Ending = { never: false, lateByMs: 0 };

/** Runs the calls that are up: the only place that dials. Observers hear of each thing in the order they came in. */
export class CallRun {
  readonly #clock: Clock;
  readonly #outcomes: Outcomes;
  readonly #dialLog: DialLog;
  readonly #faults: Faults;
  readonly #observers: CallObserver[] = [];
  readonly #active = new Set<CallRecord>();
  #peakActive = 0;

  constructor(clock: Clock, outcomes: Outcomes, dialLog: DialLog, faults: Faults) {
    this.#clock = clock;
    this.#outcomes = outcomes;
    this.#dialLog = dialLog;
    this.#faults = faults;
  }

  observe(observer: CallObserver): void {
    this.#observers.push(observer);
  }

  /** The calls that are up, oldest first. */
  active(): CallRecord[] {
    return [...this.#active];
  }

  get activeCount(): number {
    return this.#active.size;
  }

  /** The most calls that were ever up at once. */
  get peakActive(): number {
    return this.#peakActive;
  }

  /** Dials, or opens the room of a call from a browser. What it comes to is settled here and now. */
  dial(input: DialInput): CallRecord {
    const { agent, kind, organization } = input;
    // Calls that nobody dialed count downwards, and so leave the dice of dialed ones alone.
    const nthOfOthers = -1 - organization.calls.count;
    const { nth, plan } =
      kind === "outbound"
        ? this.#outcomes.next(input.phone, input.item?.variables ?? input.request?.variables ?? null)
        : { nth: nthOfOthers, plan: this.#outcomes.answered(input.phone, nthOfOthers) };
    const { inRoom = false } = input;
    const call = organization.calls.add({
      ...input,
      version: kind === "test" ? agent.versions.length : (agent.publishedVersion ?? agent.versions.length),
      nth,
      createdAt: this.#clock.now(),
      phase: "dialing",
      outcome: plan.outcome,
      error: plan.error,
      optedOut: !inRoom && plan.optedOut,
      callbackRequested: !inRoom && plan.callbackRequested,
      endedByRequest: false,
      talkMs: plan.talkMs,
      connectedAt: null,
      endedAt: null,
      prescribed: plan.prescribed,
      talk: inRoom ? { lines: [], hungUpBy: null } : null,
      processing: null,
      timer: null,
    });
    if (kind === "outbound") {
      this.#dialLog.append(call);
    }
    this.#hold(call);
    const ending = inRoom ? UNTROUBLED : this.#endingOf(call);
    if (inRoom) {
      // Whoever joins is awaited.
    } else if (plan.error === null) {
      call.timer = this.#clock.afterSimulated(plan.ringMs, () => {
        this.#connect(call, ending);
      });
    } else {
      this.#endAfter(call, plan.ringMs, ending);
    }
    for (const observer of this.#observers) {
      observer.callStarted?.(call);
    }
    return call;
  }

  /**
   * Goes on with a call that was up before a restart; one that never would have ended ends now, for the fault behind
   * it is gone. `dueAt` is when its phase was to end, `savedAt` the last moment that the process before is known of.
   */
  goOn(call: CallRecord, dueAt: number | null, savedAt = this.#clock.now()): void {
    this.#hold(call);
    if (call.talk !== null) {
      // Its room went with the process that its agent was in, and nobody talked for as long as there was none.
      call.timer = this.#clock.at(0, () => this.#stop(call, "The room was closed", savedAt));
      return;
    }
    call.timer = this.#clock.at(dueAt ?? 0, () => {
      if (call.phase === "dialing" && call.error === null) {
        this.#connect(call, UNTROUBLED);
      } else {
        this.#finish(call);
      }
    });
  }

  #hold(call: CallRecord): void {
    this.#active.add(call);
    this.#peakActive = Math.max(this.#peakActive, this.#active.size);
  }

  /** Somebody came into the room of a call that waits. */
  join(call: CallRecord): void {
    if (call.phase === "dialing") {
      this.#connect(call, { never: true, lateByMs: 0 });
    }
  }

  /** One side left the room. */
  hangUp(call: CallRecord, side: "user" | "agent"): void {
    // Whoever comes second did not end it.
    if (call.phase !== "ended" && call.talk !== null) {
      call.talk.hungUpBy = side;
    }
    this.giveUp(call, "SIP 487 Request Terminated");
  }

  /** The room is no more, or nobody came. `error` is said of a call that nobody talked on. */
  giveUp(call: CallRecord, error: string): void {
    if (call.phase !== "ended") {
      this.#stop(call, error);
    }
  }

  /** Ends a call that is up, as by POST /v1/calls/{id}/end. */
  end(call: CallRecord): void {
    call.endedByRequest = true;
    this.#stop(call, "SIP 487 Request Terminated");
  }

  #stop(call: CallRecord, error: string, at = this.#clock.now()): void {
    this.#clock.cancel(call.timer);
    if (call.connectedAt === null) {
      call.outcome = "failed";
      call.error = error;
      call.optedOut = false;
      call.callbackRequested = false;
      call.talkMs = 0;
    } else {
      call.talkMs = Math.round(this.#clock.simulated(at - call.connectedAt));
    }
    this.#finish(call, at);
  }

  #endingOf(call: CallRecord): Ending {
    const isMeant = (fault: { readonly phone?: string | undefined }) =>
      fault.phone === undefined || fault.phone === call.phone;
    if (this.#faults.take("never_finish", isMeant) !== null) {
      return { never: true, lateByMs: 0 };
    }
    const late = this.#faults.take("finish_late", isMeant);
    return late === null ? UNTROUBLED : { never: false, lateByMs: late.ms };
  }

  #processingOf(call: CallRecord): ProcessingTrouble | null {
    const isMeant = (fault: { readonly phone?: string | undefined }) =>
      fault.phone === undefined || fault.phone === call.phone;
    const fault = this.#faults.take("processing", isMeant);
    if (fault !== null) {
      return { end: fault.end ?? "completed", lateByMs: this.#clock.simulated(fault.ms ?? 0) };
    }
    const { processing, processingLateMs } = call.prescribed ?? {};
    return processing === undefined && processingLateMs === undefined
      ? null
      : { end: processing ?? "completed", lateByMs: processingLateMs ?? 0 };
  }

  #connect(call: CallRecord, ending: Ending): void {
    call.phase = "connected";
    call.connectedAt = this.#clock.now();
    call.timer = null;
    this.#endAfter(call, call.talkMs, ending);
    for (const observer of this.#observers) {
      observer.callConnected(call);
    }
  }

  #endAfter(call: CallRecord, simulatedMs: number, ending: Ending): void {
    if (ending.never) {
      return;
    }
    call.timer = this.#clock.afterReal(simulatedMs / this.#clock.speed + ending.lateByMs, () => {
      this.#finish(call);
    });
  }

  #finish(call: CallRecord, at = this.#clock.now()): void {
    call.phase = "ended";
    call.endedAt = at;
    call.timer = null;
    call.processing = this.#processingOf(call);
    this.#active.delete(call);
    if (call.connectedAt !== null) {
      const { index, talkMs, kind } = call;
      const overPhone = kind === "outbound" || kind === "inbound";
      call.organization.billing.chargeCall({ index, fields: configOfCall(call), talkMs, overPhone });
    }
    for (const observer of this.#observers) {
      observer.callEnded(call);
    }
  }
}
