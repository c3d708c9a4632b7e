import { exitSoon } from "./cli/exit-soon.ts";
import { guardOutlets } from "./cli/outlets.ts";
import { runProgram, type ProgramContext } from "./cli/program.ts";

/*
 * The `outdial` command: wires what commands can start, runs one, and ends. The heavy parts are loaded by the
 * commands that use them, so that the others answer at once.
 */

const outlets = guardOutlets(process.stdout, process.stderr);

const context: ProgramContext = {
  openSettings: async () => {
    const [{ readConfig }, { goByZoneDataOnceAsked }] = await Promise.all([
      import("./config.ts"),
      import("./zone-package.ts"),
    ]);
    return (dataDir) => {
      const config = readConfig(undefined, { dataDir });
      goByZoneDataOnceAsked(config);
      return config;
    };
  },
  ports: {
    openLedger: async (config, log) => (await import("./open-ledger.ts")).openLedger(config, log),
    startSystem: async (options) => (await import("./system.ts")).startSystem(options),
    openPlatform: async (config, log, options) =>
      (await import("./open-platform.ts")).openPlatform(config, log, options),
    runSandbox: async (options) => (await import("./sandbox/run-sandbox.ts")).runSandbox(options),
    lookForMissing: async (config, definition, sequenceState) =>
      (await import("./look-for-missing.ts")).lookForMissing(config, definition, sequenceState),
    lookAtProvider: async (config) => (await import("./look-at-provider.ts")).lookAtProvider(config),
    provideTemporalServer: async (options) =>
      (await import("./temporal/server/index.ts")).provideTemporalServer(options),
  },
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  readerGone: outlets.readerGone,
};

const code = await runProgram(context, process.argv.slice(2), async () => {
  try {
    const { readConfig } = await import("./config.ts");
    return readConfig().logLevel === "debug";
  } catch {
    // The settings are the problem; their message says so.
    return false;
  }
});
process.exitCode = await outlets.settle(code);
exitSoon();
