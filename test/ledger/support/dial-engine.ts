import { sql } from "drizzle-orm";

import { keepLinesFull, type OfferDeps } from "../../../src/activities/campaigns/offer-lines.ts";
import type { AccountLines } from "../../../src/domain/campaigns/account-lines.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { recordBegun } from "../../../src/ledger/campaigns/batch-steps.ts";
import {
  lockBatch,
  moveBatch,
  readBatch,
  readBatches,
  requestStop,
  returnAttempts,
} from "../../../src/ledger/campaigns/batches.ts";
import { breakCampaign } from "../../../src/ledger/campaigns/breaking.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { listOf } from "../../../src/ledger/ground/sql.ts";
import { given } from "../../support/ledgers.ts";
import { hasCaller, Rests } from "./dial-callers.ts";
import { hasLineOfAccount, taken, upAt } from "./dial-lines.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type Dial, type Person, type Rules } from "./dial-oracle.ts";
import type { Called, Planned, Running } from "./dial-records.ts";
import type { Kill, LifeLedger } from "./life-ledger.ts";
import { create, ended, permit, plan } from "./scenario.ts";

/*
 * A process that plans, starts and settles by what the ledger says, and a platform that dials what it is given. The
 * process forgets everything when it is killed; the platform forgets nothing, and goes on.
 */

/** What calls come to, and how the platform takes its time: numbers that are used in turn. */
export interface Luck {
  outcomes: readonly Disposition[];
  /** Minutes that a call takes. */
  minutes: readonly number[];
  /** How many of a batch are dialed at once; the rest later. */
  atOnce: readonly number[];
  /** Whether a batch is started a turn after it was planned. */
  startsLater: readonly boolean[];
  /** Each after the one before: the process is killed. */
  kills: readonly Kill[];
}

/** What the platform has of a batch that was started. */
interface Dialing {
  planned: Planned;
  waiting: Called[];
  calls: Dial[];
}

/** What the process remembers; all of it stands in the ledger, too. */
interface Memory {
  /** Created, and to be started. */
  created: Set<string>;
  /** Calls whose end was written down. */
  reported: Set<Dial>;
  /** When each campaign looks by itself; it looks at once where nothing is said. */
  looksMs: Map<string, number>;
  /** Campaigns that are over, which nobody plans any more. */
  over: Set<string>;
  /** Of calls that are placed one by one, those in which nobody was left when they were planned. */
  through: Set<string>;
}

const blank = (): Memory => ({
  created: new Set(),
  reported: new Set(),
  looksMs: new Map(),
  over: new Set(),
  through: new Set(),
});

/** What a life tells the process that the process can't know. */
export interface Surroundings {
  nowMs(): number;
  rulesOf(campaign: Running): Rules;
  personOf(phone: string): Person;
  /** A call is over, and that is written down. */
  onEnded(campaign: Running, dial: Dial): Promise<void>;
  /** What else the process does at each of its turns. When it goes on with that; undefined: all of it is done. */
  onTurn(): Promise<number | undefined>;
}

/** So many kills in a row of one step are no luck any more. */
const MOST_KILLS = 100;

/** More plannings of one campaign at one moment are no progress any more. */
const MOST_PLANNINGS = 200;

/** More offers of lines at one moment, likewise. */
const MOST_OFFERS = 50;

export class DialEngine {
  readonly log: Dial[] = [];
  readonly planned: Planned[] = [];
  readonly campaigns: Running[] = [];
  readonly rests = new Rests();
  readonly #opened: LifeLedger;
  readonly #luck: Luck;
  readonly #around: Surroundings;
  readonly #platform = new Map<string, Dialing>();
  #memory = blank();
  #drawn = 0;
  #kills = 0;
  #plannings = 0;
  readonly #account: AccountLines | undefined;

  constructor(
    opened: LifeLedger,
    { luck, account }: { luck: Luck; account: AccountLines | undefined },
    around: Surroundings,
  ) {
    this.#opened = opened;
    this.#luck = luck;
    this.#account = account;
    this.#around = around;
  }

  /** How often its process was killed. */
  get kills(): number {
    return this.#kills;
  }

  /** How often a campaign was planned. */
  get plannings(): number {
    return this.#plannings;
  }

