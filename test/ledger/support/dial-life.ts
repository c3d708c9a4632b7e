import { sql } from "drizzle-orm";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { dayOfDate } from "../../../src/domain/time/local-day.ts";
import { recordBegun } from "../../../src/ledger/campaigns/batch-steps.ts";
import {
  lockBatch,
  moveBatch,
  readBatch,
  requestStop,
  returnAttempts,
  stopBatchesDialing,
} from "../../../src/ledger/campaigns/batches.ts";
import { bindUnbound, blackOut, liftBlackout } from "../../../src/ledger/campaigns/blacking-out.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { declareSource, dropSource, renew } from "../../../src/ledger/campaigns/renewing.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { withdrawContacts } from "../../../src/ledger/campaigns/withdrawing.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { recordConsents, withdrawConsent } from "../../../src/ledger/ground/consents.ts";
import { beginLoad, loadChunk } from "../../../src/ledger/ground/listed-numbers.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { given } from "../../support/ledgers.ts";
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type Blackout,
  type Dial,
  type NumberList,
  type Person,
  type Rules,
  type Said,
} from "./dial-oracle.ts";
import {
  contact,
  contactsOf,
  create,
  createScheduled,
  ended,
  importWhole,
  openPhones,
  PACE,
  permit,
  plan,
  specOf,
  tell,
  type ContactRow,
} from "./scenario.ts";

/* Campaigns that call the same people, on a clock of their own, and a platform that dials what it is given. */

export type Change =
  | { kind: "advance"; minutes: number }
  | { kind: "amend"; which: number; policy: Policy }
  | { kind: "pause" | "resume"; which: number }
  | { kind: "blackout"; brand: string | undefined; inDays: number; days: number }
  | { kind: "lift"; which: number }
  | { kind: "suppress"; which: number; brand: string | undefined }
  | { kind: "withdraw"; which: number; who: readonly number[] }
  | { kind: "source"; which: number; brand: string | undefined; hours: number | undefined }
  | { kind: "renew"; which: number; listed: readonly number[]; hoursAgo: number }
  | { kind: "remove"; which: number }
  | {
      kind: "consent";
      which: number;
      brand: string;
      basis: NonNullable<Said["basis"]>;
      hoursAgo: number;
      hours: number | undefined;
    }
  | { kind: "unsay"; which: number; brand: string };

/** What of a spec is drawn. */
export type Policy = Pick<
  CampaignSpecInput,
  | "window"
  | "holidays"
  | "exceptions"
  | "presets"
  | "frequency"
  | "numbers"
  | "consent"
  | "retry"
  | "least_gap"
  | "not_called_within"
  | "ends_at"
>;

/** What calls come to, and how the platform takes its time: numbers that are used in turn. */
export interface Luck {
  outcomes: readonly Disposition[];
  /** Minutes that a call takes. */
  minutes: readonly number[];
  /** How many of a batch are dialed at once; the rest later. */
  atOnce: readonly number[];
  /** Whether a batch is started a turn after it was planned. */
  startsLater: readonly boolean[];
}

interface Running {
  id: string;
  brand: string;
  /** All that were in force, the newest last. */
  specs: CampaignSpecInput[];
  paused: boolean;
  withdrawn: ReadonlySet<string>;
}

/** More turns of the clock than any of these lives take. */
const MOST_TURNS = 3_000;

export class DialLife {
  readonly log: Dial[] = [];
  readonly campaigns: Running[] = [];
  readonly #ledger: Ledger;
  readonly #people: readonly Person[];
  readonly #luck: Luck;
  readonly #blackouts = new Map<number, Blackout>();
  readonly #lists = new Map<string, NumberList>();
  readonly #said: Said[] = [];
  readonly #listed: { phone: string; brand: string | undefined }[] = [];
  readonly #suppressed: { phone: string; brand: string | undefined }[] = [];
  /** Given to the platform, and not dialed yet, by batch. */
  readonly #waiting = new Map<string, { campaign: Running; phones: string[] }>();
  readonly #live = new Map<string, Running>();
  /** Created, and to be started. */
  readonly #created = new Map<string, Running>();
  #drawn = 0;
  #amendments = 0;
  #nowMs: number;

