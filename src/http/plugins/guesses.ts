import { createHash } from "node:crypto";

import type { HttpDeps } from "../deps.ts";
import { Problem } from "../problem.ts";
import { elapsedMs } from "../../domain/time/elapsed.ts";

/*
 * How often somebody may be wrong who shows a token, a session or a code. Nobody guesses 256 bits: what is bounded is
 * what a flood of wrong ones costs the ledger, and an address, which may be that of a proxy, is not one caller alone.
 * So behind a bound of its own an address has as many looks a second as a process of ours that was just started needs
 * to get to know who comes through a proxy, and what was found good before, or wrong, takes none of them. Who stops
 * everything is looked up in any case.
 */

/** Wrong ones from one address within a minute, behind which the ledger is asked about few further ones. */
const WRONG_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Further ones of which it is asked all the same: each is one probe of an index, and 300 a minute are no load. */
const LOOKS_A_SECOND = 5;

/**
 * The same of those who stop everything, over all addresses: many more than there are people, and no flood takes the
 * ledger's urgent connections from them for long.
 */
const URGENT_LOOKS_A_SECOND = 50;
const SECOND_MS = 1_000;

/** Addresses that are counted at a time; the oldest is forgotten for the next. */
const MOST_ADDRESSES = 10_000;

/** As many as there may be tokens, and as many people again. */
const MOST_MARKS = 2_000;

export interface Guesses {
  /**
   * Lets `look` find out who it is that shows something, unless too much that came from the address was wrong.
   *
   * @param look throws Problem 401 where what is shown is wrong
   * @throws Problem 429 behind too many of these
   */
  guarded: <T>(shown: Shown, look: () => Promise<T>) => Promise<T>;
  /** Remembers as good what was made a moment ago, without a look. */
  remember: (text: string) => void;
}

export interface Shown {
  text: string;
  address: string;
  /** It has the form of what we make: what has not is nobody's, and is never looked up. */
  isFormed: boolean;
  /** False: what is good is not remembered, since it is good once. */
  isKept?: boolean;
  /** For a stop: looked up however much was wrong from its address. */
  isUrgent?: boolean;
}

/** Counts over everything that is looked up by it. */
export function boundGuesses({ now, log }: Pick<HttpDeps, "now" | "log">): Guesses {
  const wrong = countWrong(now);
  const takeUrgent = countUrgent(now);
  const good = new Set<string>();
  const bad = new Set<string>();
  // By the whole of it: who knows an id alone, which is no secret, is nobody, and takes nothing from its holder.
  const markOf = (text: string) => createHash("sha256").update(text).digest("base64");
  const mayLook = ({ address, isFormed, isUrgent = false }: Shown, mark: string) => {
    if (!wrong.isTooMany(address) || good.has(mark)) return true;
    // What was wrong once is so for good: a program with an old token takes no look from who has a new one.
    return isFormed && !bad.has(mark) && (wrong.takeLook(address) || (isUrgent && takeUrgent()));
  };
  const guarded: Guesses["guarded"] = async (shown, look) => {
    const { text, address, isKept = true } = shown;
    const mark = markOf(text);
    if (!mayLook(shown, mark)) throw tooManyWrong();
    try {
      const found = await look();
      if (isKept) keep(good, mark);
      return found;
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      good.delete(mark);
      if (shown.isFormed) keep(bad, mark);
      const count = wrong.note(address);
      if (count === 1 || count === WRONG_A_MINUTE)
        log.warn({ address, wrong_tokens: count, code: error.code }, "a token was refused");
      throw error;
    }
  };
  return { guarded, remember: (text) => keep(good, markOf(text)) };
}

/** Remembers a mark as the newest, and forgets the oldest where there are too many. */
function keep(marks: Set<string>, mark: string): void {
  marks.delete(mark);
  const [oldest] = marks;
  if (marks.size >= MOST_MARKS && oldest !== undefined) marks.delete(oldest);
  marks.add(mark);
}

/** @returns one of the looks of this second; false: there is none left */
function countUrgent(now: () => number): () => boolean {
  let second = 0;
  let looks = 0;
  return () => {
    const current = Math.floor(now() / SECOND_MS);
    if (current !== second) looks = 0;
    second = current;
    looks += 1;
    return looks <= URGENT_LOOKS_A_SECOND;
  };
}

/** How often each address was wrong within a minute, and what of it was looked up beyond what it may. */
function countWrong(now: () => number) {
  const counts = new Map<string, { sinceMs: number; count: number; second: number; looks: number }>();
  const current = (address: string) => {
    const found = counts.get(address);
    return found && elapsedMs(now(), found.sinceMs) < MINUTE_MS ? found : undefined;
  };
  return {
    isTooMany: (address: string) => (current(address)?.count ?? 0) >= WRONG_A_MINUTE,
    note(address: string): number {
      const { sinceMs, count, second, looks } = current(address) ?? {
        sinceMs: now(),
        count: 0,
        second: 0,
        looks: 0,
      };
      counts.delete(address);
      const [oldest] = counts.keys();
      if (counts.size >= MOST_ADDRESSES && oldest !== undefined) counts.delete(oldest);
      counts.set(address, { sinceMs, count: count + 1, second, looks });
      return count + 1;
    },
    /** One of the looks that an address has within this second beyond its bound; false: there is none left. */
    takeLook(address: string): boolean {
      const found = current(address);
      if (!found) return true;
      const second = Math.floor(now() / SECOND_MS);
      const looks = found.second === second ? found.looks : 0;
      if (looks >= LOOKS_A_SECOND) return false;
      counts.set(address, { ...found, second, looks: looks + 1 });
      return true;
    },
  };
}

function tooManyWrong(): Problem {
  return new Problem({
    status: 429,
    code: "rate_limited",
    detail: `more than ${WRONG_A_MINUTE} wrong tokens came from this address within a minute: see which token is set, and try again in a minute`,
  });
}
