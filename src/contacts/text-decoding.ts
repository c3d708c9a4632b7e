import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { ImportFileError } from "./import-errors.ts";

export type ContactSource = Readable | AsyncIterable<Uint8Array>;
export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be";

/** A stretch of the file's text. Bytes that are no text appear as lone surrogates, which text never has. */
export interface TextBlock {
  readonly text: string;
  readonly encoding: TextEncoding;
  /** True once any stretch so far could hold lone surrogates. */
  readonly mayBeDamaged: boolean;
  readonly last: boolean;
}

// Large enough that per-block work does not show, small enough that a few of them are nothing. Sources are
// regrouped to it, so a peer that sends single bytes costs no more than a file on disk.
const blockBytes = 64 * 1024;

interface Signature {
  readonly bytes: readonly number[];
  readonly message: string;
}

const asCsv = "open it and export the sheet as CSV UTF-8";

const otherFiles: readonly Signature[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], message: `The file is an Excel workbook or a ZIP archive: ${asCsv}.` },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], message: `The file is an old Excel workbook: ${asCsv}.` },
  { bytes: [0x1f, 0x8b], message: "The file is compressed with gzip: decompress it first (gunzip)." },
  {
    bytes: [0x28, 0xb5, 0x2f, 0xfd],
    message: "The file is compressed with zstd: decompress it first (unzstd).",
  },
  { bytes: [0x25, 0x50, 0x44, 0x46], message: "The file is a PDF: export the list as CSV UTF-8." },
  {
    bytes: [0xff, 0xfe, 0x00, 0x00],
    message: "The file is in UTF-32, which nothing else uses: save it as UTF-8.",
  },
];

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  bytes.length >= signature.length && signature.every((byte, index) => bytes[index] === byte);

/** The encoding and the length of its byte order mark; throws for what is no text file. */
function detectEncoding(bytes: Uint8Array): { encoding: TextEncoding; markBytes: number } {
  const other = otherFiles.find((file) => startsWith(bytes, file.bytes));
  if (other !== undefined) throw new ImportFileError("not_a_text_file", other.message);
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return { encoding: "utf-8", markBytes: 3 };
  if (startsWith(bytes, [0xff, 0xfe])) return { encoding: "utf-16le", markBytes: 2 };
  if (startsWith(bytes, [0xfe, 0xff])) return { encoding: "utf-16be", markBytes: 2 };
  // No column name begins with NUL, so a zero in the first two bytes is half of a UTF-16 letter.
  if (bytes.length >= 2 && (bytes[0] === 0 || bytes[1] === 0)) {
    throw new ImportFileError(
      "encoding_unknown",
      "The file looks like UTF-16 without its byte order mark: save it as UTF-8.",
    );
  }
  return { encoding: "utf-8", markBytes: 0 };
}

/** How many bytes a UTF-8 sequence has that begins with this byte; 1 for what begins none. */
function sequenceBytes(first: number): number {
  if (first >= 0xf0 && first < 0xf8) return 4;
  if (first >= 0xe0) return first < 0xf0 ? 3 : 1;
  return first >= 0xc2 ? 2 : 1;
}

/** Where a last, unfinished UTF-8 sequence begins, or the length if there is none. */
function completeUtf8Bytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return sequenceBytes(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Decodes UTF-8 with each invalid byte as U+DC00 + byte, as Python's "surrogateescape" does. */
function decodeEscaping(bytes: Buffer): string {
  let text = "";
  let validFrom = 0;
  let index = 0;
  while (index < bytes.length) {
    const byte = bytes[index] ?? 0;
    const end = byte < 0x80 ? index + 1 : index + sequenceBytes(byte);
    if (byte < 0x80 || (end > index + 1 && end <= bytes.length && isUtf8(bytes.subarray(index, end)))) {
      index = end;
      continue;
    }
    text += bytes.toString("utf8", validFrom, index) + String.fromCharCode(0xdc00 + byte);
    index += 1;
    validFrom = index;
  }
  return text + bytes.toString("utf8", validFrom);
}

class Decoder {
  readonly encoding: TextEncoding;
  mayBeDamaged: boolean;
  #rest: Buffer = Buffer.alloc(0);

  constructor(encoding: TextEncoding) {
    this.encoding = encoding;
    // UTF-16 carries lone surrogates through by itself.
    this.mayBeDamaged = encoding !== "utf-8";
  }

  decode(bytes: Buffer, last: boolean): string {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    if (this.encoding !== "utf-8") return this.#decode16(all, last);
    const complete = last ? all.length : completeUtf8Bytes(all);
    this.#rest = all.subarray(complete);
    const whole = all.subarray(0, complete);
    if (isUtf8(whole)) return whole.toString("utf8");
    this.mayBeDamaged = true;
    return decodeEscaping(whole);
  }

  #decode16(all: Buffer, last: boolean): string {
    const complete = all.length - (all.length % 2);
    this.#rest = all.subarray(complete);
    const units = all.subarray(0, complete);
    const text = (this.encoding === "utf-16be" ? Buffer.from(units).swap16() : units).toString("utf16le");
    return last && this.#rest.length > 0 ? `${text}\uDC00` : text;
  }
}

function toBuffer(chunk: unknown): Buffer {
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  // A Readable with an encoding set hands out strings.
  if (typeof chunk === "string") return Buffer.from(chunk, "utf8");
  throw new TypeError("a contact source hands out bytes");
}

/** Regroups a source's chunks into blocks of at least `blockBytes`, the last one apart. */
async function* byteBlocks(
  source: ContactSource,
  maxFileBytes: number,
): AsyncGenerator<{ bytes: Buffer; last: boolean }> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let totalBytes = 0;
  for await (const chunk of source) {
    const bytes = toBuffer(chunk);
    totalBytes += bytes.length;
    if (totalBytes > maxFileBytes) {
      throw new ImportFileError(
        "file_too_large",
        `The file has more than ${maxFileBytes} bytes: split it and import the parts.`,
      );
    }
    held.push(bytes);
    heldBytes += bytes.length;
    if (heldBytes >= blockBytes) {
      yield { bytes: Buffer.concat(held), last: false };
      held = [];
      heldBytes = 0;
    }
  }
  yield { bytes: Buffer.concat(held), last: true };
}

/**
 * The text of a source, in blocks; the last one is marked and may be empty. UTF-8 with or without a byte
 * order mark, and UTF-16 with one.
 *
 * @throws {ImportFileError} for files that are no text, or larger than allowed
 */
export async function* textBlocks(source: ContactSource, maxFileBytes: number): AsyncGenerator<TextBlock> {
  let decoder: Decoder | undefined;
  for await (const { bytes, last } of byteBlocks(source, maxFileBytes)) {
    let content = bytes;
    if (decoder === undefined) {
      const { encoding, markBytes } = detectEncoding(bytes);
      decoder = new Decoder(encoding);
      content = bytes.subarray(markBytes);
    }
    const text = decoder.decode(content, last);
    yield { text, encoding: decoder.encoding, mayBeDamaged: decoder.mayBeDamaged, last };
  }
}
