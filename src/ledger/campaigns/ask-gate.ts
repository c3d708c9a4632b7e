import type { WindowOf } from "../../domain/policy/calling-window.ts";
import type { DialingPolicy } from "../../domain/policy/dialing-policy.ts";
import { waitText } from "../../domain/policy/gate-question.ts";
import { ZONE_WAITS, type NeverReason } from "../../domain/policy/gate-reasons.ts";
import { decide } from "../../domain/policy/policy-gate.ts";
import { scrubbersOf, type SourceInScope } from "../../domain/policy/suppression-source.ts";
import type { Db } from "../ground/connection.ts";
import type { PlanningPace } from "../ground/planning-pace.ts";
import type { Campaign } from "./campaigns.ts";
import { readContactFacts, type ContactWithFacts } from "./contact-facts.ts";
import type { Refusal } from "./explanations.ts";

/** A contact that the gate lets through, and until when. */
export interface Cleared {
  contact: ContactWithFacts;
  untilMs: number;
}

/** What the policy gate says of some contacts. */
export interface GateAnswer {
  cleared: Cleared[];
  /** Never to be dialed. */
  excluded: { id: number; reason: NeverReason }[];
  /** Not now. */
  postponed: { id: number; untilMs: number }[];
  /** Why, of either. */
  refusals: Refusal[];
}

export interface GateQuestion {
  tx: Db;
  campaign: Pick<Campaign, "brand">;
  policy: DialingPolicy;
  /** Answers for the policy's own window. */
  windowOf: WindowOf;
  /** Sources of numbers not to be dialed that the campaign is in the scope of, in this transaction. */
  lists: readonly SourceInScope[];
  pace: Pick<PlanningPace, "openAttemptWaitMs">;
  nowMs: number;
  /** Its attempts do not count as somebody else's. */
  exceptBatch?: string;
}

/** Contacts asked about at once: what is read of them and thought of it is one turn of the loop. */
const AT_ONCE = 400;

/** Asks the gate for each contact, with facts read in this transaction (I2). Keeps their order; changes nothing. */
export async function askGate(question: GateQuestion, contactIds: readonly number[]): Promise<GateAnswer> {
  const answer: GateAnswer = { cleared: [], excluded: [], postponed: [], refusals: [] };
  for (let from = 0; from < contactIds.length; from += AT_ONCE) {
    await askOfSome(question, contactIds.slice(from, from + AT_ONCE), answer);
  }
  return answer;
}

async function askOfSome(
  question: GateQuestion,
  contactIds: readonly number[],
  answer: GateAnswer,
): Promise<void> {
  const { tx, campaign, policy, windowOf, lists, pace, nowMs, exceptBatch } = question;
  const contacts = await readContactFacts(tx, {
    contactIds,
    brand: campaign.brand,
    exceptBatch,
    policy,
    scrubberIds: scrubbersOf(lists).map(({ sourceId }) => sourceId),
    nowMs,
  });
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  for (const id of contactIds) {
    const contact = byId.get(id);
    if (!contact) continue;
    const { facts } = contact;
    const { openAttemptWaitMs } = pace;
    const decision = decide({ facts, policy, nowMs, openAttemptWaitMs, windowOf, lists });
    if (decision.kind === "dial") {
      answer.cleared.push({ contact, untilMs: decision.untilMs });
      continue;
    }
    const { reason } = decision;
    if (decision.kind === "never") {
      answer.excluded.push({ id, reason: decision.reason });
      answer.refusals.push({ contactId: id, reason, detail: decision.detail });
    } else {
      const { untilMs } = decision;
      const refusal = { contactId: id, reason, detail: waitText(decision) };
      // Whole lanes are held by what is of their zones, for as long as it is so.
      const isOfZones = ZONE_WAITS.has(decision.reason);
      answer.refusals.push(isOfZones ? refusal : { ...refusal, untilMs });
      if (!isOfZones) answer.postponed.push({ id, untilMs });
    }
  }
}
