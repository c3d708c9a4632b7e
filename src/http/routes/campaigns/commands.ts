import { randomUUID } from "node:crypto";

import { z } from "zod";

import { readCampaignSpec, type CampaignSpec } from "../../../domain/campaigns/campaign-spec.ts";
import { specDifference, whyFixed } from "../../../domain/campaigns/spec-difference.ts";
import { readCampaign, type Campaign } from "../../../ledger/campaigns/campaigns.ts";
import { startCampaign } from "../../../ledger/campaigns/commands.ts";
import { readInstallation } from "../../../ledger/ground/installation.ts";
import { requestDigest } from "../../../ledger/ground/request-keys.ts";
import { actorOf } from "../../actor.ts";
import { amendCampaign, tellCampaign } from "../../../commands/campaigns.ts";
import { inTime } from "../../../commands/in-time.ts";
import { beginWorkflow } from "../../begin-workflow.ts";
import { estimateIfPossible } from "../../cost-estimate.ts";
import { requireOpenSource } from "../../contact-sources.ts";
import type { HttpDeps } from "../../deps.ts";
import { wordingWarnings } from "../../agent-wording.ts";
import { warningsFor } from "../../missing.ts";
import { requiredBy } from "../../plugins/etags.ts";
import { Problem } from "../../problem.ts";
import {
  amendResultSchema,
  haltResultSchema,
  resumeResultSchema,
  startResultSchema,
} from "../../wire/campaigns.ts";
import { reasonText } from "../../wire/text.ts";
import { invalidSpec } from "./create.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import { CommandRefusedError } from "../../../ledger/ground/command-refused.ts";
import { NoDataKeyError } from "../../../ledger/ground/data-keys.ts";
import { inFlightView } from "../../in-flight.ts";
import type { Routes } from "../../route-scope.ts";

const commandBody = z.strictObject({
  reason: reasonText("must say something, or be left out").optional(),
  /** Names this giving of the command: the same id again is the same command. */
  command_id: z.string().min(1).max(100).optional(),
});

/** Nothing is halted by them. */
const GOES_ON: ReadonlySet<string> = new Set(["resume", "approve"]);

const schemaOf = { params: campaignParams, querystring: brandQuery } as const;

/** What people tell a campaign: start, pause, resume, approve, cancel. */
export function commandRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;

    app.post(
      "/v1/campaigns/:ref/start",
      {
        schema: {
          ...schemaOf,
          body: commandBody.extend({ allow_partial: z.boolean().default(false) }),
          response: { 200: startResultSchema },
        },
      },
      async (request) => {
        const campaign = await requireCampaign(db, request.params.ref, request.query.brand);
        const { reason, command_id = randomUUID(), allow_partial } = request.body;
        if (campaign.spec.sensitive && deps.dataKeys?.currentId === undefined)
          throw new CommandRefusedError(new NoDataKeyError().message);
        const { state } = await startCampaign(deps.ledger, {
          campaignId: campaign.id,
          commandId: command_id,
          actor: actorOf(request),
          reason,
          request: requestDigest({ command: "start", reason, allow_partial }),
          allowPartial: allow_partial,
          nowMs: deps.now(),
        });
        const workflow = (await beginWorkflow(deps, campaign.id)) ? ("running" as const) : ("later" as const);
        // Read once more: it may be another version by now. Nobody who began before waits for it.
        const told =
          campaign.state === "scheduled" ? await wordingWarnings(deps.platform, campaign.spec) : [];
        const warnings = [...warningsOf(campaign), ...told];
        return { state, command_id, workflow, warnings, estimate: await estimateIfPossible(deps, campaign) };
      },
    );

    for (const command of ["pause", "cancel", "resume", "approve"] as const) {
      app.post(
        `/v1/campaigns/:ref/${command}`,
        {
          schema: {
            ...schemaOf,
            body: commandBody,
            response: { 200: GOES_ON.has(command) ? resumeResultSchema : haltResultSchema },
          },
        },
        async (request) => {
          const campaign = await requireCampaign(db, request.params.ref, request.query.brand);
          const { reason, command_id = randomUUID() } = request.body;
          const { state, inFlight } = await orRefusal(deps, campaign.id, () =>
            tellCampaign(deps, command, {
              campaignId: campaign.id,
              commandId: command_id,
              actor: actorOf(request),
              reason,
              request: requestDigest({ command, reason }),
            }),
          );
          if (command === "resume") await lookForCredit(deps);
          if (GOES_ON.has(command)) return { state, command_id };
          return { state, command_id, in_flight: inFlightView(inFlight) };
        },
      );
    }
  };
}

