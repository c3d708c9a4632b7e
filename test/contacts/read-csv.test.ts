import { describe, expect, it } from "vitest";
import { ImportFileError, ImportHeaderError, ImportOptionError } from "../../src/contacts/import-errors.ts";
import { openContacts, readContacts } from "../../src/contacts/read-contacts.ts";
import { zoneData } from "../../src/contacts/zones.ts";
import { contactsOf, pieces, rejectsOf, rowsOf } from "./support/rows.ts";

const A = "+12015550123";
const B = "+4915112345678";

/** What a promise is rejected with. */
async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: unknown) => error,
  );
}

async function headerError(text: string, options = {}): Promise<ImportHeaderError> {
  const error = await failureOf(openContacts(pieces(text), options));
  if (!(error instanceof ImportHeaderError)) throw error;
  return error;
}

async function layoutOf(text: string | Uint8Array, options = {}) {
  return (await openContacts(pieces(text), options)).layout;
}

describe("a contact list", () => {
  it("becomes contacts with their number, country, zones and variables", async () => {
    const [first, second] = await contactsOf(
      `phone,First Name,time_zone\n${A},Ann,\n+61 412 345 678,Bo,Australia/Perth\n`,
    );
    expect(first).toEqual({
      kind: "contact",
      line: 2,
      phone: A,
      region: "US",
      zones: ["America/New_York"],
      strictZones: zoneData().ofCountry("US"),
      places: ["US-NJ", "US-NY"],
      strictPlaces: ["US"],
      placedBy: "number",
      unread: [],
      variables: { "First Name": "Ann" },
    });
    expect(second).toMatchObject({ line: 3, zones: ["Australia/Perth"], placedBy: "time_zone" });
  });

  it("keeps values exactly as they are, spaces and empty ones too", async () => {
    const [row] = await contactsOf(`phone,a,b,c\n${A},  x ,,"\t"\n`);
    expect(row?.variables).toEqual({ a: "  x ", b: "", c: "\t" });
  });

  it("takes a number without any known zone, and says so with no zones", async () => {
    const [row] = await contactsOf("phone\n+80012345678\n");
    expect(row).toMatchObject({ region: undefined, zones: [] });
  });

  it.each([
    ["phone"],
    ["Phone Number"],
    ["PHONE_NUMBER"],
    ["phonenumber"],
    ["Mobile"],
    ["mobile_phone"],
    ["cell"],
    ["Tel."],
    ["telephone"],
    ["Telefon"],
    ["Handy"],
    ["Rufnummer"],
    ["número"],
    ["Numero"],
    ["móvil"],
    ["teléfono"],
    ["telefono"],
    ["Téléphone"],
    ["N° de téléphone"],
    ["telefone"],
    ["Celular"],
    ["cellulare"],
    ["telefoonnummer"],
    ["komórka"],
    ["Cep Telefonu"],
    ["телефон"],
    ["手机号"],
    ["電話番号"],
    ["전화번호"],
    ["No HP"],
    ["Phone #"],
    ["to_number"],
  ])("finds the phone column %j", async (name) => {
    const columns = (await layoutOf(`first_name,${name}\nAnn,${A}\n`)).columns;
    expect(columns?.[1]).toEqual({ name, role: "phone" });
  });

  it("prefers a column named for a phone to one named just number", async () => {
    const [row] = await contactsOf(`number,telefon\n17,${A}\n`);
    expect(row).toMatchObject({ phone: A, variables: { number: "17" } });
  });

  it("finds the time zone column by its aliases", async () => {
    for (const name of ["timezone", "Time Zone", "TZ", "Zeitzone", "zona horaria"]) {
      const [row] = await contactsOf(`phone,${name}\n${A},us/pacific\n`);
      expect(row).toMatchObject({ zones: ["America/Los_Angeles"], variables: {} });
    }
  });

  it("takes columns from the mapping, and renames variables by it", async () => {
    const [row] = await contactsOf(`Nummer 1,Nummer 2,Zone,Vorname\n${A},${B},Asia/Tokyo,Ann\n`, {
      map: { phone: "nummer_2", time_zone: "Zone", first_name: "Vorname" },
    });
    expect(row).toMatchObject({
      phone: B,
      zones: ["Asia/Tokyo"],
      variables: { "Nummer 1": A, first_name: "Ann" },
    });
  });
});

