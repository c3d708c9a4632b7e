import fs from "node:fs";
import path from "node:path";

import { ImportError } from "../../contacts/import-errors.ts";
import { openContacts, type OpenedContacts, type ReadContactsOptions } from "../../contacts/read-contacts.ts";
import type { ContactSource, FileSource, UrlSource } from "../../domain/campaigns/contact-source.ts";
import { SourceRefusedError } from "./source-errors.ts";
import type { SpooledList } from "./spool.ts";

/** How a list that came from a source is read. */
export interface ListReading {
  /** For people; without what may be secret in an address. */
  sourceName: string;
  options: ReadContactsOptions;
}

export function readingOf(source: ContactSource, defaultRegion: string | undefined): ListReading {
  const region = defaultRegion === undefined ? {} : { defaultRegion };
  if ("database" in source) {
    const map = source.phone === undefined ? {} : { map: { phone: source.phone } };
    return {
      sourceName: `database ${source.database}`,
      options: { format: "ndjson", ...map, ...region },
    };
  }
  const { sourceName, fileName } = namesOf(source);
  return {
    sourceName,
    options: {
      fileName,
      ...(source.format !== undefined && { format: source.format }),
      ...(source.map && { map: source.map }),
      ...region,
    },
  };
}

function namesOf(source: FileSource | UrlSource): { sourceName: string; fileName: string } {
  if ("file" in source) return { sourceName: source.file, fileName: path.posix.basename(source.file) };
  const { url } = source;
  if (typeof url !== "string") return { sourceName: `the address in secret ${url.secret}`, fileName: "" };
  const { host, pathname } = new URL(url);
  const fileName = path.posix.basename(pathname);
  return { sourceName: `${host}/${fileName}`.slice(0, 255), fileName };
}

/** As the import tells them from a CSV. */
const JSON_LINES = /\.(?:ndjson|jsonl|json)$/i;

/** What is in a list. */
export interface ListChecked {
  contacts: number;
  rejected: number;
  /** As it is kept with its import. */
  settings: Record<string, unknown>;
}

/**
 * Reads a list from one end to the other before a row of it is taken, so that none is taken in part.
 *
 * @throws SourceRefusedError where it can't be read, or there are rows and none makes a contact.
 */
export async function checkList(list: SpooledList, reading: ListReading): Promise<ListChecked> {
  const { format, fileName = "" } = reading.options;
  const isJsonLines = format === undefined ? JSON_LINES.test(fileName) : format === "ndjson";
  // A CSV has a heading at least: without one, what wrote it failed.
  if (list.bytes === 0 && isJsonLines)
    return { contacts: 0, rejected: 0, settings: settingsOf(reading, "ndjson") };
  let contacts = 0;
  let rejected = 0;
  let example = "";
  let opened: OpenedContacts | undefined;
  try {
    opened = await openList(list, reading);
    for await (const { rows } of opened.chunks)
      for (const row of rows) {
        if (row.kind === "contact") contacts += 1;
        else {
          rejected += 1;
          if (example === "") example = `line ${row.line}: ${row.reason}`;
        }
      }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const line = error.line === undefined ? "" : ` (line ${error.line})`;
    throw new SourceRefusedError(
      `the list from ${reading.sourceName} can't be read${line}: ${error.message}`,
    );
  }
  if (contacts === 0 && rejected > 0)
    throw new SourceRefusedError(
      `none of the ${rejected} rows of the list from ${reading.sourceName} makes a contact; ${example}`,
    );
  return { contacts, rejected, settings: settingsOf(reading, opened.layout.format) };
}

/** As they are kept with the import. */
export function settingsOf({ options }: ListReading, format: string): Record<string, unknown> {
  return { map: options.map ?? {}, default_region: options.defaultRegion ?? null, format };
}

/** @param startAfterLine rows up to and with it are taken. */
export function openList(
  list: SpooledList,
  reading: ListReading,
  startAfterLine = 0,
): Promise<OpenedContacts> {
  return openContacts(fs.createReadStream(list.file), { ...reading.options, startAfterLine });
}
