import type { AccountLines } from "../domain/campaigns/account-lines.ts";
import type { CallRate } from "../domain/campaigns/call-rate.ts";
import type { ProfileEffects } from "../domain/campaigns/platform-profile.ts";
import type { PlanningPace } from "../ledger/ground/planning-pace.ts";
import type { RetentionKind } from "../domain/ground/retention.ts";
import type { ActsFor } from "../domain/ground/secrets.ts";
import type { Ledger } from "../ledger/ground/connection.ts";
import type { DataKeys } from "../ledger/ground/data-keys.ts";
import type { SettledCall } from "../ledger/campaigns/settled-call.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { Platform, PlatformKey } from "../platform/index.ts";
import type { Downloads } from "../outbound/download.ts";
import type { Tracer } from "../tracing/work.ts";

/** How the engine paces its looks and waits. Real time, in milliseconds; `paceAt` divides it for a fast sandbox. */
export interface Pace extends PlanningPace {
  /** A doubtful start that does not show within this is given up: the platform picks up within seconds. */
  startDoubtMs: number;
  /**
   * A start that was accepted is given up where nobody of its batch is dialed within this: the platform has queued it,
   * or says that it runs. As long as a batch may take to be dialed through (batch-sizing.ts).
   */
  pickupMs: number;
  /** What the platform does not do for a batch is told to people once it lasts this long: shorter trouble passes. */
  troubleMs: number;
  /** The same where a campaign does not come to dial for it: people are to know within a minute. */
  stallMs: number;
  /** Between two looks at something that should happen soon. */
  lookMs: number;
  /** The longest that a batch goes without being looked at, should every hint fail. */
  batchLookMs: number;
  /** Between the two reads that must agree before anybody counts as not dialed. */
  quietMs: number;
  /** Between two looks while the platform refuses the key or wants to be paid. */
  refusedLookMs: number;
  /** A batch that the platform says it does not have, or that it does not delete, is given up after this. */
  vanishedMs: number;
  /** A call that is up longer than this after its batch ended is not waited for. */
  callBoundMs: number;
  /** The follower's own clock. */
  followTickMs: number;
  /** A batch whose stream is open is read this often without a hint; one without a stream when counts moved. */
  pollMs: number;
  blindPollMs: number;
  /** Batches without a stream are listed this often while somebody waits for slots. */
  waitedPollMs: number;
  /** Ends that were hinted at are read at least this often. */
  hintStaleMs: number;
  /** A follower with nothing to follow ends after this. */
  followIdleMs: number;
  /** Between two looks at calls that still have to be processed. */
  processingLookMs: number;
  /** An hour in the life of keys: of their grace, and of the quiet that shows that nobody uses one any more. */
  keyHourMs: number;
}

const PACE: Pace = {
  gatherMs: 20_000,
  busyLookMs: 60_000,
  idleLookMs: 300_000,
  dialByMarginMs: 60_000,
  minLeadMs: 30_000,
  openAttemptWaitMs: 60_000,
  startDoubtMs: 60_000,
  pickupMs: 10 * 60_000,
  troubleMs: 5 * 60_000,
  // A request that is put off is asked again after 5, 10 and 20 s: the look behind those is within the minute.
  stallMs: 30_000,
  lookMs: 5_000,
  batchLookMs: 15 * 60_000,
  quietMs: 15_000,
  refusedLookMs: 2 * 60_000,
  // Long enough for people to mend a gateway or a key of the wrong account; its slots are held meanwhile.
  vanishedMs: 10 * 60_000,
  // Longer than any call that the platform's agents are seen to allow by default (10 minutes), by far.
  callBoundMs: 2 * 60 * 60_000,
  followTickMs: 1_000,
  pollMs: 90_000,
  blindPollMs: 15_000,
  waitedPollMs: 8_000,
  hintStaleMs: 90_000,
  followIdleMs: 30_000,
  processingLookMs: 15_000,
  keyHourMs: 60 * 60_000,
};

/** The same pace against a sandbox whose durations are divided by `speed`; never below what a loop can do. */
export function paceAt(speed: number): Pace {
  const scaled = { ...PACE };
  for (const key of Object.keys(scaled) as (keyof Pace)[])
    scaled[key] = Math.max(FASTEST_MS[key] ?? 200, PACE[key] / speed);
  return scaled;
}

