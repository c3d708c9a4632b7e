import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { CliCommand } from "../../src/cli/cli-command.ts";
import { contextNameFor, withContext } from "../../src/cli/contexts/chosen.ts";
import { checkContext } from "../../src/cli/doctor/context.ts";
import { readConfig } from "../../src/config.ts";
import { allCommands, outdial, temporaryFolder, writeFile } from "./support.ts";
import { VERSION } from "../../src/http/version.ts";

const TOKEN = "a-token-of-twenty-four-xx";

/** A system that lists no triggers, cancels everything, and remembers who asked. */
let server: http.Server;
let url = "";
let asked: { line: string; token: string | undefined; body: string }[] = [];
let home = "";
let environment: Record<string, string> = {};

beforeEach(async () => {
  asked = [];
  server = http.createServer((request, response) => {
    response.setHeader("x-outdial-version", VERSION);
    let body = "";
    request.on("data", (part: Buffer) => (body += String(part)));
    request.on("end", () => {
      asked.push({
        line: `${request.method ?? ""} ${request.url ?? ""}`,
        token: request.headers.authorization,
        body,
      });
      response.end(JSON.stringify(answerTo(request.url ?? "")));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  home = temporaryFolder();
  // No data folder is named: where one is, it names the system.
  environment = { XDG_CONFIG_HOME: home, OUTDIAL_DATA_DIR: "" };
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function answerTo(path: string): unknown {
  if (path === "/v1/stop-all") return STOPPED;
  if (path === "/v1/tokens") return { token: MADE, secret: SECRET };
  if (path === "/v1/go-on") return { stopped: false, was_stopped: true };
  return { items: [], total: 0 };
}

const SECRET = "a-secret-that-is-shown-once";
const MADE = {
  name: "crm",
  id: "abcd",
  role: "operator",
  brands: null,
  created_at: "2026-11-26T09:00:00.000Z",
  created_by: "alice",
  expires_at: null,
  expired: false,
  last_used_at: null,
  revoked_at: null,
  revoked_by: null,
  revoked_reason: null,
};

const STOPPED = { stopped: true, in_flight: { batches: 0, calls_up: 0, uncertain: 0 }, waiting: [] };

const run = (...args: readonly string[]) => outdial(args, environment);

async function set(name: string, ...options: readonly string[]) {
  const end = await run("context", "set", name, "--url", url, ...options);
  expect(end.stderr).toBe("");
  expect(end.code).toBe(0);
}

const fileOf = () => path.join(home, "outdial", "contexts.json");

describe("a context", () => {
  it("is where commands go, with its token, until another one is chosen", async () => {
    await set("production", "--token-file", writeFile(home, "token", `${TOKEN}\n`), "--use");
    expect((await run("trigger", "list")).code).toBe(0);
    expect(asked).toEqual([expect.objectContaining({ token: `Bearer ${TOKEN}` })]);
    await run("context", "use", "--none");
    const nobody = await run("trigger", "list");
    expect([nobody.code, asked.length]).toEqual([1, 1]);
    expect((await run("trigger", "list", "--context", "production")).code).toBe(0);
    environment["OUTDIAL_CONTEXT"] = "production";
    expect((await run("trigger", "list")).code).toBe(0);
    expect(asked.length).toBe(3);
    const gone = await run("context", "delete", "production");
    expect(gone.code).toBe(0);
    const unknown = await run("trigger", "list");
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no context production"),
    });
  });

  it("never has its token shown, wherever it comes from", async () => {
    environment["OUTDIAL_API_TOKEN"] = "that-of-this-machine-alone";
    await outdial(
      ["context", "set", "kept", "--url", url, "--token-stdin"],
      environment,
      {},
      Readable.from([TOKEN]),
    );
    await set("asked", "--token-command", `echo ${TOKEN}`);
    for (const form of ["table", "wide", "json", "yaml", "csv"]) {
      for (const args of [["list"], ["show", "kept"], ["show", "asked"]]) {
        const end = await run("context", ...args, "-o", form);
        expect(end.code, end.stderr).toBe(0);
        expect(end.stdout + end.stderr).not.toContain(TOKEN);
      }
    }
    for (const name of ["kept", "asked"])
      expect((await run("trigger", "list", "--context", name)).code).toBe(0);
    expect(asked.map(({ token }) => token)).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
  });

  it("whose token command fails asks nobody, and does not say what the command printed", async () => {
    await set("broken", "--token-command", `echo ${TOKEN} and more; exit 3`, "--use");
    const end = await run("trigger", "list");
    expect([end.code, asked.length]).toEqual([2, 0]);
    expect(end.stderr).toContain("its token command failed (it ended with 3)");
    expect(end.stderr).not.toContain(TOKEN);
    // What asks no system needs no token.
    expect((await run("presets", "list")).code).toBe(0);
  });

  it("does not have its token sent to another address in silence", async () => {
    await set("production", "--token-command", `echo ${TOKEN}`);
    const moved = await run("context", "set", "production", "--url", "https://other.example.com");
    expect(moved).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the token of production is for"),
    });
    expect((await run("context", "show", "production")).stdout).toContain(url);
  });

  it("is kept where nobody else reads it, and a file that others can read is refused", async () => {
    await set("production", "--use");
    expect(fs.statSync(fileOf()).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(fileOf())).mode & 0o777).toBe(0o700);
    expect(fs.readdirSync(path.dirname(fileOf()))).toEqual(["contexts.json"]);
    fs.chmodSync(fileOf(), 0o644);
    const refused = await run("trigger", "list");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("run `chmod 600 '") });
    expect(refused.stderr).toContain("or name the system itself with OUTDIAL_API_URL or --data-dir");
    expect(asked).toEqual([]);
  });

  it("in a file that is broken is told as that, without what stands in it", async () => {
    await set("production");
    for (const content of ["{", '{"contexts": {"x": {"url": "nowhere", "token": "sesame-open-sesame"}}}']) {
      fs.writeFileSync(fileOf(), content);
      const end = await run("context", "list");
      expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining("is no file of contexts") });
      expect(end.stderr).not.toContain("sesame");
    }
  });

  it("has a name and an address, or is refused", async () => {
    for (const [args, told] of [
      [["set", "a b", "--url", url], "It must be letters, digits"],
      [["set", "__proto__", "--url", url], "beginning with a letter"],
      [["set", "new"], "say where its API is with --url"],
      [["set", "new", "--url", "ftp://x"], "must be an http or https address"],
      [["use"], "name a context"],
      [["use", "toString"], "there is no context toString"],
      [["set", "new", "--url", url, "--token-stdin"], "standard input holds no token"],
    ] as const) {
      const end = await run("context", ...args);
      expect([args, end.code, end.stderr]).toEqual([args, 2, expect.stringContaining(told)]);
    }
  });

  it("is told of by doctor, and why it can't be gone by", async () => {
    await set("production", "--use", "--protected");
    const config = readConfig(environment);
    const check = () => checkContext(config, undefined);
    expect(check()).toMatchObject([
      { status: "ok", detail: expect.stringContaining(`${url} (production, protected)`) },
    ]);
    expect(checkContext(config, home)).toEqual([]);
    fs.chmodSync(fileOf(), 0o640);
    expect(check()).toMatchObject([{ status: "fail", remedy: expect.stringContaining("chmod 600") }]);
  });

  it("says whose campaigns are meant, and narrows nothing else", async () => {
    await set("acme", "--brand", "acme", "--use");
    await run("tag", "list");
    await run("tag", "list", "--brand", "other");
    await run("attention", "list");
    expect(asked.map(({ line }) => /brand=(\w+)/.exec(line)?.[1])).toEqual(["acme", "other", undefined]);
  });
});

