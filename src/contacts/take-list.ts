import { beginImport, importChunk } from "../ledger/campaigns/imports.ts";
import type { ListImport, ListTaken, ReadRow } from "../ledger/campaigns/list-imports.ts";
import type { Ledger } from "../ledger/ground/connection.ts";
import type { DataKeys } from "../ledger/ground/data-keys.ts";
import type { ContactRow } from "./contact-row.ts";
import type { ContactChunk } from "./read-contacts.ts";

/*
 * Taking a list into the ledger, wherever it comes from. Each chunk is accepted for good once it is in the ledger;
 * whatever cuts it off, the same list again goes on behind the last accepted line.
 */

/** Who takes a list. */
export interface ListTaker {
  begin: (list: ListTaken) => Promise<ListImport>;
  take: (importId: number, chunk: ContactChunk) => Promise<void>;
}

/** @throws AppendRefusedError of both where the campaign is ending or over. */
export function takerOfCampaign(
  ledger: Ledger,
  campaignId: string,
  { now, dataKeys }: { now: () => number; dataKeys?: DataKeys | undefined },
): ListTaker {
  const keys = dataKeys && { dataKeys };
  return {
    begin: (list) => beginImport(ledger, { ...list, campaignId, ...keys, nowMs: now() }),
    take: (importId, { rows, lastLine }) =>
      importChunk(ledger, {
        campaignId,
        importId,
        rows: rows.map(readRowOf),
        throughLine: lastLine,
        ...keys,
        nowMs: now(),
      }),
  };
}

/**
 * Takes the chunks of a list, from the line behind which it was cut off.
 *
 * @param begun its import, as far as it was begun.
 * @returns its import, not completed; undefined where it has no rows and was not begun.
 */
export async function takeChunks(
  taker: ListTaker,
  list: ListTaken,
  chunks: AsyncIterable<ContactChunk>,
  begun: ListImport | undefined,
): Promise<ListImport | undefined> {
  let taken = begun;
  for await (const chunk of chunks) {
    taken ??= await taker.begin(list);
    await taker.take(taken.id, chunk);
  }
  return taken;
}

export function readRowOf(row: ContactRow): ReadRow {
  if (row.kind === "rejected") return row;
  const { line, phone, region, zones, strictZones, places, strictPlaces, variables, consent } = row;
  return {
    kind: "contact",
    line,
    phone,
    region,
    zones,
    strictZones,
    places,
    strictPlaces,
    variables,
    ...(consent && { consent }),
  };
}
