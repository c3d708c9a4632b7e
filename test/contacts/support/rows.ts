import type { AcceptedRow, ContactRow, RejectedRow } from "../../../src/contacts/contact-row.ts";
import { readContacts, type ReadContactsOptions } from "../../../src/contacts/read-contacts.ts";

/** A source that hands out these pieces as they are. */
export async function* pieces(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? Buffer.from(part, "utf8") : part;
}

/** The bytes in pieces of this size. */
export function cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
  return pieces(...parts);
}

export async function rowsOf(
  source: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: ReadContactsOptions = {},
): Promise<ContactRow[]> {
  const rows: ContactRow[] = [];
  const bytes = typeof source === "string" || source instanceof Uint8Array ? pieces(source) : source;
  for await (const chunk of readContacts(bytes, options)) rows.push(...chunk.rows);
  return rows;
}

export async function contactsOf(
  source: string | Uint8Array,
  options: ReadContactsOptions = {},
): Promise<AcceptedRow[]> {
  return (await rowsOf(source, options)).map((row) => {
    if (row.kind === "contact") return row;
    throw new Error(`line ${row.line} was rejected: ${row.code}: ${row.reason}`);
  });
}

export async function rejectsOf(
  source: string | Uint8Array,
  options: ReadContactsOptions = {},
): Promise<RejectedRow[]> {
  return (await rowsOf(source, options)).flatMap((row) => (row.kind === "rejected" ? [row] : []));
}
