import { phaseOfBatch } from "../../domain/campaigns/platform-batch.ts";
import { readBatch } from "../../ledger/campaigns/batches.ts";
import { readInstallation } from "../../ledger/ground/installation.ts";
import { momentOf, NotFoundError, type BatchCall } from "../../platform/index.ts";
import { installationMark, readBatchName } from "./batch-name.ts";
import { digitsOf, hasBegun, readItems } from "./batch-reading.ts";
import { readSteadily, type ListingRead } from "./steady-listing.ts";
import type { ActivityDeps } from "../deps.ts";
import {
  countStillToDial,
  findPlatformBatches,
  readProvenThrough,
} from "../../ledger/campaigns/platform-batches.ts";

/*
 * What the platform has of this installation that the ledger does not know to have been started.
 *
 * 1. A batch is ours by its name, or by its id where the ledger has recorded it.
 * 2. Any field but the id may be missing. A row without a name is looked at by itself; where it stays without, it
 *    can't be told whose it is, and it counts for what it dialed.
 * 3. Begun is whatever does not say that it has not begun.
 * 4. What the ledger has as started bounds nothing here: it may have been taken over by a recovery that was refused,
 *    or been started since the restore, and what is older may still be missing.
 */

/** A batch of ours whose start the ledger does not know of. */
export interface LostBatch {
  platformBatchId: string;
  campaignId: string;
  /** As its name has it, or the ledger. */
  batchId: string;
  /** The ledger has it, as never started. */
  inLedger: boolean;
  view: BatchCall;
  begun: boolean;
  createdAtMs: number | undefined;
}

export interface LostOnPlatform {
  /** Batches of ours on the platform, those that the ledger knows included. */
  looked: number;
  /** Oldest first, because a contact's attempts follow each other. */
  lost: LostBatch[];
  /** Begun batches that nobody can tell whose they are. */
  nameless: BatchCall[];
  /** Listed, perhaps begun, perhaps ours, and not there when they were looked at. */
  unreadable: string[];
}

/** Rows asked about in the ledger at once. */
const ROWS_AT_ONCE = 500;

/** Reads every batch that the platform has, in as many walks as it takes to pass none over. */
export async function findLostBatches(deps: ActivityDeps): Promise<LostOnPlatform & ListingRead> {
  const result: LostOnPlatform = { looked: 0, lost: [], nameless: [], unreadable: [] };
  const { installationId } = await readInstallation(deps.ledger.db);
  const mark = installationMark(installationId);
  const provenThroughMs = await readProvenThrough(deps.ledger.db);
  let chunk: BatchCall[] = [];
  const lookAtChunk = async () => {
    const known = await findPlatformBatches(
      deps.ledger.db,
      chunk.map((row) => row.batch_call_id),
    );
    const byId = new Map(known.map((one) => [one.platformBatchId, one]));
    for (const row of chunk) {
      const recorded = byId.get(row.batch_call_id);
      if (recorded?.started) result.looked += 1;
      else await lookAtRow(deps, row, { recorded, mark, provenThroughMs }, result);
    }
    chunk = [];
  };
  const { withoutId, isSteady } = await readSteadily(deps, async (row) => {
    chunk.push(row);
    if (chunk.length >= ROWS_AT_ONCE) await lookAtChunk();
  });
  await lookAtChunk();
  return { ...result, lost: oldestFirst(result.lost), withoutId, isSteady };
}

export function oldestFirst(batches: readonly LostBatch[]): LostBatch[] {
  return [...batches].sort((a, b) => (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0));
}

interface RowContext {
  recorded: { batchId: string; campaignId: string } | undefined;
  mark: string;
  provenThroughMs: number;
}

async function lookAtRow(
  deps: ActivityDeps,
  row: BatchCall,
  { recorded, mark, provenThroughMs }: RowContext,
  result: LostOnPlatform,
): Promise<void> {
  const named = readBatchName(row.name);
  if (!recorded) {
    if (row.name !== undefined && named?.installation !== mark) return;
    if (row.name === undefined && (saysNotBegun(row) || isBefore(row, provenThroughMs))) return;
  }
  const view = await viewOf(deps, row);
  if (view === undefined) {
    if (!saysNotBegun(row)) result.unreadable.push(row.batch_call_id);
    return;
  }
  const name = named ?? readBatchName(view.name);
  const origin = recorded ?? (name?.installation === mark ? name : undefined);
  const begun = !saysNotBegun(view);
  if (origin) {
    result.looked += 1;
    const known = await readBatch(deps.ledger.db, origin.batchId);
    result.lost.push({
      platformBatchId: row.batch_call_id,
      campaignId: origin.campaignId,
      batchId: origin.batchId,
      inLedger: known !== undefined && known.startSentAtMs === undefined,
      view,
      begun,
      createdAtMs: momentOf(view.created_at) ?? momentOf(view.started_at),
    });
  } else if (view.name === undefined && begun && !isBefore(view, provenThroughMs)) {
    result.nameless.push(view);
  }
}

