import { sql } from "drizzle-orm";

import { rows, type Db } from "./connection.ts";

/** Fewer new contacts change no plan. */
const WORTH_IT = 5_000;

/**
 * Tells the planner of the database how many contacts there are now. After a large import it still believes in
 * the few from before, and reads a campaign's pages by sorting all of it each time. A sample is read: about half
 * a second, whatever the size.
 */
export async function noteManyContacts(db: Db, accepted: number): Promise<void> {
  if (accepted >= WORTH_IT) await rows(db, sql`select analyze_contacts()`);
}
