import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { reasonWords } from "../../domain/ground/reason-words.ts";
import type { Config } from "../../config.ts";
import type { Api } from "../api/client.ts";
import { ApiProblemError } from "../api/errors.ts";
import type { CliPorts } from "../context.ts";
import { SEARCH_ATTRIBUTES } from "../../temporal/search-attribute-keys.ts";
import { findRunningSystem, openFound, type FoundSystem } from "../running-system.ts";
import { saidAndRemedy } from "../said.ts";
import { fail, ok, warn, type Check } from "./check.ts";

/** Whether there is a Temporal server, or what one would be started with. Nothing is downloaded. */
export async function checkTemporal(config: Config, ports: CliPorts): Promise<Check[]> {
  const { address, cliPath, searchPath } = config.temporal;
  if (address !== undefined) return [await checkGiven(config, address, ports)];
  const running = findRunningSystem(config);
  if (running) {
    const checked = await checkProvided(config, running);
    if (checked) return [checked];
  }
  if (cliPath !== undefined) {
    return [
      isExecutable(cliPath)
        ? await checkExecutable(cliPath, "correct TEMPORAL_CLI_PATH, or unset it")
        : fail("Temporal", `TEMPORAL_CLI_PATH=${cliPath} is no executable file`, "correct or unset it"),
    ];
  }
  const found = onPath("temporal", searchPath) ?? cached(path.join(config.cacheDir, "temporal"));
  if (found !== undefined)
    return [await checkExecutable(found, "install it again, or set TEMPORAL_CLI_PATH")];
  const tools = ["python3", "go"].filter((tool) => onPath(tool, searchPath) !== undefined);
  return [
    warn(
      "Temporal",
      `none here yet; the first run fetches one (${["the SDK's download", ...tools].join(", or with ")})`,
      "run `outdial demo` once while online, install the Temporal CLI (https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS",
    ),
  ];
}

/** One that the settings name is reached as a worker reaches it, with its key. */
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
    const answers = `${address} answers (server ${server.serverVersion}, namespace ${namespace}${by})`;
    if (server.isSearchable !== false) return ok("Temporal", answers);
    return warn(
      "Temporal",
      `${answers}; its web UI can't find workflows by campaign, brand or state, since the namespace does not know these search attributes`,
      `register them; new workflows carry them some minutes later: temporal operator search-attribute create --namespace ${namespace} --type Keyword ${SEARCH_ATTRIBUTES.map((key) => `--name ${key}`).join(" ")}`,
    );
  } catch (error) {
    const { problem, remedy } = saidAndRemedy(reasonWords(error));
    return fail("Temporal", problem, remedy ?? "correct TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE");
  }
}

/** The one of a system that runs. Undefined where nothing answers, or another installation does: another check tells of that. */
async function checkProvided(config: Config, found: FoundSystem): Promise<Check | undefined> {
  let api: Api | undefined;
  try {
    api = await openFound(config, found);
    await api.system.ready();
    return ok("Temporal", `answers the system that runs at ${found.url}`);
  } catch (error) {
    if (!(error instanceof ApiProblemError) || error.code !== "temporal_unavailable") return undefined;
    const { problem, remedy } = saidAndRemedy(error.message);
    return fail("Temporal", problem, remedy ?? "look at temporal.log in the data folder");
  } finally {
    await api?.close();
  }
}

/** It takes a tenth of a second; a machine that is busy gives it longer. */
const VERSION_WITHIN_MS = 15_000;

/** What a server would be started with: whether it runs, which says that none runs now. */
async function checkExecutable(file: string, remedy: string): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)(file, ["--version"], { timeout: VERSION_WITHIN_MS });
    const [version = ""] = stdout.trim().split("\n");
    return ok("Temporal", `none runs now; a run starts ${file} (${version.slice(0, 100)})`);
  } catch (error) {
    return fail("Temporal", `${file} can't be run (${reasonWords(error)})`, remedy);
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
