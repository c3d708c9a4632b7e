import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

import type { AnswerForm } from "../../src/cli/answer-form.ts";
import { answerWriter } from "../../src/cli/view/answer-text.ts";
import { coloursOf } from "../../src/cli/view/colours.ts";
import { allCommands, outdial } from "./support.ts";
import { VERSION } from "../../src/http/version.ts";

/** Commands without forms of an answer, each with why. */
const WITHOUT_FORMS: Readonly<Record<string, string>> = {
  "automation export": "its answer is the automation's own JSON document",
  completion: "its answer is a script",
  demo: "a show for a person, with pictures",
  schema: "its answer is one JSON document, whatever is asked",
  up: "it keeps processes alive and logs",
  worker: "it dials until it is ended, and logs",
  server: "it serves until it is ended, and logs",
  sandbox: "it serves until it is ended, and logs",
  ui: "it serves until it is ended",
};

describe("every command", () => {
  it("has its answer in every form, or a reason for having none", async () => {
    const without: string[] = [];
    for (const command of await allCommands()) {
      const flags = new Set(command.options.flatMap(({ long, short }) => [long, short]));
      const has = ["--json", "-o", "--fields"].map((flag) => flags.has(flag));
      expect(new Set(has).size, `${nameOf(command)} has all of them, or none`).toBe(1);
      if (has[0] !== true) without.push(nameOf(command));
    }
    expect(without.toSorted()).toEqual(Object.keys(WITHOUT_FORMS).toSorted());
  });
});

function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}

const plain = { colours: coloursOf(false), isTTY: false };

async function written(form: AnswerForm, value: unknown, fields?: readonly string[]) {
  return (await answerWriter({ form, fields }, plain))(value);
}

const PAGE = {
  items: [
    {
      id: 1,
      name: "spring",
      note: null,
      contacts: { total: 3, open: 0 },
      spec: { a: { b: 1 } },
      tags: ["x"],
    },
    { id: 2, name: "=cmd|' /C calc'!A0", note: null, contacts: { total: 1, open: 1 }, spec: {}, tags: [] },
  ],
  total: 9,
};

describe("an answer", () => {
  it("as JSON and YAML is what the API says", async () => {
    const json = await written("json", PAGE);
    expect(JSON.parse(json.text)).toEqual(PAGE);
    expect(json.text.trimEnd()).not.toContain("\n");
    expect(parse((await written("yaml", PAGE)).text)).toEqual(PAGE);
  });

  it("as CSV has a row an item, every field, and no formula", async () => {
    expect((await written("csv", PAGE)).text).toBe(
      [
        "id,name,note,contacts.total,contacts.open,spec.a.b,tags",
        '1,spring,,3,0,1,"[""x""]"',
        "2,'=cmd|' /C calc'!A0,,1,1,,[]",
        "",
      ].join("\n"),
    );
  });

  it("as CSV leaves numbers and phone numbers as they are, and quotes what would be a row", async () => {
    const { text } = await written("csv", { phone: "+12025550143", at: -1, reason: 'said "no",\nloudly' });
    expect(text).toBe('phone,at,reason\n+12025550143,-1,"said ""no"",\nloudly"\n');
  });

  it("wide shows ids and what the table leaves out, and no column that is empty", async () => {
    const { text } = await written("wide", PAGE);
    const [header = "", first = "", ...others] = text.trimEnd().split("\n");
    expect(header.trim().split(/\s{2,}/)).toEqual(["id", "name", "contacts.total", "contacts.open"]);
    expect(first.trim().split(/\s{2,}/)).toEqual(["1", "spring", "3", "0"]);
    expect(others).toHaveLength(1);
  });

  it("keeps a row on its line, and hands no terminal what would drive it", async () => {
    const wide = await written("wide", { items: [{ name: "a\nb\u001B[2J", next: 1 }] });
    expect(wide.text.split("\n")).toHaveLength(3);
    expect(wide.text).not.toContain("\u001B");
    const shown = await answerWriter({ form: "csv", fields: undefined }, { ...plain, isTTY: true });
    expect(shown({ name: "\u001B[2J" }).text).not.toContain("\u001B");
  });

  it("holds only the fields that were asked for, in its own shape", async () => {
    const fields = ["contacts.total", "name"];
    expect(JSON.parse((await written("json", PAGE, fields)).text)).toEqual({
      items: [
        { contacts: { total: 3 }, name: "spring" },
        { contacts: { total: 1 }, name: "=cmd|' /C calc'!A0" },
      ],
      total: 9,
    });
    expect((await written("csv", PAGE, fields)).text.split("\n")[0]).toBe("contacts.total,name");
    const [header = ""] = (await written("table", PAGE, fields)).text.split("\n");
    expect(header.trim().split(/\s{2,}/)).toEqual(fields);
    const whole = JSON.parse((await written("json", PAGE, ["contacts"])).text) as typeof PAGE;
    expect(whole.items[0]).toEqual({ contacts: { total: 3, open: 0 } });
  });

  it("says which of them it does not have", async () => {
    const { absent, present } = await written("csv", PAGE, ["id", "nmae"]);
    expect([absent, present]).toEqual([["nmae"], expect.arrayContaining(["name", "contacts.total"])]);
    expect((await written("csv", { items: [] }, ["nmae"])).absent).toEqual([]);
  });

  it("takes keys from outside for what they are", async () => {
    const value = JSON.parse('{"__proto__": {"x": 1}, "a.b": 2, "constructor": 3}') as unknown;
    const { text } = await written("json", value, ["__proto__.x", "a.b", "constructor", "toString"]);
    expect(text).toBe('{"__proto__":{"x":1},"a.b":2,"constructor":3}\n');
  });

  it("of several objects is several documents", async () => {
    const write = await answerWriter({ form: "yaml", fields: undefined }, plain);
    expect(write({ a: 1 }).text + write({ a: 2 }).text).toBe("a: 1\n---\na: 2\n");
  });

  it("of an empty list is no row", async () => {
    const empty = { items: [], total: 0 };
    expect((await written("csv", empty)).text).toBe("");
    expect((await written("csv", empty, ["id"])).text).toBe("id\n");
    expect((await written("wide", empty)).text).toBe("nothing\n");
  });
});

