import { EXIT } from "./cli/exit-codes.ts";
import { isAlive } from "./cli/process-alive.ts";
import { isWell, readPulses, vitalsLines } from "./cli/campaigns/run/pulse.ts";

/*
 * `node dist/health-check.js <data folder>`: what `outdial health` says and how it exits, for supervisors that ask
 * every few seconds: neither settings nor a command line are loaded for it.
 */

// Its exit code is what counts, whoever reads its words.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const [dataDir = ""] = process.argv.slice(2);
if (dataDir === "") {
  process.stderr.write("health-check: name the data folder, such as /data\n");
  process.exitCode = EXIT.badInput;
} else {
  const all = readPulses(dataDir, Date.now(), isAlive);
  process.stdout.write(`${vitalsLines(dataDir, all).join("\n")}\n`);
  process.exitCode = isWell(all) ? EXIT.ok : EXIT.failed;
}
