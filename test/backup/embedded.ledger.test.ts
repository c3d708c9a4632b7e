import { sql } from "drizzle-orm";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { backUp } from "../../src/backup/back-up.ts";
import { BackupError, type Manifest } from "../../src/backup/manifest.ts";
import { restore } from "../../src/backup/restore.ts";
import { writeAudit } from "../../src/ledger/ground/audit.ts";
import { rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import { openEmbeddedLedger } from "../../src/ledger/ground/embedded.ts";
import { readInstallation } from "../../src/ledger/ground/installation.ts";
import { LedgerLockedError } from "../../src/ledger/ground/lock-record.ts";
import { freshPhones, NOW_MS, running } from "../ledger/support/scenario.ts";
import { freshDataDir, given } from "../support/ledgers.ts";
import { LET_IN, letIn, signedIn } from "./support.ts";

/** All that a test makes is gone after it. */
function freshFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-backup-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function folderOfLedger(): string {
  const dataDir = freshDataDir();
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function withLedgerOf<T>(dataDir: string, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = await openEmbeddedLedger(dataDir);
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

async function countOf(ledger: Ledger, action: string): Promise<number> {
  const found = await rows(ledger.db, sql`select 1 as one from audit where action = ${action}`);
  return found.length;
}

const say = () => {};
const { signal } = new AbortController();

describe("a backup of an embedded ledger", () => {
  /** A ledger that nobody has open, with thirty people in it, and recordings beside it. */
  let dataDir: string;
  let made: string;
  let manifest: Manifest;

  const backUpClosed = (from: string, folder: string) =>
    backUp({
      folder,
      version: "0.1.0",
      ledger: { kind: "embedded", dataDir: from, copy: undefined },
      recordingsDir: path.join(from, "recordings"),
      say,
      signal,
    });
  const restoreTo = (to: string, backup = made) =>
    restore({
      backup,
      ledger: { kind: "embedded", dataDir: to },
      recordingsDir: path.join(to, "recordings"),
      nowMs: NOW_MS,
      say,
      signal,
    });
  const copyOf = (folder: string): string => {
    const copy = path.join(freshFolder(), "copy");
    fs.cpSync(folder, copy, { recursive: true });
    return copy;
  };

  beforeAll(async () => {
    dataDir = freshDataDir();
    const spring = path.join(dataDir, "recordings", "spring");
    fs.mkdirSync(spring, { recursive: true });
    fs.writeFileSync(path.join(spring, "a.wav"), "sound");
    fs.writeFileSync(path.join(spring, ".b.wav.part"), "so");
    await withLedgerOf(dataDir, async (ledger) => {
      await running(ledger, freshPhones(30));
      await readInstallation(ledger.db);
      await ledger.transaction(letIn);
    });
    made = path.join(dataDir, "backup");
    manifest = await backUpClosed(dataDir, made);
  });
  afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

  it("comes back in an empty data folder with what was in it, its recordings, and dialing held", async () => {
    expect(manifest).toMatchObject({ kind: "embedded", counts: { campaigns: 1, contacts: 30 } });
    expect(manifest.recordings).toEqual({ files: 1, bytes: 5 });
    const to = freshFolder();
    const restored = await restoreTo(to);
    expect(restored).toMatchObject({ before: undefined, recordings: { files: 1 }, tokens: LET_IN });
    expect(fs.readFileSync(path.join(to, "recordings", "spring", "a.wav"), "utf8")).toBe("sound");
    await withLedgerOf(to, async (ledger) => {
      const { installationId, recoveryReason } = await readInstallation(ledger.db);
      expect(installationId).toBe(manifest.installation_id);
      expect(recoveryReason).toContain(manifest.at);
      expect(await rows(ledger.db, sql`select 1 as one from contacts`)).toHaveLength(30);
      expect(await signedIn(ledger.db)).toEqual([]);
    });
  });

  it("is of one moment while others write, and holds them up no longer than it is copied", async () => {
    const busy = copyOf(dataDir);
    const folder = path.join(freshFolder(), "backup");
    await withLedgerOf(busy, async (ledger) => {
      let written = 0;
      const writer = { isOver: false };
      const writing = (async () => {
        while (!writer.isOver) {
          // One transaction writes both, or neither.
          await ledger.transaction(async (tx) => {
            await writeAudit(tx, { nowMs: NOW_MS, actor: "test", action: "test.one", detail: { written } });
            await writeAudit(tx, { nowMs: NOW_MS, actor: "test", action: "test.other", detail: { written } });
          });
          written += 1;
        }
      })();
      let before = 0;
      const copy = async () => {
        before = written;
        return given(ledger.copyAside)();
      };
      const input = { folder, version: "0.1.0", recordingsDir: undefined, say, signal };
      await backUp({ ...input, ledger: { kind: "embedded", dataDir: busy, copy } });
      const after = written;
      writer.isOver = true;
      await writing;
      expect(after).toBeGreaterThan(before);
      const to = freshFolder();
      await restoreTo(to, folder);
      await withLedgerOf(to, async (restored) => {
        const ones = await countOf(restored, "test.one");
        expect(await countOf(restored, "test.other")).toBe(ones);
        expect(ones).toBeGreaterThanOrEqual(before);
        expect(ones).toBeLessThanOrEqual(after);
      });
      // What was copied aside was taken away.
      expect(fs.readdirSync(busy).filter((name) => name.startsWith("ledger.copy-"))).toEqual([]);
    });
  });

  it("goes into the place of the ledger that it was made of, which is kept beside it", async () => {
    const own = copyOf(dataDir);
    const place = path.join(own, "ledger");
    await withLedgerOf(own, async (ledger) => {
      await writeAudit(ledger.db, { nowMs: NOW_MS, actor: "test", action: "test.later", detail: {} });
      await expect(restoreTo(own)).rejects.toThrow(LedgerLockedError);
    });
    const { before } = await restoreTo(own);
    // One that was ended between two moves is carried on by whoever opens the data folder.
    fs.renameSync(place, `${place}.ready`);
    await withLedgerOf(own, async (ledger) => {
      expect(await countOf(ledger, "test.later")).toBe(0);
      expect((await readInstallation(ledger.db)).recoveryReason).toContain("was restored");
    });
    // What was there is put back as it was; a restore that was ended before it moved anything has changed nothing.
    fs.renameSync(place, `${place}.ready`);
    fs.renameSync(given(before), place);
    await withLedgerOf(own, async (ledger) => {
      expect(await countOf(ledger, "test.later")).toBe(1);
      expect((await readInstallation(ledger.db)).recoveryReason).toBeUndefined();
    });
    expect(fs.existsSync(`${place}.ready`)).toBe(false);
  });

  it("that is damaged is refused with the file's name, and nothing has changed", async () => {
    const damaged = copyOf(made);
    const [largest] = manifest.files.toSorted((a, b) => b.bytes - a.bytes);
    const file = path.join(damaged, given(largest).path);
    const bytes = fs.readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    fs.writeFileSync(file, bytes);
    fs.rmSync(path.join(damaged, "ledger", "PG_VERSION"));
    const to = freshFolder();
    await expect(restoreTo(to, damaged)).rejects.toThrow(
      new RegExp(`damaged: .*${given(largest).path} is another than it was`),
    );
    await expect(restoreTo(to, damaged)).rejects.toThrow("ledger/PG_VERSION is missing");
    // It was taken, so that nobody else begins on it meanwhile.
    expect(fs.readdirSync(to)).toEqual(["ledger.lock"]);
  });

  it("that did not come to its end, of a newer format, or of another kind is refused", async () => {
    const folder = copyOf(made);
    const file = path.join(folder, "backup.json");
    const text = fs.readFileSync(file, "utf8");
    const to = freshFolder();
    const refusal = () => restoreTo(to, folder).catch((error: unknown) => error);
    fs.writeFileSync(file, text.replace('"format": 1', '"format": 2'));
    expect(await refusal()).toMatchObject({ message: expect.stringContaining("a newer version of Outdial") });
    fs.writeFileSync(file, text.slice(0, 100));
    expect(await refusal()).toMatchObject({ message: expect.stringContaining("backup.json is damaged") });
    fs.writeFileSync(file, text.replace('"embedded"', '"postgres"'));
    expect(await refusal()).toMatchObject({ message: expect.stringContaining("set DATABASE_URL") });
    fs.rmSync(file);
    expect(await refusal()).toMatchObject({
      message: expect.stringContaining("no backup that came to its end"),
    });
    await expect(restoreTo(to, path.join(to, "nowhere"))).rejects.toThrow(BackupError);
    expect(fs.readdirSync(to)).toEqual([]);
  });

  it("is not put in the place of somebody else's ledger, but of one that can't be opened", async () => {
    const other = folderOfLedger();
    await withLedgerOf(other, async (ledger) => void (await readInstallation(ledger.db)));
    await expect(restoreTo(other)).rejects.toThrow("another installation");
    fs.rmSync(path.join(other, "ledger", "global"), { recursive: true });
    const { before } = await restoreTo(other);
    expect(fs.existsSync(given(before))).toBe(true);
  });

  it("goes into a new or empty folder, and leaves nothing half there", async () => {
    const folder = freshFolder();
    fs.writeFileSync(path.join(folder, "mine"), "");
    await expect(backUpClosed(dataDir, folder)).rejects.toThrow("name a folder that is new or empty");
    expect(fs.readdirSync(folder)).toEqual(["mine"]);
    fs.rmSync(path.join(folder, "mine"));
    const nothing = freshFolder();
    await expect(backUpClosed(nothing, folder)).rejects.toThrow(`there is no ledger in ${nothing}`);
    // A page of a table that is garbled is found when the copy is read, and nobody takes it for a backup.
    const garbled = copyOf(dataDir);
    const base = path.join(garbled, "ledger", "base");
    for (const entry of fs.readdirSync(base, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile() && /^\d+$/.test(entry.name) && fs.statSync(file).size > 8_192) {
        const handle = fs.openSync(file, "r+");
        fs.writeSync(handle, Buffer.alloc(512, 0x5a), 0, 512, 8_192);
        fs.closeSync(handle);
      }
    }
    await expect(backUpClosed(garbled, folder)).rejects.toThrow("the copy of the ledger can't be read");
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});
