import { paceAt, type ActivityDeps, type Meter } from "../../src/activities/deps.ts";
import type { Ledger } from "../../src/ledger/ground/connection.ts";
import { createPlatform, type FetchAnswer, type PlatformOptions } from "../../src/platform/index.ts";
import { noFollowUpPorts } from "./ports.ts";

/*
 * The real client before a platform that answers what a test has written down, and a clock that stands still until the
 * test moves it: for what depends on a moment or on one answer among others. There is no socket and no wait.
 */

/** What the platform answers: a status alone, or the body of a 200. Asked anew each time where it is a function. */
export type Told = Answer | (() => Answer | Promise<Answer>);
type Answer = number | object;

export interface ToldAnswers {
  get: Told;
  start: Told;
  pause: Told;
  cancel: Told;
  delete: Told;
  /** Of one batch, as one page; the next one is empty. */
  items: Told;
  /** The same of its calls. */
  calls: Told;
  /** One call, read whole. */
  call: Told;
  active: Told;
  credit: Told;
}

export type Asked = keyof ToldAnswers;

const ROUTES: readonly (readonly [string, RegExp, Asked])[] = [
  ["GET", /^\/v1\/batch-calls\/active$/, "active"],
  ["GET", /^\/v1\/batch-calls\/[^/]+$/, "get"],
  ["DELETE", /^\/v1\/batch-calls\/[^/]+$/, "delete"],
  ["POST", /^\/v1\/batch-calls\/[^/]+\/start$/, "start"],
  ["POST", /^\/v1\/batch-calls\/[^/]+\/pause$/, "pause"],
  ["POST", /^\/v1\/batch-calls\/[^/]+\/cancel$/, "cancel"],
  ["GET", /^\/v1\/batch-calls\/[^/]+\/items$/, "items"],
  ["GET", /^\/v1\/calls$/, "calls"],
  ["GET", /^\/v1\/calls\/[^/]+$/, "call"],
  ["GET", /^\/v1\/billing\//, "credit"],
];

/** A list that repeats its rows, wherever it is asked to go on. */
export const endless = (rows: readonly object[]): object => ({ endless: rows });

/** @param options of the client, beside those that it needs here */
export function toldPlatform(ledger: Ledger, options: PlatformOptions = {}) {
  const told: ToldAnswers = {
    get: 404,
    start: {},
    pause: {},
    cancel: {},
    delete: 204,
    items: [],
    calls: [],
    call: 404,
    active: [],
    credit: { sufficient: true },
  };
  const initial = { ...told };
  const asked: Asked[] = [];
  const woken: string[] = [];
  const logged: string[] = [];
  const metered: unknown[] = [];
  const clock = { nowMs: Date.now(), kicks: 0 };
  const platform = createPlatform({
    ...options,
    baseUrl: "http://platform.invalid",
    apiKey: "of-no-use-to-anybody",
    fetch: async (url, { method }) => {
      const { pathname, searchParams } = new URL(url);
      const route = ROUTES.find(([verb, path]) => verb === method && path.test(pathname));
      // Whoever asks for that alone wants to know the platform's clock, of which nothing is told.
      if (pathname === "/v1/billing/balance") return response(200, { current_balance: 100 });
      if (!route) throw new Error(`nothing is told of ${method} ${pathname}`);
      const [, , what] = route;
      asked.push(what);
      const answer = told[what];
      return answerOf(
        typeof answer === "function" ? await answer() : answer,
        Number(searchParams.get("skip") ?? 0),
      );
    },
  });
  const meter: Meter = {
    planned: (tookMs) => void metered.push({ planned: tookMs }),
    started: (start) => void metered.push(start),
    adopted: (calls) => void metered.push({ adopted: calls }),
    returned: (calls) => void metered.push({ returned: calls }),
    ended: (calls) => void metered.push({ ended: calls.length }),
    aged: (kind, removed) => void metered.push({ [kind]: removed }),
  };
  const deps: ActivityDeps = {
    ledger,
    platform,
    wake: {
      campaign: (id) => void woken.push(id),
      batch: (id) => void woken.push(id),
    },
    ...noFollowUpPorts(),
    outbox: { kick: () => void (clock.kicks += 1) },
    pace: { ...paceAt(1), gatherMs: 0 },
    log: {
      info: () => {},
      warn: (_, message) => void logged.push(message),
      error: (_, message) => void logged.push(message),
    },
    meter,
    now: () => clock.nowMs,
  };
  return {
    deps,
    told,
    /** What the platform was asked for, in its order. */
    asked,
    woken,
    logged,
    metered,
    clock,
    /** As it was in the beginning, and now: a ledger has a clock of its own, and starts are held where the two disagree. */
    forget(): void {
      Object.assign(told, initial);
      Object.assign(clock, { nowMs: Date.now(), kicks: 0 });
      for (const list of [asked, woken, logged, metered]) list.length = 0;
    },
    close: () => platform.close(),
  };
}

export type ToldPlatform = ReturnType<typeof toldPlatform>;

function answerOf(told: Answer, skip: number): FetchAnswer {
  if (typeof told === "number") return response(told, { detail: `told to answer ${told}` });
  if (Array.isArray(told)) return response(200, told.slice(skip));
  return response(200, "endless" in told ? told.endless : told);
}

function response(status: number, body: unknown): FetchAnswer {
  return new Response(status === 204 ? null : JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json" },
  });
}
