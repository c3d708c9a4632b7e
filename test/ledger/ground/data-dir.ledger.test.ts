import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";

import { lockDataDir } from "../../../src/ledger/ground/data-dir-lock.ts";
import { LedgerLockedError, lockPath, readLockRecord } from "../../../src/ledger/ground/lock-record.ts";
import { openEmbeddedLedger } from "../../../src/ledger/ground/embedded.ts";
import { readInstallation } from "../../../src/ledger/ground/installation.ts";
import { freshDataDir, given } from "../../support/ledgers.ts";
import { builtFolder } from "../../support/build.ts";
import { runChild, type Child } from "../support/child.ts";

/* The lock of a data folder, between real processes. */

const HOLD = `
  const { lockDataDir } = await import(LEDGER + "/ledger/ground/data-dir-lock.js");
  const lock = lockDataDir(ARGS.dataDir);
  lock.announce("http://127.0.0.1:4711");
  say({ pid: process.pid, token: lock.token, crashedMachine: lock.crashedMachine });
  await told;
  lock.release();
  say("released");
`;

let built: string | undefined;
const children: Child[] = [];
const folders: string[] = [];

beforeAll(async () => {
  built = await builtFolder();
});
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

/** An empty folder: the lock asks for nothing more. */
function dataDir(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-lock-"));
  folders.push(folder);
  return folder;
}

function child(program: string, folder: string): Child {
  const started = runChild(given(built), program, { dataDir: folder });
  children.push(started);
  return started;
}

/** Starts a process that holds the folder's lock and waits until it does. */
async function holder(folder: string): Promise<{ process: Child; said: { pid: number; token: string } }> {
  const started = child(HOLD, folder);
  return { process: started, said: JSON.parse(await started.line((line) => line.includes("pid"))) };
}

/** The record as a machine that has been booted since would find it. */
function asBeforeBoot(folder: string): void {
  const record = given(readLockRecord(folder));
  fs.writeFileSync(lockPath(folder), JSON.stringify({ ...record, bootId: "the boot before" }));
}

describe("the lock of a data folder", () => {
  it("is refused to a second process, which is told who holds it, since when and where to ask", async () => {
    const folder = dataDir();
    const { said } = await holder(folder);
    const refusal = await openEmbeddedLedger(folder).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LedgerLockedError);
    expect(String(refusal)).toContain(`process ${said.pid} since 20`);
    expect(String(refusal)).toContain("OUTDIAL_DATA_DIR");
    expect(refusal).toMatchObject({
      holder: { pid: said.pid, token: said.token, address: "http://127.0.0.1:4711", closed: false },
    });
  });

  it("is refused to a second opener in the same process", () => {
    const folder = dataDir();
    const lock = lockDataDir(folder);
    expect(() => lockDataDir(folder)).toThrow(LedgerLockedError);
    lock.release();
    lockDataDir(folder).release();
  });

  it("keeps the token to the owner of the file", async () => {
    const folder = path.join(dataDir(), "new", "folder");
    const { said } = await holder(folder);
    expect(fs.statSync(lockPath(folder)).mode & 0o777).toBe(0o600);
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    expect(said.token.length).toBeGreaterThanOrEqual(32);
  });

  it("is free again when its holder is killed, and no crash of the machine is made of that", async () => {
    const folder = dataDir();
    const { process: killed, said } = await holder(folder);
    await killed.kill();
    expect(readLockRecord(folder)).toMatchObject({ pid: said.pid, closed: false });
    const lock = lockDataDir(folder);
    expect(lock.crashedMachine).toBe(false);
    expect(lock.token).not.toBe(said.token);
    lock.release();
  });

  it("is free again when its holder has released it, and then says nothing of where to ask", async () => {
    const folder = dataDir();
    const { process: finished } = await holder(folder);
    expect(await finished.finish()).toBe(0);
    const record = given(readLockRecord(folder));
    expect([record.closed, record.token, record.address]).toEqual([true, undefined, undefined]);
    lockDataDir(folder).release();
  });

  it("is got by one of several processes that want it at once", async () => {
    const folder = dataDir();
    const all = Array.from({ length: 4 }, () => child(HOLD, folder));
    const ends = await Promise.all(
      all.map((one) =>
        Promise.race([
          one.line((line) => line.includes("pid")).then(() => "holds"),
          one.ended.then(() => "refused"),
        ]).catch(() => "refused"),
      ),
    );
    expect(ends.sort()).toEqual(["holds", "refused", "refused", "refused"]);
  });

  it("does not stumble over a file that makes no sense", () => {
    const folder = dataDir();
    for (const text of [
      "",
      "{",
      "[]",
      '{"pid":"x"}',
      "\0\0\0",
      '{"pid":1,"bootId":"b","since":"s","closed":fal',
    ]) {
      fs.writeFileSync(lockPath(folder), text);
      expect(readLockRecord(folder)).toBeUndefined();
      const lock = lockDataDir(folder);
      // A process that is killed leaves the old record or the new one: only a crash of the machine does this.
      expect(lock.crashedMachine).toBe(true);
      lock.release();
    }
  });

  it("always has a record that makes sense, however long or short the one before was", () => {
    const folder = dataDir();
    const lock = lockDataDir(folder);
    for (const length of [10, 2_000, 10]) {
      const address = `http://127.0.0.1/${"x".repeat(length)}`;
      lock.announce(address);
      expect(readLockRecord(folder)).toMatchObject({ address, closed: false });
    }
    lock.release();
    expect(readLockRecord(folder)).toMatchObject({ closed: true, crashed: false });
  });

  it("is not there before anybody asked for it", () => {
    expect(readLockRecord(dataDir())).toBeUndefined();
  });
});

