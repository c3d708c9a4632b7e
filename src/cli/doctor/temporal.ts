import fs from "node:fs";
import path from "node:path";

import type { Config } from "../../config.ts";
import type { CliPorts } from "../context.ts";
import { fail, ok, reasonOf, warn, type Check } from "./check.ts";

/** Whether there is a Temporal server, or what one would be started with. Nothing is downloaded. */
export async function checkTemporal(config: Config, ports: CliPorts): Promise<Check[]> {
  const { address, cliPath, searchPath } = config.temporal;
  if (address !== undefined) return [await checkGiven(config, address, ports)];
  if (cliPath !== undefined) {
    return [
      isExecutable(cliPath)
        ? ok("Temporal", `started with ${cliPath}`)
        : fail("Temporal", `TEMPORAL_CLI_PATH=${cliPath} is no executable file`, "correct or unset it"),
    ];
  }
  const found = onPath("temporal", searchPath) ?? cached(path.join(config.cacheDir, "temporal"));
  if (found !== undefined) return [ok("Temporal", `started with ${found}`)];
  const tools = ["python3", "go"].filter((tool) => onPath(tool, searchPath) !== undefined);
  return [
    warn(
      "Temporal",
      `none here yet; the first run fetches one (${["the SDK's download", ...tools].join(", or with ")})`,
      "run `outdial demo` once while online, install the Temporal CLI (https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS",
    ),
  ];
}

async function checkGiven(config: Config, address: string, ports: CliPorts): Promise<Check> {
  const { namespace, access, searchPath } = config.temporal;
  try {
    const server = await ports.provideTemporalServer({
      address,
      access,
      namespace,
      searchPath,
      cacheDir: path.join(config.cacheDir, "temporal"),
      onProgress: () => {},
    });
    const how = [
      ...(access.tls ? [access.tls.client ? "TLS with a client's certificate" : "TLS"] : []),
      ...(access.apiKey === undefined ? [] : ["a key"]),
    ];
    const by = how.length === 0 ? "" : `, by ${how.join(" and ")}`;
    return ok("Temporal", `${address} answers (server ${server.serverVersion}, namespace ${namespace}${by})`);
  } catch (error) {
    return fail(
      "Temporal",
      reasonOf(error),
      "correct TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE, or unset the address to have a server provided",
    );
  }
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function onPath(program: string, searchPath: string): string | undefined {
  return searchPath
    .split(path.delimiter)
    .map((folder) => path.join(folder, program))
    .find(isExecutable);
}

/** What an earlier run fetched; the folder holds whole executables only, beside the test server's. */
function cached(folder: string): string | undefined {
  if (!fs.existsSync(folder)) return undefined;
  return fs
    .readdirSync(folder)
    .filter((name) => name.startsWith("temporal") && !name.includes("test-server"))
    .map((name) => path.join(folder, name))
    .find(isExecutable);
}