/** The pace for a platform that is known to take longer than usual; never a quicker one. */
export function paceFor(pace: Pace, profile: ProfileEffects): Pace {
  return {
    ...pace,
    startDoubtMs: Math.max(pace.startDoubtMs, profile.startDoubtAtLeastMs),
    pickupMs: Math.max(pace.pickupMs, profile.startDoubtAtLeastMs),
    quietMs: Math.max(pace.quietMs, profile.quietAtLeastMs),
  };
}

const FASTEST_MS: Partial<Record<keyof Pace, number>> = {
  followTickMs: 50,
  lookMs: 100,
  gatherMs: 100,
  quietMs: 300,
};

/** Wakes workflows up, at most once a second each; one that is gone or away is no error. */
export interface Wake {
  campaign(campaignId: string): void;
  batch(batchId: string): void;
}

/** Delivers what the outbox holds; kicking it makes that sooner and is never needed. */
export interface OutboxKick {
  kick(): void;
}

/** Secrets by the names that definitions give them; several values where a key is being rotated, newest first. */
export interface SecretStore {
  /** @throws UnknownSecretError (outbound/secrets.ts) where nothing of that name is for one of those brands. */
  read(name: string, actsFor: ActsFor): readonly string[];
}

/** The part of a logger that the engine uses. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Counts what the engine does, for whoever watches it (docs/metrics.md). Nothing is decided by it. */
export interface Meter {
  /** One planning of a campaign. */
  planned(tookMs: number): void;
  /** A start request was sent, for so many calls. `idleMs`: since the calls ended whose lines these take, on the mean. */
  started(start: {
    result: "begun" | "unclear" | "not_begun";
    calls: number;
    idleMs: number | undefined;
  }): void;
  /** The platform shows a batch as begun although it had answered its start with a no. */
  adopted(calls: number): void;
  /** Calls of a started batch were proven not to have been made. */
  returned(calls: number): void;
  /** What calls came to was written. */
  ended(calls: readonly SettledCall[], nowMs: number): void;
  /** What was too old to be kept went. */
  aged(kind: RetentionKind, removed: number): void;
}

/** The key that `platform` uses, and the platform with another one. */
export interface PlatformKeys {
  inUse: PlatformKey;
  /** To be closed by whoever opened it. @throws InvalidRequestError for a key that can't be one. */
  open: (key: string) => Platform;
}

export interface ActivityDeps {
  ledger: Ledger;
  platform: Platform;
  /** What is known of the platform beyond its contract. Absent: nothing. */
  profile?: ProfileEffects;
  /** The account's lines, where campaigns share them. Absent: each goes by its own concurrency alone. */
  account?: AccountLines | undefined;
  /** How many calls may begin in any stretch of time, over all campaigns. Absent: as many as there are lines for. */
  rate?: CallRate | undefined;
  /** People are told when the account has less left. In millionths of a US dollar; absent: they are not. */
  lowCreditMicros?: number | undefined;
  /** How long the platform wants no request, whichever process it said so to. Absent: it is asked. */
  heldForMs?: () => number;
  wake: Wake;
  outbox: OutboxKick;
  secrets: SecretStore;
  /** Requests to addresses that people configured: guarded, bounded. */
  outbound: Outbound;
  /** The platform's key, which can be replaced. Absent: it can't. */
  keys?: PlatformKeys;
  /** What seals and opens sensitive values. Absent: there is no key. */
  dataKeys?: DataKeys;
  /** Where follow-ups keep recordings. */
  recordingsDir: string;
  /** Where the contacts of recurring campaigns come from. */
  lists: ListPorts;
  pace: Pace;
  /** Begins spans of what is done. Absent: nothing is traced. */
  tracer?: Tracer | undefined;
  log: Log;
  /** Absent: nobody watches. */
  meter?: Meter;
  /** Unix milliseconds. */
  now: () => number;
}

/** Where the lists of recurring campaigns come from, as the settings say. */
interface ListPorts {
  /** Files are taken from within this folder only. */
  dir: string;
  /** Lists are kept here until they are in the ledger. */
  spoolDir: string;
  /** Addresses of named databases, by the name as a variable has it: `crm-2` is `CRM_2`. Secret. */
  databases: Readonly<Record<string, string>>;
  downloads: Downloads;
}
