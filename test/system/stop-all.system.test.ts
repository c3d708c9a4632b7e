import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { until } from "../support/engine.ts";
import { closedPort, dialsOf, expectRefusal, finalLine, openStage, type Stage } from "./support/stage.ts";

describe("outdial stop-all while Temporal is dead", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({}, { ownTemporal: true });
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

describe("outdial stop-all from a shell, with nothing else that helps", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("names a process that hangs on the ledger within seconds, and stops once that is gone", async () => {
    const settings = stage.settings(stage.dataDir());
    const server = stage.start(["server"], {
      ...settings,
      OUTDIAL_API_PORT: "0",
      OUTDIAL_LOG_LEVEL: "info",
    });
    await server.waitFor(/the server runs/);
    server.child.kill("SIGSTOP");
    const begunMs = Date.now();
    const held = await stage.outdial(["stop-all"], settings);
    expectRefusal(
      held,
      1,
      `process ${server.child.pid} holds the ledger in `,
      "does not answer",
      /kill -9 \d+/,
    );
    // Some seconds on a machine that is busy with other tests, too.
    expect(Date.now() - begunMs).toBeLessThan(30_000);
    await server.kill();
    const stopped = await stage.outdial(["stop-all"], settings);
    expect(stopped, stopped.stderr).toMatchObject({ code: 0 });
  });

  it("writes the stop down without the platform's settings, and says what that leaves", async () => {
    const settings = stage.settings(stage.dataDir());
    const spec = stage.spec("no settings", "concurrency: 3");
    const list = stage.list(50);
    const dials = () => dialsOf(stage, list).reduce((sum, n) => sum + n, 0);
    const asUsual = stage.slowCalls();
    const run = stage.start(["run", spec, "--contacts", list], settings);
    await until("dials", () => dials() >= 3);
    await run.kill();
    const { OUTDIAL_DATA_DIR = "" } = settings;
    const left = await stage.outdial(["stop-all", "--reason", "wrong list"], { OUTDIAL_DATA_DIR });
    asUsual();
    expect(left, left.stderr).toMatchObject({ code: 1, stderr: "" });
    expect(left.stdout).toContain("everything is stopped");
    expect(left.stdout).toMatch(/could not be paused from here \(PLATFORM_BASE_URL and PLATFORM_API_KEY/);
    expect(left.stdout).not.toContain("--sandbox");
    const whole = await stage.outdial(["stop-all", "--reason", "wrong list", "--json"], settings);
    expect(whole, whole.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(whole.stdout)).toMatchObject({ stopped: true, in_flight: { uncertain: 0 } });
    const dialsThen = dials();
    await until("calls to end", () => stage.sandbox.stats().activeCalls === 0);
    expect(dials()).toBe(dialsThen);
  });
});
