// Makes the client's own package, in packages/platform: `npm pack` there runs it.
//
// It is made of src/platform and what that imports, and of no copy: one file for ECMAScript modules and one for
// CommonJS, each with its types. zod is in them, as far as it is used, since it is three times as large as all the rest;
// its types lie beside ours, and its license in dist/licenses.txt. undici and ws stay dependencies.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { licensesOf } from "./bundle-workflows.mjs";
import { installDependencies, prepare, root, run } from "./prepare.mjs";

const folder = path.join(root, "packages/platform");
const dist = path.join(folder, "dist");

/** What a program has from elsewhere, or does without. */
const EXTERNAL = ["undici", "ws", "@livekit/rtc-node"];

/** Of zod, what the types of its classic half are made of. */
const ZOD_TYPES = ["classic", "core", "locales"];

const PAGES = ["client.md", "platform-fields.md", "platform-operations.md"];

/** The zones' names, where the program reads them off a package that is not installed with this one. */
async function zoneNamesWrittenOut() {
  const { zoneNames } = await import(pathToFileURL(path.join(root, "dist/platform/zone-names.js")).href);
  const names = JSON.stringify(zoneNames());
  return {
    name: "zone-names",
    enforce: "pre",
    load(id) {
      if (id !== path.join(root, "src/platform/zone-names.ts")) return null;
      return `export function zoneNames() { return ${names}; }`;
    },
  };
}

async function bundle() {
  const { build } = await import("vite");
  const output = (format, name) => ({ format, dir: path.join(dist, name), entryFileNames: "index.js" });
  const built = await build({
    configFile: false,
    root,
    logLevel: "error",
    plugins: [await zoneNamesWrittenOut()],
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: path.join(root, "src/platform/index.ts"),
      outDir: dist,
      emptyOutDir: true,
      target: "node20",
      // It is read where something goes wrong.
      minify: false,
      rolldownOptions: { external: EXTERNAL, output: [output("es", "esm"), output("cjs", "cjs")] },
    },
  });
  const sources = built.flatMap(({ output: files }) =>
    files.flatMap(({ moduleIds = [] }) => moduleIds.map((id) => path.relative(root, id))),
  );
  const strangers = sources.filter((source) => !/^(?:src|node_modules\/zod)\//.test(source));
  if (sources.length === 0 || strangers.some((source) => source.includes("node_modules")))
    throw new Error(`the client's package is made of other packages, too: ${strangers.join(", ")}`);
  return sources;
}

/** A folder's modules are what the package.json beside them says. */
async function declare() {
  await run(
    process.execPath,
    [
      path.join(root, "node_modules/typescript/bin/tsc"),
      "-p",
      "tsconfig.platform.json",
      "--outDir",
      path.join(dist, "esm"),
    ],
    { quiet: true },
  );
  for (const kind of ZOD_TYPES) {
    const from = path.join(root, "node_modules/zod/v4", kind);
    fs.cpSync(from, path.join(dist, "esm/zod", kind), {
      recursive: true,
      filter: (file) => fs.statSync(file).isDirectory() || file.endsWith(".d.ts"),
    });
  }
  for (const entry of fs.readdirSync(path.join(dist, "esm"), { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    if (!file.endsWith(".d.ts")) continue;
    const zod = path.relative(path.dirname(file), path.join(dist, "esm/zod/classic/index.js"));
    const text = fs.readFileSync(file, "utf8");
    const own = text
      .replaceAll(/(from|import\() ?"zod"/g, (_, word) => `${word}${word === "from" ? " " : ""}"${zod}"`)
      .replaceAll(/((?:from |import\()"\.[^"]*)\.ts"/g, '$1.js"');
    fs.writeFileSync(file, own);
    const other = path.join(dist, "cjs", path.relative(path.join(dist, "esm"), file));
    fs.mkdirSync(path.dirname(other), { recursive: true });
    fs.writeFileSync(other, own);
  }
  fs.writeFileSync(path.join(dist, "cjs/package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
}

/** The pages about the client, by its name here; what they point to and is not here is named and not linked. */
function carryPages() {
  fs.mkdirSync(path.join(folder, "docs"), { recursive: true });
  for (const page of PAGES) {
    const text = fs
      .readFileSync(path.join(root, "docs", page), "utf8")
      .replaceAll('"outdial/platform"', '"outdial-platform"')
      .replaceAll(/\[([^\]]+)\]\((?!#|https:)([^)#]+)[^)]*\)/g, (link, words, target) =>
        PAGES.includes(target) ? link : words,
      );
    fs.writeFileSync(path.join(folder, "docs", page), text);
  }
}

await installDependencies();
await prepare();
const sources = await bundle();
await declare();
carryPages();
fs.writeFileSync(path.join(dist, "licenses.txt"), licensesOf(root, { bundle: "dist", sources }));
fs.copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
