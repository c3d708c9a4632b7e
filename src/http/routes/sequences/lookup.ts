import { z } from "zod";

import type { Db } from "../../../ledger/ground/connection.ts";
import { readEnrolment, type Enrolment } from "../../../ledger/sequences/enrolments.ts";
import { findSequence, readSequenceById, type Sequence } from "../../../ledger/sequences/sequences.ts";
import { unknownEnrolment, unknownSequence } from "../../unknown.ts";
import { idParams, plainText } from "../../wire/text.ts";

/** A sequence by its name or its id. */
export const sequenceParams = z.object({ ref: plainText(100) });

export const enrolmentParams = idParams(
  "an enrolment",
  "`outdial sequence enrolments` or GET /v1/sequences/{ref}/enrolments",
);

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** @throws Problem 404 where there is none. */
export async function requireSequence(db: Db, ref: string, brand: string): Promise<Sequence> {
  const byId = UUID.test(ref) ? await readSequenceById(db, ref) : undefined;
  const sequence = byId ?? (await findSequence(db, brand, ref));
  if (sequence) return sequence;
  throw unknownSequence(ref);
}

/** @throws Problem 404 where there is none. */
export async function requireEnrolment(db: Db, id: string): Promise<Enrolment> {
  const enrolment = await readEnrolment(db, id);
  if (enrolment) return enrolment;
  throw unknownEnrolment(id);
}
