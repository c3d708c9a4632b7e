import { randomUUID } from "node:crypto";

import type { Log } from "../../activities/deps.ts";
import { elapsedMs } from "../../domain/time/elapsed.ts";
import type { Ledger } from "../../ledger/ground/connection.ts";
import {
  countSenders,
  FROM_NOW_MS,
  leaveSenders,
  readRefusal,
  shareRefusal,
} from "../../ledger/ground/request-budget.ts";
import type { Limiter, Refusal } from "../../platform/index.ts";

/*
 * The platform's rate limits are one budget of all processes that use a key. Each has a limiter of its own; through the
 * ledger they tell each other of refusals, and share `OUTDIAL_REQUESTS_PER_SECOND` evenly among those that are up.
 */

/** How soon a refusal of another process is heard of. Real time, as the platform's limits are. */
const EVERY_MS = 1_000;

/** A process that was killed is counted for so long. */
const TERM_MS = 15_000;

/** No refusal holds requests for longer, whatever the other process's clock says. */
const HELD_AT_MOST_MS = 60_000;

/** Longer ago it says nothing to a process that has just begun. */
const HEARD_FOR_MS = 2 * HELD_AT_MOST_MS;

/** The slowest pace that a limiter takes. */
const LEAST_PER_SECOND = 0.5;

export interface RequestBudgetDeps {
  ledger: Ledger;
  limiter: Limiter;
  /** Of all processes together; undefined: the platform alone decides. */
  perSecond: number | undefined;
  log: Log;
  now: () => number;
}

export interface RequestBudget {
  /** Tells the others of a refusal, soon. */
  tell(refusal: Refusal): void;
  /** One exchange with the others. */
  pass(): Promise<void>;
  leave(): Promise<void>;
}

export function createRequestBudget(deps: RequestBudgetDeps): RequestBudget {
  const { ledger, limiter, perSecond, now } = deps;
  const holder = randomUUID();
  let own: Refusal | undefined;
  let countedAtMs = Number.NEGATIVE_INFINITY;

  const share = async () => {
    if (perSecond === undefined || elapsedMs(now(), countedAtMs) < TERM_MS / 3) return;
    const senders = await countSenders(ledger.db, { holder, termMs: TERM_MS, nowMs: now() });
    countedAtMs = now();
    limiter.allow(Math.max(LEAST_PER_SECOND, perSecond / senders));
  };

  return {
    tell(refusal) {
      own =
        own && own.heldUntilMs > refusal.heldUntilMs ? { ...refusal, heldUntilMs: own.heldUntilMs } : refusal;
    },
    async pass() {
      const told = own;
      if (told) {
        await shareRefusal(ledger.db, told, now());
        if (own === told) own = undefined;
      }
      const heard = await readRefusal(ledger.db);
      // To heed one twice changes nothing, but for one that is always newer than the last time.
      const agoMs = heard ? now() - heard.beganAtMs : Number.POSITIVE_INFINITY;
      if (heard && agoMs < HEARD_FOR_MS && agoMs > -FROM_NOW_MS) {
        limiter.heed({ ...heard, heldUntilMs: Math.min(heard.heldUntilMs, now() + HELD_AT_MOST_MS) });
      }
      await share();
    },
    leave: () => leaveSenders(ledger.db, holder),
  };
}

/** Exchanges with the other processes every second, from now on. One that has its ledger for itself shares nothing. */
export function startRequestBudget(
  deps: RequestBudgetDeps,
): Pick<RequestBudget, "tell"> & { stop(): Promise<void> } {
  if (deps.ledger.kind === "embedded") return { tell() {}, async stop() {} };
  const budget = createRequestBudget(deps);
  let underWay: Promise<void> | undefined;
  const turn = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      deps.log.warn({ error: String(error) }, "the budget of requests could not be shared; it is again");
    }
  };
  const pass = () => {
    underWay ??= turn(() => budget.pass()).finally(() => {
      underWay = undefined;
    });
  };
  pass();
  const timer = setInterval(pass, EVERY_MS);
  return {
    tell(refusal) {
      budget.tell(refusal);
      pass();
    },
    async stop() {
      clearInterval(timer);
      await underWay;
      await turn(() => budget.leave());
    },
  };
}