describe("the folder of the embedded ledger", () => {
  const modeOf = (folder: string) => fs.statSync(folder).mode & 0o777;

  it("is its owner's alone in a data folder that others may look into, which keeps its own mode", async () => {
    const folder = dataDir();
    fs.chmodSync(folder, 0o755);
    const inner = path.join(folder, "ledger");
    await (await openEmbeddedLedger(folder)).close();
    expect(modeOf(inner)).toBe(0o700);
    // As versions before made it.
    fs.chmodSync(inner, 0o755);
    await (await openEmbeddedLedger(folder)).close();
    expect(modeOf(inner)).toBe(0o700);
    expect(modeOf(folder)).toBe(0o755);
  });
});

describe("a machine that went down with the ledger open", () => {
  it("is noticed, and nothing is dialed until it is recovered", async () => {
    const folder = freshDataDir();
    folders.push(folder);
    const { process: killed } = await holder(folder);
    await killed.kill();
    asBeforeBoot(folder);
    const ledger = await openEmbeddedLedger(folder);
    expect((await readInstallation(ledger.db)).recoveryReason).toContain("the machine went down");
    await ledger.close();
    // Closing it does not recover it.
    const again = await openEmbeddedLedger(folder);
    expect((await readInstallation(again.db)).recoveryReason).toContain("the machine went down");
    await again.close();
  });

  it("is noticed where its lock file was torn", async () => {
    const folder = freshDataDir();
    folders.push(folder);
    fs.writeFileSync(lockPath(folder), "\0\0\0\0");
    const ledger = await openEmbeddedLedger(folder);
    expect((await readInstallation(ledger.db)).recoveryReason).toContain("the machine went down");
    await ledger.close();
  });

  it("is still known when the first that opened the ledger after it failed", async () => {
    const folder = freshDataDir();
    folders.push(folder);
    const { process: killed } = await holder(folder);
    await killed.kill();
    asBeforeBoot(folder);
    const base = path.join(folder, "ledger", "base");
    fs.renameSync(base, `${base}.away`);
    await expect(openEmbeddedLedger(folder)).rejects.toThrow();
    expect(readLockRecord(folder)).toMatchObject({ closed: true, crashed: true });
    fs.renameSync(`${base}.away`, base);
    const ledger = await openEmbeddedLedger(folder);
    expect((await readInstallation(ledger.db)).recoveryReason).toContain("the machine went down");
    expect(readLockRecord(folder)).toMatchObject({ crashed: false });
    await ledger.close();
  });

  it("is still known when whoever opened its folder first was killed at it, or only announced itself", async () => {
    const folder = dataDir();
    const { process: killed } = await holder(folder);
    await killed.kill();
    asBeforeBoot(folder);
    const { process: next } = await holder(folder);
    expect(readLockRecord(folder)).toMatchObject({ crashed: true, address: "http://127.0.0.1:4711" });
    await next.kill();
    const lock = lockDataDir(folder);
    expect(lock.crashedMachine).toBe(true);
    lock.forgetCrash();
    lock.release();
    const after = lockDataDir(folder);
    expect(after.crashedMachine).toBe(false);
    after.release();
  });

  it("before its ledger was made has lost nothing", async () => {
    const folder = dataDir();
    fs.writeFileSync(lockPath(folder), "");
    const ledger = await openEmbeddedLedger(folder);
    expect((await readInstallation(ledger.db)).recoveryReason).toBeUndefined();
    await ledger.close();
    expect(readLockRecord(folder)).toMatchObject({ closed: true, crashed: false });
  });

  it("is told from one that was only booted after the ledger was closed", async () => {
    const folder = dataDir();
    const { process: finished } = await holder(folder);
    await finished.finish();
    asBeforeBoot(folder);
    const lock = lockDataDir(folder);
    expect(lock.crashedMachine).toBe(false);
    lock.release();
  });
});
