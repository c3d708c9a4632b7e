import { elapsedMs } from "../domain/time/elapsed.ts";
import type { Ledger } from "../ledger/ground/connection.ts";
import {
  readStanding,
  type CampaignStanding,
  type StandingOfLedger,
} from "../ledger/telemetry/standing-of-ledger.ts";
import { maskText } from "../platform/index.ts";
import type { Instruments } from "./instruments.ts";

/*
 * Gauges of the ledger. It is read when somebody asks for metrics, at most once in READ_EVERY_MS however many ask, and
 * one reading at a time. Who asks waits READ_WITHIN_MS for it at most: a ledger that does not answer is one of the
 * things that metrics are there to tell.
 */

/** Prometheus asks every 15 s or less often; several of them share a reading. */
const READ_EVERY_MS = 10_000;

/** Half of the time that Prometheus gives a scrape by default. */
const READ_WITHIN_MS = 5_000;

/** Campaigns that are told apart: seven series each. */
const MOST_CAMPAIGNS = 200;

const MOST_BRANDS = 50;

/** Names are bounded where they are taken in; this is for what a page can show. */
const LONGEST_NAME = 80;

const MICROS = 1_000_000;

export interface LedgerGauges {
  /** Has the gauges say how the ledger stands. It throws nothing: where nothing is known they say so. */
  refresh(): Promise<void>;
}

export interface LedgerGaugesInput {
  ledger: Pick<Ledger, "db" | "hasRoom">;
  instruments: Instruments;
  /** The account's lines, where campaigns share them. */
  accountLines: number | undefined;
  log: { warn(fields: object, message: string): void };
  now: () => number;
}

interface Reading {
  standing: StandingOfLedger;
  atMs: number;
  tookMs: number;
}

export function createLedgerGauges(input: LedgerGaugesInput): LedgerGauges {
  const { ledger, instruments, log, now } = input;
  let newest: Reading | undefined;
  let underWay: Promise<Reading | undefined> | undefined;

  const read = async (): Promise<Reading | undefined> => {
    const atMs = now();
    try {
      const standing = await readStanding(ledger.db, { campaigns: MOST_CAMPAIGNS, now });
      return { standing, atMs, tookMs: now() - atMs };
    } catch (error) {
      log.warn({ error: String(error) }, "the ledger could not be read for metrics");
      return undefined;
    }
  };
  const current = async (): Promise<Reading | undefined> => {
    if (newest && elapsedMs(now(), newest.atMs) < READ_EVERY_MS) return newest;
    underWay ??= read().then((reading) => {
      underWay = undefined;
      newest = reading;
      return reading;
    });
    return withinBound(underWay);
  };

  return {
    async refresh() {
      const reading = await current();
      instruments.forget("ledger");
      instruments.set("outdial_ledger_up", {}, reading ? 1 : 0);
      instruments.set("outdial_ledger_has_room", {}, ledger.hasRoom() ? 1 : 0);
      if (reading) tell(input, reading);
    },
  };
}

async function withinBound(reading: Promise<Reading | undefined>): Promise<Reading | undefined> {
  let late: NodeJS.Timeout | undefined;
  const bound = new Promise<undefined>((resolve) => {
    late = setTimeout(() => resolve(undefined), READ_WITHIN_MS);
  });
  const first = await Promise.race([reading, bound]);
  clearTimeout(late);
  return first;
}

function tell({ instruments, accountLines, now }: LedgerGaugesInput, reading: Reading): void {
  const { standing, atMs, tookMs } = reading;
  instruments.set("outdial_ledger_read_duration_seconds", {}, tookMs / 1_000);
  instruments.set("outdial_ledger_read_age_seconds", {}, (now() - atMs) / 1_000);
  if (standing.clockAheadMs !== undefined)
    instruments.set("outdial_clock_skew_seconds", { clock: "ledger" }, standing.clockAheadMs / 1_000);
  tellSwitches(instruments, standing, atMs);
  tellLines(instruments, standing, accountLines);
  tellCampaigns(instruments, standing.campaigns);
  tellWaiting(instruments, standing, atMs);
  tellMoney(instruments, standing);
}

/** Seconds since a moment; 0 where there is none. */
function ageOf(sinceMs: number | null, atMs: number): number {
  return sinceMs === null ? 0 : Math.max(0, atMs - sinceMs) / 1_000;
}

function tellSwitches(instruments: Instruments, { switches }: StandingOfLedger, atMs: number): void {
  const held = {
    stop_all: switches?.isStopped,
    recovery: switches?.isRecovering,
    no_credit: switches?.hasNoCredit,
  };
  for (const [by, isHeld] of Object.entries(held))
    instruments.set("outdial_dialing_held", { by }, isHeld === true ? 1 : 0);
  const { balanceMicros = null, balanceAtMs = null } = switches ?? {};
  if (balanceMicros === null) return;
  instruments.set("outdial_platform_balance_usd", {}, balanceMicros / MICROS);
  instruments.set("outdial_platform_balance_age_seconds", {}, ageOf(balanceAtMs, atMs));
}

