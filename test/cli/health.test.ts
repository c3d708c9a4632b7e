import fs from "node:fs";
import path from "node:path";
import { expect, it, vi } from "vitest";

import { startPulse } from "../../src/cli/campaigns/run/pulse.ts";
import { outdial, temporaryFolder } from "./support.ts";

const silent = { warn() {} };

async function beatingOn(dataDir: string, probe: () => Promise<void>): Promise<{ stop(): Promise<void> }> {
  const pulse = startPulse({ dataDir, kind: "worker", probe, log: silent });
  await vi.waitFor(
    () => expect(fs.readdirSync(path.join(dataDir, "health"))).toEqual([`worker-${process.pid}.json`]),
    { timeout: 15_000 },
  );
  return pulse;
}

it("a process that lives and reaches what it needs is well, until it has ended", async () => {
  const dataDir = temporaryFolder();
  const nobody = await outdial(["health", "--data-dir", dataDir]);
  expect(nobody).toMatchObject({ code: 1, stdout: expect.stringContaining("outdial worker") });

  const pulse = await beatingOn(dataDir, async () => {});
  const well = await outdial(["health", "--data-dir", dataDir]);
  expect(well).toMatchObject({ code: 0, stdout: expect.stringContaining(`worker ${process.pid}: well`) });
  const asJson = await outdial(["health", "--json", "--data-dir", dataDir]);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    well: true,
    processes: [{ kind: "worker", pid: process.pid }],
  });

  await pulse.stop();
  expect((await outdial(["health", "--data-dir", dataDir])).code).toBe(1);
});

it("a process that lacks what it needs is not well, and says what it lacks", async () => {
  const dataDir = temporaryFolder();
  const pulse = await beatingOn(dataDir, async () => {
    throw new Error("the ledger does not answer");
  });
  const ill = await outdial(["health", "--data-dir", dataDir]);
  expect(ill).toMatchObject({ code: 1, stdout: expect.stringContaining("the ledger does not answer") });
  await pulse.stop();
});

it("a process that hangs is not well, and one that is gone is not counted", async () => {
  const dataDir = temporaryFolder();
  const write = (pid: number, atMs: number) => {
    fs.mkdirSync(path.join(dataDir, "health"), { recursive: true });
    const file = path.join(dataDir, "health", `worker-${pid}.json`);
    fs.writeFileSync(file, JSON.stringify({ kind: "worker", pid, atMs }));
  };
  write(process.pid, Date.now() - 31_000);
  const hung = await outdial(["health", "--data-dir", dataDir]);
  expect(hung).toMatchObject({ code: 1, stdout: expect.stringContaining("no sign of life") });

  write(process.pid, Date.now());
  // No process has this number: Linux gives none above 4,194,304.
  write(4_194_305, Date.now());
  const well = await outdial(["health", "--data-dir", dataDir]);
  expect(well.code).toBe(0);
  expect(well.stdout).not.toContain("4194305");
});
