import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { recover } from "../../../src/chores/recovery/recover.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { openEmbeddedLedger } from "../../../src/ledger/ground/embedded.ts";
import { readInstallation } from "../../../src/ledger/ground/installation.ts";
import { expectAccounted } from "../../support/accounts.ts";
import { phoneNumbers, startEngine, startTestCampaign, until, untilOver } from "../../support/engine.ts";
import { freshDataDir } from "../../support/ledgers.ts";

it("a ledger restored from a backup stops dialing, and after recovery nobody was dialed beyond their attempts", async () => {
  const dataDir = freshDataDir();
  const backup = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-backup-"));
  const engine = await startEngine(await openEmbeddedLedger(dataDir), { speed: 100 });
  const reopen = async () => {
    engine.deps.ledger = await openEmbeddedLedger(dataDir);
    await engine.startWorkers();
  };
  const shut = async () => {
    await engine.stopWorkers();
    await engine.ledger.close();
  };
  try {
    await engine.startWorkers();
    const phones = phoneNumbers(120, 400_000);
    const id = await startTestCampaign(engine, phones, { concurrency: 12 });
    await until("some dials", () => engine.sandbox.dialLog.length > 30);
    await shut();
    fs.cpSync(dataDir, backup, { recursive: true });
    await reopen();
    // A batch takes a hundred people at most: more dials are of one that the backup does not have.
    await until("the dials of another batch", () => engine.sandbox.dialLog.length > 105);
    await shut();
    fs.rmSync(dataDir, { recursive: true });
    fs.cpSync(backup, dataDir, { recursive: true });
    const dialsAtRestore = engine.sandbox.dialLog.length;
    await reopen();
    await until("the ledger to be found old", async () => {
      engine.deps.wake.campaign(id);
      return (await readInstallation(engine.ledger.db)).recoveryReason;
    });
    // What was started before the restore runs on; nothing new is.
    await until("the calls to end", () => engine.sandbox.stats().activeCalls === 0);
    const report = await recover(engine.deps, { actor: "test" });
    expect(report.adoptedBatches).toBeGreaterThan(0);
    expect(report.adoptedAttempts).toBeGreaterThan(0);
    expect(engine.sandbox.dialLog.length).toBeGreaterThanOrEqual(dialsAtRestore);
    engine.deps.wake.campaign(id);
    expect((await untilOver(engine, id)).state).toBe("completed");
    await expectAccounted(engine, id);
    const contacts = await rows<{ phone: string; attempts: number }>(
      engine.ledger.db,
      sql`select phone, attempts from contacts where campaign_id = ${id}::uuid`,
    );
    for (const contact of contacts) {
      expect(engine.sandbox.dialLog.of(contact.phone).length).toBeLessThanOrEqual(contact.attempts);
      expect(contact.attempts).toBeLessThanOrEqual(3);
    }
  } finally {
    await engine.close();
    await engine.ledger.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
    fs.rmSync(backup, { recursive: true, force: true });
  }
});
