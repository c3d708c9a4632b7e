import { Context } from "@temporalio/activity";

import { slotQuantum } from "../../../domain/campaigns/batch-sizing.ts";
import { policyOf } from "../../../domain/campaigns/campaign-spec.ts";
import { takeFollowFence } from "../../../ledger/campaigns/attempts.ts";
import { listUnsettled, type Batch } from "../../../ledger/campaigns/batches.ts";
import { readCampaign, workLeftOf, type Campaign } from "../../../ledger/campaigns/campaigns.ts";
import { PlatformError, type BatchCall } from "../../../platform/index.ts";
import type { ActivityDeps } from "../../deps.ts";
import { batchStep, noteStepFailure, noteStepSuccess } from "../../ground/failing-steps.ts";
import { FollowedBatch } from "./followed-batch.ts";
import type { LineDemand, LineWatch } from "./line-watch.ts";
import type { SocketBudget } from "./socket-budget.ts";
import { type DialingPolicy } from "../../../domain/policy/dialing-policy.ts";
import { elapsedMs } from "../../../domain/time/elapsed.ts";

/*
 * One follower a campaign, whatever it has under way.
 *
 * F1 What it learns only makes things faster: batches end, and are looked at, without it (I4).
 * F2 At most one follower writes: each takes a token from the ledger, and an older one stops when it meets it.
 * F3 Bounded: this process's sockets, one look at a time per batch, a few batches at once.
 * F4 It ends by itself when there is nothing to follow; planning starts it again.
 */

/** Batches read at once. */
const READS_AT_ONCE = 4;

/** The ledger is asked for new batches, and the campaign for its policy, this many ticks apart. */
const REFRESH_TICKS = 2;

export interface FollowCampaignInput {
  campaignId: string;
}

export interface FollowCampaignResult {
  ended: "idle" | "fenced";
}

/** What the follower needs beside the other activities' ports. */
export interface FollowDeps extends ActivityDeps {
  sockets: SocketBudget;
  lines: LineWatch;
}

/** Safe to retry: a new follower reads everything anew, and the old one's token is void. */
export async function followCampaign(
  deps: FollowDeps,
  input: FollowCampaignInput,
): Promise<FollowCampaignResult> {
  const fence = await takeFollowFence(deps.ledger.db, input.campaignId);
  if (fence === undefined) return { ended: "idle" };
  const follower = new Follower(deps, input.campaignId, fence);
  try {
    return { ended: await follower.run() };
  } finally {
    await follower.close();
  }
}

interface Demand {
  /** Somebody was left for want of slots: in this campaign, or in another that shares the account's lines. */
  isWaitedFor: boolean;
  /** By batches that are followed, and by those that were not seen to begin. */
  held: { followed: number; elsewhere: number };
  limit: number;
  /** Slots that are worth a batch. */
  quantum: number;
  /** The account's lines that have to come free, over all campaigns; undefined where its own slots alone count. */
  neededOfAccount: number | undefined;
}

const NOBODY_WAITS: Demand = {
  isWaitedFor: false,
  held: { followed: 0, elsewhere: 0 },
  limit: 0,
  quantum: 1,
  neededOfAccount: undefined,
};

function demandOf(campaign: Campaign, held: Demand["held"], lines: LineDemand | undefined): Demand {
  const { starved, state } = campaign;
  const work = workLeftOf(campaign);
  const neededOfAccount = lines?.needed;
  const isWaitedFor = (starved && state === "running") || neededOfAccount !== undefined;
  return { isWaitedFor, held, limit: work.limit, quantum: slotQuantum(work), neededOfAccount };
}

class Follower {
  readonly #deps: FollowDeps;
  readonly #campaignId: string;
  readonly #fence: number;
  readonly #followed = new Map<string, FollowedBatch>();
  readonly #context = Context.current();
  #policy: DialingPolicy | undefined;
  /** What the ledger said last of who waits for slots. */
  #demand: Demand = NOBODY_WAITS;
  #idleSinceMs: number;
  #listedMs: number;
  #wakeUp: () => void = () => {};

  constructor(deps: FollowDeps, campaignId: string, fence: number) {
    this.#deps = deps;
    this.#campaignId = campaignId;
    this.#fence = fence;
    this.#idleSinceMs = deps.now();
    this.#listedMs = deps.now();
  }

