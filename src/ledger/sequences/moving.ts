import { sql } from "drizzle-orm";
import { isDeepStrictEqual } from "node:util";

import type { SequenceDefinition } from "../../domain/sequences/definition.ts";
import { workOf } from "../../domain/sequences/steps.ts";
import { CommandRefusedError } from "../ground/command-refused.ts";
import { rows, type Db } from "../ground/connection.ts";
import { at, json } from "../ground/sql.ts";
import type { Enrolment } from "./enrolments.ts";
import { readDefinition } from "./sequences.ts";

/*
 * Another version of its sequence for somebody who is in it. They stay at the step that they are at, which has to do the
 * same kind of thing there; what it waits for stays as it was reckoned, and whatever comes behind is the other version's.
 */

/** A call that is placed, or under way, was asked for by the version that it was placed under. */
const OF_A_CALL: ReadonlySet<string> = new Set(["call", "withdrawal", "call_in_flight", "call_again"]);

/**
 * Moves them, under the enrolment's lock, which the caller holds. One that is on that version stays as it is.
 *
 * @throws CommandRefusedError where they can't go on there from where they are.
 */
export async function moveToVersion(
  tx: Db,
  enrolment: Enrolment,
  to: { version: number; actor: string; reason: string | undefined; nowMs: number },
): Promise<void> {
  const { id, sequenceId, version, position } = enrolment;
  if (version === to.version) return;
  const [before, after] = [
    await readDefinition(tx, sequenceId, version),
    await readDefinition(tx, sequenceId, to.version),
  ];
  refuseWhereApart(enrolment, before, after, to.version);
  const entries = position.entries + 1;
  const moved = {
    ...position,
    entries,
    // Its own stand: they may have changed on the way.
    at: { ...position.at, variables: { ...after.variables, ...position.at.variables } },
  };
  await rows(
    tx,
    sql`update enrolments set version = ${to.version}, position = ${json(moved)} where id = ${id}::uuid`,
  );
  const detail = {
    from: version,
    to: to.version,
    by: to.actor,
    ...(to.reason !== undefined && { reason: to.reason }),
  };
  await rows(
    tx,
    sql`insert into journeys (enrolment_id, n, at, step, what, detail)
        values (${id}::uuid, ${entries}, ${at(to.nowMs)}, ${position.at.step}, 'moved', ${json(detail)})`,
  );
}

function refuseWhereApart(
  { position: { at: position } }: Enrolment,
  before: SequenceDefinition,
  after: SequenceDefinition,
  version: number,
): void {
  if (position.waiting && OF_A_CALL.has(position.waiting.for))
    throw new CommandRefusedError(
      "they wait for a call, which is the other version's: move them once it is over, or skip the step first",
    );
  if (!isDeepStrictEqual(before.sensitive ?? [], after.sensitive ?? []))
    throw new CommandRefusedError(
      `version ${version} keeps other variables encrypted than theirs does: take them out, and enroll them again`,
    );
  if (before.zones !== after.zones)
    throw new CommandRefusedError(
      `version ${version} places people by other rules (zones) than theirs did: take them out, and enroll them again`,
    );
  if (position.step === null) return;
  const [was, is] = [before, after].map(({ steps }) => steps.find(({ id }) => id === position.step));
  if (!is)
    throw new CommandRefusedError(
      `version ${version} has no step ${position.step}, at which they are: move them once they are at a step that it has, or skip this one`,
    );
  if (was && workOf(was).kind !== workOf(is).kind)
    throw new CommandRefusedError(
      `step ${position.step}, at which they are, does a ${workOf(is).kind} in version ${version}, and not a ${workOf(was).kind}: move them once they are past it`,
    );
}
