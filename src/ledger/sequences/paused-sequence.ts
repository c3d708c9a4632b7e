import type { Campaign } from "../campaigns/campaigns.ts";
import type { Db } from "../ground/connection.ts";
import { readSequenceById, type Sequence } from "./sequences.ts";
import { sequenceOfKey } from "../campaigns/standing-key.ts";

/** The sequence for whose call step a campaign stands, where that is paused. */
export async function readPausedSequenceOf(
  db: Db,
  { standingKey }: Pick<Campaign, "standingKey">,
): Promise<Sequence | undefined> {
  const id = sequenceOfKey(standingKey);
  const sequence = id === undefined ? undefined : await readSequenceById(db, id);
  return sequence?.state === "paused" ? sequence : undefined;
}
