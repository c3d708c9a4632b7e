import type { DialEngine } from "./dial-engine.ts";
import { supposedDial, type Running } from "./dial-records.ts";
import {
  HOUR_MS,
  isStricterThanSaid,
  MINUTE_MS,
  objectionsTo,
  type Person,
  type Rules,
} from "./dial-oracle.ts";

/*
 * Whoever could be dialed is: nobody waits for a whole hour in which no rule speaks against their call and their campaign
 * has a line for it, while a process is there to make it.
 */

/** Somebody who waits for a call. */
export interface Waiting {
  contact: number;
  campaign: Running;
  person: Person;
}

/** What is known of whoever makes calls. */
export type Dialer = Pick<DialEngine, "hasLine" | "hasCaller" | "log">;

const STEP_MS = 30 * MINUTE_MS;

export class Liveness {
  readonly objections: object[] = [];
  readonly #since = new Map<number, number>();
  #sleepsUntilMs = 0;

  /** Looks at everybody who is left waiting until the process looks again by itself. */
  look(
    engine: Dialer,
    waiting: readonly Waiting[],
    { nowMs, nextMs, rulesOf }: { nowMs: number; nextMs: number; rulesOf: (campaign: Running) => Rules },
  ): void {
    // Nobody was there to dial meanwhile.
    if (nowMs > this.#sleepsUntilMs + STEP_MS) this.#since.clear();
    this.#sleepsUntilMs = nextMs;
    const waits = new Set(waiting.map(({ contact }) => contact));
    for (const contact of this.#since.keys()) if (!waits.has(contact)) this.#since.delete(contact);
    const rules = new Map<Running, Rules | undefined>();
    for (const { campaign } of waiting) {
      if (rules.has(campaign)) continue;
      const own = rulesOf(campaign);
      rules.set(campaign, isStricterThanSaid(own) || !engine.hasLine(campaign) ? undefined : own);
    }
    for (let atMs = nowMs; atMs <= nextMs; atMs += STEP_MS) {
      for (const one of waiting) {
        const { campaign, contact, person } = one;
        const own = rules.get(campaign);
        if (own === undefined || !this.#isFree(engine, one, own, atMs)) {
          this.#since.delete(contact);
          continue;
        }
        const sinceMs = this.#since.get(contact) ?? atMs;
        this.#since.set(contact, sinceMs);
        if (atMs - sinceMs < HOUR_MS) continue;
        this.#since.delete(contact);
        const { name } = campaign.specs.at(-1) ?? {};
        const since = new Date(sinceMs).toISOString();
        this.objections.push({
          name,
          contact,
          phone: person.phone,
          since,
          objection: "is not dialed for an hour",
        });
      }
    }
  }

  #isFree(engine: Dialer, { campaign, contact, person }: Waiting, rules: Rules, atMs: number): boolean {
    if (!engine.hasCaller(campaign, atMs)) return false;
    const dial = supposedDial(campaign, { contact, person, atMs, rules });
    return objectionsTo(dial, engine.log).length === 0;
  }
}