describe("which system is meant", () => {
  const nameFor = (
    given: Record<string, string>,
    asking: Partial<Parameters<typeof contextNameFor>[1]> = {},
  ) => contextNameFor(readConfig(given), { dataDir: undefined, ...asking }, () => "current");

  it.each([
    ["nothing is said", {}, {}, "current"],
    ["the environment names one", { OUTDIAL_CONTEXT: "named" }, {}, "named"],
    ["--context goes before it", { OUTDIAL_CONTEXT: "named" }, { context: "said" }, "said"],
    [
      "an address goes before all but that",
      { OUTDIAL_CONTEXT: "named", OUTDIAL_API_URL: "http://x" },
      {},
      undefined,
    ],
    ["a data folder on the command line, too", { OUTDIAL_CONTEXT: "named" }, { dataDir: "/d" }, undefined],
    ["a machine that is set up for its own system", { DATABASE_URL: "postgres://x/y" }, {}, undefined],
    ["or by its data folder", { OUTDIAL_DATA_DIR: "/d" }, {}, undefined],
    ["there, too, one that is named", { OUTDIAL_DATA_DIR: "/d", OUTDIAL_CONTEXT: "named" }, {}, "named"],
    ["a command about this machine", { OUTDIAL_CONTEXT: "named" }, { isHere: true }, undefined],
  ])("%s", (_words, given, asking, name) => {
    expect(nameFor(given, asking)).toBe(name);
  });

  it("is refused where a command line says two things", async () => {
    await set("production");
    for (const [args, given, told] of [
      [["trigger", "list", "--context", "production", "--data-dir", home], {}, "name two systems"],
      [
        ["trigger", "list", "--context", "production"],
        { OUTDIAL_API_URL: "http://127.0.0.1:9" },
        "and OUTDIAL_API_URL is",
      ],
      [["server", "--context", "production"], {}, "goes by no context"],
    ] as const) {
      const end = await outdial(args, { ...environment, ...given });
      expect([args, end.code, end.stderr]).toEqual([args, 2, expect.stringContaining(told)]);
    }
    expect(asked).toEqual([]);
  });

  it("is never passed over in silence by a command about this machine", async () => {
    const here = new Set<string>();
    for (const command of await allCommands()) {
      if (!(command instanceof CliCommand) || command.commands.length > 0) continue;
      const words = [command.name()];
      for (let parent = command.parent; parent?.parent; parent = parent.parent) words.unshift(parent.name());
      const [first = ""] = words;
      if (["platform", "deploy", "migrate"].includes(first))
        expect([words, command.isHere]).toEqual([words, true]);
      if (command.isHere) here.add(first);
    }
    const [, named = ""] =
      /Commands about this machine\s+\(([^)]*)\)/.exec(fs.readFileSync("docs/cli.md", "utf8")) ?? [];
    expect(named).toMatch(/`migrate`, `deploy`/);
    for (const [, word = ""] of named.matchAll(/`([^`]+)`/g)) expect([...here]).toContain(word);
    for (const args of [["migrate"], ["deploy", "current"], ["platform", "chat", "talk", "x"]]) {
      const end = await run(...args, "--context", "production");
      expect([args, end.code, end.stderr]).toEqual([args, 2, expect.stringContaining("goes by no context")]);
    }
    expect(await run("deploy", "current", "")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the build is empty"),
    });
    const both = await run("deploy", "current", "x", "--none");
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("not both") });
  });

  it("shows no system the token of another", async () => {
    await set("production", "--token-command", `echo ${TOKEN}`, "--use");
    environment["OUTDIAL_API_TOKEN"] = "that-of-this-machine-alone";
    await run("trigger", "list");
    environment["OUTDIAL_API_URL"] = url;
    await run("trigger", "list");
    expect(asked.map(({ token }) => token)).toEqual([`Bearer ${TOKEN}`, "Bearer that-of-this-machine-alone"]);
  });
});

it("a token's secret stands once in the answer, and is not lost for want of a field", async () => {
  await set("production", "--use");
  const make = (...more: string[]) =>
    run("token", "create", "crm", "--role", "operator", "--expires", "never", ...more);
  const lost = await make("--fields", "token.name");
  expect(lost).toMatchObject({ code: 2, stderr: expect.stringContaining("would be lost: add it") });
  expect(asked).toEqual([]);
  const end = await make("--json");
  expect(JSON.parse(end.stdout)).toMatchObject({ secret: SECRET });
  expect(end.stderr).not.toContain(SECRET);
  expect((await make("--fields", "secret")).stdout).toContain(SECRET);
  expect((await make()).stdout).toContain(SECRET);
});

it("what a command about this machine says to do next is done on this machine", async () => {
  const { namedDir } = await import("../../src/cli/hints.ts");
  const dirOf = () => namedDir(withContext(readConfig(environment), { isHere: true, dataDir: undefined }));
  expect(dirOf()).toBeUndefined();
  await set("production", "--use");
  expect(dirOf()).toBe(readConfig(environment).dataDir);
  // Whoever can't read the file runs a campaign all the same, and is told where it is.
  fs.chmodSync(fileOf(), 0o644);
  expect(dirOf()).toBe(readConfig(environment).dataDir);
});

describe("what is grave", () => {
  it("says which context it is in, and in a protected one is asked for", async () => {
    await set("production", "--use");
    const told = await run("go-on", "--reason", "mended");
    expect(told).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`in the context production (${url})`),
    });
    await set("production", "--protected");
    asked = [];
    const refused = await run("go-on", "--reason", "mended");
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Nobody can be asked here: add --yes"),
    });
    expect(asked).toEqual([]);
    expect((await run("go-on", "--reason", "mended", "--yes")).code).toBe(0);
    expect(asked.length).toBe(1);
  });

  it("asks a person who is there, and takes a no", async () => {
    await set("production", "--use", "--protected");
    asked = [];
    const answer = (word: string) => Object.assign(Readable.from([`${word}\n`]), { isTTY: true });
    const no = await outdial(["go-on", "--reason", "x"], environment, {}, answer("n"));
    expect(no).toMatchObject({ code: 1, stderr: expect.stringContaining("go-on in the context production") });
    expect(asked).toEqual([]);
    expect((await outdial(["go-on", "--reason", "x"], environment, {}, answer("yes"))).code).toBe(0);
    expect(asked.length).toBe(1);
  });

  it("never is a stop: it says where, and asks nobody", async () => {
    await set("production", "--use", "--protected");
    const end = await run("stop-all", "--reason", "x");
    expect(end).toMatchObject({ code: 0, stderr: expect.stringContaining("in the context production") });
    expect(asked.map(({ line }) => line)).toContain("POST /v1/stop-all");
    expect(end.stdout).toContain('go on with: outdial go-on --reason "..."\n');
    expect(end.stdout).toContain(`everything is stopped in the context production (${url})\n`);
    const byAddress = await outdial(["stop-all"], { ...environment, OUTDIAL_API_URL: url });
    expect(byAddress.stdout).toContain(`everything is stopped in the system at ${url}\n`);
    // What is to be typed next goes to the same system.
    const named = await run("stop-all", "--context", "production");
    expect(named.stdout).toContain('outdial go-on --reason "..." --context production\n');
  });

  it("is what begins calls, ends things for good or takes a protection away", async () => {
    const grave = (await allCommands())
      .filter((command) => command instanceof CliCommand && command.isGrave)
      .map((command) => [command.parent?.name(), command.name()].join(" ").replace(/^outdial /, ""));
    expect(grave.toSorted()).toEqual(
      [
        "apply",
        "automation remove",
        "automation rerun",
        "automation restore",
        "blackout remove",
        "budget remove",
        "budget set",
        "campaign amend",
        "campaign approve",
        "campaign cancel",
        "campaign resume",
        "campaign start",
        "campaign withdraw",
        "go-on",
        "key rotate",
        "forget",
        "recover",
        "retention set",
        "route remove",
        "schedule backfill",
        "schedule remove",
        "schedule resume",
        "schedule run",
        "sequence close",
        "sequence enroll",
        "sequence event",
        "sequence exit",
        "sequence resume",
        "sequence move",
        "sequence skip",
        "sessions end",
        "source remove",
        "stop-all",
        "suppress remove",
        "token revoke",
        "trigger enable",
        "webhook remove",
      ].toSorted(),
    );
  });
});
