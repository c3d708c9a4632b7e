import type { SequenceDefinition } from "../../domain/sequences/definition.ts";
import type { Effect, JourneyEntry, Turn, TurnInput } from "../../domain/sequences/turn.ts";
import { createAction } from "../follow-ups/actions.ts";
import { raiseAttention } from "../ground/attention.ts";
import { callStepsOf } from "./call-steps.ts";
import { lockStandingOf } from "../campaigns/campaigns.ts";
import type { Db } from "../ground/connection.ts";
import { dropAction } from "./enrolment-ends.ts";
import { type Enrolment, type HeldPosition } from "./enrolments.ts";
import { withdrawPlacement } from "../campaigns/placement-changes.ts";
import { placeCall, placementOf } from "../campaigns/placements.ts";
import { type Sequence } from "./sequences.ts";
import { ensureStanding } from "../campaigns/standing.ts";
import { addSuppressions } from "../ground/suppressions.ts";

/** A turn under way, and what of it stands in the ledger's own terms. */
export interface Step {
  readonly tx: Db;
  readonly definition: SequenceDefinition;
  readonly sequence: Sequence;
  readonly enrolment: Enrolment;
  position: HeldPosition;
  /** To be woken once the turn is committed. */
  readonly campaignIds: Set<string>;
  /** Entries of the journey that are to be written. */
  readonly entries: JourneyEntry[];
  readonly nowMs: number;
  /** The campaigns of the sequence's calls are locked: see `lockCalls`. */
  hasCallsLocked: boolean;
}

/**
 * Whoever takes a call back from one campaign may place the next one into another, in the same transaction: all that
 * the sequence has are locked first, in the order of their ids, as everybody locks several.
 */
export async function lockCalls(step: Step): Promise<void> {
  if (step.hasCallsLocked) return;
  await lockStandingOf(step.tx, step.sequence.id);
  step.hasCallsLocked = true;
}

const ACTOR = "engine";

/**
 * Does what one turn of the interpreter asks of the ledger.
 *
 * @returns what came of it that the next one has to know.
 */
export async function carryOut(step: Step, turn: Turn): Promise<TurnInput[]> {
  step.entries.push(...turn.journey);
  for (const effect of turn.effects) await applyEffect(step, effect);
  switch (turn.next.kind) {
    case "call":
      return place(step, turn.next);
    case "withdraw": {
      const { callNo, reason } = turn.next;
      const result = await withdraw(step, callNo, reason);
      return [{ kind: "withdrawal", callNo, result }];
    }
    case "action": {
      const { tx, enrolment, nowMs } = step;
      const { stepId, n, spec } = turn.next;
      const id = await createAction(tx, {
        of: { enrolmentId: enrolment.id },
        owner: stepId,
        n,
        spec,
        state: "due",
        nowMs,
      });
      step.position = { ...step.position, action: { n, id } };
      return [];
    }
    case "wait":
    case "done":
      return [];
  }
}

async function place(
  step: Step,
  { stepId, callNo, variables }: { stepId: string; callNo: number; variables: Record<string, string> },
): Promise<TurnInput[]> {
  const { tx, sequence, enrolment, nowMs } = step;
  const call = callStepsOf(sequence.id, step.definition).get(stepId);
  if (!call) throw new Error(`step ${stepId} of sequence ${sequence.name} makes no call`);
  const campaign = await ensureStanding(tx, { ...call, actor: ACTOR, nowMs });
  const result = await placeCall(tx, {
    campaignId: campaign.id,
    asker: { enrolmentId: enrolment.id, callNo },
    phone: enrolment.phone,
    region: enrolment.region,
    zones: enrolment.zones,
    places: enrolment.places,
    variables,
    ...(enrolment.sealed && { sealed: enrolment.sealed }),
    dueAtMs: nowMs,
    nowMs,
  });
  if (result.kind === "refused") {
    return [{ kind: "call_refused", callNo, reason: result.reason, detail: result.detail }];
  }
  step.campaignIds.add(result.campaignId);
  return [];
}

async function withdraw(step: Step, callNo: number, reason: string): ReturnType<typeof withdrawPlacement> {
  const { tx, enrolment, nowMs } = step;
  await lockCalls(step);
  const placement = placementOf({ enrolmentId: enrolment.id, callNo });
  return withdrawPlacement(tx, { placement, reason, nowMs });
}

async function applyEffect(step: Step, effect: Effect): Promise<void> {
  const { tx, enrolment, sequence, nowMs } = step;
  switch (effect.kind) {
    case "withdraw":
      await withdraw(step, effect.callNo, effect.reason);
      return;
    case "drop_action": {
      const { action } = step.position;
      if (action?.n === effect.n) await dropAction(tx, action.id, effect.reason, nowMs);
      return;
    }
    case "suppress": {
      const brand = effect.scope === "global" ? undefined : sequence.brand;
      const entry = {
        phone: enrolment.phone,
        brand,
        source: `sequence ${sequence.name}`,
        reason: effect.reason,
      };
      await addSuppressions(tx, { entries: [entry], actor: ACTOR, nowMs });
      // A batch may be dialing the number in another campaign: it is stopped once this is committed.
      step.position = { ...step.position, stop: { brand: brand ?? null } };
      return;
    }
    case "attention":
      await raiseAttention(tx, {
        kind: effect.about,
        subject: effect.about === "sequence_problem" ? `${sequence.id} ${effect.condition}` : enrolment.id,
        brand: sequence.brand,
        summary: effect.summary,
        remedy: effect.remedy,
        nowMs,
      });
  }
}
