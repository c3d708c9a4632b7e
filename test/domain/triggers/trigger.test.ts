import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { readSentBody } from "../../../src/domain/triggers/sent-body.ts";
import {
  fieldKeyOf,
  mapSent,
  MAX_ITEMS,
  type Mapping,
} from "../../../src/domain/triggers/trigger-mapping.ts";
import {
  readTriggerDefinition,
  triggerCautions,
  type TriggerDefinition,
} from "../../../src/domain/triggers/trigger.ts";
import { cpuMsOf } from "../../support/cpu.ts";

const AT_MS = Date.UTC(2026, 5, 1, 12);
const AUTH = { scheme: "bearer", secret: "crm" };
const ENROLL = { sequence: "trial", phone: "item.phone" };

function triggerOf(parts: Record<string, unknown> = {}): TriggerDefinition {
  const reading = readTriggerDefinition({ name: "trial-started", auth: AUTH, enroll: ENROLL, ...parts });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.definition;
}

function problemsOf(parts: Record<string, unknown>): string[] {
  const reading = readTriggerDefinition({ name: "trial-started", auth: AUTH, enroll: ENROLL, ...parts });
  return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field}: ${problem}`);
}

function map(definition: TriggerDefinition, payload: unknown, headers: Record<string, string> = {}): Mapping {
  return mapSent(definition, { payload, headers, atMs: AT_MS });
}

it("is told that it does nothing, and of an event without a name, beside what is wrong with its fields", () => {
  const nothing = problemsOf({ auth: { scheme: "none" }, enroll: undefined }).join("\n");
  expect(nothing).toMatch(/auth\.scheme: [^]*enroll: does nothing yet/);
  const event = problemsOf({ event: { colour: "red" } }).join("\n");
  expect(event).toMatch(/event\.phone: is missing/);
  expect(event).toMatch(/event: must have either name or name_from/);
});

const examples = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../../examples/triggers");

describe("a trigger's file", () => {
  it("reads the same again once it is read", () => {
    const definition = triggerOf({ event: { name: "seen", phone: "payload.phone" } });
    expect(readTriggerDefinition(JSON.parse(JSON.stringify(definition)))).toEqual({ ok: true, definition });
  });

  it("is warned of where only the body tells a second event from the same one again", () => {
    const cautions = (parts: Record<string, unknown>) => triggerCautions(triggerOf(parts));
    const alone = [
      expect.stringMatching(
        /^it has no idempotency: .*a second event with the same body .*nothing for 90 days.*\{ field: payload\.id \}/,
      ),
    ];
    const hmac = { scheme: "hmac", secret: "crm", header: "X-Signature" };
    const hubspot = {
      scheme: "hubspot_v3",
      secret: "crm",
      public_url: "https://outdial.example.com/v1/triggers/a",
    };
    for (const auth of [AUTH, hmac, hubspot]) {
      expect(cautions({ auth }), auth.scheme).toEqual(alone);
      expect(cautions({ auth, idempotency: { field: "payload.id" } }), auth.scheme).toEqual([]);
      expect(cautions({ auth, idempotency: { header: "X-Request-Id" } }), auth.scheme).toEqual([]);
    }
    expect(cautions({ auth: { scheme: "standard_webhooks", secret: "crm" } })).toEqual([]);
    expect(cautions({ each: "payload" })).toEqual(alone);
  });

  it("is told apart: what is missing from what is something else", () => {
    expect(
      problemsOf({ auth: undefined, enroll: { sequence: "trial", phone: 5, variables: ["a"] } }),
    ).toEqual([
      "auth: is missing: it has to be given",
      "enroll.phone: must be text",
      "enroll.variables: must be a group of fields",
    ]);
    expect(readTriggerDefinition([])).toEqual({
      ok: false,
      problems: [{ field: "the trigger", problem: "must be a group of fields" }],
    });
  });

  it.each([
    ["that does nothing", { enroll: undefined }, /enroll: does nothing yet/],
    ["with a name that is no address", { name: "Trial Started" }, /name: may hold/],
    ["with a scheme nobody knows", { auth: { scheme: "basic", secret: "x" } }, /^auth/],
    [
      "with a secret's value for its name",
      { auth: { scheme: "bearer", secret: "s3cr3t!Value" } },
      /auth\.secret/,
    ],
    ["with a field misspelt", { enrol: ENROLL }, /enrol: is not a field of a trigger/],
    ["with an expression that does not parse", { when: "payload.type ==" }, /^when/],
    ["with a variable that nobody has", { when: "body.type == 'x'" }, /^when/],
    ["with text for a condition", { when: "'yes'" }, /^when/],
    ["with two keys", { idempotency: { header: "x-id", field: "payload.id" } }, /either header or field/],
    [
      "with two names of its event",
      { event: { name: "a", name_from: "payload.a", phone: "payload.p" } },
      /event/,
    ],
    [
      "with an event of the engine's",
      { event: { name: "outdial.inbound_call", phone: "payload.p" } },
      /event\.name/,
    ],
    ["with a phone that is no expression", { enroll: { sequence: "x", phone: "+1 202" } }, /enroll\.phone/],
  ])("%s is refused, and the field named", (_name, parts, told) => {
    expect(problemsOf(parts).join("\n")).toMatch(told);
  });

  it("may give a hundred fields", () => {
    const variables = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, "item.v"]));
    expect(problemsOf({ enroll: { ...ENROLL, variables: variables(100) } })).toEqual([]);
    expect(problemsOf({ enroll: { ...ENROLL, variables: variables(101) } })).toEqual([
      "enroll.variables: may have 100 fields at most",
    ]);
  });

  it("names a header in any case", () => {
    expect(triggerOf({ idempotency: { header: "X-Request-ID" } }).idempotency?.header).toBe("x-request-id");
  });

  it("has all of its problems told at once", () => {
    expect(problemsOf({ name: "No", when: "(", each: ")" })).toHaveLength(3);
  });
});

describe("the examples", () => {
  const MADE: Record<string, object[]> = {
    generic: [
      {
        kind: "wanted",
        idempotencyKey: "evt_1042",
        wanted: [
          {
            kind: "enroll",
            sequence: "trial-welcome",
            phone: "+1 202-555-0143",
            region: "US",
            variables: { first_name: "Ada", plan: "team" },
          },
        ],
      },
    ],
    hubspot: [
      {
        kind: "wanted",
        idempotencyKey: "3816279340.1246965.1782216307945",
        wanted: [{ kind: "enroll", phone: "(202) 555-0144", variables: { hubspot_id: "1246965" } }],
      },
      { kind: "ignored" },
    ],
    "hubspot-deal": [
      {
        kind: "wanted",
        idempotencyKey: "9876543210.presentationscheduled.1782216307945",
        wanted: [
          {
            kind: "enroll",
            sequence: "hubspot-deal-follow-up",
            variables: {
              deal_id: "9876543210",
              deal_stage: "presentationscheduled",
              close_date: "1784808000000",
              owner: "Grace",
            },
          },
        ],
      },
    ],
  };

  it("are all here", () => {
    const names = fs.readdirSync(examples).filter((name) => name.endsWith(".yaml"));
    expect(names).toEqual(
      Object.keys(MADE)
        .map((name) => `${name}.yaml`)
        .sort(),
    );
  });

  it.each(Object.keys(MADE))("%s makes of its payload what it says", (name) => {
    const reading = readTriggerDefinition(
      parse(fs.readFileSync(path.join(examples, `${name}.yaml`), "utf8")),
    );
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const payload: unknown = JSON.parse(
      fs.readFileSync(path.join(examples, "payloads", `${name}.json`), "utf8"),
    );
    expect(map(reading.definition, payload)).toMatchObject({ ok: true, items: MADE[name] });
  });
});

describe("a mapping", () => {
  const definition = triggerOf({
    each: "payload.people",
    when: 'item.?stage.orValue("") != "lost"',
    idempotency: { field: "item.id" },
    enroll: {
      sequence: "trial",
      phone: "item.phone",
      variables: { plan: 'item.?plan.orValue("basic")', from: 'headers["x-source"]' },
    },
  });
  const headers = { "x-source": "crm" };

  it("takes each element of a list for itself: one that fails keeps none of the others", () => {
    const mapping = map(
      definition,
      {
        people: [
          { id: "1", phone: "+12025550143", plan: "team" },
          { id: "2", phone: "+12025550144", stage: "lost" },
          { id: "3" },
          { phone: "+12025550145" },
          { id: 5, phone: "+12025550146" },
        ],
      },
      headers,
    );
    expect(mapping).toMatchObject({
      ok: true,
      items: [
        { kind: "wanted", idempotencyKey: "1", wanted: [{ variables: { plan: "team", from: "crm" } }] },
        { kind: "ignored" },
        { kind: "problem", field: "enroll.phone" },
        { kind: "problem", field: "idempotency.field" },
        { kind: "wanted", idempotencyKey: "5", wanted: [{ variables: { plan: "basic" } }] },
      ],
    });
  });

  it.each([
    ["is no list", { people: { id: 1 } }, "comes to no list"],
    ["is not there", {}, "people"],
    [
      "has too many",
      { people: Array.from({ length: MAX_ITEMS + 1 }, () => ({})) },
      `${MAX_ITEMS} are taken at most`,
    ],
  ])("of a list that %s is a problem of the delivery", (_name, payload, told) => {
    expect(map(definition, payload, headers)).toEqual({
      ok: false,
      field: "each",
      problem: expect.stringContaining(told),
    });
  });

  it("of a body that is too large, or no JSON, is a problem of the delivery", () => {
    for (const [payload, told] of [
      [Array.from({ length: 100_001 }, () => 0), "more data than an expression may read"],
      [{ phone: () => "+12025550143" }, "a function, which is no JSON"],
    ] as const)
      expect(map(triggerOf(), payload)).toEqual({
        ok: false,
        field: "the body",
        problem: expect.stringContaining(told),
      });
  });

  it("takes no empty text for what tells one thing from another", () => {
    expect(map(definition, { people: [{ id: "", phone: "+12025550143" }] }, headers)).toMatchObject({
      items: [{ kind: "problem", field: "idempotency.field", problem: "comes to an empty text" }],
    });
  });

  it("of somebody who leaves says where from, and how it ended", () => {
    const exit = triggerOf({
      enroll: undefined,
      exit: { sequence: "trial", phone: "payload.phone", default_region: "US", outcome: "bought" },
    });
    expect(map(exit, { phone: "202 555 0143" })).toEqual({
      ok: true,
      items: [
        {
          kind: "wanted",
          idempotencyKey: undefined,
          wanted: [
            {
              kind: "exit",
              sequence: "trial",
              brand: "default",
              phone: "202 555 0143",
              region: "US",
              outcome: "bought",
            },
          ],
        },
      ],
    });
  });

  it("of an event takes its name from the payload, and no reserved one", () => {
    const event = triggerOf({
      enroll: undefined,
      event: { name_from: "payload.type", phone: "payload.phone", data: { amount: "payload.amount" } },
    });
    const payload = { type: "invoice.paid", phone: "+12025550143", amount: 12.5 };
    expect(map(event, payload)).toMatchObject({
      items: [{ wanted: [{ kind: "event", name: "invoice.paid", data: { amount: 12.5 } }] }],
    });
    for (const type of ["outdial.inbound_call", "", "a b", "x".repeat(101)])
      expect(map(event, { ...payload, type })).toMatchObject({
        items: [{ kind: "problem", field: "event.name_from" }],
      });
  });

  it("knows when it came, and not when it is worked off", () => {
    const dated = triggerOf({ enroll: { ...ENROLL, variables: { on: "text(now)" } } });
    expect(map(dated, { phone: "+12025550143" })).toMatchObject({
      items: [{ wanted: [{ variables: { on: expect.stringContaining("2026-06-01T12:00:00") } }] }],
    });
  });

  it.each([
    ['{"__proto__": {"phone": "+12025550143"}}'],
    ['{"constructor": {"prototype": {"phone": "+1"}}}'],
    ['{"phone": 1e999}'],
    ['{"phone": null}'],
    ['{"phone": ["+12025550143"]}'],
    ["[]"],
    ["null"],
    ["123456789012345678901234567890"],
    ['"\\ud800"'],
  ])("of %s is a problem of its phone, and nothing else happens", (text) => {
    const reading = readSentBody("json", text);
    expect(reading.ok).toBe(true);
    const mapping = map(triggerOf(), reading.ok ? reading.payload : undefined);
    expect(mapping).toMatchObject({ ok: true, items: [{ kind: "problem", field: "enroll.phone" }] });
    expect(({} as Record<string, unknown>)["phone"]).toBeUndefined();
  });
});

describe("the key of a delivery", () => {
  const keyOf = (parts: Record<string, unknown>, payload: unknown) =>
    fieldKeyOf(triggerOf(parts), { payload, headers: {}, atMs: AT_MS });
  const idempotency = { field: "payload.id" };

  it("is the part of its payload that the trigger names", () => {
    expect(keyOf({ idempotency }, { id: "evt_1" })).toBe("evt_1");
    expect(keyOf({ idempotency }, { id: 1042 })).toBe("1042");
  });

  it("is none where it names none, where this has none, and where each item has its own", () => {
    expect(keyOf({}, { id: "evt_1" })).toBeUndefined();
    expect(keyOf({ idempotency: { header: "x-id" } }, { id: "evt_1" })).toBeUndefined();
    expect(keyOf({ idempotency }, {})).toBeUndefined();
    expect(keyOf({ idempotency }, { id: "" })).toBeUndefined();
    expect(keyOf({ idempotency, each: "payload.items" }, { id: "evt_1", items: [] })).toBeUndefined();
  });
});

describe("a large list", () => {
  const item = (n: number) => ({ phone: "+12025550143", id: n, note: "x".repeat(350) });
  const payload = {
    source: "crm",
    filler: Array.from({ length: 30_000 }, (_, n) => n),
    items: Array.from({ length: MAX_ITEMS }, (_, n) => item(n)),
  };

  it("that fits into a body is taken whole, and read once for all of its items", () => {
    const definition = triggerOf({
      each: "payload.items",
      when: "payload.source == 'crm'",
      enroll: { ...ENROLL, variables: { source: "payload.source", note: "item.note" } },
    });
    const tookMs = cpuMsOf(() => {
      const mapping = map(definition, payload);
      expect(mapping.ok && mapping.items.map(({ kind }) => kind)).toEqual(payload.items.map(() => "wanted"));
    });
    // Walking along all of it for each expression of each item would take half a minute.
    expect(tookMs).toBeLessThan(5_000);
  });
});

describe("a body", () => {
  it("of a form is an object of texts, and lists where a field comes again", () => {
    const reading = readSentBody("form", "phone=%2B12025550143&tag=a&tag=b&__proto__=x&empty=");
    if (!reading.ok) throw new Error(reading.problem);
    expect(Object.entries(reading.payload as object)).toEqual([
      ["phone", "+12025550143"],
      ["tag", ["a", "b"]],
      ["__proto__", "x"],
      ["empty", ""],
    ]);
  });

  it("may be nested as deep as anybody writes, and no deeper; brackets in texts do not count", () => {
    const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(readSentBody("json", deep(64)).ok).toBe(true);
    expect(readSentBody("json", deep(65)).ok).toBe(false);
    expect(readSentBody("json", deep(120_000)).ok).toBe(false);
    expect(readSentBody("json", JSON.stringify({ text: `${"[".repeat(500)}\\"{` })).ok).toBe(true);
  });

  it("that is no JSON is refused without its words", () => {
    const reading = readSentBody("json", '{"phone": +12025550143}');
    expect(reading).toEqual({ ok: false, problem: "is not JSON" });
  });
});

