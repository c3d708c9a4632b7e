#!/usr/bin/env node
// Runs the `outdial` command. In a checkout it first installs what is missing and builds what has changed, so
// that a fresh clone works at once; in an installed package it goes straight to the build. Node's own modules
// only: nothing else is there yet.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const OLDEST_NODE = [20, 19];

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  process.stderr.write(
    `outdial needs Node.js ${OLDEST_NODE.join(".")} or later, and this is ${process.versions.node}: install a newer one from https://nodejs.org\n`,
  );
  process.exit(1);
}

// Words that nobody can take end nothing: see src/cli/outlets.ts.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

try {
  if (fs.existsSync(path.join(root, "src"))) {
    const { prepare } = await import(pathToFileURL(path.join(root, "scripts", "prepare.mjs")).href);
    await prepare();
  }
  await import(pathToFileURL(path.join(root, "dist", "cli.js")).href);
} catch (error) {
  process.stderr.write(`outdial: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
