import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, test } from "vitest";

import { ApiProblemError } from "../../src/cli/api/errors.ts";
import { CliCommand } from "../../src/cli/cli-command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import type { CliContext } from "../../src/cli/context.ts";
import { CliError, explain } from "../../src/cli/errors.ts";
import { ConfigError } from "../../src/config.ts";
import { createPlatform } from "../../src/platform/index.ts";
import type { SandboxOptions } from "../../src/sandbox/options.ts";
import { runSandbox } from "../../src/sandbox/run-sandbox.ts";
import type { SystemOptions } from "../../src/system.ts";
import { outdial, temporaryFolder, writeFile } from "./support.ts";

const unused = () => {
  throw new Error("nothing is done here");
};

/** For modules that make their commands, and do not run them. */
const contextOfNobody: CliContext = {
  settings: unused,
  ports: {
    openLedger: unused,
    startSystem: unused,
    openPlatform: unused,
    runSandbox: unused,
    lookAtProvider: unused,
    lookForMissing: unused,
    provideTemporalServer: unused,
  },
  stdout: { write: unused },
  stderr: { write: unused },
  finish: unused,
};

describe("the command line", () => {
  it("shows help with examples and exit codes, and its version", async () => {
    const help = await outdial(["--help"]);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain("Examples:");
    expect(help.stdout).toContain("130  interrupted");
    const version = await outdial(["--version"]);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    for (const command of ["run", "demo", "doctor", "sandbox", "campaign explain", "suppress add"]) {
      const shown = await outdial([...command.split(" "), "--help"]);
      expect(shown.code).toBe(0);
      expect(shown.stdout).toContain("Example");
    }
  });

  it("takes nothing that it does not know, and says so in one line", async () => {
    for (const [args, told] of [
      [["dial"], "unknown command 'dial'"],
      [["run", "c.yaml"], "--contacts"],
      [["go-on"], "--reason"],
      [["sandbox", "--speed", "fast"], "It must be a number above 0"],
      [["sandbox", "--port", "70000"], "It must be a whole number from 0 to 65535"],
      [["contacts", "validate", "x.csv", "--default-region", "Germany"], "two-letter country code"],
    ] as const) {
      const end = await outdial(args);
      expect(end.code).toBe(2);
      expect(end.stderr).toContain(told);
      expect(end.stdout).toBe("");
    }
  });

  it("tells every wrong setting at once", async () => {
    const end = await outdial(["campaign", "list"], { OUTDIAL_API_PORT: "x", TEMPORAL_ADDRESS: "nowhere" });
    expect(end.code).toBe(2);
    expect(end.stderr).toContain("OUTDIAL_API_PORT");
    expect(end.stderr).toContain("TEMPORAL_ADDRESS");
  });

  it("says where nothing runs, and what to start", async () => {
    const nobody = await outdial(["campaign", "list", "--data-dir", temporaryFolder()]);
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining("outdial server") });
    const silent = await outdial(["campaign", "list"], { OUTDIAL_API_URL: "http://127.0.0.1:9" });
    expect(silent).toMatchObject({ code: 1, stderr: expect.stringContaining("OUTDIAL_API_URL") });
  });

  it("refuses the sandbox's options without the sandbox", async () => {
    const end = await outdial(["run", "c.yaml", "--contacts", "l.csv", "--speed", "10"]);
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining("add --sandbox") });
  });

  it("starts nothing for a campaign or list that can't be", async () => {
    const folder = temporaryFolder();
    const spec = writeFile(folder, "c.yaml", "name: x\n");
    const end = await outdial(["run", spec, "--contacts", "l.csv"]);
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining("has 3 problems") });
    const missing = await outdial(["run", "no-such.yaml", "--contacts", "l.csv"]);
    expect(missing).toMatchObject({
      code: 2,
      stderr: "outdial: there is no file or folder no-such.yaml: check the path\n",
    });
  });
});

