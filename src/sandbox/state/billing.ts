import type { Clock } from "../clock.ts";
import type { IdSequence } from "../ids.ts";
import type { AgentFields } from "../schemas/agents.ts";
import { ANALYSIS_MODEL, ratesOf } from "./billing-prices.ts";
import type { CallRates, Service } from "./billing-prices.ts";
import type { Kept } from "./kept.ts";

/** A millionth of a US dollar: whole numbers of these add up without rounding. */
const MICROS_PER_USD = 1_000_000;

export function usdOf(micros: number): number {
  return micros / MICROS_PER_USD;
}

export type TransactionType = "credit" | "adjustment" | "usage";
type ReferenceType = "call" | "chat_session" | "workflow";

/** What a charge is for. Calls are kept small: their id and their parts are made when somebody reads them. */
type Charge =
  | { readonly kind: "call"; readonly callIndex: number; readonly seconds: number; readonly rates: CallRates }
  | ({ readonly kind: "service" } & ServiceCharge);

/** Something that is paid for once. */
export interface ServiceCharge {
  readonly referenceType: Exclude<ReferenceType, "call">;
  readonly referenceId: string;
  readonly service: Service;
  readonly provider: string;
  readonly model: string;
  readonly micros: number;
}

/** One line of the ledger. Micros are negative where credits are taken. */
export interface LedgerEntry {
  readonly index: number;
  readonly atMs: number;
  readonly micros: number;
  readonly balanceBefore: number;
  /** The index of the first usage event that makes it up. */
  readonly firstEvent: number;
  readonly type: TransactionType;
  readonly charge: Charge | null;
}

/** One thing that was used. The events of an entry add up to what it took. */
export interface UsageEvent {
  readonly index: number;
  readonly atMs: number;
  readonly service: Service;
  readonly provider: string | null;
  readonly model: string | null;
  readonly micros: number;
  readonly referenceType: ReferenceType;
  readonly referenceId: string;
}

export interface BillingIds {
  readonly entry: IdSequence;
  readonly event: IdSequence;
  readonly call: IdSequence;
}

export interface ConnectedCall {
  readonly index: number;
  /** The configuration that the agent talked with. */
  readonly fields: AgentFields;
  /** Simulated milliseconds; seconds begun are paid. */
  readonly talkMs: number;
  readonly overPhone: boolean;
}

