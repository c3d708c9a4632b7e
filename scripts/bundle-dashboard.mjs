// The dashboard as files that a server hands out as they are: built once, compressed once.
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";

import { licensesOf } from "./bundle-workflows.mjs";

const COMPRESSED = /\.(?:css|html|js|svg)$/;
/** Below that a compressed answer is no smaller than its headers are long. */
const WORTH_BYTES = 1_024;

/**
 * Writes the pages of a build into `folder`/dashboard, each with its compressed forms beside it, and the licenses of what
 * is in them that is not ours.
 */
export async function bundleDashboard({ root, folder }) {
  const { build } = await import("vite");
  const outDir = path.join(folder, "dashboard");
  const built = await build({
    configFile: false,
    root: path.join(root, "dashboard"),
    logLevel: "error",
    resolve: {
      alias: {
        "outdial/api": path.join(root, "src/api/index.ts"),
        react: "preact/compat",
        "react-dom": "preact/compat",
      },
    },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2023",
      // Nothing in it is read from an address that holds it: the page's policy would refuse that.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      sourcemap: false,
    },
  });
  await compressAll(outDir);
  const sources = built.output.flatMap(({ moduleIds = [] }) =>
    moduleIds.map((id) => path.relative(root, id)),
  );
  if (sources.length === 0) throw new Error("the build of the dashboard names no modules: what is in it?");
  fs.writeFileSync(
    path.join(folder, "dashboard.licenses.txt"),
    licensesOf(root, { bundle: "dashboard", sources }),
  );
}

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

async function compressAll(folder) {
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !COMPRESSED.test(file)) continue;
    const content = fs.readFileSync(file);
    if (content.length < WORTH_BYTES) continue;
    fs.writeFileSync(`${file}.br`, await brotli(content));
    fs.writeFileSync(`${file}.gz`, await gzip(content, { level: 9 }));
  }
}