  async run(): Promise<"idle" | "fenced"> {
    const { pace, now } = this.#deps;
    for (let tick = 0; ; tick += 1) {
      this.#context.cancellationSignal.throwIfAborted();
      this.#context.heartbeat({ following: this.#followed.size });
      if (tick % REFRESH_TICKS === 0) await this.#refresh();
      if (this.#followed.size > 0) this.#idleSinceMs = now();
      else if (elapsedMs(now(), this.#idleSinceMs) >= pace.followIdleMs) return "idle";
      await this.#noteRunning();
      if ((await this.#turns()) === "fenced") return "fenced";
      await this.#sleep(pace.followTickMs);
    }
  }

  async close(): Promise<void> {
    this.#deps.lines.note(this.#campaignId, 0);
    await Promise.all(Array.from(this.#followed.values(), (batch) => batch.close()));
  }

  /** Takes up batches that were started and lets go of those that are through. */
  async #refresh(): Promise<void> {
    const { ledger, sockets, lines } = this.#deps;
    const campaign = await readCampaign(ledger.db, this.#campaignId);
    if (!campaign) return;
    this.#policy = policyOf(campaign.spec, campaign.policyVersion);
    const live = new Map<string, Batch>();
    const held = { followed: 0, elsewhere: 0 };
    for (const batch of await listUnsettled(ledger.db, this.#campaignId)) {
      if (batch.startSeenAtMs === undefined) held.elsewhere += batch.held;
      else {
        held.followed += batch.held;
        live.set(batch.id, batch);
      }
    }
    this.#demand = demandOf(campaign, held, live.size > 0 ? await lines.demand() : undefined);
    for (const [id, followed] of this.#followed) {
      if (!live.has(id)) await this.#drop(id, followed);
    }
    for (const [id, batch] of live) {
      let followed = this.#followed.get(id);
      if (!followed) {
        followed = new FollowedBatch(this.#deps, batch, this.#fence);
        this.#followed.set(id, followed);
      }
      followed.update(batch);
      if (batch.state === "running" && batch.stopReason !== undefined) followed.remind();
      try {
        followed.listen(sockets, () => this.#wakeUp());
      } catch (error) {
        // Without its stream it is followed all the same (I4).
        this.#deps.log.warn({ batchId: id, error: String(error) }, "a batch's stream could not be opened");
      }
    }
  }

  async #drop(id: string, followed: FollowedBatch): Promise<void> {
    this.#followed.delete(id);
    await followed.close();
  }

  /** One request tells of all batches that no stream tells of. */
  async #noteRunning(): Promise<void> {
    const { platform, pace, now, log } = this.#deps;
    const blind = [...this.#followed.values()].filter((batch) => batch.isBlind);
    if (blind.length === 0) return;
    const gapMs = this.#demand.isWaitedFor ? pace.waitedPollMs : pace.blindPollMs;
    if (elapsedMs(now(), this.#listedMs) < gapMs) return;
    this.#listedMs = now();
    let running: readonly BatchCall[];
    try {
      running = await platform.batchCalls.active({ signal: this.#context.cancellationSignal });
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      log.warn({ campaignId: this.#campaignId, error: error.message }, "the running batches can't be listed");
      return;
    }
    const byId = new Map(running.map((batch) => [batch.batch_call_id, batch]));
    for (const batch of blind) batch.noteListed(byId.get(batch.platformId));
  }

  async #turns(): Promise<"worked" | "fenced"> {
    const policy = this.#policy;
    if (!policy) return "worked";
    const queue = [...this.#followed.entries()];
    const slotsWanted = this.#slotsWanted();
    let fenced = false;
    const work = async () => {
      for (let next = queue.shift(); next !== undefined && !fenced; next = queue.shift()) {
        const [id, batch] = next;
        const result = await this.#turn(batch, policy, slotsWanted);
        if (result === "fenced") fenced = true;
        if (result === "closed") await this.#drop(id, batch);
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
    return fenced ? "fenced" : "worked";
  }

  #slotsWanted(): boolean {
    const { isWaitedFor, held, limit, quantum, neededOfAccount } = this.#demand;
    const { lines } = this.#deps;
    let heard = 0;
    for (const batch of this.#followed.values()) heard += batch.slotsHeard;
    lines.note(this.#campaignId, held.followed - heard);
    if (!isWaitedFor) return false;
    if (neededOfAccount !== undefined) return lines.heardFree() >= neededOfAccount;
    return limit - held.elsewhere - heard >= quantum;
  }

  async #turn(batch: FollowedBatch, policy: DialingPolicy, slotsWanted: boolean) {
    const step = batchStep(batch.id, "follow");
    try {
      const result = await batch.turn(policy, slotsWanted, this.#context.cancellationSignal);
      if (result !== "quiet") await noteStepSuccess(this.#deps, step, { asked: true });
      return result;
    } catch (error) {
      // One batch that can't be read, or written, is no reason to stop following the others. A ledger that is away
      // ends the follower with its next look there.
      if (this.#context.cancellationSignal.aborted) throw error;
      this.#deps.log.warn({ batchId: batch.id, error: String(error) }, "a batch could not be followed");
      await noteStepFailure(this.#deps, step, error);
      return "quiet";
    }
  }

  /** Until the next tick, or a hint. */
  async #sleep(durationMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, durationMs);
      this.#wakeUp = () => {
        clearTimeout(timer);
        // A burst of hints is one wake-up; the pacing of each batch decides what is read.
        setTimeout(resolve, Math.min(50, durationMs));
      };
    });
    this.#wakeUp = () => {};
  }
}
