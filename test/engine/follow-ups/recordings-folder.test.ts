import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

import {
  FOLDER_FILE,
  markFolder,
  readFolderIds,
} from "../../../src/activities/follow-ups/recordings-folder.ts";

function folder(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-recordings-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

it("gives a folder one id, whoever asks at the same moment, and leaves nothing beside it", async () => {
  const dir = folder();
  expect(await readFolderIds(dir)).toEqual([]);
  const ids = await Promise.all(Array.from({ length: 20 }, () => markFolder(dir)));
  expect(new Set(ids).size).toBe(1);
  expect(await readFolderIds(dir)).toEqual([ids[0]]);
  expect(await markFolder(dir)).toBe(ids[0]);
  expect(fs.readdirSync(dir)).toEqual([FOLDER_FILE]);
  expect(await markFolder(folder())).not.toBe(ids[0]);
});

it("keeps under a folder's own id, and knows the ids of folders whose recordings were moved to it", async () => {
  const dir = folder();
  const own = await markFolder(dir);
  fs.appendFileSync(path.join(dir, FOLDER_FILE), "moved-here\n\n");
  expect(await readFolderIds(dir)).toEqual([own, "moved-here"]);
  expect(await markFolder(dir)).toBe(own);
});

it("says that a file without an id is none, and that a folder which is not there has none", async () => {
  const dir = folder();
  fs.writeFileSync(path.join(dir, FOLDER_FILE), "");
  await expect(markFolder(dir)).rejects.toThrow("has no id in it: take the file away");
  expect(await readFolderIds(path.join(dir, "not mounted"))).toEqual([]);
});
