import { listAttention, raiseAttention, resolveAttention } from "../../ledger/ground/attention.ts";
import {
  FROM_THE_START,
  listLateActors,
  listSequenceIds,
  pageActiveEnrolments,
  putAgain,
  readActiveEnrolments,
  type ActiveEnrolment,
} from "../../ledger/campaigns/missing-ends.ts";
import { readSequenceById } from "../../ledger/sequences/sequences.ts";
import { wasSwept } from "../../ledger/ground/sweeps.ts";
import type { ActivityDeps } from "../../activities/deps.ts";
import { A_PASS, lateBefore } from "./late.ts";
import type { Tally } from "./tally.ts";

/** Open enrolments are read so many at a time, so that nothing else waits for long. */
const PAGE = 1_000;

/** Nobody is late for so long whose turns can be taken: woken by several passes, it would have moved. */
const STUCK_MS = 60 * 60_000;

/** A pass this long ago has woken it: five hundred are handed on in half a minute. */
const WOKEN_BEFORE_MS = 4 * 60_000;

/** What is wrong is mostly the same for all: so many say it. */
const SHOWN_A_PASS = 20;

/** Looked at again for having moved, a pass. */
const SHOWN = 500;

/** Those whose time has come, or whose call or action is over or gone, and who have not moved on. */
export async function wakeEnrolments(deps: ActivityDeps, tally: Tally): Promise<void> {
  const { db } = deps.ledger;
  const lateBeforeMs = lateBefore(deps);
  const late = new Set(await listLateActors(db, { beforeMs: lateBeforeMs, limit: A_PASS }));
  const stuck: StuckEnrolment[] = [];
  for (const sequenceId of await listSequenceIds(db)) {
    for (let after = FROM_THE_START; late.size < A_PASS;) {
      const page = await pageActiveEnrolments(db, { sequenceId, after, lateBeforeMs, limit: PAGE });
      const last = page.at(-1);
      if (!last) break;
      after = last;
      for (const one of page) {
        if (!one.late || one.inOutbox) continue;
        late.add(one.id);
        if (isStuck(one, deps.now())) stuck.push({ id: one.id, sequenceId, sinceMs: one.lateSinceMs });
      }
    }
  }
  await show(deps, stuck);
  await takeBack(deps, lateBeforeMs);
  await putAgain(db, "enrolment_bulk", [...late], deps.now());
  tally.found("enrolments", late.size);
  tally.woken("enrolments", late.size);
}

interface StuckEnrolment {
  id: string;
  sequenceId: string;
  sinceMs: number;
}

function isStuck(one: ActiveEnrolment, nowMs: number): one is ActiveEnrolment & { lateSinceMs: number } {
  return one.lateSinceMs !== undefined && one.lateSinceMs < nowMs - STUCK_MS;
}

/**
 * Brings those before a person that do not move although they were woken. While nothing ran at all, or Temporal is
 * away, nobody was woken, and everybody is late.
 */
async function show(deps: ActivityDeps, stuck: readonly StuckEnrolment[]): Promise<void> {
  const { db } = deps.ledger;
  const nowMs = deps.now();
  if (stuck.length === 0) return;
  if (!(await wasSwept(db, { fromMs: nowMs - STUCK_MS, toMs: nowMs - WOKEN_BEFORE_MS }))) return;
  for (const { id, sequenceId, sinceMs } of stuck.slice(0, SHOWN_A_PASS)) {
    const sequence = await readSequenceById(db, sequenceId);
    await raiseAttention(db, {
      kind: "enrolment_late",
      subject: id,
      brand: sequence?.brand ?? "default",
      summary: `an enrolment in ${sequence?.name ?? sequenceId} should have gone on at ${new Date(sinceMs).toISOString()} and does not, however often it is woken`,
      remedy:
        "see whether workers run (`outdial doctor`) and what the log says of its turns; skip its step or take it out where they fail for good",
      nowMs,
    });
  }
}

/** Those that have moved meanwhile, or need not any more, are off the list. */
async function takeBack({ ledger: { db }, now }: ActivityDeps, lateBeforeMs: number): Promise<void> {
  const { items } = await listAttention(db, { kind: "enrolment_late", resolved: false, limit: SHOWN });
  if (items.length === 0) return;
  const ids = items.map(({ subject }) => subject);
  const active = await readActiveEnrolments(db, { ids, lateBeforeMs });
  const late = new Set(active.filter((one) => one.late).map((one) => one.id));
  for (const subject of ids.filter((id) => !late.has(id))) {
    await resolveAttention(db, {
      kind: "enrolment_late",
      subject,
      by: "engine",
      resolution: "it went on, or has not to any more",
      nowMs: now(),
    });
  }
}
