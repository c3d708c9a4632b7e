import { expect, it } from "vitest";

import { ImportHeaderError } from "../../src/contacts/import-errors.ts";
import { openNumbers, type NumberRow } from "../../src/contacts/read-numbers.ts";
import type { ReadContactsOptions } from "../../src/contacts/read-contacts.ts";
import { pieces } from "./support/rows.ts";

const A = "+12015550123";
const B = "+4915112345678";
const C = "+442071838750";

async function numbersOf(text: string | Uint8Array, options: ReadContactsOptions = {}): Promise<NumberRow[]> {
  const { chunks } = await openNumbers(pieces(text), options);
  const rows: NumberRow[] = [];
  for await (const chunk of chunks) rows.push(...chunk.rows);
  return rows;
}

const long = "x".repeat(20_000);

it.each([
  ["a bad time zone", `phone,time_zone\n${A},Mars/Olympus\n`, [A]],
  ["a long note", `phone,note\n${A},${long}\n`, [A]],
  ["a NUL in another cell", `phone,note\n${A},a\0b\n`, [A]],
  ["a NUL behind the number", `phone,note\n${A}\0\0,a\n`, [A]],
  ["too few columns", `phone,name,note\n${A}\n`, [A]],
  ["too many columns", `phone,name\n${A},Smith, Ann\n`, [A]],
  ["a delimiter before the number", `name,phone\nSmith, Ann,${A}\n`, [A]],
  ["text behind a quote", `name,phone\n"Ann" Smith,${A}\n`, [A]],
  ["names that no contact may have", `phone,,note,note,__proto__\n${A},1,2,3,4\n`, [A]],
  ["two columns of one name", `phone,phone\n${A},${B}\n`, [A, B]],
  ["several columns of numbers", `Mobile,Home phone\n${A},${B}\n`, [A, B]],
  ["one of two columns empty", `Mobile,Home phone\n,${B}\n`, [B]],
  ["the same number twice", `Mobile,Home phone\n${A},${A}\n`, [A]],
  ["several numbers in a cell", `phone\n"${A}; ${B} / ${C}"\n`, [A, B, C]],
  ["nothing beside a number", `Mobile,Home phone\nnone,${B}\n`, [B]],
])("a row with %s still says whom not to dial", async (_what, text, phones) => {
  expect(await numbersOf(text)).toEqual([
    { kind: "numbers", line: expect.any(Number), phones, unread: undefined },
  ]);
});

it.each([
  ["a bad time zone", { phone: A, time_zone: "Mars/Olympus" }, [A]],
  ["a long note", { phone: A, note: long }, [A]],
  ["a NUL in another value", { phone: A, note: "a\0b" }, [A]],
  ["an object for a value", { phone: A, address: { city: "Bonn" }, tags: ["a"] }, [A]],
  ["names that no contact may have", { phone: A, "": 1, constructor: 2 }, [A]],
  ["several numbers", { mobile: A, home_phone: B }, [A, B]],
  ["a list of numbers", { phone: [A, B] }, [A, B]],
  ["a number as a number", { phone: 12015550123, country: "US" }, [A]],
])("a JSON row with %s still says whom not to dial", async (_what, row, phones) => {
  expect(await numbersOf(`${JSON.stringify(row)}\n`, { format: "ndjson" })).toEqual([
    { kind: "numbers", line: 1, phones, unread: undefined },
  ]);
});

it("hands back what holds no number, with what is wrong with it", async () => {
  const rows = await numbersOf(`phone,name\nnobody,x\n,Ann\n12,Bo\nCy\n0151 12345678,Di\n`);
  expect(rows.map((row) => [row.line, row.kind === "rejected" ? row.code : "numbers"])).toEqual([
    [2, "phone_letters"],
    [3, "phone_empty"],
    [4, "phone_short_code"],
    [5, "too_few_columns"],
    [6, "phone_no_country"],
  ]);
  const lines = ["{", "[1]", '"x"', "{}", '{"phone":{"a":1}}', '{"phone":null}'].join("\n");
  expect(
    (await numbersOf(`{"phone":"${A}"}\n${lines}\n`)).map((row) =>
      row.kind === "rejected" ? row.code : row.kind,
    ),
  ).toEqual([
    "numbers",
    "json_invalid",
    "json_not_an_object",
    "json_not_an_object",
    "phone_empty",
    "json_value_not_scalar",
    "phone_empty",
  ]);
});

it("tells of a number that can't be read beside one that can", async () => {
  const rows = await numbersOf(`Mobile,Home phone\n${A},12\n`);
  expect(rows).toMatchObject([{ phones: [A], unread: { line: 2, code: "phone_short_code" } }]);
});

it("reads national numbers by the row's country, else by the default one", async () => {
  const rows = await numbersOf("phone,country\n0151 12345678,DE\n020 7183 8750,\n", { defaultRegion: "GB" });
  expect(rows).toMatchObject([{ phones: [B] }, { phones: [C] }]);
});

it("reads the column that the mapping names, and no other", async () => {
  expect(await numbersOf(`Mobile,Agent\n${A},${B}\n`, { map: { phone: "agent" } })).toMatchObject([
    { phones: [B] },
  ]);
  expect(await numbersOf(`{"mobile":"${A}","Agent":"${B}"}\n`, { map: { phone: "agent" } })).toMatchObject([
    { phones: [B] },
  ]);
});

it.each([
  ["a list without a header", `${A}\n`, {}, "no_header"],
  ["a header without numbers", "name,city\nAnn,Bonn\n", {}, "no_phone_column"],
  ["a mapped column that is not there", `phone\n${A}\n`, { map: { phone: "Mobile" } }, "column_not_found"],
])("refuses %s as it does in a list of contacts", async (_what, text, options, code) => {
  const opened = openNumbers(pieces(text), options);
  await expect(opened).rejects.toBeInstanceOf(ImportHeaderError);
  await expect(opened).rejects.toMatchObject({ code });
});

it("says of a file that ends in a quote what it did not read, after what it did", async () => {
  const { chunks } = await openNumbers(pieces(`phone,name\n${A},Ann\n${B},"Bo\n`));
  const read = await chunks.next();
  expect(read.value).toMatchObject({ rows: [{ phones: [A] }] });
  await expect(chunks.next()).rejects.toMatchObject({ code: "unterminated_quote" });
});
