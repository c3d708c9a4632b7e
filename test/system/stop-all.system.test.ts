import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { until } from "../support/engine.ts";
import { closedPort, dialsOf, finalLine, openStage, type Stage } from "./support/stage.ts";

describe("outdial stop-all while Temporal is dead", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("stops calls of a running system, and of one that is down, until somebody goes on with a reason", async () => {
    const dataDir = stage.dataDir();
    const settings = stage.settings(dataDir);
    const spec = stage.spec("no temporal", "concurrency: 3");
    const list = stage.list(50);
    const dials = () => dialsOf(stage, list).reduce((sum, n) => sum + n, 0);
    const asUsual = stage.slowCalls();
    const run = stage.start(["run", spec, "--contacts", list], settings);
    await until("dials", () => dials() >= 3);
    await stage.temporal.kill();
    const stopped = await stage.outdial(["stop-all", "--reason", "wrong prompt", "--json"], settings);
    asUsual();
    expect(stopped, stopped.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(stopped.stdout)).toMatchObject({ stopped: true, in_flight: { uncertain: 0 } });
    const dialsThen = dials();
    await until("calls to end", () => stage.sandbox.stats().activeCalls === 0);
    expect(dials()).toBe(dialsThen);
    await run.kill();

    // Nothing runs now, and Temporal is still away.
    const dead = { ...settings, TEMPORAL_ADDRESS: `127.0.0.1:${await closedPort()}` };
    const went = await stage.outdial(["go-on", "--reason", "mended"], dead);
    expect(went, went.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("dialing goes on") });
    const again = await stage.outdial(["stop-all", "--reason", "not mended"], dead);
    expect(again, again.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("everything is stopped"),
    });
    expect(dials()).toBe(dialsThen);
    expect(await stage.outdial(["go-on", "--reason", "mended now"], dead)).toMatchObject({ code: 0 });

    // Temporal's data is lost with it: a server of its own, and the ledger tells it what to do.
    const { TEMPORAL_ADDRESS: _dead, ...provided } = settings;
    const done = await stage.outdial(["run", spec, "--contacts", list, "--json"], provided);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(finalLine(done)).toMatchObject({ state: "completed", contacts: { total: 50, done: 50, open: 0 } });
    expect(Math.max(...dialsOf(stage, list))).toBeLessThanOrEqual(2);
  });
});
