import { createHash } from "node:crypto";

import type { HttpDeps } from "../deps.ts";
import { Problem } from "../problem.ts";

/*
 * How often somebody may be wrong who shows a token, a session or a code. Of what was good before nothing is remembered
 * but that it was: a flood of wrong ones from an address, which may be that of a proxy, costs the ledger nothing more,
 * and keeps nobody out who was in.
 */

/** Wrong ones from one address within a minute, behind which the ledger is not asked about further ones. */
const WRONG_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Addresses that are counted at a time; the oldest is forgotten for the next. */
const MOST_ADDRESSES = 10_000;

/** As many as there may be tokens, and as many people again. */
const MOST_GOOD = 2_000;

export interface Guesses {
  /**
   * Lets `look` find out who it is that shows something, unless too much that came from the address was wrong.
   *
   * @param shown.isKept false: what is good is not remembered, since it is good once
   * @param look throws Problem 401 where what is shown is wrong
   * @throws Problem 429 behind too many of these
   */
  guarded: <T>(
    shown: { text: string; address: string; isKept?: boolean },
    look: () => Promise<T>,
  ) => Promise<T>;
  /** Remembers as good what was made a moment ago, without a look. */
  remember: (text: string) => void;
}

/** Counts over everything that is looked up by it. */
export function boundGuesses({ now, log }: Pick<HttpDeps, "now" | "log">): Guesses {
  const wrong = countWrong(now);
  const good = new Set<string>();
  // By the whole of it: who knows an id alone, which is no secret, is nobody, and takes nothing from its holder.
  const markOf = (text: string) => createHash("sha256").update(text).digest("base64");
  const keep = (mark: string) => {
    good.delete(mark);
    const [oldest] = good;
    if (good.size >= MOST_GOOD && oldest !== undefined) good.delete(oldest);
    good.add(mark);
  };
  const guarded: Guesses["guarded"] = async ({ text, address, isKept = true }, look) => {
    const mark = markOf(text);
    if (wrong.isTooMany(address) && !good.has(mark)) throw tooManyWrong();
    try {
      const found = await look();
      if (isKept) keep(mark);
      return found;
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      good.delete(mark);
      const count = wrong.note(address);
      if (count === 1 || count === WRONG_A_MINUTE)
        log.warn({ address, wrong_tokens: count, code: error.code }, "a token was refused");
      throw error;
    }
  };
  return { guarded, remember: (text) => keep(markOf(text)) };
}

/** How often each address was wrong within a minute. */
function countWrong(now: () => number) {
  const counts = new Map<string, { sinceMs: number; count: number }>();
  const current = (address: string) => {
    const found = counts.get(address);
    return found && now() - found.sinceMs < MINUTE_MS ? found : undefined;
  };
  return {
    isTooMany: (address: string) => (current(address)?.count ?? 0) >= WRONG_A_MINUTE,
    note(address: string): number {
      const { sinceMs, count } = current(address) ?? { sinceMs: now(), count: 0 };
      counts.delete(address);
      const [oldest] = counts.keys();
      if (counts.size >= MOST_ADDRESSES && oldest !== undefined) counts.delete(oldest);
      counts.set(address, { sinceMs, count: count + 1 });
      return count + 1;
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