function tellLines(
  instruments: Instruments,
  { lines, switches }: StandingOfLedger,
  accountLines = Number.POSITIVE_INFINITY,
): void {
  const limit = Math.min(lines.limit, accountLines);
  instruments.set("outdial_lines_limit", {}, limit);
  instruments.set("outdial_lines_busy", {}, lines.busy);
  instruments.set("outdial_lines_free", {}, Math.max(0, limit - lines.busy));
  // While nobody may be called, what is up is to be followed all the same.
  const isHeld =
    switches?.isStopped === true || switches?.isRecovering === true || switches?.hasNoCredit === true;
  instruments.set(
    "outdial_lines_wanted",
    {},
    isHeld ? lines.busy : Math.max(lines.busy, Math.min(lines.wanted, accountLines)),
  );
  const starved = Math.min(lines.wantedLimit, accountLines);
  if (starved > 0) instruments.set("outdial_fill_ratio", {}, Math.min(1, lines.wantedBusy / starved));
}

function tellCampaigns(instruments: Instruments, campaigns: readonly CampaignStanding[]): void {
  for (const [labels, standing] of byLabels(campaigns)) {
    for (const state of ["open", "leased", "done", "excluded"] as const)
      instruments.set("outdial_campaign_contacts", { ...labels, state }, standing[state]);
    instruments.set("outdial_campaign_attempts", labels, standing.attempts);
    instruments.set("outdial_campaign_lines_limit", labels, standing.limit);
    instruments.set("outdial_campaign_lines_busy", labels, standing.busy);
  }
}

/** Names that are the same once they are masked are counted together. */
function byLabels(
  campaigns: readonly CampaignStanding[],
): Iterable<[ReturnType<typeof labelsOf>, CampaignStanding]> {
  const found = new Map<string, [ReturnType<typeof labelsOf>, CampaignStanding]>();
  for (const standing of campaigns) {
    const labels = labelsOf(standing);
    const key = JSON.stringify(labels);
    const same = found.get(key)?.[1];
    found.set(key, [labels, same ? together(same, standing) : standing]);
  }
  return found.values();
}

function together(one: CampaignStanding, other: CampaignStanding): CampaignStanding {
  return {
    ...one,
    open: one.open + other.open,
    leased: one.leased + other.leased,
    done: one.done + other.done,
    excluded: one.excluded + other.excluded,
    attempts: one.attempts + other.attempts,
    limit: one.limit + other.limit,
    busy: one.busy + other.busy,
  };
}

function labelsOf({ brand, name, ofSequence, run }: CampaignStanding) {
  if (name === null) return { brand: "other", campaign: "other", run: "" };
  const campaign = shown(name);
  return {
    brand: shown(brand),
    campaign: ofSequence ? `sequence ${campaign}` : campaign,
    run: run === null ? "" : String(run),
  };
}

/** Masked as in logs: somebody may have called a campaign after a number. */
function shown(name: string): string {
  return maskText(name).slice(0, LONGEST_NAME);
}

function tellWaiting(instruments: Instruments, standing: StandingOfLedger, atMs: number): void {
  for (const { kind, n, dueSinceMs } of standing.outbox) {
    instruments.set("outdial_outbox_rows", { kind }, n);
    instruments.set("outdial_outbox_due_age_seconds", { kind }, ageOf(dueSinceMs, atMs));
  }
  for (const [kind, n] of standing.overdue) instruments.set("outdial_overdue", { kind }, n);
  const { inOrder, aside, acceptedMs, followUps, followUpSinceMs, scheduleDueMs } = standing.depths;
  instruments.set("outdial_deliveries_waiting", { stand: "in_order" }, inOrder);
  instruments.set("outdial_deliveries_waiting", { stand: "aside" }, aside);
  instruments.set("outdial_delivery_oldest_seconds", {}, ageOf(acceptedMs, atMs));
  instruments.set("outdial_follow_ups_open", {}, followUps);
  instruments.set("outdial_follow_up_oldest_seconds", {}, ageOf(followUpSinceMs, atMs));
  instruments.set("outdial_schedule_lateness_seconds", {}, ageOf(scheduleDueMs, atMs));
  for (const { list, word, n } of standing.listed) {
    switch (list) {
      case "campaign":
        instruments.set("outdial_campaigns", { state: word }, n);
        break;
      case "batch":
        instruments.set("outdial_batches", { state: word }, n);
        break;
      case "trouble":
        instruments.set("outdial_batches_in_trouble", { trouble: word }, n);
        break;
      case "attention":
        instruments.set("outdial_attention_open", { kind: word }, n);
        break;
      case "schedule_run":
        instruments.set("outdial_schedule_runs_open", { state: word }, n);
        break;
    }
  }
}

function tellMoney(instruments: Instruments, { money }: StandingOfLedger): void {
  const held = new Map<string, number>();
  const spent = new Map<string, number>();
  for (const [index, { brand, heldMicros, spentMicros }] of money.entries()) {
    const label = index < MOST_BRANDS ? shown(brand) : "other";
    held.set(label, (held.get(label) ?? 0) + heldMicros);
    spent.set(label, (spent.get(label) ?? 0) + spentMicros);
  }
  for (const [brand, micros] of held) instruments.set("outdial_money_held_usd", { brand }, micros / MICROS);
  for (const [brand, micros] of spent)
    instruments.set("outdial_money_spent_today_usd", { brand }, micros / MICROS);
}
