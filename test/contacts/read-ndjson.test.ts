import { describe, expect, it } from "vitest";
import { openContacts } from "../../src/contacts/read-contacts.ts";
import { contactsOf, pieces, rejectsOf, rowsOf } from "./support/rows.ts";

const A = "+12015550123";
const B = "+4915112345678";

describe("NDJSON", () => {
  it("is recognised by its first character or by the file's name", async () => {
    const line = `{"phone":"${A}"}\n`;
    expect((await openContacts(pieces(` \n${line}`))).layout).toEqual({
      format: "ndjson",
      encoding: "utf-8",
    });
    expect(
      await openContacts(pieces("\n"), { fileName: "list.csv" }).catch((error: unknown) => error),
    ).toMatchObject({
      code: "empty_file",
    });
    expect((await openContacts(pieces("x"), { fileName: "list.JSONL" })).layout.format).toBe("ndjson");
    expect((await openContacts(pieces("phone\n"))).layout.format).toBe("csv");
  });

  it("becomes contacts, one object a line, with the line's number", async () => {
    const rows = await contactsOf(
      `{"Phone Number":"${A}","first_name":"Ann","tz":"Asia/Tokyo"}\r\n\n{"mobile":"0151 12345678","country":"DE"}`,
    );
    expect(rows).toMatchObject([
      { line: 1, phone: A, zones: ["Asia/Tokyo"], placedBy: "time_zone", variables: { first_name: "Ann" } },
      { line: 3, phone: B, variables: { country: "DE" } },
    ]);
  });

  it("takes variables nested, as the platform has them, and beside each other", async () => {
    const rows = await contactsOf(
      `{"phone":"${A}","time_zone":"Asia/Tokyo","variables":{"a":"1"},"b":"2"}\n{"phone_number":"${B}","dynamic_variables":{"a":"x"},"variables":null}`,
    );
    expect(rows.map(({ variables }) => variables)).toEqual([{ a: "1", b: "2" }, { a: "x" }]);
  });

  it("writes other values as text, predictably", async () => {
    const [row] = await contactsOf(`{"phone":"${A}","a":1.5,"b":true,"c":null,"d":0,"e":-7,"f":""}`);
    expect(row?.variables).toEqual({ a: "1.5", b: "true", c: "", d: "0", e: "-7", f: "" });
  });

  it("takes a number written as a number, but none that lost digits", async () => {
    expect(await contactsOf('{"phone":2015550123,"n":"1e5"}', { defaultRegion: "US" })).toMatchObject([
      { phone: A },
    ]);
    expect(await rejectsOf('{"phone":4.91512e11}')).toMatchObject([{ code: "phone_spreadsheet_damage" }]);
  });

  it("takes names from the mapping", async () => {
    const [row] = await contactsOf(`{"phone":"${A}","Handy 2":"${B}","Vorname":"Ann"}`, {
      map: { phone: "handy_2", first_name: "Vorname" },
    });
    expect(row).toMatchObject({ phone: B, variables: { phone: A, first_name: "Ann" } });
  });

  it.each<readonly [string, string]>([
    ["{", "json_invalid"],
    [`{"phone":"${A}"} {}`, "json_invalid"],
    ['"text"', "json_not_an_object"],
    ["7", "json_not_an_object"],
    ["{}", "phone_empty"],
    ['{"phone":null}', "phone_empty"],
    [`{"phone":"${A}","a":{"b":1}}`, "json_value_not_scalar"],
    [`{"phone":"${A}","a":[1]}`, "json_value_not_scalar"],
    [`{"phone":"${A}","variables":"x"}`, "json_value_not_scalar"],
    [`{"phone":"${A}","variables":{"a":{}}}`, "json_value_not_scalar"],
    [`{"phone":"${A}","a":12345678901234567890}`, "json_number_not_exact"],
    [`{"phone":"${A}","a":1e999}`, "json_number_not_exact"],
    [`{"phone":"${A}","a":"1","variables":{"a":"2"}}`, "json_name_repeated"],
    [`{"phone":"${A}","__proto__":"x"}`, "json_name_forbidden"],
    [`{"phone":"${A}","variables":{"__proto__":"x"}}`, "json_name_forbidden"],
    [`{"phone":"${A}","":"x"}`, "json_name_forbidden"],
    [`{"phone":"${A}","a\\u0000b":"x"}`, "json_name_forbidden"],
    [`{"phone":"${A}","mobile":"${B}"}`, "json_name_ambiguous"],
    [`{"phone":"${A}","a":"x\\u0000"}`, "nul_character"],
    [`{"phone":"${A}","a":"x\\ud800"}`, "invalid_encoding"],
    [`{"phone":"${A}","tz":"nowhere"}`, "time_zone_invalid"],
    [`{"phone":"${A}","a":"${"x".repeat(10_001)}"}`, "value_too_long"],
    [`{"phone":"${A}","a":"${"x".repeat(300_000)}"}`, "row_too_large"],
    [
      `{"phone":"${A}",${Array.from({ length: 201 }, (_, index) => `"c${index}":1`).join(",")}}`,
      "too_many_columns",
    ],
  ])("keeps the bad line %j with its reason and goes on", async (line, code) => {
    const rows = await rowsOf(`${line}\n{"phone":"${B}"}\n`, { format: "ndjson" });
    expect(rows).toMatchObject([
      { kind: "rejected", line: 1, code },
      { kind: "contact", line: 2, phone: B },
    ]);
  });

  it("is not one JSON array, and says how to make lines of it", async () => {
    await expect(rowsOf(`[{"phone":"${A}"}]`)).rejects.toMatchObject({
      code: "json_array",
      message: expect.stringContaining("one object a line"),
    });
  });

  it("is an error if the file is empty", async () => {
    await expect(rowsOf("", { format: "ndjson" })).rejects.toMatchObject({ code: "empty_file" });
  });
});
