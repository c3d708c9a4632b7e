import type { Database } from "./statements/database.mjs";

/** A call that runs a statement, in each text that it may have, and what it reads of the rows. */
export interface Statement {
  place: string;
  texts: readonly string[];
  columns: readonly { name: string; type: string; mayBeNull: boolean; kinds: ReadonlySet<string> }[];
}

export function readStatements(config: string): { statements: Statement[]; problems: string[] };

export function objectionsTo(
  statements: readonly Statement[],
  database: Database,
  neverNull?: ReadonlyMap<string, string>,
): Promise<string[]>;
