import fs from "node:fs";
import { afterAll, expect } from "vitest";

/** A tick of the kernel's accounting, which Linux tells every program is a hundredth of a second. */
const TICKS_A_SECOND = 100;

/**
 * CPU seconds of this process and of all its children that have ended: where they go is what the gate's time is made of,
 * and wall-clock time says nothing of it, since files share two processors. Undefined elsewhere than on Linux.
 */
function cpuSeconds(): number | undefined {
  try {
    const stat = fs.readFileSync("/proc/self/stat", "utf8");
    // After the program's name, which may have anything in it: state is the first, utime the 12th, and three after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
  } catch {
    return undefined;
  }
}

/** Each file's CPU is a line there; `npm test` names the file, and says at its end which were the dearest. */
const told = process.env["OUTDIAL_TEST_CPU"];
const begun = told === undefined ? undefined : cpuSeconds();
if (told !== undefined && begun !== undefined)
  afterAll(() => {
    const seconds = (cpuSeconds() ?? begun) - begun;
    const line = { file: expect.getState().testPath, seconds: Number(seconds.toFixed(2)) };
    fs.appendFileSync(told, `${JSON.stringify(line)}\n`);
  });
