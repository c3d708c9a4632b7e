import fs from "node:fs";

/*
 * Where the gate's time goes. Wall-clock time says nothing of it, since files share two processors: what counts is how many
 * seconds of them each takes. `npm test` names the file in which that is written down, and says at its end which were
 * the dearest.
 */

/** A tick of the kernel's accounting, of which Linux tells every program that it is a hundredth of a second. */
const TICKS_A_SECOND = 100;

/** CPU seconds of a process and of all its children that have ended; undefined where nobody asks, or not on Linux. */
export function cpuSecondsOf(process: number | "self"): number | undefined {
  if (toldIn() === undefined) return undefined;
  try {
    const stat = fs.readFileSync(`/proc/${process}/stat`, "utf8");
    // Behind the program's name, which may have anything in it: the state is the first, and the times begin with the 12th.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
  } catch {
    return undefined;
  }
}

/** @param what a file of tests, or what several share */
export function tellCpu(what: string, seconds: number): void {
  const file = toldIn();
  if (file === undefined) return;
  fs.appendFileSync(file, `${JSON.stringify({ what, seconds: Number(seconds.toFixed(2)) })}\n`);
}

function toldIn(): string | undefined {
  return process.env["OUTDIAL_TEST_CPU"];
}