/** A resumption waits for this no longer; the look goes on behind it. */
const LOOKS_FOR_MS = 2_000;

/** Whoever resumes a campaign while nobody is called for want of credit has added some, as likely as not. */
async function lookForCredit({ ledger, lookAtBalance, log }: HttpDeps): Promise<void> {
  if ((await readInstallation(ledger.db)).noCreditAtMs === undefined) return;
  const look = lookAtBalance().catch((error: unknown) =>
    log.warn({ error: String(error) }, "whether there is credit again could not be looked at"),
  );
  await inTime(look, LOOKS_FOR_MS);
}

/** @throws Problem 409 with the state that it is in, where the command does not fit that. */
export async function orRefusal<T>(deps: HttpDeps, campaignId: string, give: () => Promise<T>): Promise<T> {
  try {
    return await give();
  } catch (error) {
    if (!(error instanceof CommandRefusedError)) throw error;
    const state = (await readCampaign(deps.ledger.db, campaignId))?.state;
    throw new Problem(
      { status: 409, code: "command_refused", detail: error.message, extra: { state } },
      { cause: error },
    );
  }
}

/** What was there before it was started. */
function warningsOf({ name, state, tallies, standing }: Campaign): string[] {
  const { open, leased, done, excluded } = tallies;
  if (standing || state !== "scheduled" || open + leased + done + excluded > 0) return [];
  return [
    `campaign "${name}" has no contacts: unless a list is being imported, it completes at once and nobody is dialed; make its next run with a list`,
  ];
}

/** A changed spec: its pace and policy; what it changes of who calls whom is refused. */
export function amendRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;

    app.post(
      "/v1/campaigns/:ref/amend",
      {
        config: { etag: "heeded" },
        schema: {
          ...schemaOf,
          body: commandBody.extend({
            spec: z.unknown(),
            /** Only while this version of the policy is in force: that of the preview. */
            if_version: z.int().min(1).optional(),
          }),
          response: { 200: amendResultSchema },
        },
      },
      async (request) => {
        const campaign = await requireCampaign(db, request.params.ref, request.query.brand);
        const { reason, command_id = randomUUID(), spec, if_version: ifVersion } = request.body;
        const reading = readCampaignSpec(spec);
        if (!reading.ok) throw invalidSpec(reading.problems);
        const requireSeen = requiredBy(request, `the document of campaign "${campaign.name}"`);
        refuseFixedFields(campaign, reading.spec);
        requireOpenSource(request, reading.spec.contacts, campaign.spec.contacts);
        const amended = await orRefusal(deps, campaign.id, () =>
          amendCampaign(deps, {
            campaignId: campaign.id,
            commandId: command_id,
            actor: actorOf(request),
            reason,
            request: requestDigest({ command: "amend", reason, spec: reading.spec, if_version: ifVersion }),
            spec: reading.spec,
            ifVersion,
            requireSeen,
          }),
        );
        const differences = amended.differences.map(({ field, before, after }) => ({ field, before, after }));
        // Once it is in force: a platform that does not answer must not hold up a lower pace.
        const warnings = await warningsFor(deps, reading.spec, [reading.spec.brand]);
        const { state, policyVersion: policy_version } = amended;
        return { state, command_id, policy_version, differences, warnings };
      },
    );
  };
}

export function refuseFixedFields({ name, state, spec: before }: Campaign, after: CampaignSpec): void {
  const fixed = specDifference(before, after).filter(({ amendable }) => !amendable);
  if (fixed.length === 0) return;
  const errors = fixed.map(({ field, before: was, after: is }) => ({
    field,
    message: `was ${was}, is now ${is}${whyFixed(field)}`,
  }));
  const told = errors.map(({ field, message }) => `${field} ${message}`).join("; ");
  throw new Problem({
    status: 409,
    code: "command_refused",
    detail: `campaign "${name}" can't be amended in who calls whom: ${told}. Make it another campaign, or a new run once this one is over`,
    errors,
    extra: { state },
  });
}
