import { PassThrough, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RejectedRow } from "../../src/contacts/contact-row.ts";
import { csvCell, csvRow } from "../../src/contacts/csv-cell.ts";
import { rejectsHeader, writeRejects } from "../../src/contacts/rejects.ts";

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

describe("the rejects file", () => {
  const rows: RejectedRow[] = [
    { kind: "rejected", line: 7, code: "phone_letters", reason: "It has letters.", raw: '=cmd,"x"' },
    { kind: "rejected", line: 9, code: "phone_empty", reason: "Nothing there.", raw: "" },
  ];

  it("has a line for each rejected row", async () => {
    const file = new PassThrough();
    file.write(rejectsHeader);
    expect(await writeRejects(rows, file)).toBe(2);
    file.end();
    expect(await text(file)).toBe(
      'line,code,reason,raw\n7,phone_letters,It has letters.,"\'=cmd,""x"""\n9,phone_empty,Nothing there.,\n',
    );
  });

  it("waits for a slow disk", async () => {
    let pending = 0;
    let most = 0;
    const slow = new Writable({
      highWaterMark: 64,
      write(_chunk, _encoding, done) {
        most = Math.max(most, ++pending);
        setImmediate(() => {
          pending -= 1;
          done();
        });
      },
    });
    const many = Array.from({ length: 500 }, () => rows).flat();
    expect(await writeRejects(many, slow)).toBe(1_000);
    expect(slow.writableLength).toBeLessThan(1_000);
    expect(most).toBe(1);
  });

  it("fails when the file does", async () => {
    const full = new Writable({
      write(_chunk, _encoding, done) {
        done(new Error("disk full"));
      },
    });
    full.on("error", () => undefined);
    async function* endless(): AsyncGenerator<RejectedRow> {
      for (;;) {
        for (const row of rows) yield row;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await expect(writeRejects(endless(), full)).rejects.toThrow("disk full");
  });
});
