import type { Readable } from "node:stream";

/** More than this of an error's body is not worth waiting for. */
const ERROR_BODY_MAX_BYTES = 64_000;

/**
 * Reads a body as UTF-8 (a byte order mark is dropped); undefined if it is larger than `maxBytes`, of which
 * no more is then held. Throws what the connection throws.
 */
export async function readText(body: Readable, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The body of an error. Where it can't be read, the status alone has to do: it says more than a lost connection. */
export async function readErrorText(body: Readable): Promise<string | undefined> {
  try {
    return await readText(body, ERROR_BODY_MAX_BYTES);
  } catch {
    return undefined;
  }
}
