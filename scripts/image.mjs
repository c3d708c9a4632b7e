// Goes through the Dockerfile's steps where no container engine is: its COPY and RUN lines, read from the file, in a
// folder of their own; then runs what came out as a user without rights in a tree that nobody can write to.
//
//   node scripts/image.mjs [folder]    keeps the tree in that folder
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const work = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-image-"));
fs.chmodSync(work, 0o755);

/** Lines that go on after a backslash are one; comments are none. */
function instructionsIn(text) {
  return text
    .replace(/^#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .flatMap((line) => {
      const [, word, rest] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
      return word === undefined ? [] : [{ word, rest }];
    });
}

/** Where a path of the image is here. */
const placeOf = (stage, from) => path.join(work, stage, path.resolve("/app", from));

function copy(stage, rest) {
  const words = rest.split(/\s+/);
  const from = words[0].startsWith("--from=") ? words.shift().slice("--from=".length) : undefined;
  const target = words.pop();
  for (const word of words) {
    const source = from === undefined ? path.join(root, word) : placeOf(from, word);
    // As COPY does it: a folder's content goes into the folder that is named, a file into it by its name.
    const isFolder = fs.statSync(source).isDirectory();
    const into = placeOf(stage, target);
    const place = isFolder || !target.endsWith("/") ? into : path.join(into, path.basename(word));
    fs.cpSync(source, place, { recursive: true, verbatimSymlinks: true });
  }
}

let stage = "";
let problems = 0;
let user = "root";
for (const { word, rest } of instructionsIn(fs.readFileSync(path.join(root, "Dockerfile"), "utf8"))) {
  if (word === "FROM") {
    const [image, , name = "last"] = rest.split(/\s+/);
    if (!/@sha256:[0-9a-f]{64}$/.test(image)) throw new Error(`${image} is not named by its digest`);
    stage = name;
    fs.mkdirSync(placeOf(stage, "/app"), { recursive: true });
  } else if (word === "COPY") {
    console.log(`[${stage}] COPY ${rest}`);
    copy(stage, rest);
  } else if (word === "RUN") {
    // Packages of the distribution and folders outside of the program: they are the image's, and not this machine's.
    if (rest.startsWith("apt-get ")) {
      console.log(`[${stage}] not here: RUN ${rest}`);
      continue;
    }
    console.log(`[${stage}] RUN ${rest}`);
    execFileSync("sh", ["-ec", rest], {
      cwd: placeOf(stage, "/app"),
      stdio: ["ignore", "inherit", "inherit"],
    });
  } else if (word === "USER") user = rest;
}

const app = placeOf("last", "/app");
const data = path.join(work, "data");
fs.mkdirSync(data);
execFileSync("chmod", ["-R", "a-w,a+rX", app]);
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
if (isRoot) fs.chownSync(data, NOBODY, NOBODY);

function expectThat(what, holds, found = "") {
  console.log(`${holds ? "holds" : "FAILS"}: ${what}${holds || found === "" ? "" : `: ${found}`}`);
  if (!holds) problems += 1;
}

/** As in the image: not root, nothing of this machine's environment, and no folder to write to but its own. */
function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: app,
    encoding: "utf8",
    timeout: 120_000,
    env: { PATH: process.env.PATH, NODE_ENV: "production", OUTDIAL_DATA_DIR: data, HOME: "/nonexistent" },
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  return { status, text: `${stdout}${stderr}` };
}

const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
expectThat("it does not run as root", user !== "root" && user !== "0", user);
const told = run("bin/outdial.mjs", "--version");
expectThat("it says its version", told.status === 0 && told.text.includes(version), told.text);
const schema = run("bin/outdial.mjs", "schema", "campaign");
expectThat("it prints a schema", schema.status === 0 && schema.text.trim().startsWith("{"), schema.text);
const list = run("bin/outdial.mjs", "contacts", "validate", "examples/demo-contacts.csv");
expectThat("it reads a list, with its zones and holidays", list.status === 0, list.text);
const health = run("dist/health-check.js", data);
expectThat("its health check says that nothing runs", health.status === 1, health.text);
// Of all modules, not of its first line alone.
const worker = run(
  "-e",
  "import('./dist/system.js').then(() => import('@temporalio/core-bridge')).then(() => console.log('loads'))",
);
expectThat("workers load, with the native part of Temporal", worker.text.includes("loads"), worker.text);
const sbom = JSON.parse(fs.readFileSync(path.join(app, "sbom.cdx.json"), "utf8"));
const listed = new Set(sbom.components.map(({ group, name }) => (group ? `${group}/${name}` : name)));
const { dependencies, devDependencies } = JSON.parse(fs.readFileSync(path.join(app, "package.json"), "utf8"));
const named = (name) => listed.has(name);
expectThat("its bill of materials names all that it depends on", Object.keys(dependencies).every(named));
const needless = Object.keys(devDependencies).filter(
  (name) => !named(name) && fs.existsSync(path.join(app, "node_modules", name)),
);
expectThat("it carries nothing that only development needs", needless.length === 0, needless.join(", "));
const written = spawnSync(
  "find",
  [app, "-newer", path.join(app, "sbom.cdx.json"), "-type", "f", "-user", "nobody"],
  {
    encoding: "utf8",
  },
).stdout.trim();
expectThat("it wrote nothing into its own tree", written === "", written);

const [kept] = process.argv.slice(2);
if (kept !== undefined) fs.cpSync(app, kept, { recursive: true, verbatimSymlinks: true });
execFileSync("chmod", ["-R", "u+w", work]);
fs.rmSync(work, { recursive: true, force: true });
process.exitCode = problems === 0 ? 0 : 1;
