import type { WindowOf } from "./calling-window.ts";
import type { ConsentRecord } from "./consent.ts";
import type { DialingPolicy } from "./dialing-policy.ts";
import type { Disposition } from "./disposition.ts";
import type { NeverReason, WaitReason } from "./gate-reasons.ts";
import type { NumberKind } from "./number-kind.ts";
import type { ScrubAnswer } from "./scrubbing.ts";
import type { SourceInScope } from "./suppression-source.ts";

/* What the policy gate is asked, and what it answers. */

/** What the ledger knows of one contact at the moment of asking. */
export interface ContactFacts {
  number: NumberKind;
  zones: readonly string[];
  /** Where the contact may be, as rules of places ask for it (presets/whereabouts.ts); none: wherever the zones are. */
  places: readonly string[];
  suppression: { scope: "brand" | "global"; source: string; reason: string } | undefined;
  /** What was said about calls to the number, the newest last, where the policy asks for consent. */
  consents: readonly ConsentRecord[];
  /** What scrubbing services said of the number that the campaign is in the scope of; absent: nothing. */
  scrubbed?: readonly ScrubAnswer[];
  /** Attempts that count as dialed. */
  attempts: number;
  attemptsByDisposition: Readonly<Partial<Record<Disposition, number>>>;
  lastDisposition: Disposition | undefined;
  /** Somebody else's attempt on the same number is open, in any campaign. */
  openElsewhere: boolean;
  dueAtMs: number;
  /** When the person last called us since the contact was accepted. */
  calledBackAtMs: number | undefined;
  /**
   * When the number was last called by another campaign of the brand, or another run of this one, as far as that is
   * within what the policy asks for.
   */
  calledAtMs: number | undefined;
  /**
   * When the number was last called by the brand for any other contact, of whichever campaign, as far as that is
   * within what the policy asks for.
   */
  lastCallAtMs: number | undefined;
  /** When the contact itself was last called, as far as that is within the same. */
  ownLastCallAtMs: number | undefined;
  /**
   * For each frequency cap of the policy, in their order: when the oldest of the calls ended that together are as many
   * as it allows, within its time. Undefined: there were fewer.
   */
  cappedSinceMs: readonly (number | undefined)[];
  /** The same, if every call of which nobody knows yet what it came to was a conversation. */
  perhapsCappedSinceMs: readonly (number | undefined)[];
  /**
   * Another call of the brand to the number is over, or there was one from it, and its analysis, by which the person may
   * have opted out, is still to come: until when that is waited for.
   */
  undecidedUntilMs: number | undefined;
  /** No phone rings. */
  isSimulated: boolean;
}

export type GateDecision =
  /** May be dialed, as long as the dial happens before `untilMs`. */
  | { kind: "dial"; untilMs: number }
  /** `detail` says more than until when, where there is more to say. */
  | { kind: "wait"; reason: WaitReason; untilMs: number; detail?: string }
  | { kind: "never"; reason: NeverReason; detail: string };

/** Until when, and why beyond the reason's own word. */
export function waitText({ reason, untilMs, detail }: Extract<GateDecision, { kind: "wait" }>): string {
  // What somebody has to do has no time of its own.
  if ((reason === "stale_list" || reason === "missing_source") && detail !== undefined) return detail;
  const until = `until ${new Date(untilMs).toISOString()}`;
  return detail === undefined ? until : `${until}: ${detail}`;
}

export interface GateQuestion {
  facts: ContactFacts;
  policy: DialingPolicy;
  nowMs: number;
  /** How long a contact whose number another campaign is calling, or has called and knows no more of, waits before it is looked at again. */
  openAttemptWaitMs: number;
  /** Answers for the policy's own window; shared between questions because it remembers. */
  windowOf: WindowOf;
  /** Sources of numbers not to be dialed that the campaign is in the scope of. */
  lists: readonly SourceInScope[];
}

export type ZoneQuestion = Omit<GateQuestion, "facts" | "openAttemptWaitMs"> & {
  facts: Pick<ContactFacts, "zones" | "places">;
};

/** What a rule says that does not object. */
export const MAY: GateDecision = { kind: "dial", untilMs: Number.POSITIVE_INFINITY };
