import { sql } from "drizzle-orm";
import { createHash } from "node:crypto";

import type { AccountLines } from "../../../src/domain/campaigns/account-lines.ts";
import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { dayOfDate } from "../../../src/domain/time/local-day.ts";
import { stopBatchesDialing } from "../../../src/ledger/campaigns/batches.ts";
import { bindUnbound, blackOut, liftBlackout } from "../../../src/ledger/campaigns/blacking-out.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { amendSpec, approveCampaign } from "../../../src/ledger/campaigns/commands.ts";
import { placeCallback } from "../../../src/ledger/campaigns/placements.ts";
import { declareSource, dropSource, renew } from "../../../src/ledger/campaigns/renewing.ts";
import { withdrawContacts } from "../../../src/ledger/campaigns/withdrawing.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { recordConsents, withdrawConsent } from "../../../src/ledger/ground/consents.ts";
import { beginLoad, loadChunk } from "../../../src/ledger/ground/listed-numbers.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { takeInboundCall } from "../../../src/ledger/triggers/inbound-calls.ts";
import { given } from "../../support/ledgers.ts";
import { DialEngine, type Luck } from "./dial-engine.ts";
import { running, type Running } from "./dial-records.ts";
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  ofCallbacks,
  type Blackout,
  type Dial,
  type NumberList,
  type Person,
  type Rules,
  type Said,
} from "./dial-oracle.ts";
import { Liveness, type Waiting } from "./dial-liveness.ts";
import type { Journey } from "./dial-journeys.ts";
import { DialSequences, type DrawnSequence, type StepPolicy } from "./dial-sequences.ts";
import type { LifeLedger } from "./life-ledger.ts";
import { contact, createScheduled, importWhole, PACE, specOf, tell } from "./scenario.ts";

/* Campaigns that call the same people, on a clock of their own, and a platform that dials what it is given. */

export type Change =
  | { kind: "advance"; minutes: number }
  | { kind: "amend"; which: number; policy: Policy }
  | { kind: "pause" | "resume" | "approve" | "cancel" | "inbound"; which: number }
  | { kind: "enroll"; which: number; into: number }
  | { kind: "leave" | "rest" | "go_on"; which: number }
  | { kind: "park" | "unpark"; which: number }
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
export type Policy = StepPolicy &
  Pick<
    CampaignSpecInput,
    "not_called_within" | "ends_at" | "caller_ids" | "canary" | "breaker" | "order" | "inbound" | "priority"
  >;

/** What of a spec is drawn once, and stays. */
export type Fixed = Pick<CampaignSpecInput, "variants" | "contact_priority">;

/** In their last days: as many turns of the clock as most lives take, and more than any does. */
const SLOW_TURNS = 200;
const MOST_TURNS = 3_000;

/** By how much a process is late, at most, that is asked to look every minute: far below the hour in which it dials. */
const LATE_MS = 15 * MINUTE_MS;

/** Numbers of ours. */
const FROM_NUMBERS = ["+12025550100", "+442079460100", "+12025550101"];

/** What a life begins with. */
export interface Beginning {
  policies: readonly Policy[];
  sequences: readonly DrawnSequence[];
  /** Who is in them from the beginning. */
  enrolled: readonly { which: number; into: number }[];
  /** The account's lines, where its campaigns share them. */
  account: AccountLines | undefined;
  /** No phone rings. */
  isSimulated: boolean;
  fixed: Fixed;
  luck: Luck;
  nowMs: number;
}

export class DialLife {
  readonly engine: DialEngine;
  readonly liveness = new Liveness();
  readonly sequences: DialSequences;
  readonly account: AccountLines | undefined;
  readonly #ledger: Ledger;
  readonly #people: readonly Person[];
  readonly #blackouts = new Map<number, Blackout>();
  readonly #lists = new Map<string, NumberList>();
  readonly #said: Said[] = [];
  readonly #listed: { phone: string; brand: string | undefined }[] = [];
  readonly #suppressed: { phone: string; brand: string | undefined }[] = [];
  readonly #calledUs: { phone: string; atMs: number }[] = [];
  /** When calls that were placed one by one are to be made, by contact. */
  readonly #placed = new Map<number, { dueMs: number; askedMs: number | undefined }>();
  readonly #beganMs: number;
  readonly #isSimulated: boolean;
  #commands = 0;
  #nowMs: number;

