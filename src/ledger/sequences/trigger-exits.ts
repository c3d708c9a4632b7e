import { sql } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";
import { lookAt, tellEnrolment } from "./enrolment-inbox.ts";
import { putOutbox } from "../ground/outbox.ts";

/**
 * Has every open enrolment of a person in a sequence end. Safe to repeat: the same request key is taken in once.
 *
 * @returns how many are told.
 */
export async function exitEnrolments(
  tx: Db,
  input: {
    brand: string;
    phone: string;
    sequenceName: string;
    outcome: string;
    reason: string;
    requestKey: string;
    actor: string;
    nowMs: number;
  },
): Promise<number> {
  const open = await rows<{ id: string }>(
    tx,
    sql`select e.id from enrolments e join sequences s on s.id = e.sequence_id
        where e.phone = ${input.phone} and e.state = 'active' and s.brand = ${input.brand} and s.name = ${input.sequenceName}
        order by e.id`,
  );
  let told = 0;
  const fresh: string[] = [];
  for (const { id } of open) {
    const heard = await tellEnrolment(tx, id, {
      kind: "exit",
      data: { outcome: input.outcome, reason: input.reason },
      requestKey: input.requestKey,
      actor: input.actor,
      atMs: input.nowMs,
    });
    if (heard !== "over") told += 1;
    if (heard === "fresh") fresh.push(id);
  }
  await putOutbox(tx, lookAt(fresh, input.nowMs));
  return told;
}
