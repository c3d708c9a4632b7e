import { randomUUID } from "node:crypto";

import { Webhook } from "standardwebhooks";

import type { Clock } from "./clock.ts";
import type { Show } from "./dialect.ts";
import type { FaultKind, Faults } from "./faults.ts";
import { callListItem } from "./schemas/calls.ts";
import { configOfCall } from "./state/calls.ts";
import type { CallRecord } from "./state/calls.ts";
import type { CallObserver } from "./state/call-run.ts";
import type { CallViews } from "./views/call.ts";

export interface WebhookOptions {
  /** Signs deliveries as Standard Webhooks have it: base64, `whsec_` before it or not. Without it they are unsigned. */
  readonly secret?: string;
  /** Deliver to any address. By default only to this machine: a sandbox has no business elsewhere. */
  readonly anyTarget?: boolean;
}

export type WebhookEvent = "call_started" | "call_connected" | "call_ended" | "call_analyzed";

/** A delivery, as `/_sandbox/webhooks` lists it. The last thousand are kept. */
export interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly event: WebhookEvent;
  readonly call_id: string;
  readonly attempts: { readonly at: string; readonly status: number | null; readonly error: string | null }[];
  state: "pending" | "delivered" | "failed" | "refused" | "lost";
}

interface Pending {
  readonly delivery: Delivery;
  readonly body: string;
}

/** Between attempts, simulated: five attempts over a quarter of an hour, as hosted platforms do. */
const RETRY_AFTER_MS = [5_000, 30_000, 120_000, 600_000] as const;

/** A receiver that has not answered by then is taken to be gone; of the real world. */
const TIMEOUT_MS = 10_000;

/** Deliveries under way at once; more wait in line. */
const MOST_AT_ONCE = 16;

/** What may wait in line, before the oldest of it is given up: bounds memory with a receiver that never answers. */
const MOST_WAITING = 5_000;

const MOST_KEPT = 1_000;

/**
 * Call events to the `webhook_url` of agents and the `inbound_webhook_url` of numbers (contract 6.1). At least once,
 * in no promised order. The body:
 *   {"event", "timestamp", "organization_id", "call_id", "agent_id", "call": CallListItem}
 * The id of an event is the same in each of its deliveries.
 */
export class Webhooks implements CallObserver {
  readonly #clock: Clock;
  readonly #faults: Faults;
  readonly #views: CallViews;
  readonly #show: Show;
  readonly #signer: Webhook | null;
  readonly #anyTarget: boolean;
  readonly #line: Pending[] = [];
  readonly #kept: Delivery[] = [];
  readonly #closed = new AbortController();
  #underWay = 0;

  constructor(clock: Clock, faults: Faults, views: CallViews, show: Show, options: WebhookOptions) {
    this.#show = show;
    this.#clock = clock;
    this.#faults = faults;
    this.#views = views;
    this.#signer = options.secret === undefined ? null : new Webhook(options.secret);
    this.#anyTarget = options.anyTarget ?? false;
  }

  /** Deliveries, oldest first. */
  list(): readonly Delivery[] {
    return this.#kept;
  }

  callStarted(call: CallRecord): void {
    this.#tell(call, "call_started");
  }

  callConnected(call: CallRecord): void {
    this.#tell(call, "call_connected");
  }

  callEnded(call: CallRecord): void {
    this.#tell(call, "call_ended");
    this.goOn(call);
  }

