// Loaded into a process that is measured (NODE_OPTIONS=--import): writes, twice a second, how long its own thread kept
// everything else waiting at most, in milliseconds of its CPU time and by the clock, into the file that
// OUTDIAL_LOOP_FILE names, with the process's id behind it. What the file says begins anew once it is deleted.
import fs from "node:fs";

const file = `${process.env.OUTDIAL_LOOP_FILE}.${process.pid}`;
const LOOK_MS = 2;
const WRITE_MS = 500;

function threadCpuMs() {
  try {
    return Number(fs.readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** `atSeconds`: how long the process had lived when its thread was busy for the longest. */
let longest = { cpuMs: 0, clockMs: 0, atSeconds: 0 };
let last = { cpuMs: threadCpuMs(), clockMs: performance.now() };
let written = false;
setInterval(() => {
  const now = { cpuMs: threadCpuMs(), clockMs: performance.now() };
  const cpuMs = now.cpuMs - last.cpuMs;
  if (cpuMs > longest.cpuMs) longest = { ...longest, cpuMs, atSeconds: Math.round(process.uptime()) };
  longest = { ...longest, clockMs: Math.max(longest.clockMs, now.clockMs - last.clockMs) };
  last = now;
}, LOOK_MS).unref();
setInterval(() => {
  if (written && !fs.existsSync(file)) longest = { cpuMs: 0, clockMs: 0, atSeconds: 0 };
  fs.writeFileSync(file, JSON.stringify(longest));
  written = true;
}, WRITE_MS).unref();
