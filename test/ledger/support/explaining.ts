import { sql, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

import { rows, type Db, type Ledger } from "../../../src/ledger/ground/connection.ts";

/**
 * A statement that was run, the tables that its plan reads from one end to the other, the indexes that it reads, what it
 * looks for in them, and how often it sorts.
 */
export interface Explained {
  statement: string;
  readsWhole: readonly string[];
  indexes: readonly string[];
  conditions: readonly string[];
  /** How often it sorts rows. */
  sorts: number;
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: PlanNode[];
}

const dialect = new PgDialect();

/** The same ledger; each statement is explained with its own parameters right before it runs. */
export function explaining(ledger: Ledger, seen: (explained: Explained) => void): Ledger {
  const watched = (db: Db): Db =>
    new Proxy(db, {
      get(target, property, receiver) {
        if (property !== "execute") return Reflect.get(target, property, receiver) as unknown;
        return async (statement: SQL) => {
          const { sql: text } = dialect.sqlToQuery(statement);
          // A lock of a table has no plan.
          if (/^\s*lock table/.test(text)) return target.execute(statement);
          const [row] = await rows<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
            target,
            sql`explain (format json) ${statement}`,
          );
          const nodes = (row?.["QUERY PLAN"] ?? []).flatMap((plan) => nodesOf(plan.Plan));
          const whole = nodes.filter((node) => node["Node Type"] === "Seq Scan");
          seen({
            statement: text.replace(/\s+/g, " "),
            readsWhole: whole.map((node) => node["Relation Name"] ?? ""),
            indexes: nodes.flatMap((node) => node["Index Name"] ?? []),
            conditions: nodes.flatMap((node) => node["Index Cond"] ?? []),
            sorts: nodes.filter((node) => node["Node Type"].endsWith("Sort")).length,
          });
          return target.execute(statement);
        };
      },
    });
  return {
    ...ledger,
    db: watched(ledger.db),
    transaction: (work) => ledger.transaction((tx) => work(watched(tx))),
  };
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
