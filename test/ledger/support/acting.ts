import { onTestFinished } from "vitest";

import { paceAt, type ActivityDeps } from "../../../src/activities/deps.ts";
import { performAction } from "../../../src/activities/follow-ups/actions/perform-action.ts";
import type { ActionSpec } from "../../../src/domain/follow-ups/actions.ts";
import { advanceFollowUp, beginActing } from "../../../src/ledger/follow-ups/follow-ups.ts";
import { createActions, readAction, type Action } from "../../../src/ledger/follow-ups/actions.ts";
import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import { createOutbound } from "../../../src/outbound/client.ts";
import type { Platform } from "../../../src/platform/index.ts";
import { given } from "../../support/ledgers.ts";
import { noFollowUpPorts } from "../../support/ports.ts";
import { secretsOf } from "../../support/secrets.ts";
import { answered } from "./follow-up-scenario.ts";

/** Activities on this ledger, with a clock that tests set forward. */
export interface Acting {
  deps: ActivityDeps;
  forward(ms: number): void;
  kicks: number;
  woken: string[];
}

export function actingOn(
  ledger: Ledger,
  platform: Platform,
  changes: {
    secrets?: Record<string, string[]>;
    /** As OUTDIAL_BRANDS_OF_SECRETS has it. */
    brands?: string;
    recordingsDir?: string;
    allow?: string[];
  } = {},
): Acting {
  let aheadMs = 0;
  const outbound = createOutbound({ allow: changes.allow ?? ["127.0.0.1"] });
  onTestFinished(() => outbound.close());
  const woken: string[] = [];
  const acting: Acting = {
    kicks: 0,
    woken,
    forward(ms) {
      aheadMs += ms;
    },
    deps: {
      ...noFollowUpPorts(),
      ledger,
      platform,
      wake: { campaign: (id) => woken.push(`campaign ${id}`), batch: (id) => woken.push(`batch ${id}`) },
      outbox: {
        kick() {
          acting.kicks += 1;
        },
      },
      secrets: secretsOf(changes.secrets ?? {}, changes.brands),
      outbound,
      ...(changes.recordingsDir !== undefined && { recordingsDir: changes.recordingsDir }),
      pace: paceAt(1),
      log: { info() {}, warn() {}, error() {} },
      now: () => Date.now() + aheadMs,
    },
  };
  return acting;
}

/** Writes actions of one rule down. The first of them, or all in parallel, are due. */
export async function give(
  { deps }: Acting,
  specs: readonly ActionSpec[],
  followUpId?: string,
): Promise<{ followUpId: string; ids: string[] }> {
  const id = followUpId ?? (await answered(deps.ledger, {}));
  const nowMs = deps.now();
  const ids = await deps.ledger.transaction(async (tx) => {
    await beginActing(tx, { followUpId: id, processing: "not_needed", rules: ["rule"], labels: {} });
    const made = await createActions(tx, {
      of: { followUpId: id },
      actions: specs.map((spec, n) => ({ owner: "rule", n, spec, state: "waiting" as const })),
      nowMs,
    });
    await advanceFollowUp(tx, id, nowMs);
    return made;
  });
  return { followUpId: id, ids };
}

/** Lets an action go on, with the clock set forward to each of its times, until it is as wanted. */
export async function drive(
  acting: Acting,
  actionId: string | undefined,
  isWanted: (action: Action) => boolean = ({ state }) => state !== "due" && state !== "waiting",
): Promise<Action> {
  const id = given(actionId);
  for (let step = 0; step < 60; step += 1) {
    const action = given(await readAction(acting.deps.ledger.db, id));
    if (isWanted(action)) return action;
    const { waitMs } = await performAction(acting.deps, { actionId: id });
    if (waitMs !== undefined) acting.forward(waitMs);
  }
  throw new Error(
    `action ${id} did not come to what was wanted: ${JSON.stringify(await readAction(acting.deps.ledger.db, id))}`,
  );
}
