import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { firstRow } from "../../../src/ledger/ground/connection.ts";
import { patternOf } from "../../../src/ledger/people/number-pattern.ts";
import { withLedger } from "../../support/ledgers.ts";

withLedger((ledger) => {
  const without = async (phone: string, text: string) => {
    const row = await firstRow<{ left: string }>(
      ledger().db,
      sql`select regexp_replace(${text}, ${patternOf(phone)}, '0', 'g') as "left"`,
    );
    return row?.left;
  };

  it.each([
    ['{"phone":"+12025550143"}', '{"phone":"0"}'],
    ['{"phone":12025550143,"other":"+442079460000"}', '{"phone":0,"other":"+442079460000"}'],
    ["call +1 (202) 555-0143 back", "call 0 back"],
    ["call 202.555.0143.", "call 0."],
    ["phone=%2B12025550143&name=x", "phone=%2B0&name=x"],
  ])("a number is taken out of %s", async (text, left) => {
    expect(await without("+12025550143", text)).toBe(left);
  });

  it.each([
    ["+12025550143", "+4920255501437"],
    ["+12025550143", "1202555014300"],
    ["+4520261126", "on 2026-11-26 10:00"],
    ["+4520211234", '{"balance_usd":2021.12345}'],
    ["+12026112610", "2026-11-26 10:00:00"],
    ["+351213456789", "at 21:34:56.789"],
  ])("of %s nothing is found in %s", async (phone, text) => {
    expect(await without(phone, text)).toBe(text);
  });
});
