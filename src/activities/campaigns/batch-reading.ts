import { factsOfCall } from "../../domain/campaigns/call-facts.ts";
import type { CallFacts } from "../../domain/campaigns/call-outcome.ts";
import {
  readAttempts,
  type ListedItem,
  type Reading,
  type UnendedAttempt,
} from "../../domain/campaigns/findings.ts";
import { showsBegun } from "../../domain/campaigns/platform-batch.ts";
import { NO_PROFILE } from "../../domain/campaigns/platform-profile.ts";
import type { Batch } from "../../ledger/campaigns/batches.ts";
import {
  EndlessListError,
  momentOf,
  NotFoundError,
  type BatchCall,
  type BatchCallItem,
  type Call,
} from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";
import type { DialingPolicy } from "../../domain/policy/dialing-policy.ts";

/** Whom to read from, and what is known of it. */
type Source = Pick<ActivityDeps, "platform" | "profile">;

/** Pages of a listing that belongs to one batch; more than this is no listing of 100 items. */
const MAX_PAGES = 250;

/*
 * What the platform says is made fit for the ledger here, once: times are moments, numbers are finite and within what
 * a call can last, texts are short. What makes no sense is not known, and never a reason to lose the row that it
 * stands in, or another. It stays a sign that somebody may have been dialed (I1).
 */

/** Words for a state are short, and errors are shown in tables. Longer ones are cut. */
const LONGEST_WORD = 100;
const LONGEST_TEXT = 500;
const LONGEST_ID = 255;
/** With all that people put between the digits of a number. */
const LONGEST_PHONE = 64;

/** How long a call whose analysis no rule waits for may take to tell its status. */
const CALL_BOUND_MS = 10 * 60_000;

/** Everything that the platform says of a batch's items and calls, as far as it was asked. */
export interface BatchView {
  items: ListedItem[];
  calls: Map<string, CallFacts>;
}

/**
 * Reads the items of a batch.
 *
 * @param options.proof pages until an empty page, which is what absence and "not dialed" are concluded from;
 * otherwise stops as soon as every wanted number was seen, and where the listing can't be paged any further.
 * @throws EndlessListError where there can be no proof, since the listing leads to no end.
 */
export async function readItems(
  { platform, profile = NO_PROFILE }: Source,
  platformBatchId: string,
  wanted: readonly UnendedAttempt[],
  options: { proof: boolean; signal?: AbortSignal },
): Promise<ListedItem[]> {
  const items: ListedItem[] = [];
  const unseen = new Set(wanted.map((attempt) => digitsOf(attempt.phone)));
  let unreadable = 0;
  const onUnreadable = (rows: number) => void (unreadable += rows);
  const listing = platform.batchCalls.iterateItems(
    platformBatchId,
    { limit: profile.pageLimit },
    { untilEmpty: options.proof, maxPages: MAX_PAGES, signal: options.signal, onUnreadable },
  );
  for await (const row of rowsOf(listing, options)) {
    const item = listedItemOf(row);
    items.push(item);
    unseen.delete(digitsOf(item.phone));
    if (!options.proof && unseen.size === 0) break;
  }
  for (let row = 1; row <= unreadable; row += 1) items.push(nobodysItem(row));
  return items;
}

/** A row of which nothing can be told is an item of somebody, and shows no number. */
function nobodysItem(row: number): ListedItem {
  return {
    itemId: `unreadable row ${row}`,
    phone: undefined,
    status: "",
    errorText: undefined,
    callId: undefined,
    dialCount: undefined,
    startedAtMs: undefined,
    completedAtMs: undefined,
  };
}

/**
 * Reads the calls of a batch as the listing has them: status and duration, no analysis.
 *
 * @param options.proof as of `readItems`.
 * @throws EndlessListError as `readItems` does.
 */
