import type { Range } from "../domain/campaigns/rehearsal/forecast.ts";
import type { LinesAnswer } from "../domain/campaigns/rehearsal/lines-needed.ts";
import { costOf, unknownsOf, type Rehearsed } from "./rehearsed-campaign.ts";

const HOUR_MS = 3_600_000;

/** A rehearsal as `--json` and the API have it. Further fields may come; these stay. */
export function rehearsalJson(rehearsed: Rehearsed) {
  const { forecast, validation, price, model, wanted, blackouts } = rehearsed;
  const perMinute = price.ok ? price.value : undefined;
  return {
    campaign: rehearsed.spec.name,
    digest: rehearsed.digest,
    from: iso(rehearsed.fromMs),
    runs: forecast.runs,
    seed: forecast.seed,
    lines: rehearsed.lines,
    outcomes: {
      from: rehearsed.outcomesFrom,
      shares: model.shares,
      invalid_numbers: model.invalidNumbers,
      uncertainty: model.uncertainty,
    },
    rows: validation.rows,
    end: over(forecast.endMs, iso),
    calls: forecast.calls,
    talk_seconds: over(forecast.talkMs, secondsOf),
    line_seconds: over(forecast.lineMs, secondsOf),
    cost_usd:
      perMinute === undefined
        ? null
        : over(forecast.talkMs, (ms) => Math.round(costOf(ms, perMinute) * 100) / 100),
    cost_per_minute_usd: perMinute ?? null,
    budget: rehearsed.spec.budget ?? null,
    balance_usd: rehearsed.balance.ok ? rehearsed.balance.value : null,
    most_lines: forecast.mostLines,
    attempt_dispositions: forecast.dispositions,
    dispositions: forecast.done,
    final_reasons: forecast.doneBecause,
    excluded_reasons: forecast.excluded,
    excluded_details: forecast.excludedDetail,
    never_dialed: validation.neverDialed.map((group) => ({ ...group, zones: [...group.zones] })),
    rejected_by_code: validation.rejectedByCode,
    open: forecast.open,
    time_zone: rehearsed.zone,
    calls_by_hour: forecast.callsByHour.map(({ hour, ...range }) => ({
      // Of the clocks of `time_zone`, and so without an offset.
      hour: iso(hour * HOUR_MS).slice(0, 16),
      ...range,
    })),
    held_contact_hours: Object.fromEntries(
      Object.entries(forecast.heldMs).map(([reason, ms]) => [reason, Math.round(ms / HOUR_MS)]),
    ),
    end_by: wanted === undefined ? null : { at: iso(wanted.endByMs), ...answerJson(wanted.answer) },
    blackouts: blackouts.ok ? blackouts.value : null,
    not_known: unknownsOf(rehearsed),
    took_ms: Math.round(rehearsed.tookMs),
  };
}

function answerJson(answer: LinesAnswer) {
  return answer.kind === "lines"
    ? { lines: answer.lines, runs_in_time: answer.inTime, runs: answer.runs }
    : { lines: null, earliest_end: iso(answer.earliestEndMs), left_out: answer.leftOut };
}

function over<Value>({ low, median, high }: Range, of: (value: number) => Value) {
  return { low: of(low), median: of(median), high: of(high) };
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1_000);
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
