import {
  hasDialMarks,
  isProcessed,
  looksUndialed,
  readCall,
  readItem,
  readRefusal,
  type CallFacts,
  type ItemFacts,
  type ItemReading,
} from "./call-outcome.ts";
import { decideByRules, isTaken, type Need } from "./call-rules.ts";
import { keptOf, needOfKept, type KeptFacts } from "./kept-facts.ts";
import type { Disposition } from "../policy/disposition.ts";
import { withinReason } from "../time/reported-times.ts";
import { normaliseWord } from "../ground/normalise-word.ts";
import type { AnalysisRule } from "../policy/dialing-policy.ts";

/** An attempt of which the ledger does not know the end yet. */
export interface UnendedAttempt {
  phone: string;
  itemId: string | undefined;
  callId: string | undefined;
  state: "open" | "provisional";
  endedAtMs: number | undefined;
  plannedAtMs: number;
  /** From 1; absent: the first. */
  attemptNo?: number;
  /** An earlier read showed a sign of its dial: a call, a beginning, or a word that says so. */
  seenDialed: boolean;
  /** How often the platform refused to call its contact since that was called last. */
  refusals: number;
  /** What its item said last, where that was a sign of a dial. */
  told?: { status: string; errorText: string | undefined } | undefined;
  /** When its call was asked for by itself last. */
  askedAtMs?: number | undefined;
  /** Since when nothing answered that. */
  silentSinceMs?: number | undefined;
}

/** After so many refusals in a row another one counts as an attempt, so that there is an end to them (I6). */
const MOST_REFUSALS = 5;

/** An item of the platform's listing with its identity. */
export interface ListedItem extends ItemFacts {
  itemId: string;
  phone: string | undefined;
}

export type Outcome =
  | { kind: "up" }
  | { kind: "provisional"; reason: string }
  /** `kept`: what of its call is kept beside it. */
  | { kind: "ended"; disposition: Disposition; reason: string; kept?: KeptFacts };

/** What a read says of one attempt. */
export interface Finding {
  phone: string;
  itemId: string | undefined;
  callId: string | undefined;
  itemStatus: string | undefined;
  errorText: string | undefined;
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
  durationSeconds: number | undefined;
  /** What the platform says that the call cost, where that is known; in millionths of a US dollar. */
  costMicros?: number | undefined;
  outcome: Outcome;
}

export interface Reading {
  findings: Finding[];
  /** Attempts whose item is there and shows no sign of a dial, and of which the ledger holds none either. */
  undialed: string[];
  /** Of these, whom the platform refused to call, with why. */
  refused: Map<string, string>;
  /** Attempts whose item the listing did not have. */
  missing: string[];
  /** Attempts whose item is up, or says something that nobody has seen. */
  up: string[];
  /** Attempts that the calls listing may decide; they stand among the others besides, if they seem up. */
  wantCalls: string[];
  /** Calls that must be read whole, once processed, for an analysis rule. */
  wantAnalysis: string[];
}

export interface ReadingInput {
  attempts: readonly UnendedAttempt[];
  items: readonly ListedItem[];
  /** Calls known so far by id: listed for the batch, or read whole. */
  calls: ReadonlyMap<string, CallFacts>;
  analysisRules: readonly AnalysisRule[];
  /** What of calls is kept (kept-facts.ts). */
  keptFields?: readonly string[];
  /** Item words beyond the product's own that end an attempt, beside a sign of its end (`readItem`). */
  endedItemWords?: ReadonlySet<string>;
  /** Whether a listing of calls can prove that nobody was called; where it can't, a refused call is a failed one. */
  callsListingProves?: boolean;
  /** After this time since its end an attempt is decided by what is known. */
  decideAfterMs: number;
  /** Undefined: nobody is decided for having waited long enough. */
  nowMs: number | undefined;
  /** Calls to be read whole that were not, this time: whoever waits for them goes on to wait, however long it was. */
  unasked?: ReadonlySet<string>;
}

/**
 * Joins what the platform lists with the attempts of a batch: by item id where it is known, else by number
 * (no batch has a number twice). Items of nobody are left out; an attempt without an item is `missing`.
 *
 * What the ledger holds of a dial is not unmade by an item that shows none, or by none (I1): its call decides.
 */
export function readAttempts(input: ReadingInput): Reading {
  const reading: Reading = {
    findings: [],
    undialed: [],
    refused: new Map(),
    missing: [],
    up: [],
    wantCalls: [],
    wantAnalysis: [],
  };
  const byId = new Map(input.items.map((item) => [item.itemId, item]));
  const byPhone = new Map<string, ListedItem>();
  for (const item of input.items) {
    const digits = digitsOf(item.phone);
    // Were a number listed twice, the item that shows more signs of a dial speaks for it.
    if (digits !== "" && (!byPhone.has(digits) || !showsNoDial(item))) byPhone.set(digits, item);
  }
  for (const attempt of input.attempts) {
    const own = attempt.itemId === undefined ? undefined : byId.get(attempt.itemId);
    const named = byPhone.get(digitsOf(attempt.phone));
    const item = own && !(named && showsNoDial(own)) ? own : (named ?? own);
    if (item) readAttempt(input, attempt, item, reading);
    else readMissing(input, attempt, reading);
  }
  return reading;
}

