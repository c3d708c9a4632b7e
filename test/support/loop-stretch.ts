import fs from "node:fs";

/** How often the loop is looked at: what it does between two looks counts as one stretch. */
const LOOK_MS = 2;

/**
 * The longest stretch for which work kept this process's own thread from everything else, in milliseconds of that
 * thread's CPU time: unlike the loop's delay by the clock, it does not grow with what else the machine does, nor with
 * what other threads do. Undefined where the system does not tell (it does on Linux).
 */
export async function longestStretchMs<T>(
  work: () => Promise<T>,
): Promise<{ result: T; stretchMs: number | undefined }> {
  let longest = 0;
  let last = threadCpuMs();
  const look = () => {
    const now = threadCpuMs();
    if (now !== undefined && last !== undefined) longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    const result = await work();
    look();
    return { result, stretchMs: last === undefined ? undefined : longest };
  } finally {
    clearInterval(timer);
  }
}

/** CPU time of the main thread so far. */
function threadCpuMs(): number | undefined {
  try {
    const [nanoseconds] = fs.readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return undefined;
  }
}
