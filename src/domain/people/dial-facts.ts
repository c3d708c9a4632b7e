import type { ConsentRecord } from "../policy/consent.ts";
import type { Disposition } from "../policy/disposition.ts";
import type { NeverReason, WaitReason } from "../policy/gate-reasons.ts";
import type { WhenAway } from "../policy/scrubbing.ts";
import type { ListAge } from "../policy/suppression-source.ts";

/** What the ledger shows of the moment in which a call was permitted. */
export interface DialFacts {
  phone: string;
  zones: readonly string[];
  /** As the contact has them (presets/whereabouts.ts). */
  places: readonly string[];
  /** When its start was permitted: what the gate went by. */
  permittedMs: number;
  /** When it began to ring, as far as the platform says. */
  startedMs: number | undefined;
  /**
   * Of one by the list of a source whose scope was changed later, the ledger does not show whether it bound the brand
   * (`isSure`).
   */
  suppression: { source: string; reason: string; sinceMs: number; isSure: boolean } | undefined;
  /** What had been recorded by then about calls to the number, the newest last, where the policy asks for consent. */
  consents: readonly ConsentRecord[];
  /** The lists with an age in whose scope the brand was, as they were then. */
  lists: readonly ListAge[];
  /** Sources whose scope or age was changed later: what they asked for then, the ledger does not show. */
  changedSources: readonly string[];
  /** The sources in whose scope the brand was, or may have been (`isSure` is false: its scope was changed later). */
  sources: readonly { source: string; hasList: boolean; isSure: boolean }[];
  /** The scrubbing services among them, as they are set up now, each with what it had said last of the number by then. */
  scrubbers: readonly {
    source: string;
    cacheMs: number;
    whenAway: WhenAway;
    isSure: boolean;
    last: { askedAtMs: number; listed: boolean } | undefined;
  }[];
  /** Calls of the contact before it that count as dialed, by what they came to. */
  before: Readonly<Partial<Record<Disposition, number>>>;
  lastDisposition: Disposition | undefined;
  /** When the person called us last, between being accepted and this. */
  calledUsMs: number | undefined;
  /** The last call of the brand to the number before it: for another contact, for this one, by another campaign. */
  lastOfOthersMs: number | undefined;
  lastOfOwnMs: number | undefined;
  lastOfOtherCampaignsMs: number | undefined;
  /** For each cap of the policy, in order: how many calls, or conversations, were within its time. */
  counted: readonly number[];
  money: {
    /** When it was leased; 0: it was booked by a recovery. */
    heldMicros: number;
    /** Undefined: it was not over when this was read. */
    costMicros: number | undefined;
    /** By the platform; else it is taken from its length. */
    isTold: boolean;
  };
  isSimulated: boolean;
}

export interface DialCheck {
  rule: NeverReason | WaitReason | "money";
  /** Whether it allowed the call; undefined: the ledger does not show that. */
  allowed: boolean | undefined;
  says: string;
}