/**
 * An attempt whose item is not listed: it ends by its call, where that is known and over, and by what its item said
 * before. A listing that lacks it for once makes no other outcome of it.
 */
function readMissing(input: ReadingInput, attempt: UnendedAttempt, reading: Reading): void {
  const { callId } = attempt;
  const call = callId === undefined ? undefined : input.calls.get(callId);
  if (callId === undefined || call === undefined || readCall(call) === undefined) {
    reading.missing.push(attempt.phone);
    if (callId !== undefined) reading.wantCalls.push(attempt.phone);
    return;
  }
  const item = toldItem(attempt, callId);
  const itemReading = item && readItem(item, input.endedItemWords, call);
  const reason = item ? `item ${normaliseWord(item.status)}` : "no item";
  const over: EndedItem =
    itemReading?.phase === "ended" ? itemReading : { phase: "ended", disposition: undefined, reason };
  decideEnded(input, attempt, { item, itemReading: over, callId, call }, reading);
}

/** The item as it was seen, by what the ledger holds of it. Undefined: it never showed a dial. */
function toldItem({ itemId, phone, told }: UnendedAttempt, callId: string): ListedItem | undefined {
  if (itemId === undefined || told === undefined) return undefined;
  const { status, errorText } = told;
  const unkept = { dialCount: undefined, startedAtMs: undefined, completedAtMs: undefined };
  return { itemId, phone, status, errorText, callId, ...unkept };
}

/** Whether nothing that the item says is a sign of a dial. */
function showsNoDial(item: ListedItem): boolean {
  return looksUndialed(item) || readRefusal(item) !== undefined;
}

function digitsOf(phone: string | undefined): string {
  return phone?.replace(/\D/g, "") ?? "";
}

type EndedItem = Extract<ItemReading, { phase: "ended" }>;

/** What is known of an attempt whose item, or whose call, is over. */
interface Ended {
  /** Undefined where it is not listed. */
  item: ListedItem | undefined;
  itemReading: EndedItem;
  callId: string | undefined;
  call: CallFacts | undefined;
}

function readAttempt(input: ReadingInput, attempt: UnendedAttempt, item: ListedItem, reading: Reading): void {
  const callId = item.callId ?? attempt.callId;
  const call = callId === undefined ? undefined : input.calls.get(callId);
  const refusal = input.callsListingProves === false ? undefined : readRefusal(item);
  if (refusal !== undefined && !wasDialed(attempt) && attempt.refusals < MOST_REFUSALS) {
    // Whether nobody was called is proven as of every other (proving.ts).
    reading.undialed.push(attempt.phone);
    reading.refused.set(attempt.phone, refusal);
    return;
  }
  const itemReading = readItem(item, input.endedItemWords, call);
  if (itemReading.phase === "ended") {
    decideEnded(input, attempt, { item, itemReading, callId, call }, reading);
    return;
  }
  const showsNone = looksUndialed(item);
  if (showsNone && !wasDialed(attempt)) {
    reading.undialed.push(attempt.phone);
    return;
  }
  if (showsNone && call && readCall(call)) {
    const reason = `item ${normaliseWord(item.status)}`;
    const over: EndedItem = { phase: "ended", disposition: undefined, reason };
    decideEnded(input, attempt, { item, itemReading: over, callId, call }, reading);
    return;
  }
  reading.up.push(attempt.phone);
  // A word of the platform's own ends it once its call is seen to be over; so does an item that forgot its call.
  const mayHaveEnded = itemReading.phase === "unrecognised" && input.endedItemWords?.has(itemReading.word);
  if (mayHaveEnded || (showsNone && callId !== undefined)) reading.wantCalls.push(attempt.phone);
  // The ledger keeps the word as a sign of the dial: one that nobody knows is none.
  const isSign = itemReading.phase === "up" || hasDialMarks(item);
  const facts = { item: isSign ? item : { ...item, status: undefined }, callId, call };
  reading.findings.push(findingOf(attempt, facts, { kind: "up" }));
}

/** Whether the ledger holds that it was dialed. */
function wasDialed(attempt: UnendedAttempt): boolean {
  return attempt.seenDialed || attempt.callId !== undefined || attempt.state === "provisional";
}

