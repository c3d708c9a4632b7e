import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvCell, csvRow } from "../../src/contacts/csv-cell.ts";

describe("a cell that a spreadsheet opens", () => {
  it.each([
    ["+15550100", "+15550100"],
    ["-12.5", "-12.5"],
    ["1e5", "1e5"],
    ["plain", "plain"],
    ["", ""],
    ["=1+1", "'=1+1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", '"\'\tx"'],
    ["\r=x", '"\'\r=x"'],
    ["+1-1|cmd", "'+1-1|cmd"],
    ["-2+3", "'-2+3"],
    ["+15550100,Ann", '"\'+15550100,Ann"'],
    ["＝1", "'＝1"],
    ["a=1", "a=1"],
    ['say "hi"', '"say ""hi"""'],
    ["a,b", '"a,b"'],
    ["a;b", '"a;b"'],
    ["a\nb", '"a\nb"'],
  ])("%j is written %j", (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it("reads back as it was, but for the apostrophe in front of formulas", () => {
    const value = fc.string({
      unit: fc.constantFrom(...Array.from("a1,;\"\n\r\t=+-@' é")),
      minLength: 1,
      maxLength: 10,
    });
    fc.assert(
      fc.property(fc.array(value, { minLength: 2, maxLength: 4 }), (values) => {
        const read: string[][] = parse(csvRow(values));
        const cells = read[0] ?? [];
        expect(cells.map((cell, index) => (cell === values[index] ? cell : cell.replace(/^'/, "")))).toEqual(
          values,
        );
        for (const cell of cells) expect(cell).not.toMatch(/^[=@\t\r]/);
      }),
    );
  });
});