describe("the table of commands", () => {
  const usageOf = async (...words: readonly string[]) =>
    /^Usage: outdial (.*)$/m.exec((await outdial([...words, "--help"])).stdout)?.[1];

  it("lists each command as its own help has it, though its module is not loaded for that", async () => {
    const { stdout } = await outdial(["--help"]);
    const section = /^Commands:\n((?: .*\n)+)/m.exec(stdout)?.[1] ?? "";
    const terms = [...section.matchAll(/^ {2}(\S.*?) {2}/gm)].map(([, term]) => term);
    expect(terms.length).toBe(COMMANDS.length + 1);
    for (const [index, { name }] of COMMANDS.entries()) {
      // What has commands of its own behind it says so in its usage.
      const usage = (await usageOf(name))?.replace(/ \[command\]$/, "");
      expect(usage, name).toBe(terms[index]);
    }
  });

  it("names what each module of a group makes", async () => {
    for (const entry of COMMANDS) {
      if (entry.kind !== "group") continue;
      for (const { names, load } of entry.modules) {
        const parent = new CliCommand(contextOfNobody);
        (await load())(parent, contextOfNobody);
        expect(parent.commands.map((command) => command.name())).toEqual(names);
      }
    }
  });

  it("finds the command behind the program's own options, and in the words of help", async () => {
    const folder = temporaryFolder();
    const behind = await outdial(["--data-dir", folder, "campaign", "--data-dir", "pause", "list"]);
    expect(behind).toMatchObject({ code: 1, stderr: expect.stringContaining("data folder") });
    for (const args of [["help", "campaign"], ["campaign", "help"], ["campaign", "--help"], ["campaign"]]) {
      const { stdout, stderr } = await outdial(args);
      expect(`${stdout}${stderr}`, args.join(" ")).toMatch(/amend \[options\] <campaign\.yaml>/);
    }
    const one = await outdial(["help", "demo"]);
    expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining("--keep") });
    const misspelt = await outdial(["campaign", "lst"]);
    expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean list?") });
  });
});

describe("demo", () => {
  it("keeps everything in the folder that it names, and nothing in the usual one", async () => {
    const seen: SystemOptions[] = [];
    const end = await outdial(
      ["demo"],
      { OUTDIAL_DATA_DIR: "" },
      {
        runSandbox: (options) => runSandbox({ ...options, port: 0 }),
        openPlatform: async ({ platform: { baseUrl = "", apiKey = "" } }) =>
          createPlatform({ baseUrl, apiKey }),
        startSystem: async (options) => {
          seen.push(options);
          throw new CliError("enough");
        },
      },
    );
    expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining("enough") });
    const [, folder = ""] = /Everything it keeps is in (.*)/.exec(end.stdout) ?? [];
    fs.rmSync(folder, { recursive: true });
    expect(seen).toMatchObject([
      {
        config: {
          dataDir: folder,
          recordingsDir: path.join(folder, "recordings"),
          lists: { dir: path.join(folder, "lists"), spoolDir: path.join(folder, "spool") },
        },
      },
    ]);
  });
});