  get #ledger(): Ledger {
    return this.#opened.ledger;
  }

  /** From here on it is killed as was drawn. */
  mayBeKilled(): void {
    const next = this.#luck.kills[this.#kills];
    if (next !== undefined) this.#opened.killAt(next);
  }

  neverKilled(): void {
    this.#opened.revive();
  }

  /** Does it, with another process where this one is killed on the way: as often as that comes. */
  async surviving<T>(work: () => Promise<T>): Promise<T> {
    for (let tried = 0; tried < MOST_KILLS; tried += 1) {
      try {
        return await work();
      } catch (error) {
        if (!this.#opened.isKilled()) throw error;
        this.#kills += 1;
        this.#opened.revive();
        await this.#beginAnew();
        this.mayBeKilled();
      }
    }
    throw new Error("it was killed over and over");
  }

  /** It looks at once. */
  wake(campaignId: string): void {
    this.#memory.looksMs.delete(campaignId);
  }

  /** It and its callbacks do. */
  wakeWithCallbacks(campaign: Running): void {
    for (const one of this.campaigns) if (one === campaign || one.parent === campaign) this.wake(one.id);
  }

  /** Something was told: whoever it concerns looks. */
  wakeAll(): void {
    this.#memory.looksMs.clear();
  }

  /** Whether a campaign has a line for one call more than it has under way. */
  hasLine(campaign: Running): boolean {
    const { concurrency } = this.#around.rulesOf(campaign).spec;
    const underWay = this.planned.filter(({ id }) => this.#platform.has(id) || this.#memory.created.has(id));
    return (
      taken(underWay.filter((one) => one.campaign === campaign)) < concurrency &&
      hasLineOfAccount(campaign, underWay, this.#account)
    );
  }

  /** Whether one of its numbers may call. */
  hasCaller(campaign: Running, atMs: number): boolean {
    return hasCaller(this.#around.rulesOf(campaign).spec, atMs, this);
  }

  /** Calls end, the platform dials, and campaigns that have a reason to are planned: what happens at one moment. */
  turn(): Promise<{ isOver: boolean; nextMs: number }> {
    return this.surviving(() => this.#turn());
  }

  async #turn(): Promise<{ isOver: boolean; nextMs: number }> {
    const nowMs = this.#around.nowMs();
    await this.#endCalls();
    await this.#dialWaiting();
    for (const batchId of this.#memory.created) await this.#start(batchId);
    let goesOnMs = await this.#around.onTurn();
    const before = this.#plannings;
    let looks = await this.#planAll();
    if (this.#plannings > before) {
      // A planning may have ended somebody for whom others waited.
      goesOnMs = await this.#around.onTurn();
      looks = await this.#planAll();
    }
    const isOver = looks.length === 0 && goesOnMs === undefined;
    let nextMs = Math.min(nowMs + 12 * HOUR_MS, goesOnMs ?? Number.POSITIVE_INFINITY, ...looks);
    for (const { calls, waiting } of this.#platform.values()) {
      if (waiting.length > 0) nextMs = Math.min(nextMs, nowMs + MINUTE_MS);
      for (const { endMs } of calls) nextMs = Math.min(nextMs, Math.max(endMs, nowMs));
    }
    if (this.#memory.created.size > 0) nextMs = Math.min(nextMs, nowMs + MINUTE_MS);
    return { isOver, nextMs };
  }

  /** Plans whoever has a reason to, until nobody has any more. When each of them that has more to do looks again. */
  async #planAll(): Promise<number[]> {
    const nowMs = this.#around.nowMs();
    for (let offers = 0; offers <= MOST_OFFERS; offers += 1) {
      const looks: number[] = [];
      // Callbacks come behind those whose they are.
      for (const campaign of this.campaigns) {
        if (this.#memory.over.has(campaign.id)) continue;
        const saidMs = this.#memory.looksMs.get(campaign.id);
        // One in which nobody waits finds nobody by looking again: whoever places a call in it wakes it up.
        if (saidMs !== undefined && this.#memory.through.has(campaign.id)) continue;
        const looksMs = (saidMs ?? nowMs) <= nowMs ? await this.#plan(campaign) : saidMs;
        if (looksMs !== undefined && !this.#memory.through.has(campaign.id)) looks.push(looksMs);
      }
      if (!(await this.#offerLines())) return looks;
    }
    throw new Error("lines are offered over and over");
  }

  /** Whether anybody was told of lines of the account that are free. */
  async #offerLines(): Promise<boolean> {
    const { looksMs } = this.#memory;
    let isAnybodyTold = false;
    const told: OfferDeps = {
      ledger: this.#ledger,
      account: this.#account,
      now: () => this.#around.nowMs(),
      wake: {
        campaign: (id) => {
          looksMs.delete(id);
          isAnybodyTold = true;
        },
        batch() {},
      },
      log: { info() {}, warn() {}, error() {} },
    };
    await keepLinesFull(told);
    return isAnybodyTold;
  }

  /** As often as it says that it is to be planned again at once. */
  async #plan(campaign: Running): Promise<number | undefined> {
    const nowMs = this.#around.nowMs();
    for (let plannings = 0; plannings < MOST_PLANNINGS; plannings += 1) {
      const looksMs = await this.#planOnce(campaign);
      if (looksMs === undefined || looksMs > nowMs) return looksMs;
    }
    throw new Error(`${campaign.specs[0]?.name} is planned over and over`);
  }

  /** When it looks again; undefined: never, it is over. */
  async #planOnce(campaign: Running): Promise<number | undefined> {
    const nowMs = this.#around.nowMs();
    const { batchIds, waitMs, state, tallies } = await plan(this.#ledger, campaign.id, nowMs, {
      pace: { busyLookMs: DAY_MS, idleLookMs: DAY_MS },
      account: this.#account,
    });
    const spec = given(campaign.specs.at(-1));
    this.#plannings += 1;
    campaign.events.push({ kind: "planned", atMs: nowMs, spec });
    await this.#note(campaign, batchIds);
    for (const batchId of batchIds) {
      if (this.#memory.created.has(batchId)) continue;
      await create(this.#ledger, batchId, nowMs);
      this.#memory.created.add(batchId);
      if (!this.#draw(this.#luck.startsLater)) await this.#start(batchId);
    }
    const isThrough = campaign.isStanding && tallies.open + tallies.leased === 0 && !campaign.parent;
    for (const one of this.campaigns) if (one.parent === campaign) this.#memory.looksMs.delete(one.id);
    if (state === "completed" || state === "cancelled") {
      this.#memory.over.add(campaign.id);
      return undefined;
    }
    const looksMs = nowMs + waitMs;
    // A start above may have closed a batch of it, and woken it up.
    this.#memory.looksMs.set(campaign.id, looksMs);
    if (isThrough) this.#memory.through.add(campaign.id);
    else this.#memory.through.delete(campaign.id);
    return looksMs;
  }

  /** All of a planning together: whoever is killed on the way to that notes them with the next one. */
  async #note(campaign: Running, batchIds: readonly string[]): Promise<void> {
    const fresh = batchIds.filter((batchId) => !this.planned.some(({ id }) => id === batchId));
    if (fresh.length === 0) return;
    const rules = this.#around.rulesOf(campaign);
    const batches = await readBatches(this.#ledger.db, fresh);
    const called = await this.#openOf(fresh);
    for (const { id, fromNumber: from, variant, size, slots } of batches) {
      this.planned.push({
        id,
        campaign,
        planning: this.#plannings,
        plannedMs: this.#around.nowMs(),
        begunMs: undefined,
        // Callbacks are called by what holds for those of their campaign.
        spec: rules.spec,
        rules,
        called: called.filter(({ batch }) => batch === id),
        from,
        variant: variant ?? undefined,
        size,
        slots,
      });
    }
  }

  async #start(batchId: string): Promise<void> {
    const nowMs = this.#around.nowMs();
    const planned = this.#plannedAs(batchId);
    const permission = await permit(this.#ledger, batchId, nowMs);
    this.#memory.created.delete(batchId);
    if (permission.kind !== "permitted") {
      await this.#close(planned);
      return;
    }
    const waiting = await this.#openOf([batchId]);
    const dialing: Dialing = { planned, waiting, calls: [] };
    planned.begunMs = nowMs;
    // From here on the platform has it, whoever knows.
    this.#platform.set(batchId, dialing);
    const atOnce = Math.min(this.#draw(this.#luck.atOnce), planned.slots);
    for (const one of waiting.splice(0, atOnce)) this.#dial(dialing, one, false);
    await recordBegun(this.#ledger.db, batchId, nowMs);
  }

  #dial({ planned, calls }: Dialing, { phone, contact }: Called, isLate: boolean): void {
    const { id: batch, campaign, from, variant } = planned;
    const atMs = this.#around.nowMs();
    const dial: Dial = {
      campaign: campaign.id,
      parent: campaign.parent?.id,
      brand: campaign.brand,
      contact,
      person: this.#around.personOf(phone),
      from,
      variant,
      batch,
      atMs,
      startMs: atMs,
      endMs: atMs + this.#draw(this.#luck.minutes) * MINUTE_MS,
      disposition: this.#draw(this.#luck.outcomes),
      isLate,
      rules: this.#around.rulesOf(campaign),
    };
    calls.push(dial);
    this.log.push(dial);
    campaign.events.push({ kind: "dialed", atMs, spec: planned.spec, dial });
  }

  /** One a turn that has a slot for it, as long as its batch was not asked to stop and its time is not over; the rest is never dialed then. */
  async #dialWaiting(): Promise<void> {
    const nowMs = this.#around.nowMs();
    for (const [batchId, dialing] of this.#platform) {
      if (dialing.waiting.length === 0) continue;
      const { stopReason, dialByMs } = given(await readBatch(this.#ledger.db, batchId));
      const isOver = stopReason !== undefined || (dialByMs !== undefined && nowMs >= dialByMs);
      if (isOver) await this.#giveBack(dialing);
      else if (upAt(dialing.calls, nowMs).length < dialing.planned.slots)
        this.#dial(dialing, given(dialing.waiting.shift()), true);
    }
  }

  /** Whoever of it was not dialed never is, and is open again. */
  async #giveBack({ planned, waiting }: Dialing): Promise<void> {
    const { id: batchId } = planned;
    const phones = waiting.map(({ phone }) => phone);
    await this.#returnTo(batchId, "running", phones);
    waiting.splice(0);
  }

  async #returnTo(batchId: string, from: "starting" | "running", phones: readonly string[]): Promise<void> {
    const nowMs = this.#around.nowMs();
    await moveBatch(this.#ledger.db, batchId, from, "draining");
    await this.#ledger.transaction(async (tx) => {
      const { campaign } = given(await lockBatch(tx, batchId));
      await requestStop(tx, { campaign, batchIds: [batchId], reason: "window", nowMs });
      await returnAttempts(tx, { campaign, batchId, phones, nowMs, dueAtMs: nowMs });
    });
  }

  async #endCalls(): Promise<void> {
    const nowMs = this.#around.nowMs();
    for (const [batchId, { planned, waiting, calls }] of this.#platform) {
      const { campaign } = planned;
      const over = calls.filter((call) => call.endMs <= nowMs && !this.#memory.reported.has(call));
      if (over.length > 0) {
        const findings = over.map((call) => ({
          ...ended(call.person.phone, call.disposition, call.endMs),
          startedAtMs: call.startMs,
        }));
        const result = await settleFindings(this.#ledger, { batchId, findings, nowMs });
        if (over.some(({ settledUnder }) => settledUnder === undefined)) this.#noteSettled(planned, over);
        if (result?.opensBreaker) await breakCampaign(this.#ledger, { campaignId: campaign.id, nowMs });
        for (const call of over) await this.#around.onEnded(campaign, call);
        for (const call of over) this.#memory.reported.add(call);
        if (result?.wakeCampaign) this.#memory.looksMs.delete(campaign.id);
      }
      if (waiting.length === 0 && calls.every((call) => this.#memory.reported.has(call))) {
        await this.#close(planned);
        this.#platform.delete(batchId);
      }
    }
  }

  #noteSettled({ campaign, plannedMs }: Planned, over: readonly Dial[]): void {
    const fresh = over.filter(({ settledUnder }) => settledUnder === undefined);
    const rules = this.#around.rulesOf(campaign);
    for (const call of fresh) call.settledUnder = rules;
    this.rests.settle(fresh, rules.spec, this.#around.nowMs());
    campaign.events.push({
      kind: "settled",
      plannedMs,
      atMs: this.#around.nowMs(),
      spec: given(campaign.specs.at(-1)),
      dispositions: fresh.map(({ disposition }) => disposition),
    });
  }

  async #close({ id, campaign }: Planned): Promise<void> {
    await closeBatch(this.#ledger, id, this.#around.nowMs());
    this.#memory.looksMs.delete(campaign.id);
  }

  /** A process that knows nothing takes over what the ledger has under way. */
  async #beginAnew(): Promise<void> {
    this.#memory = blank();
    const found = await rows<{ id: string; state: string }>(
      this.#ledger.db,
      sql`select id, state from batches where state <> 'settled' order by planned_at, id`,
    );
    for (const { id, state } of found) {
      // A planned one comes back with the next planning.
      if (state === "planned") continue;
      const dialing = this.#platform.get(id);
      if (state === "created") this.#memory.created.add(id);
      else if (dialing && state === "starting") await recordBegun(this.#ledger.db, id, this.#around.nowMs());
      else if (!dialing) {
        // Its start was permitted, and never sent.
        const phones = (await this.#openOf([id])).map(({ phone }) => phone);
        if (state === "starting") await this.#returnTo(id, state, phones);
        await this.#close(this.#plannedAs(id));
      }
    }
  }

  #openOf(batchIds: readonly string[]): Promise<(Called & { batch: string })[]> {
    return rows(
      this.#ledger.db,
      sql`select phone, contact_id as contact, batch_id as batch from attempts
          where batch_id in ${listOf(batchIds, "uuid")} and state = 'open' order by phone`,
    );
  }

  #plannedAs(batchId: string): Planned {
    return given(this.planned.find(({ id }) => id === batchId));
  }

  #draw<T>(from: readonly T[]): T {
    this.#drawn += 1;
    return given(from[this.#drawn % from.length]);
  }
}
