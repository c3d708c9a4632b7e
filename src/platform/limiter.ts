/**
 * Holds requests back, so that the platform does not have to: for one client, or shared by all that use a key.
 *
 * L1 At most `concurrency` requests are under way, and they begin at least 1/`perSecond` apart.
 * L2 Both adapt to 429 by additive increase and multiplicative decrease: a refusal halves them, once for all
 *    requests that were under way together; each served request afterwards raises them by 1/n, which makes one
 *    more a round, or one more a second. `concurrency` stays from 1 to its maximum, `perSecond` from one request
 *    in two seconds to its maximum. Without a maximum the pace is free until the first refusal, and again once
 *    it has come to twice the pace that was refused.
 * L3 Nothing begins before the Retry-After of a refusal has passed (bounded, retry-after.ts).
 * L4 First come, first served, whichever client asks: nobody is overtaken, so nobody starves.
 *    What can't wait (endpoint.ts) alone is not held back: it begins at once, and counts.
 * L5 A wait is bounded by its request's own time. One that can't be over in time is refused at once, with the
 *    time that is left: whoever owns the retries then knows when.
 * L6 Limiters of other processes that use the key are told of refusals, and tell of theirs (`onRefused`, `heed`): each
 *    takes one that it hears of for one of its own.
 */
import { onAbort } from "./abort.ts";
import { invalidOption } from "./url.ts";

export interface LimiterOptions {
  /** Requests under way at once, at most. Default 16. */
  readonly maxConcurrent?: number;
  /** Requests begun in a second, at most. By default the platform alone decides, by answering 429. */
  readonly maxPerSecond?: number;
  /** Told of each refusal of a request of its own. */
  readonly onRefused?: (refusal: Refusal) => void;
}

/** A 429, for limiters of other processes. Unix milliseconds, by the clock of whoever got it. */
export interface Refusal {
  /** When the request began that was refused: whatever began before the last decrease is the same refusal. */
  readonly beganAtMs: number;
  /** Until when the platform wants no request. */
  readonly heldUntilMs: number;
}

/** How a permitted request ended, as far as the limiter learns from it. */
export type Verdict =
  | { readonly kind: "served" }
  | { readonly kind: "refused"; readonly retryAfterMs: number | undefined }
  /** Nothing is learned: no answer, or a server in trouble. */
  | { readonly kind: "unclear" };

/** The right to have one request under way. Ended once; what comes after that is ignored. */
export interface Permit {
  end(verdict: Verdict): void;
}

/** For metrics. */
export interface LimiterState {
  readonly underWay: number;
  readonly waiting: number;
  /** How many may be under way now. */
  readonly concurrency: number;
  /** How many may begin in a second now; undefined while the pace is free. */
  readonly perSecond: number | undefined;
  /** How long the platform's Retry-After keeps everything back. */
  readonly heldForMs: number;
}

export interface Wait {
  readonly signal: AbortSignal | undefined;
  readonly withinMs: number;
  /** It can't wait. */
  readonly atOnce?: boolean;
}

export interface Limiter {
  /** Resolves when a request may begin. Rejects with `HeldBack`. */
  acquire(wait: Wait): Promise<Permit>;
  /** Takes a refusal of another process for one of its own. */
  heed(refusal: Refusal): void;
  /** Changes `maxPerSecond`, where it is shared with a number of processes that changes. */
  allow(perSecond: number): void;
  readonly state: LimiterState;
}

/** A request that was not permitted: nothing was sent. */
export class HeldBack extends Error {
  readonly why: "held" | "full" | "late" | "aborted";
  readonly retryAfterMs: number;

  constructor(why: "held" | "full" | "late" | "aborted", retryAfterMs = 0) {
    super(`held back: ${why}`);
    this.name = "HeldBack";
    this.why = why;
    this.retryAfterMs = retryAfterMs;
  }
}

const DEFAULT_MAX_CONCURRENT = 16;

/** The slowest pace: a refusal that lasts is asked about twice in four seconds, not forgotten. */
const MIN_PER_SECOND = 0.5;

/** Fewer requests than this a second say little about what the platform allows. */
const TELLING_PER_SECOND = 4;

/** A queue longer than this would outlast every request's own time. */
const MAX_WAITING = 10_000;

/** The time over which the present pace is counted. */
const PACE_WINDOW_MS = 1_000;

/**
 * Makes a limiter to hand to every client of the same key and process. Throws `InvalidRequestError` for a
 * maximum that can't be used.
 */
export function createLimiter(options: LimiterOptions = {}): Limiter {
  const {
    maxConcurrent = DEFAULT_MAX_CONCURRENT,
    maxPerSecond = Number.POSITIVE_INFINITY,
    onRefused,
  } = options;
  if (!Number.isSafeInteger(maxConcurrent) || maxConcurrent < 1) {
    throw invalidOption("limiter.maxConcurrent", "must be a whole number from 1");
  }
  checkPerSecond(maxPerSecond);
  return new AdaptiveLimiter(maxConcurrent, maxPerSecond, onRefused);
}

function checkPerSecond(perSecond: number): void {
  if (!(perSecond >= MIN_PER_SECOND)) {
    throw invalidOption("limiter.maxPerSecond", `must be a number from ${MIN_PER_SECOND}`);
  }
}

interface Waiter {
  readonly begin: () => void;
}