  /** Sees to what there is still to tell of a call that ended, before a restart or just now. */
  goOn(call: CallRecord): void {
    const processedMs = call.organization.calls.processedAfterMs(call);
    if (call.endedAt !== null && processedMs !== null && targetsOf(call).length > 0) {
      this.#clock.at(call.endedAt + processedMs / this.#clock.speed, () => {
        this.#tell(call, "call_analyzed");
      });
    }
  }

  /** Cuts what is under way; nothing is delivered any more. */
  close(): void {
    this.#line.length = 0;
    this.#closed.abort();
  }

  #tell(call: CallRecord, event: WebhookEvent): void {
    for (const url of targetsOf(call)) {
      const delivery: Delivery = {
        id: `msg_${randomUUID()}`,
        url,
        event,
        call_id: call.organization.calls.idOf(call),
        attempts: [],
        state: "pending",
      };
      this.#kept.push(delivery);
      this.#kept.splice(0, Math.max(0, this.#kept.length - MOST_KEPT));
      if (!this.#anyTarget && !isLoopback(url)) {
        delivery.state = "refused";
      } else if (this.#strikes("webhook_loss", event)) {
        delivery.state = "lost";
      } else {
        this.#send({ delivery, body: this.#bodyOf(call, event) });
      }
    }
  }

  #bodyOf(call: CallRecord, event: WebhookEvent): string {
    return JSON.stringify({
      event,
      timestamp: this.#clock.iso(this.#clock.now()),
      organization_id: call.organization.id,
      call_id: call.organization.calls.idOf(call),
      agent_id: call.agent.id,
      call: this.#show(callListItem, this.#views.listed(call)),
    });
  }

  #send(pending: Pending): void {
    const { event } = pending.delivery;
    const delay = this.#faults.take("webhook_delay", (fault) => isFor(fault, event));
    const copies = this.#strikes("webhook_duplicate", event) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      if (delay === null) {
        this.#queue(pending);
      } else {
        this.#clock.afterReal(delay.ms, () => {
          this.#queue(pending);
        });
      }
    }
  }

  #strikes(kind: Extract<FaultKind, "webhook_loss" | "webhook_duplicate">, event: WebhookEvent): boolean {
    return this.#faults.take(kind, (fault) => isFor(fault, event)) !== null;
  }

  #queue(pending: Pending): void {
    this.#line.push(pending);
    if (this.#line.length > MOST_WAITING) {
      const oldest = this.#line.shift();
      if (oldest !== undefined) {
        oldest.delivery.state = "failed";
      }
    }
    this.#next();
  }

  #next(): void {
    while (this.#underWay < MOST_AT_ONCE) {
      const pending = this.#line.shift();
      if (pending === undefined) {
        return;
      }
      this.#underWay += 1;
      void this.#attempt(pending).finally(() => {
        this.#underWay -= 1;
        this.#next();
      });
    }
  }

  /** One attempt; books it, and sees to the next. Never rejects: whatever went wrong is in the booking. */
  async #attempt(pending: Pending): Promise<void> {
    const { delivery } = pending;
    const at = this.#clock.iso(this.#clock.now());
    // The signal of `AbortSignal.timeout` may be collected before its time where nothing but another signal has it.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    try {
      const response = await fetch(delivery.url, {
        method: "POST",
        headers: this.#headersOf(pending),
        body: pending.body,
        // A redirect would lead out of what was checked.
        redirect: "manual",
        signal: AbortSignal.any([late.signal, this.#closed.signal]),
      });
      await response.body?.cancel();
      delivery.attempts.push({ at, status: response.status, error: null });
      if (response.ok) {
        delivery.state = "delivered";
        return;
      }
    } catch (error) {
      delivery.attempts.push({
        at,
        status: null,
        error: error instanceof Error ? error.message : String(error),
      });
    } finally {
      clearTimeout(timer);
    }
    const delayMs = RETRY_AFTER_MS[delivery.attempts.length - 1];
    if (delayMs === undefined || this.#closed.signal.aborted) {
      delivery.state = delivery.state === "delivered" ? "delivered" : "failed";
    } else if (delivery.state !== "delivered") {
      this.#clock.afterSimulated(delayMs, () => {
        this.#queue(pending);
      });
    }
  }

  #headersOf({ delivery, body }: Pending): Record<string, string> {
    const sentAt = new Date();
    const headers = {
      "content-type": "application/json",
      "user-agent": "outdial-sandbox-webhooks",
      "webhook-id": delivery.id,
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
    };
    return this.#signer === null
      ? headers
      : { ...headers, "webhook-signature": this.#signer.sign(delivery.id, sentAt, body) };
  }
}

/** Who hears of a call: its agent's URL, and for an inbound call its number's. */
function targetsOf(call: CallRecord): string[] {
  const targets = [configOfCall(call).webhook_url ?? ""];
  if (call.kind === "inbound") {
    const number = call.organization.phoneNumbers.findByPhone(call.fromNumber);
    targets.push(number?.fields.inbound_webhook_url ?? "");
  }
  return targets.filter((url) => /^https?:\/\//i.test(url) && URL.canParse(url));
}

function isFor(fault: { readonly event?: string | undefined }, event: WebhookEvent): boolean {
  return fault.event === undefined || fault.event === event;
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
