import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";

import { COMMANDS } from "../../src/cli/commands.ts";
import { CliError, explain, failureJson } from "../../src/cli/errors.ts";
import { saidAndRemedy } from "../../src/cli/said.ts";
import { outdial, temporaryFolder, writeFile } from "./support.ts";

/** What a command with `--json` that fails ends with: one line of standard error, one object, and no other words. */
function failureOf({ stdout, stderr }: { stdout: string; stderr: string }): Record<string, unknown> {
  expect(stdout).toBe("");
  expect(stderr.endsWith("\n")).toBe(true);
  expect(stderr.trimEnd()).not.toContain("\n");
  const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
  for (const name of ["code", "message", "remedy"]) {
    expect(error[name]).toEqual(expect.any(String));
    expect(error[name]).not.toBe("");
  }
  return error;
}

describe("with --json a failure is one JSON object on standard error, and nothing else", () => {
  it("of arguments", async () => {
    for (const args of [
      ["campaign", "status", "--json"],
      ["campaign", "list", "--limit", "abc", "--json"],
      ["campaign", "frobnicate", "--json"],
      ["frobnicate", "--json"],
    ]) {
      const end = await outdial(args);
      expect(end.code).toBe(2);
      expect(failureOf(end)).toMatchObject({ code: "usage", exit_code: 2 });
      expect(end.stderr).not.toContain("outdial: ");
    }
  });

  it("of arguments, asked for in any way", async () => {
    for (const asked of [["-o", "json"], ["-ojson"], ["--json"]]) {
      const end = await outdial(["campaign", "status", ...asked]);
      expect(failureOf(end)).toMatchObject({ code: "usage", message: expect.stringContaining("campaign") });
    }
    for (const form of ["yaml", "csv", "wide"]) {
      const end = await outdial(["campaign", "status", "-o", form]);
      expect([end.code, end.stdout, end.stderr]).toEqual([
        2,
        "",
        expect.stringContaining("outdial: missing"),
      ]);
    }
  });

  it("of an option that names nothing, as one does whose shell variable is not set", async () => {
    for (const args of [
      ["campaign", "list", "--data-dir", ""],
      ["--data-dir", " ", "stop-all"],
      ["campaign", "export", "spring", "--to", ""],
      ["export", "--to", ""],
    ]) {
      const end = await outdial(args);
      expect([args.join(" "), end.code, end.stderr]).toEqual([
        args.join(" "),
        2,
        expect.stringMatching(/'\s*' is invalid\. It must name a folder\./),
      ]);
    }
  });

  it("of an argument, which is told as an option is", async () => {
    const told = "argument <id> 'nope' is invalid. It must be an id such as";
    const words = await outdial(["sequence", "enrolment", "nope"]);
    expect([words.code, words.stderr]).toEqual([2, expect.stringContaining(`outdial: ${told}`)]);
    const end = await outdial(["sequence", "enrolment", "nope", "--json"]);
    expect(end.stderr).toContain(told);
    expect(failureOf(end)).toMatchObject({ code: "usage" });
  });

  it("of settings, files and lists", async () => {
    const folder = temporaryFolder();
    const spec = writeFile(folder, "c.yaml", "name: x\n");
    const settings = await outdial(["campaign", "list", "--json"], { OUTDIAL_API_PORT: "x" });
    expect(failureOf(settings)).toMatchObject({ code: "invalid_settings", exit_code: 2 });
    const absent = await outdial(["campaign", "create", path.join(folder, "none.yaml"), "--json"]);
    expect(failureOf(absent)).toMatchObject({
      code: "file_not_found",
      remedy: "check the path",
      exit_code: 2,
    });
    const wrong = await outdial(["campaign", "create", spec, "--json"]);
    expect(failureOf(wrong)).toMatchObject({ code: "invalid_input", exit_code: 2 });
    const list = await outdial(["contacts", "validate", writeFile(folder, "l.csv", "a,b\n1,2\n"), "--json"]);
    expect(failureOf(list)).toMatchObject({ exit_code: 2 });
  });

  it("of a system that does not run", async () => {
    const nobody = await outdial(["campaign", "list", "--json", "--data-dir", temporaryFolder()]);
    expect(nobody.code).toBe(1);
    expect(failureOf(nobody)).toMatchObject({
      code: "no_running_system",
      remedy: expect.stringContaining("outdial server"),
      exit_code: 1,
    });
  });

  it("of every command that takes --json", async () => {
    const failing = { OUTDIAL_API_URL: "http://127.0.0.1:9", OUTDIAL_API_PORT: "no port" };
    const taking = await Promise.all(
      COMMANDS.map(async (entry) => {
        const help = await outdial([entry.name, "--help"]);
        return entry.kind === "single" && help.stdout.includes("--json") ? [[entry.name]] : namesIn(entry);
      }),
    );
    const names = taking.flat();
    expect(names.length).toBeGreaterThan(60);
    for (const words of names) {
      const help = await outdial([...words, "--help"]);
      // What `doctor` finds wrong is what it was asked for.
      if (!help.stdout.includes("--json") || words.includes("doctor")) continue;
      const end = await outdial([...words, "--json"], failing);
      expect([words, end.code]).toEqual([words, 2]);
      failureOf(end);
    }
  }, 120_000);
});

