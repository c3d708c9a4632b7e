import { describe, expect, it } from "vitest";

import { fieldChanges } from "../../../src/domain/declared/difference.ts";
import {
  documentOf,
  guessKind,
  inOrder,
  isSameKey,
  keyOf,
  nameOf,
  readDocument,
} from "../../../src/domain/declared/documents.ts";
import { literalSecrets, withoutSecrets } from "../../../src/domain/ground/literal-secrets.ts";

const LIST = { kind: "suppression-list", name: "dnc", global: true, reason: "asked" };

const problemsOf = (value: unknown): string[] => {
  const reading = readDocument(value);
  return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field}: ${problem}`);
};

describe("a document", () => {
  it("says what it is, or is refused with the kinds that there are", () => {
    expect(problemsOf({ name: "x" })).toEqual([
      "kind: is missing: it must be one of attention-route, event-webhook, automation, suppression-source, suppression-list, sequence, campaign, trigger, schedule",
    ]);
    expect(problemsOf({ name: "x", auth: {} })).toEqual([
      "kind: is missing: write `kind: trigger`, by which its other fields are read",
    ]);
    expect(problemsOf({ kind: "Campaign" })[0]).toContain("is not known");
    for (const value of [null, [], "text", 7])
      expect(problemsOf(value)[0]).toContain("must be a group of fields");
  });

  it("of a kind that is not known, or that no field tells, is told which there are", () => {
    const kinds =
      "attention-route, event-webhook, automation, suppression-source, suppression-list, sequence, campaign, trigger, schedule";
    for (const kind of ["Campaign", 7, null, "toString"])
      expect(problemsOf({ kind, steps: [] })).toEqual([`kind: is not known: it must be one of ${kinds}`]);
    for (const fields of [{}, { steps: [], run: {} }, { agent_id: "a" }, { concurrency: 1 }])
      expect(problemsOf(fields)).toEqual([`kind: is missing: it must be one of ${kinds}`]);
  });

  it("without its kind is known by fields that no other kind has", () => {
    const guesses = [
      { to: { email: {} } },
      { gather: "15m" },
      { types: [] },
      { to: { webhook: {} } },
      { workflow: {} },
      { generate: "" },
      { workflow: {}, generate: "" },
      { numbers: [] },
      { file: "a.csv" },
      { scrub: {} },
      { max_age: "31d" },
      { steps: [] },
      { auth: {} },
      { run: {} },
      { agent_id: "a", concurrency: 1 },
      { agent_id: "a", concurrency: 1, steps: [] },
      { steps: [], auth: {} },
      { agent_id: "a" },
      {},
      [],
      ["steps"],
      null,
      "steps",
      Object.create({ steps: [] }),
    ].map(guessKind);
    expect(guesses).toEqual([
      "attention-route",
      "attention-route",
      "event-webhook",
      undefined,
      "automation",
      "automation",
      "automation",
      "suppression-list",
      "suppression-list",
      "suppression-source",
      "suppression-source",
      "sequence",
      "trigger",
      "schedule",
      "campaign",
      "sequence",
      ...Array.from({ length: 8 }, () => undefined),
    ]);
  });

  it("is read as its kind, and named with its brand where it has one", () => {
    const campaign = { name: "Spring sale", agent_id: "a", from_numbers: ["+12025550100"], concurrency: 1 };
    const documents = [
      { kind: "automation", name: "crm", trigger_type: "post_call", workflow: { nodes: [] } },
      { ...LIST, global: undefined, brand: "acme", numbers: ["+12025550143"] },
      { kind: "campaign", ...campaign },
      { kind: "campaign", ...campaign, brand: "acme" },
      { kind: "schedule", name: "daily", run: { workflow_id: "w" }, every: "1h" },
    ];
    const keys = documents.map((document) => {
      const reading = readDocument(document);
      if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
      expect(Object.keys(documentOf(reading.declared))[0]).toBe("kind");
      return keyOf(reading.declared);
    });
    expect(keys).toEqual([
      { kind: "automation", brand: "", name: "crm" },
      { kind: "suppression-list", brand: "acme", name: "dnc" },
      { kind: "campaign", brand: "default", name: "Spring sale" },
      { kind: "campaign", brand: "acme", name: "Spring sale" },
      { kind: "schedule", brand: "", name: "daily" },
    ]);
    expect(keys.map(nameOf)).toEqual([
      "automation crm",
      "suppression-list dnc of brand acme",
      'campaign "Spring sale"',
      'campaign "Spring sale" of brand acme',
      "schedule daily",
    ]);
    expect(keys.map((key) => keys.filter((other) => isSameKey(key, other)).length)).toEqual([1, 1, 1, 1, 1]);
    expect(
      isSameKey({ kind: "campaign", brand: "", name: "a" }, { kind: "sequence", brand: "", name: "a" }),
    ).toBe(false);
    expect(
      isSameKey({ kind: "campaign", brand: "", name: "a" }, { kind: "campaign", brand: "", name: "a" }),
    ).toBe(true);
  });

  it("is told every problem at once, in its kind's own words", () => {
    const told = problemsOf({ kind: "campaign", name: "x", concurency: 3, from_numbers: [] });
    expect(told.join("\n")).toMatch(/agent_id: is missing/);
    expect(told.join("\n")).toMatch(/concurency: is not a field of a campaign spec/);
    expect(told.length).toBeGreaterThan(3);
  });

  it("with a secret's value where its name belongs is refused, and the value is not repeated", () => {
    const call = {
      dispositions: ["answered"],
      webhook: { url: "https://x.example", headers: { Authorization: "Bearer s3cret" } },
    };
    const told = problemsOf({ kind: "campaign", name: "x", follow_ups: [{ id: "a", ...call }] }).join("\n");
    expect(told).toContain("headers.Authorization: holds a secret itself");
    expect(told).not.toContain("s3cret");
  });

  it("with a value in any other place of a name is refused by its field alone", () => {
    const [hex, key] = ["0f1e2d3c4b5a69788796a5b4c3d2e1f0", "sk_live_abcdefghijklmnop"];
    const trigger = { kind: "trigger", name: "x", event: { name: "seen", phone: "payload.phone" } };
    for (const secret of [hex, key, "11111111-2222-4333-8444-555555555555"]) {
      const told = problemsOf({ ...trigger, auth: { scheme: "bearer", secret } });
      expect(told).toEqual([expect.stringContaining("auth.secret: holds a secret itself")]);
      expect(told.join()).not.toContain(secret);
    }
    const from = (contacts: object) =>
      problemsOf({
        kind: "campaign",
        name: "x",
        agent_id: "a",
        from_numbers: ["+12025550100"],
        concurrency: 1,
        contacts,
      });
    for (const query of ["?api_key=", "?page=1&access-token=", "?sig="]) {
      const told = from({ url: `https://x.example/list.csv${query}${hex}` });
      expect(told).toEqual([expect.stringContaining("contacts.url: holds a secret itself")]);
      expect(told.join()).not.toContain(hex);
    }
    expect(
      from({ url: "https://x.example/list.csv?page=1", headers: { "X-Api-Key": { secret: "crm" } } }),
    ).toEqual([]);
    const literal = from({ url: "https://x.example/list.csv", headers: { "X-Api-Key": hex } }).join("\n");
    expect(literal).toContain("contacts.headers.X-Api-Key");
    expect(literal).not.toContain(hex);
    expect(literal).not.toContain("contacts.file");
  });

  it("reads again as itself, defaults filled in", () => {
    const reading = readDocument({ ...LIST, numbers: ["+12025550144", "+12025550143", "+12025550144"] });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    expect(documentOf(reading.declared)).toEqual({ ...LIST, numbers: ["+12025550143", "+12025550144"] });
    expect(readDocument(documentOf(reading.declared))).toEqual(reading);
    expect(keyOf(reading.declared)).toEqual({ kind: "suppression-list", brand: "", name: "dnc" });
  });
});

