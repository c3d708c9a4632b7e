import { withoutSecrets } from "../../../domain/ground/literal-secrets.ts";
import type { Action } from "../../../ledger/follow-ups/actions.ts";
import { shownVariables } from "../../../domain/ground/sealed.ts";
import { presentCall } from "../../../ledger/sequences/enrolments.ts";
import type { Impediment } from "../../../ledger/campaigns/explanations.ts";
import type { Enrolment, JourneyRow } from "../../../ledger/sequences/enrolments.ts";
import type { Placement } from "../../../ledger/campaigns/placements.ts";
import type { EnrolmentCounts, Sequence, SequenceVersion } from "../../../ledger/sequences/sequences.ts";
import { neverDialedView } from "../campaigns/views.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import { rowsOf } from "../campaigns/views.ts";
import type {
  EnrolmentCountsWire,
  EnrolmentSummaryWire,
  EnrolmentWire,
  SequenceSummaryWire,
  SequenceWire,
} from "../../wire/sequences.ts";
import type { ListImport } from "../../../ledger/campaigns/list-imports.ts";

export function countsView({ total, active, notStarted, paused }: EnrolmentCounts): EnrolmentCountsWire {
  return { total, active, done: total - active, not_started: notStarted, paused };
}

/** What is known of it without anybody being counted. */
export function headOf(sequence: Sequence): Omit<SequenceSummaryWire, "enrolments"> {
  return {
    id: sequence.id,
    brand: sequence.brand,
    name: sequence.name,
    state: sequence.state,
    state_reason: sequence.stateReason ?? null,
    version: sequence.version,
    created_at: isoOf(sequence.createdAtMs),
  };
}

export function sequenceView(
  sequence: Sequence,
  of: {
    counts: EnrolmentCounts;
    versions: readonly SequenceVersion[];
    lists: readonly ListImport[];
    definition: object;
  },
): SequenceWire {
  return {
    ...headOf(sequence),
    enrolments: countsView(of.counts),
    outcomes: of.counts.outcomes,
    steps: of.counts.steps,
    versions: of.versions.map(({ version, digest, actor, createdAtMs }) => ({
      version,
      digest,
      actor,
      created_at: isoOf(createdAtMs),
    })),
    lists: of.lists.map((list) => ({
      digest: list.digest,
      source_name: list.sourceName,
      rows: rowsOf(list),
      never_dialed: neverDialedView(list),
      through_line: list.throughLine,
      completed_at: isoOrNull(list.completedAtMs),
    })),
    // One that was stored before such were refused may hold a secret's value.
    definition: { ...Object(withoutSecrets(of.definition)) },
  };
}

export function enrolmentSummaryOf(enrolment: Enrolment): EnrolmentSummaryWire {
  return {
    id: enrolment.id,
    sequence_id: enrolment.sequenceId,
    version: enrolment.version,
    phone: enrolment.phone,
    zones: [...enrolment.zones],
    key: enrolment.key,
    source: enrolment.source,
    state: enrolment.state,
    paused: enrolment.paused,
    step: enrolment.step ?? null,
    outcome: enrolment.outcome ?? null,
    reason: enrolment.reason ?? null,
    created_at: isoOf(enrolment.createdAtMs),
    started_at: isoOrNull(enrolment.startedAtMs),
    wake_at: isoOrNull(enrolment.wakeAtMs),
    awaits_call: presentCall(enrolment) !== undefined,
    ended_at: isoOrNull(enrolment.endedAtMs),
  };
}

/** One of an enrolment's calls, and what keeps it from being made. */
export type ShownCall = Placement & { n: number; heldBy: readonly Impediment[] };

export function enrolmentView(
  enrolment: Enrolment,
  of: {
    sequence: Sequence;
    calls: readonly ShownCall[];
    actions: readonly Action[];
    journey: readonly JourneyRow[];
  },
): EnrolmentWire {
  return {
    ...enrolmentSummaryOf(enrolment),
    sequence: of.sequence.name,
    brand: of.sequence.brand,
    region: enrolment.region ?? null,
    variables: shownVariables(
      enrolment.position.at.variables,
      Object.keys(enrolment.sealed?.values ?? {}).toSorted(),
    ),
    calls: of.calls.map((call) => ({
      n: call.n,
      campaign_id: call.campaignId,
      state: call.state,
      outcome: call.outcome ?? null,
      reason: call.reason ?? null,
      attempts: call.attempts,
      due_at: isoOrNull(call.isHeld ? undefined : call.dueAtMs),
      held_by: call.heldBy.map(({ reason, detail, sinceMs }) => ({
        reason,
        detail,
        since: isoOrNull(sinceMs),
      })),
      call_id: call.lastCall?.callId ?? null,
      duration_seconds: call.lastCall?.durationSeconds ?? null,
      ended_at: isoOrNull(call.lastCall?.endedAtMs ?? call.endedAtMs),
    })),
    actions: of.actions.map((action) => ({
      id: action.id,
      step: action.owner,
      kind: action.kind,
      state: action.state,
      tries: action.tries,
      next_try_at: isoOrNull(action.nextTryAtMs),
      error: action.error ?? null,
      created_at: isoOf(action.createdAtMs),
      ended_at: isoOrNull(action.endedAtMs),
    })),
    journey: of.journey.map(({ n, atMs, step, what, detail }) => ({
      n,
      at: isoOf(atMs),
      step: step ?? null,
      what,
      detail,
    })),
  };
}
