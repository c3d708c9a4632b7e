import fs from "node:fs";

/** CPU seconds of processes by what they are; nothing where the system does not tell (Linux does). */
export type CpuSeconds = Record<string, number>;

/** The clock ticks of `proc_pid_stat(5)` in a second, on every Linux that Node.js runs on. */
const TICKS = 100;

/** Of one process, those of its children that have ended included. */
export function cpuSecondsOf(pid: number): number {
  const fields = statOf(pid);
  // utime, stime, cutime and cstime are the fields 14 to 17; the name, which may hold spaces, is the second.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / TICKS, 0);
}

/** Of one process and its children, as PostgreSQL is made of. */
export function cpuSecondsOfTree(pid: number): number {
  const children = processes().filter((other) => statOf(other)[1] === String(pid));
  return [pid, ...children].reduce((sum, one) => sum + cpuSecondsOf(one), 0);
}

export function parentOf(pid: number): number {
  return Number(statOf(pid)[1] ?? 0);
}

/** The process whose command line has this in it. */
export function findProcess(words: string): number | undefined {
  return processes().find((pid) => read(`/proc/${pid}/cmdline`).includes(words) && pid !== process.pid);
}

function processes(): number[] {
  try {
    return fs.readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** What stands behind the name: the state, the parent, and so on. */
function statOf(pid: number): string[] {
  const [, behind = ""] = /\) (.*)$/s.exec(read(`/proc/${pid}/stat`)) ?? [];
  return behind.split(" ");
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
