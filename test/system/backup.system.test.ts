import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

import { until } from "../support/until.ts";
import { dialsOf, endOf, finalLine, openStage, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const CONTACTS = 200;

it("a system that is backed up while it dials, and whose data folder is lost after that, goes on elsewhere and dials nobody twice", async () => {
  const undo = stage.slowCalls();
  const before = stage.dataDir();
  const settings = stage.settings(before, { OUTDIAL_API_PORT: "0", OUTDIAL_LOG_LEVEL: "info" });
  const list = stage.list(CONTACTS);
  const spec = stage.spec("backed up", "concurrency: 6\nretry: { max_attempts: 1 }");
  const run = ["run", spec, "--contacts", list, "--json"];
  const dialed = () => dialsOf(stage, list).filter((dials) => dials > 0).length;
  const server = stage.start(["server"], settings);
  await server.waitFor(/"apiUrl":"([^"]+)"/);
  await stage.outdial(["campaign", "create", spec, "--contacts", list], settings);
  await stage.outdial(["campaign", "start", "backed up"], settings);
  await until("first dials", () => dialed() >= 5);

  const backup = path.join(stage.folder, "backup");
  const made = await stage.outdial(["backup", backup, "--json"], settings);
  expect(made, made.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(made.stdout)).toMatchObject({
    folder: backup,
    kind: "embedded",
    counts: { contacts: CONTACTS },
  });
  expect(fs.readdirSync(before).filter((name) => name.startsWith("ledger.copy-"))).toEqual([]);
  const atBackup = dialed();
  await until("dials that the backup does not know", () => dialed() >= atBackup + 8);
  await server.kill();
  fs.rmSync(before, { recursive: true });

  const after = path.join(stage.folder, "elsewhere");
  const moved = { ...settings, OUTDIAL_DATA_DIR: after };
  const restored = await stage.outdial(["restore", backup], moved);
  expect(restored, restored.stderr).toMatchObject({ code: 0 });
  expect(restored.stdout).toMatch(/dialing is held/);
  // It is held from the first moment, whoever dials with it.
  const going = stage.start(run, moved);
  await going.waitFor(/held: dialing is held until the ledger is recovered/);
  const wasDialed = dialed();
  const recovered = await stage.outdial(
    ["recover", "--suppressions-complete", "--withdrawals-complete"],
    moved,
  );
  expect(recovered, recovered.stderr).toMatchObject({ code: 0 });
  expect(wasDialed).toBeLessThan(CONTACTS);
  undo();
  const finished = await endOf(going, "the run that goes on");
  expect(finished, finished.stderr).toMatchObject({ code: 0 });
  expect(finalLine(finished)).toMatchObject({ state: "completed", contacts: { done: CONTACTS, open: 0 } });
  expect(dialsOf(stage, list).filter((dials) => dials !== 1)).toEqual([]);
});
