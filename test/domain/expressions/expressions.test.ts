import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  checkExpression,
  evaluate,
  evaluateCondition,
  evaluateText,
  expressionSchema,
  pathsOf,
  type ExpressionScope,
} from "../../../src/domain/expressions/expressions.ts";
import { cpuMsOf } from "../../support/cpu.ts";

const NOW = new Date("2026-12-01T09:30:00Z");

const PAYLOAD = {
  name: "Ada",
  age: 36,
  price: 10,
  rate: 1.5,
  nothing: null,
  tags: ["a", "b"],
  deal: { id: 7, closed: false, owner: { name: "Grace" } },
  due: "2026-12-31",
  closes_at: "1764700000000",
  large: "9007199254740993",
};

function value(source: string, payload: unknown = PAYLOAD): unknown {
  const result = evaluate(source, "trigger", { payload, headers: { "x-kind": "deal" }, now: NOW });
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

function problem(source: string, payload: unknown = PAYLOAD): string {
  const result = evaluate(source, "trigger", { payload, headers: {}, now: NOW });
  return result.ok ? `came to ${JSON.stringify(result.value)}` : result.problem;
}

describe("what an expression comes to is JSON", () => {
  it.each([
    ["payload.age + 1", 37],
    ["payload.rate * 2.0", 3],
    ["number(payload.price) * 1.5", 15],
    ['number("12.50") + number(1)', 13.5],
    ['int("42") + 1', 43],
    ["text(payload.age) + text(payload.rate)", "361.5"],
    ['payload.deal.id == 7 ? "it" : "another"', "it"],
    ["payload.tags.map(tag, tag + tag)", ["aa", "bb"]],
    ['payload.tags.join("-")', "a-b"],
    ["payload.deal", { id: 7, closed: false, owner: { name: "Grace" } }],
    ["payload.nothing", null],
    ['payload.nothing == "x"', false],
    ['payload.?missing.?deeper.orValue("none")', "none"],
    ["payload.?missing", null],
    ["has(payload.deal.owner)", true],
    ['headers["x-kind"]', "deal"],
    ["now", "2026-12-01T09:30:00.000Z"],
    ['now + duration("24h")', "2026-12-02T09:30:00.000Z"],
    ["instant(payload.due) > now", true],
    ["instant(payload.closes_at)", "2025-12-02T18:26:40.000Z"],
    ["instant(1764700000)", "2025-12-02T18:26:40.000Z"],
    ['instant("2026-12-31T09:00:00+01:00")', "2026-12-31T08:00:00.000Z"],
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", "9007199254740993"],
    ['duration("90s")', "90s"],
    ["uint(3)", 3],
    ['{"deal": payload.deal.id, "ok": true}', { deal: 7, ok: true }],
  ])("%s", (source, expected) => {
    expect(value(source)).toEqual(expected);
  });
});

describe("a problem is told in words, never thrown", () => {
  it.each([
    ["payload.missing", /finds no missing: ask with has\(\.\.\.\) first, or give a default/],
    ["payload.deal.missing.deeper", /finds no missing/],
    ['headers["x-absent"]', /finds no x-absent/],
    ["payload.name + 1", /text \+ a whole number does not go together: convert with/],
    ["payload.price * 1.5", /a whole number \* a number does not go together/],
    ["payload.nothing > 3", /nothing > a whole number/],
    ['number("many")', /number\(\) is given what is no number/],
    ['instant("soon")', /instant\(\) takes 2026-12-31/],
    ["instant(payload.tags)", /instant\(\) takes/],
    ["payload.tags[5]", /index/],
    ["1 / 0", /division by zero/],
    ['now.getHours("No/Where")', /time zone/],
    ['"" + payload.rate', /text \+ a number/],
    ["type(1)", /no data/],
    ['b"ab"', /no data/],
    ['double("NaN")', /number without an end, or to none/],
  ])("%s", (source, expected) => {
    expect(problem(source)).toMatch(expected);
  });

  it.each([
    "{'a': 1}[payload.name]",
    "payload[payload.name]",
    "payload.tags[payload.name]",
    "duration(payload.name)",
    "timestamp(payload.name)",
    "bool(payload.name)",
    "int(payload.name)",
    "now.getHours(payload.name)",
    "number(payload.name)",
    "instant(payload.name)",
    "int(payload.name) * 9223372036854775807",
  ])("and names nothing of the data: %s", (source) => {
    const name = "Jane Roe +12025550143";
    expect(problem(source, { ...PAYLOAD, name })).not.toMatch(/Jane|2025550143|came to/);
  });

  it("also where a value that the scope has is not given", () => {
    expect(evaluate("payload.x", "trigger", {})).toEqual({ ok: false, problem: "finds no payload here" });
  });

  it("also where what is given is no JSON", () => {
    expect(problem("payload.f", { f: () => 1 })).toMatch(/function, which is no JSON/);
  });

  it("and a condition that comes to something else is neither true nor false", () => {
    expect(evaluateCondition("payload.name", "trigger", { payload: PAYLOAD })).toEqual({
      ok: false,
      problem: "comes to text where true or false is wanted",
    });
  });

  it("and text that is wanted is made of numbers and truth values, not of lists, maps or nothing", () => {
    const values = { payload: PAYLOAD };
    expect(evaluateText("payload.age", "trigger", values)).toEqual({ ok: true, value: "36" });
    expect(evaluateText("payload.deal.closed", "trigger", values)).toEqual({ ok: true, value: "false" });
    expect(evaluateText("payload.tags", "trigger", values)).toMatchObject({ ok: false });
    expect(evaluateText("payload.nothing", "trigger", values)).toEqual({
      ok: false,
      problem: "comes to nothing where text is wanted",
    });
  });
});

describe("text, numbers and points in time are converted", () => {
  it.each([
    ['number(" 12 ")', 12],
    ['number("+5")', 5],
    ['number("-.5")', -0.5],
    ['number(".125")', 0.125],
    ['number("5.")', 5],
    ["number(2.5)", 2.5],
    ["number(7)", 7],
    ["text(true)", "true"],
    ["text(1.5)", "1.5"],
    ["text(7)", "7"],
    ['text("a")', "a"],
    ["text(now)", "2026-12-01T09:30:00.000Z"],
    ["instant(now) == now", true],
    // Seconds reach eleven digits in the year 5138, and milliseconds had them in 1973.
    ["instant(99999999999)", "5138-11-16T09:46:39.000Z"],
    ["instant(100000000000)", "1973-03-03T09:46:40.000Z"],
    ["instant(-99999999999)", "-001199-02-15T14:13:21.000Z"],
    ["instant(-100000000000)", "1966-10-31T14:13:20.000Z"],
    ["instant(0.5)", "1970-01-01T00:00:00.500Z"],
    ['instant(" -5 ")', "1969-12-31T23:59:55.000Z"],
    ['instant(" 2026-12-31 ")', "2026-12-31T00:00:00.000Z"],
    ['instant("2026-12-31T09:00Z")', "2026-12-31T09:00:00.000Z"],
    ['instant("2026-12-31T09:00:00.123456789-05:30")', "2026-12-31T14:30:00.123Z"],
  ])("%s", (source, expected) => {
    expect(value(source)).toEqual(expected);
  });

  it.each(["1e5", "0x10", "", ".", "1,5", "1 2", "--1", "x1", "1x"])("%j is no number", (text) => {
    expect(problem("number(payload)", text)).toBe(
      "number() is given what is no number: digits with a decimal point at most are read",
    );
  });

  it.each([
    "2026-12-31T09:00",
    "2026-12-31T09:00:00",
    "2026-12-31 09:00Z",
    "2026-13-01",
    "2026-12-31T25:00Z",
    "x2026-12-31",
    "2026-12-31x",
    "12345678901234567",
    "1.5",
    "99999999999999.9",
    "",
  ])("%j is no point in time", (text) => {
    expect(problem("instant(payload)", text)).toBe(
      "instant() takes 2026-12-31 (midnight UTC), 2026-12-31T09:00:00Z, or seconds or milliseconds since 1970",
    );
  });

  it("and nothing else is", () => {
    for (const source of ["text(payload.tags)", "text(payload.nothing)", "text(payload.deal)"])
      expect(problem(source)).toBe("text() takes text, a number, true or false, or a point in time");
    for (const source of ["number(true)", "number(payload.nothing)", "number(payload.tags)", "number(now)"])
      expect(problem(source)).toMatch(/^number\(\) is given what is no number/);
    for (const source of ["instant(true)", "instant(payload.nothing)", "instant(9007199254740991)"])
      expect(problem(source)).toMatch(/^instant\(\) takes/);
  });
});

describe("data goes in and out as it is", () => {
  it("to the bounds of size and depth", () => {
    expect(
      value(
        "size(payload)",
        Array.from({ length: 99_999 }, () => 1),
      ),
    ).toBe(99_999);
    expect(
      problem(
        "size(payload)",
        Array.from({ length: 100_000 }, () => 1),
      ),
    ).toBe("is given more data than an expression may read");
    const nested = (levels: number) => {
      let data: unknown = 1;
      for (let level = 0; level < levels; level += 1) data = level % 2 === 0 ? [data] : { a: data };
      return data;
    };
    expect(value("payload", nested(64))).toEqual(nested(64));
    expect(problem("size(payload)", nested(65))).toBe("is given data nested deeper than 64 levels");
    expect(problem("[payload]", nested(64))).toBe("comes to data nested deeper than 64 levels");
    expect(problem('{"a": payload}', nested(64))).toBe("comes to data nested deeper than 64 levels");
  });

  it("to the bound of characters, where a number, a truth value, a list and a map are one each", () => {
    const upTo = (source: string, payload: unknown, maxChars: number) =>
      evaluate(source, "trigger", { payload, now: NOW }, maxChars).ok;
    expect([upTo("payload", "abc", 3), upTo("payload", "abc", 2)]).toEqual([true, false]);
    expect([upTo("payload", [1, true, "ab"], 5), upTo("payload", [1, true, "ab"], 4)]).toEqual([true, false]);
    expect([upTo("payload", { a: null }, 2), upTo("payload", { a: null }, 1)]).toEqual([true, false]);
    expect(evaluate("payload", "trigger", { payload: "x".repeat(65_536) }).ok).toBe(true);
    expect(evaluate("payload", "trigger", { payload: "x".repeat(65_537) }).ok).toBe(false);
  });

  it("whole numbers to the last one that JSON keeps apart, fields without a value left out", () => {
    expect(value("payload", { a: undefined, b: 2 })).toEqual({ b: 2 });
    expect(value("-9007199254740991")).toBe(-9007199254740991);
    expect(value("-9007199254740993")).toBe("-9007199254740993");
    expect(value("payload", 2 ** 53)).toBe(2 ** 53);
    expect(value('duration("1500ms")')).toBe("1.5s");
    expect(value("[optional.of(1), optional.none()]")).toEqual([1, null]);
    expect(value('{1: "a", true: "b"}')).toEqual({ 1: "a", true: "b" });
    expect(value('{"__proto__": 1, "a": 2}')).toEqual({ a: 2 });
    expect(problem("payload", Symbol("x"))).toBe("is given a symbol, which is no JSON");
    expect(problem("payload", 1n)).toBe("is given a bigint, which is no JSON");
    expect(problem("1.0 / 0.0")).toBe("comes to a number without an end, or to none");
    expect(problem("payload", new Date(Number.NaN))).toBe("comes to a time that does not exist");
  });
});

describe("a problem names what is there by what people call it", () => {
  it.each([
    ["payload", "text", "x"],
    ["payload", "a number", 1],
    ["payload", "nothing", null],
    ["payload", "a list", []],
    ["payload", "a map", {}],
    ["payload.?x", "nothing", {}],
  ])("%s comes to %s", (source, words, payload) => {
    expect(evaluateCondition(source, "trigger", { payload })).toEqual({
      ok: false,
      problem: `comes to ${words} where true or false is wanted`,
    });
  });

  it.each<[string, string]>([
    ['"a"', "text"],
    ["1", "a whole number"],
    ["uint(1)", "a whole number"],
    ["1.5", "a number"],
    ["null", "nothing"],
    ["[1]", "a list"],
    ['{"a": 1}', "a map"],
    ['b"a"', "bytes"],
    ["now", "a point in time"],
    ['duration("1s")', "a duration"],
    ["type(1)", "type"],
  ])("%s is %s", (source, words) => {
    expect(checkExpression(source, "trigger", "bool")).toBe(
      `is ${words} where a condition is wanted: compare it with something, such as == "yes"`,
    );
  });

  it.each(['"a"', "1", "uint(1)", "1.5", "true", "now", 'duration("1s")', "payload", "payload.?x", "item"])(
    "%s may be text",
    (source) => {
      expect(checkExpression(source, "trigger", "text")).toBeUndefined();
    },
  );

  it.each<[string, string]>([
    ["[1]", "a list"],
    ['{"a": 1}', "a map"],
    ["null", "nothing"],
    ['b"a"', "bytes"],
  ])("%s is %s, which is no text", (source, words) => {
    expect(checkExpression(source, "trigger", "text")).toBe(
      `is ${words} where text is wanted: take one value of it, or join it`,
    );
    expect(checkExpression(source, "trigger", "any")).toBeUndefined();
  });

  it("a condition is what is true or false, or may be, and nothing else", () => {
    expect(checkExpression("true", "trigger", "bool")).toBeUndefined();
    expect(checkExpression("payload.?x", "trigger", "bool")).toBeUndefined();
    expect(evaluateCondition("payload == 1", "trigger", { payload: 1 })).toEqual({ ok: true, value: true });
    expect(evaluateText('"a"', "trigger", {})).toEqual({ ok: true, value: "a" });
  });

  it("of what can't be evaluated, with what may be done about it", () => {
    expect(problem("payload.missing")).toBe(
      'finds no missing: ask with has(...) first, or give a default as in .?missing.orValue("")',
    );
    expect(problem("payload[payload.name]")).toBe(
      'finds no such key: ask with in first, or give a default as in .?name.orValue("")',
    );
    expect(problem('duration("soon")')).toBe(
      "is given a text that is no duration: 90s, 10m and 1h30m are some",
    );
    expect(problem("payload.age * 9223372036854775807")).toBe(
      "comes to a whole number that is too large: use number()",
    );
    expect(problem("payload.name + 1")).toBe(
      "text + a whole number does not go together: convert with number(), int() or text()",
    );
    expect(problem("now + 1")).toBe(
      "a point in time + a whole number does not go together: convert with number(), int() or text()",
    );
    expect(checkExpression("soon(1)", "trigger", "any")).toBe(
      "'soon(a whole number)' is no function that there is: check its name and what it is given",
    );
    expect(checkExpression("colour", "event", "any")).toBe(
      "knows no colour: there are variables, last_call, events, contact, now, event",
    );
    expect(problem("1 / 0")).toBe("division by zero");
    expect(checkExpression("1 + + 2", "trigger", "any")).toBe(
      "can't be read at character 5: unexpected token: PLUS",
    );
  });

  it("in a line or two", () => {
    const name = (length: number) => "n".repeat(length);
    // "knows no " and what there is instead.
    const rest = "knows no : there are payload, item, headers, now".length;
    expect(checkExpression(name(300 - rest), "trigger", "any")).toHaveLength(300);
    const cut = checkExpression(name(301 - rest), "trigger", "any") ?? "";
    expect(cut).toHaveLength(300);
    expect(cut.endsWith("…")).toBe(true);
  });

  it("where the expression is too long, to the character", () => {
    const long = (length: number) => `"${"x".repeat(length - 2)}"`;
    expect(checkExpression(long(2_000), "trigger", "text")).toBeUndefined();
    expect(checkExpression(long(2_001), "trigger", "text")).toBe("is longer than 2000 characters: say less");
    expect(checkExpression("  ", "trigger", "any")).toBe("must not be empty");
  });
});

describe("an expression is checked before it ever runs", () => {
  it.each<[string, ExpressionScope, "bool" | "text" | "any", RegExp | undefined]>([
    ['variables.plan == "basic"', "sequence", "bool", undefined],
    ["payload.anything", "trigger", "bool", undefined],
    ["item.id", "trigger", "text", undefined],
    ['event.data.id == 3 && event.name == "x"', "event", "bool", undefined],
    [
      'call.duration_seconds > 3 && attempt.disposition == "answered" && labels.x == "y"',
      "follow_up",
      "bool",
      undefined,
    ],
    ["variables.plan", "sequence", "bool", /is text where a condition is wanted/],
    ["size(events)", "sequence", "bool", /is a whole number where a condition is wanted/],
    ["events", "sequence", "text", /is a list where text is wanted/],
    ["events", "sequence", "any", undefined],
    ["1 + + 2", "sequence", "any", /can't be read at character 5/],
    ["(1", "sequence", "any", /can't be read/],
    ["", "sequence", "any", /must not be empty/],
    [
      "payload.x",
      "sequence",
      "any",
      /knows no payload: there are variables, last_call, events, contact, now/,
    ],
    ["event.name", "sequence", "any", /knows no event/],
    [
      'last_call.dispositon == "x"',
      "sequence",
      "bool",
      /last_call\.dispositon: last_call has .*attempts, and last_call\.disposition may be meant/,
    ],
    ["call.analysis.interested == true && call.duration_seconds > 20", "call", "bool", undefined],
    ["has(call.analysis.x) && call.?summary.orValue('') != ''", "call", "bool", undefined],
    ["call.duration > 20", "call", "bool", /asks for call\.duration: .*call\.duration_seconds may be meant/],
    ["has(call.analisys.x)", "call", "bool", /call\.analisys: .*call\.analysis may be meant/],
    ['call["sumary"] == "x"', "call", "bool", /call\.sumary: .*call\.summary may be meant/],
    ["call.?sumary.orValue('') == 'x'", "call", "bool", /call\.summary may be meant/],
    ["call.zzzzzzzz == 1", "call", "bool", /has call_id, status, .*transcript_length$/],
    ["now > now", "call", "bool", /knows no now: there are call/],
    ['call.duration_seconds > "20"', "call", "bool", /duration_seconds, which is a number, with text/],
    ["20 == call.status", "call", "bool", /call\.status, which is text, with a number/],
    ["call.processed == 'yes'", "call", "bool", /call\.processed, which is true or false, with text/],
    ["call.analysis == true", "call", "bool", /call\.analysis, which is a map, with true or false/],
    [
      "last_call.attempts > -1 && last_call.status > -2",
      "sequence",
      "bool",
      /last_call\.status, which is text/,
    ],
    ["call.summary", "call", "bool", /is text where a condition is wanted/],
    ["call.processed", "call", "bool", undefined],
    ["call.analysis.interested", "call", "bool", undefined],
    ["call.call_sentiment.label == 'positive'", "follow_up", "bool", undefined],
    ["call.sentiment == 'positive'", "follow_up", "bool", /the platform adds to it is call\.\?sentiment/],
    ["call.?sentiment.orValue('') == 'positive'", "follow_up", "bool", undefined],
    ['call[?"sentiment"].orValue("") == "positive"', "follow_up", "bool", undefined],
    ['call["sentiment"] == "positive"', "follow_up", "bool", /the platform adds to it is call\.\?sentiment/],
    // That there is none of it is no kind that it never has.
    ["call.status == null", "call", "bool", undefined],
    ['call.analysis["x"] == 1 && call["analysis"].x == 2', "call", "bool", undefined],
    ["contact.name", "sequence", "text", /contact has phone, region/],
    ["variables.age > 3", "sequence", "bool", /text > a whole number does not go together/],
    ["length(variables)", "sequence", "any", /'length\(a map\)' is no function that there is|length/],
    ['variables.plan.matches("(a+)+$")', "sequence", "bool", /matches\(\), which is not offered/],
    ['bytes("{}").json()', "sequence", "any", /json\(\), which is not offered/],
    ["_evaluator()", "sequence", "bool", /does not exist/],
    [`"${"x".repeat(2_000)}"`, "sequence", "any", /longer than 2000 characters/],
    [`${"(".repeat(60)}1${")".repeat(60)}`, "sequence", "any", /can't be read|maxDepth/],
    [Array.from({ length: 400 }, () => "1").join("+"), "sequence", "any", /can't be read/],
  ])("%s (%s, %s)", (source, scope, wanted, expected) => {
    const found = checkExpression(source, scope, wanted);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(expected);
  });
});

describe("an expression reaches nothing but its data", () => {
  it.each([
    "payload.constructor",
    'payload["constructor"]',
    "payload.__proto__",
    'payload["__proto__"]',
    "payload.deal.toString",
    "payload.tags.constructor",
    "payload.name.constructor",
    "payload.name.length",
    "payload.tags.length",
    "headers.constructor",
    'headers["hasOwnProperty"]',
    "payload.prototype",
  ])("%s is not there", (source) => {
    expect(problem(source)).toMatch(/finds no|can't be|no such/);
  });

  it("has() finds no inherited names", () => {
    expect(value("has(payload.constructor) || has(payload.toString) || has(headers.valueOf)")).toBe(false);
  });

  it("a key that a sender named __proto__ is a key like others, and changes no prototype", () => {
    const sent: unknown = JSON.parse('{"__proto__": {"admin": true}, "a": 1}');
    expect(problem("payload.admin", sent)).toMatch(/finds no admin/);
    const all = value("payload", sent);
    expect(Object.getPrototypeOf(all)).toBe(Object.prototype);
    expect(all).toEqual({ a: 1 });
  });

  it("whatever a sender calls its fields, the others are read as ever", () => {
    const sent: unknown = JSON.parse(
      '{"constructor": {"name": "x"}, "__proto__": 7, "prototype": 1, "toString": 2, "a": {"constructor": "b", "c": 3}, "verify": 1, "value": 2}',
    );
    expect(value("payload.a.c", sent)).toBe(3);
    expect(value("payload.constructor.name", sent)).toBe("x");
    expect(value('payload["__proto__"] + payload.toString', sent)).toBe(9);
    expect(
      value('has(payload.constructor) && "constructor" in payload.a && size(payload.a) == 2', sent),
    ).toBe(true);
    expect(value("payload.exists(key, key == 'verify')", sent)).toBe(true);
    expect(value("payload.a == payload.a && payload.?nothing.orValue(5) == 5", sent)).toBe(true);
    expect(value("payload.a", sent)).toEqual({ constructor: "b", c: 3 });
    expect(value("payload", sent)).toMatchObject({ verify: 1, value: 2 });
  });
});

/** Each is far more work than fits into the bound on time that it is given here. */
describe("an expression is bounded in time and memory", () => {
  const long = { list: Array.from({ length: 20_000 }, (_, index) => index) };

  it("which a long list costs little that it only looks at, and a long text little that it makes", () => {
    const looks = Array.from({ length: 60 }, () => "payload.list.size() > 0").join(" && ");
    expect(value(looks, long)).toBe(true);
    const text = "x".repeat(20_000);
    expect(value("payload.a + payload.b", { a: text, b: text })).toBe(text + text);
  });

  it.each([
    [
      "rounds within rounds",
      "payload.list.exists(a, payload.list.exists(b, payload.list.exists(c, a + b + c < 0)))",
    ],
    [
      "errors within rounds",
      'payload.list.exists(a, payload.list.exists(b, number(text(a) + "x") == 1.0)) || true',
    ],
    ["comparing long lists over and over", "payload.list.all(a, payload.list == payload.list)"],
    ["doubling a list", `[[1]]${".map(x, x + x)".repeat(30)}`],
    ["doubling a text", `["abcdefghijkl"]${".map(x, x + x)".repeat(36)}`],
    [
      "doubling by bind",
      `${Array.from({ length: 18 }, (_, n) => `cel.bind(v${n + 1}, v${n} + v${n}, `)
        .join("")
        .replace("v0 + v0", "[1] + [1]")}size(v18)${")".repeat(18)}`,
    ],
    [
      "splitting a long text over and over",
      'payload.list.all(x, "a,b,c".split(",").size() < payload.list.size() && payload.list.filter(y, y > x).size() >= 0)',
    ],
  ])("%s", (_, source) => {
    const tookMs = cpuMsOf(() => expect(problem(source, long)).toMatch(/takes too long/));
    // A hundred times what it takes here, so that a slow machine passes: unbounded they take minutes or all memory.
    expect(tookMs).toBeLessThan(5_000);
  });

  it("reads no more data than any door lets in", () => {
    const huge = Array.from({ length: 100_001 }, () => 1);
    expect(problem("payload[0]", huge)).toMatch(/more data than an expression may read/);
    let deep: unknown = 1;
    for (let level = 0; level < 70; level += 1) deep = [deep];
    expect(problem("size(payload)", deep)).toMatch(/deeper than 64 levels/);
  });

  it("hands out no more than a request can carry", () => {
    expect(problem("payload", "x".repeat(70_000))).toMatch(/more than 65536 characters: take less of it/);
  });

  it("walks an ordinary list, and the next expression has its whole budget again", () => {
    const ordinary = { items: Array.from({ length: 1_000 }, (_, id) => ({ id, name: `n${id}` })) };
    for (let round = 0; round < 20; round += 1)
      expect(value('payload.items.exists(i, i.id == 999 && i.name.startsWith("n"))', ordinary)).toBe(true);
  });

  it("keeps a bounded number of parsed expressions, and answers the same behind it", () => {
    for (let n = 0; n < 2_500; n += 1) expect(value(`${n} + 1`)).toBe(n + 1);
    expect(value("0 + 1")).toBe(1);
  });
});

it("never throws, whatever is written and whatever is given", () => {
  const piece = fc.constantFrom(
    ...'payload . ?x [0] ( ) + - * / % == && || ! "a" 1 2.5 true null has size map( x, exists( { } : ? now . duration("1h") text( number( instant( in [ ] cel.bind( optional.of( type( google.protobuf.Timestamp'.split(
      " ",
    ),
  );
  const expression = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.string({ maxLength: 60 }),
  );
  fc.assert(
    fc.property(expression, fc.jsonValue(), (source, payload) => {
      const first = evaluate(source, "trigger", { payload, now: NOW });
      expect(typeof (first.ok ? "" : first.problem)).toBe("string");
      expect(evaluate(source, "trigger", { payload, now: NOW })).toEqual(first);
      if (first.ok) expect(JSON.parse(JSON.stringify(first.value))).toEqual(first.value);
    }),
    { numRuns: 1_500 },
  );
});

describe("what an expression reads of a call is known without running it", () => {
  it.each<[string, string[]]>([
    ["call.analysis.interested == true", ["analysis.interested"]],
    [
      'call["analysis"]["a key"] == 1 && call.?analysis.?other.orValue(2) > 1',
      ["analysis.a key", "analysis.other"],
    ],
    ["call.analysis.items[0].name == 'x'", ["analysis.items"]],
    ["call.analysis[call.status] == 'x'", ["analysis", "status"]],
    ["has(call.analysis.x) || !call.analysis.y", ["analysis.x", "analysis.y"]],
    ["call.analysis.exists(k, k == 'x')", ["analysis"]],
    ["[call].exists(c, c.status == 'x')", [""]],
    ["'call.summary' == 'x' || 1 == 1", []],
    [
      "text(call.duration_seconds) == '1' ? call.summary == '' : call.error == ''",
      ["duration_seconds", "summary", "error"],
    ],
  ])("%s", (source, expected) => {
    expect(pathsOf(source, "call", "call").map((path) => path.join("."))).toEqual(expected);
  });
});

describe("an expression that a definition holds", () => {
  const when = expressionSchema("trigger", "bool");

  it("is taken as it is written where it can be asked, and nothing is read of one that can't be", () => {
    expect(when.parse(" payload.age > 1 ")).toBe(" payload.age > 1 ");
    expect(pathsOf("payload..age", "trigger", "payload")).toEqual([]);
  });

  it.each([
    ["payload.age >", /^can't be read/],
    ["unknown.age > 1", /unknown/],
    ["'text'", /wanted/],
    [7, /expected string/],
  ])("is refused as %j, and it is said why", (given, told) => {
    const read = when.safeParse(given);
    expect(read.error?.issues.map(({ message }) => message)).toEqual([expect.stringMatching(told)]);
  });
});

describe("a comparison", () => {
  it.each<[string, ExpressionScope]>([
    ["call.status == call.error", "call"],
    ["variables.duration_seconds == '60'", "sequence"],
    ["contact.phone == '60'", "sequence"],
    ["call.duration_seconds > 1.5", "call"],
    ["call.duration_seconds > -1", "call"],
  ])("of what may be the same is taken: %s", (source, scope) => {
    expect(checkExpression(source, scope, "bool")).toBeUndefined();
  });

  it.each<[string, RegExp]>([
    ["call.status == 1.5", /compares call\.status, which is text, with a number/],
    ["call.status == -1", /compares call\.status, which is text, with a number/],
    ["true == call.status", /compares call\.status, which is text, with true or false/],
    ["call.duration_seconds == '60'", /which is a number, with text/],
  ])("of what never is the same is refused: %s", (source, told) => {
    expect(checkExpression(source, "call", "bool")).toMatch(told);
  });
});
