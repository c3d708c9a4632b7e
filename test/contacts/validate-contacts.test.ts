import { describe, expect, it } from "vitest";
import { validateContacts } from "../../src/contacts/validate-contacts.ts";
import { generatedContacts } from "./support/generated-contacts.ts";
import { pieces } from "./support/rows.ts";

const A = "+12015550123";
const B = "+4915112345678";

describe("validating a list", () => {
  it("says what an import would say", async () => {
    const text = `phone,name,tz\n${A},Ann,\n${B},Bo,Asia/Tokyo\n+1 (201) 555-0123,Ann again,\n911,Cy,\n${A},Dee,Nowhere\n+80012345678,Eve,\n`;
    const result = await validateContacts(pieces(text));
    expect(JSON.parse(JSON.stringify(result))).toEqual({
      layout: {
        format: "csv",
        encoding: "utf-8",
        delimiter: ",",
        headerLine: 1,
        columns: [
          { name: "phone", role: "phone" },
          { name: "name", role: "variable", variable: "name" },
          { name: "tz", role: "time_zone" },
        ],
      },
      rows: { read: 6, ok: 3, rejected: 2, duplicate: 1 },
      rejectedByCode: { phone_short_code: 1, time_zone_invalid: 1 },
      regions: { US: 1, DE: 1, "non-geographic": 1 },
      zoneSets: [
        { zones: ["America/New_York"], contacts: 1 },
        { zones: ["Asia/Tokyo"], contacts: 1 },
        { zones: [], contacts: 1 },
      ],
      timeZoneGiven: 1,
      problems: [
        { kind: "rejected", line: 5, code: "phone_short_code", reason: expect.any(String), raw: "911,Cy," },
        {
          kind: "rejected",
          line: 6,
          code: "time_zone_invalid",
          reason: expect.any(String),
          raw: `${A},Dee,Nowhere`,
        },
      ],
      stopped: null,
      warnings: [expect.stringContaining("1 numbers tell nothing of a time zone")],
      duplicateCheckBytes: 32_768,
    });
  });

  it.each<readonly [string, string, string]>([
    ["all numbers are national", "phone\n2015550123\n2015550124\n", "no default region"],
    ["a spreadsheet ate digits", `phone\n${A}\n4.9E+11\n`, "format the phone column as Text"],
    ["there is only a header", "phone,name\n", "no rows"],
    ["everyone is at UTC", `phone,tz\n${A},UTC\n`, "UTC, where nobody lives"],
    ["the delimiter is wrong", `phone\n${A};x,y\n${B};x,y\n`, "check the delimiter"],
  ])("warns when %s", async (_what, text, warning) => {
    const { warnings } = await validateContacts(pieces(text));
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });

  it("counts the rows before a fault, and names it", async () => {
    const result = await validateContacts(pieces(`phone,n\n${A},1\n${B},"2\n`));
    expect(result.rows).toMatchObject({ read: 1, ok: 1 });
    expect(result.stopped).toMatchObject({ code: "unterminated_quote", line: 3 });
  });

  it("hands back no more problems than asked for, but counts all", async () => {
    const result = await validateContacts(pieces(`phone\n${"x\n".repeat(50)}`), { maxProblems: 3 });
    expect(result.problems.map(({ line }) => line)).toEqual([2, 3, 4]);
    expect(result.rows.rejected).toBe(50);
  });

  it("reads a long list of 30 countries and accounts for every row", async () => {
    const { rows, regions, rejectedByCode, duplicateCheckBytes } = await validateContacts(
      generatedContacts({ rows: 20_000, seed: 7 }),
    );
    expect(rows.read).toBe(20_000);
    expect(rows.ok + rows.rejected + rows.duplicate).toBe(20_000);
    expect(rejectedByCode.phone_too_short).toBeGreaterThanOrEqual(100);
    expect(Object.keys(regions)).toHaveLength(30);
    expect(duplicateCheckBytes).toBeLessThanOrEqual(rows.ok * 32);
  });
});
