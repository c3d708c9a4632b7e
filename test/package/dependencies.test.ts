import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

/*
 * What a checkout does with the modules that it finds. npm is a script here that says that it was called and does what
 * `npm ci` does: it takes away all that node_modules has, links followed, and puts in what the lock file says.
 */

const script = (name: string) => fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url));

interface Entry {
  version: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
  extraneous?: boolean;
}

type Packages = Readonly<Record<string, Entry>>;

const LOCKED: Packages = {
  "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
  "node_modules/b": { version: "2.0.0", integrity: "sha512-b", dev: true },
  // For another machine: npm leaves it out.
  "node_modules/c": { version: "3.0.0", integrity: "sha512-c", optional: true },
};
const { "node_modules/c": _elsewhere, ...INSTALLED } = LOCKED;

function lockText(packages: Packages, own: object = {}): string {
  return `${JSON.stringify({ name: "outdial", lockfileVersion: 3, packages: { ...own, ...packages } }, null, 2)}\n`;
}

const NPM = `#!/usr/bin/env node
const fs = require("node:fs");
fs.appendFileSync(process.env.NPM_CALLS, "called\\n");
fs.mkdirSync("node_modules", { recursive: true });
for (const name of fs.readdirSync("node_modules")) fs.rmSync("node_modules/" + name, { recursive: true, force: true });
const lock = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
const packages = Object.fromEntries(Object.entries(lock.packages).filter(([at, one]) => at !== "" && !one.optional));
fs.writeFileSync("node_modules/.package-lock.json", JSON.stringify({ ...lock, packages }));
`;

function checkout() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-modules-"));
  onTestFinished(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const root = path.join(folder, "outdial");
  const calls = path.join(folder, "calls");
  fs.mkdirSync(path.join(root, "scripts"), { recursive: true });
  for (const name of fs.readdirSync(script("."))) {
    if (name.endsWith(".mjs")) fs.copyFileSync(script(name), path.join(root, "scripts", name));
  }
  fs.mkdirSync(path.join(folder, "bin"));
  fs.writeFileSync(path.join(folder, "bin", "npm"), NPM, { mode: 0o755 });
  const at = (name: string) => path.join(root, name);
  fs.writeFileSync(at("package-lock.json"), lockText(LOCKED, { "": { version: "0.1.0" } }));
  return {
    at,
    folder,
    /** As a plain `npm ci` in another folder leaves it, before this clone was made. */
    modulesElsewhere: (packages: Packages = INSTALLED): string => {
      const modules = path.join(folder, "elsewhere", "node_modules");
      fs.mkdirSync(path.join(modules, "a"), { recursive: true });
      fs.writeFileSync(path.join(modules, "a", "index.js"), "");
      fs.writeFileSync(path.join(modules, ".package-lock.json"), lockText(packages));
      const earlier = new Date(Date.now() - 3_600_000);
      fs.utimesSync(path.join(modules, ".package-lock.json"), earlier, earlier);
      return modules;
    },
    /** What a command does first. Returns how often npm was called, and what was said. */
    install: (): { code: number | null; calls: number; said: string } => {
      fs.rmSync(calls, { force: true });
      const prepare = JSON.stringify(at("scripts/prepare.mjs"));
      const code = `import(${prepare}).then((one) => one.installDependencies()).catch((error) => { console.error(error.message); process.exitCode = 1; })`;
      const { status, stderr } = spawnSync(process.execPath, ["-e", code], {
        cwd: root,
        encoding: "utf8",
        env: {
          PATH: `${path.join(folder, "bin")}:${path.dirname(process.execPath)}:/usr/bin:/bin`,
          NPM_CALLS: calls,
        },
      });
      const times = fs.existsSync(calls) ? fs.readFileSync(calls, "utf8").split("\n").length - 1 : 0;
      return { code: status, calls: times, said: stderr };
    },
  };
}

/** As git leaves it where a branch is changed and changed back. */
function touch(file: string): void {
  const later = new Date(Date.now() + 60_000);
  fs.utimesSync(file, later, later);
}