describe("national numbers", () => {
  it("are of the default region", async () => {
    const [row] = await contactsOf("phone\n0151 12345678\n", { defaultRegion: "de" });
    expect(row?.phone).toBe(B);
  });

  it("are of the row's own country first, which stays a variable, too", async () => {
    const rows = await contactsOf(
      "phone,Country\n0151 12345678,Germany\n020 7946 0958,UK\n2015550123,\n0151 12345678,+49\n",
      { defaultRegion: "US" },
    );
    expect(rows.map(({ phone }) => phone)).toEqual([B, "+442079460958", A, B]);
    expect(rows[0]?.variables).toEqual({ Country: "Germany" });
  });

  it("are refused if the row's country is not understood, instead of read as one of the default region", async () => {
    const rows = await rowsOf(`phone,country\n0151 12345678,Elbonia\n${B},Elbonia\n`, {
      defaultRegion: "DE",
    });
    expect(rows).toMatchObject([
      { code: "region_unknown", line: 2 },
      { kind: "contact", phone: B },
    ]);
  });

  it("are not guessed from a column named region, which holds states and sales regions", async () => {
    const [reject] = await rejectsOf("phone,region\n3025550123,DE\n");
    expect(reject?.code).toBe("phone_no_country");
    const [row] = await contactsOf("phone,region\n0151 12345678,DE\n", { map: { region: "region" } });
    expect(row?.phone).toBe(B);
  });

  it("need a region that exists", async () => {
    const error = await failureOf(openContacts(pieces("phone\n"), { defaultRegion: "Germany" }));
    expect(error).toBeInstanceOf(ImportOptionError);
  });
});

describe("the way a file is written", () => {
  it.each([
    [",", "a comma"],
    [";", "a semicolon"],
    ["\t", "a tab"],
    ["|", "a bar"],
  ])("%j as delimiter is found and stated (%s)", async (delimiter) => {
    const text = ["name", "phone", "note"].join(delimiter) + "\n" + ["Ann", A, "x"].join(delimiter) + "\n";
    expect((await layoutOf(text)).delimiter).toBe(delimiter);
    expect((await contactsOf(text))[0]?.variables).toEqual({ name: "Ann", note: "x" });
  });

  it("the delimiter that separates a phone column wins over a more frequent one", async () => {
    expect((await layoutOf('"a,b,c,d";phone\n')).delimiter).toBe(";");
    expect((await layoutOf("last, first, middle;phone\n")).delimiter).toBe(";");
  });

  it("Excel's sep line states the delimiter, and lines are still counted from the first", async () => {
    const text = `sep=;\r\nphone;name\r\n${A};"Smith, Ann"\r\n`;
    expect(await layoutOf(text)).toMatchObject({ delimiter: ";", headerLine: 2 });
    expect(await contactsOf(text)).toMatchObject([{ line: 3, variables: { name: "Smith, Ann" } }]);
  });

  it("a given delimiter is taken, and one that can't be is refused", async () => {
    expect(await contactsOf(`phone^n\n${A}^x\n`, { delimiter: "^" })).toHaveLength(1);
    for (const delimiter of ["", '"', "ab", "\n", "a"]) {
      expect(await failureOf(openContacts(pieces("phone\n"), { delimiter }))).toBeInstanceOf(
        ImportOptionError,
      );
    }
  });

  it.each([["\n"], ["\r\n"], ["\r"]])("lines may end with %j", async (end) => {
    const text = ["phone,n", `${A},1`, "", `${B},"2${end}2"`, `${A},3`].join(end);
    const rows = await contactsOf(text);
    expect(rows.map(({ line, variables }) => [line, variables["n"]])).toEqual([
      [2, "1"],
      [4, `2${end}2`],
      [6, "3"],
    ]);
  });

  it("quoted cells hold delimiters, quotes and newlines, and quotes inside a cell are only quotes", async () => {
    const rows = await contactsOf(`phone,n\n${A},"a,""b""\nc"\n${B},5" nail\n${B},""\n`);
    expect(rows.map(({ line, variables }) => [line, variables["n"]])).toEqual([
      [2, 'a,"b"\nc'],
      [4, '5" nail'],
      [5, ""],
    ]);
  });

  it("blank lines, and rows of nothing but delimiters, are passed over", async () => {
    const rows = await contactsOf(`\n \nphone,n\n\n,\n${A},1\n , \n\t\n`);
    expect(rows.map(({ line }) => line)).toEqual([6]);
  });

  it("a last line needs no newline", async () => {
    expect(await contactsOf(`phone\n${A}`)).toHaveLength(1);
    expect(await contactsOf(`phone,n\n${A},"x"`)).toHaveLength(1);
  });
});

