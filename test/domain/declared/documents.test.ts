import { describe, expect, it } from "vitest";

import { fieldChanges } from "../../../src/domain/declared/difference.ts";
import { documentOf, inOrder, keyOf, readDocument } from "../../../src/domain/declared/documents.ts";
import { literalSecrets, withoutSecrets } from "../../../src/domain/ground/literal-secrets.ts";

const LIST = { kind: "suppression-list", name: "dnc", global: true, reason: "asked" };

const problemsOf = (value: unknown): string[] => {
  const reading = readDocument(value);
  return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field}: ${problem}`);
};

describe("a document", () => {
  it("says what it is, or is refused with the kinds that there are", () => {
    expect(problemsOf({ name: "x" })).toEqual([
      "kind: is missing: it must be one of automation, suppression-list, sequence, campaign, trigger, schedule",
    ]);
    expect(problemsOf({ name: "x", auth: {} })).toEqual([
      "kind: is missing: write `kind: trigger`, by which its other fields are read",
    ]);
    expect(problemsOf({ kind: "Campaign" })[0]).toContain("is not known");
    for (const value of [null, [], "text", 7])
      expect(problemsOf(value)[0]).toContain("must be a group of fields");
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
    expect(problemsOf({ ...LIST, numbers: [12_025_550_143] })).toEqual([
      'numbers[0]: must be text, in quotes: "+12025550143"',
    ]);
  });
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
