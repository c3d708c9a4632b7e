import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskPhone, maskText, maskValue } from "../../src/platform/index.ts";

const digits = fc.stringMatching(/^[1-9]\d{6,14}$/);
/** Between digits people write nothing, or one or two of these. */
const separator = fc.constantFrom("", "", "", " ", "-", ".", "/", ") ", " (", " - ");
const around = fc.stringMatching(/^[a-z ,:;"'=]{0,12}$/);

/** A number as somebody might write it into a text, and its digits. */
const written = fc
  .tuple(fc.boolean(), digits, fc.array(separator, { minLength: 15, maxLength: 15 }))
  .map(([plus, number, separators]) => ({
    number,
    text:
      (plus ? "+" : "") + Array.from(number, (digit, index) => digit + (separators[index] ?? "")).join(""),
  }))
  // Nobody can tell a number of eight digits that is written as a date from that date.
  .filter(({ text }) => !/^\d{4}-\d{2}-\d{2}\D*$/.test(text));

function leaks(masked: string, number: string): boolean {
  const left = masked.replaceAll(/[\s().\-/]/g, "");
  return Array.from({ length: number.length - 5 }, (_, start) => number.slice(start, start + 6)).some((six) =>
    left.includes(six),
  );
}

describe("no six digits in a row of a phone number remain", () => {
  test("in a text, however the number is written", () => {
    fc.assert(
      fc.property(written, around, around, ({ number, text }, before, after) => {
        expect(leaks(maskText(`${before}${text}${after}`), number)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test("in a value, wherever the number stands", () => {
    fc.assert(
      fc.property(written, ({ number, text }) => {
        const value = {
          a: [{ phone_number: text, note: `call ${text}` }],
          to_number: Number(number),
          error: new Error(text),
        };
        expect(leaks(JSON.stringify(maskValue(value)), number)).toBe(false);
      }),
    );
  });

  test("in a number by itself", () => {
    fc.assert(fc.property(written, ({ number, text }) => !leaks(maskPhone(text), number)));
  });
});

test("a number is masked though its middle looks like a date", () => {
  expect(maskText("call 1000 0000-01-08")).toBe("call 10***08");
  expect(maskText("call +2000-01-08 77")).toBe("call +20***77");
});

test.each([
  ["+12025550123", "+12***23"],
  ["12025550123", "12***23"],
  ["+1 (202) 555-0123", "+12***23"],
  ["+4930123", "+49***23"],
  ["110", "***"],
  ["", "***"],
  ["nobody", "***"],
])("%s is shown as %s", (phone, shown) => {
  expect(maskPhone(phone)).toBe(shown);
});

describe("a text", () => {
  test.each([
    ["an id", "batch 11111111-1111-4111-8111-111111111111 is gone"],
    ["a time", "at 2026-03-05T10:11:12.123Z, or 2026-03-05 10:11"],
    ["a status", "answered 503 after 30000 ms"],
    ["an address", "http://127.0.0.1:8080"],
  ])("keeps %s", (_, text) => {
    expect(maskText(text)).toBe(text);
  });

  test("loses keys, bearer tokens and tokens in URLs", () => {
    const text =
      "key sk.1+2 in wss://h/ws/batch-call/1?a=b&token=sk.1+2&c=d with Authorization: Bearer abc-def, or sk.1+2";
    expect(maskText(text, ["sk.1+2", ""])).toBe(
      "key *** in wss://h/ws/batch-call/1?a=b&token=***&c=d with Authorization: Bearer ***, or ***",
    );
  });

  test("with a number beside an id loses the number only", () => {
    const id = "11111111-1111-4111-8111-111111111111";
    expect(maskText(`${id} +12025550123 ${id}`)).toBe(`${id} +12***23 ${id}`);
  });
});

describe("a value", () => {
  test("loses what stands under the name of a secret", () => {
    const value = {
      headers: { Authorization: "x", "x-api-key": "y" },
      access_token: "z",
      password: null,
      ok: 1,
    };
    expect(maskValue(value)).toEqual({
      headers: { Authorization: "***", "x-api-key": "***" },
      access_token: "***",
      password: null,
      ok: 1,
    });
  });

  test("is bounded where it is deep, wide or a circle", () => {
    const circle: Record<string, unknown> = { list: Array.from({ length: 1_000 }, (_, index) => index) };
    circle["self"] = circle;
    const text = JSON.stringify(maskValue(circle));
    expect(text).toContain('"***"');
    expect(text.length).toBeLessThan(20_000);
  });

  test("keeps an error readable", () => {
    const error = new Error("no answer from +12025550123", { cause: new TypeError("to +12025550123") });
    expect(maskValue(error)).toMatchObject({
      name: "Error",
      message: "no answer from +12***23",
      cause: { name: "TypeError", message: "to +12***23" },
    });
  });
});
