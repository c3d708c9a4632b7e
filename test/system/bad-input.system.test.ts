import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { lockDataDir } from "../../src/ledger/ground/data-dir-lock.ts";
import { given } from "../support/ledgers.ts";
import {
  closedPort,
  dialsOf,
  endOf,
  expectRefusal,
  finalLine,
  openStage,
  type Ended,
  type Environment,
  type Stage,
} from "./support/stage.ts";

describe("bad input gets one message with the remedy, and leaves nothing half", () => {
  let stage: Stage;
  let dataDir: string;
  let list: string;
  let good: string;
  beforeAll(async () => {
    stage = await openStage();
    dataDir = stage.dataDir();
    list = stage.list(8);
    good = stage.spec("after all that");
  });
  afterAll(() => stage.close());

  const run = (spec: string, contacts: string, changes: Environment = {}): Promise<Ended> =>
    stage.outdial(["run", spec, "--contacts", contacts], stage.settings(dataDir, changes));
  const wrong = (changes: string) => stage.spec("wrong", changes);

  it("a campaign file that is not one", async () => {
    expectRefusal(await run("/nowhere/campaign.yaml", list), 2, "/nowhere/campaign.yaml", "check the path");
    expectRefusal(await run(stage.file("broken.yaml", "name: [\n"), list), 2, /broken\.yaml:2: is not YAML/);
    expectRefusal(await run(list, list), 2, "holds no campaign", "begin with `name: ...`");
  });

  it("a spec with an unknown field", async () => {
    expectRefusal(
      await run(wrong("concurency: 5"), list),
      2,
      "wrong.yaml has a problem",
      "concurency: is not a field of a campaign spec (is concurrency meant?): remove it, or check its spelling",
    );
  });

  it("concurrency 0", async () => {
    expectRefusal(await run(wrong("concurrency: 0"), list), 2, "concurrency: must be 1 or more");
  });

  it("several problems of a spec are told at once, in words", async () => {
    const spec = wrong("concurrency: 0\nagent_id: 7\nfrom_numbers: []\nwindw: always\nends_at: soon");
    const refused = await run(spec, list);
    expectRefusal(
      refused,
      2,
      "5 problems",
      "agent_id: must be text",
      "from_numbers: must have 1 or more",
      "concurrency: must be 1 or more",
      "windw: is not a field",
      "ends_at: must be an ISO 8601 time",
    );
  });

  it("a contact file that is missing, empty, without rows, without a phone column, or with nobody in it", async () => {
    expectRefusal(await run(good, "/nowhere/list.csv"), 2, "/nowhere/list.csv", "check the path");
    expectRefusal(await run(good, stage.file("empty.csv", "")), 2, "empty.csv: The file is empty");
    expectRefusal(await run(good, stage.file("header.csv", "phone,name\n")), 2, "header.csv", "add contacts");
    expectRefusal(
      await run(good, stage.file("names.csv", "name,street\nAda,Main\n")),
      2,
      "names.csv",
      '--map phone="name"',
    );
    expectRefusal(
      await run(good, stage.file("nobody.csv", "phone,name\nsoon,Ada\n12,Bob\n")),
      2,
      "nobody in nobody.csv can be called: none of its 2 rows makes a contact (line 2:",
    );
  });

  it("an unknown agent, an agent that is a draft, and a number that is not owned", async () => {
    const unknown = "99999999-9999-4999-8999-999999999999";
    expectRefusal(await run(wrong(`agent_id: ${unknown}`), list), 2, unknown, "check the id");
    const draft = "22222222-2222-4222-8222-222222222222";
    const refused = await run(wrong(`agent_id: ${draft}\nfrom_numbers: ["+12025550199"]`), list);
    expectRefusal(refused, 2, /agent_id: .* is a draft: publish it/, /\+12025550199 .*: register it there/);
  });

  it("a key that the platform refuses", async () => {
    const key = "sk-not-a-key-of-this-platform-77";
    const refused = await run(good, list, { PLATFORM_API_KEY: key });
    expectRefusal(refused, 2, "the platform refuses the key: set PLATFORM_API_KEY");
    expect(refused.stderr).not.toContain(key);
  });

  it("settings that are wrong are named together, with examples and without secrets", async () => {
    const refused = await run(good, list, {
      PLATFORM_BASE_URL: "platform.example.com",
      TEMPORAL_ADDRESS: "nowhere",
      OUTDIAL_SPEED: "fast",
      DATABASE_URL: "mysql://me:hunter2hunter2@db/x",
    });
    expectRefusal(refused, 2, "4 problems", "PLATFORM_BASE_URL", "TEMPORAL_ADDRESS", "OUTDIAL_SPEED");
    expect(refused.stderr).toContain("for example DATABASE_URL=postgres://");
    expect(refused.stderr).not.toContain("hunter2");
    expectRefusal(await run(good, list, { PLATFORM_BASE_URL: "" }), 2, "PLATFORM_BASE_URL", "--sandbox");
  });

  it("Temporal, the platform or PostgreSQL that does not answer", async () => {
    const nobody = `127.0.0.1:${await closedPort()}`;
    expectRefusal(
      await run(good, list, { TEMPORAL_ADDRESS: nobody }),
      1,
      `no Temporal server answers at TEMPORAL_ADDRESS=${nobody}`,
      "start that server, correct TEMPORAL_ADDRESS",
    );
    expectRefusal(
      await run(good, list, { PLATFORM_BASE_URL: `http://${nobody}` }),
      1,
      "the platform does not answer: check PLATFORM_BASE_URL",
    );
    const url = `postgres://me:hunter2hunter2@${nobody}/outdial`;
    const refused = await run(good, list, { DATABASE_URL: url });
    expectRefusal(refused, 1, "PostgreSQL", "check DATABASE_URL, and that the server runs");
    expect(refused.stderr).not.toContain("hunter2");
  });

  it.skipIf(inject("postgresUrl") === undefined)("a PostgreSQL without that database", async () => {
    const url = new URL(given(inject("postgresUrl")));
    url.pathname = "/not_there";
    expectRefusal(await run(good, list, { DATABASE_URL: url.href }), 1, '"not_there"', "check DATABASE_URL");
  });

  it("a data folder that leads through a file", async () => {
    const refused = await run(good, list, { OUTDIAL_DATA_DIR: path.join(list, "data") });
    expectRefusal(refused, 1, "the data folder", "set OUTDIAL_DATA_DIR to another folder");
  });

  it("a ledger that another process holds without saying anything is waited for, and says whose it is", async () => {
    const lock = lockDataDir(dataDir);
    const own = ["run", good, "--contacts", list, "--sandbox"];
    const settings = stage.settings(dataDir);
    const holder = `process ${process.pid}`;
    try {
      expectRefusal(
        await stage.outdial(own, settings),
        1,
        holder,
        "end that process, or set OUTDIAL_DATA_DIR",
      );
      expectRefusal(await stage.outdial(["campaign", "list"], settings), 1, holder, dataDir);
      const waiting = stage.start(["run", good, "--contacts", list], settings);
      await waiting.waitFor(new RegExp(`${holder} holds the data folder and does not answer yet`));
      waiting.child.kill("SIGINT");
      const left = await endOf(waiting, "a run that waits");
      expect(left).toMatchObject({ code: 130 });
      expect(`${left.stdout}${left.stderr}`).toContain("the same command carries on");
    } finally {
      lock.release();
    }
  });

  it("the corrected command then works on the same data folder, and calls each contact as often as it says", async () => {
    expect(stage.sandbox.dialLog.length, "nobody was dialed by any of that").toBe(0);
    const done = await stage.outdial(["run", good, "--contacts", list, "--json"], stage.settings(dataDir));
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const line = finalLine(done);
    expect(line).toMatchObject({ state: "completed", contacts: { total: 8, done: 8, excluded: 0, open: 0 } });
    const dials = dialsOf(stage, list);
    expect(dials.reduce((sum, n) => sum + n, 0)).toBe(line.attempts);
    expect(Math.min(...dials)).toBe(1);
    expect(Math.max(...dials)).toBeLessThanOrEqual(2);
    const listed = await stage.outdial(["run", good, "--contacts", list], stage.settings(dataDir));
    expect(listed.stdout).toContain("(run 1)");
  });
});

