import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

import { ConfigError, readConfig } from "../../src/config.ts";
import { runSandbox } from "../../src/sandbox/run-sandbox.ts";
import { goByZoneData } from "../../src/zone-package.ts";
import { lineTo } from "./platform-line.ts";
import { outdial, temporaryFolder, writeFile } from "./support.ts";

/** What Node, the system and Zod say for themselves. */
const RAW =
  /ENOENT|EISDIR|ENOTDIR|EADDRINUSE|EACCES|no such file or directory,|listen E|Invalid input|expected (?:object|string|number)|Too small|Too big|Unexpected token|\bin JSON at\b/;

function problemsOf(environment: Record<string, string>): string {
  try {
    readConfig({ OUTDIAL_DATA_DIR: "/nowhere/at/all", ...environment }, {});
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "";
}

describe("settings that name files", () => {
  it.each([
    [{ PLATFORM_API_KEY_FILE: "/nonexist" }, "PLATFORM_API_KEY_FILE"],
    [{ DATABASE_URL_FILE: "/" }, "DATABASE_URL_FILE"],
    [{ OUTDIAL_API_TOKEN_FILE: "/dev/null/x" }, "OUTDIAL_API_TOKEN_FILE"],
    [{ OUTDIAL_DATABASE_CRM_FILE: "/nonexist" }, "OUTDIAL_DATABASE_CRM_FILE"],
    [{ TEMPORAL_TLS_SERVER_CA_CERT_PATH: "/nonexist" }, "TEMPORAL_TLS_SERVER_CA_CERT_PATH"],
    [{ TEMPORAL_CONFIG_FILE: "/" }, "TEMPORAL_CONFIG_FILE"],
  ])("say in words what is wrong with the file: %o", (environment, name) => {
    const said = problemsOf(environment);
    expect(said).toContain(name);
    expect(said).not.toMatch(RAW);
    expect(said).toContain(Object.values(environment)[0]);
    expect(said).toMatch(/no such file or folder|is a folder|through a file|is no file/);
  });
});

it("OUTDIAL_ZONE_DATA says in words what is wrong with its folder", () => {
  expect(() => goByZoneData({ zoneDataDir: "/nonexist" })).toThrow(
    /can be read \(there is no such file or folder\)/,
  );
});

describe("commands", () => {
  const settings = { PLATFORM_BASE_URL: "http://127.0.0.1:9", PLATFORM_API_KEY: "a-key-of-this-test" };
  const said = async (args: readonly string[], ports = {}) => {
    const { code, stderr } = await outdial(args, settings, ports);
    expect(code).not.toBe(0);
    expect(stderr).not.toMatch(RAW);
    return stderr;
  };

  it("say which port is taken", async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => {
      server.close();
    });
    const { port } = server.address() as net.AddressInfo;
    const told = await said(["sandbox", "--port", String(port)], { runSandbox });
    expect(told).toContain(`the port ${port} is taken`);
    expect(told).toContain("--port");
  });

  it("say what a scenario has to be", async () => {
    const folder = temporaryFolder();
    for (const [text, words] of [
      ["phone\n+12025550143\n", /the scenario: must be a group of fields/],
      ["name: x\nsteps: []\n", /steps: must have 1 or more/],
      [
        "name: x\nsteps: [{ at_ms: soon, faults: [{ kind: sulks }] }]\n",
        /steps\[0\]\.at_ms: must be a number/,
      ],
      [
        "name: x\ncolour: red\n",
        /colour: is not a field of a scenario.*steps: is missing|steps: is missing.*colour: is not a field/,
      ],
      ["name: [\n", /is not YAML/],
    ] as const) {
      const told = await said(["sandbox", "--port", "0", "--scenario", writeFile(folder, "l.yaml", text)], {
        runSandbox,
      });
      expect(told).toMatch(words);
      expect(told.trim().split("\n").length, told).toBeLessThan(4);
    }
  });

  it("say what the platform takes, before anything is sent", async () => {
    const nobody = lineTo("http://127.0.0.1:9", "no-key-of-anybody");
    for (const [args, words] of [
      [["billing", "usage", "--days", "-1"], /days \(--days\): must be 1 or more/],
      [["agents", "list", "--limit", "100000"], /limit \(--limit\): must be \d+ or less/],
    ] as const) {
      const { code, stderr } = await nobody(["platform", ...args]);
      expect({ code, stderr }).toMatchObject({ code: 2 });
      expect(stderr).toMatch(words);
      expect(stderr).not.toMatch(RAW);
    }
  });
});

/** An error's own text, or a schema's: shown as it is. */
const OWN_TEXT = /\b(?:error|issue|lost|refusal|failure|cause)\??\.message\b|String\(error\)/g;

/** Where that may be: what is shown there was written by us, for people. */
const ALLOWED: Readonly<Record<string, readonly [times: number, why: string]>> = {
  "cli/api/transport.ts": [1, "TrustFileError names a setting and its file"],
  "cli/doctor/api.ts": [1, "TlsFilesError names a setting and its file"],
  "cli/campaigns/explain.ts": [1, "what a running system answered"],
  "cli/contact-list.ts": [1, "an ImportError"],
  "cli/doctor/context.ts": [1, "a CliError"],
  "cli/doctor/ledger.ts": [1, "a LedgerLockedError"],
  "cli/doctor/sign-in.ts": [1, "a ProviderAwayError"],
  "settings/data-keys.ts": [1, "what readDataKeys says of a line, never with the key"],
  "cli/doctor/temporal.ts": [1, "what a running system answered"],
  "cli/campaigns/run/drive.ts": [1, "what a running system answered"],
  "cli/errors.ts": [7, "errors of ours by their classes and names, and commander's"],
  "cli/campaigns/run/follow.ts": [1, "what a running system answered"],
  "cli/people/person-calls.ts": [1, "what a running system answered"],
  "cli/platform/failure.ts": [1, "a PlatformError"],
  "cli/qualify/qualify.ts": [1, "a PlatformError"],
  "cli/up/up.ts": [1, "a PartFailedError"],
  "cli/yaml-file.ts": [1, "the YAML parser's, which says what and where"],
  "config.ts": [1, "what the schemas of settings say, in words of their own"],
  "platform/checks.ts": [1, "in the words of problemWords"],
  "sandbox/scenario.ts": [1, "the first line of the YAML parser's"],
};

describe("the command line and the settings", () => {
  it("show an error's own text only where it is known to be one of ours: reasonWords says it of all others", () => {
    const src = path.resolve(import.meta.dirname, "../../src");
    const files = [
      ...fs
        .readdirSync(path.join(src, "cli"), { recursive: true, encoding: "utf8" })
        .map((name) => `cli/${name}`),
      "config.ts",
      ...fs.readdirSync(path.join(src, "settings")).map((name) => `settings/${name}`),
      "zone-package.ts",
      "profile-file.ts",
      "ledger/ground/data-dir.ts",
      "sandbox/options.ts",
      "sandbox/scenario.ts",
      "platform/checks.ts",
      "platform/decoding.ts",
    ].filter((name) => name.endsWith(".ts"));
    const found = files.flatMap((name) => {
      const times = [...fs.readFileSync(path.join(src, name), "utf8").matchAll(OWN_TEXT)].length;
      return times === 0 ? [] : [[name, times]];
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(ALLOWED).map(([name, [times]]) => [name, times])),
    );
  });
});
