import { afterAll, expect } from "vitest";

import { cpuSecondsOf, tellCpu } from "./told-cpu.ts";

/* What each file of tests takes: of this process, and of all its children that have ended. */

const begun = cpuSecondsOf("self");
if (begun !== undefined)
  afterAll(() => {
    tellCpu(expect.getState().testPath ?? "", (cpuSecondsOf("self") ?? begun) - begun);
  });
