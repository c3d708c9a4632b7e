import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { expect, test } from "vitest";

import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { createBatch, openSandbox, operate, phone, untilStatus } from "./support.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: unknown = runInNewContext("gc");

function heapBytes(): number {
  if (typeof collectGarbage === "function") {
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

async function dialThousand(sandbox: Sandbox, from: number): Promise<void> {
  const numbers = Array.from({ length: 1_000 }, (_, index) => phone(from + index));
  const batch = await createBatch(sandbox, numbers, { max_concurrent_calls: 100 });
  await operate(sandbox, batch.batch_call_id, "start");
  await untilStatus(sandbox, batch.batch_call_id, "completed");
}

test("a call with its item takes some hundred bytes, transcripts nothing", async () => {
  const sandbox = await openSandbox({ speed: 100_000 });
  // The first ones warm up what is allocated once.
  await dialThousand(sandbox, 0);
  const before = heapBytes();
  for (let thousand = 1; thousand <= 8; thousand += 1) {
    await dialThousand(sandbox, thousand * 1_000);
  }
  const bytesPerCall = (heapBytes() - before) / 8_000;
  // Some 420 measured. Twice that is a field too many a call; a transcript alone would be thousands.
  expect(bytesPerCall).toBeLessThan(900);
});