describe("encodings", () => {
  const text = `phone,name\r\n${A},Zoë 佐藤 😀\r\n`;
  const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");

  it.each<readonly [string, Uint8Array]>([
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${text}`)],
    ["UTF-16 LE", utf16],
    ["UTF-16 BE", Buffer.from(utf16).swap16()],
  ])("%s is read", async (_name, bytes) => {
    const [row] = await contactsOf(bytes);
    expect(row?.variables).toEqual({ name: "Zoë 佐藤 😀" });
  });

  it("bytes that are not UTF-8 cost their row, not the file", async () => {
    const latin1 = Buffer.concat([
      Buffer.from(`phone,name\n${A},Ann\n`),
      Buffer.from(`${B},M\u00FCller\n`, "latin1"),
      Buffer.from(`${A},\uFFFD is a character\n`),
      Buffer.from([0x22, 0x22, 0x2c, 0xe2, 0x82]),
    ]);
    const rows = await rowsOf(latin1);
    expect(rows).toMatchObject([
      { kind: "contact" },
      { kind: "rejected", line: 3, code: "invalid_encoding", raw: `${B},M\uFFFDller` },
      { kind: "contact", variables: { name: "\uFFFD is a character" } },
      { kind: "rejected", line: 5, code: "invalid_encoding" },
    ]);
  });

  it("half a character of UTF-16 costs its row", async () => {
    const lone = Buffer.from(`\uFEFFphone,name\n${A},x\uD83Dy\n${A},ok\n`, "utf16le");
    expect(await rowsOf(lone)).toMatchObject([{ code: "invalid_encoding" }, { kind: "contact" }]);
    const cutOff = Buffer.concat([utf16, Buffer.from([0x41])]);
    expect(await rowsOf(cutOff)).toMatchObject([{ kind: "contact" }, { code: "invalid_encoding" }]);
  });

  it.each<readonly [string, readonly number[], string]>([
    ["an Excel workbook", [0x50, 0x4b, 0x03, 0x04, 0x14], "not_a_text_file"],
    ["an old Excel workbook", [0xd0, 0xcf, 0x11, 0xe0, 0xa1], "not_a_text_file"],
    ["a gzip file", [0x1f, 0x8b, 0x08], "not_a_text_file"],
    ["UTF-16 without its mark", [0x70, 0x00, 0x68, 0x00], "encoding_unknown"],
  ])("%s is refused with what to do", async (_name, bytes, code) => {
    const error = await failureOf(openContacts(pieces(Uint8Array.from(bytes))));
    expect(error).toBeInstanceOf(ImportFileError);
    expect(error).toMatchObject({ code });
  });
});

describe("a header that can't be used is refused by name", () => {
  it.each<readonly [string, string, string]>([
    ["phone,name,name", "column_name_repeated", '"name"'],
    ["phone,,name", "column_name_empty", "Column 2"],
    ["phone,name,", "column_name_empty", "Column 3"],
    ["phone,__proto__", "column_name_forbidden", '"__proto__"'],
    ["phone,constructor", "column_name_forbidden", '"constructor"'],
    ["phone, prototype ", "column_name_forbidden", '"prototype"'],
    ["phone,a\0b", "column_name_control_character", '"a\\u0000b"'],
    [`phone,${"x".repeat(101)}`, "column_name_too_long", "Column 2"],
    [`phone,${Array.from({ length: 200 }, (_, index) => `c${index}`).join(",")}`, "too_many_columns", "201"],
    ["first,last", "no_phone_column", '"first", "last"'],
    ["Phone,Mobile Phone,name", "phone_column_ambiguous", '"Phone", "Mobile Phone"'],
    ["phone,tz,timezone", "time_zone_column_ambiguous", '"tz", "timezone"'],
    [`${A},Ann`, "no_header", "header line"],
    ["0151 12345678;Ann", "no_header", "header line"],
    ['phone,"name"x', "header_unreadable", "quote"],
  ])("%j", async (header, code, named) => {
    const error = await headerError(`${header}\n${A}\n`);
    expect(error.code).toBe(code);
    expect(error.message).toContain(named);
  });

  it("in bytes that are not text", async () => {
    const error = await failureOf(openContacts(pieces(Buffer.from("phone,pr\u00E9nom\n", "latin1"))));
    expect(error).toMatchObject({ code: "header_unreadable" });
  });

  it.each<readonly [Record<string, string>, string]>([
    [{ phone: "Telefon" }, "column_not_found"],
    [{ phone: "phone", time_zone: "phone" }, "column_mapped_twice"],
    [{ city: "name" }, "column_name_repeated"],
    [{ constructor: "name" }, "column_name_forbidden"],
  ])("by the mapping %j", async (map, code) => {
    expect((await headerError("phone,name,city\n", { map })).code).toBe(code);
  });

  it("unless the mapping says which of two phone columns is meant", async () => {
    const [row] = await contactsOf(`Phone,Mobile\n${A},${B}\n`, { map: { phone: "Mobile" } });
    expect(row).toMatchObject({ phone: B, variables: { Phone: A } });
  });
});

describe("a bad row is kept with its line and reason, and costs only itself", () => {
  it.each<readonly [string, string]>([
    [A, "too_few_columns"],
    [`${A},x,y`, "too_many_columns"],
    [`${A},"x"y`, "bad_quoting"],
    [`${A},a\0b`, "nul_character"],
    [",x", "phone_empty"],
    ["911,x", "phone_short_code"],
    ["4.91512E+11,x", "phone_spreadsheet_damage"],
    [`${A},${"x".repeat(10_001)}`, "value_too_long"],
  ])("%j", async (row, code) => {
    const rows = await rowsOf(`phone,n\n${A},1\n${row}\n${B},2\n`);
    expect(rows).toMatchObject([
      { kind: "contact" },
      { kind: "rejected", line: 3, code },
      { line: 4, phone: B },
    ]);
  });

  it("for a time zone that is none", async () => {
    const [reject] = await rejectsOf(`phone,tz\n${A},EST\n`);
    expect(reject).toMatchObject({ line: 2, code: "time_zone_invalid", raw: `${A},EST` });
  });

  it("with no more of its text than recognises it", async () => {
    const [reject] = await rejectsOf(`phone,n\nbad,${"x".repeat(5_000)}\n`);
    expect(reject?.raw).toHaveLength(201);
  });
});

describe("a file that can't be read on", () => {
  async function rowsAndFailure(text: string, options = {}) {
    const lines: number[] = [];
    const error = await failureOf(
      (async () => {
        for await (const chunk of readContacts(pieces(text), options)) {
          lines.push(...chunk.rows.map(({ line }) => line));
        }
      })(),
    );
    return { lines, error };
  }

  it("names the line of the quote that never closes, after the rows before it", async () => {
    const text = `phone,n\n${A},1\n${A},"2\n2",\n${A},"3\n${`${A},4\n`.repeat(50)}`;
    const { lines, error } = await rowsAndFailure(text.replace(',"2\n2",', ',"2\n2"'));
    expect(lines).toEqual([2, 3]);
    expect(error).toBeInstanceOf(ImportFileError);
    expect(error).toMatchObject({ code: "unterminated_quote", line: 5 });
  });

  it("names it without reading the rest of a long file into memory", async () => {
    const limits = { maxRowChars: 1_000 };
    const { lines, error } = await rowsAndFailure(`phone,n\n${A},1\n${A},"2\n${`${A},4\n`.repeat(5_000)}`, {
      limits,
    });
    expect(lines).toEqual([2]);
    expect(error).toMatchObject({ code: "unterminated_quote", line: 3 });
  });

  it("names the line that is beyond all measure", async () => {
    const { error } = await rowsAndFailure(`phone,n\n${A},${"x".repeat(2_000)}\n`, {
      limits: { maxRowChars: 1_000 },
    });
    expect(error).toMatchObject({ code: "row_too_large", line: 2 });
  });

  it("is too large", async () => {
    const { error } = await rowsAndFailure(`phone\n${A}\n${A}\n`, { limits: { maxFileBytes: 20 } });
    expect(error).toMatchObject({ code: "file_too_large" });
  });

  it("is empty, which is not the same as a header without rows", async () => {
    for (const text of ["", "\uFEFF", "\n \r\n"]) {
      expect((await rowsAndFailure(text)).error).toMatchObject({ code: "empty_file" });
    }
    expect(await rowsOf("phone,name\n")).toEqual([]);
    expect(await rowsOf("phone,name")).toEqual([]);
  });

  it("hands on the source's own failure", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("phone\n");
      throw new Error("disk on fire");
    }
    await expect(rowsOf(broken())).rejects.toThrow("disk on fire");
  });
});

// Seconds of arithmetic, of which a busy machine makes many more.
describe("memory", { timeout: 60_000 }, () => {
  it("is spent on a few blocks of the file, however long it is", async () => {
    let bytes = 0;
    let isClosed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from("phone\n");
        for (;;) {
          const piece = Buffer.from(`${A}\n`.repeat(1_000));
          bytes += piece.length;
          yield piece;
        }
      } finally {
        isClosed = true;
      }
    }
    let chunks = 0;
    for await (const chunk of readContacts(endless(), { chunkRows: 500 })) {
      expect(chunk.rows).toHaveLength(500);
      chunks += 1;
      // One block of at least 64 KiB is read ahead, never more than two.
      expect(bytes).toBeLessThan(chunks * 500 * 13 + 2 * 80_000);
      if (chunks === 100) break;
    }
    expect(isClosed).toBe(true);
  });

  it("a source is closed when its header is refused", async () => {
    let isClosed = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from(`no,such,column\n${"x,y,z\n".repeat(20_000)}`);
      } finally {
        isClosed = true;
      }
    }
    await expect(openContacts(source())).rejects.toThrow("No column looks like the phone number");
    expect(isClosed).toBe(true);
  });
});