describe("what can't be stored", () => {
  const definition = triggerOf({
    each: "payload.items",
    enroll: { ...ENROLL, variables: { note: "text(item.?note.orValue(''))" } },
    event: { name: "seen", phone: "item.phone", data: { what: "item.?what.orValue(null)" } },
  });
  const phone = "+12025550143";

  it.each([
    ["a NUL in a variable", { note: "a\0b" }, "enroll.variables.note", "NUL"],
    ["half a character in a variable", { note: "a\ud800" }, "enroll.variables.note", "half a character"],
    ["a NUL in an event's data", { what: { deep: ["a\0"] } }, "event.data.what", "NUL"],
    ["half a character in an event's data", { what: "\udc00" }, "event.data.what", "half a character"],
    ["a control character in a name", { what: { "a\u0007": 1 } }, "event.data.what", "name"],
    ["half a character in a name", { what: [{ "\ud800": 1 }] }, "event.data.what", "name"],
  ])("fails its own item with words: %s", (_what, item, field, words) => {
    const mapping = map(definition, {
      items: [
        { phone, ...item },
        { phone, note: "two\nlines\t" },
      ],
    });
    expect(mapping).toMatchObject({
      ok: true,
      items: [{ kind: "problem", field, problem: expect.stringContaining(words) }, { kind: "wanted" }],
    });
  });

  it("is refused in the name of a field when the trigger is put", () => {
    expect(problemsOf({ enroll: { ...ENROLL, variables: { "a\0b": "item.phone" } } })).toHaveLength(1);
    expect(
      problemsOf({ event: { name: "seen", phone: "item.phone", data: { "a\ud800": "item.phone" } } }),
    ).toHaveLength(1);
  });
});
