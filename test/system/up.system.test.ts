import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readLockRecord } from "../../src/ledger/ground/lock-record.ts";
import { until } from "../support/until.ts";
import { endOf, expectRefusal, openStage, type Stage } from "./support/stage.ts";

describe("outdial up", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  /** Who holds the data folder, as long as it lives. */
  const holderOf = (dataDir: string): number | undefined => {
    const holder = readLockRecord(dataDir);
    if (!holder || holder.closed || holder.address === undefined) return undefined;
    try {
      process.kill(holder.pid, 0);
      return holder.pid;
    } catch {
      return undefined;
    }
  };

  it("starts what was killed again, ends everything in good order, and leaves nobody behind when it is killed", async () => {
    const dataDir = stage.dataDir();
    const settings = stage.settings(dataDir, { OUTDIAL_API_PORT: "0" });
    const up = stage.start(["up"], settings);
    await up.waitFor(/the server runs at http:/);
    const first = holderOf(dataDir);
    process.kill(first ?? 0, "SIGKILL");
    await up.waitFor(/the server ended \(SIGKILL\): it is started again in 1s/);
    await until("another server", () => ![undefined, first].includes(holderOf(dataDir)));
    expect((await stage.outdial(["campaign", "list"], settings)).code).toBe(0);
    expect(await up.end()).toBe(0);
    expect(up.stdout()).toMatch(/everything has ended/);
    expect(readLockRecord(dataDir)).toMatchObject({ closed: true });
    expect(fs.existsSync(path.join(dataDir, "logs", "server.log"))).toBe(true);

    const again = stage.start(["up"], settings);
    await again.waitFor(/the server runs at http:/);
    expect(holderOf(dataDir)).toBeDefined();
    await again.kill();
    await until("nobody is left behind", () => readLockRecord(dataDir)?.closed === true);
  });

  it("says why it can't, where what it starts never comes up", async () => {
    const settings = stage.settings(stage.dataDir(), { PLATFORM_API_KEY: "" });
    const refused = await endOf(stage.start(["up"], settings), "up without a key");
    expectRefusal(refused, 2, "PLATFORM_API_KEY");
  });
});