function namesIn(entry: (typeof COMMANDS)[number]): string[][] {
  return entry.kind === "group"
    ? entry.modules.flatMap(({ names }) => names.map((name) => [entry.name, name]))
    : [];
}

describe("a running system's refusal", () => {
  let server: http.Server;
  let url = "";
  let answer: { status: number; type?: string; body: string } = { status: 200, body: "" };

  beforeAll(async () => {
    server = http.createServer((_request, response) => {
      response.writeHead(answer.status, { "content-type": answer.type ?? "application/problem+json" });
      response.end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const status = async () => outdial(["campaign", "status", "spring", "--json"], { OUTDIAL_API_URL: url });

  it("keeps its code, its fields and what else it carries", async () => {
    answer = {
      status: 422,
      body: JSON.stringify({
        title: "Unprocessable Entity",
        status: 422,
        code: "invalid_spec",
        detail: "the spec has 2 problems: a: is no b; c: must be d",
        errors: [
          { field: "a", message: "is no b" },
          { field: "c", message: "must be d" },
        ],
        state: "running",
      }),
    };
    const end = await status();
    expect(end.code).toBe(2);
    expect(failureOf(end)).toMatchObject({
      code: "invalid_spec",
      status: 422,
      state: "running",
      errors: [{ field: "a" }, { field: "c" }],
      exit_code: 2,
    });
  });

  it("by something else than Outdial, or another version of it, says so without a library's words", async () => {
    for (const body of ["<html>502 Bad Gateway</html>", "{}", '{"items": 5}', "null"]) {
      answer = { status: 200, type: "text/html", body };
      const end = await status();
      expect(end.code).toBe(1);
      expect(failureOf(end)).toMatchObject({ code: "unreadable" });
      expect(end.stderr).toContain(url);
      expect(end.stderr).not.toMatch(/invalid_type|expected|undefined|\[\n/);
    }
  });
});

test("errors of Node, of a database and of gRPC are told in words, with what to do", () => {
  const errno = (code: string, more: object = {}) =>
    Object.assign(new Error(`raw ${code} text`), { code, ...more });
  for (const [error, told] of [
    [errno("ENOENT", { path: "/a/b" }), "there is no file or folder /a/b: check the path"],
    [errno("EEXIST", { path: "/a" }), "/a is there already: name another"],
    [errno("EACCES", { path: "/a" }), "no permission for /a: change its owner or mode, or name another"],
    [
      errno("EADDRINUSE", { syscall: "listen", address: "127.0.0.1", port: 8480 }),
      "the port 8480 is taken by another program: end the program that has it, or choose another with OUTDIAL_API_PORT",
    ],
    [errno("EACCES", { syscall: "listen", port: 80 }), "the port 80 may not be listened on"],
    [
      errno("EADDRNOTAVAIL", { syscall: "listen", address: "10.9.9.9" }),
      "no address 10.9.9.9: correct OUTDIAL_API_HOST",
    ],
    [errno("ENOSPC"), "the disk is full: make room"],
    [new TypeError("fetch failed", { cause: errno("ECONNREFUSED") }), "nobody listens there"],
    [new AggregateError([errno("ECONNREFUSED")]), "nobody listens there"],
    [errno("CERT_HAS_EXPIRED"), "its certificate has expired"],
    [errno("HPE_INVALID_CONSTANT"), "what answers there speaks no HTTP"],
  ] as const) {
    const { message } = explain(error);
    expect(message).toContain(told);
    expect(message).not.toContain("raw");
  }
});

test("what nobody foresaw is told as that, and as an object", () => {
  const explained = explain(new Error("x is not a function"));
  expect(explained.unexpected).toBe(true);
  expect(explained.message).toMatch(/nobody foresaw \(x is not a function\)/);
  expect(failureJson(explained).error).toMatchObject({ code: "unexpected", exit_code: 1 });
});

test("further facts never take the place of those that are promised", () => {
  const error = new CliError("no: check it", 1, { code: "mine", facts: { code: "theirs", more: 1 } });
  expect(failureJson(explain(error)).error).toMatchObject({ code: "mine", more: 1, remedy: "check it" });
});

test.each([
  ["there is no campaign: list them with `outdial campaign list`", "list them with `outdial campaign list`"],
  ["a (b: check c) is d: end process 5: or not", "end process 5: or not"],
  ['it says "x: check y" and nothing else', undefined],
  ["phone: It has letters: write the digits only.", "write the digits only."],
  ["refused:\n  a: was 1, is now 2\nput it in force with --amend", "put it in force with --amend"],
  ["c.yaml has 2 problems:\n  line 1: a: is missing\n  line 2: b: check it", undefined],
  ["go on with: outdial go-on", undefined],
  ["it failed: `outdial doctor` looks", "`outdial doctor` looks"],
])("of %j what to do is %j", (message, remedy) => {
  expect(saidAndRemedy(message).remedy).toBe(remedy);
});
