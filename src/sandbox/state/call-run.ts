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
    const call = organization.calls.add({
      ...input,
      version: kind === "test" ? agent.versions.length : (agent.publishedVersion ?? agent.versions.length),
      nth,
      createdAt: this.#clock.now(),
      phase: "dialing",
      outcome: plan.outcome,
      error: plan.error,
      optedOut: plan.optedOut,
      callbackRequested: plan.callbackRequested,
      endedByRequest: false,
      talkMs: plan.talkMs,
      connectedAt: null,
      endedAt: null,
      prescribed: plan.prescribed,
      processing: null,
      timer: null,
    });
    if (kind === "outbound") {
      this.#dialLog.append(call);
    }
    this.#hold(call);
    const ending = this.#endingOf(call);
    if (plan.error === null) {
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
   * it is gone. `dueAt` is when its phase was to end.
   */
  goOn(call: CallRecord, dueAt: number | null): void {
    this.#hold(call);
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

  /** Ends a call that is up, as by POST /v1/calls/{id}/end. */
  end(call: CallRecord): void {
    this.#clock.cancel(call.timer);
    call.endedByRequest = true;
    if (call.connectedAt === null) {
      call.outcome = "failed";
      call.error = "SIP 487 Request Terminated";
      call.optedOut = false;
      call.callbackRequested = false;
      call.talkMs = 0;
    } else {
      call.talkMs = Math.round(this.#clock.simulated(this.#clock.now() - call.connectedAt));
    }
    this.#finish(call);
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

  #finish(call: CallRecord): void {
    call.phase = "ended";
    call.endedAt = this.#clock.now();
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
