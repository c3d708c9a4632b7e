import { createHash } from "node:crypto";

import { dueTimesOf, jitterMsOf, type ScheduleDefinition } from "./schedule.ts";
import { nextOccurrences, occurrences } from "./schedule-times.ts";

/*
 * Whose turn it is.
 *
 * 1. The turn of a due time comes with its share of the jitter, which is the same whoever reckons it, and however often.
 * 2. Turns are in the order of due times. Where clock changes bring two of them closer together than the jitter, the
 *    later one waits for the earlier one: none waits longer than the jitter allows, since the earlier one does not.
 */

/** What tells turns apart. */
interface Timed {
  id: string;
  definition: ScheduleDefinition;
}

export interface Come {
  /** The due times whose turn has come, in order. */
  dueMs: number[];
  /** Through when that is every due time: behind it, others are asked for. */
  throughMs: number;
}

/**
 * The due times in (fromMs, throughMs] whose turns have come.
 *
 * @param span `byMs`: by when a turn has to have come; `limit`: no more than so many, the first ones.
 */
export function turnsThatCame(
  { id, definition }: Timed,
  span: { fromMs: number; throughMs: number; byMs: number; limit: number },
): Come {
  const { fromMs, throughMs, byMs, limit } = span;
  const due = occurrences(dueTimesOf(definition), fromMs, throughMs, limit);
  const waiting = due.findIndex((dueMs) => turnMs({ id, definition }, dueMs) > byMs);
  const first = due[waiting];
  if (first !== undefined) return { dueMs: due.slice(0, waiting), throughMs: first - 1 };
  return { dueMs: due, throughMs: due.length === limit ? (due.at(-1) ?? throughMs) : throughMs };
}

/** The first due time behind a moment, and when its turn comes. Undefined: there is none within thirty years. */
export function nextTurn(schedule: Timed, afterMs: number): { dueMs: number; turnMs: number } | undefined {
  const [dueMs] = nextOccurrences(dueTimesOf(schedule.definition), afterMs, 1);
  return dueMs === undefined ? undefined : { dueMs, turnMs: turnMs(schedule, dueMs) };
}

/** Of a due time alone, whatever is before it. Less than the jitter behind it. */
function turnMs({ id, definition }: Timed, dueMs: number): number {
  const jitterMs = jitterMsOf(definition);
  if (jitterMs === 0) return dueMs;
  const hash = createHash("sha256")
    .update(JSON.stringify([id, dueMs]))
    .digest();
  return dueMs + (hash.readUIntBE(0, 6) % jitterMs);
}
