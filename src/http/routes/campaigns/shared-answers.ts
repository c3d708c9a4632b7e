/*
 * Answers that cost the ledger much, and are the same for whoever asks within some seconds: of a dashboard, each page that
 * is open asks again and again. They are held by this process, and name nobody.
 */

/** More are in use at a time by hardly anybody; each is a few kilobytes. */
const MOST = 200;

interface Kept<Answer> {
  answer: Promise<Answer>;
  /** Of the clock of the process; undefined: it is under way. */
  staleAtMs: number | undefined;
}

export interface SharedAnswers<Answer> {
  /**
   * What was answered to a key less than `keptMs` ago, or is being answered: one question under way a key. What failed is
   * asked again by the next.
   *
   * @param keptMs in milliseconds, or what says so by the answer, so that a dear one is kept for longer
   */
  of(key: string, keptMs: number | ((answer: Answer) => number), ask: () => Promise<Answer>): Promise<Answer>;
}

/** @param nowMs a clock that never goes back */
export function shareAnswers<Answer>(nowMs: () => number = () => performance.now()): SharedAnswers<Answer> {
  const kept = new Map<string, Kept<Answer>>();
  const isStale = ({ staleAtMs }: Kept<Answer>) => staleAtMs !== undefined && staleAtMs <= nowMs();
  const makeRoom = () => {
    if (kept.size < MOST) return;
    for (const [key, one] of kept) if (isStale(one)) kept.delete(key);
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= MOST) kept.delete(oldest);
  };
  return {
    of(key, keptMs, ask) {
      const known = kept.get(key);
      if (known && !isStale(known)) return known.answer;
      kept.delete(key);
      makeRoom();
      const one: Kept<Answer> = { answer: ask(), staleAtMs: undefined };
      kept.set(key, one);
      one.answer.then(
        (answer) => {
          one.staleAtMs = nowMs() + (typeof keptMs === "number" ? keptMs : keptMs(answer));
        },
        () => {
          if (kept.get(key) === one) kept.delete(key);
        },
      );
      return one.answer;
    },
  };
}
