import type { SpecProblem } from "../ground/spec-problems.ts";
import { DAY_MS, dayOf, dayOfDate } from "../time/local-day.ts";
import type { CampaignSpec } from "./campaign-spec.ts";

/*
 * What becomes of a campaign's spec in a clone of it. All that it says of how people are called stays, presets in the
 * versions that it was bound to. Dates are of their time: what has passed and can't hold any more is left out and told;
 * an end that has passed is never left out by itself, since a campaign without one would call people behind it.
 */

/** What the clone has of its own. A date that is null is none; one that is absent is that of the campaign. */
export interface CloneChanges {
  name: string;
  startsAt: string | null | undefined;
  endsAt: string | null | undefined;
  nowMs: number;
}

export type ClonedSpec =
  /** `dropped`: what the clone does not have any more, each in a sentence. */
  { ok: true; spec: CampaignSpec; dropped: string[] } | { ok: false; problems: SpecProblem[] };

/** A local date is over everywhere once it is over where clocks are last. */
const LAST_CLOCK_MS = DAY_MS / 2;

/** The spec of a clone; it is to be read as any other before it is kept. */
export function clonedSpecOf(before: CampaignSpec, changes: CloneChanges): ClonedSpec {
  const { starts_at: _starts, ends_at: _ends, exceptions: _exceptions, ...rest } = before;
  const problems: SpecProblem[] = [];
  const dropped: string[] = [];
  const starts = startOf(before, changes, { problems, dropped });
  const ends = endOf(before, changes, problems);
  const exceptions = exceptionsAhead(before, changes.nowMs, dropped);
  if (problems.length > 0) return { ok: false, problems };
  const spec: CampaignSpec = {
    ...rest,
    name: changes.name,
    ...(starts !== undefined && { starts_at: starts }),
    ...(ends !== undefined && { ends_at: ends }),
    ...(exceptions !== undefined && { exceptions }),
  };
  return { ok: true, spec, dropped };
}

function startOf(
  { starts_at: before }: CampaignSpec,
  { startsAt, nowMs }: CloneChanges,
  { problems, dropped }: { problems: SpecProblem[]; dropped: string[] },
): string | undefined {
  if (startsAt === null) return undefined;
  if (startsAt !== undefined) {
    if (Date.parse(startsAt) > nowMs) return startsAt;
    problems.push({
      field: "starts_at",
      problem: `${startsAt} has passed: give a time to come, or none at all, and calls begin when it is started`,
    });
    return undefined;
  }
  if (before === undefined || Date.parse(before) > nowMs) return before;
  dropped.push(`starts_at ${before} has passed: calls begin when it is started`);
  return undefined;
}

function endOf(
  { ends_at: before }: CampaignSpec,
  { endsAt, nowMs }: CloneChanges,
  problems: SpecProblem[],
): string | undefined {
  if (endsAt === null) return undefined;
  const ends = endsAt ?? before;
  if (ends === undefined || Date.parse(ends) > nowMs) return ends;
  problems.push({
    field: "ends_at",
    problem: `${ends} has passed, and nobody would be called: give another end, or say that it has none (null; --end-at never)`,
  });
  return undefined;
}

function exceptionsAhead(
  { exceptions }: CampaignSpec,
  nowMs: number,
  dropped: string[],
): CampaignSpec["exceptions"] {
  if (exceptions === undefined) return undefined;
  const today = dayOf(nowMs - LAST_CLOCK_MS);
  const ahead = exceptions.filter(({ date, to = date }) => dayOfDate(to) >= today);
  const passed = exceptions.length - ahead.length;
  if (passed > 0)
    dropped.push(
      passed === 1 ? "an exception that has passed" : `${passed} exceptions of dates that have passed`,
    );
  return ahead.length === 0 ? undefined : ahead;
}
