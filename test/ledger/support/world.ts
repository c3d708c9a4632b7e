import { sql } from "drizzle-orm";
import { expect } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { isOver } from "../../../src/domain/campaigns/campaign-state.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import {
  listUnsettled,
  lockBatch,
  moveBatch,
  readBatch,
  requestStop,
  returnAttempts,
  stopBatchesDialing,
  type Batch,
} from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { AppendRefusedError } from "../../../src/ledger/campaigns/imports.ts";
import { refuseLeased } from "../../../src/ledger/campaigns/leased-refusals.ts";
import {
  holdPlacement,
  releasePlacement,
  withdrawPlacement,
} from "../../../src/ledger/campaigns/placement-changes.ts";
import { placeCallback, placementOf, type Asker } from "../../../src/ledger/campaigns/placements.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { withdrawContacts } from "../../../src/ledger/campaigns/withdrawing.ts";
import { addSuppressions, removeSuppression } from "../../../src/ledger/ground/suppressions.ts";
import { given } from "../../support/ledgers.ts";
import { callbackAsker, enrolmentCall, place, standing } from "./placing.ts";
import {
  contact,
  create,
  createScheduled,
  ended,
  finding,
  freshPhones,
  importWhole,
  NOW_MS,
  openPhones,
  permit,
  plan,
  specOf,
  tell,
  type Command,
} from "./scenario.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";
import { recordBegun, recordNotStarted } from "../../../src/ledger/campaigns/batch-steps.ts";

const CAMPAIGNS = 3;
const NUMBERS = 12;

/** Something that happens to some campaign, batch or number; `which` and `few` choose among what there is. */
export type Event =
  | { kind: "plan" | "advance" | "notStarted" | "close" | "cancel" | "allow"; which: number }
  | { kind: "settle"; which: number; share: number; outcomes: ("up" | "provisional" | Disposition)[] }
  | { kind: "giveBack" | "refused" | "append"; which: number; few: number[] }
  | { kind: "tell"; which: number; command: Command }
  | { kind: "amend"; which: number; to: number }
  | { kind: "suppress"; few: number[]; everywhere: boolean }
  | { kind: "place"; which: number; few: number[] }
  | { kind: "callBack" | "withdraw" | "hold" | "release"; which: number }
  | { kind: "takeOut"; which: number; few: number[] }
  | { kind: "wait"; minutes: number };

function mustBe(actual: unknown, expected: unknown, what: string): void {
  expect({ what, is: actual }).toEqual({ what, is: expected });
}

/**
 * Three campaigns of two brands that share most of their numbers, a standing one into which the same people are
 * placed, the callbacks of all of them, and a clock.
 */
export class World {
  readonly #ledger: Ledger;
  readonly #campaignIds: string[];
  readonly #askers: Asker[] = [];
  readonly #specs: readonly CampaignSpecInput[];
  readonly #phones: readonly string[];
  #lines = 1_000;
  #nowMs = NOW_MS;
  readonly #heldBefore = new Map<string, number>();

  private constructor(
    ledger: Ledger,
    ids: string[],
    specs: readonly CampaignSpecInput[],
    phones: readonly string[],
  ) {
    this.#ledger = ledger;
    this.#campaignIds = ids;
    this.#specs = specs;
    this.#phones = phones;
  }

  static async make(ledger: Ledger): Promise<World> {
    const phones = freshPhones(NUMBERS);
    const ids: string[] = [];
    const specs: CampaignSpecInput[] = [];
    for (let index = 0; index < CAMPAIGNS; index += 1) {
      const { id, spec } = await createScheduled(ledger, {
        concurrency: 6,
        brand: index === 0 ? "one" : "two",
      });
      const list = phones
        .filter((_phone, at) => at % CAMPAIGNS !== index)
        .map((phone, at) => contact(phone, at + 2));
      await importWhole(ledger, id, list);
      await tell(ledger, "start", id);
      ids.push(id);
      specs.push(spec);
    }
    ids.push((await standing(ledger, { concurrency: 3, brand: "one" })).id);
    return new World(ledger, ids, specs, phones);
  }

