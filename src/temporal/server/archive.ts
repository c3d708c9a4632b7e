import { reasonWords } from "../../domain/ground/reason-words.ts";
import { createReadStream, createWriteStream } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createInflateRaw } from "node:zlib";

/*
 * Reads one file out of a ZIP archive (a Python wheel is one). Only what a wheel needs: stored and deflated
 * entries. Whatever is strange is refused; nothing is ever written to a path that the archive names.
 * Format: PKWARE APPNOTE 6.3.
 */

const END_SIGNATURE = 0x06_05_4b_50;
const CENTRAL_SIGNATURE = 0x02_01_4b_50;
const LOCAL_SIGNATURE = 0x04_03_4b_50;
const END_LENGTH = 22;
const CENTRAL_LENGTH = 46;
const LOCAL_LENGTH = 30;
/** The end record is followed by a comment of 65,535 bytes at most. */
const END_SEARCH_LENGTH = END_LENGTH + 0xff_ff;
/** A wheel lists a handful of files; a directory this large is an attack or a mistake. */
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;
/** Today's executables are 80 and 156 MB. */
const MAX_ENTRY_BYTES = 1024 * 1024 * 1024;

class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly localOffset: number;
}

/**
 * Writes one entry of a ZIP archive to `destination`, which must not exist, with mode 0755.
 *
 * @throws ArchiveError where the archive is damaged, lacks the entry, or names any path that leaves its folder.
 */
export async function extractZipEntry(
  archivePath: string,
  entryName: string,
  destination: string,
): Promise<void> {
  const archive = await open(archivePath, "r");
  try {
    const entries = await readDirectory(archive);
    const found = entries.filter((entry) => entry.name === entryName);
    const [entry] = found;
    if (!entry) throw new ArchiveError(`the archive holds no file ${entryName}`);
    if (found.length > 1) throw new ArchiveError(`the archive holds ${entryName} twice`);
    if (entry.method !== 0 && entry.method !== 8) {
      throw new ArchiveError(`${entryName} uses compression method ${entry.method}`);
    }
    if (entry.compressedSize === 0) throw new ArchiveError(`${entryName} is empty`);
    if (entry.size > MAX_ENTRY_BYTES) throw new ArchiveError(`${entryName} would be ${entry.size} bytes`);
    const start = await dataOffset(archive, entry);
    await inflateTo(archivePath, start, entry, destination);
  } finally {
    await archive.close();
  }
}

async function readDirectory(archive: FileHandle): Promise<Entry[]> {
  const { size } = await archive.stat();
  const tailLength = Math.min(size, END_SEARCH_LENGTH);
  const tail = await readExactly(archive, size - tailLength, tailLength);
  let end = tail.length - END_LENGTH;
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end -= 1;
  if (end < 0) throw new ArchiveError("not a ZIP archive, or cut off");
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const offset = tail.readUInt32LE(end + 16);
  if (count === 0xff_ff || offset === 0xff_ff_ff_ff) throw new ArchiveError("ZIP64 is not supported");
  if (length > MAX_DIRECTORY_BYTES || offset + length > size) throw new ArchiveError("damaged directory");
  return parseDirectory(await readExactly(archive, offset, length), count);
}

function parseDirectory(directory: Buffer, count: number): Entry[] {
  const entries: Entry[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + CENTRAL_LENGTH > directory.length || directory.readUInt32LE(at) !== CENTRAL_SIGNATURE) {
      throw new ArchiveError("damaged directory");
    }
    const flags = directory.readUInt16LE(at + 8);
    const nameEnd = at + CENTRAL_LENGTH + directory.readUInt16LE(at + 28);
    if (nameEnd > directory.length) throw new ArchiveError("damaged directory");
    const name = directory.toString("utf8", at + CENTRAL_LENGTH, nameEnd);
    if (isUnsafePath(name)) throw new ArchiveError(`unsafe path in the archive: ${JSON.stringify(name)}`);
    if ((flags & 1) !== 0) throw new ArchiveError(`${name} is encrypted`);
    entries.push({
      name,
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      compressedSize: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      localOffset: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** Absolute, with a drive, a backslash or a NUL, or going up: no honest wheel names such a path. */
function isUnsafePath(name: string): boolean {
  return name === "" || /^[/]|^[A-Za-z]:|[\\\0]/.test(name) || name.split("/").includes("..");
}

/** The local header repeats the name and may have other extra fields, so only it says where the data begins. */
async function dataOffset(archive: FileHandle, entry: Entry): Promise<number> {
  const header = await readExactly(archive, entry.localOffset, LOCAL_LENGTH);
  if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw new ArchiveError("damaged entry header");
  const nameLength = header.readUInt16LE(26);
  const name = await readExactly(archive, entry.localOffset + LOCAL_LENGTH, nameLength);
  if (name.toString("utf8") !== entry.name) throw new ArchiveError("entry header and directory disagree");
  return entry.localOffset + LOCAL_LENGTH + nameLength + header.readUInt16LE(28);
}

async function inflateTo(
  archivePath: string,
  start: number,
  entry: Entry,
  destination: string,
): Promise<void> {
  let crc = 0;
  let size = 0;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      crc = crc32(chunk, crc);
      size += chunk.length;
      // More than announced is refused while it is written, not after it has filled the disk.
      done(size > entry.size ? new ArchiveError(`${entry.name} is longer than announced`) : null, chunk);
    },
  });
  const source = createReadStream(archivePath, { start, end: start + entry.compressedSize - 1 });
  const target = createWriteStream(destination, { flags: "wx", mode: 0o755 });
  try {
    if (entry.method === 8) await pipeline(source, createInflateRaw(), check, target);
    else await pipeline(source, check, target);
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(`${entry.name} cannot be unpacked (${reasonWords(error)})`, { cause: error });
  }
  if (size !== entry.size || crc !== entry.crc) throw new ArchiveError(`${entry.name} is damaged`);
}

async function readExactly(archive: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await archive.read(buffer, 0, length, position);
  if (bytesRead !== length) throw new ArchiveError("the archive is cut off");
  return buffer;
}