describe("a suppression list", () => {
  it("has either a brand or global, either numbers or a file, and numbers as text", () => {
    expect(problemsOf({ ...LIST, brand: "acme", numbers: ["+12025550143"] })).toEqual([
      "brand: give either brand, or global: true",
    ]);
    expect(problemsOf(LIST)).toEqual(["numbers: give either numbers, or a file of them"]);
    expect(problemsOf({ ...LIST, numbers: ["+12025550143"], file: "a.csv" })).toEqual([
      "numbers: give either numbers, or a file of them",
    ]);
    expect(problemsOf({ ...LIST, global: undefined, numbers: ["+12025550143"] })).toEqual([
      "brand: give either brand, or global: true",
    ]);
    expect(problemsOf({ ...LIST, numbers: [12_025_550_143] })).toEqual([
      'numbers[0]: must be text, in quotes: "+12025550143"',
    ]);
  });
});

it("a suppression list holds the digest of its file, and a reason in one line", () => {
  const digest = "0123456789abcdef".repeat(4);
  expect(problemsOf({ ...LIST, file: "a.csv", file_sha256: digest })).toEqual([]);
  expect(problemsOf({ ...LIST, numbers: ["+12025550143"], file_sha256: digest })).toEqual([
    "file_sha256: goes with file only: remove it",
  ]);
  for (const wrong of [digest.slice(1), `${digest}0`, digest.toUpperCase(), `${digest.slice(1)}g`])
    expect(problemsOf({ ...LIST, file: "a.csv", file_sha256: wrong })).toEqual([
      "file_sha256: must be the file's SHA-256, 64 hexadecimal digits",
    ]);
  for (const reason of ["they asked\nus", "\u0000", "a\tb"])
    expect(problemsOf({ ...LIST, numbers: ["+12025550143"], reason })).toEqual([
      "reason: must not hold control characters: write it in one line",
    ]);
  for (const name of ["a", "9", `a${"b".repeat(62)}`])
    expect(problemsOf({ ...LIST, numbers: ["+12025550143"], name }), name).toEqual([]);
  for (const name of ["", "-a", "aB", `a${"b".repeat(63)}`])
    expect(problemsOf({ ...LIST, numbers: ["+12025550143"], name }), name).toEqual([
      "name: may hold lower-case letters, digits, dashes and underscores, 63 at most",
    ]);
  const read = readDocument({ ...LIST, file: "a.csv" });
  expect(read.ok && read.declared.definition).not.toHaveProperty("numbers");
});

