import fc from "fast-check";
import examples from "libphonenumber-js/examples.mobile.json" with { type: "json" };
import { getCountries, getExampleNumber } from "libphonenumber-js/max";
import { describe, expect, it } from "vitest";
import { normalisePhone, phoneRegion, type NationalHome } from "../../src/contacts/phone.ts";
import type { PhoneRejectionCode } from "../../src/contacts/rejection.ts";

const DE: NationalHome = { region: "DE" };
const US: NationalHome = { region: "US" };

function e164(cell: string, home?: NationalHome): string {
  const result = normalisePhone(cell, home);
  return result.ok ? result.phone : result.code;
}

describe("numbers that people write", () => {
  it.each<[cell: string, phone: string, home?: NationalHome]>([
    ["+49 151 12345678", "+4915112345678"],
    ["+49-151-123.456.78", "+4915112345678"],
    ["(+49) 151 12345678", "+4915112345678"],
    ["+49 (0)151 12345678", "+4915112345678"],
    ["+44 (0)20 7946 0958", "+442079460958"],
    ["  +4915112345678\t", "+4915112345678"],
    ["0049 151 12345678", "+4915112345678"],
    ["0049151 12345678", "+4915112345678"],
    ["011 49 151 12345678", "+4915112345678"],
    ["011 49 151 12345678", "+4915112345678", US],
    ["0049 151 12345678", "+4915112345678", US],
    ["0011 49 151 12345678", "+4915112345678", { region: "AU" }],
    ["00 44 20 7946 0958", "+442079460958", DE],
    ["0151 12345678", "+4915112345678", DE],
    ["030/1234567", "+49301234567", DE],
    ["+49 30 123456-0", "+49301234560"],
    ["(201) 555-0123", "+12015550123", US],
    ["1.201.555.0123", "+12015550123", US],
    ["011 15-2345-6789", "+5491123456789", { region: "AR" }],
    ["+54 9 11 2345-6789", "+5491123456789"],
    ["+39 06 698 1234", "+39066981234"],
    ["919876543210", "+919876543210", { region: "IN" }],
    ["436641234567", "+436641234567", { region: "AT" }],
    ["15112345678", "+4915112345678", { callingCode: "49" }],
    ["tel:+1-201-555-0123", "+12015550123"],
    ["TEL:%2B1-201-555-0123", "+12015550123"],
    ["tel:863-1234;phone-context=+1-914", "+19148631234"],
    ["tel:+1-201-555-0123;isub=1411", "+12015550123"],
    ["+49\u00A0151\u202F12345678", "+4915112345678"],
    ["\u202A+49 151 12345678\u202C", "+4915112345678"],
    ["＋４９　１５１　１２３４５６７８", "+4915112345678"],
    ["٠٠٤٩١٥١١٢٣٤٥٦٧٨", "+4915112345678"],
    ["+1 (201) 555\u20110123", "+12015550123"],
    ['="+4915112345678"', "+4915112345678"],
    ["'+4915112345678", "+4915112345678"],
    ["+80012345678", "+80012345678"],
    ["+883510012345678", "+883510012345678"],
  ])("%j becomes %s", (cell, phone, home) => {
    expect(e164(cell, home)).toBe(phone);
  });

  it("say their country, calling code and type", () => {
    expect(normalisePhone("+447400123456")).toEqual({
      ok: true,
      phone: "+447400123456",
      region: "GB",
      callingCode: "44",
      type: "MOBILE",
    });
    expect(normalisePhone("+80012345678")).toMatchObject({ region: undefined, callingCode: "800" });
  });

  it("keep their meaning however they are punctuated, in every country", () => {
    const numbers = getCountries().flatMap((country) => {
      const number = getExampleNumber(country, examples);
      return number === undefined ? [] : [{ country, number }];
    });
    expect(numbers.length).toBeGreaterThan(200);
    for (const { country, number } of numbers) {
      const written = [
        e164(number.formatInternational()),
        e164(number.formatNational(), { region: country }),
        e164(number.getURI()),
        e164(`00${number.number.slice(1)}`),
      ];
      expect(written).toEqual(written.map(() => number.number));
    }
  });
});

