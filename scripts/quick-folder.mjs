// Where files of tests are kept for a moment: in memory, where this machine has enough of it. A ledger is a folder of a
// thousand files, and hundreds of them are made and thrown away: on a disk that takes more than what is done with them.
import fs from "node:fs";
import path from "node:path";

const MEMORY = "/dev/shm";

/** What all tests together have at one time is half of this. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

const NAME = /^outdial-tests-(\d+)-/;

/**
 * Has this process and those that it starts keep their temporary files in memory; they go with this process. Whoever
 * was told where to keep them (TMPDIR) keeps them there.
 */
export function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  removeThoseOfTheDead();
  const folder = fs.mkdtempSync(path.join(MEMORY, `outdial-tests-${process.pid}-`));
  // PostgreSQL of tests runs as somebody else, in a folder of its own within.
  fs.chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.on("exit", () => removeIfUnused(folder));
}

function hasRoom() {
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY);
    const mayHave = process.constrainedMemory?.() || Number.POSITIVE_INFINITY;
    return (
      bavail * bsize >= ENOUGH_BYTES &&
      mayHave >= 2 * ENOUGH_BYTES &&
      available() >= ENOUGH_BYTES &&
      mayExecute()
    );
  } catch {
    return false;
  }
}

/** Bytes that can be had without taking them from others; `os.freemem` counts what is cached as taken. */
function available() {
  const [, kb] = /^MemAvailable:\s+(\d+) kB/m.exec(fs.readFileSync("/proc/meminfo", "utf8")) ?? [];
  return Number(kb ?? 0) * 1_024;
}

/** Tests put programs there and run them. */
function mayExecute() {
  const mounted = fs
    .readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "));
  const options = mounted.findLast(([, place]) => place === MEMORY)?.[3]?.split(",") ?? ["noexec"];
  return !options.includes("noexec") && !options.includes("ro");
}

/** What processes left that were killed. */
function removeThoseOfTheDead() {
  for (const name of fs.readdirSync(MEMORY)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    removeIfUnused(path.join(MEMORY, name));
  }
}

/** Something of it may be in use, such as a disk that a test has mounted: it is in nobody's way. */
function removeIfUnused(folder) {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    console.warn(`${folder} is left: ${error.message}`);
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== "ESRCH";
  }
}
