import { readItem } from "../../../domain/campaigns/call-outcome.ts";
import type { Reading, UnendedAttempt } from "../../../domain/campaigns/findings.ts";
import { readIsDue, slotsHeardFree } from "../../../domain/campaigns/follow-pacing.ts";
import type { ProfileEffects } from "../../../domain/campaigns/platform-profile.ts";
import { listUnended } from "../../../ledger/campaigns/attempts.ts";
import type { Batch } from "../../../ledger/campaigns/batches.ts";
import { closeBatch, settleFindings } from "../../../ledger/campaigns/settling.ts";
import type { BatchCall, BatchStream, Hint, PlatformError } from "../../../platform/index.ts";
import { platformIdOf, readItems, type BatchView } from "../batch-reading.ts";
import { announce, readCallsFor } from "../batch-settling.ts";
import type { ActivityDeps } from "../../deps.ts";
import type { SocketBudget } from "./socket-budget.ts";
import type { DialingPolicy } from "../../../domain/policy/dialing-policy.ts";
import { elapsedMs } from "../../../domain/time/elapsed.ts";

/** Ended items whose call decides are gathered to this many before the calls are listed. */
const CALLS_GATHERED = 25;

/** Calls read whole in one turn, for an analysis rule. */
const CALLS_READ_PER_TURN = 10;

/** What one turn came to. `fenced`: another follower has taken over. */
export type TurnResult = "quiet" | "worked" | "closed" | "fenced";

/**
 * One batch as its follower sees it between two reads. Bounded by the batch: 100 items, 100 hints, one socket.
 */
export class FollowedBatch {
  readonly id: string;
  readonly #deps: ActivityDeps;
  #batch: Batch;
  readonly #fence: number;
  readonly #hintedEnded = new Set<string>();
  #unclear = 0;
  /** How many calls are through by the counts of frames: now, and when items were read last. */
  #counted: { now: number; atRead: number } | undefined;
  readonly #view: BatchView = { items: [], calls: new Map() };
  #stream: BatchStream | undefined;
  #open: number;
  #provisional = 0;
  readonly #followedSinceMs: number;
  #lastReadMs: number;
  #callsListedMs: number;
  #callsReadMs: number;
  #tendingAskedMs: number;
  #fruitless = 0;
  /** A hint, or the listing of running batches, says that the platform is through with it. */
  #seemsOver = false;
  #countsSeen: string | undefined;
  #countsMoved = false;

  constructor(deps: ActivityDeps, batch: Batch, fence: number) {
    this.id = batch.id;
    this.#deps = deps;
    this.#batch = batch;
    this.#fence = fence;
    this.#open = batch.size;
    const nowMs = deps.now();
    this.#followedSinceMs = nowMs;
    this.#lastReadMs = nowMs;
    this.#callsListedMs = nowMs;
    this.#callsReadMs = nowMs;
    this.#tendingAskedMs = nowMs;
  }

  /** As the ledger has it by now: it may have been asked to stop since, and hold fewer slots. */
  update(batch: Batch): void {
    this.#batch = batch;
  }

