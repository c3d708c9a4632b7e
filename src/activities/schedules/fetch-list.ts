import { setTimeout as pause } from "node:timers/promises";

import type { ContactSource } from "../../domain/campaigns/contact-source.ts";
import type { ActivityDeps } from "../deps.ts";
import { readQuery } from "./read-database.ts";
import { readListFile } from "./read-file.ts";
import { readListUrl } from "./read-url.ts";
import { SourceAwayError, SourceRefusedError } from "./source-errors.ts";
import { spool, type SpooledList } from "./spool.ts";

/** In looks (`pace.lookMs`): a source that is restarted is back within half a minute. */
const TRY_AGAIN_AFTER_LOOKS = [1, 5];

/**
 * Brings a list whole to this machine's disk, from wherever it is. A source that is away is asked three times.
 *
 * @throws SourceRefusedError where there is no list to be had.
 */
export async function fetchList(
  deps: ActivityDeps,
  { source, brand }: { source: ContactSource; brand: string },
  folder: string,
  signal: AbortSignal | undefined,
): Promise<SpooledList> {
  for (const looks of TRY_AGAIN_AFTER_LOOKS) {
    try {
      return await spool(folder, (put) => readSource(deps, { source, brand }, signal, put));
    } catch (error) {
      if (!(error instanceof SourceAwayError)) throw error;
      deps.log.warn({ error: error.message }, "a list could not be fetched, and is asked for again");
    }
    await pause(looks * deps.pace.lookMs, undefined, { ...(signal && { signal }) });
  }
  try {
    return await spool(folder, (put) => readSource(deps, { source, brand }, signal, put));
  } catch (error) {
    if (error instanceof SourceAwayError)
      throw new SourceRefusedError(`${error.message}; it was asked for three times`);
    throw error;
  }
}

function readSource(
  { lists, secrets }: ActivityDeps,
  { source, brand }: { source: ContactSource; brand: string },
  signal: AbortSignal | undefined,
  put: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const wanted = (piece: Uint8Array) => {
    signal?.throwIfAborted();
    return put(piece);
  };
  if ("file" in source) return readListFile(source, lists.dir, wanted);
  if ("url" in source)
    return readListUrl(source, { downloads: lists.downloads, secrets, brand, signal }, wanted);
  return readQuery(source, lists.databases, wanted);
}
