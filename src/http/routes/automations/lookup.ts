import { z } from "zod";

import { UnknownAutomationError } from "../../../ledger/automations/automation-commands.ts";
import { readAutomation, type Automation } from "../../../ledger/automations/automations.ts";
import type { Db, Ledger } from "../../../ledger/ground/connection.ts";
import { Problem } from "../../problem.ts";

export const automationParams = z.object({ name: z.string().min(1).max(200) });

export async function requireAutomation(db: Db, name: string): Promise<Automation> {
  const automation = await readAutomation(db, name);
  if (automation) return automation;
  throw unknownAutomation(
    `there is no automation ${JSON.stringify(name)}: list them with \`outdial automation list\``,
  );
}

/** A transaction about an automation, which answers 404 where there is none. */
export async function aboutAutomation<T>(ledger: Ledger, work: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await ledger.transaction(work);
  } catch (error) {
    if (error instanceof UnknownAutomationError) throw unknownAutomation(error.message, error);
    throw error;
  }
}

function unknownAutomation(detail: string, cause?: Error): Problem {
  return new Problem({ status: 404, code: "unknown_automation", detail }, cause && { cause });
}
