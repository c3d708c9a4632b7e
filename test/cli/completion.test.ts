import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { SHELLS, type Shell } from "../../src/cli/completion/scripts.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { outdial, temporaryFolder, writeFile } from "./support.ts";
import { VERSION } from "../../src/http/version.ts";

const scripts = new Map<Shell, string>();
beforeAll(async () => {
  for (const shell of SHELLS) {
    const end = await outdial(["completion", shell]);
    scripts.set(shell, end.stdout);
  }
}, 60_000);

const isThere = (shell: Shell) => spawnSync(shell, ["--version"]).status === 0;

/** A folder with the script, two files, and a program that answers as `__complete` does and notes what it was given. */
function placeFor(shell: Shell) {
  const folder = temporaryFolder();
  const script = writeFile(folder, "completion", scripts.get(shell) ?? "");
  writeFile(folder, "spring.yaml", "");
  writeFile(folder, "a list.csv", "");
  const program = writeFile(
    folder,
    "outdial",
    '#!/bin/sh\nprintf "%s\\n" "$*" >> asked\ncase "$*" in *campaign) printf "spring\\nsummer sale\\n" ;; esac\n',
  );
  fs.chmodSync(program, 0o755);
  return { folder, script, asked: () => fs.readFileSync(path.join(folder, "asked"), "utf8") };
}

type Place = ReturnType<typeof placeFor>;

/** What the shell itself would offer behind these words, the last of which is being typed. */
const OFFERED: Readonly<Record<Shell, (place: Place, words: readonly string[]) => string>> = {
  bash: ({ folder, script }, words) =>
    execFileSync(
      "bash",
      [
        "--norc",
        "-c",
        // As readline does it: the words, the place of the cursor, and the function that was registered.
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); f=$(complete -p outdial | sed "s/.*-F //; s/ .*//"); "$f" 2>/dev/null; printf "%s\\n" "${COMPREPLY[@]}"',
        "bash",
        script,
        ...words,
      ],
      optionsIn(folder),
    ),
  zsh: ({ folder, script }, words) =>
    execFileSync(
      "zsh",
      [
        "-f",
        "-c",
        // The builtins that only the line editor has say what they are given, as it would filter it.
        'compdef() { registered="$1" }; compadd() { shift; for w in "$@"; do [[ $w == ${words[CURRENT]}* ]] && print -r -- "$w"; done }; _files() { print -rl -- *(N) }; source "$1"; shift; words=("$@"); CURRENT=$#; "$registered"; true',
        "zsh",
        script,
        ...words,
      ],
      optionsIn(folder),
    ),
  fish: ({ folder, script }, words) =>
    execFileSync(
      "fish",
      [
        "--no-config",
        "-c",
        `source ${script}; complete -C (string join ' ' -- (string escape -n -- $argv[1..-2]) $argv[-1])`,
        ...words,
      ],
      optionsIn(folder),
    ),
};

function optionsIn(folder: string) {
  const PATH = `${folder}:${process.env["PATH"] ?? ""}`;
  return { cwd: folder, encoding: "utf8", env: { PATH, HOME: folder } } as const;
}

