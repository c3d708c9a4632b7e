import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import {
  cachedExecutable,
  publishDirectory,
  publishExecutable,
  requireSha256,
} from "../../../src/temporal/server/cache.ts";
import { temporaryFolder } from "./temporary-folder.ts";

function writing(content: string): (stagingDir: string) => Promise<string> {
  return async (stagingDir) => {
    await writeFile(path.join(stagingDir, "made"), content);
    return path.join(stagingDir, "made");
  };
}

test("what was published is found, is executable, and leaves no staging folder", async () => {
  const cacheDir = path.join(await temporaryFolder(), "not", "there", "yet");
  expect(await cachedExecutable(cacheDir, "tool-1")).toBeUndefined();
  const file = await publishExecutable(cacheDir, "tool-1", writing("one"));
  expect(await cachedExecutable(cacheDir, "tool-1")).toBe(file);
  expect((await stat(file)).mode & 0o111).toBe(0o111);
  expect(await readdir(cacheDir)).toEqual(["tool-1"]);
});

test("twenty that publish at once leave one whole file", async () => {
  const cacheDir = await temporaryFolder();
  const content = "x".repeat(200_000);
  await Promise.all(
    Array.from({ length: 20 }, () => publishExecutable(cacheDir, "tool-1", writing(content))),
  );
  expect(await readdir(cacheDir)).toEqual(["tool-1"]);
  expect(await readFile(path.join(cacheDir, "tool-1"), "utf8")).toBe(content);
});

test("a folder that another process published first is kept", async () => {
  const cacheDir = await temporaryFolder();
  const build = async (stagingDir: string) => {
    await mkdir(path.join(stagingDir, "jars"));
    await writeFile(path.join(stagingDir, "jars", "a.jar"), "a");
    return path.join(stagingDir, "jars");
  };
  await Promise.all([publishDirectory(cacheDir, "jars", build), publishDirectory(cacheDir, "jars", build)]);
  expect(await readdir(cacheDir)).toEqual(["jars"]);
  expect(await readdir(path.join(cacheDir, "jars"))).toEqual(["a.jar"]);
});

test("a download that fails leaves nothing behind", async () => {
  const cacheDir = await temporaryFolder();
  const build = async (stagingDir: string) => {
    await writeFile(path.join(stagingDir, "half"), "ha");
    throw new Error("the line broke");
  };
  await expect(publishExecutable(cacheDir, "tool-1", build)).rejects.toThrow("the line broke");
  expect(await readdir(cacheDir)).toEqual([]);
});

test("what a killed download left is removed after a day, what a running one uses is not", async () => {
  const cacheDir = await temporaryFolder();
  const folders = [".staging-old", ".staging-new"];
  for (const name of folders) await mkdir(path.join(cacheDir, name));
  const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400;
  await utimes(path.join(cacheDir, ".staging-old"), twoDaysAgo, twoDaysAgo);
  await publishExecutable(cacheDir, "tool-1", writing("one"));
  expect((await readdir(cacheDir)).sort()).toEqual([".staging-new", "tool-1"]);
});

test("a file with another hash than the pinned one is refused by name", async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, "tool.whl");
  await writeFile(file, "hello");
  const hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
  await requireSha256(file, hello);
  await writeFile(file, "hello, tampered");
  await expect(requireSha256(file, hello)).rejects.toThrow(
    /tool\.whl is not the pinned file .*instead of 2cf24d/,
  );
});