it("which numbers may be called is no list of numbers, whatever stands beside it", () => {
  const numbers = { countries: ["US"] };
  expect(guessKind({ agent_id: "agent", concurrency: 1, numbers })).toBe("campaign");
  expect(guessKind({ steps: [], numbers })).toBe("sequence");
  expect(guessKind({ numbers: ["+12025550143"] })).toBe("suppression-list");
  expect(guessKind({ steps: [], numbers: ["+12025550143"] })).toBeUndefined();
});

it("documents are the same by their kind, brand and name together", () => {
  const key = { kind: "campaign", brand: "acme", name: "b" } as const;
  expect(isSameKey(key, { ...key })).toBe(true);
  for (const other of [{ kind: "trigger" }, { brand: "bold" }, { name: "c" }] as const)
    expect(isSameKey(key, { ...key, ...other })).toBe(false);
});

it("documents are in one order, whichever way they came", () => {
  const keys = [
    { kind: "campaign", brand: "acme", name: "b" },
    { kind: "campaign", brand: "acme", name: "c" },
    { kind: "campaign", brand: "bold", name: "a" },
    { kind: "trigger", brand: "", name: "a" },
  ] as const;
  for (const [a, first] of keys.entries())
    for (const [b, second] of keys.entries())
      expect(Math.sign(inOrder(first, second)), `${a} ${b}`).toBe(Math.sign(a - b));
});

it("documents are applied in an order in which nothing dials before what must not be dialed is in", () => {
  const key = (kind: "campaign" | "suppression-list" | "schedule" | "automation", name: string) => ({
    kind,
    brand: "",
    name,
  });
  const keys = [
    key("schedule", "a"),
    key("campaign", "b"),
    key("campaign", "a"),
    key("suppression-list", "z"),
  ];
  expect([...keys, key("automation", "q")].sort(inOrder).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "automation q",
    "suppression-list z",
    "campaign a",
    "campaign b",
    "schedule a",
  ]);
});

it("differences name their fields, and the order of fields is none", () => {
  expect(fieldChanges({ a: 1, b: { c: [1, { d: 2 }] } }, { b: { c: [1, { d: 2 }] }, a: 1 })).toEqual([]);
  expect(
    fieldChanges({ a: 1, b: { c: [1, { d: 2 }] } }, { a: 2, b: { c: [1, { d: 3 }, 4] }, e: "x" }),
  ).toEqual([
    { field: "a", before: "1", after: "2" },
    { field: "b.c[1].d", before: "2", after: "3" },
    { field: "b.c[2]", before: undefined, after: "4" },
    { field: "e", before: undefined, after: '"x"' },
  ]);
});

