import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

const PYTHON = process.platform === "win32" ? "python" : "python3";

/** Some seconds on a good line. */
const DOWNLOAD_MS = 60_000;

/** Some seconds of arithmetic, of which a busy machine makes many more. */
const READ_MS = 120_000;

/** A folder of compiled zones, as zic makes them. */
export interface Reference {
  /** Where it is from, in words. */
  from: string;
  folder: string;
  /** IANA's name of the release. */
  version: string;
}

/** The offset at the first moment, and each later change with the offset behind it; in seconds. */
export type ClockOf = [offset: number, changes: [at: number, offset: number][]];

/**
 * The newest zone data that this machine can lay hands on: PyPI's `tzdata`, fetched with pip into a folder, or the
 * system's own.
 *
 * @param folder to fetch into
 * @returns undefined where there is none; `problems` say why.
 */
export async function newestReference(
  folder: string,
): Promise<{ newest: Reference | undefined; problems: string[] }> {
  const problems: string[] = [];
  const found: Reference[] = [];
  for (const look of [() => fromPypi(folder), () => fromSystem()]) {
    try {
      found.push(await look());
    } catch (error) {
      problems.push(error instanceof Error ? error.message.trim() : String(error));
    }
  }
  const [newest] = found.sort((a, b) => (a.version < b.version ? 1 : -1));
  return { newest, problems };
}

async function fromPypi(folder: string): Promise<Reference> {
  const options = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-deps"];
  await run(PYTHON, ["-m", "pip", "download", ...options, "--only-binary", ":all:", "-d", folder, "tzdata"], {
    timeout: DOWNLOAD_MS,
  });
  const wheel = fs.readdirSync(folder).find((name) => name.endsWith(".whl"));
  if (wheel === undefined) throw new Error("pip fetched no wheel of tzdata");
  await run(PYTHON, ["-m", "zipfile", "-e", path.join(folder, wheel), folder]);
  return readReference(`PyPI's ${wheel}`, path.join(folder, "tzdata", "zoneinfo"));
}

async function fromSystem(): Promise<Reference> {
  return readReference("the system's zone data", "/usr/share/zoneinfo");
}

function readReference(from: string, folder: string): Reference {
  const [, version] =
    /^# version (\S+)/.exec(fs.readFileSync(path.join(folder, "tzdata.zi"), "utf8").slice(0, 100)) ?? [];
  if (version === undefined) throw new Error(`${folder} does not say which release it is`);
  return { from, folder, version };
}

/** How the clocks of every zone of a folder go, by Python's reading of it. */
export async function clocksOf(
  { folder }: Pick<Reference, "folder">,
  fromMs: number,
  toMs: number,
): Promise<Record<string, ClockOf>> {
  const script = fileURLToPath(new URL("./clock_changes.py", import.meta.url));
  const { stdout } = await run(
    PYTHON,
    [script, folder, ...[fromMs, toMs].map((ms) => String(Math.floor(ms / 1_000)))],
    { timeout: READ_MS, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as Record<string, ClockOf>;
}
