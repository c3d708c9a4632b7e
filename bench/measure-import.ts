import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";

import { createSandbox } from "../src/sandbox/sandbox.ts";
import { provideTemporalServer } from "../src/temporal/server/index.ts";
import { phoneNumbers } from "../test/support/engine.ts";
import { createDatabase } from "../test/support/postgres.ts";
import { peakResidentMb, startOutdial } from "../test/support/processes.ts";

export interface ImportMeasureInput {
  rows: number;
  /** Undefined: the embedded ledger. */
  postgresUrl: string | undefined;
  cacheDir: string;
}

/** What taking a list cost the process that holds the ledger. */
export interface ImportMeasure {
  ledger: "embedded" | "postgres";
  rows: number;
  accepted: number;
  seconds: number;
  rowsPerSecond: number;
  /** The process's peak when it ran and had taken nothing; after a tenth of the rows; after all. */
  idlePeakMb: number | undefined;
  tenthPeakMb: number | undefined;
  peakMb: number | undefined;
}

/** Uploads lists as `outdial campaign create --contacts` does, to a running system: first a tenth, then all. */
export async function measureImport(input: ImportMeasureInput): Promise<ImportMeasure> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    return await measure(input, closing);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function measure(
  input: ImportMeasureInput,
  closing: (() => Promise<unknown>)[],
): Promise<ImportMeasure> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-import-"));
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
  const environment = {
    OUTDIAL_DATA_DIR: path.join(folder, "data"),
    OUTDIAL_API_PORT: "0",
    TEMPORAL_ADDRESS: temporal.address,
    PLATFORM_BASE_URL: sandbox.url,
    PLATFORM_API_KEY: sandbox.apiKey,
    ...(input.postgresUrl !== undefined && { DATABASE_URL: await createDatabase(input.postgresUrl) }),
  };
  const server = startOutdial(["server"], environment);
  closing.push(() => server.end());
  const [, apiUrl = ""] = await server.waitFor(/"apiUrl":"([^"]+)"/);
  const [, token] = /"token":"([^"]+)"/.exec(lockFile(environment.OUTDIAL_DATA_DIR)) ?? [];
  const client = { OUTDIAL_API_URL: apiUrl, ...(token !== undefined && { OUTDIAL_API_TOKEN: token }) };
  const peak = () => peakResidentMb(server.child.pid ?? 0);

  const idlePeakMb = peak();
  await upload(folder, "tenth", Math.ceil(input.rows / 10), client);
  const tenthPeakMb = peak();
  const { accepted, seconds } = await upload(folder, "all", input.rows, client);
  return {
    ledger: input.postgresUrl === undefined ? "embedded" : "postgres",
    rows: input.rows,
    accepted,
    seconds,
    rowsPerSecond: Math.round(input.rows / seconds),
    idlePeakMb,
    tenthPeakMb,
    peakMb: peak(),
  };
}

function lockFile(dataDir: string): string {
  const file = path.join(dataDir, "ledger.lock");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
}

async function upload(
  folder: string,
  name: string,
  rows: number,
  client: Record<string, string>,
): Promise<{ accepted: number; seconds: number }> {
  const spec = path.join(folder, `${name}.yaml`);
  const list = path.join(folder, `${name}.csv`);
  fs.writeFileSync(
    spec,
    `name: ${name}\nagent_id: 11111111-1111-4111-8111-111111111111\nfrom_numbers: ["+12025550100"]\nconcurrency: 20\n`,
  );
  await pipeline(function* lines() {
    yield "phone,first_name,plan\n";
    for (let from = 0; from < rows; from += 1_000) {
      const phones = phoneNumbers(Math.min(1_000, rows - from), from);
      yield phones.map((phone, index) => `${phone},Contact ${from + index},premium\n`).join("");
    }
  }, fs.createWriteStream(list));
  const startedMs = Date.now();
  const command = startOutdial(["campaign", "create", spec, "--contacts", list, "--json"], client);
  const { code } = await command.exited;
  if (code !== 0) throw new Error(`the upload ended with ${code}: ${command.stderr()}`);
  const seconds = (Date.now() - startedMs) / 1_000;
  const result = JSON.parse(command.stdout().trimEnd().split("\n").at(-1) ?? "") as {
    contacts: { total: number };
  };
  return { accepted: result.contacts.total, seconds };
}