describe("on the command line", () => {
  let server: http.Server;
  let environment: Record<string, string> = {};
  beforeAll(async () => {
    server = http.createServer((_request, response) => {
      response.setHeader("x-outdial-version", VERSION);
      const item = {
        id: "11111111-1111-4111-8111-111111111111",
        name: "crm",
        path: "/v1/triggers/crm",
        definition: { kind: "trigger" },
        created_at: "2026-11-23T15:00:00.000Z",
        enabled: true,
        version: 3,
        updated_at: "2026-11-23T15:00:00.000Z",
      };
      response.end(JSON.stringify({ items: [item], total: 1 }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    environment = { OUTDIAL_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  });
  afterAll(() => server.close());

  it("standard output is the answer alone, and the table is not said beside it", async () => {
    const table = await outdial(["trigger", "list"], environment);
    expect(table.stdout, table.stderr).toContain("enabled");
    for (const form of ["wide", "json", "yaml", "csv"]) {
      const end = await outdial(["trigger", "list", "-o", form], environment);
      expect([form, end.code, end.stderr]).toEqual([form, 0, ""]);
      expect(end.stdout).toContain("crm");
    }
    const json = await outdial(["trigger", "list", "--json"], environment);
    expect(JSON.parse(json.stdout)).toMatchObject({ items: [{ name: "crm", version: 3 }] });
    const fields = await outdial(["trigger", "list", "-o", "csv", "--fields", "name,versoin"], environment);
    expect([fields.code, fields.stdout]).toEqual([0, "name,versoin\ncrm,\n"]);
    expect(fields.stderr).toContain("the answer has no field versoin: it has ");
  });

  it("refuses a form that it does not know, two forms, and fields that are no names", async () => {
    for (const [asked, told] of [
      [["-o", "xml"], "Allowed choices are table, wide, json, yaml, csv"],
      [["-o", "csv", "--json"], "cannot be used with"],
      [["--fields", "a,,b"], "It must be names of fields"],
    ] as const) {
      const end = await outdial(["trigger", "list", ...asked], environment);
      expect([end.code, end.stdout, end.stderr]).toEqual([2, "", expect.stringContaining(told)]);
    }
  });
});
