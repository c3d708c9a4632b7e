import { DAY_MS } from "../time/local-day.ts";
import { exactDuration } from "../time/duration.ts";

/*
 * How long what is held of people is kept, by kind: for good, unless somebody says otherwise, but for three kinds that
 * never were. What may not go sooner is said here once, and why: the rules about calling look that far back (I1, I2), or
 * somebody still has to be told apart by it (I5).
 */

interface Kind {
  /** What goes, and from when its age counts. */
  what: string;
  /** Undefined: for good. */
  standardMs: number | undefined;
  leastMs: number;
  /** Undefined: it may be kept for good. */
  mostMs: number | undefined;
  /** Why no less. */
  why: string;
}

const YEAR_MS = 366 * DAY_MS;

/** As far as caps of frequency and `not_called_within` may look back (campaigns/campaign-spec.ts). */
const LOOK_BACK_MS = YEAR_MS;

export const RETENTION = {
  contacts: {
    what: "variables of contacts, what they are tagged with, and rows of lists that made no contact, since their campaign, or the call that was placed, was over",
    standardMs: undefined,
    leastMs: 7 * DAY_MS,
    mostMs: undefined,
    why: "follow-ups and callbacks still use them",
  },
  attempts: {
    what: "numbers of contacts and of their calls, of calls to us and of withdrawals, since their campaign, or the call that was placed, was over; each row stays without its person, for tallies",
    standardMs: undefined,
    leastMs: LOOK_BACK_MS,
    mostMs: undefined,
    why: "caps of frequency may look back 366 days",
  },
  analysis: {
    what: "what was said in calls, as far as the ledger has it: answers of the analysis, the platform's words about errors, labels, and what actions sent and were answered, since the call was planned",
    standardMs: undefined,
    leastMs: 30 * DAY_MS,
    mostMs: undefined,
    why: "follow-ups are retried by people, and read it",
  },
  recordings: {
    what: "files of recordings that follow-ups kept, since they were kept",
    standardMs: undefined,
    leastMs: DAY_MS,
    mostMs: undefined,
    why: "they are being written",
  },
  platform_calls: {
    what: "the platform's own records of calls, with transcript, recording and analysis, since the call was planned, or was taken in",
    standardMs: undefined,
    leastMs: 30 * DAY_MS,
    mostMs: undefined,
    why: "they prove who was called, where the ledger has to be recovered",
  },
  enrolments: {
    what: "people of sequences, with what happened on their way, since that was over",
    standardMs: undefined,
    leastMs: 90 * DAY_MS,
    mostMs: undefined,
    why: "the same request is known by it for 90 days",
  },
  deliveries: {
    what: "bodies of deliveries, since they were worked off",
    standardMs: 7 * DAY_MS,
    leastMs: DAY_MS,
    mostMs: 90 * DAY_MS,
    why: "what went wrong yesterday is looked into",
  },
  events: {
    what: "the feed of events, since they happened",
    standardMs: 30 * DAY_MS,
    leastMs: 7 * DAY_MS,
    mostMs: YEAR_MS,
    why: "readers that were away for days go on where they were",
  },
  audit: {
    what: "entries of the audit, since they were written",
    standardMs: undefined,
    leastMs: YEAR_MS,
    mostMs: undefined,
    why: "who did what is asked for years later; the database itself refuses less",
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type RetentionKind = keyof typeof RETENTION;

export function isRetentionKind(name: string): name is RetentionKind {
  return Object.hasOwn(RETENTION, name);
}

export const RETENTION_KINDS: readonly RetentionKind[] = Object.keys(RETENTION).filter(isRetentionKind);

/** How long each kind is kept, in milliseconds; undefined: for good. */
export type Retention = Readonly<Record<RetentionKind, number | undefined>>;

/** What was said of some kinds; null: for good. */
export type RetentionSaid = Readonly<Partial<Record<RetentionKind, number | null>>>;

/** As it holds where nothing else was said. */
export function retentionOf(said: RetentionSaid): Retention {
  const kept = (kind: RetentionKind) => {
    const one = said[kind];
    return one === undefined ? RETENTION[kind].standardMs : (one ?? undefined);
  };
  return {
    contacts: kept("contacts"),
    attempts: kept("attempts"),
    analysis: kept("analysis"),
    recordings: kept("recordings"),
    platform_calls: kept("platform_calls"),
    enrolments: kept("enrolments"),
    deliveries: kept("deliveries"),
    events: kept("events"),
    audit: kept("audit"),
  };
}

/** Why a kind can't be kept so long, or so short; undefined: it can. @param keepMs undefined: for good */
export function objectionToKeeping(kind: RetentionKind, keepMs: number | undefined): string | undefined {
  const { leastMs, mostMs, why }: Kind = RETENTION[kind];
  if (keepMs === undefined)
    return mostMs === undefined
      ? undefined
      : `${kind} can't be kept for good: say ${exactDuration(mostMs)} at most`;
  if (keepMs < leastMs)
    return `${kind} are kept for ${exactDuration(leastMs)} at least, since ${why}: say that or more`;
  if (mostMs !== undefined && keepMs > mostMs) return `${kind} are kept for ${exactDuration(mostMs)} at most`;
  return undefined;
}

/** Before which moment what there is goes; undefined: nothing of the kind does. Unix milliseconds. */
export type Cutoffs = Readonly<Record<RetentionKind, number | undefined>>;

/**
 * What goes now. Whose number goes loses variables, recordings and the platform's records of their calls too, whatever
 * was said of those: the row that they are found by is about nobody then, and forgetting the person would find none.
 */
export function cutoffsAt(retention: Retention, nowMs: number): Cutoffs {
  const before = (...kinds: readonly RetentionKind[]) => {
    const shortest = Math.min(...kinds.map((kind) => retention[kind] ?? Number.POSITIVE_INFINITY));
    return Number.isFinite(shortest) ? nowMs - shortest : undefined;
  };
  return {
    contacts: before("contacts", "attempts"),
    attempts: before("attempts"),
    analysis: before("analysis"),
    recordings: before("recordings", "attempts"),
    platform_calls: before("platform_calls", "attempts"),
    enrolments: before("enrolments"),
    deliveries: before("deliveries"),
    events: before("events"),
    audit: before("audit"),
  };
}