/** The row and the record itself together: each may lack what the other has. Undefined where it is gone. */
export async function viewOf(
  deps: Pick<ActivityDeps, "platform">,
  row: BatchCall,
): Promise<BatchCall | undefined> {
  try {
    return mergeView(await deps.platform.batchCalls.get(row.batch_call_id), row);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** One reading of a batch, with what an earlier one says besides. */
export function mergeView(view: BatchCall, row: BatchCall): BatchCall {
  return {
    ...view,
    name: view.name ?? row.name,
    status: view.status ?? row.status,
    total: view.total ?? row.total,
    agent_id: view.agent_id ?? row.agent_id,
    from_number: view.from_number ?? row.from_number,
    created_at: view.created_at ?? row.created_at,
    started_at: view.started_at ?? row.started_at,
  };
}

export function saysNotBegun(view: BatchCall): boolean {
  return phaseOfBatch(view) === "not_begun" && !hasBegun(view);
}

/** A batch that was created is started or stopped within minutes; its campaign may have been held for longer. */
const CREATED_BEFORE_MS = 24 * 60 * 60_000;

/** A platform may write one of them without its decimals. */
const CLOCK_TICK_MS = 1_000;

/** Whether a batch was started before a moment, or so long before it created that it must have been. */
export function isBefore(row: BatchCall, momentMs: number): boolean {
  const startedMs = momentOf(row.started_at);
  const createdMs = momentOf(row.created_at);
  // Nothing starts before it is created: then one of the two is garbled, and neither tells anything.
  if (startedMs !== undefined && createdMs !== undefined && startedMs < createdMs - CLOCK_TICK_MS)
    return false;
  if (startedMs !== undefined) return startedMs < momentMs;
  return createdMs !== undefined && createdMs < momentMs - CREATED_BEFORE_MS;
}

/** A platform lists the items and calls of one batch in fewer pages than this. */
const MAX_PAGES = 250;

/**
 * The numbers that a batch carries, as `+` and digits. Items without a number are asked for by their call.
 *
 * @returns `unclear`: items whose number can't be learned.
 */
export async function numbersOf(
  deps: Pick<ActivityDeps, "platform">,
  platformBatchId: string,
  total: number | undefined,
): Promise<{ phones: string[]; unclear: number }> {
  const items = await readItems(deps, platformBatchId, [], { proof: true });
  const digits = new Set(items.map((item) => digitsOf(item.phone)));
  const nameless = items.filter((item) => digitsOf(item.phone) === "");
  // A total that can't be read (NaN) tells nothing, and an item that is listed twice stands for no other.
  let unclear = Math.max(0, (total || 0) - new Set(items.map((item) => item.itemId)).size);
  digits.delete("");
  if (nameless.length > 0 || unclear > 0) {
    const numberOfCall = new Map<string, string>();
    // One that shows nothing names nobody: its item stays unclear.
    const onUnreadable = () => {};
    for await (const call of deps.platform.calls.iterate(
      { batch_call_id: platformBatchId, limit: 100 },
      { untilEmpty: true, maxPages: MAX_PAGES, onUnreadable },
    )) {
      const number = digitsOf(call.to_number);
      if (number !== "") numberOfCall.set(call.call_id, number);
    }
    for (const number of numberOfCall.values()) digits.add(number);
    unclear += nameless.filter((item) => item.callId === undefined || !numberOfCall.has(item.callId)).length;
  }
  return { phones: [...digits].map((number) => `+${number}`), unclear };
}

/** Whom a batch carries that this ledger would still dial, in words. Undefined where there is nobody. */
export async function stillToDialIn(
  deps: Pick<ActivityDeps, "platform" | "ledger">,
  batch: BatchCall,
): Promise<string | undefined> {
  const { phones, unclear } = await numbersOf(deps, batch.batch_call_id, batch.total);
  const contacts = await countStillToDial(deps.ledger.db, phones);
  if (contacts > 0) return `${contacts} contacts who are still to be called here`;
  return unclear > 0 ? `${unclear} numbers that it does not show` : undefined;
}
