import { isDeepStrictEqual } from "node:util";

import { takeChunks, takerOfCampaign } from "../../contacts/take-list.ts";
import type { RecurringSpec } from "../../domain/schedules/recurring-spec.ts";
import type { Campaign } from "../../ledger/campaigns/campaigns.ts";
import {
  completeImport,
  findImport,
  listImports,
  type ListImport,
} from "../../ledger/campaigns/list-imports.ts";
import { refuseWhileHeld } from "../../ledger/ground/installation.ts";
import { RunUnwantedError } from "../../ledger/schedules/recurring.ts";
import { readScheduleRun, type ScheduleRun } from "../../ledger/schedules/schedule-runs.ts";
import type { Schedule } from "../../ledger/schedules/schedules.ts";
import { noteUndialable } from "../../ledger/schedules/undialable-lists.ts";
import { noteManyContacts } from "../../ledger/ground/statistics.ts";
import type { ActivityDeps } from "../deps.ts";
import { fetchList } from "./fetch-list.ts";
import { openList, readingOf, settingsOf } from "./list-reading.ts";
import { SourceRefusedError } from "./source-errors.ts";
import { findSpooled } from "./spool.ts";

interface Loading {
  run: ScheduleRun;
  schedule: Schedule;
  campaign: Campaign;
  spec: RecurringSpec;
  folder: string;
  signal: AbortSignal | undefined;
}

/**
 * Takes the list that was begun with the campaign, from where it stands to its end.
 *
 * @throws RunUnwantedError where the run is not wanted any more, SourceRefusedError where the list is not to be had
 * again, AppendRefusedError where the campaign is ending, Error while the ledger waits for its recovery.
 */
export async function loadList(deps: ActivityDeps, loading: Loading): Promise<void> {
  const { run, campaign, folder } = loading;
  const { db } = deps.ledger;
  const wanted = async () => {
    loading.signal?.throwIfAborted();
    // What is taken by then may have been called: half a list ends with the recovery, a whole one would go on.
    await refuseWhileHeld(db);
    const now = await readScheduleRun(db, run.id);
    if (now?.state !== "running") throw new RunUnwantedError(now?.reason ?? "the run is not wanted any more");
  };
  await wanted();
  const imports = await listImports(db, { campaignId: campaign.id });
  const begun = imports.find(({ settings }) => settings["schedule_run"] === run.id);
  // A list of nobody is none; one that is complete was taken before.
  if (!begun || begun.completedAtMs !== undefined) return;
  if (!loading.spec.ok) throw new SourceRefusedError(loading.spec.problem);
  const { source, spec } = loading.spec;
  const reading = readingOf(source, spec.default_region);
  const list =
    (await findSpooled(folder, begun.digest)) ??
    (await fetchList(deps, { source, brand: campaign.brand }, folder, loading.signal));
  if (list.digest !== begun.digest) throw lost(begun);
  const opened = await openList(list, reading, begun.throughLine);
  try {
    // The schedule was changed since: one half would be read in another way than the other.
    const { schedule_run: _run, ...settings } = begun.settings;
    if (!isDeepStrictEqual(settings, settingsOf(reading, opened.layout.format))) throw lost(begun);
    const taker = takerOfCampaign(deps.ledger, campaign.id, deps);
    const take: typeof taker.take = async (...chunk) => {
      await wanted();
      await taker.take(...chunk);
    };
    await takeChunks({ ...taker, take }, begun, opened.chunks, begun);
  } finally {
    await opened.chunks.return();
  }
  await wanted();
  await noteNever(deps, loading, begun.digest);
  await completeImport(deps.ledger, { importId: begun.id, nowMs: deps.now() });
  await wanted();
  const taken = await findImport(db, { campaignId: campaign.id }, begun.digest);
  await noteManyContacts(db, taken?.rowsAccepted ?? 0);
}

/** Before the list is complete: a worker that dies in between comes here again. */
async function noteNever(
  deps: ActivityDeps,
  { run, schedule, campaign }: Loading,
  digest: string,
): Promise<void> {
  const list = await findImport(deps.ledger.db, { campaignId: campaign.id }, digest);
  if (!list) return;
  const never = await deps.ledger.transaction((tx) =>
    noteUndialable(tx, { run, campaignId: campaign.id, list, nowMs: deps.now() }),
  );
  if (never === 0) return;
  deps.log.warn(
    {
      schedule: schedule.name,
      campaign: campaign.name,
      run: campaign.run,
      contacts: list.rowsAccepted,
      never_dialed: never,
    },
    "contacts on the list of a run of a schedule can never be called under its window",
  );
}

function lost(begun: ListImport): SourceRefusedError {
  return new SourceRefusedError(
    `the list ${begun.sourceName} was taken up to line ${begun.throughLine} when its worker died, and what is there now is another one: run the schedule again`,
  );
}