class AdaptiveLimiter implements Limiter {
  readonly #maxConcurrent: number;
  readonly #onRefused: ((refusal: Refusal) => void) | undefined;
  #maxPerSecond: number;
  readonly #waiting = new Set<Waiter>();
  /** When the latest requests began, for the pace. */
  readonly #begun: number[] = [];
  #concurrency: number;
  #perSecond: number;
  /** The pace at which the limit is forgotten again. */
  #freeAt = Number.POSITIVE_INFINITY;
  #underWay = 0;
  #nextBeginMs = 0;
  #heldUntilMs = 0;
  /** Refusals of requests that began before this are the same refusal. */
  #decreasedAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(maxConcurrent: number, maxPerSecond: number, onRefused?: (refusal: Refusal) => void) {
    this.#onRefused = onRefused;
    this.#maxConcurrent = maxConcurrent;
    this.#maxPerSecond = maxPerSecond;
    this.#concurrency = maxConcurrent;
    this.#perSecond = maxPerSecond;
  }

  get state(): LimiterState {
    return {
      underWay: this.#underWay,
      waiting: this.#waiting.size,
      concurrency: Math.floor(this.#concurrency),
      perSecond: Number.isFinite(this.#perSecond) ? this.#perSecond : undefined,
      heldForMs: Math.max(0, this.#heldUntilMs - performance.now()),
    };
  }

  acquire({ signal, withinMs, atOnce = false }: Wait): Promise<Permit> {
    if (signal?.aborted === true) return Promise.reject(new HeldBack("aborted"));
    if (atOnce) return Promise.resolve(this.#begin());
    const { heldForMs } = this.state;
    if (heldForMs >= withinMs) return Promise.reject(new HeldBack("held", heldForMs));
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new HeldBack("full"));
    return new Promise((resolve, reject) => {
      const leave = (why: "late" | "aborted"): void => {
        done();
        reject(new HeldBack(why));
        this.#pump();
      };
      const done = (): void => {
        this.#waiting.delete(waiter);
        clearTimeout(timer);
        forget();
      };
      const waiter: Waiter = {
        begin: () => {
          done();
          resolve(this.#begin());
        },
      };
      const timer = setTimeout(() => leave("late"), withinMs);
      const forget = onAbort(signal, () => leave("aborted"));
      this.#waiting.add(waiter);
      this.#pump();
    });
  }

  #begin(): Permit {
    const beganMs = performance.now();
    this.#underWay += 1;
    this.#begun.push(beganMs);
    this.#forgetPace(beganMs);
    this.#nextBeginMs = Math.max(beganMs, this.#nextBeginMs) + 1_000 / this.#perSecond;
    let over = false;
    return {
      end: (verdict) => {
        if (over) return;
        over = true;
        this.#underWay -= 1;
        if (verdict.kind === "refused") this.#refuse(beganMs, verdict.retryAfterMs ?? 0);
        if (verdict.kind === "served") this.#onServed(beganMs);
        this.#pump();
      },
    };
  }

  heed({ beganAtMs, heldUntilMs }: Refusal): void {
    const sinceMs = performance.now() - Date.now();
    this.#decrease(beganAtMs + sinceMs, heldUntilMs + sinceMs);
    this.#pump();
  }

  allow(perSecond: number): void {
    checkPerSecond(perSecond);
    const isFree = this.#perSecond === this.#maxPerSecond;
    this.#maxPerSecond = perSecond;
    this.#perSecond = isFree ? perSecond : Math.min(this.#perSecond, perSecond);
    this.#pump();
  }

  #refuse(beganMs: number, retryAfterMs: number): void {
    const nowMs = performance.now();
    this.#decrease(beganMs, nowMs + retryAfterMs);
    const sinceMs = Date.now() - nowMs;
    this.#onRefused?.({ beganAtMs: beganMs + sinceMs, heldUntilMs: nowMs + retryAfterMs + sinceMs });
  }

  #decrease(beganMs: number, heldUntilMs: number): void {
    const nowMs = performance.now();
    this.#heldUntilMs = Math.max(this.#heldUntilMs, heldUntilMs);
    if (beganMs <= this.#decreasedAtMs) return;
    this.#forgetPace(nowMs);
    const refused = Math.min(this.#perSecond, Math.max(this.#begun.length, TELLING_PER_SECOND));
    this.#decreasedAtMs = nowMs;
    this.#concurrency = Math.max(1, this.#concurrency / 2);
    this.#perSecond = Math.max(MIN_PER_SECOND, refused / 2);
    this.#freeAt = refused * 2;
    this.#nextBeginMs = Math.max(this.#nextBeginMs, nowMs + 1_000 / this.#perSecond);
  }

  #onServed(beganMs: number): void {
    if (beganMs <= this.#decreasedAtMs) return; // It began under the limits that were refused.
    this.#concurrency = Math.min(this.#maxConcurrent, this.#concurrency + 1 / this.#concurrency);
    const raised = this.#perSecond + 1 / this.#perSecond;
    this.#perSecond = raised >= this.#freeAt ? this.#maxPerSecond : Math.min(this.#maxPerSecond, raised);
  }

  #forgetPace(nowMs: number): void {
    while ((this.#begun[0] ?? nowMs) <= nowMs - PACE_WINDOW_MS) this.#begun.shift();
  }

  /** Lets begin what may, and sets the timer for what may later. */
  #pump(): void {
    clearTimeout(this.#timer);
    for (const waiter of this.#waiting) {
      if (this.#underWay >= Math.floor(this.#concurrency)) return; // The end of a request pumps again.
      const waitMs = Math.max(this.#nextBeginMs, this.#heldUntilMs) - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#pump(), Math.ceil(waitMs));
        return;
      }
      waiter.begin();
    }
  }
}