it("differences are cut where nobody reads on: 120 characters of a value, 200 fields", () => {
  const text = (count: number) => "x".repeat(count);
  // With its quotes a text of 118 is as long as is shown.
  expect(fieldChanges({ a: text(118) }, { a: text(119) })).toEqual([
    { field: "a", before: `"${text(118)}"`, after: `"${text(119)}...` },
  ]);
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`f${n}`, n]));
  expect(fieldChanges({}, many)).toHaveLength(200);
  expect(fieldChanges({}, many).at(-1)).toEqual({ field: "f199", before: undefined, after: "199" });
});

it("differences between values of different sorts are of the whole value", () => {
  expect(fieldChanges({ a: [1] }, { a: { 0: 1 } })).toEqual([
    { field: "a", before: "[1]", after: '{"0":1}' },
  ]);
  expect(fieldChanges({ a: null }, { a: {} })).toEqual([{ field: "a", before: "null", after: "{}" }]);
  expect(fieldChanges({ a: {} }, { a: null })).toEqual([{ field: "a", before: "{}", after: "null" }]);
  expect(fieldChanges({ a: { b: 1 } }, { a: [1] })).toEqual([
    { field: "a", before: '{"b":1}', after: "[1]" },
  ]);
  expect(fieldChanges(1, 2)).toEqual([{ field: "(whole)", before: "1", after: "2" }]);
  expect(fieldChanges(undefined, "a")).toEqual([{ field: "(whole)", before: undefined, after: '"a"' }]);
  expect(fieldChanges({ secrets: { apiKey: 7 } }, { secrets: {} })).toEqual([
    { field: "secrets.apiKey", before: "7", after: undefined },
  ]);
});

it("differences show no value of a secret that somebody wrote out", () => {
  const webhook = (headers: object) => ({ steps: [{ webhook: { headers } }] });
  expect(
    fieldChanges(webhook({ Authorization: "Bearer a" }), webhook({ Authorization: { secret: "crm" } })),
  ).toEqual([
    { field: "steps[0].webhook.headers.Authorization", before: "(not shown)", after: '{"secret":"crm"}' },
  ]);
  expect(fieldChanges({ workflow: { apiKey: "a", url: "b" } }, { workflow: { url: "c" } })).toEqual([
    { field: "workflow.apiKey", before: "(not shown)", after: undefined },
    { field: "workflow.url", before: '"b"', after: '"c"' },
  ]);
});

it("definitions are shown without the values of secrets that somebody wrote out, and otherwise as they are", () => {
  const plain = {
    url: "https://crm.example.com/x.csv?page=2",
    headers: { Authorization: { secret: "crm" }, "X-Team": "sales" },
    at: [{ secret: "crm" }, 7, null],
  };
  expect(withoutSecrets(plain)).toEqual(plain);
  expect(
    withoutSecrets({
      from: [{ url: "https://user:SECRET@crm.example.com:8443/x.csv?page=a%20b&api_key=SECRET" }],
      headers: { Authorization: "Bearer SECRET", Cookie: { secret: `sk-${"SECRET".repeat(4)}` } },
    }),
  ).toEqual({
    from: [{ url: "https://(not shown)@crm.example.com:8443/x.csv?page=a%20b&api_key=(not shown)" }],
    headers: { Authorization: "(not shown)", Cookie: { secret: "(not shown)" } },
  });
  const from = (url: string) => ({ run: { contacts: { url } } });
  expect(fieldChanges(from("https://x.example/y?token=SECRET"), from("https://x.example/y"))).toEqual([
    {
      field: "run.contacts.url",
      before: '"https://x.example/y?token=(not shown)"',
      after: '"https://x.example/y"',
    },
  ]);
});

it("names of secrets are no values, and values in headers are found as such", () => {
  const value = {
    auth: { secret: "crm" },
    steps: [{ webhook: { secret: "hooks", headers: { "X-Api-Key": { secret: "key" }, "X-Team": "sales" } } }],
  };
  expect(literalSecrets(value)).toEqual([]);
  expect(literalSecrets({ steps: [{ webhook: { headers: { "x-api-key": "abc" } } }] })).toEqual([
    "steps[0].webhook.headers.x-api-key",
  ]);
});
