/*
 * Work of a process that comes again and again: one turn after the other, and ended in good order.
 */

/** Requests of a turn have their own bounds; the end of a process does not wait for the longest. */
const STOP_BOUND_MS = 5_000;

/** Processes that live for less than a turn's time would never come to it: the first turn is sooner. */
const FIRST_WITHIN_MS = 60_000;

export interface Turns {
  /** Waits for the one under way, and for what it began, within a bound. */
  stop(): Promise<void>;
}

/**
 * @param turn must not reject
 * @param settled what turns begin and do not wait for
 */
export function startTurns({
  everyMs,
  turn,
  settled,
}: {
  everyMs: number;
  turn: () => Promise<void>;
  settled?: () => Promise<unknown>;
}): Turns {
  let underWay: Promise<void> | undefined;
  const take = () => {
    underWay ??= turn().finally(() => {
      underWay = undefined;
    });
  };
  const timer = setInterval(take, everyMs);
  const first = everyMs > FIRST_WITHIN_MS ? setTimeout(take, FIRST_WITHIN_MS) : undefined;
  return {
    async stop() {
      clearInterval(timer);
      clearTimeout(first);
      await withinBound(Promise.all([underWay, settled?.()]));
    },
  };
}

/** Waits for the end of something, and no longer than the end of a process may take. */
export async function withinBound(work: Promise<unknown>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const bound = new Promise<void>((resolve) => {
    late = setTimeout(resolve, STOP_BOUND_MS);
  });
  await Promise.race([work, bound]);
  clearTimeout(late);
}

/** Work by somebody's id, one at a time for each: whoever is slow holds up nobody else. */
export interface OneEach {
  readonly isUnderWay: (id: number) => boolean;
  /** Unless theirs is under way. */
  readonly begin: (id: number) => void;
  readonly settled: () => Promise<unknown>;
}

export function createOneEach(
  work: (id: number) => Promise<void>,
  onFailure: (error: unknown) => void,
): OneEach {
  const underWay = new Map<number, Promise<void>>();
  return {
    isUnderWay: (id) => underWay.has(id),
    begin(id) {
      if (underWay.has(id)) return;
      underWay.set(
        id,
        work(id)
          .catch(onFailure)
          .finally(() => underWay.delete(id)),
      );
    },
    settled: () => Promise.all(underWay.values()),
  };
}
