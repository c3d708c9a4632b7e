import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

import { createSandbox } from "../src/sandbox/sandbox.ts";
import { provideTemporalServer } from "../src/temporal/server/index.ts";
import { phoneNumbers } from "../test/support/engine.ts";
import { createDatabase } from "../test/support/postgres.ts";
import { peakResidentMb, startOutdial } from "../test/support/processes.ts";

export interface ListsMeasureInput {
  rows: number;
  /** Undefined: the embedded ledger. */
  postgresUrl: string | undefined;
  cacheDir: string;
}

/** What one list cost the process that holds the ledger. */
interface ListMeasure {
  list: string;
  added: number;
  kept: number;
  removed: number;
  seconds: number;
  rowsPerSecond: number;
  /** The process's peak so far. */
  peakMb: number | undefined;
  /** The longest for which the process's own thread did nothing else: of its CPU time, and by the clock. */
  longestBlock: { cpuMs: number; clockMs: number; atSeconds: number };
}

export interface ListsMeasure {
  ledger: "embedded" | "postgres";
  rows: number;
  idlePeakMb: number | undefined;
  lists: ListMeasure[];
}

/** Replaces the list of a source as `outdial suppress import --replace` does: the first one, and one that renews most of it. */
export async function measureLists(input: ListsMeasureInput): Promise<ListsMeasure> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    return await measure(input, closing);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function measure(input: ListsMeasureInput, closing: (() => Promise<unknown>)[]): Promise<ListsMeasure> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-suppressions-"));
  closing.push(async () => fs.rmSync(folder, { recursive: true, force: true }));
  const temporal = await provideTemporalServer({
    searchPath: process.env["PATH"] ?? "",
    cacheDir: input.cacheDir,
    headless: true,
    onProgress: () => {},
  });
  closing.push(() => temporal.stop());
  const sandbox = await createSandbox({});
  closing.push(() => sandbox.close());
  const dataDir = path.join(folder, "data");
  const loopFile = path.join(folder, "loop");
  const watch = fileURLToPath(new URL("loop-watch.mjs", import.meta.url));
  const environment = {
    OUTDIAL_DATA_DIR: dataDir,
    OUTDIAL_API_PORT: "0",
    TEMPORAL_ADDRESS: temporal.address,
    PLATFORM_BASE_URL: sandbox.url,
    PLATFORM_API_KEY: sandbox.apiKey,
    OUTDIAL_LOOP_FILE: loopFile,
    NODE_OPTIONS: `--import ${watch}`,
    ...(input.postgresUrl !== undefined && { DATABASE_URL: await createDatabase(input.postgresUrl) }),
  };
  const server = startOutdial(["server"], environment, { isMeasured: true });
  closing.push(() => server.end());
  const [, apiUrl = ""] = await server.waitFor(/"apiUrl":"([^"]+)"/);
  const lock = path.join(dataDir, "ledger.lock");
  const [, token] = /"token":"([^"]+)"/.exec(fs.existsSync(lock) ? fs.readFileSync(lock, "utf8") : "") ?? [];
  const client = { OUTDIAL_API_URL: apiUrl, ...(token !== undefined && { OUTDIAL_API_TOKEN: token }) };
  const pid = server.child.pid ?? 0;

  await run(["suppress", "source", "put", "register", "--type", "do_not_call"], client);
  const idlePeakMb = peakResidentMb(pid);
  const replace = async (
    list: string,
    from: number,
    source = "register",
    rows = input.rows,
  ): Promise<ListMeasure> => {
    const file = path.join(folder, `${list}.csv`);
    await pipeline(function* lines() {
      yield "phone\n";
      for (let at = from; at < from + rows; at += 1_000)
        yield `${phoneNumbers(Math.min(1_000, from + rows - at), at).join("\n")}\n`;
    }, fs.createWriteStream(file));
    // What was before is not of the list.
    fs.rmSync(`${loopFile}.${pid}`, { force: true });
    await fileThere(`${loopFile}.${pid}`);
    const startedMs = Date.now();
    const said = await run(["suppress", "import", file, "--source", source, "--replace", "--json"], client);
    const seconds = (Date.now() - startedMs) / 1_000;
    const { added, kept, removed } = JSON.parse(said.trimEnd().split("\n").at(-1) ?? "") as ListMeasure;
    const longestBlock = JSON.parse(
      fs.readFileSync(`${loopFile}.${pid}`, "utf8"),
    ) as ListMeasure["longestBlock"];
    const rowsPerSecond = Math.round(rows / seconds);
    return { list, added, kept, removed, seconds, rowsPerSecond, peakMb: peakResidentMb(pid), longestBlock };
  };
  // Nor is what a process does once, when it begins to work: a list of another source goes before.
  await run(["suppress", "source", "put", "before", "--type", "own"], client);
  await replace("before", 0, "before", Math.ceil(input.rows / 100));
  return {
    ledger: input.postgresUrl === undefined ? "embedded" : "postgres",
    rows: input.rows,
    idlePeakMb,
    lists: [await replace("first", 0), await replace("renewed", Math.ceil(input.rows / 100))],
  };
}

async function run(args: string[], environment: Record<string, string>): Promise<string> {
  const command = startOutdial(args, environment, { isMeasured: true });
  const { code } = await command.exited;
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${command.stderr()}`);
  return command.stdout();
}

/** The process writes it twice a second. */
async function fileThere(file: string): Promise<void> {
  const untilMs = Date.now() + 10_000;
  while (!fs.existsSync(file)) {
    if (Date.now() > untilMs) throw new Error(`${file} did not come to be`);
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}
