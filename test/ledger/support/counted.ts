import type { Db, Lane, Ledger } from "../../../src/ledger/ground/connection.ts";

/** A ledger that counts the statements that go through it, transactions' own words left out. */
export function counted(ledger: Ledger): { ledger: Ledger; take: () => number } {
  let statements = 0;
  const counting = (db: Db): Db =>
    new Proxy(db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        if (name === "execute") statements += 1;
        return value.bind(target);
      },
    });
  const countingLane = (lane: Lane): Lane => ({
    db: counting(lane.db),
    transaction: (work) => lane.transaction((tx) => work(counting(tx))),
  });
  return {
    ledger: { ...ledger, ...countingLane(ledger), urgent: countingLane(ledger.urgent) },
    /** Those since the last time. */
    take: () => {
      const taken = statements;
      statements = 0;
      return taken;
    },
  };
}
