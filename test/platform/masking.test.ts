import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskPhone, maskText, maskValue } from "../../src/platform/index.ts";

const digits = fc.stringMatching(/^[1-9]\d{6,14}$/);
/** Between digits people write nothing, or one or two of these; files and addresses write them their own way. */
const separator = fc.oneof(
  fc.constantFrom("", "", "", " ", "-", ".", "/", ") ", " (", " - ", "] ["),
  fc.constantFrom("\u00A0", "\u202F", "\u2011", "\u2013", "\u00B7", "\u200E", "\uFF0D", "%20", "%2D"),
);
/** The digits of the scripts in which lists may be written. */
const zeros = fc.constantFrom(0x30, 0x30, 0x30, 0x660, 0x6f0, 0x966, 0xff10);
const around = fc.stringMatching(/^[a-z ,:;"'=]{0,12}$/);

/** A number as somebody might write it into a text, and its digits. */
const written = fc
  .tuple(fc.boolean(), digits, fc.array(separator, { minLength: 15, maxLength: 15 }), zeros)
  .map(([plus, number, separators, zero]) => ({
    number,
    text:
      (plus ? "+" : "") +
      Array.from(
        number,
        (digit, index) => String.fromCodePoint(zero + Number(digit)) + (separators[index] ?? ""),
      ).join(""),
  }))
  // Nobody can tell a number of eight digits that is written as a date from that date.
  .filter(({ text }) => !/^\d{4}-\d{2}-\d{2}\D*$/.test(text));

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = [0x30, 0x660, 0x6f0, 0x966, 0xff10].find((start) => code >= start && code <= start + 9);
  return String(code - (zero ?? code));
}

function leaks(masked: string, number: string): boolean {
  const left = masked
    .replaceAll(/%2[0-9a-f]/gi, "")
    .replaceAll(/[\s().\-/[\]\u00B7\u200E\u2011\u2013\uFF0D]/g, "")
    .replaceAll(/\p{Nd}/gu, (digit) => asciiDigit(digit));
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
          called: { phones: [Number(number), text], [text]: 1, caller_number: Number(number) },
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

/** One in forty has no letter. */
const mark = fc.oneof(fc.stringMatching(/^[\da-f]{8}$/), fc.stringMatching(/^\d{8}$/));
const instant = fc.date({
  min: new Date("1970-01-01T00:00:00Z"),
  max: new Date("2099-12-31T00:00:00Z"),
  noInvalidDate: true,
});
const timestamp = fc.oneof(
  instant.map((date) => date.toISOString()),
  instant.map((date) => date.toISOString().slice(0, 19).replace("T", " ")),
  instant.map((date) => `${date.toISOString().slice(0, 16)}+05:30`),
  instant.map((date) => `${date.toISOString().slice(11, 19)} ${date.toISOString().slice(0, 10)}`),
);
/** What a reader of a log searches for. */
const identifier = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  mark.map((text) => `outdial-${text}-engine`),
  fc.tuple(mark, fc.uuid()).map(([text, id]) => `outdial/${text}/${id}/${id}/3`),
  fc.uuid().map((id) => `batch_${id}`),
  fc.uuid().map((id) => `campaign-${id}`),
  // A trace's, a commit's, a list's.
  fc
    .tuple(fc.string(), fc.constantFrom(32, 40, 64))
    .map(([text, length]) => createHash("sha256").update(text).digest("hex").slice(0, length))
    // One in a million might be a number among letters.
    .filter((digest) => !/^[a-f]*\d+[a-f]*$|^\d+[a-f]+\d+$/.test(digest)),
  timestamp,
);
const beside = fc.constantFrom(" ", ", ", "/", " (", ") ", "=", ': "', '", ', " 3 ", " from ", " - ", "\n");

describe("what a reader of a log searches for is left as it is", () => {
  test("ids, digests and times, beside each other and in a text", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(around, identifier, beside), { minLength: 1, maxLength: 3 }), (parts) => {
        const text = parts.map(([before, id, after]) => `${before.trim()} ${id}${after}`).join("");
        expect(maskText(text)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  test("and a number among them is masked", () => {
    fc.assert(
      fc.property(identifier, written, identifier, (before, { number, text }, after) => {
        // Digits may stand in the ids by chance: what is looked at is what stands between them.
        const masked = maskText(`${before} call ${text} of ${after}`);
        expect(masked.startsWith(`${before} call `)).toBe(true);
        expect(masked.endsWith(` of ${after}`)).toBe(true);
        expect(leaks(masked.slice(before.length, -after.length), number)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ["a queue of an installation whose mark has no letter", "queue outdial-20255501-engine is polled"],
    ["a queue of a follower", "outdial-12345678-follow"],
    ["addresses with their ports", "connect ECONNREFUSED 192.168.178.230:5432, then 10.20.100.200:7233"],
    ["addresses in links", "http://192.168.178.230/v1 and wss://10.200.100.230:8080/ws"],
    [
      "spans of time",
      "from 2026-11-22 17:51:54 to 2026-11-22 18:00, 2026-11-22/2026-11-25, 17:51:08 2026-11-22",
    ],
    ["a time with what is counted", "2026-11-22 17:51 3 times, 2026-11-22T17:51:08.774Z 12 calls"],
  ])("%s", (_, text) => {
    expect(maskText(text)).toBe(text);
  });
});

test.each([
  ["with a hex letter beside it", "a12025550143", "a12***43"],
  [
    "as long as a digest, in letters and digits",
    "deadbeefdeadbeefde12025550143000",
    "deadbeefdeadbeefde12***00",
  ],
  [
    "in an address",
    "/v1/contacts/%2B1%20202%20555%200143/explanation",
    "/v1/contacts/%2B12***43/explanation",
  ],
  [
    "in Arabic digits",
    "call +\u0661\u0662\u0660\u0662\u0665\u0665\u0665\u0660\u0661\u0664\u0663",
    "call +\u0661\u0662***\u0664\u0663",
  ],
  ["between ids", "outdial-12025550-143", "outdial-12***43"],
])("a number %s is masked", (_, text, masked) => {
  expect(maskText(text)).toBe(masked);
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

  test("loses passwords in addresses", () => {
    expect(maskText("postgres://outdial:hunter2@db.internal/outdial?x=1 and redis://:pw@h")).toBe(
      "postgres://outdial:***@db.internal/outdial?x=1 and redis://:***@h",
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
