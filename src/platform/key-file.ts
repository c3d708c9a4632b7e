/**
 * The platform's key as it is kept: in a file that all processes of an installation read, or given for good.
 *
 * K1 Whoever reads the file sees a whole key, the old one or the new one: it is replaced by a rename.
 * K2 A new key is on disk, flushed, before anybody may think that it is stored: `stage` returns after that.
 * K3 A file that is empty, unreadable or no key for a moment changes nothing: the last good key is used on.
 * K4 No key stands in an error or a log line.
 */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

import { checkApiKey } from "./key-rule.ts";

/** Where a key is read from, and stored. */
export interface PlatformKey {
  /** The key for the next request. A changed file is noticed within seconds. Never throws. */
  current(): string;
  /** Looks at the file now; to be called when the platform refuses the key. Never throws. */
  reread(): void;
  /** Undefined: the key was given for good, and nothing can put another one in its place. */
  readonly file: KeyFile | undefined;
}

/** A key can't be stored here. The message says why, and what would mend it. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
}

/** The file that holds the key, and the new ones beside it that are not in use yet. */
export interface KeyFile {
  readonly path: string;
  /** @throws KeyFileError where the file can't be replaced, before anything has happened. */
  check(): void;
  /** Keeps a new key beside the one in use, durably, under a name. @throws KeyFileError */
  stage(name: string, key: string): void;
  /** The key that was kept under a name; undefined: none. @throws KeyFileError where it can't be read. */
  staged(name: string): string | undefined;
  /** Puts the key that was kept under a name in the place of the one in use, durably. @throws KeyFileError */
  use(name: string): void;
  /** Forgets what was kept under a name. */
  drop(name: string): void;
}

/** A key that is given for good. */
export function givenKey(key: string): PlatformKey {
  return { current: () => key, reread() {}, file: undefined };
}

/** Its age in processes that use it all the time: one `stat` in so long. Nothing waits for it: a 401 looks at once. */
const LOOK_EVERY_MS = 5_000;

/**
 * Reads a key from a file, again when that changes.
 *
 * @param first what the file held when the settings were read
 */
export function openKeyFile(file: string, first: string): PlatformKey {
  const target = path.resolve(file);
  let key = first;
  let seen: string | undefined;
  let lookedMs = Number.NEGATIVE_INFINITY;
  const look = (): void => {
    lookedMs = performance.now();
    try {
      const mark = markOf(target);
      if (mark === seen) return;
      const text = fs.readFileSync(target, "utf8").trim();
      checkApiKey(text);
      key = text;
      seen = mark;
    } catch {
      // K3: it is looked at again.
    }
  };
  return {
    current: () => {
      if (performance.now() - lookedMs >= LOOK_EVERY_MS) look();
      return key;
    },
    reread: () => {
      // A file that was written in place may keep its size and, on a coarse clock, its time.
      seen = undefined;
      look();
    },
    file: keyFileAt(target),
  };
}

/** Different for each file that is put there, and for each writing of one. */
function markOf(file: string): string {
  const { ino, size, mtimeMs, ctimeMs } = fs.statSync(file);
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

function keyFileAt(target: string): KeyFile {
  const folder = path.dirname(target);
  const beside = (name: string) => path.join(folder, `.${path.basename(target)}.${name}`);
  return {
    path: target,
    check: () => inWords(target, () => checkReplaceable(target, beside(`check-${randomUUID()}`))),
    stage: (name, key) =>
      inWords(target, () => {
        checkApiKey(key);
        writeDurably(beside(`${name}.part`), beside(name), key, rightsOf(target));
      }),
    staged: (name) =>
      inWords(target, () => {
        try {
          return fs.readFileSync(beside(name), "utf8").trim();
        } catch (error) {
          if (codeOf(error) === "ENOENT") return undefined;
          throw error;
        }
      }),
    use: (name) =>
      inWords(target, () => {
        fs.renameSync(beside(name), target);
        // It is in use from here on, and nobody may be told otherwise. The disk has it long before the old key ends.
        try {
          flushFolder(folder);
        } catch {
          return;
        }
      }),
    drop: (name) =>
      inWords(target, () => {
        fs.rmSync(beside(name), { force: true });
        fs.rmSync(beside(`${name}.part`), { force: true });
      }),
  };
}

const ELSEWHERE =
  "keep the key in a file of its own, in a folder that Outdial may write to and that all its processes share, and name that in PLATFORM_API_KEY_FILE";

function checkReplaceable(target: string, trial: string): void {
  const found = fs.lstatSync(target);
  if (found.isSymbolicLink()) {
    throw new KeyFileError(
      `${target} is a symbolic link, as Kubernetes mounts secrets: replaced, it would be out of step with what it points to; ${ELSEWHERE}`,
    );
  }
  if (!found.isFile()) throw new KeyFileError(`${target} is no file; ${ELSEWHERE}`);
  if (isMountPoint(target)) {
    throw new KeyFileError(
      `${target} is mounted by itself, as Docker mounts secrets, and can't be replaced; ${ELSEWHERE}`,
    );
  }
  const { uid } = found;
  if (process.getuid !== undefined && uid !== process.getuid()) {
    throw new KeyFileError(
      `${target} belongs to another user (${uid}), who could not read a new file of ours; let Outdial's user own it`,
    );
  }
  try {
    writeDurably(`${trial}.part`, trial, "x", rightsOf(target));
  } finally {
    fs.rmSync(trial, { force: true });
    fs.rmSync(`${trial}.part`, { force: true });
  }
}

/** Where the system says what is mounted (Linux). Elsewhere the rename itself says no, and nothing is lost by that. */
function isMountPoint(target: string): boolean {
  try {
    const real = fs.realpathSync(target);
    return fs
      .readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .some((line) => line.split(" ")[4]?.replaceAll("\\040", " ") === real);
  } catch {
    return false;
  }
}

interface Rights {
  mode: number;
  gid: number;
}

/** Nobody but the owner, and the group where it could read the key before: a server beside the worker, say. */
function rightsOf(target: string): Rights {
  const { mode, gid } = fs.statSync(target);
  return { mode: 0o600 | (mode & 0o040), gid };
}

function writeDurably(part: string, final: string, text: string, { mode, gid }: Rights): void {
  fs.rmSync(part, { force: true });
  // Made anew and by nobody else: not through a link that somebody left here.
  const descriptor = fs.openSync(part, "wx", 0o600);
  try {
    fs.writeFileSync(descriptor, `${text}\n`);
    if (fs.fstatSync(descriptor).gid !== gid) fs.fchownSync(descriptor, -1, gid);
    fs.fchmodSync(descriptor, mode);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
  fs.renameSync(part, final);
  flushFolder(path.dirname(final));
}

/** A rename outlives a machine that crashes only with its folder flushed. */
function flushFolder(folder: string): void {
  const descriptor = fs.openSync(folder, "r");
  try {
    fs.fsyncSync(descriptor);
  } catch (error) {
    // Some network file systems flush no folders; they order their own changes.
    if (codeOf(error) !== "EINVAL") throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}

function inWords<T>(target: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof KeyFileError) throw error;
    const why = codeOf(error) ?? "it can't be used as a key";
    throw new KeyFileError(`the key in ${target} can't be replaced (${why}); ${ELSEWHERE}`);
  }
}

/** The system's word for what went wrong; a message would do, and might quote what was written. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" && /^E[A-Z]+$/.test(error.code) ? error.code : undefined;
}
