import { stringify } from "csv-stringify/sync";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CsvTokenizer, type CsvRow } from "../../src/contacts/csv-tokenizer.ts";
import { ImportFileError } from "../../src/contacts/import-errors.ts";
import { readContacts } from "../../src/contacts/read-contacts.ts";
import { contactsOf, cut, pieces, rowsOf } from "./support/rows.ts";

const phones = ["+12015550123", "+4915112345678", "+61412345678"];

/** Text as it is found in lists: quotes, delimiters, line ends, scripts of all kinds. */
const value = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from("ab \",;|\t\n\r'é佐😀")), maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);
const record = fc.tuple(fc.constantFrom(...phones), value, value);
const records = fc.array(record, { maxLength: 20 });
const delimiter = fc.constantFrom(",", ";", "\t", "|");
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");

const hasNul = (row: readonly string[]): boolean => row.some((cell) => cell.includes("\0"));

function written(rows: readonly (readonly string[])[], cells: string, lines: string): string {
  return stringify([["phone", "note", "extra"], ...rows], {
    delimiter: cells,
    record_delimiter: lines,
    // csv-stringify quotes for the record delimiter it writes, not for the other line ends that there are.
    quoted_match: /[\r\n]/,
  });
}

function physicalLine(text: string, offset: number): number {
  return (text.slice(0, offset).match(/\r\n|\r|\n/g)?.length ?? 0) + 1;
}

