import { z } from "zod";

import { isOldZoneData } from "../../../domain/time/zone-age.ts";
import { listLiveCampaignIds } from "../../../ledger/campaigns/campaigns.ts";
import { nameTokensInForce } from "../../../ledger/ground/api-tokens.ts";
import { goOn, readInstallation } from "../../../ledger/ground/installation.ts";
import { migrationStatus } from "../../../ledger/ground/migrate.ts";
import { countAttention } from "../../../ledger/ground/attention.ts";
import { countOutbox } from "../../../ledger/ground/outbox.ts";
import { readLastSweep, type SweepReport } from "../../../ledger/ground/sweeps.ts";
import { actorOf } from "../../actor.ts";
import { callerOf } from "../../caller.ts";
import type { HttpDeps } from "../../deps.ts";
import { VERSION } from "../../version.ts";
import { isoOf } from "../../wire/instant.ts";
import { reasonText } from "../../wire/text.ts";
import {
  goOnResultSchema,
  installationSchema,
  recoverResultSchema,
  sweepSchema,
  systemSchema,
  type SweepWire,
} from "../../wire/system.ts";
import type { Routes } from "../../route-scope.ts";

const reasonBody = z.strictObject({
  reason: reasonText("is needed: it is written down who went on, and why"),
});

/** Nothing outside the ledger remembers whom people asked not to call: whoever recovers it has to say so. */
const SUPPRESSIONS_COMPLETE =
  "must be true: suppressions that were added after the backup are not in a restored ledger. Import them (POST /v1/suppressions/import), or make sure that there were none, then say so";

/** Nor what they were told to keep calls away by otherwise. */
const WITHDRAWALS_COMPLETE =
  "must be true: whom somebody took out of a campaign, who withdrew consent, and what was paused, cancelled, amended or blacked out after the backup is not in a restored ledger. Tell it again (POST /v1/campaigns/{ref}/withdrawals, POST /v1/consents/withdraw and so on, behind POST /v1/stop-all), or make sure that there was nothing, then say so";

const recoverBody = z.strictObject({
  suppressions_complete: z.literal(true, { error: SUPPRESSIONS_COMPLETE }),
  withdrawals_complete: z.literal(true, { error: WITHDRAWALS_COMPLETE }),
});

/** What this system is, and the switches above all campaigns. Nothing here needs Temporal. */
export function systemRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { ledger } = deps;

    app.get("/v1/system", { schema: { response: { 200: systemSchema } } }, async (request) => {
      const { installationId, stopped, recoveryReason } = await readInstallation(ledger.db);
      const { applied, known } = await migrationStatus(ledger.db);
      const lastSweep = await readLastSweep(ledger.db);
      return {
        installation_id: installationId,
        version: VERSION,
        ledger: { kind: ledger.kind, migrations: { applied, known } },
        platform_url: deps.platformUrl,
        zone_data: {
          version: deps.zones.version,
          released_on: deps.zones.releasedOn ?? null,
          old: isOldZoneData(deps.zones, deps.now()),
        },
        stopped: stopped ? { at: isoOf(stopped.atMs), reason: stopped.reason } : null,
        recovery: recoveryReason ?? null,
        outbox: (await countOutbox(ledger.db)).map(({ oldestMs, ...row }) => ({
          ...row,
          oldest: isoOf(oldestMs),
        })),
        attention: countsOf(await countAttention(ledger.db, callerOf(request).brands)),
        last_sweep: lastSweep ? sweepView(lastSweep) : null,
        now: isoOf(deps.now()),
      };
    });

    // For commands that found this system by its port alone. They ask it before a stop, too, which waits for nobody.
    app.get("/v1/installation", { schema: { response: { 200: installationSchema } } }, async () => ({
      installation_id: (await readInstallation(ledger.urgent.db)).installationId,
    }));

    app.post("/v1/sweep", { schema: { response: { 200: sweepSchema } } }, async () =>
      sweepView(await deps.sweep()),
    );

    app.post(
      "/v1/recover",
      { schema: { body: recoverBody, response: { 200: recoverResultSchema } } },
      async (request) => {
        const found = await deps.recover(actorOf(request));
        for (const campaignId of await listLiveCampaignIds(ledger.db)) deps.wake.campaign(campaignId);
        // What it booked may be calls that sequences wait for.
        deps.outbox.kick();
        return {
          looked: found.looked,
          settled_batches: found.settledBatches,
          adopted_batches: found.adoptedBatches,
          adopted_attempts: found.adoptedAttempts,
          strangers: found.strangers,
          deleted: found.deleted,
          foreign: [...found.foreign],
          passed_over_schedules: found.passedOverSchedules,
          tokens_in_force: await nameTokensInForce(ledger.db, deps.now()),
        };
      },
    );

    app.post(
      "/v1/go-on",
      { schema: { body: reasonBody, response: { 200: goOnResultSchema } } },
      async (request) => {
        const input = { actor: actorOf(request), reason: request.body.reason, nowMs: deps.now() };
        const { wasStopped } = await ledger.urgent.transaction((tx) => goOn(tx, input));
        if (wasStopped) deps.log.info({ actor: input.actor, reason: input.reason }, "dialing goes on");
        for (const campaignId of await listLiveCampaignIds(ledger.urgent.db)) deps.wake.campaign(campaignId);
        return { stopped: false as const, was_stopped: wasStopped };
      },
    );
  };
}

function sweepView({ atMs, found, settled, detail }: SweepReport): SweepWire {
  return { at: isoOf(atMs), found, settled, detail };
}

function countsOf(counts: Partial<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([kind, n]) => [kind, n ?? 0]));
}
