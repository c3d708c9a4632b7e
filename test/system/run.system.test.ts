import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openEmbeddedLedger } from "../../src/ledger/ground/embedded.ts";
import { expectAccounted } from "../support/accounts.ts";
import { until } from "../support/engine.ts";
import {
  dialsOf,
  endOf,
  expectRefusal,
  finalLine,
  openStage,
  specText,
  type Environment,
  type FinalLine,
  type Stage,
} from "./support/stage.ts";

/** Enough slots and contacts that a run is in its midst for some seconds. */
const SLOW = "concurrency: 4";
const MANY = 60;

describe("outdial run on the embedded ledger", () => {
  let stage: Stage;
  let dataDir: string;
  let settings: Environment;
  beforeAll(async () => {
    stage = await openStage();
    dataDir = stage.dataDir();
    settings = stage.settings(dataDir);
  });
  afterAll(() => stage.close());

  const command = (spec: string, list: string, ...more: string[]) => [
    "run",
    spec,
    "--contacts",
    list,
    "--json",
    ...more,
  ];
  const dialsUp = (list: string) => dialsOf(stage, list).reduce((sum, n) => sum + n, 0);
  const someDials = (list: string, count: number) => until(`${count} dials`, () => dialsUp(list) >= count);

  /** Holds the report against the witness and the ledger: everybody once an attempt, nobody lost. */
  async function expectDone(line: FinalLine, list: string): Promise<void> {
    expect(line).toMatchObject({ state: "completed", contacts: { open: 0 } });
    const ledger = await openEmbeddedLedger(dataDir);
    try {
      await expectAccounted({ ledger, sandbox: stage.sandbox }, line.campaign_id);
    } finally {
      await ledger.close();
    }
    // An attempt whose start nobody saw answered counts as dialed, though it may not have been.
    expect(dialsUp(list)).toBeLessThanOrEqual(line.attempts);
    expect(Math.max(...dialsOf(stage, list))).toBeLessThanOrEqual(2);
  }

  it("ends with the report; again it prints the report and dials nobody", async () => {
    const spec = stage.spec("spring renewal");
    const list = stage.list(20);
    fs.appendFileSync(list, `soon,Nobody\n${fs.readFileSync(list, "utf8").split("\n")[1]}\n`);
    const done = await stage.outdial(command(spec, list), settings);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const line = finalLine(done);
    expect(line).toMatchObject({
      campaign_id: expect.stringMatching(/^[\da-f-]{36}$/),
      state: "completed",
      rows: { read: 22, rejected: 1, duplicate: 1 },
      contacts: { total: 20, done: 20, excluded: 0, open: 0 },
      attempts: dialsUp(list),
      dispositions: { answered: expect.any(Number) },
    });
    expect(done.stdout.trimEnd().split("\n"), "the object alone is on standard output").toHaveLength(1);
    expect(fs.readFileSync(String(line.results_csv), "utf8").trimEnd().split("\n")).toHaveLength(21);

    const before = stage.sandbox.dialLog.length;
    const again = await stage.outdial(command(spec, list), settings);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("nobody is dialed") });
    // What calls cost is told later, and corrects what they were taken to cost.
    expect({ ...finalLine(again), money: undefined }).toEqual({ ...line, money: undefined });
    expect(stage.sandbox.dialLog.length).toBe(before);

    const changed = stage.spec("spring renewal", "concurrency: 7");
    expectRefusal(
      await stage.outdial(command(changed, stage.list(2)), settings),
      1,
      'campaign "spring renewal" is completed (run 1)',
      "concurrency: was 20, is now 7",
      /contacts: were list-\d+\.csv \([\da-f]+\), is now list-\d+\.csv/,
      "--new",
    );
    expect(stage.sandbox.dialLog.length).toBe(before);

    const second = await stage.outdial(command(changed, list, "--new"), settings);
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining("created (run 2") });
    expect(finalLine(second).campaign_id).not.toBe(line.campaign_id);
    expect(Math.min(...dialsOf(stage, list))).toBeGreaterThanOrEqual(2);
  });

  it("comes to its end with a sandbox of its own, in the dialect of published clients", async () => {
    const spec = stage.spec("as published");
    const list = stage.list(20);
    const done = await stage.outdial(
      command(spec, list, "--sandbox", "--speed", "200"),
      stage.settings(stage.dataDir(), { PLATFORM_BASE_URL: "", OUTDIAL_SANDBOX_DIALECT: "published" }),
    );
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(done.stderr).toMatch(/sandbox at http:\/\/127\.0\.0\.1:\d+\/api,/);
    expect(finalLine(done)).toMatchObject({ state: "completed", contacts: { total: 20, done: 20, open: 0 } });
  });

  it("carries on after kill -9, refuses a changed spec with the difference, and takes it with --amend", async () => {
    const spec = stage.spec("killed", SLOW);
    const list = stage.list(MANY);
    const killed = stage.start(command(spec, list), settings);
    await someDials(list, 5);
    await killed.kill();

    const faster = stage.spec("killed", "concurrency: 30");
    expectRefusal(
      await stage.outdial(["run", faster, "--contacts", list], settings),
      1,
      'campaign "killed" is running, and not with what you gave now',
      "concurrency: was 4, is now 30",
      "--amend",
    );
    const other = stage.spec("killed", 'concurrency: 30\nfrom_numbers: ["+12025550101"]');
    expectRefusal(
      await stage.outdial(["run", other, "--contacts", list, "--amend"], settings),
      1,
      "from_numbers: was",
      "call it by another name, or cancel it and use --new",
    );
    expectRefusal(
      await stage.outdial(["run", spec, "--contacts", list, "--new"], settings),
      1,
      "a new run beside it would call the same people",
      "outdial campaign cancel killed",
    );

    fs.writeFileSync(spec, specText("killed", "concurrency: 30"));
    const more = stage.list(5);
    const amended = await stage.outdial(command(spec, more, "--amend"), settings);
    expect(amended, amended.stderr).toMatchObject({ code: 0 });
    expect(amended.stderr).toContain("amended (concurrency): policy version 2 is in force");
    const line = finalLine(amended);
    expect(line.contacts.total).toBe(MANY + 5);
    await expectDone(line, list);
    await expectDone(line, more);
  });

  it("stops new calls at the first Ctrl-C, waits for those that are up, and the same command carries on", async () => {
    const spec = stage.spec("interrupted", SLOW);
    const list = stage.list(MANY);
    const asUsual = stage.slowCalls();
    const run = stage.start(command(spec, list), settings);
    await someDials(list, 5);
    run.child.kill("SIGINT");
    await run.waitFor(/stopping: no new call is to begin/);
    await run.waitFor(/no new call begins/);
    const dialsThen = dialsUp(list);
    const left = await endOf(run, "an interrupted run");
    expect(left, left.stderr).toMatchObject({ code: 130 });
    expect(left.stderr).toContain('campaign "interrupted" is paused: the same command carries on with it');
    expect(finalLine(left)).toMatchObject({ state: "paused", results_csv: null });
    expect(stage.sandbox.stats().activeCalls).toBe(0);
    expect(dialsUp(list)).toBeLessThanOrEqual(dialsThen + 4);

    const carried = stage.start(command(spec, list), settings);
    await carried.waitFor(/carrying on with it/);
    await someDials(list, dialsUp(list) + 3);
    carried.child.kill("SIGINT");
    await carried.waitFor(/stopping: no new call is to begin/);
    carried.child.kill("SIGINT");
    const atOnce = await endOf(carried, "a run that is interrupted twice");
    asUsual();
    expect(atOnce).toMatchObject({ code: 130 });
    expect(atOnce.stderr).toContain("left at once; nothing is lost, and the same command carries on");

    let last = await stage.outdial(command(spec, list), settings);
    if (last.code === 3) {
      // The pause of the run that left at once was still on its way, and came into this one.
      expect(last.stderr).toContain("was interrupted, which paused it; running one again carries on");
      last = await stage.outdial(command(spec, list), settings);
    }
    expect(last, last.stderr).toMatchObject({ code: 0 });
    await expectDone(finalLine(last), list);
  });

  it("a second run joins the first, and both end with the report; paused by an operator, a run says who resumes", async () => {
    const spec = stage.spec("joined", SLOW);
    const list = stage.list(MANY);
    const asUsual = stage.slowCalls();
    const first = stage.start(command(spec, list), settings);
    await someDials(list, 3);
    const paused = await stage.outdial(["campaign", "pause", "joined", "--reason", "lunch"], settings);
    asUsual();
    expect(paused, paused.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("joined is paused"),
    });
    const held = await stage.outdial(command(spec, list), settings);
    expect(held, held.stderr).toMatchObject({ code: 3 });
    expect(held.stderr).toContain(`a system runs already (process ${first.child.pid})`);
    expect(held.stderr).toMatch(
      /was paused \(lunch\) and stays so: resume it with `outdial campaign resume joined --data-dir /,
    );
    expect(finalLine(held)).toMatchObject({ state: "paused" });

    expect(await stage.outdial(["campaign", "resume", "joined"], settings)).toMatchObject({ code: 0 });
    const second = await stage.outdial(command(spec, list), settings);
    expect(second, second.stderr).toMatchObject({ code: 0 });
    const ended = await endOf(first, "the run that was joined");
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    // What calls cost is told after their end, so that the later of two reports may know more of it.
    expect({ ...finalLine(second), money: undefined }).toEqual({ ...finalLine(ended), money: undefined });
    await expectDone(finalLine(ended), list);
  });

  it("a list that breaks off is refused whole, and taken as far as it goes with --partial", async () => {
    const spec = stage.spec("broken list");
    const list = stage.list(10);
    fs.appendFileSync(list, '+12025559999,"a quote without an end\n');
    const before = stage.sandbox.dialLog.length;
    expectRefusal(await stage.outdial(command(spec, list), settings), 2, /list-\d+\.csv, line 12: .*quote/);
    expect(stage.sandbox.dialLog.length).toBe(before);
    const partial = await stage.outdial(command(spec, list, "--partial"), settings);
    expect(partial, partial.stderr).toMatchObject({ code: 0 });
    expect(partial.stderr).toContain("was taken in part");
    expect(finalLine(partial).contacts.total).toBe(10);
  });
});
