import { policyOf, type CampaignSpec } from "../../campaigns/campaign-spec.ts";
import { LEAST_LEAD_MS } from "../../campaigns/rehearsal/plan.ts";
import type { CallingWindow } from "../../policy/calling-window.ts";
import { windowStatus } from "../../policy/calling-window.ts";
import type { ConsentRecord } from "../../policy/consent.ts";
import { CONVERSATIONS, type Disposition } from "../../policy/disposition.ts";
import type { NumberKind } from "../../policy/number-kind.ts";
import { createOpeningsAhead } from "../../policy/openings-ahead.ts";
import type { ContactFacts } from "../../policy/gate-question.ts";
import { decide } from "../../policy/policy-gate.ts";
import { afterAttempt } from "../../policy/retry.ts";

/*
 * One call step on a simulated clock: when each try of it would be made, and what comes of it where all tries come to
 * the same. Who may be called when, and whether there is another try, is said by the gate and the policy of the step.
 */

/** A call of the brand to the person, of whichever step. */
export interface PastCall {
  step: string;
  endedMs: number;
  disposition: Disposition;
}

/** What is known of somebody as far as calling them goes. */
export interface CalledPerson {
  number: NumberKind;
  zones: readonly string[];
  places: readonly string[];
  /** What was said of consent, the newest last. */
  consents: readonly ConsentRecord[];
}

export interface CallQuestion {
  step: string;
  spec: CampaignSpec;
  /** Of the step's policy, with blackouts. */
  window: CallingWindow;
  person: CalledPerson & { isSuppressed: boolean };
  /** In order. */
  before: readonly PastCall[];
  fromMs: number;
  /** When the step gives the call up. */
  untilMs: number;
  /** What each try comes to. */
  disposition: Disposition;
}

export interface TriedCall {
  /** When each try begins. */
  triedMs: number[];
  calls: PastCall[];
  end:
    | { kind: "over"; atMs: number; seconds: number }
    | { kind: "refused"; atMs: number; reason: string }
    | { kind: "gave_up"; atMs: number };
}

/** What a call takes, told in docs/rehearsal.md: dates and hours are what a way is about. */
const CONVERSATION_MS = 60_000;
const NO_CONVERSATION_MS = 30_000;

const TALKED: ReadonlySet<Disposition> = new Set<Disposition>([...CONVERSATIONS, "voicemail"]);

/** A try that waits is asked about again when its wait is over: so many are more than a policy has reasons. */
const MOST_QUESTIONS = 1_000;

export function tryCall(question: CallQuestion): TriedCall {
  const { spec, window, disposition, untilMs, step } = question;
  // Nothing is known of sources of suppressions here.
  const policy = { ...policyOf(spec, 1), window, requiredSources: [] };
  const ahead = createOpeningsAhead(window);
  const made: PastCall[] = [];
  const triedMs: number[] = [];
  const ended = (end: TriedCall["end"]): TriedCall => ({ triedMs, calls: made, end });
  let nowMs = question.fromMs;
  let dueAtMs = nowMs;
  for (let asked = 0; asked < MOST_QUESTIONS; asked += 1) {
    if (nowMs >= untilMs) break;
    const decision = decide({
      facts: factsOf(question, made, { dueAtMs, nowMs }),
      policy,
      nowMs,
      openAttemptWaitMs: NO_CONVERSATION_MS,
      lists: [],
      windowOf: (zones, atMs, places) => windowStatus(window, zones, atMs, places),
    });
    if (decision.kind === "never") return ended({ kind: "refused", atMs: nowMs, reason: decision.reason });
    if (decision.kind === "wait" || decision.untilMs - nowMs < LEAST_LEAD_MS) {
      nowMs = Math.max(decision.untilMs, nowMs + 1);
      continue;
    }
    triedMs.push(nowMs);
    const lengthMs = TALKED.has(disposition) ? CONVERSATION_MS : NO_CONVERSATION_MS;
    nowMs += lengthMs;
    made.push({ step, endedMs: nowMs, disposition });
    const next = afterAttempt(
      {
        disposition,
        endedAtMs: nowMs,
        attempts: made.length,
        sameDisposition: made.length,
        where: question.person,
        calledMs: triedMs,
      },
      policy,
      ahead,
    );
    // A call that is up when the step would give it up is waited for.
    if (next.kind === "final") return ended({ kind: "over", atMs: nowMs, seconds: lengthMs / 1_000 });
    dueAtMs = next.dueAtMs;
  }
  // A try that was up at that moment was waited for.
  return ended({ kind: "gave_up", atMs: Math.max(untilMs, made.at(-1)?.endedMs ?? untilMs) });
}

/** What the ledger would know then: the one place where a rehearsed way makes facts for the gate. */
function factsOf(
  { person, before, spec, step }: CallQuestion,
  made: readonly PastCall[],
  { dueAtMs, nowMs }: { dueAtMs: number; nowMs: number },
): ContactFacts {
  const all = [...before, ...made];
  const last = made.at(-1);
  const others = before.at(-1);
  // Each step calls by a campaign of its own: the person's other steps are calls of others.
  const byOthers = before.findLast((call) => call.step !== step);
  const { frequency } = policyOf(spec, 1);
  return {
    number: person.number,
    zones: person.zones,
    places: person.places,
    consents: person.consents,
    suppression: person.isSuppressed
      ? { scope: "brand", source: "sequence", reason: "suppressed on the way" }
      : undefined,
    attempts: made.length,
    attemptsByDisposition: last ? { [last.disposition]: made.length } : {},
    lastDisposition: last?.disposition,
    openElsewhere: false,
    dueAtMs,
    calledBackAtMs: undefined,
    calledAtMs: byOthers?.endedMs,
    lastCallAtMs: others?.endedMs,
    ownLastCallAtMs: last?.endedMs,
    cappedSinceMs: frequency.map(({ counts, atMost, withinMs }) => {
      const counted = all.filter(
        ({ endedMs, disposition }) =>
          endedMs > nowMs - withinMs && (counts === "attempts" || isConversation(disposition)),
      );
      return counted.at(-atMost)?.endedMs;
    }),
    perhapsCappedSinceMs: frequency.map(() => undefined),
    undecidedUntilMs: undefined,
    isSimulated: false,
  };
}

function isConversation(disposition: Disposition): boolean {
  return CONVERSATIONS.some((one) => one === disposition);
}
