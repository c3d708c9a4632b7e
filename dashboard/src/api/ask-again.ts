/*
 * Answers that are old are asked for again: once, and never instead of what is being asked for.
 *
 * The library of queries has two other ways, and each loses something. A first answer that is on its way when it
 * becomes old is taken for new, and stays until the next event. A later one is cut off and begun anew: an answer that
 * takes longer than events are apart is never seen, while the server is asked for it ever again.
 */

/** What is used of a query. */
export interface Asked {
  readonly queryKey: readonly unknown[];
  readonly state: { readonly fetchStatus: string };
  /** What is being asked for. */
  readonly promise?: Promise<unknown> | undefined;
}

/** What is used of the library's client. */
export interface Asking<Query extends Asked> {
  getQueryCache(): { findAll(of: { predicate: (query: Query) => boolean }): Query[] };
  invalidateQueries(of: {
    predicate: (query: Query) => boolean;
    refetchType: "active" | "none";
  }): Promise<void>;
}

/** What is asked for once more as soon as it came to its end. */
const waiting = new WeakMap<Asked, Promise<void>>();

/**
 * Asks again for those that are old, and answers when they are new.
 *
 * @param isOld whether the answer to a query is
 * @param isSeen whether somebody looks: what nobody looks at is asked for by the look at it
 */
export async function askAgain<Query extends Asked>(
  queries: Asking<Query>,
  isOld: (query: Query) => boolean = () => true,
  isSeen: () => boolean = () => true,
): Promise<void> {
  const old = queries.getQueryCache().findAll({ predicate: isOld });
  const [onTheirWay, there] = [old.filter(isOnItsWay), new Set(old.filter((query) => !isOnItsWay(query)))];
  const ask = async (which: (query: Query) => boolean) =>
    queries.invalidateQueries({ predicate: which, refetchType: isSeen() ? "active" : "none" });
  await Promise.all([
    ask((query) => there.has(query)),
    ...onTheirWay.map(async (query) => {
      const once =
        waiting.get(query) ??
        ended(query).then(async () => {
          waiting.delete(query);
          await ask((one) => one === query);
        });
      waiting.set(query, once);
      await once;
    }),
  ]);
}

function isOnItsWay({ state }: Asked): boolean {
  return state.fetchStatus === "fetching";
}

/** However it ended: its failure is told where it is shown. */
async function ended({ promise }: Asked): Promise<void> {
  await promise?.then(undefined, () => {});
}