/** The credits of an organization and where they went, oldest first (contract 2.9, 4.7). */
export class Billing implements Kept<readonly LedgerEntry[]> {
  readonly #clock: Clock;
  readonly #ids: BillingIds;
  #entries: LedgerEntry[] = [];
  /** By call index, the entry that paid for it. Only calls that connected have one. */
  #entryOfCall: (number | undefined)[] = [];
  /** Rates by configuration, which is replaced and never changed: one object for all the calls of a version. */
  readonly #rates = {
    phone: new WeakMap<AgentFields, CallRates>(),
    web: new WeakMap<AgentFields, CallRates>(),
  };
  #addedMicros = 0;
  #usedMicros = 0;
  #events = 0;

  constructor(clock: Clock, ids: BillingIds, initialUsd: number) {
    this.#clock = clock;
    this.#ids = ids;
    this.#add("credit", Math.round(initialUsd * MICROS_PER_USD));
  }

  get balanceUsd(): number {
    return usdOf(this.#addedMicros - this.#usedMicros);
  }

  get addedUsd(): number {
    return usdOf(this.#addedMicros);
  }

  get usedUsd(): number {
    return usdOf(this.#usedMicros);
  }

  /** Nothing is dialed with credits used up; calls that are up end, and may take the balance below zero. */
  get exhausted(): boolean {
    return this.#usedMicros >= this.#addedMicros;
  }

  /** Whether there would be credits left, had these calls been paid. */
  covers(calls: readonly ConnectedCall[]): boolean {
    const charges = calls.map((call) => totalOf(partsOf(this.#chargeOf(call))));
    return this.#usedMicros + charges.reduce((sum, micros) => sum + micros, 0) < this.#addedMicros;
  }

  /** Takes what a call cost. An attempt that nobody answers is free, and never gets here. */
  chargeCall(call: ConnectedCall): void {
    const charge = this.#chargeOf(call);
    this.#entryOfCall[call.index] = this.#entries.length;
    this.#take(charge);
  }

  #chargeOf(call: ConnectedCall): Charge {
    return {
      kind: "call",
      callIndex: call.index,
      seconds: Math.ceil(call.talkMs / 1000),
      rates: this.#ratesOf(call.fields, call.overPhone),
    };
  }

  /** Takes what something other than a call cost. */
  charge(charge: ServiceCharge): void {
    this.#take({ kind: "service", ...charge });
  }

  /** Sets the balance, by adding or taking credits. */
  setBalance(usd: number): void {
    const wanted = Math.round(usd * MICROS_PER_USD);
    this.#add("adjustment", wanted - (this.#addedMicros - this.#usedMicros));
  }

  entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  entryIdOf(entry: LedgerEntry): string {
    return this.#ids.entry.at(entry.index);
  }

  eventIdOf(event: UsageEvent): string {
    return this.#ids.event.at(event.index);
  }

  callIdAt(callIndex: number): string {
    return this.#ids.call.at(callIndex);
  }

  /** The usage events of the entries that were made in a stretch of time (terms of the clock's `now()`). */
  *events(fromMs = 0, toMs = Number.POSITIVE_INFINITY): Generator<UsageEvent> {
    for (const entry of this.#entries) {
      if (entry.atMs >= fromMs && entry.atMs <= toMs) {
        yield* this.#eventsOf(entry);
      }
    }
  }

  /** What a call used; empty for one that nobody answered, or that is still up. */
  eventsOfCall(callIndex: number): UsageEvent[] {
    const at = this.#entryOfCall[callIndex];
    const entry = at === undefined ? undefined : this.#entries[at];
    return entry === undefined ? [] : this.#eventsOf(entry);
  }

  /** Cost of a call by component, US dollars: what the ledger took for it. */
  costOfCall(callIndex: number): Record<string, number> {
    const events = this.eventsOfCall(callIndex);
    const components = events.map(({ service, micros }): [string, number] => [
      `${service}_usd`,
      usdOf(micros),
    ]);
    return { total_usd: usdOf(totalOf(events)), ...Object.fromEntries(components) };
  }

  dump(): readonly LedgerEntry[] {
    return this.#entries;
  }

  restore(saved: readonly LedgerEntry[]): void {
    // Rates that were one object before are one again: there are few, and many calls.
    const rates = new Map<string, CallRates>();
    this.#entries = [];
    this.#entryOfCall = [];
    [this.#addedMicros, this.#usedMicros, this.#events] = [0, 0, 0];
    for (const entry of saved) {
      const charge = entry.charge === null ? null : withSharedRates(entry.charge, rates);
      if (charge === null) {
        this.#addedMicros += entry.micros;
      } else {
        this.#usedMicros -= entry.micros;
        this.#events += partsOf(charge).length;
      }
      if (charge?.kind === "call") {
        this.#entryOfCall[charge.callIndex] = entry.index;
      }
      this.#entries.push({ ...entry, charge });
    }
  }

  #eventsOf(entry: LedgerEntry): UsageEvent[] {
    const { charge, atMs } = entry;
    if (charge === null) {
      return [];
    }
    const parts = partsOf(charge);
    const reference =
      charge.kind === "call"
        ? { referenceType: "call" as const, referenceId: this.callIdAt(charge.callIndex) }
        : { referenceType: charge.referenceType, referenceId: charge.referenceId };
    return parts.map((part, nth) => ({ index: entry.firstEvent + nth, atMs, ...part, ...reference }));
  }

  #ratesOf(fields: AgentFields, overPhone: boolean): CallRates {
    const known = overPhone ? this.#rates.phone : this.#rates.web;
    let rates = known.get(fields);
    if (rates === undefined) {
      rates = ratesOf(fields, overPhone);
      known.set(fields, rates);
    }
    return rates;
  }

  #add(type: "credit" | "adjustment", micros: number): void {
    this.#append(type, micros, null);
    this.#addedMicros += micros;
  }

  #take(charge: Charge): void {
    const parts = partsOf(charge);
    const micros = totalOf(parts);
    this.#append("usage", -micros, charge);
    this.#usedMicros += micros;
    this.#events += parts.length;
  }

  #append(type: TransactionType, micros: number, charge: Charge | null): void {
    this.#entries.push({
      index: this.#entries.length,
      atMs: this.#clock.now(),
      micros,
      balanceBefore: this.#addedMicros - this.#usedMicros,
      firstEvent: this.#events,
      type,
      charge,
    });
  }
}

function withSharedRates(charge: Charge, known: Map<string, CallRates>): Charge {
  if (charge.kind !== "call") {
    return charge;
  }
  const key = JSON.stringify(charge.rates);
  const rates = known.get(key) ?? charge.rates;
  known.set(key, rates);
  return { ...charge, rates };
}

type Part = Pick<UsageEvent, "service" | "provider" | "model" | "micros">;

function partsOf(charge: Charge): Part[] {
  if (charge.kind === "service") {
    const { service, provider, model, micros } = charge;
    return [{ service, provider, model, micros }];
  }
  const { rates, seconds } = charge;
  const parts: Part[] = rates.rates.map(({ service, provider, model, microsPerSecond }) => ({
    service,
    provider,
    model,
    micros: microsPerSecond * seconds,
  }));
  if (rates.analysisMicros > 0) {
    parts.push({ service: "post_call_analytics", ...ANALYSIS_MODEL, micros: rates.analysisMicros });
  }
  return parts;
}

/** Whole micro-dollars, so the order of adding makes no difference. */
export function totalOf(parts: readonly { readonly micros: number }[]): number {
  return parts.reduce((sum, { micros }) => sum + micros, 0);
}
