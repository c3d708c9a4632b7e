import { runDaemon } from "./cli/daemon.ts";
import { exitSoon } from "./cli/exit-soon.ts";
import { explain } from "./cli/errors.ts";
import { guardOutlets } from "./cli/outlets.ts";
import { readConfig } from "./config.ts";
import { startSystem } from "./system.ts";

/* The Temporal worker as a process of its own: `node dist/worker.js`, the same as `outdial worker`. */

guardOutlets(process.stdout, process.stderr);
try {
  process.exitCode = await runDaemon("worker", readConfig(), startSystem);
} catch (error) {
  const { message, exitCode } = explain(error);
  process.stderr.write(`outdial worker: ${message}\n`);
  process.exitCode = exitCode;
}
exitSoon();
