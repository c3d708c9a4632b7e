import { FORGET_REASON, FORGET_SOURCE, type ToldElsewhere } from "../domain/people/forgetting.ts";
import type { Ledger } from "../ledger/ground/connection.ts";
import { askForgetting, type Forgetting } from "../ledger/people/forgettings.ts";
import { countHeldElsewhere, toldOf } from "../ledger/people/held-elsewhere.ts";
import { countRecords, type RecordCounts } from "../ledger/people/records.ts";
import { whatWaits } from "../ledger/people/under-way.ts";
import type { CommandPorts } from "./ports.ts";
import { suppress } from "./suppressions.ts";

/** What forgetting somebody would do. */
export interface ForgetPreview {
  rows: RecordCounts;
  recordings: number;
  calls: number;
  waitsFor: string | undefined;
  told: ToldElsewhere;
}

export async function previewForgetting({ db }: Ledger, phone: string): Promise<ForgetPreview> {
  return {
    rows: await countRecords(db, phone),
    ...(await countHeldElsewhere(db, phone)),
    waitsFor: await whatWaits(db, phone),
    told: await toldOf(db, phone),
  };
}

/**
 * Has somebody forgotten. It is durable once this is answered, and from then on nobody dials the number; what is to go
 * goes behind it (chores/people). Given again while it is under way it is the same.
 */
export async function forgetPerson(
  ports: CommandPorts,
  { phone, asHash, reason, actor }: { phone: string; asHash: boolean; reason: string; actor: string },
): Promise<Forgetting> {
  const asked = await ports.ledger.transaction((tx) =>
    askForgetting(tx, { phone, asHash, reason, actor, nowMs: ports.now() }),
  );
  const entry = { phone, brand: undefined, source: FORGET_SOURCE, reason: FORGET_REASON };
  await suppress(ports, { entries: [entry], actor });
  return asked;
}