  async live(one: Event): Promise<void> {
    try {
      await this.#live(one);
    } catch (error) {
      // What does not fit the state is refused, and has then changed nothing.
      if (!(error instanceof CommandRefusedError || error instanceof AppendRefusedError)) throw error;
    }
  }

  async #live(one: Event): Promise<void> {
    const ledger = this.#ledger;
    const nowMs = (this.#nowMs += 500);
    switch (one.kind) {
      case "plan":
        await plan(ledger, this.#campaign(one.which), nowMs);
        return;
      case "advance":
        return this.#withBatch(one.which, ["planned", "created", "starting"], (batch) =>
          this.#advance(batch),
        );
      case "notStarted":
        return this.#withBatch(one.which, ["starting"], (batch) => recordNotStarted(ledger.db, batch.id));
      case "settle":
        return this.#withBatch(one.which, ["running", "draining"], (batch) => this.#settle(batch, one));
      case "giveBack":
        return this.#withBatch(one.which, ["running", "draining"], (batch) => this.#giveBack(batch, one.few));
      case "close":
        return this.#withBatch(one.which, ["running", "draining"], (batch) =>
          closeBatch(ledger, batch.id, nowMs),
        );
      case "refused":
        return this.#withBatch(one.which, ["planned"], (batch) =>
          refuseLeased(ledger, {
            reason: "refused_by_platform",
            batchId: batch.id,
            refused: this.#pick(one.few).map((phone) => ({ phone, detail: "not a number" })),
            nowMs,
          }),
        );
      case "tell":
        await tell(ledger, one.command, this.#campaign(one.which), { nowMs });
        return;
      case "cancel":
        // Rarely, or nothing would be left alive.
        if (one.which % 4 === 0) await tell(ledger, "cancel", this.#campaign(one.which), { nowMs });
        return;
      case "amend":
        await this.#amend(one.which, one.to);
        return;
      case "suppress":
        await this.#suppress(this.#pick(one.few), one.everywhere ? undefined : "one");
        return;
      case "allow":
        await ledger.transaction((tx) =>
          removeSuppression(tx, {
            phone: given(this.#pick([one.which])[0]),
            brand: "one",
            reason: "asked",
            actor: "test",
            nowMs,
          }),
        );
        return;
      case "append":
        await importWhole(
          ledger,
          this.#campaign(one.which),
          this.#pick(one.few).map((phone) => contact(phone, (this.#lines += 1))),
          `append-${this.#lines}`,
          nowMs,
        );
        return;
      case "place":
        for (const phone of this.#pick(one.few)) await this.#place(phone, one.which);
        return;
      case "callBack":
        return this.#callBack(one.which);
      case "takeOut":
        await withdrawContacts(ledger, {
          campaignId: this.#campaign(one.which),
          // Everybody, seldom: nobody would be left.
          whom: one.which % 20 === 0 ? "everybody_open" : { phones: this.#pick(one.few) },
          actor: "test",
          reason: "asked",
          nowMs,
        });
        return;
      case "withdraw":
      case "hold":
      case "release":
        return this.#change(one.kind, one.which);
      case "wait":
        this.#nowMs += one.minutes * 60_000;
    }
  }

  /** Every third of them a call that was placed before. */
  async #place(phone: string, chosen: number): Promise<void> {
    const again = this.#askers[chosen % Math.max(1, this.#askers.length)];
    const asker = again !== undefined && chosen % 3 === 0 ? again : enrolmentCall().asker;
    const nowMs = this.#nowMs;
    const result = await place(this.#ledger, given(this.#campaignIds[CAMPAIGNS]), phone, {
      asker,
      dueAtMs: nowMs + (chosen % 4) * 20 * 60_000,
      nowMs,
    });
    mustBe(result.kind === "already", again === asker, `placing ${placementOf(asker)} is ${result.kind}`);
    if (result.kind === "placed") this.#askers.push(asker);
  }

  async #callBack(chosen: number): Promise<void> {
    const nowMs = this.#nowMs;
    const result = await this.#ledger.transaction((tx) =>
      placeCallback(tx, {
        campaignId: this.#campaign(chosen),
        asker: callbackAsker(nowMs),
        phone: given(this.#pick([chosen])[0]),
        region: "US",
        zones: ["America/New_York"],
        variables: {},
        dueAtMs: nowMs,
        most: 20,
        actor: "test",
        nowMs,
      }),
    );
    if (result.kind === "placed" && !this.#campaignIds.includes(result.campaignId))
      this.#campaignIds.push(result.campaignId);
  }

  async #change(kind: "withdraw" | "hold" | "release", chosen: number): Promise<void> {
    const asker = this.#askers[chosen % Math.max(1, this.#askers.length)];
    if (asker === undefined) return;
    const input = { placement: placementOf(asker), nowMs: this.#nowMs };
    await this.#ledger.transaction(async (tx) => {
      if (kind === "withdraw") await withdrawPlacement(tx, { ...input, reason: "exited" });
      else if (kind === "hold") await holdPlacement(tx, input);
      else await releasePlacement(tx, { ...input, dueAtMs: this.#nowMs });
    });
  }

  #campaign(chosen: number): string {
    return given(this.#campaignIds[chosen % this.#campaignIds.length]);
  }

  #pick(chosen: readonly number[]): string[] {
    return [...new Set(chosen.map((one) => given(this.#phones[one % this.#phones.length])))];
  }

  async #withBatch(
    chosen: number,
    states: readonly string[],
    work: (batch: Batch) => Promise<unknown>,
  ): Promise<void> {
    const batches: Batch[] = [];
    for (const id of this.#campaignIds) batches.push(...(await listUnsettled(this.#ledger.db, id)));
    const fitting = batches.filter((batch) => states.includes(batch.state));
    const batch = fitting[chosen % Math.max(1, fitting.length)];
    if (batch) await work(batch);
  }

  async #advance(batch: Batch): Promise<void> {
    if (batch.state === "planned") await create(this.#ledger, batch.id, this.#nowMs);
    else if (batch.state === "created") await this.#permit(batch);
    else await recordBegun(this.#ledger.db, batch.id, this.#nowMs);
  }

  /** A permission must never be given against what the rows say at that moment (I2). */
  async #permit(batch: Batch): Promise<void> {
    const permission = await permit(this.#ledger, batch.id, this.#nowMs);
    if (permission.kind !== "permitted") return;
    const against = await rows(
      this.#ledger.db,
      sql`select a.phone, k.state, s.brand from attempts a join campaigns k on k.id = a.campaign_id
            left join suppressions s on s.phone = a.phone and s.removed_at is null and (s.brand is null or s.brand = k.brand)
          where a.batch_id = ${batch.id}::uuid and a.state = 'open' and (k.state <> 'running' or s.phone is not null)`,
    );
    mustBe(against, [], "numbers that a start was permitted for");
  }

  async #settle(batch: Batch, { share, outcomes }: Extract<Event, { kind: "settle" }>): Promise<void> {
    const unended = await rows<{ phone: string }>(
      this.#ledger.db,
      sql`select phone from attempts where batch_id = ${batch.id}::uuid and state <> 'returned' order by phone`,
    );
    const findings = unended.flatMap(({ phone }, index) => {
      if (index % 4 < share) return [];
      const outcome = outcomes[index % outcomes.length] ?? "up";
      if (outcome === "up") return [finding(phone)];
      if (outcome === "provisional")
        return [finding(phone, { outcome: { kind: "provisional", reason: "waits" } })];
      return [ended(phone, outcome, this.#nowMs)];
    });
    const stranger = ended("+19999999999", "answered", this.#nowMs);
    await settleFindings(this.#ledger, {
      batchId: batch.id,
      findings: [...findings, stranger],
      nowMs: this.#nowMs,
    });
  }

  async #giveBack(batch: Batch, chosen: readonly number[]): Promise<void> {
    if (batch.state === "running") await moveBatch(this.#ledger.db, batch.id, "running", "draining");
    const open = await openPhones(this.#ledger, batch.id);
    const phones = [...new Set(chosen.map((one) => open[one % Math.max(1, open.length)]))].filter(
      (one) => one !== undefined,
    );
    await this.#ledger.transaction(async (tx) => {
      const { campaign } = given(await lockBatch(tx, batch.id));
      await requestStop(tx, { campaign, batchIds: [batch.id], reason: "window", nowMs: this.#nowMs });
      await returnAttempts(tx, {
        campaign,
        batchId: batch.id,
        phones,
        nowMs: this.#nowMs,
        dueAtMs: this.#nowMs,
      });
    });
  }

  async #amend(chosen: number, concurrency: number): Promise<void> {
    const index = chosen % CAMPAIGNS;
    await amendSpec(this.#ledger, {
      campaignId: given(this.#campaignIds[index]),
      commandId: `amend-${this.#nowMs}`,
      actor: "test",
      reason: undefined,
      nowMs: this.#nowMs,
      dialByMarginMs: 60_000,
      spec: specOf({
        ...given(this.#specs[index]),
        concurrency,
        retry: { max_attempts: 1 + (chosen % 4), delays: { busy: "1m", no_answer: "30s" } },
      }),
    });
  }

  async #suppress(phones: readonly string[], brand: string | undefined): Promise<void> {
    const nowMs = this.#nowMs;
    await this.#ledger.transaction((tx) =>
      addSuppressions(tx, {
        entries: phones.map((phone) => ({ phone, brand, source: "test", reason: "asked" })),
        actor: "test",
        nowMs,
      }),
    );
    await stopBatchesDialing(this.#ledger, { phones, brand, nowMs });
  }

  /** Slots beyond the limit are only ever left over from a higher one: nothing adds to them. */
  async expectSlotsWithinLimit(): Promise<void> {
    for (const id of this.#campaignIds) {
      const { concurrency } = given(await readCampaign(this.#ledger.db, id));
      const held = (await listUnsettled(this.#ledger.db, id)).reduce((sum, batch) => sum + batch.held, 0);
      const limit = Math.max(concurrency, this.#heldBefore.get(id) ?? 0);
      mustBe(held <= limit, true, `${held} slots are held of ${limit}`);
      this.#heldBefore.set(id, held);
    }
  }

  /** Whatever suppressed a number, what was started before and may dial it was asked to stop (I2). */
  async expectSuppressedStopped(): Promise<void> {
    const dialing = await rows(
      this.#ledger.db,
      sql`select a.phone, a.batch_id from attempts a join batches b on b.id = a.batch_id
            join campaigns k on k.id = a.campaign_id
            join suppressions s on s.phone = a.phone and s.removed_at is null and (s.brand is null or s.brand = k.brand)
          where a.state = 'open' and b.state in ('starting', 'running') and b.stop_reason is null`,
    );
    mustBe(dialing, [], "suppressed numbers that a batch goes on to dial");
  }

  /** Whatever happened, a campaign can be brought to its end, and nobody is lost on the way. */
  async bringToItsEnd(): Promise<void> {
    for (const id of this.#campaignIds) {
      await tell(this.#ledger, "cancel", id, { nowMs: this.#nowMs }).catch(() => undefined);
      for (const batch of await listUnsettled(this.#ledger.db, id)) await this.#end(batch);
      const last = await plan(this.#ledger, id, this.#nowMs);
      mustBe([last.tallies.open, last.tallies.leased], [0, 0], "contacts left behind");
      mustBe(isOver(last.state), true, `the campaign is ${last.state}`);
    }
    const untold = await rows(
      this.#ledger.db,
      sql`select placement from contacts where enrolment_id is not null and not exists
            (select 1 from outbox o where o.kind = 'enrolment' and o.subject = enrolment_id::text)`,
    );
    mustBe(untold, [], "calls that were placed and of whose end nobody was told");
  }

  async #end(batch: Batch): Promise<void> {
    const { db } = this.#ledger;
    const state = given(await readBatch(db, batch.id)).state;
    if (state === "starting") await moveBatch(db, batch.id, "starting", "draining");
    const unended = await rows<{ phone: string }>(
      db,
      sql`select phone from attempts where batch_id = ${batch.id}::uuid and state in ('open', 'provisional')`,
    );
    await settleFindings(this.#ledger, {
      batchId: batch.id,
      findings: unended.map(({ phone }) => ended(phone, "unknown", this.#nowMs)),
      nowMs: this.#nowMs,
    });
    const { isClosed } = await closeBatch(this.#ledger, batch.id, this.#nowMs);
    mustBe(isClosed, true, "the batch is closed");
  }
}
