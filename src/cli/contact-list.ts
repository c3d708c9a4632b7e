import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";

import { ImportError } from "../contacts/import-errors.ts";
import type { ReadContactsOptions } from "../contacts/read-contacts.ts";
import { policyOf, type CampaignSpec } from "../domain/campaigns/campaign-spec.ts";
import { createNeverMemo, NeverDialedGroups, whyNever } from "../domain/policy/never-dialed.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { neverDialedLines } from "./view/never-dialed.ts";

/** A list as it stands on this machine. */
export interface ContactList {
  path: string;
  /** The file's own name. */
  name: string;
  bytes: number;
  /** SHA-256, hexadecimal: what makes it the same list. */
  digest: string;
}

/** Reads the file once, for its digest. */
export async function findList(file: string): Promise<ContactList> {
  const stats = await fs.promises.stat(file);
  if (!stats.isFile()) {
    throw new CliError(`${file} is no file: name a CSV or NDJSON file of contacts`, EXIT.badInput);
  }
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of fs.createReadStream(file)) {
    const read: unknown = chunk;
    if (!(read instanceof Uint8Array)) throw new TypeError("a file is bytes");
    hash.update(read);
    bytes += read.length;
  }
  return { path: path.resolve(file), name: path.basename(file), bytes, digest: hash.digest("hex") };
}

export interface ListReading {
  map: Readonly<Record<string, string>>;
  defaultRegion: string | undefined;
}

export function readOptionsOf(list: ContactList, reading: ListReading): ReadContactsOptions {
  return {
    fileName: list.name,
    map: reading.map,
    ...(reading.defaultRegion !== undefined && { defaultRegion: reading.defaultRegion }),
  };
}

/** What is wrong with a list at first sight, before anything is started for it: its header, or that it is empty. */
export async function glanceAtList(list: ContactList, reading: ListReading): Promise<void> {
  const { openContacts } = await import("../contacts/read-contacts.ts");
  try {
    const { chunks } = await openContacts(fs.createReadStream(list.path), {
      ...readOptionsOf(list, reading),
      chunkRows: 1,
    });
    const first = await chunks.next();
    await chunks.return();
    if (first.done === true) throw noRows(list);
  } catch (error) {
    throw faultOf(list, error);
  }
}

/** A fault of a list is told with the file that has it. */
export function faultOf({ name }: Pick<ContactList, "name">, error: unknown): unknown {
  if (!(error instanceof ImportError)) return error;
  const where = error.line === undefined ? name : `${name}, line ${error.line}`;
  return new CliError(`${where}: ${error.message}`, EXIT.badInput, { cause: error });
}

function noRows({ name }: ContactList): CliError {
  return new CliError(`${name} has a header and no rows: add contacts to it`, EXIT.badInput);
}

/**
 * Reads a list to its end before anything is written for it: a fault of the file, or one in which nobody can be
 * called, is told while there is nothing to undo.
 *
 * @param partial rows behind a fault of the file may be missing
 * @returns lines on those who can never be called under the campaign's window; none where everybody can
 */
export async function checkList(
  list: ContactList,
  reading: ListReading,
  spec: CampaignSpec,
  partial: boolean,
): Promise<string[]> {
  const nowMs = Date.now();
  const { window, transfers } = policyOf(spec, 1);
  const neverOf = createNeverMemo(window, nowMs, transfers);
  const never = new NeverDialedGroups();
  let accepted = 0;
  let read = 0;
  let firstReason = "";
  try {
    const { openContacts } = await import("../contacts/read-contacts.ts");
    const { chunks } = await openContacts(fs.createReadStream(list.path), readOptionsOf(list, reading));
    for await (const { rows } of chunks) {
      for (const row of rows) {
        read += 1;
        if (row.kind === "contact") {
          accepted += 1;
          const isStrict = spec.zones === "strict";
          const zones = isStrict ? row.strictZones : row.zones;
          const reason = neverOf(zones, isStrict ? row.strictPlaces : row.places);
          if (reason !== undefined) never.add(reason, row.region, zones);
        } else if (firstReason === "") firstReason = `line ${row.line}: ${row.reason}`;
      }
    }
  } catch (error) {
    if (!partial || accepted === 0) throw faultOf(list, error);
  }
  if (accepted > 0) {
    const groups = never.all().map((group) => ({ ...group, ...whyNever(group, nowMs) }));
    return neverDialedLines(groups, `the window of campaign "${spec.name}"`);
  }
  if (read === 0) throw noRows(list);
  throw new CliError(
    `nobody in ${list.name} can be called: ${read === 1 ? "its one row makes no contact" : `none of its ${read} rows makes a contact`} (${firstReason})`,
    EXIT.badInput,
  );
}

/** The file's bytes, told of as they are taken. */
export function openList(list: ContactList, onBytes: (bytes: number) => void): Readable {
  const stream = fs.createReadStream(list.path);
  let sent = 0;
  stream.on("data", (chunk) => {
    sent += chunk.length;
    onBytes(sent);
  });
  // Listening made it flow; whoever sends it sets the pace again.
  stream.pause();
  return stream;
}

/** `phone=Mobile` and the like, as often as given. */
export function readMap(pairs: readonly string[]): Readonly<Record<string, string>> {
  const map: Record<string, string> = {};
  for (const pair of pairs) {
    const [key, column] = splitPair(pair);
    if (key in map) throw new CliError(`--map names ${key} twice: give each once`, EXIT.badInput);
    map[key] = column;
  }
  return map;
}

function splitPair(pair: string): [key: string, column: string] {
  const at = pair.indexOf("=");
  const key = pair.slice(0, at).trim();
  const column = pair.slice(at + 1).trim();
  if (at > 0 && key !== "" && column !== "" && !["__proto__", "constructor", "prototype"].includes(key))
    return [key, column];
  throw new CliError(
    `--map ${JSON.stringify(pair)} is not of the form name=column, such as --map phone="Mobile No." or --map first_name=Vorname`,
    EXIT.badInput,
  );
}
