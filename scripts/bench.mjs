// Benchmarks. Each prints one JSON object a measurement:
//   npm run bench -- campaign [--contacts N] [--concurrency N] [--speed N]
//   npm run bench -- clone [--contacts N]
//   npm run bench -- dashboard [--contacts N] [--campaigns N] [--pages N] [--seconds N]
//   npm run bench -- fill [--contacts N] [--concurrency N] [--speed N] [--attempts N] [--blind 1]
//   npm run bench -- fill-simulation [--contacts N] [--concurrency N]
//   npm run bench -- full-again [--concurrency N]
//   npm run bench -- import [--rows N]
//   npm run bench -- killed [--contacts N] [--concurrency N]
//   npm run bench -- rehearsal [--contacts N] [--concurrency N]
//   npm run bench -- replace [--contacts N] [--concurrency N] [--speed N]
//   npm run bench -- suppressions [--rows N]
//   npm run bench -- follow-ups [--calls N] [--speed N]
//   npm run bench -- lanes [--contacts N] [--concurrency N]
//   npm run bench -- listings [--contacts N] [--campaigns N] [--enrolments N]
//   npm run bench -- metrics [--contacts N] [--concurrency N] [--speed N]
//   npm run bench -- sequences [--enrolments N] [--triggers N] [--idle SECONDS]
//   npm run bench -- telemetry [--contacts N] [--concurrency N] [--speed N] [--turns N]
//   npm run bench -- triggers [--rate N] [--seconds N] [--connections N]
import { spawn } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";

import { prepare, root } from "./prepare.mjs";

const number = { type: "string" };
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    contacts: number,
    campaigns: number,
    concurrency: number,
    speed: number,
    rows: number,
    calls: number,
    enrolments: number,
    triggers: number,
    idle: number,
    rate: number,
    seconds: number,
    connections: number,
    attempts: number,
    blind: number,
    turns: number,
    pages: number,
  },
});
const [name] = positionals;
const USAGE = [
  "campaign [--contacts N] [--concurrency N] [--speed N]",
  "clone [--contacts N]",
  "dashboard [--contacts N] [--campaigns N] [--pages N] [--seconds N]",
  "fill [--contacts N] [--concurrency N] [--speed N] [--attempts N] [--blind 1]",
  "fill-simulation [--contacts N] [--concurrency N]",
  "full-again [--concurrency N]",
  "import [--rows N]",
  "killed [--contacts N] [--concurrency N]",
  "rehearsal [--contacts N] [--concurrency N]",
  "replace [--contacts N] [--concurrency N] [--speed N]",
  "suppressions [--rows N]",
  "follow-ups [--calls N] [--speed N]",
  "lanes [--contacts N] [--concurrency N]",
  "listings [--contacts N] [--campaigns N] [--enrolments N]",
  "metrics [--contacts N] [--concurrency N] [--speed N]",
  "sequences [--enrolments N] [--triggers N] [--idle SECONDS]",
  "telemetry [--contacts N] [--concurrency N] [--speed N] [--turns N]",
  "triggers [--rate N] [--seconds N] [--connections N]",
];
if (!USAGE.some((line) => line.split(" ")[0] === name)) {
  console.error(`Usage: ${USAGE.map((line) => `npm run bench -- ${line}`).join("\n       ")}`);
  process.exit(2);
}
await prepare();
const settings = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Number(value)]));
const child = spawn(
  process.execPath,
  [
    path.join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--project",
    "bench",
    `bench/${name}.bench-run.ts`,
    "--disable-console-intercept",
  ],
  { cwd: root, stdio: "inherit", env: { ...process.env, OUTDIAL_BENCH: JSON.stringify(settings) } },
);
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