describe("any list that csv-stringify writes", () => {
  it("reads back with the same values", async () => {
    await fc.assert(
      fc.asyncProperty(records, delimiter, lineEnd, async (rows, cells, lines) => {
        fc.pre(!rows.some(hasNul));
        const read = await contactsOf(written(rows, cells, lines), { delimiter: cells });
        expect(read.map(({ phone, variables }) => [phone, variables["note"], variables["extra"]])).toEqual(
          rows,
        );
      }),
      { numRuns: 300 },
    );
  });

  it("reads the same wherever its bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        records,
        delimiter,
        lineEnd,
        fc.integer({ min: 1, max: 9 }),
        async (rows, cells, lines, size) => {
          const bytes = Buffer.from(written(rows, cells, lines));
          expect(await rowsOf(cut(bytes, size), { delimiter: cells })).toEqual(
            await rowsOf(bytes, { delimiter: cells }),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it("goes on behind any row with exactly the rows that remain", async () => {
    await fc.assert(
      fc.asyncProperty(records, lineEnd, fc.nat(25), async (rows, lines, index) => {
        const text = written(rows, ",", lines);
        const all = await rowsOf(text, { delimiter: "," });
        const startAfterLine = all[index]?.line ?? 1;
        expect(await rowsOf(text, { delimiter: ",", startAfterLine })).toEqual(
          all.filter(({ line }) => line > startAfterLine),
        );
      }),
      { numRuns: 200 },
    );
  });

  it("has each row on the line where it begins in the file", async () => {
    await fc.assert(
      fc.asyncProperty(records, lineEnd, async (rows, lines) => {
        fc.pre(!rows.some(hasNul));
        const texts = rows.map((row) =>
          stringify([row], { record_delimiter: lines, quoted_match: /[\r\n]/ }),
        );
        const header = `phone,note,extra${lines}`;
        const expected = texts.map((_, index) => {
          const before = header + texts.slice(0, index).join("");
          return physicalLine(before, before.length);
        });
        const read = await rowsOf(header + texts.join(""), { delimiter: "," });
        expect(read.map(({ line }) => line)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});

describe("chunks", () => {
  it("hold as many rows as asked for, and each says how to go on behind it", async () => {
    const text = `phone,n\n${phones
      .map((phone, index) => `${phone},"${index}\n"\n`)
      .join("")
      .repeat(4)}`;
    const all = await rowsOf(text);
    for (const chunkRows of [1, 2, 5, 12, 50]) {
      let rest = all;
      for await (const chunk of readContacts(pieces(text), { chunkRows })) {
        expect(chunk.rows).toEqual(rest.slice(0, chunkRows));
        rest = rest.slice(chunkRows);
        expect(await rowsOf(text, { startAfterLine: chunk.lastLine })).toEqual(rest);
      }
      expect(rest).toEqual([]);
    }
  });

  it("of NDJSON read the same wherever its bytes are cut, and go on behind any line", async () => {
    const line = fc.oneof(
      record.map(([phone, note]) => JSON.stringify({ phone, note })),
      fc.constantFrom("", "{", "  ", '{"phone":1}', `{"x":"${"y".repeat(400)}"}`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 10 }),
        lineEnd,
        fc.integer({ min: 1, max: 9 }),
        async (list, end, size) => {
          const bytes = Buffer.from(`{"phone":"+12015550123"}\n${list.join(end === "\r" ? "\n" : end)}`);
          const options = { format: "ndjson", limits: { maxRowChars: 300 } } as const;
          const all = await rowsOf(bytes, options);
          expect(await rowsOf(cut(bytes, size), options)).toEqual(all);
          for (const { line: startAfterLine } of all) {
            const rest = await rowsOf(bytes, { ...options, startAfterLine });
            expect(rest).toEqual(all.filter(({ line: at }) => at > startAfterLine));
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

interface Tokenized {
  readonly rows: readonly CsvRow[];
  readonly failure: string | undefined;
}

function tokenize(parts: readonly string[], maxRowChars = 60): Tokenized {
  const tokenizer = new CsvTokenizer({ delimiter: ",", maxRowChars, firstLine: 1, startAfterLine: 0 });
  const rows: CsvRow[] = [];
  for (const [index, part] of parts.entries()) {
    const tokens = tokenizer.push(part, index === parts.length - 1);
    rows.push(...tokens.rows);
    if (tokens.failure !== undefined)
      return { rows, failure: `${tokens.failure.code} ${tokens.failure.line}` };
  }
  return { rows, failure: undefined };
}

describe("any text at all", () => {
  const wild = fc.string({ unit: fc.constantFrom(...Array.from('ab,""\n\r 1')), maxLength: 120 });

  it("splits the same however it comes, faults included", () => {
    fc.assert(
      fc.property(wild, fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 12 }), (text, sizes) => {
        const parts: string[] = [];
        let at = 0;
        for (const size of sizes) {
          parts.push(text.slice(at, at + size));
          at += size;
        }
        parts.push(text.slice(at));
        expect(tokenize(parts)).toEqual(tokenize([text]));
      }),
      { numRuns: 3_000 },
    );
  });

  it("splits as csv-parse splits it, where that takes it", () => {
    const plain = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(plain, lineEnd, (rows, lines) => {
        const text = stringify(rows, { record_delimiter: lines, quoted: true, quoted_empty: true });
        const theirs: unknown = parse(text, { record_delimiter: ["\r\n", "\n", "\r"] });
        expect(tokenize([text], 10_000).rows.map(({ fields }) => fields)).toEqual(theirs);
      }),
      { numRuns: 300 },
    );
  });

  it("never makes the reader fail other than with a reason", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (tail) => {
        const bytes = Buffer.concat([Buffer.from("phone,a\n"), tail]);
        const read = await rowsOf(bytes).catch((error: unknown) => error);
        if (Array.isArray(read)) return;
        expect(read).toBeInstanceOf(ImportFileError);
      }),
      { numRuns: 500 },
    );
  });

  it("in bytes cut anywhere decodes the same, valid or not", async () => {
    const long = `+12015550123,${"x".repeat(9_000)}\n`;
    const tails = fc.uint8Array({ maxLength: 60 });
    // Blocks are 64 KiB: the first one ends in the tail or a few bytes around it.
    const fillers = fc.integer({ min: 65_470, max: 65_540 });
    await fc.assert(
      fc.asyncProperty(tails, fillers, async (tail, filler) => {
        const head = `phone,a\n${long.repeat(7)}`.padEnd(filler, "\n");
        const bytes = Buffer.concat([Buffer.from(head), tail, Buffer.from("\n+12015550123,é\n")]);
        const whole = await rowsOf(bytes).catch((error: unknown) => String(error));
        const inPieces = await rowsOf(cut(bytes, 64)).catch((error: unknown) => String(error));
        expect(inPieces).toEqual(whole);
      }),
      { numRuns: 100 },
    );
  });
});