  get platformId(): string {
    return platformIdOf(this.#batch);
  }

  get streamOpen(): boolean {
    return this.#stream?.state === "open";
  }

  /** No stream tells of it, though there was time enough for one to open. */
  get isBlind(): boolean {
    const { pace, now } = this.#deps;
    return !this.streamOpen && elapsedMs(now(), this.#followedSinceMs) >= pace.waitedPollMs;
  }

  /** Listens to the batch's stream, as long as this process has a socket to spare. */
  listen(budget: SocketBudget, wake: () => void): void {
    if (this.#stream || !budget.take()) return;
    this.#stream = this.#deps.platform.openBatchStream({
      batchCallId: platformIdOf(this.#batch),
      onHint: (hint) => {
        this.#take(hint);
        wake();
      },
    });
    void this.#stream.closed.then(() => budget.giveBack());
  }

  async close(): Promise<void> {
    await this.#stream?.close();
  }

  #take(hint: Hint): void {
    if (hint.terminal === true) this.#seemsOver = true;
    // What nobody understands may be somebody's end, and is no more than that.
    this.#unclear = Math.min(this.#batch.size, this.#unclear + (hint.unclear ?? 0));
    this.#noteThrough(throughOf(hint.counts));
    for (const [key, status] of hint.items) {
      // A lying stream may name things without end; a batch has no more items than its size.
      if (this.#hintedEnded.size >= this.#batch.size) break;
      if (mayBeEnd(status, this.#deps.profile)) this.#hintedEnded.add(key);
    }
  }

  /** What the listing of running batches says of this one: undefined where it does not have it. */
  noteListed(listed: BatchCall | undefined): void {
    if (!listed) {
      this.#countsMoved = this.#countsSeen !== undefined;
      this.#seemsOver = true;
      return;
    }
    const { status, completed, failed, processed, pending, active } = listed;
    const counts = [status, completed, failed, processed, pending, active].join(" ");
    // Counts that lag or are left out are no reason to take what moved for nothing.
    const hasMoved = this.#noteThrough(throughOf({ processed, completed, failed }));
    if (counts !== this.#countsSeen && !hasMoved) this.#countsMoved = this.#countsSeen !== undefined;
    this.#countsSeen = counts;
  }

  /** Takes in how many calls are through. Returns whether that is another number than before. */
  #noteThrough(through: number | undefined): boolean {
    if (through === undefined) return false;
    const before = this.#counted ?? { atRead: this.#batch.size - this.#open, now: 0 };
    this.#counted = { atRead: before.atRead, now: through };
    return through !== before.now;
  }

  /** Slots that it holds by the ledger's word, less those that came free by what was heard since. */
  get slotsHeard(): number {
    const { slots } = this.#batch;
    const held = this.#heldByStopped;
    const heard = { open: this.#open, slots, held, hintedEnded: this.#endsHeardOf() };
    return (held ?? Math.min(slots, this.#open)) - slotsHeardFree(heard);
  }

  /** Slots of one that takes no new dial; undefined of one that does. */
  get #heldByStopped(): number | undefined {
    return this.#batch.stopReason === undefined ? undefined : this.#batch.held;
  }

  /**
   * Reads what is due and writes what it says.
   *
   * @param slotsWanted somebody waits for slots, and those that came free by what was heard are worth a batch
   */
  async turn(policy: DialingPolicy, slotsWanted: boolean, signal: AbortSignal): Promise<TurnResult> {
    const { ledger, pace, now } = this.#deps;
    const readItemsNow = this.#open > 0 && this.#readDue(slotsWanted);
    const lookAtCalls = this.#provisional > 0 && elapsedMs(now(), this.#callsReadMs) >= pace.processingLookMs;
    if (!readItemsNow && !lookAtCalls) return "quiet";
    const attempts = await listUnended(ledger.db, this.id);
    const seemedOver = this.#seemsOver;
    if (readItemsNow) await this.#readItems(attempts, signal);
    const { reading, unlisted } = await this.#readCallsFor(attempts, policy, signal);
    const result = await this.#settle(reading);
    if (seemedOver && result === "worked") this.#askForTending();
    if (result === "worked") this.#askForSlots(reading);
    // What does not depend on them is written all the same.
    if (unlisted && result === "worked") throw unlisted;
    return result;
  }

  #readDue(slotsWanted: boolean): boolean {
    const { pace, now } = this.#deps;
    return readIsDue(
      {
        open: this.#open,
        slots: this.#batch.slots,
        held: this.#heldByStopped,
        size: this.#batch.size,
        sinceReadMs: elapsedMs(now(), this.#lastReadMs),
        hintedEnded: this.#endsHeardOf(),
        hintedOver: this.#seemsOver,
        streamOpen: this.streamOpen,
        countsMoved: this.#countsMoved,
        slotsWanted,
        fruitless: this.#fruitless,
      },
      { ...pace, minGapMs: pace.followTickMs },
    );
  }

  #endsHeardOf(): number {
    const counted = this.#counted ? this.#counted.now - this.#counted.atRead : 0;
    return Math.min(this.#batch.size, Math.max(counted, this.#hintedEnded.size + this.#unclear));
  }

  async #readItems(attempts: readonly UnendedAttempt[], signal: AbortSignal): Promise<void> {
    this.#hintedEnded.clear();
    this.#unclear = 0;
    if (this.#counted) this.#counted.atRead = this.#counted.now;
    this.#seemsOver = false;
    this.#countsMoved = false;
    this.#lastReadMs = this.#deps.now();
    const platformId = platformIdOf(this.#batch);
    try {
      this.#view.items = await readItems(this.#deps, platformId, attempts, { proof: false, signal });
    } catch (error) {
      // What was heard is still to be read: soon, and less and less so while nothing answers.
      this.#countsMoved = true;
      this.#fruitless += 1;
      throw error;
    }
  }

  /** Calls are gathered, so that listing them costs few requests. */
  async #readCallsFor(
    attempts: readonly UnendedAttempt[],
    policy: DialingPolicy,
    signal: AbortSignal,
  ): Promise<{ reading: Reading; unlisted: PlatformError | undefined }> {
    const { pace, now } = this.#deps;
    this.#callsReadMs = now();
    const { isListed, ...read } = await readCallsFor(this.#deps, this.#batch, this.#view, {
      attempts,
      policy,
      mayList: ({ up, undialed, missing, wantCalls }) =>
        up.length + undialed.length + missing.length === 0 ||
        wantCalls.length >= CALLS_GATHERED ||
        elapsedMs(now(), this.#callsListedMs) >= pace.hintStaleMs,
      callsAtMost: CALLS_READ_PER_TURN,
      signal,
    });
    if (isListed) this.#callsListedMs = now();
    return read;
  }

  async #settle(reading: Reading): Promise<TurnResult> {
    const { ledger, wake, now } = this.#deps;
    const result = await settleFindings(ledger, {
      batchId: this.id,
      findings: reading.findings,
      fence: this.#fence,
      nowMs: now(),
    });
    if (!result) return "closed";
    if (result.fenced) return "fenced";
    await announce(this.#deps, this.#batch, result);
    const moved = result.open !== this.#open || result.provisional !== this.#provisional;
    this.#fruitless = moved ? 0 : this.#fruitless + 1;
    this.#open = result.open;
    this.#provisional = result.provisional;
    if (result.open > 0 || result.provisional > 0) return "worked";
    const { isLast } = await closeBatch(ledger, this.id, now());
    // Its slots were given back, and its campaign was woken for them, with the outcomes of its last calls.
    if (isLast) wake.campaign(this.#batch.campaignId);
    wake.batch(this.id);
    return "closed";
  }

  /** It was asked to stop and its workflow has not acted on it: the wake-up may have been lost. */
  remind(): void {
    const { pace, now, wake } = this.#deps;
    if (elapsedMs(now(), this.#tendingAskedMs) < pace.blindPollMs) return;
    this.#tendingAskedMs = now();
    wake.batch(this.id);
  }

  /** Of one that was stopped, slots are let go of by whoever tends it: its platform's counts have a say in that. */
  #askForSlots({ up, missing }: Reading): void {
    const held = this.#heldByStopped;
    if (held !== undefined && held > up.length + missing.length) this.#deps.wake.batch(this.id);
  }

  /** The platform seems to be through with the batch while attempts are open: its workflow has to look. */
  #askForTending(): void {
    if (this.#open > 0) this.remind();
  }
}

interface Counts {
  processed?: number | undefined;
  completed?: number | undefined;
  failed?: number | undefined;
}

/** Of a batch's counts: how many of its calls are through. */
function throughOf(counts: Counts | undefined): number | undefined {
  const { processed, completed, failed } = counts ?? {};
  if (processed === undefined && completed === undefined && failed === undefined) return undefined;
  return Math.max(processed ?? 0, (completed ?? 0) + (failed ?? 0));
}

/** What a hint says is looked up (I4), so that a guess is enough here. */
function mayBeEnd(status: string, profile: ProfileEffects | undefined): boolean {
  const { phase } = readItem(
    {
      status,
      errorText: undefined,
      callId: undefined,
      dialCount: undefined,
      startedAtMs: undefined,
      completedAtMs: 0,
    },
    profile?.endedItemWords,
  );
  // A word of the platform's own says at least that something moved.
  return phase === "ended" || phase === "cancelled" || phase === "unrecognised";
}
