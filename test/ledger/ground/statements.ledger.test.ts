import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { rows, StatementRefusedError } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";

describeLedgers("a statement", (ledger) => {
  it("that is refused says so without the values that it was given", async () => {
    const secret = "+12025550143 of Jane Roe";
    for (const statement of [
      sql`select ${secret}::uuid as one`,
      sql`select 1 / (length(${secret}) - ${secret.length}::int) as one`,
      sql`insert into watermarks (name, at) values (${secret}, null)`,
    ]) {
      const error = await rows(ledger().db, statement).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StatementRefusedError);
      const { message, stack = "", cause } = error as StatementRefusedError;
      expect(message + stack + JSON.stringify(error)).not.toMatch(/2025550143|Jane/);
      expect(stack).toContain("$1");
      expect(message).not.toContain("$1");
      expect(cause).toBeUndefined();
    }
  });

  it("takes a NUL from outside as U+FFFD, in whatever part of it", async () => {
    const inner = sql`${"a\0b"}::text`;
    const [row] = await rows<{ one: string; two: string }>(
      ledger().db,
      sql`select ${inner} as one, ${"\0"}::text as two`,
    );
    expect(given(row)).toEqual({ one: "a\uFFFDb", two: "\uFFFD" });
  });
});
