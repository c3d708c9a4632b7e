import { usdText } from "../../domain/campaigns/money.ts";
import { listAttention, raiseAttention, resolveAttention, rewordAttention } from "../ground/attention.ts";
import type { Ledger } from "../ground/connection.ts";

const KIND = "credit_low";
/** The platform has one account for a key. */
const SUBJECT = "balance";

/**
 * Tells people that the platform's account has less left than they want to know of, once, says how much as that
 * changes, and takes it off the list when there is more.
 *
 * @param input.lowMicros undefined: nobody wants to know
 */
export async function watchCredit(
  ledger: Ledger,
  input: { balanceMicros: number; lowMicros: number | undefined; nowMs: number },
): Promise<void> {
  const { balanceMicros, lowMicros, nowMs } = input;
  const { total } = await listAttention(ledger.db, {
    kind: KIND,
    subject: SUBJECT,
    resolved: false,
    limit: 1,
  });
  const isLow = lowMicros !== undefined && balanceMicros < lowMicros;
  const summary =
    lowMicros === undefined
      ? ""
      : `the platform's account has ${usdText(balanceMicros)} left, less than ${usdText(lowMicros)}: without any, nobody is called`;
  if (isLow && total > 0) await rewordAttention(ledger.db, { kind: KIND, subject: SUBJECT, summary, nowMs });
  if (isLow && total === 0)
    await raiseAttention(ledger.db, {
      kind: KIND,
      subject: SUBJECT,
      brand: "default",
      summary,
      remedy: "add credit on the platform; `outdial budget check` has the balance looked at at once",
      nowMs,
    });
  if (!isLow && total > 0)
    await resolveAttention(ledger.db, {
      kind: KIND,
      subject: SUBJECT,
      by: "engine",
      resolution: "there is more credit again",
      nowMs,
    });
}