  private constructor(ledger: Ledger, people: readonly Person[], luck: Luck, nowMs: number) {
    this.#ledger = ledger;
    this.#people = people;
    this.#luck = luck;
    this.#nowMs = nowMs;
  }

  static async begin(
    ledger: Ledger,
    people: readonly Person[],
    { policies, luck, nowMs }: { policies: readonly Policy[]; luck: Luck; nowMs: number },
  ): Promise<DialLife> {
    const life = new DialLife(ledger, people, luck, nowMs);
    for (const [index, policy] of policies.entries()) {
      const brand = index % 2 === 0 ? "one" : "two";
      const changes = { ...policy, brand, concurrency: 6 };
      const { id, spec } = await createScheduled(ledger, changes, nowMs);
      const list = people.map(({ phone, country, zones, places, consentedAtMs: obtainedAtMs }, line) =>
        contact(phone, line + 2, {
          region: country,
          zones,
          strictZones: zones,
          places,
          strictPlaces: places,
          ...(obtainedAtMs !== undefined && {
            consent: { basis: "express_written", obtainedAtMs, proof: undefined, expiresAtMs: undefined },
          }),
        }),
      );
      for (const { phone, consentedAtMs: atMs } of people)
        if (atMs !== undefined)
          life.#said.push({
            brand,
            phone,
            basis: "express_written",
            atMs,
            untilMs: Number.POSITIVE_INFINITY,
          });
      await importWhole(ledger, id, list, `list-${index}`, nowMs);
      await tell(ledger, "start", id, { nowMs });
      life.campaigns.push({ id, brand, specs: [spec], paused: false, withdrawn: new Set() });
    }
    return life;
  }

  async live(change: Change): Promise<void> {
    const nowMs = this.#nowMs;
    const ledger = this.#ledger;
    switch (change.kind) {
      case "advance":
        this.#nowMs += change.minutes * MINUTE_MS;
        break;
      case "amend":
        await this.#amend(this.#campaign(change.which), change.policy);
        break;
      case "pause":
      case "resume": {
        const campaign = this.#campaign(change.which);
        await unlessRefused(() => tell(ledger, change.kind, campaign.id, { nowMs }));
        campaign.paused = (await readCampaign(ledger.db, campaign.id))?.state === "paused";
        break;
      }
      case "blackout":
        await this.#blackOut(change);
        break;
      case "lift": {
        const ids = [...this.#blackouts.keys()];
        const id = ids[change.which % Math.max(1, ids.length)];
        if (id === undefined) break;
        await liftBlackout(ledger, { id, reason: "over", actor: "test", nowMs });
        this.#blackouts.delete(id);
        break;
      }
      case "suppress": {
        const { phone } = given(this.#people[change.which % this.#people.length]);
        const { brand } = change;
        const entry = { phone, brand, source: "api", reason: "asked" };
        await ledger.transaction((tx) => addSuppressions(tx, { entries: [entry], actor: "test", nowMs }));
        await stopBatchesDialing(ledger, { phones: [phone], brand, nowMs });
        this.#suppressed.push({ phone, brand });
        break;
      }
      case "withdraw":
        await this.#withdraw(this.#campaign(change.which), change.who);
        break;
      case "source":
      case "renew":
      case "remove":
        await this.#changeLists(change);
        break;
      case "consent":
      case "unsay":
        await this.#say(change);
    }
    await this.turn();
  }

  async #changeLists(change: Extract<Change, { kind: "source" | "renew" | "remove" }>): Promise<void> {
    const nowMs = this.#nowMs;
    const name = `source-${change.which % 3}`;
    const before = this.#lists.get(name);
    if (change.kind === "source") {
      const { brand, hours } = change;
      const maxAgeMs = hours === undefined ? undefined : hours * HOUR_MS;
      const { dialByMarginMs } = PACE;
      const declared = { name, brand, maxAgeMs, type: "do_not_call" as const };
      await declareSource(this.#ledger, { ...declared, actor: "test", dialByMarginMs, nowMs });
      const renewedAtMs = before?.renewedAtMs;
      const phones = before?.phones ?? new Set<string>();
      this.#lists.set(name, { brand, maxAgeMs, renewedAtMs, phones });
      this.#noteListed(name);
    } else if (before && change.kind === "remove") {
      await dropSource(this.#ledger, { name, reason: "over", actor: "test", nowMs });
      this.#lists.delete(name);
    } else if (before && change.kind === "renew") {
      const listed = change.listed.map((one) => given(this.#people[one % this.#people.length]).phone);
      await this.#renew(name, new Set(listed), nowMs - change.hoursAgo * HOUR_MS);
    }
  }

  async #renew(name: string, phones: ReadonlySet<string>, asOfMs: number): Promise<void> {
    const nowMs = this.#nowMs;
    const list = { name, sourceName: "list", digest: "0", asOfMs, actor: "test", nowMs };
    const loading = await beginLoad(this.#ledger, list);
    for (const phone of phones) await loadChunk(this.#ledger, loading, [phone]);
    const { taken } = await renew(this.#ledger, { loading, allowShrink: true, actor: "test", nowMs });
    if (taken.kind !== "taken") throw new Error(`the list of ${name} was not taken`);
    this.#lists.set(name, { ...given(this.#lists.get(name)), renewedAtMs: asOfMs, phones });
    this.#noteListed(name);
  }

  #noteListed(name: string): void {
    const { brand, phones } = given(this.#lists.get(name));
    for (const phone of phones) this.#listed.push({ phone, brand });
  }

  async #say(change: Extract<Change, { kind: "consent" | "unsay" }>): Promise<void> {
    const nowMs = this.#nowMs;
    const { phone } = given(this.#people[change.which % this.#people.length]);
    const { brand } = change;
    if (change.kind === "unsay") {
      const said = { brand, phone, reason: "asked", source: "api", actor: "test", nowMs };
      await this.#ledger.transaction((tx) => withdrawConsent(tx, said));
      await stopBatchesDialing(this.#ledger, { phones: [phone], brand, nowMs });
      this.#said.push({ brand, phone, basis: undefined, atMs: nowMs, untilMs: Number.POSITIVE_INFINITY });
      return;
    }
    const { basis, hoursAgo, hours } = change;
    const obtainedAtMs = nowMs - hoursAgo * HOUR_MS;
    const expiresAtMs = hours === undefined ? undefined : obtainedAtMs + hours * HOUR_MS;
    const consents = [{ phone, basis, obtainedAtMs, proof: undefined, expiresAtMs }];
    await this.#ledger.transaction((tx) => recordConsents(tx, { brand, consents, source: "api", nowMs }));
    const untilMs = expiresAtMs ?? Number.POSITIVE_INFINITY;
    const words = { brand, phone, basis, atMs: obtainedAtMs, untilMs };
    // What was said before in the same words is no later word.
    if (!this.#said.some((one) => JSON.stringify(one) === JSON.stringify(words))) this.#said.push(words);
  }

  /** Everything is resumed, nothing changes any more, and the clock goes on until all campaigns are over. */
  async bringToItsEnd(): Promise<void> {
    for (const campaign of this.campaigns) {
      if (!campaign.paused) continue;
      await tell(this.#ledger, "resume", campaign.id, { nowMs: this.#nowMs });
      campaign.paused = false;
    }
    for (let turns = 0; turns < MOST_TURNS; turns += 1) {
      // Not as soon as it could be: until then nobody is called.
      if (turns % 5 === 4) await this.#renewStale();
      const { isOver, nextMs } = await this.turn();
      if (isOver) return;
      this.#nowMs = Math.max(nextMs, this.#nowMs + MINUTE_MS);
    }
    throw new Error(`campaigns are not over at ${new Date(this.#nowMs).toISOString()}`);
  }

  async #renewStale(): Promise<void> {
    for (const [name, { maxAgeMs, renewedAtMs, phones }] of this.#lists) {
      if (maxAgeMs === undefined) continue;
      if (renewedAtMs === undefined || this.#nowMs >= renewedAtMs + maxAgeMs - HOUR_MS)
        await this.#renew(name, phones, this.#nowMs);
    }
  }

  /** Contacts of a campaign, with the person of each. */
  async contactsOf(campaign: Running): Promise<(ContactRow & { person: Person })[]> {
    const contacts = await contactsOf(this.#ledger, campaign.id);
    return contacts.map((one) => ({ ...one, person: this.#person(one.phone) }));
  }

  wasSuppressed(phone: string, brand: string): boolean {
    const all = [...this.#suppressed, ...this.#listed];
    return all.some((one) => one.phone === phone && (one.brand ?? brand) === brand);
  }

  /** Whether somebody gave the best consent long ago, and never took it back. */
  isAlwaysWelcome({ phone, consentedAtMs }: Person, brand: string): boolean {
    const own = this.#said.filter((one) => one.phone === phone && one.brand === brand);
    return consentedAtMs !== undefined && own.every(({ basis }) => basis !== undefined);
  }

  /** The platform dials, calls end, and every campaign is planned: what happens at one moment. */
  async turn(): Promise<{ isOver: boolean; nextMs: number }> {
    await this.#endCalls();
    await this.#dialWaiting();
    for (const [batchId, campaign] of this.#created) await this.#start(campaign, batchId);
    let isOver = true;
    let nextMs = this.#nowMs + 12 * HOUR_MS;
    for (const campaign of this.campaigns) {
      const stored = given(await readCampaign(this.#ledger.db, campaign.id));
      if (stored.state === "completed") continue;
      isOver = false;
      const { batchIds, waitMs } = await plan(this.#ledger, campaign.id, this.#nowMs, {
        pace: { busyLookMs: DAY_MS, idleLookMs: DAY_MS },
      });
      nextMs = Math.min(nextMs, this.#nowMs + waitMs);
      for (const batchId of batchIds) {
        if (this.#created.has(batchId)) continue;
        await create(this.#ledger, batchId, this.#nowMs);
        this.#created.set(batchId, campaign);
        if (!this.#draw(this.#luck.startsLater)) await this.#start(campaign, batchId);
      }
    }
    for (const { endMs } of this.log) if (endMs > this.#nowMs) nextMs = Math.min(nextMs, endMs);
    if (this.#waiting.size + this.#created.size > 0) nextMs = Math.min(nextMs, this.#nowMs + MINUTE_MS);
    return { isOver, nextMs };
  }

  async #start(campaign: Running, batchId: string): Promise<void> {
    const nowMs = this.#nowMs;
    this.#created.delete(batchId);
    const permission = await permit(this.#ledger, batchId, nowMs);
    if (permission.kind !== "permitted") {
      await closeBatch(this.#ledger, batchId, nowMs);
      return;
    }
    await recordBegun(this.#ledger.db, batchId, nowMs);
    const phones = await openPhones(this.#ledger, batchId);
    const first = phones.splice(0, this.#draw(this.#luck.atOnce));
    for (const phone of first) this.#dial(campaign, phone, false);
    this.#live.set(batchId, campaign);
    if (phones.length > 0) this.#waiting.set(batchId, { campaign, phones });
  }

  #dial(campaign: Running, phone: string, isLate: boolean): void {
    const person = this.#person(phone);
    const endMs = this.#nowMs + this.#draw(this.#luck.minutes) * MINUTE_MS;
    this.log.push({
      campaign: campaign.id,
      brand: campaign.brand,
      person,
      atMs: this.#nowMs,
      startMs: this.#nowMs,
      endMs,
      disposition: this.#draw(this.#luck.outcomes),
      isLate,
      rules: this.#rulesOf(campaign),
    });
  }

  /** One a turn, as long as its batch was not asked to stop and its time is not over; the rest is never dialed then. */
  async #dialWaiting(): Promise<void> {
    const nowMs = this.#nowMs;
    for (const [batchId, { campaign, phones }] of this.#waiting) {
      const { stopReason, dialByMs } = given(await readBatch(this.#ledger.db, batchId));
      const isOver = stopReason !== undefined || (dialByMs !== undefined && nowMs >= dialByMs);
      if (!isOver) this.#dial(campaign, given(phones.shift()), true);
      else await this.#giveBack(batchId, phones.splice(0));
      if (phones.length === 0) this.#waiting.delete(batchId);
    }
  }

  async #giveBack(batchId: string, phones: readonly string[]): Promise<void> {
    const nowMs = this.#nowMs;
    await moveBatch(this.#ledger.db, batchId, "running", "draining");
    await this.#ledger.transaction(async (tx) => {
      const { campaign } = given(await lockBatch(tx, batchId));
      await requestStop(tx, { campaign, batchIds: [batchId], reason: "window", nowMs });
      await returnAttempts(tx, { campaign, batchId, phones, nowMs, dueAtMs: nowMs });
    });
  }

  async #endCalls(): Promise<void> {
    const nowMs = this.#nowMs;
    for (const [batchId, campaign] of this.#live) {
      const open = await openPhones(this.#ledger, batchId);
      const waiting = this.#waiting.get(batchId)?.phones ?? [];
      const findings = open.flatMap((phone) => {
        const call = this.log.findLast((one) => one.campaign === campaign.id && one.person.phone === phone);
        if (waiting.includes(phone) || call === undefined || call.endMs > nowMs) return [];
        call.settledUnder = this.#rulesOf(campaign);
        return [{ ...ended(phone, call.disposition, call.endMs), startedAtMs: call.startMs }];
      });
      if (findings.length > 0) await settleFindings(this.#ledger, { batchId, findings, nowMs });
      if (findings.length === open.length) {
        await closeBatch(this.#ledger, batchId, nowMs);
        this.#live.delete(batchId);
      }
    }
  }

  async #amend(campaign: Running, policy: Policy): Promise<void> {
    const before = given(campaign.specs.at(-1));
    const { name, brand, concurrency } = before;
    const spec = specOf({ ...policy, name, concurrency, ...(brand !== undefined && { brand }) });
    const isDone = await unlessRefused(() =>
      amendSpec(this.#ledger, {
        campaignId: campaign.id,
        commandId: `amend-${(this.#amendments += 1)}`,
        actor: "test",
        reason: undefined,
        nowMs: this.#nowMs,
        dialByMarginMs: PACE.dialByMarginMs,
        spec,
      }),
    );
    if (isDone) campaign.specs.push(spec);
  }

  /** Whoever is over by then stays what they are. */
  async #withdraw(campaign: Running, who: readonly number[]): Promise<void> {
    const phones = who.map((one) => given(this.#people[one % this.#people.length]).phone);
    await withdrawContacts(this.#ledger, {
      campaignId: campaign.id,
      whom: who.length > 0 ? { phones } : "everybody_open",
      actor: "test",
      reason: "asked",
      nowMs: this.#nowMs,
    });
    const gone = who.length > 0 ? phones : this.#people.map(({ phone }) => phone);
    campaign.withdrawn = new Set([...campaign.withdrawn, ...gone]);
  }

  async #blackOut({ brand, inDays, days }: Extract<Change, { kind: "blackout" }>): Promise<void> {
    const dateIn = (count: number) => new Date(this.#nowMs + count * DAY_MS).toISOString().slice(0, 10);
    const [from, to] = [dateIn(inDays), dateIn(inDays + days)];
    const binding = { dialByMarginMs: PACE.dialByMarginMs, now: () => this.#nowMs, forMs: 10_000 };
    const { blackout } = await blackOut(this.#ledger, {
      brand,
      fromDay: dayOfDate(from),
      lastDay: dayOfDate(to),
      name: "",
      actor: "test",
      ...binding,
    });
    await bindUnbound(this.#ledger, binding);
    this.#blackouts.set(blackout.id, { brand, from, to });
  }

  #rulesOf({ brand, specs, paused, withdrawn }: Running): Rules {
    const suppressed = this.#suppressed.filter((one) => (one.brand ?? brand) === brand);
    return {
      spec: given(specs.at(-1)),
      taken: given(specs[0]),
      lists: [...this.#lists.values()],
      said: [...this.#said],
      blackouts: [...this.#blackouts.values()],
      suppressed: new Set(suppressed.map(({ phone }) => phone)),
      paused,
      withdrawn,
    };
  }

  #person(phone: string): Person {
    return given(this.#people.find((one) => one.phone === phone));
  }

  #campaign(which: number): Running {
    return given(this.campaigns[which % this.campaigns.length]);
  }

  #draw<T>(from: readonly T[]): T {
    this.#drawn += 1;
    return given(from[this.#drawn % from.length]);
  }
}

async function unlessRefused(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof CommandRefusedError)) throw error;
    return false;
  }
}

/** So that each life begins with an empty ledger. */
export async function forgetEverybody(ledger: Ledger): Promise<void> {
  await rows(ledger.db, sql`truncate brands cascade`);
}
