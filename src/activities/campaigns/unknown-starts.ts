import { readInstallation } from "../../ledger/ground/installation.ts";
import { momentOf, type BatchCall } from "../../platform/index.ts";
import { installationMark, readBatchName } from "./batch-name.ts";
import { hasBegun } from "./batch-reading.ts";
import type { ActivityDeps } from "../deps.ts";
import { isBefore, saysNotBegun, stillToDialIn, viewOf } from "./found-batches.ts";
import { findPlatformBatches, readKnownThrough } from "../../ledger/campaigns/platform-batches.ts";

/*
 * Whether the platform has begun a batch of ours that the ledger does not know to have been started: asked at
 * every start of a process, so it is bounded. One request for what runs, three pages of the listing at most, and
 * twenty batches looked at by themselves at most. What a busy account hides behind that is `outdial recover`'s.
 */

type Deps = Pick<ActivityDeps, "ledger" | "platform" | "log">;

const PAGE_ROWS = 100;
const MAX_PAGES = 3;

/** Batches without a name, or that do not say whether they have begun, looked at by themselves. */
const MAX_LOOKED_AT = 20;

/** What the platform has begun that the ledger does not know of, in words; undefined where there is nothing. */
export async function findUnknownStart(deps: Deps): Promise<string | undefined> {
  const search = await beginSearch(deps);
  const running = await deps.platform.batchCalls.active();
  if (await search.holdsUnknown(running))
    return "the platform is dialing a batch that it does not know to have been started";
  for await (const rows of newestPages(deps, search.knownThroughMs)) {
    if (await search.holdsUnknown(rows.filter((row) => !isBefore(row, search.knownThroughMs))))
      return "the platform has begun a batch that it does not know to have been started";
  }
  return undefined;
}

async function beginSearch(deps: Deps) {
  const { installationId } = await readInstallation(deps.ledger.db);
  const mark = installationMark(installationId);
  const knownThroughMs = await readKnownThrough(deps.ledger.db);
  const lookedAt = new Set<string>();

  const isUnknownStart = async (row: BatchCall): Promise<boolean> => {
    const isOurs = readBatchName(row.name)?.installation === mark;
    if ((row.name !== undefined && !isOurs) || saysNotBegun(row)) return false;
    if (isOurs && hasBegun(row)) return true;
    if (lookedAt.has(row.batch_call_id) || lookedAt.size >= MAX_LOOKED_AT) return false;
    lookedAt.add(row.batch_call_id);
    const view = await viewOf(deps, row);
    if (!view || !hasBegun(view) || isBefore(view, knownThroughMs)) return false;
    if (view.name !== undefined) return readBatchName(view.name)?.installation === mark;
    return (await stillToDialIn(deps, view)) !== undefined;
  };

  return {
    knownThroughMs,
    async holdsUnknown(rows: readonly BatchCall[]): Promise<boolean> {
      const known = await findPlatformBatches(
        deps.ledger.db,
        rows.map((row) => row.batch_call_id),
      );
      const started = new Set(known.flatMap((one) => (one.started ? [one.platformBatchId] : [])));
      for (const row of rows) {
        if (!started.has(row.batch_call_id) && (await isUnknownStart(row))) return true;
      }
      return false;
    },
  };
}

/**
 * The newest rows of the listing, whose order is not documented. Newest first: from its beginning, until a page
 * is all before the moment. Otherwise the first page, for its total, and then from the end backwards.
 */
export async function* newestPages(
  { platform }: Pick<ActivityDeps, "platform">,
  knownThroughMs: number,
  maxPages: number = MAX_PAGES,
): AsyncGenerator<readonly BatchCall[], void, undefined> {
  const { items: first, total, unreadable = 0 } = await platform.batchCalls.list({ limit: PAGE_ROWS });
  yield first;
  // A platform may give fewer rows than were asked for.
  const step = first.length + unreadable;
  if (step === 0 || (total !== undefined && total <= step)) return;
  const fromItsEnd = total !== undefined && !isNewestFirst(first);
  let before = first;
  let skip = fromItsEnd ? Math.max(step, total - step) : step;
  for (let page = 1; page < maxPages; page += 1) {
    if (!fromItsEnd && before.every((row) => isBefore(row, knownThroughMs))) return;
    const { items, unreadable: left = 0 } = await platform.batchCalls.list({ skip, limit: PAGE_ROWS });
    yield items;
    const received = items.length + left;
    if (received === 0 || (fromItsEnd && skip === step)) return;
    if (fromItsEnd && items.every((row) => isBefore(row, knownThroughMs))) return;
    before = items;
    skip = fromItsEnd ? Math.max(step, skip - step) : skip + received;
  }
}

function isNewestFirst(rows: readonly BatchCall[]): boolean {
  const newest = momentOf(rows[0]?.created_at);
  const oldest = momentOf(rows.at(-1)?.created_at);
  return newest !== undefined && oldest !== undefined && newest > oldest;
}