describe.each(SHELLS)("in %s", (shell) => {
  const where = (skip: (why: string) => void): Place => {
    // Bash is everywhere; the others are on whose machine they are.
    if (shell !== "bash" && !isThere(shell)) skip(`${shell} is not installed`);
    return placeFor(shell);
  };
  const offers = (place: Place, ...words: readonly string[]) =>
    OFFERED[shell](place, ["outdial", ...words])
      .split("\n")
      .map((line) => (line.split("\t")[0] ?? "").replaceAll("\\ ", " "))
      .filter((line) => line !== "")
      .toSorted();

  it("every command is offered, and those behind one", ({ skip }) => {
    const place = where(skip);
    expect(offers(place, "")).toEqual(expect.arrayContaining(COMMANDS.map(({ name }) => name)));
    expect(offers(place, "")).not.toContain("__complete");
    expect(offers(place, "camp")).toEqual(["campaign"]);
    expect(offers(place, "campaign", "")).toEqual(expect.arrayContaining(["list", "status", "caller-ids"]));
    expect(offers(place, "--data-dir", "x", "suppress", "source", "sh")).toEqual(["show"]);
    expect(offers(place, "platform", "batch-calls", "cre")).toEqual(["create"]);
  });

  it("options of the command are, and the words that one takes", ({ skip }) => {
    const place = where(skip);
    expect(offers(place, "campaign", "list", "--arch")).toEqual(["--archived"]);
    expect(offers(place, "campaign", "list", "--")).toEqual(
      expect.arrayContaining(["--json", "--fields", "--data-dir", "--context", "--help"]),
    );
    expect(offers(place, "campaign", "list", "-o", "")).toEqual(["csv", "json", "table", "wide", "yaml"]);
    expect(offers(place, "token", "create", "--role", "op")).toEqual(["operator"]);
    expect(offers(place, "completion", "")).toEqual(["bash", "fish", "zsh"]);
    // What an option takes is no command and no argument.
    expect(offers(place, "campaign", "--data-dir", "list", "stat")).toEqual(["status"]);
  });

  it("files are where a file is meant", ({ skip }) => {
    const place = where(skip);
    expect(offers(place, "run", "spr")).toContain("spring.yaml");
    expect(offers(place, "run", "spring.yaml", "--contacts", "")).toContain("spring.yaml");
    expect(offers(place, "campaign", "list", "--limit", "")).toEqual([]);
  });

  it("names are asked of the system that the line is about", ({ skip }) => {
    const place = where(skip);
    expect(offers(place, "campaign", "status", "")).toEqual(["spring", "summer sale"]);
    expect(offers(place, "--context", "production", "campaign", "pause", "--brand", "acme", "sp")).toEqual([
      "spring",
    ]);
    expect(offers(place, "rehearse", "spring.yaml", "--like", "su")).toEqual(["summer sale"]);
    expect(offers(place, "trigger", "show", "")).toEqual([]);
    expect(place.asked().trimEnd().split("\n")).toEqual([
      "__complete campaign",
      "__complete --context production --brand acme campaign",
      "__complete campaign",
      "__complete trigger",
    ]);
  });
});

describe("names for completion", () => {
  const serve = async (answer: (url: string, response: http.ServerResponse) => void): Promise<string> => {
    const server = http.createServer((request, response) => {
      response.setHeader("x-outdial-version", VERSION);
      answer(request.url ?? "", response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it("are nothing, and no word, where nobody answers, late or wrongly", async () => {
    const silent = await serve(() => {});
    const garbled = await serve((_url, response) => response.end("<html>"));
    for (const url of [silent, garbled, "http://127.0.0.1:9"]) {
      const end = await outdial(["__complete", "campaign"], { OUTDIAL_API_URL: url });
      expect(end).toEqual({ code: 0, stdout: "", stderr: "" });
    }
    const nowhere = await outdial(["__complete", "sequence"], {});
    expect(nowhere).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("of contexts are those of the file, and ask no program for a token", async () => {
    const home = temporaryFolder();
    const environment = { XDG_CONFIG_HOME: home, OUTDIAL_DATA_DIR: "" };
    const url = await serve((_url, response) => response.end('{"items": [], "total": 0}'));
    const ran = path.join(home, "ran");
    const made = await outdial(
      ["context", "set", "production", "--url", url, "--token-command", `touch ${ran}; echo x`, "--use"],
      environment,
    );
    expect(made.code, made.stderr).toBe(0);
    expect((await outdial(["__complete", "context"], environment)).stdout).toBe("production\n");
    expect((await outdial(["__complete", "trigger"], environment)).stdout).toBe("");
    expect(fs.existsSync(ran)).toBe(false);
  });

  it("are each once, a line each, and none that would be two", async () => {
    const { namesOf } = await import("../../src/cli/completion/values.ts");
    const { readConfig } = await import("../../src/config.ts");
    const item = (name: string) => ({
      id: "1",
      name,
      version: 1,
      enabled: true,
      path: "/x",
      definition: {},
      created_at: "2026-11-23T15:00:00.000Z",
      updated_at: "2026-11-23T15:00:00.000Z",
    });
    const url = await serve((_url, response) =>
      response.end(JSON.stringify({ items: [item("crm"), item("crm"), item("a\nb")] })),
    );
    const names = await namesOf(readConfig({ OUTDIAL_API_URL: url }), "trigger", undefined, 20_000);
    expect(names).toEqual(["crm"]);
  });
});
