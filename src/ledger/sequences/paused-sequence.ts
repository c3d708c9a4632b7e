import type { Campaign } from "../campaigns/campaigns.ts";
import type { Db } from "../ground/connection.ts";
import { readSequenceById, type Sequence } from "./sequences.ts";

/** The sequence for whose call step a campaign stands, where that is paused. */
export async function readPausedSequenceOf(
  db: Db,
  { sequenceId }: Pick<Campaign, "sequenceId">,
): Promise<Sequence | undefined> {
  const sequence = sequenceId === undefined ? undefined : await readSequenceById(db, sequenceId);
  return sequence?.state === "paused" ? sequence : undefined;
}
