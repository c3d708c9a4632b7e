import type { Finding, Outcome } from "../../domain/campaigns/findings.ts";
import { isOfItsValues } from "../ground/connection.ts";

/** A finding that the database does not take. */
export interface RefusedFinding {
  phone: string;
  /** What it came to is written, without what else was told of it. */
  isBare: boolean;
  /** Why, without any value. */
  why: string;
}

export interface WritableFinding extends Finding {
  /** Of a call that is up: there was a sign of its dial, and nothing of that can be kept. */
  signUnkept?: boolean;
}

/**
 * Writes findings in one transaction, or, where the database refuses that, each of them in one of its own: as it was
 * told; else what it came to alone; else not at all. An error that may pass ends it: what was written stays, and the
 * others are told again with the next look, whole.
 *
 * @param write a transaction; what it says of others than its findings is as of its end
 * @param together what two of them that followed each other come to
 */
export async function writeOrIsolate<Written>(
  write: (findings: readonly WritableFinding[]) => Promise<Written>,
  together: (first: Written, second: Written) => Written,
  findings: readonly Finding[],
): Promise<{ written: Written; refused: readonly RefusedFinding[] }> {
  try {
    return { written: await write(findings), refused: [] };
  } catch (error) {
    if (!isOfItsValues(error) || findings.length === 0) throw error;
  }
  // As it stands without any of them: where that fails, too, none of them is to blame.
  let written: Written = await write([]);
  const refused: RefusedFinding[] = [];
  for (const finding of findings) {
    const one = await writeOne(write, finding);
    if ("written" in one) written = together(written, one.written);
    if (one.refused) refused.push(one.refused);
  }
  return { written, refused };
}

type One<Written> = { written: Written; refused?: RefusedFinding } | { refused: RefusedFinding };

async function writeOne<Written>(
  write: (findings: readonly WritableFinding[]) => Promise<Written>,
  finding: Finding,
): Promise<One<Written>> {
  const { phone } = finding;
  let why: string;
  try {
    return { written: await write([finding]) };
  } catch (error) {
    if (!isOfItsValues(error)) throw error;
    why = error instanceof Error ? error.message : String(error);
  }
  try {
    return { written: await write([bareOf(finding)]), refused: { phone, isBare: true, why } };
  } catch (error) {
    if (!isOfItsValues(error)) throw error;
    return { refused: { phone, isBare: false, why } };
  }
}

/** What it came to; of a call that is up, that there was a sign of its dial: without that it could be given back (I1). */
function bareOf({ phone, outcome, itemStatus, callId, startedAtMs }: Finding): WritableFinding {
  const note = "what else the platform told of it can't be kept";
  const isUp = outcome.kind === "up";
  const showsDial = [itemStatus, callId, startedAtMs].some((sign) => sign !== undefined);
  return {
    phone,
    itemId: undefined,
    callId: undefined,
    itemStatus: undefined,
    signUnkept: isUp && showsDial,
    errorText: undefined,
    startedAtMs: undefined,
    endedAtMs: undefined,
    durationSeconds: undefined,
    outcome: isUp ? outcome : withoutKept({ ...outcome, reason: `${outcome.reason}; ${note}` }),
  };
}

/** What was kept of the call may be what can't be. */
function withoutKept(outcome: Exclude<Outcome, { kind: "up" }>): Outcome {
  return outcome.kind === "ended" ? { ...outcome, kept: {} } : outcome;
}
