/*
 * Forgetting a person: what is done in which order, what stays, and the certificate that says both. A request goes
 * through its states in one direction, however often a process dies on the way.
 */

/**
 * - `settling`: the number is suppressed, and taken out of whatever would call it; what is in the air is waited for.
 * - `removing`: files, records of the platform and rows go.
 * - `waiting`: all of that went but what the certificate names, which is asked for again until it is gone.
 * - `done`: nothing is left but what the certificate says.
 */
export const FORGETTING_STATES = ["settling", "removing", "waiting", "done"] as const;
export type ForgettingState = (typeof FORGETTING_STATES)[number];

/** Whose word the suppression of somebody forgotten is, and what it says. */
export const FORGET_SOURCE = "forget";
export const FORGET_REASON = "asked to be forgotten";

/** What stays, and under which duty. */
export interface Kept {
  what: string;
  rows: number;
  as: "number" | "digest" | "nothing that leads to the person";
  why: string;
}

/** What can't be reached from here, said to whoever has to see to it. */
export type Elsewhere = Readonly<{ where: string; what: string }>;

/** What is to go and is not gone yet. */
export interface Waiting {
  what: "recording" | "record of a call";
  /** The file's name, or the platform's id of the call. */
  name: string;
  where: string;
  since: string;
  why: string;
}

/** Of what is not gone a certificate names so much, the oldest first; it is complete only without any. */
export const MOST_NAMED = 100;

export interface Certificate {
  id: string;
  installation_id: string;
  /** Made with the installation's own key: whoever has the number can be shown that it is theirs. */
  person: string;
  last_digits: string;
  asked_at: string;
  asked_by: string;
  reason: string;
  done_at: string;
  removed: Readonly<Record<string, number>>;
  /** Empty once it is complete. */
  waiting: readonly Waiting[];
  complete_at: string | null;
  kept: readonly Kept[];
  elsewhere: readonly Elsewhere[];
}

/** How many of what stays there are. */
export interface KeptCounts {
  suppressions: number;
  listed: number;
  consents: number;
  audit: number;
  attempts: number;
}

/** As a certificate names it. */
export function waitingOf(left: {
  kind: "recording" | "platform_call";
  what: string;
  keptIn: string | undefined;
  error: string;
  sinceAtMs: number;
}): Waiting {
  const isCall = left.kind === "platform_call";
  return {
    what: isCall ? "record of a call" : "recording",
    // Folders are named by rules, which may say something of the person.
    name: left.what.slice(left.what.lastIndexOf("/") + 1),
    where: isCall ? "the platform" : `the folder for recordings ${left.keptIn ?? "that nobody wrote down"}`,
    since: new Date(left.sinceAtMs).toISOString(),
    why: left.error,
  };
}

export function keptOf(counts: KeptCounts, asHash: boolean): Kept[] {
  const all: Kept[] = [
    {
      what: "suppressions",
      rows: counts.suppressions,
      as: asHash ? "digest" : "number",
      why: "so that nobody calls the person again, whatever list names them next",
    },
    {
      what: "lists that others keep",
      rows: counts.listed,
      as: "number",
      why: "a register that must be honoured names the number, and each renewal of it does so again",
    },
    {
      what: "consents and their withdrawals",
      rows: counts.consents,
      as: "digest",
      why: "whoever called has to be able to show that they were allowed to",
    },
    {
      what: "audit",
      rows: counts.audit,
      as: "digest",
      why: "who did what is kept as it was written down, and never held the number",
    },
    {
      what: "calls, without the person",
      rows: counts.attempts,
      as: "nothing that leads to the person",
      why: "sums, reports and the proof that nobody was called twice count them",
    },
  ];
  return all.filter(({ rows }) => rows > 0);
}

/** Who else was told of a person, as far as the ledger knows. */
export interface ToldElsewhere {
  hosts: readonly string[];
  /** Batches of the platform in which the number is. */
  platformBatches: number;
}

/** What is said of other places in every certificate, and of those that were met. */
export function elsewhereOf(met: ToldElsewhere): Elsewhere[] {
  return [
    ...met.hosts.map((host) => ({
      where: host,
      what: "was told of the person by a follow-up or a sequence: ask whoever runs it to forget them, too",
    })),
    ...(met.platformBatches === 0
      ? []
      : [
          {
            where: "the platform",
            what: `keeps the number in ${met.platformBatches} of its batches: its interface removes a batch as a whole only, with everybody in it`,
          },
        ]),
    {
      where: "the platform's calls",
      what: "that Outdial never heard of, such as calls to us from more than a day before, or more of them than can be read: its interface finds no call by a number",
    },
    {
      where: "the platform's chats",
      what: "its interface finds no chat by a number, and removes none; Outdial begins none",
    },
    {
      where: "backups",
      what: "that were made before hold what they held until they are removed. After one was restored this has to be asked for again: such a ledger dials nobody before somebody has said that its suppressions are complete",
    },
    {
      where: "Temporal",
      what: "shows workflows of sequences with a masked number, of which four digits can be read, until its own retention removes them",
    },
  ];
}