describe("sandbox", () => {
  /** What a command line would start a sandbox with. */
  async function startedWith(args: readonly string[], environment: Record<string, string> = {}) {
    const started: SandboxOptions[] = [];
    const runSandbox = (options: SandboxOptions) => {
      started.push(options);
      return Promise.reject(new Error("enough"));
    };
    const end = await outdial(args, environment, { runSandbox });
    return { end, options: started[0] };
  }

  it("is mounted and speaks as its options say, else as the settings do, wherever it is started", async () => {
    const folder = temporaryFolder();
    const list = writeFile(folder, "list.csv", "phone\n+12025550143\n");
    const settings = { OUTDIAL_SANDBOX_DIALECT: "published", OUTDIAL_SANDBOX_BASE_PATH: "/voice/" };
    const run = ["run", "examples/demo.yaml", "--contacts", list, "--sandbox"];
    for (const args of [["sandbox"], ["demo"], run]) {
      const plain = await startedWith(args);
      expect([args, plain.options?.dialect, plain.options?.basePath]).toEqual([args, "contract", undefined]);
      const set = await startedWith(args, settings);
      expect([args, set.options?.dialect, set.options?.basePath]).toEqual([args, "published", "/voice"]);
    }
    const given = await startedWith(["sandbox", "--dialect", "contract", "--base-path", "/"], settings);
    expect(given.options).toMatchObject({ dialect: "contract", basePath: "" });
    const api = await startedWith(["sandbox", "--base-path", "/api"]);
    expect(api.options).toMatchObject({ dialect: "contract", basePath: "/api" });
  });

  it("has its rooms where it is told to, with what that server trusts from a file or the environment", async () => {
    const folder = temporaryFolder();
    const url = "ws://127.0.0.1:7880";
    const file = writeFile(folder, "livekit.yaml", "filed: secret-of-the-file\n");
    const environment = { LIVEKIT_API_KEY: "named", LIVEKIT_API_SECRET: "secret-of-that-name" };
    const asked = ["sandbox", "--livekit-url", url];
    const named = await startedWith(asked, environment);
    expect(named.options?.rooms).toEqual({ url, apiKey: "named", apiSecret: "secret-of-that-name" });
    const filed = await startedWith([...asked, "--livekit-key-file", file], environment);
    expect(filed.options?.rooms).toEqual({ url, apiKey: "filed", apiSecret: "secret-of-the-file" });
    const given = await startedWith(["sandbox", "--livekit-server", "/usr/bin/livekit"]);
    expect(given.options?.rooms).toEqual({ server: "/usr/bin/livekit" });
    const searched = await startedWith(["sandbox", "--livekit-server"]);
    expect(searched.options?.rooms).toMatchObject({
      server: { cacheDir: expect.stringMatching(/livekit$/) },
    });
    expect((await startedWith(["sandbox", "--rooms", "simulated"])).options?.rooms).toBe("simulated");
    expect((await startedWith(["sandbox"])).options).not.toHaveProperty("rooms");
    const bad = writeFile(folder, "bad.yaml", "no pair\n");
    for (const [args, told, of] of [
      [asked, "LIVEKIT_API_KEY and LIVEKIT_API_SECRET", { LIVEKIT_API_KEY: "half" }],
      [[...asked, "--livekit-key-file", bad], "should hold one line", {}],
      [[...asked, "--livekit-key-file", `${file}.gone`], "livekit.yaml.gone", {}],
      [[...asked, "--rooms", "none"], "cannot be used with", environment],
      [[...asked, "--livekit-server"], "cannot be used with", environment],
    ] as const) {
      const { end, options } = await startedWith(args, of);
      expect([args, end.code, options]).toEqual([args, 2, undefined]);
      expect(end.stderr).toContain(told);
    }
  });

  it("refuses a path that is none, and a dialect that nobody speaks", async () => {
    for (const [args, told] of [
      [["--dialect", "klingon"], "Allowed choices are contract, published"],
      [["--base-path", "api"], "It must be a path such as /api"],
      [["--base-path", "/a/../b"], "It must be a path such as /api"],
      [["--base-path", "/a b"], "It must be a path such as /api"],
    ] as const) {
      const { end, options } = await startedWith(["sandbox", ...args]);
      expect([args, end.code, options]).toEqual([args, 2, undefined]);
      expect(end.stderr).toContain(told);
    }
    const wrong = { OUTDIAL_SANDBOX_DIALECT: "klingon", OUTDIAL_SANDBOX_BASE_PATH: "api" };
    const { end } = await startedWith(["sandbox"], wrong);
    expect(end.code).toBe(2);
    expect(end.stderr).toContain("OUTDIAL_SANDBOX_DIALECT must be contract or published");
    expect(end.stderr).toContain("OUTDIAL_SANDBOX_BASE_PATH must be a path such as /api");
  });

  it("tells of its own option where its port is taken", async () => {
    const taken = Object.assign(new Error("listen EADDRINUSE 127.0.0.1:8490"), { code: "EADDRINUSE" });
    const end = await outdial(["sandbox"], {}, { runSandbox: () => Promise.reject(taken) });
    expect(end).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("or choose another with --port\n"),
    });
    expect(end.stderr).not.toContain("OUTDIAL_API_PORT");
  });
});

describe("contacts validate", () => {
  it("says what an import would say, and ends with one object for a program", async () => {
    const list = writeFile(
      temporaryFolder(),
      "list.csv",
      "phone,name\n+12025550143,Zoë\n+12025550143,again\nnobody,x\n",
    );
    const end = await outdial(["contacts", "validate", list, "--json"]);
    expect(end.code).toBe(0);
    expect(end.stderr).toContain("list.csv: 3 rows; 1 contact, 1 rejected, 1 duplicate");
    expect(end.stderr).toContain("line 4:");
    expect(JSON.parse(end.stdout)).toMatchObject({ rows: { read: 3, ok: 1, rejected: 1, duplicate: 1 } });
    expect(end.stdout.trimEnd().split("\n")).toHaveLength(1);
  });

  it("names the option that numbers without a country ask for", async () => {
    const list = writeFile(temporaryFolder(), "list.csv", "phone\n+12025550143\n(202) 555-0144\n");
    const end = await outdial(["contacts", "validate", list]);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining("phone_no_country 1") });
    expect(end.stdout).toContain("--default-region");
    const told = await outdial(["contacts", "validate", list, "--default-region", "US"]);
    expect(told.stdout).toContain("2 contacts, 0 rejected");
    expect(told.stdout).not.toContain("--default-region");
  });

  it("fails for a list that makes no contact, or has no readable end", async () => {
    const folder = temporaryFolder();
    const nobody = await outdial(["contacts", "validate", writeFile(folder, "a.csv", "phone\nx\n")]);
    expect(nobody.code).toBe(2);
    const cut = await outdial([
      "contacts",
      "validate",
      writeFile(folder, "b.csv", 'phone\n+12025550143\n"+1202\n'),
    ]);
    expect(cut).toMatchObject({ code: 2, stdout: expect.stringContaining("can't be read to its end") });
    const headless = await outdial(["contacts", "validate", writeFile(folder, "c.csv", "+12025550143\n")]);
    expect(headless).toMatchObject({ code: 2, stderr: expect.stringContaining("header") });
  });
});

