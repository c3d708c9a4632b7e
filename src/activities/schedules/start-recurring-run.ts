import path from "node:path";

import { recurringOf, recurringSpecOf, type RecurringSpec } from "../../domain/schedules/recurring-spec.ts";
import { findCampaign, readCampaign, type Campaign } from "../../ledger/campaigns/campaigns.ts";
import { cancelCampaign, startCampaign } from "../../ledger/campaigns/commands.ts";
import { AppendRefusedError } from "../../ledger/campaigns/imports.ts";
import { refuseWhileHeld } from "../../ledger/ground/installation.ts";
import { putOutbox } from "../../ledger/ground/outbox.ts";
import {
  makeRecurringCampaign,
  RecurringRefusedError,
  RunUnwantedError,
} from "../../ledger/schedules/recurring.ts";
import { endRun, missedBecause } from "../../ledger/schedules/schedule-ends.ts";
import { readScheduleRun, type ScheduleRun } from "../../ledger/schedules/schedule-runs.ts";
import { lockSchedule, readSchedule, type Schedule } from "../../ledger/schedules/schedules.ts";
import { beginWaiting } from "../../ledger/schedules/scheduling.ts";
import type { ActivityDeps } from "../deps.ts";
import { isLate } from "./advance-run.ts";
import { fetchList } from "./fetch-list.ts";
import { checkList, readingOf } from "./list-reading.ts";
import { loadList } from "./load-list.ts";
import { SourceRefusedError } from "./source-errors.ts";
import { dropSpool, findSpooled, tidySpools } from "./spool.ts";
import { CommandRefusedError } from "../../ledger/ground/command-refused.ts";

/*
 * One run of a recurring campaign, from its due time to the moment when it dials.
 *
 * 1. The list is fetched whole and read from one end to the other before anything of it is in the ledger: what can't
 *    be read fails the run, and nobody is called.
 * 2. One transaction makes the campaign, binds it to the run, and begins the import of its list.
 * 3. The list is taken chunk by chunk; the campaign starts when all of it is there. Until then the import that is
 *    not complete refuses a start.
 * 4. Whatever dies on the way, the same run goes on from where the ledger says: with the same campaign, behind the
 *    last line taken, in the list of the same bytes.
 * 5. Not for ever: a run of which no list was there in time is missed, and a list that is old by then is not called.
 * 6. While the ledger waits for its recovery nothing of this goes on, since it may have been done and called already
 *    (I1). Afterwards the run is what recovery made of it.
 */

/** From a run's beginning to its calls. A million contacts from a slow source take an hour; the rest is for a restart. */
const LIST_KEEPS_MS = 2 * 60 * 60_000;

export type RecurringStart = { campaignId: string } | { refused: string };

/** A run with what it says. */
interface Recurring {
  run: ScheduleRun;
  schedule: Schedule;
  folder: string;
  signal: AbortSignal | undefined;
}

/**
 * Makes the campaign of one run of a recurring campaign, loads its contacts, and starts it.
 *
 * Safe to retry: a run has one campaign, which is bound to it in the transaction that makes it; its list is taken
 * once.
 *
 * @param signal ends it between two pieces, to go on later
 * @throws Error while the ledger waits for its recovery, to be tried again
 */
export async function startRecurringRun(
  deps: ActivityDeps,
  { scheduleRunId }: { scheduleRunId: string },
  signal?: AbortSignal,
): Promise<RecurringStart> {
  const { db } = deps.ledger;
  const run = await readScheduleRun(db, scheduleRunId);
  const schedule = run && (await readSchedule(db, run.scheduleId));
  if (!run || !schedule) return { refused: "there is no such run" };
  await tidySpools(deps.lists.spoolDir, run.id, deps.now());
  const recurring = { run, schedule, folder: path.join(deps.lists.spoolDir, run.id), signal };
  const started = await start(deps, recurring);
  // Only now: whatever was thrown is tried again, and needs what there is.
  await dropSpool(recurring.folder);
  return started;
}

async function start(deps: ActivityDeps, recurring: Recurring): Promise<RecurringStart> {
  const { run, signal } = recurring;
  await refuseWhileHeld(deps.ledger.db);
  let { campaignId } = run;
  try {
    if (campaignId === undefined) campaignId = (await make(deps, recurring)).id;
    const campaign = await readCampaign(deps.ledger.db, campaignId);
    if (campaign && campaign.endedAtMs === undefined && campaign.state !== "draining") {
      if (campaign.state === "scheduled") refuseOld(recurring, deps.now());
      refuseOthers(recurring, campaign);
      await loadList(deps, { ...recurring, campaign, spec: specOf(deps, recurring, campaign) });
      await begin(deps, recurring, campaignId);
    }
    return { campaignId };
  } catch (error) {
    if (error instanceof RunLateError) {
      await miss(deps, run);
      return { refused: error.message };
    }
    if (error instanceof RunUnwantedError || error instanceof AppendRefusedError) {
      if (campaignId === undefined) return { refused: error.message };
      await giveUp(deps, run, campaignId, error.message);
      return { campaignId };
    }
    if (!(error instanceof SourceRefusedError) && !(error instanceof RecurringRefusedError)) throw error;
    signal?.throwIfAborted();
    if (campaignId !== undefined) await giveUp(deps, run, campaignId, error.message);
    return { refused: error.message };
  }
}