function findingOf(
  attempt: UnendedAttempt,
  {
    item,
    callId,
    call,
  }: {
    item: (Omit<ListedItem, "status"> & { status: string | undefined }) | undefined;
    callId: string | undefined;
    call: CallFacts | undefined;
  },
  outcome: Outcome,
): Finding {
  return {
    phone: attempt.phone,
    itemId: item?.itemId,
    callId,
    itemStatus: item?.status,
    errorText: item?.errorText,
    startedAtMs: item?.startedAtMs ?? call?.startedAtMs,
    endedAtMs: item?.completedAtMs ?? call?.endedAtMs,
    durationSeconds: call?.durationSeconds,
    ...(call?.costMicros !== undefined && { costMicros: call.costMicros }),
    outcome,
  };
}

/** Whether it has waited so long for more than its end that what is known decides. */
function isOverdue(
  { nowMs, decideAfterMs, unasked }: ReadingInput,
  attempt: UnendedAttempt,
  { item, callId, call }: Ended,
): boolean {
  if (nowMs === undefined || attempt.state !== "provisional") return false;
  if (callId !== undefined && unasked?.has(callId)) return false;
  // An end that is still to come is none: it would be waited for again and again.
  const isToCome = (momentMs: number) => momentMs > Math.max(nowMs, attempt.plannedAtMs);
  const toldEndMs = [item?.completedAtMs, call?.endedAtMs, attempt.endedAtMs].find(
    (momentMs) => momentMs !== undefined && !isToCome(momentMs),
  );
  const endedAtMs = withinReason(toldEndMs ?? nowMs, attempt.plannedAtMs, nowMs);
  return nowMs - endedAtMs >= decideAfterMs;
}

/** What an attempt came to whose item is over, or whose call is. */
function decideEnded(input: ReadingInput, attempt: UnendedAttempt, ended: Ended, reading: Reading): void {
  const { itemReading, callId, call } = ended;
  const find = (outcome: Outcome) => reading.findings.push(findingOf(attempt, ended, outcome));
  const overdue = isOverdue(input, attempt, ended);
  const byCall = call && readCall(call);
  const decided = itemReading.disposition ?? byCall?.disposition;
  const reason =
    itemReading.disposition === undefined && byCall
      ? `${itemReading.reason}, ${byCall.reason}`
      : itemReading.reason;
  if (decided === undefined) {
    if (overdue) {
      find({
        kind: "ended",
        disposition: "unknown",
        reason: `${itemReading.reason}, and its call said nothing in time`,
      });
    } else {
      reading.wantCalls.push(attempt.phone);
      find({ kind: "provisional", reason: `${itemReading.reason}: waits for its call` });
    }
    return;
  }
  const ruling = ruled(input, attempt, ended, { disposition: decided, reason, overdue });
  switch (ruling.need) {
    case "nothing":
      return void find({ kind: "ended", ...ruling.outcome });
    case "call":
      reading.wantCalls.push(attempt.phone);
      return void find({ kind: "provisional", reason: `${reason}: waits for its call` });
    case "processing":
      if (callId !== undefined) reading.wantAnalysis.push(callId);
      return void find({ kind: "provisional", reason: `${reason}: waits for its analysis` });
  }
}

type Ruled =
  | { need: "nothing"; outcome: { disposition: Disposition; reason: string; kept?: KeptFacts } }
  | { need: Exclude<Need, "nothing"> };

/** What rules make of an outcome, or what they, or those who ask later, wait for. */
function ruled(
  { analysisRules, keptFields = [] }: ReadingInput,
  attempt: UnendedAttempt,
  { item, callId, call }: Ended,
  { disposition, reason, overdue }: { disposition: Disposition; reason: string; overdue: boolean },
): Ruled {
  const taken = isTaken(disposition);
  const kept = keptFields.length > 0 && { kept: keptOf(keptFields, call) };
  if (analysisRules.length > 0) {
    const account = {
      callId,
      call,
      itemStatus: item?.status,
      errorText: item?.errorText,
      attempt: attempt.attemptNo ?? 1,
      disposition,
      reason,
      startedAtMs: item?.startedAtMs,
      endedAtMs: item?.completedAtMs ?? attempt.endedAtMs,
    };
    const ruling = decideByRules({ rules: analysisRules, account, isOverdue: overdue });
    if (ruling.kind === "waits") return { need: ruling.need };
    ({ disposition, reason } = ruling);
  }
  // Whoever opts out is suppressed at once: nobody waits for what is kept of that call.
  if (callId !== undefined && !overdue && disposition !== "opted_out") {
    const need = needOfKept(keptFields);
    if (need === "processing" && taken && !(call && isProcessed(call))) return { need };
    if (need !== "nothing" && !(call && readCall(call))) return { need: "call" };
  }
  return { need: "nothing", outcome: { disposition, reason, ...kept } };
}