describe("numbers that can't be dialed", () => {
  it.each<[cell: string, code: PhoneRejectionCode, home?: NationalHome]>([
    ["", "phone_empty"],
    [" \u00A0\u200B", "phone_empty"],
    ["?", "phone_not_a_number"],
    ["-12015550123", "phone_not_a_number"],
    ["+1 201 555 0123 $", "phone_not_a_number"],
    ["1-800-FLOWERS", "phone_letters"],
    ["n/a", "phone_letters"],
    ["+1 201 555 0123 / +1 201 555 0124", "phone_several"],
    ["2015550123;2015550124", "phone_several", US],
    ["2015550123\n2015550124", "phone_several", US],
    ["2015550123 2015550124", "phone_several", US],
    ["+12015550123 or +12015550124", "phone_several"],
    ["5550123 5550124", "phone_several", DE],
    ["089 1234567/68", "phone_several", DE],
    ["+1 201 555 0123 x12", "phone_extension"],
    ["+1 201 555 0123 ext. 12", "phone_extension"],
    ["tel:+1-201-555-0123;ext=12", "phone_extension"],
    ["+12015550123,,45#", "phone_extension"],
    ["+49 30 1234567 DW 12", "phone_extension"],
    ["4.91512E+11", "phone_spreadsheet_damage"],
    ["4,91512e+11", "phone_spreadsheet_damage"],
    ["1234.0", "phone_spreadsheet_damage"],
    ["4915112345678.00", "phone_spreadsheet_damage"],
    ["########", "phone_spreadsheet_damage"],
    ["#N/A", "phone_spreadsheet_damage"],
    ["911", "phone_short_code", US],
    ["112", "phone_short_code", DE],
    ["12345", "phone_short_code"],
    ["*123#", "phone_short_code"],
    ["+1201555012", "phone_too_short"],
    ["555 0123", "phone_too_short", US],
    ["+120155501234", "phone_too_long"],
    ["+4915112345678901234", "phone_too_long"],
    ["+1 911 555 0123", "phone_not_valid"],
    ["0151 12345678", "phone_no_country"],
    ["4915112345678", "phone_no_country"],
    // Sheffield and Buenos Aires begin with 011: not North America's international prefix.
    ["0114 960 0000", "phone_no_country"],
    ["011 4912 3456", "phone_no_country"],
    ["+999 123 456", "phone_unknown_calling_code"],
    ["4915112345678", "phone_ambiguous", DE],
  ])("%j is refused as %s", (cell, code, home) => {
    expect(e164(cell, home)).toBe(code);
  });

  it("are explained without repeating them", () => {
    const result = normalisePhone("4915112345678");
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining("+49") });
    expect(JSON.stringify(result)).not.toContain("15112345678");
  });

  it("never make the reader throw, and what is taken is E.164", () => {
    const cell = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(...Array.from("+0123456789 ()-./;,x#*eE\u00A0１")), maxLength: 30 }),
    );
    const home = fc.option(fc.constantFrom<NationalHome>(DE, US, { callingCode: "61" }), { nil: undefined });
    fc.assert(
      fc.property(cell, home, (text, from) => {
        const result = normalisePhone(text, from);
        expect(result.ok ? result.phone : `+1000 ${result.message}`).toMatch(/^\+[1-9]\d{3,14}($| .)/);
      }),
      { numRuns: 2_000 },
    );
  });
});

it("regions are known by their two letters in any case", () => {
  expect(phoneRegion(" de ")).toBe("DE");
  expect(phoneRegion("XX")).toBeUndefined();
  expect(phoneRegion("toString")).toBeUndefined();
});