/** Nobody took the run up in time. */
class RunLateError extends Error {
  override readonly name = "RunLateError";
}

/** @throws SourceRefusedError */
function refuseOld({ run }: Recurring, nowMs: number): void {
  if (nowMs - (run.startedAtMs ?? nowMs) <= LIST_KEEPS_MS) return;
  throw new SourceRefusedError(
    "its list was not taken within two hours, and is not called any more: see what was down, and run the schedule again",
  );
}

/**
 * What the schedule says by now may be another brand's word: its list is not fetched with the secrets of this one.
 *
 * @throws SourceRefusedError
 */
function refuseOthers({ schedule }: Recurring, campaign: Campaign): void {
  if (recurringOf(schedule.definition.run).brand === campaign.brand) return;
  throw new SourceRefusedError(
    `its schedule is of another brand than ${campaign.brand} by now, and its list is not taken to its end: run a schedule of this brand`,
  );
}

async function miss(deps: ActivityDeps, { id, scheduleId }: ScheduleRun): Promise<void> {
  const begun = await deps.ledger.transaction(async (tx) => {
    await refuseWhileHeld(tx);
    const schedule = await lockSchedule(tx, scheduleId);
    const run = schedule && (await readScheduleRun(tx, id));
    if (!schedule || run?.state !== "running" || run.campaignId !== undefined) return 0;
    const nowMs = deps.now();
    const reason = missedBecause(schedule.definition);
    await endRun(tx, schedule, run, { state: "missed", reason, endedAtMs: nowMs });
    return beginWaiting(tx, schedule, nowMs);
  });
  if (begun > 0) deps.outbox.kick();
}

function specOf(deps: ActivityDeps, { schedule }: Recurring, campaign: Campaign | undefined): RecurringSpec {
  return recurringSpecOf(schedule.definition.run, campaign?.spec, deps.now());
}

/** Fetches and checks the list, then makes the campaign that it is for. */
async function make(deps: ActivityDeps, recurring: Recurring): Promise<Campaign> {
  const { run, schedule, folder, signal } = recurring;
  const { brand, name } = recurringOf(schedule.definition.run);
  if (run.state !== "running") throw new RunUnwantedError("the run is not wanted any more");
  const spooled = await findSpooled(folder);
  if (!spooled && isLate(schedule, run, deps.now()))
    throw new RunLateError(missedBecause(schedule.definition));
  refuseOld(recurring, deps.now());
  const newest = await findCampaign(deps.ledger.db, brand, name);
  const wanted = specOf(deps, recurring, newest);
  if (!wanted.ok) throw new RecurringRefusedError(wanted.problem);
  const { spec, source } = wanted;
  const list = spooled ?? (await fetchList(deps, { source, brand }, folder, signal));
  const reading = readingOf(source, spec.default_region);
  const checked = await checkList(list, reading);
  const settings = { ...checked.settings, schedule_run: run.id };
  const nobody = checked.contacts + checked.rejected === 0;
  const campaign = await deps.ledger.transaction(async (tx) => {
    await refuseWhileHeld(tx);
    return makeRecurringCampaign(tx, {
      runId: run.id,
      spec,
      list: nobody ? undefined : { digest: list.digest, sourceName: reading.sourceName, settings },
      actor: `schedule ${schedule.name}`,
      nowMs: deps.now(),
    });
  });
  deps.log.info(
    {
      schedule: schedule.name,
      campaign: campaign.name,
      run: campaign.run,
      contacts: checked.contacts,
      rejected: checked.rejected,
    },
    "a run of a recurring campaign is loaded",
  );
  return campaign;
}

async function begin(deps: ActivityDeps, { run, schedule }: Recurring, campaignId: string): Promise<void> {
  try {
    await startCampaign(deps.ledger, {
      campaignId,
      commandId: `schedule-run ${run.id} start`,
      actor: `schedule ${schedule.name}`,
      reason: undefined,
      allowPartial: false,
      ensured: true,
      nowMs: deps.now(),
    });
    deps.outbox.kick();
  } catch (error) {
    const now = await readCampaign(deps.ledger.db, campaignId);
    // Somebody started, paused or cancelled it in between: what they said counts. A list that they were adding does not.
    if (!(error instanceof CommandRefusedError) || now?.state === "scheduled") throw error;
  }
}

/** Has a campaign end that is not to be dialed. */
async function giveUp(
  deps: ActivityDeps,
  run: ScheduleRun,
  campaignId: string,
  reason: string,
): Promise<void> {
  const nowMs = deps.now();
  try {
    await cancelCampaign(deps.ledger, {
      campaignId,
      commandId: `schedule-run ${run.id}`,
      actor: "engine",
      reason,
      nowMs,
    });
  } catch (error) {
    // It is over already.
    if (!(error instanceof CommandRefusedError)) throw error;
  }
  // One that never started has no workflow that would bring it to its end.
  await deps.ledger.transaction((tx) =>
    putOutbox(tx, [{ kind: "campaign", subject: campaignId, dueAtMs: nowMs }]),
  );
  deps.outbox.kick();
}