  private constructor(opened: LifeLedger, people: readonly Person[], beginning: Beginning) {
    const { luck, account, isSimulated, nowMs } = beginning;
    this.#ledger = opened.ledger;
    this.#people = people;
    this.#beganMs = nowMs;
    this.#nowMs = nowMs;
    this.#isSimulated = isSimulated;
    this.account = account;
    this.engine = new DialEngine(
      opened,
      { luck, account },
      {
        nowMs: () => this.#nowMs,
        rulesOf: (campaign) => this.rulesOf(campaign),
        personOf: (phone) => this.#person(phone),
        onEnded: (campaign, dial) => this.#afterCall(campaign, dial),
        onTurn: () => this.#takeTurns(),
      },
    );
    this.sequences = new DialSequences(opened.ledger, this.engine.campaigns, (id) => {
      this.engine.wake(id);
    });
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get log(): readonly Dial[] {
    return this.engine.log;
  }

  get campaigns(): readonly Running[] {
    return this.engine.campaigns;
  }

  /** Each policy is a campaign with a list of everybody; whoever is in a sequence is called one by one. */
  static async begin(opened: LifeLedger, people: readonly Person[], beginning: Beginning): Promise<DialLife> {
    const life = new DialLife(opened, people, beginning);
    const { policies, fixed, sequences, nowMs } = beginning;
    const { ledger } = opened;
    await opened.bindAnew(beginning.isSimulated);
    for (const [index, policy] of policies.entries()) {
      const brand = index % 2 === 0 ? "one" : "two";
      const changes = { ...policy, ...fixed, ...named(index, brand) };
      const { id, spec } = await createScheduled(ledger, changes, nowMs);
      const list = people.map(({ phone, country, zones, places, consentedAtMs: obtainedAtMs, worth }, line) =>
        contact(phone, line + 2, {
          region: country,
          zones,
          strictZones: zones,
          places,
          strictPlaces: places,
          variables: { worth: String(worth) },
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
      await tell(ledger, "start", id, { commandId: life.#commandId(), nowMs });
      life.engine.campaigns.push(running({ id, brand, spec }));
    }
    await life.sequences.begin(sequences, FROM_NUMBERS, nowMs);
    for (const one of beginning.enrolled)
      await life.#tellEnrolled({ kind: "enroll", ...one }, life.#commandId());
    await life.engine.turn();
    life.engine.mayBeKilled();
    return life;
  }

  async live(change: Change): Promise<void> {
    if (change.kind === "advance") {
      this.#nowMs += change.minutes * MINUTE_MS;
    } else {
      // Whoever was not answered gives the same command again.
      const commandId = this.#commandId();
      await this.engine.surviving(() => this.#change(change, commandId));
      this.#wakeFor(change);
    }
    await this.#turn();
  }

  /** Whoever changes something tells those whom it lets dial; nobody waits for what forbids a call. */
  #wakeFor(change: Exclude<Change, { kind: "advance" }>): void {
    switch (change.kind) {
      case "amend":
      case "pause":
      case "resume":
      case "approve":
      case "cancel":
      case "withdraw":
        this.engine.wakeWithCallbacks(this.#campaign(change.which));
        break;
      case "blackout":
      case "lift":
      case "source":
      case "renew":
      case "remove":
      case "park":
      case "unpark":
        this.engine.wakeAll();
        break;
      case "enroll":
      case "leave":
      case "rest":
      case "go_on":
      case "inbound":
      case "suppress":
      case "consent":
      case "unsay":
        break;
    }
  }

  async #turn(): Promise<{ isOver: boolean; nextMs: number }> {
    const { isOver, nextMs } = await this.engine.turn();
    const wait = await this.engine.surviving(() => this.#waiting());
    const rulesOf = (campaign: Running) => this.rulesOf(campaign);
    this.liveness.look(this.engine, wait, { nowMs: this.#nowMs, nextMs, rulesOf });
    return { isOver, nextMs };
  }

  /** Whoever waits in a campaign that neither paused itself nor makes its last few calls before it does. */
  async #waiting(): Promise<Waiting[]> {
    const found = await rows<{ contact: number; campaign: string; phone: string; asks: boolean }>(
      this.#ledger.db,
      sql`select c.id as contact, c.campaign_id as campaign, c.phone, k.spec ? 'canary' and k.canary is distinct from 'approved' as asks
          from contacts c join campaigns k on k.id = c.campaign_id
          where c.state = 'open' and k.state = 'running' and k.breaker <> 'probing' order by c.id`,
    );
    return found
      .filter(({ asks }) => !asks)
      .map(({ contact: id, campaign, phone }) => ({
        contact: id,
        campaign: given(this.campaigns.find((one) => one.id === campaign)),
        person: this.#person(phone),
      }));
  }

  async #change(change: Exclude<Change, { kind: "advance" }>, commandId: string): Promise<void> {
    const nowMs = this.#nowMs;
    const ledger = this.#ledger;
    switch (change.kind) {
      case "amend":
        await this.#amend(this.#campaign(change.which), change.policy, commandId);
        break;
      case "pause":
      case "resume":
      case "approve":
      case "cancel":
        await this.#tell(this.#campaign(change.which), change.kind, commandId);
        break;
      case "inbound": {
        const { phone } = given(this.#people[change.which % this.#people.length]);
        const call = { callId: commandId, phone, toNumber: undefined, atMs: nowMs, endedAtMs: nowMs, nowMs };
        await ledger.transaction((tx) => takeInboundCall(tx, call));
        this.#calledUs.push({ phone, atMs: nowMs });
        break;
      }
      case "enroll":
      case "leave":
      case "rest":
      case "go_on":
        await this.#tellEnrolled(change, commandId);
        break;
      case "park":
      case "unpark": {
        const sequence = given(this.sequences.all[change.which % this.sequences.all.length]);
        await this.sequences.tellAll(sequence, change.kind === "park" ? "pause" : "resume", nowMs);
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
  }

  async #tell(
    campaign: Running,
    command: "pause" | "resume" | "approve" | "cancel",
    commandId: string,
  ): Promise<void> {
    const nowMs = this.#nowMs;
    const isDone = await unlessRefused(() =>
      command === "approve"
        ? approveCampaign(this.#ledger, {
            campaignId: campaign.id,
            commandId,
            actor: "test",
            reason: undefined,
            nowMs,
          })
        : tell(this.#ledger, command, campaign.id, { commandId, nowMs }),
    );
    const stored = given(await readCampaign(this.#ledger.db, campaign.id));
    const spec = given(campaign.specs.at(-1));
    if (command === "approve" || command === "resume") {
      if (isDone && command === "approve") campaign.events.push({ kind: "approved", atMs: nowMs, spec });
      // One that went on all the time goes on as it did.
      if (isDone && stored.runningSinceMs === nowMs)
        campaign.events.push({ kind: "resumed", atMs: nowMs, spec });
      campaign.paused &&= stored.state === "paused";
    } else if (command === "pause") campaign.paused = stored.state === "paused";
    else campaign.cancelled ||= isDone;
  }

  async #takeTurns(): Promise<number | undefined> {
    const nextMs = await this.sequences.takeTurns(this.#nowMs);
    for (const { contact, placedMs: dueMs } of this.sequences.calls)
      if (!this.#placed.has(contact)) this.#placed.set(contact, { dueMs, askedMs: undefined });
    return nextMs;
  }

  async #tellEnrolled(
    change: Extract<Change, { kind: "enroll" | "leave" | "rest" | "go_on" }>,
    requestKey: string,
  ): Promise<void> {
    const nowMs = this.#nowMs;
    const { sequences } = this;
    if (change.kind === "enroll") {
      const person = given(this.#people[change.which % this.#people.length]);
      await sequences.enroll(change.into, person, { requestKey, nowMs });
      return;
    }
    const enrolled = sequences.enrolled[change.which % Math.max(1, sequences.enrolled.length)];
    const kind = ({ leave: "exit", rest: "pause", go_on: "resume" } as const)[change.kind];
    if (enrolled) await sequences.tell(enrolled, kind, { requestKey, nowMs });
  }

  async #afterCall(campaign: Running, { person, disposition, contact: asked, endMs }: Dial): Promise<void> {
    const nowMs = this.#nowMs;
    const { phone, country, zones, places } = person;
    if (disposition === "opted_out") this.#suppressed.push({ phone, brand: campaign.brand });
    // Callbacks of a step's calls are the same again; those of callbacks are their campaign's.
    if (disposition !== "callback_requested" || (campaign.isStanding && !campaign.parent)) return;
    const parent = campaign.parent ?? campaign;
    const dueAtMs = nowMs + 90 * MINUTE_MS;
    const asker = { actionId: idOf(`${asked} ${endMs}`), askedAtMs: endMs };
    const result = await this.#ledger.transaction((tx) =>
      placeCallback(tx, {
        campaignId: campaign.id,
        asker,
        phone,
        region: country,
        zones,
        places,
        variables: {},
        dueAtMs,
        most: 2,
        actor: "test",
        nowMs,
      }),
    );
    if (result.kind === "refused") return;
    // One that was placed before is to be made when that was said.
    if (!this.#placed.has(result.contactId))
      this.#placed.set(result.contactId, { dueMs: dueAtMs, askedMs: endMs });
    if (this.campaigns.some(({ id }) => id === result.campaignId)) return;
    this.#beginCallbacks(result.campaignId, parent);
  }

  #beginCallbacks(id: string, parent: Running): void {
    const { brand, specs } = parent;
    const spec = given(specs.at(-1));
    this.engine.campaigns.push(running({ id, brand, spec, isStanding: true, parent }));
  }

  #campaignOf(id: string | null): Running {
    return given(this.campaigns.find((one) => one.id === id));
  }

  #commandId(): string {
    this.#commands += 1;
    return idOf(`command ${this.#commands}`);
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
    const list = { name, sourceName: "list", digest: "0", asOfMs, allowOlder: true, actor: "test", nowMs };
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
    this.engine.neverKilled();
    for (let turns = 0; turns < MOST_TURNS; turns += 1) {
      // Not as soon as it could be: until then nobody is called. In the end each time, so that a list which is good for
      // an hour is not always renewed in the hours in which a window is closed.
      if (turns % 5 === 4 || turns > SLOW_TURNS) await this.#renewStale();
      if (turns % 5 === 0) await this.#letGoOn();
      const { isOver, nextMs } = await this.#turn();
      if (isOver) return;
      // A process that has much to do is late.
      this.#nowMs = Math.max(nextMs, this.#nowMs + LATE_MS);
    }
    throw new Error(`campaigns are not over at ${new Date(this.#nowMs).toISOString()}`);
  }

  /** Somebody looks at what is paused, and has it go on. */
  async #letGoOn(): Promise<void> {
    const paused = await rows<{ id: string; parent_id: string | null; waits: boolean }>(
      this.#ledger.db,
      sql`select id, parent_id, coalesce(canary = 'waiting', false) as waits from campaigns where state = 'paused' and paused_by is distinct from 'sequence' order by parent_id nulls first, id`,
    );
    for (const { id, parent_id: parentId, waits } of paused) {
      // One whose process was killed before anybody was told of it.
      if (!this.campaigns.some((one) => one.id === id)) this.#beginCallbacks(id, this.#campaignOf(parentId));
      const campaign = this.#campaignOf(id);
      await this.#tell(campaign, waits ? "approve" : "resume", this.#commandId());
      this.engine.wakeWithCallbacks(campaign);
    }
    const isAnyResumed = await this.sequences.letGoOn(() => this.#commandId(), this.#nowMs);
    if (isAnyResumed) this.engine.wakeAll();
  }

  async #renewStale(): Promise<void> {
    let isAnyRenewed = false;
    for (const [name, { maxAgeMs, renewedAtMs, phones }] of this.#lists) {
      if (maxAgeMs === undefined) continue;
      if (renewedAtMs !== undefined && this.#nowMs < renewedAtMs + maxAgeMs - HOUR_MS) continue;
      await this.#renew(name, phones, this.#nowMs);
      isAnyRenewed = true;
    }
    if (isAnyRenewed) this.engine.wakeAll();
  }

  /** Contacts of a campaign, with the person of each. */
  async contactsOf({ id }: Running): Promise<LivedContact[]> {
    const found = await rows<Omit<LivedContact, "person"> & { phone: string }>(
      this.#ledger.db,
      sql`select id, phone, state, reason from contacts where campaign_id = ${id}::uuid order by id`,
    );
    return found.map((one) => ({ ...one, person: this.#person(one.phone) }));
  }

  /** What became of everybody who was in a sequence. */
  async journeys(): Promise<Journey[]> {
    const enrolments = await rows<{ id: string; state: string }>(
      this.#ledger.db,
      sql`select id, state from enrolments`,
    );
    const contacts = await rows<{ id: number; ended_ms: number | null }>(
      this.#ledger.db,
      sql`select id, round(extract(epoch from ended_at) * 1000)::float8 as ended_ms from contacts where enrolment_id is not null`,
    );
    const endedMs = new Map(contacts.map((one) => [one.id, one.ended_ms ?? undefined]));
    return this.sequences.enrolled.map((enrolled) => ({
      enrolled,
      isOver: enrolments.some(({ id, state }) => id === enrolled.id && state === "done"),
      calls: this.sequences.calls
        .filter(({ enrolment }) => enrolment === enrolled)
        .map((call) => ({ ...call, endedMs: endedMs.get(call.contact) })),
    }));
  }

  wasSuppressed(phone: string, brand: string): boolean {
    const all = [...this.#suppressed, ...this.#listed];
    return all.some((one) => one.phone === phone && (one.brand ?? brand) === brand);
  }

  hasCalledUs(phone: string): boolean {
    return this.#calledUs.some((one) => one.phone === phone);
  }

  /** Whether somebody gave the best consent long ago, and never took it back. */
  isAlwaysWelcome({ phone, consentedAtMs }: Person, brand: string): boolean {
    const own = this.#said.filter((one) => one.phone === phone && one.brand === brand);
    return consentedAtMs !== undefined && own.every(({ basis }) => basis !== undefined);
  }

  async #amend(campaign: Running, policy: Policy, commandId: string): Promise<void> {
    const before = given(campaign.specs.at(-1));
    const { name, brand, from_numbers, variants, contact_priority } = before;
    const spec = specOf({
      ...policy,
      name,
      from_numbers,
      ...(brand !== undefined && { brand }),
      ...(variants && { variants }),
      ...(contact_priority && { contact_priority }),
    });
    const isDone = await unlessRefused(() =>
      amendSpec(this.#ledger, {
        campaignId: campaign.id,
        commandId,
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
    // Whoever is called for a sequence is taken out of that.
    if (campaign.isStanding) return;
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

  rulesOf(campaign: Running): Rules {
    const { brand, specs, parent } = campaign;
    // Callbacks obey the campaign whose they are.
    const obeyed = parent ?? campaign;
    const { paused, cancelled, withdrawn } = obeyed;
    const suppressed = this.#suppressed.filter((one) => (one.brand ?? brand) === brand);
    return {
      spec: parent ? ofCallbacks(given(parent.specs.at(-1))) : given(specs.at(-1)),
      // Of calls that are placed one by one all places are known.
      taken: campaign.isStanding ? { ...given(specs[0]), presets: ["us-states"] } : given(specs[0]),
      lists: [...this.#lists.values()],
      said: [...this.#said],
      blackouts: [...this.#blackouts.values()],
      suppressed: new Set(suppressed.map(({ phone }) => phone)),
      paused: paused || campaign.paused || this.sequences.isPaused(obeyed),
      cancelled: cancelled || campaign.cancelled,
      withdrawn: new Set([...withdrawn, ...campaign.withdrawn]),
      calledUs: [...this.#calledUs],
      placed: new Map(this.#placed),
      beganMs: this.#beganMs,
      kept: this.sequences.kept,
      isSimulated: this.#isSimulated,
    };
  }

  #person(phone: string): Person {
    return given(this.#people.find((one) => one.phone === phone));
  }

  #campaign(which: number): Running {
    return given(this.campaigns[which % this.campaigns.length]);
  }
}

/** Somebody whom a campaign was to call, and what became of them. */
export interface LivedContact {
  id: number;
  phone: string;
  state: string;
  reason: string | null;
  person: Person;
}

const named = (name: number | string, brand: string) => ({
  name: `campaign ${name}`,
  brand,
  from_numbers: [...FROM_NUMBERS],
});

/** The same id for the same thing. */
function idOf(what: string): string {
  const digest = createHash("sha1").update(what).digest("hex");
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
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
