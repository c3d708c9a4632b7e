import type { FastifyRequest } from "fastify";
import { createHash, type Hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";

import { openContacts } from "../contacts/read-contacts.ts";
import { takeChunks, type ListTaker } from "../contacts/take-list.ts";
import {
  completeImport,
  findImport,
  type ListImport,
  type ListOwner,
} from "../ledger/campaigns/list-imports.ts";
import { actorOf } from "./actor.ts";
import type { HttpDeps } from "./deps.ts";
import { bodyOf, formatOf, type digestQuery, type listQuery } from "./list-upload.ts";
import { keepKey } from "./plugins/idempotency.ts";
import { Problem } from "./problem.ts";

type Upload = z.output<typeof listQuery> & z.output<typeof digestQuery>;

/** Whom an uploaded list is for, and how it is told of. */
export interface UploadTaker extends ListTaker {
  owner: ListOwner;
  /** Where the request names none. */
  defaultRegion: string | undefined;
  /** What else its rows are read by. */
  readBy?: Record<string, unknown>;
  words: {
    /** Who stands in it. */
    people: string;
    /** What has to be given as before. */
    sameAgain: string;
    /** What became of a list that is not the announced one, and what to do. */
    partly: string;
  };
}

/**
 * Takes a list. Each chunk is accepted for good once it is in the ledger; whatever cuts an upload off, the same
 * file again goes on behind the last accepted line.
 *
 * @returns its import, complete; `already` where it was before.
 */
export async function takeUpload(
  { ledger, now }: HttpDeps,
  request: FastifyRequest,
  upload: Upload,
  taker: UploadTaker,
): Promise<{ list: ListImport; already: boolean }> {
  const { digest } = upload;
  // A name that is none is refused before a row is taken.
  const actor = actorOf(request);
  const begun = await findImport(ledger.db, taker.owner, digest);
  const hash = createHash("sha256");
  const region = upload.default_region ?? taker.defaultRegion;
  const opened = await openContacts(bodyOf(request, hash), {
    ...formatOf(request, upload.format),
    fileName: upload.source_name,
    map: upload.map,
    ...(region !== undefined && { defaultRegion: region }),
    ...(begun && { startAfterLine: begun.throughLine }),
  });
  const { format } = opened.layout;
  const settings = { map: upload.map, default_region: region ?? null, format, ...taker.readBy };
  try {
    if (begun) refuseOtherSettings(begun, settings, taker);
    if (begun?.completedAtMs !== undefined) {
      // Whether what is sent is that list shows only at its end.
      for await (const _chunk of opened.chunks) continue;
      refuseOtherBytes(begun, hash, taker);
      return { list: begun, already: true };
    }
    const said = { digest, sourceName: upload.source_name, settings, actor };
    const take: UploadTaker["take"] = (importId, chunk) => {
      keepKey(request);
      return taker.take(importId, chunk);
    };
    const taken = await takeChunks({ ...taker, take }, said, opened.chunks, begun);
    if (!taken) throw noRows(taker);
    refuseOtherBytes(taken, hash, taker);
    await completeImport(ledger, { importId: taken.id, actor, nowMs: now() });
  } finally {
    await opened.chunks.return();
  }
  const list = await findImport(ledger.db, taker.owner, digest);
  if (!list) throw new Error("the list vanished when it was complete");
  return { list, already: false };
}

/** A list that is read in another way is another list: going on would mix the two. */
function refuseOtherSettings(
  begun: ListImport,
  settings: Record<string, unknown>,
  { words }: UploadTaker,
): void {
  if (isDeepStrictEqual(begun.settings, settings)) return;
  throw new Problem({
    status: 409,
    code: "import_differs",
    detail:
      `the list ${begun.sourceName} was begun with other settings (${JSON.stringify(begun.settings)}, now ${JSON.stringify(settings)}): ` +
      `give the same ${words.sameAgain} as then`,
  });
}

function refuseOtherBytes(list: ListImport, hash: Hash, { words }: UploadTaker): void {
  const digest = hash.digest("hex");
  if (digest === list.digest) return;
  throw new Problem({
    status: 409,
    code: "digest_mismatch",
    detail:
      `the list ${list.sourceName} is not the announced one (SHA-256 ${digest}, announced ${list.digest}): it changed on the way, or while it was sent. ` +
      words.partly,
    extra: { digest },
  });
}

function noRows({ words }: UploadTaker): Problem {
  return new Problem({
    status: 422,
    code: "invalid_list",
    detail: `the list has a header and no rows: add ${words.people} to it`,
    extra: { list_code: "no_rows" },
  });
}