describe("doctor", () => {
  it("names what is missing and what to do, and fails", async () => {
    const end = await outdial(["doctor", "--data-dir", temporaryFolder()], { PATH: "/nowhere" });
    expect(end.code).toBe(1);
    expect(end.stdout).toMatch(/ok {4}lists folder +.*, not made/);
    expect(end.stdout).toContain("ok    Node.js");
    expect(end.stdout).toMatch(/fail {2}platform +PLATFORM_BASE_URL and PLATFORM_API_KEY not set/);
    expect(end.stdout).toContain("embedded, made at the first run");
  });

  it("knows a sequence from a campaign, and says what it does not look at", async () => {
    const look = (...names: string[]) =>
      outdial(
        [
          "doctor",
          path.resolve(import.meta.dirname, "../../examples", ...names),
          "--data-dir",
          temporaryFolder(),
        ],
        {
          PATH: "/nowhere",
        },
      );
    expect((await look("spring-renewal.yaml")).stdout).toMatch(
      /ok {4}file +campaign "spring-renewal" is in order/,
    );
    expect((await look("sequences", "overdue-invoice.yaml")).stdout).toMatch(
      /ok {4}file +sequence "overdue-invoice" is in order/,
    );
    const listed = await look("declared", "do-not-call.yaml");
    expect(listed).toMatchObject({ code: 2, stderr: expect.stringContaining("outdial apply -f") });
    const folder = temporaryFolder();
    const wrong = writeFile(folder, "s.yaml", "name: x\nsteps:\n  - id: a\n    call: {}\n");
    expect((await outdial(["doctor", wrong])).stderr).toContain("steps[0].call.agent_id: is missing");
  });

  it("tells wrong settings in its own way", async () => {
    const end = await outdial(["doctor", "--json"], { PLATFORM_BASE_URL: "ftp://x" });
    expect(end.code).toBe(1);
    expect(JSON.parse(end.stdout)).toMatchObject({
      ok: false,
      checks: [
        { name: "Node.js" },
        { name: "settings", status: "fail", detail: expect.stringContaining("PLATFORM_BASE_URL") },
      ],
    });
  });
});

describe("errors", () => {
  const problem = (code: string, errors: { field: string; message: string }[] = []) =>
    new ApiProblemError({ title: "x", status: 422, code, detail: "the spec is wrong: a: x; b: y", errors });

  test.each([
    [new CliError("no", 3), 3, "no"],
    [new ConfigError(["A must be b"]), 2, "A must be b"],
    [problem("invalid_spec"), 2, "the spec is wrong"],
    [problem("command_refused"), 1, "the spec is wrong"],
    [Object.assign(new Error("x"), { code: "ENOENT", path: "/a/b" }), 2, "there is no file or folder /a/b"],
    [Object.assign(new Error("x"), { code: "ENOSPC" }), 1, "the disk is full"],
    [
      Object.assign(new Error("listen EADDRINUSE 127.0.0.1:8480"), { code: "EADDRINUSE" }),
      1,
      "or choose another with OUTDIAL_API_PORT",
    ],
  ])("%s", (error, exitCode, told) => {
    const explained = explain(error);
    expect(explained).toMatchObject({ exitCode, unexpected: false });
    expect(explained.message).toContain(told);
  });

  it("stand on lines of their own where there are several", () => {
    const errors = [
      { field: "a", message: "x" },
      { field: "b", message: "y" },
    ];
    expect(explain(problem("invalid_spec", errors)).message).toBe("the spec is wrong:\n  a: x\n  b: y");
  });

  it("that nobody foresaw are shown without a stack, and say how to see it", async () => {
    const end = await outdial(["sandbox"]);
    expect(end.code).toBe(1);
    expect(end.stderr).toBe(
      "outdial: this failed for a reason that nobody foresaw (a sandbox is not there in this test): what was acknowledged before still stands\n(OUTDIAL_LOG_LEVEL=debug shows where this happened)\n",
    );
  });
});