export async function readCalls(
  { platform, profile = NO_PROFILE }: Source,
  platformBatchId: string,
  options: { proof: boolean; signal?: AbortSignal },
): Promise<{ facts: Map<string, CallFacts>; numbers: (string | undefined)[] }> {
  const facts = new Map<string, CallFacts>();
  const numbers: (string | undefined)[] = [];
  // A call of which nothing can be told may be anybody's.
  const onUnreadable = () => void numbers.push(undefined);
  const listing = platform.calls.iterate(
    { batch_call_id: platformBatchId, limit: profile.pageLimit },
    { untilEmpty: options.proof, maxPages: MAX_PAGES, signal: options.signal, onUnreadable },
  );
  for await (const call of rowsOf(listing, options)) {
    facts.set(call.call_id, callFactsOf(call));
    numbers.push(cut(call.to_number, LONGEST_PHONE));
  }
  return { facts, numbers };
}

/** The rows of a listing. What a row says holds, too, where the listing then turns out to lead to no end. */
async function* rowsOf<Row>(
  listing: AsyncIterable<Row>,
  { proof }: { proof: boolean },
): AsyncGenerator<Row, void, undefined> {
  try {
    yield* listing;
  } catch (error) {
    if (proof || !(error instanceof EndlessListError)) throw error;
  }
}

/**
 * What the view says of attempts that have not ended.
 *
 * @param nowMs undefined: nobody has waited long enough yet.
 * @param unasked calls that were to be read whole, and were not.
 */
export function readView(
  { profile = NO_PROFILE }: Pick<ActivityDeps, "profile">,
  view: BatchView,
  attempts: readonly UnendedAttempt[],
  policy: Pick<DialingPolicy, "analysisRules" | "analysisWaitMs" | "keptFields">,
  nowMs: number | undefined,
  unasked?: ReadonlySet<string>,
): Reading {
  return readAttempts({
    attempts,
    items: view.items,
    calls: view.calls,
    endedItemWords: profile.endedItemWords,
    callsListingProves: profile.callsListingProves,
    analysisRules: policy.analysisRules,
    keptFields: policy.keptFields ?? [],
    decideAfterMs: waitFor(policy),
    nowMs,
    ...(unasked && { unasked }),
  });
}

function waitFor(policy: Pick<DialingPolicy, "analysisRules" | "analysisWaitMs" | "keptFields">): number {
  const { analysisRules, keptFields = [], analysisWaitMs } = policy;
  return analysisRules.length > 0 || keptFields.length > 0 ? analysisWaitMs : CALL_BOUND_MS;
}

function listedItemOf(row: BatchCallItem): ListedItem {
  return {
    itemId: row.item_id,
    phone: cut(row.phone_number, LONGEST_PHONE),
    status: cut(row.status, LONGEST_WORD) ?? "",
    errorText: cut(row.error_message, LONGEST_TEXT),
    callId: cut(row.call_id, LONGEST_ID),
    dialCount: row.attempt_count,
    startedAtMs: momentOf(row.started_at),
    completedAtMs: momentOf(row.completed_at),
    hasStart: row.started_at !== undefined,
  };
}

/** What the platform says of a call, made fit: see `factsOfCall`. */
export function callFactsOf(call: Call): CallFacts {
  return factsOfCall(call, momentOf);
}

/** The beginning of a text, without the rest of it in memory. Half a character at its end is none. */
function cut(text: string | undefined, longest: number): string | undefined {
  return text === undefined || text.length <= longest
    ? text
    : Buffer.from(text.slice(0, longest)).toString("utf8");
}

export function digitsOf(phone: string | undefined): string {
  return phone?.replace(/\D/g, "") ?? "";
}

/** The id under which the platform knows a batch that was created. */
export function platformIdOf(batch: Batch): string {
  if (batch.platformBatchId === undefined)
    throw new Error(`batch ${batch.id} is ${batch.state} and has no platform batch`);
  return batch.platformBatchId;
}

/** Whether the platform shows that it has begun to dial a batch, by its state or by anything else that it says. */
export function hasBegun(view: BatchCall): boolean {
  return showsBegun({ ...view, startedAt: view.started_at });
}

/** The batch as the platform shows it; undefined where it says that there is none. */
export async function lookAt(
  { platform }: Pick<ActivityDeps, "platform">,
  batch: Batch,
): Promise<BatchCall | undefined> {
  try {
    return await platform.batchCalls.get(platformIdOf(batch));
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