const canMount = process.platform === "linux" && process.getuid?.() === 0 && mounts();
if (!canMount) console.warn("\nSKIPPED: full and read-only disks, because this user can mount none here.\n");

describe.skipIf(!canMount)("a disk that is full or read-only", () => {
  let stage: Stage;
  let disk: string;
  beforeAll(async () => {
    stage = await openStage();
    disk = path.join(stage.folder, "disk");
    fs.mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=10m", "tmpfs", disk]);
  });
  afterAll(async () => {
    execFileSync("umount", [disk]);
    await stage.close();
  });

  it("is told with the remedy, leaves no half of a ledger, and the same command works once there is room", async () => {
    const spec = stage.spec("on a small disk");
    const list = stage.list(3);
    const settings = stage.settings(path.join(disk, "data"));
    const command = ["run", spec, "--contacts", list];
    const remount = (options: string) => execFileSync("mount", ["-o", `remount,${options}`, disk]);
    remount("ro");
    expectRefusal(
      await stage.outdial(command, settings),
      1,
      "the data folder",
      "the disk can only be read",
      "OUTDIAL_DATA_DIR",
    );
    remount("rw");
    expectRefusal(
      await stage.outdial(command, settings),
      1,
      "the disk under the data folder is full: make room",
    );
    expect(fs.readdirSync(path.join(disk, "data")).filter((name) => name.startsWith("ledger"))).toEqual([
      "ledger.lock",
    ]);
    remount("size=300m");
    const done = await stage.outdial([...command, "--json"], settings);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(dialsOf(stage, list).reduce((sum, n) => sum + n, 0)).toBe(finalLine(done).attempts);

    // Nearly full again, with a ledger on it: PGlite would not survive to meet the end of the disk.
    remount("size=90m");
    const next = stage.list(3);
    const another = ["run", stage.spec("when it fills up"), "--contacts", next, "--json"];
    const refused = await stage.outdial(another.slice(0, -1), settings);
    expect(refused, refused.stderr).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("the disk under the ledger is almost full: make room");
    expect(dialsOf(stage, next)).toEqual([0, 0, 0]);
    remount("size=300m");
    const taken = await stage.outdial(another, settings);
    expect(taken, taken.stderr).toMatchObject({ code: 0 });
    expect(dialsOf(stage, next).reduce((sum, n) => sum + n, 0)).toBe(finalLine(taken).attempts);
  });
});

/** A container's root often may not. */
function mounts(): boolean {
  const folder = fs.mkdtempSync("/tmp/outdial-mount-");
  try {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    fs.rmdirSync(folder);
  }
}