it("modules of another checkout that are linked here are used where they are the same, and never wiped", () => {
  const { at, modulesElsewhere, install } = checkout();
  const modules = modulesElsewhere();
  fs.symlinkSync(modules, at("node_modules"));
  expect(install()).toMatchObject({ code: 0, calls: 0 });
  expect(fs.readdirSync(modules).sort()).toEqual([".package-lock.json", "a"]);
});

it.each([
  ["others", { "node_modules/a": { version: "0.9.0", integrity: "sha512-x" } }],
  ["some that are missing", {}],
])("linked modules that are not those of the lock file are refused in words: %s", (_which, packages) => {
  const { at, modulesElsewhere, install } = checkout();
  const modules = modulesElsewhere(packages);
  fs.symlinkSync(modules, at("node_modules"));
  const { code, calls, said } = install();
  expect({ code, calls }).toEqual({ code: 1, calls: 0 });
  expect(said).toContain(`node_modules is a link to ${modules}`);
  expect(said).toMatch(/remove the link/i);
  expect(fs.existsSync(path.join(modules, "a", "index.js"))).toBe(true);
});

it("a link to modules that are not there is refused in words, too", () => {
  const { at, folder, install } = checkout();
  fs.symlinkSync(path.join(folder, "gone"), at("node_modules"));
  expect(install()).toMatchObject({ code: 1, calls: 0, said: expect.stringContaining("is a link") });
});

it("a fresh clone installs once, and again only where the lock file changes, not where it is written anew", () => {
  const { at, install } = checkout();
  expect(install()).toMatchObject({ code: 0, calls: 1 });
  expect(install()).toMatchObject({ code: 0, calls: 0 });
  touch(at("package-lock.json"));
  expect(install()).toMatchObject({ code: 0, calls: 0 });
  const changed = { ...LOCKED, "node_modules/a": { version: "1.0.1", integrity: "sha512-aa" } };
  fs.writeFileSync(at("package-lock.json"), lockText(changed, { "": { version: "0.1.0" } }));
  expect(install()).toMatchObject({ code: 0, calls: 1 });
  expect(install()).toMatchObject({ code: 0, calls: 0 });
});

it("what npm ci put there by hand is taken as it is, and what somebody tries out beside it", () => {
  const { at, install } = checkout();
  fs.mkdirSync(at("node_modules"));
  const tried = { "node_modules/d": { version: "4.0.0", extraneous: true } };
  fs.writeFileSync(at("node_modules/.package-lock.json"), lockText({ ...INSTALLED, ...tried }));
  touch(at("package-lock.json"));
  expect(install()).toMatchObject({ code: 0, calls: 0 });
});

it.each([
  ["another version", { ...INSTALLED, "node_modules/b": { version: "2.0.1", integrity: "sha512-bb" } }],
  ["a missing one", { "node_modules/a": LOCKED["node_modules/a"] }],
  ["one that another lock file had", { ...INSTALLED, "node_modules/a/node_modules/b": { version: "1.0.0" } }],
])(
  "modules that are newer than the lock file and not those that it names are installed anew: %s",
  (_which, packages) => {
    const { at, install } = checkout();
    fs.mkdirSync(at("node_modules"));
    fs.writeFileSync(at("node_modules/.package-lock.json"), lockText(packages as Packages));
    touch(at("node_modules/.package-lock.json"));
    expect(install()).toMatchObject({ code: 0, calls: 1 });
  },
);

it("a package of our own is no reason to install: it is linked where it is, and may not be there", () => {
  const { at, install } = checkout();
  const ours = { "packages/b": { version: "0.1.0" }, "node_modules/b2": { version: "0.1.0", link: true } };
  fs.writeFileSync(at("package-lock.json"), lockText({ ...LOCKED, ...ours }, { "": { version: "0.1.0" } }));
  fs.mkdirSync(at("node_modules"));
  fs.writeFileSync(at("node_modules/.package-lock.json"), lockText(INSTALLED));
  expect(install()).toMatchObject({ code: 0, calls: 0 });
});

it("what npm changed after our own installation is seen", () => {
  const { at, install } = checkout();
  expect(install()).toMatchObject({ code: 0, calls: 1 });
  fs.writeFileSync(at("node_modules/.package-lock.json"), lockText({}));
  expect(install()).toMatchObject({ code: 0, calls: 1 });
});
