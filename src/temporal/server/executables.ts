import { type RunCommand } from "./command.ts";
import { type Attempt, reasonOf, SourceUnavailableError, TemporalUnavailableError } from "./errors.ts";

export interface SourceContext {
  /** Folder of downloaded executables. */
  readonly cacheDir: string;
  /** A PATH value: where commands are looked for. */
  readonly searchPath: string;
  /** As `currentPlatform` says it: "linux-x64". */
  readonly platform: string;
  readonly run: RunCommand;
  /** Told what is being done, and about how long it takes. */
  readonly onProgress: (message: string) => void;
}

export function currentPlatform(): string {
  return `${process.platform}-${process.arch}`;
}

/** One place where an executable may come from. */
export interface ExecutableSource {
  /** As it reads in "not from <name>: <reason>". */
  readonly name: string;
  /**
   * Absolute paths, the best first; none where nothing is there, which is not worth telling while others remain.
   *
   * @throws SourceUnavailableError, or whatever went wrong: the next source is tried, the reason is kept.
   */
  candidates(context: SourceContext): Promise<readonly string[]>;
}

export interface Executable<Facts> {
  readonly path: string;
  readonly source: string;
  readonly facts: Facts;
}

/**
 * The first executable, in the order of the sources, that `check` accepts.
 *
 * @param check throws where an executable is of no use, with the reason.
 * @throws TemporalUnavailableError with each attempt and `remedy` where there is none.
 */
export async function acquireExecutable<Facts>(
  what: string,
  sources: readonly ExecutableSource[],
  context: SourceContext,
  check: (path: string) => Promise<Facts>,
  remedy: string,
): Promise<Executable<Facts>> {
  const attempts: Attempt[] = [];
  const failed = (source: string, reason: string) => {
    attempts.push({ source, reason });
    context.onProgress(`not from ${source}: ${reason}`);
  };
  for (const source of sources) {
    try {
      const candidates = await source.candidates(context);
      if (candidates.length === 0) attempts.push({ source: source.name, reason: "nothing there" });
      for (const path of candidates) {
        try {
          return { path, source: source.name, facts: await check(path) };
        } catch (error) {
          failed(source.name, `${path}: ${reasonOf(error)}`);
        }
      }
    } catch (error) {
      failed(source.name, reasonOf(error));
    }
  }
  const list = attempts.map(({ source, reason }) => `  - ${source}: ${reason}`).join("\n");
  throw new TemporalUnavailableError(`no ${what} could be provided:\n${list}\n${remedy}`, attempts);
}

export interface CliFacts {
  /** Of the server inside, not of the command line around it: builds from source call themselves 0.0.0-DEV. */
  readonly serverVersion: string;
}

/** A command that only prints its version. A cold disk with a 156 MB file needs a second or two. */
const VERSION_TIMEOUT_MS = 20_000;

/**
 * Accepts a `temporal` whose server is `oldestVersion` or later.
 *
 * @throws SourceUnavailableError, CommandError
 */
export async function checkTemporalCli(
  path: string,
  run: RunCommand,
  oldestVersion: string,
): Promise<CliFacts> {
  const text = await run(path, ["--version"], { timeoutMs: VERSION_TIMEOUT_MS });
  const serverVersion = /\bServer (\d+\.\d+\.\d+)/.exec(text)?.[1];
  if (serverVersion === undefined) {
    throw new SourceUnavailableError(
      `is not the Temporal CLI; --version says ${JSON.stringify(text.trim())}`,
    );
  }
  if (compareVersions(serverVersion, oldestVersion) < 0) {
    throw new SourceUnavailableError(`holds server ${serverVersion}; ${oldestVersion} or later is needed`);
  }
  return { serverVersion };
}

/** Negative where `left` is the older one. Both are numbers with dots. */
export function compareVersions(left: string, right: string): number {
  const rightParts = right.split(".").map(Number);
  const differences = left.split(".").map((part, index) => Number(part) - (rightParts[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
