import { ServiceError, type Client } from "@temporalio/client";

import { listAllUnsettled } from "../ledger/campaigns/batches.ts";
import { listLiveCampaignIds } from "../ledger/campaigns/campaigns.ts";
import type { Ledger } from "../ledger/ground/connection.ts";
import { noteFailure, noteSuccess, type Step } from "../ledger/ground/failing-steps.ts";
import { readInstallation, reportRestored } from "../ledger/ground/installation.ts";
import { holdLease } from "../ledger/ground/leases.ts";
import { createLostWorkflows } from "./lost-workflows.ts";
import { isAway } from "./relay-row.ts";
import { ensureBatch, ensureCampaign } from "./ensure.ts";
import type { Found } from "./ensure.ts";

/*
 * The ledger knows which campaigns and batches are under way; Temporal runs them. Where Temporal lost one (its
 * data is gone, a workflow was terminated by hand, an answer never arrived), it is started again from the
 * ledger: each takes up where the ledger says that it stands.
 *
 * A workflow of ours ends well only when the ledger says that its campaign or batch is over. One that has ended
 * while the ledger says otherwise tells that the ledger is older than it: it was restored, and nothing dials
 * until `outdial recover` (I1).
 *
 * Enrolments and follow-ups are compared, too, some in each pass: lost-workflows.ts.
 */

/** How soon a lost workflow is noticed. Looking at one is a request to Temporal and no billed action. */
const EVERY_MS = 60_000;

/** A server that hangs must not hold up a pass for ever, nor have passes pile up. */
const DEADLINE_MS = 10_000;

export interface Reconciler {
  /** One pass now. Returns how many workflows had to be started. */
  pass(): Promise<number>;
  stop(): void;
}

export interface ReconcilerInput {
  client: Client;
  ledger: Ledger;
  /** Names this process: one of all does the work. */
  holder: string;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** Looks every minute, in whichever process holds the lease. */
export function startReconciler(input: ReconcilerInput): Reconciler {
  const lost = createLostWorkflows(input);
  const pass = async () => (await reconcile(input)) + (await lost.pass());
  const tick = async () => {
    try {
      const mine = await holdLease(input.ledger.db, {
        name: "reconciler",
        holder: input.holder,
        termMs: 2 * EVERY_MS,
        nowMs: Date.now(),
      });
      if (mine) await pass();
      if (mine)
        await noteSuccess(input.ledger, PASS, { ports: ["Temporal"], nowMs: Date.now(), log: input.log });
    } catch (error) {
      input.log.warn(
        { error: String(error) },
        "workflows could not be compared with the ledger; the next pass will",
      );
      await noteUncompared(input, PASS, error);
    }
  };
  const timer = setInterval(() => void tick(), EVERY_MS);
  return { pass, stop: () => clearInterval(timer) };
}

/** The pass as a whole: whatever of it is not about one campaign or batch. */
const PASS: Step = { of: "chore", id: "comparing workflows with the ledger", verb: "do" };

/** Temporal may be away so long before people are told: its restart takes minutes. */
const AWAY_MS = 15 * 60_000;

function noteUncompared({ ledger, log }: ReconcilerInput, step: Step, error: unknown): Promise<void> {
  const away = error instanceof ServiceError && isAway(error) ? "Temporal" : undefined;
  return noteFailure(ledger, step, { error, away, awayMs: AWAY_MS, nowMs: Date.now(), log });
}

async function reconcile(input: ReconcilerInput): Promise<number> {
  const { client, ledger, log } = input;
  const seenIn = await readInstallation(ledger.db);
  let started = 0;
  let oldest: string | undefined;
  /** One that can't be compared is no reason to leave the others without their workflows. */
  const compare = async (of: "campaign" | "batch", id: string, ensured: () => Promise<Found>) => {
    const step: Step = { of, id, verb: "reconcile" };
    try {
      const found = await client.withDeadline(Date.now() + DEADLINE_MS, ensured);
      if (found === "started") started += 1;
      if (found === "ended") oldest = `${of} ${id}`;
    } catch (error) {
      if (isAway(error)) throw error;
      log.warn({ [of]: id, error: String(error) }, "a workflow could not be compared with the ledger");
      await noteUncompared(input, step, error);
      return;
    }
    await noteSuccess(ledger, step, { ports: [], nowMs: Date.now(), log });
  };
  for (const campaignId of await listLiveCampaignIds(ledger.db)) {
    await compare("campaign", campaignId, () => ensureCampaign(client, ledger, campaignId));
  }
  for (const batch of await listAllUnsettled(ledger.db)) {
    await compare("batch", batch.id, () => ensureBatch(client, ledger, batch.id));
  }
  if (started > 0) log.warn({ started }, "workflows that Temporal did not have were started from the ledger");
  if (oldest !== undefined) {
    const reason = `the workflow of ${oldest} has ended, and the ledger says that it is under way: it was restored`;
    log.error({}, reason);
    await reportRestored(ledger.db, { reason, seenIn, nowMs: Date.now() });
  }
  return started;
}
