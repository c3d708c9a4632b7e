/**
 * Files on their way to the platform, as a multipart form (RFC 7578) that is made while it is sent: however
 * large a file is, a few chunks of it are in memory.
 */
import { constants, createReadStream } from "node:fs";
import { access, stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { invalidRequest } from "./checks.ts";
import type { EndpointName } from "./endpoints.ts";

/** A file to upload. `filename` is what the platform is told; of a path, its last part by default. */
export type UploadSource =
  /** Read while it is sent. */
  | { readonly path: string; readonly filename?: string | undefined }
  | { readonly data: Uint8Array; readonly filename: string }
  /**
   * Read once, so that the upload is never repeated by itself. With `sizeBytes` the length is announced, and
   * must then be right; without, the form is sent in chunks.
   */
  | {
      readonly stream: AsyncIterable<Uint8Array | string>;
      readonly filename: string;
      readonly sizeBytes?: number | undefined;
    };

/** A form that is ready to be sent. */
export interface Upload {
  readonly contentType: string;
  /** Of the whole form; undefined where the source's size is not known. */
  readonly contentLength: number | undefined;
  /** True where it may be opened more than once. */
  readonly repeatable: boolean;
  /** The form's bytes. Fails with `SourceError` where the source fails or is not as long as announced. */
  open(): Readable;
}

/** What was to be uploaded could not be read to its announced end. */
export class SourceError extends Error {
  constructor(problem: string, cause?: unknown) {
    super(problem, cause === undefined ? undefined : { cause });
    this.name = "SourceError";
  }
}

/** The form field's name: not shown in the contract, and what every framework's examples call it. */
const FIELD_NAME = "file";

/** Data in memory is handed over in pieces, so that the socket's buffer never holds a copy of all of it. */
const PIECE_BYTES = 64 * 1024;

/** By extension; the rest is bytes. */
const CONTENT_TYPES = new Map([
  [".pdf", "application/pdf"],
  [".txt", "text/plain"],
  [".md", "text/markdown"],
  [".html", "text/html"],
  [".csv", "text/csv"],
  [".json", "application/json"],
  [".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
]);

/** Checks a source. Throws `InvalidRequestError` that names what can't be used; nothing was sent then. */
export async function prepareUpload(name: EndpointName, source: UploadSource): Promise<Upload> {
  const { filename, sizeBytes, read, repeatable } = await inspect(name, source);
  if (filename.length > 255 || filename === "" || /[/\\\p{Cc}]/u.test(filename)) {
    const message = "must be 1 to 255 characters without slashes and control characters";
    throw invalidRequest(name, [{ field: "file.filename", message }]);
  }
  const boundary = `outdial-${randomUUID()}`;
  const type = CONTENT_TYPES.get(extname(filename).toLowerCase()) ?? "application/octet-stream";
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="${FIELD_NAME}"; ` +
      `filename="${filename.replaceAll('"', "%22")}"\r\nContent-Type: ${type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: sizeBytes === undefined ? undefined : head.length + sizeBytes + tail.length,
    repeatable,
    open: () => Readable.from(formOf(head, read, sizeBytes, tail), { objectMode: false }),
  };
}

interface Inspected {
  readonly filename: string;
  readonly sizeBytes: number | undefined;
  readonly read: () => AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>;
  readonly repeatable: boolean;
}

async function inspect(name: EndpointName, source: UploadSource): Promise<Inspected> {
  if ("path" in source) {
    const { path, filename = basename(path) } = source;
    const sizeBytes = await sizeOf(name, path);
    return { filename, sizeBytes, read: () => createReadStream(path), repeatable: true };
  }
  if ("data" in source) {
    const { data, filename } = source;
    return { filename, sizeBytes: data.byteLength, read: () => piecesOf(data), repeatable: true };
  }
  const { stream, filename, sizeBytes } = source;
  if (sizeBytes !== undefined && !(Number.isSafeInteger(sizeBytes) && sizeBytes >= 0)) {
    throw invalidRequest(name, [{ field: "file.sizeBytes", message: "must be a whole number from 0" }]);
  }
  return { filename, sizeBytes, read: () => stream, repeatable: false };
}

async function sizeOf(name: EndpointName, path: string): Promise<number> {
  const refuse = (message: string, cause?: unknown) =>
    invalidRequest(name, [{ field: "file.path", message }], cause);
  const found = await stat(path).catch((error: unknown) => {
    throw refuse(`can't be read (${codeOf(error)})`, error);
  });
  if (!found.isFile()) throw refuse("must be a file");
  await access(path, constants.R_OK).catch((error: unknown) => {
    throw refuse(`can't be read (${codeOf(error)})`, error);
  });
  return found.size;
}

function* piecesOf(data: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < data.byteLength; from += PIECE_BYTES)
    yield data.subarray(from, from + PIECE_BYTES);
}

async function* formOf(
  head: Buffer,
  read: Inspected["read"],
  sizeBytes: number | undefined,
  tail: Buffer,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield head;
  let sent = 0;
  try {
    // Opened no sooner: a form that nobody reads must not hold a file, nor fail where nobody listens.
    for await (const chunk of read()) {
      const piece = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      sent += piece.byteLength;
      if (sizeBytes !== undefined && sent > sizeBytes) break;
      yield piece;
    }
  } catch (error) {
    throw new SourceError(`the file could not be read to its end (${codeOf(error)})`, error);
  }
  if (sizeBytes !== undefined && sent !== sizeBytes) {
    const found = sent > sizeBytes ? "more" : `${sent}`;
    throw new SourceError(`the file was announced with ${sizeBytes} bytes and has ${found}`);
  }
  yield tail;
}

function codeOf(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : "unreadable";
}
