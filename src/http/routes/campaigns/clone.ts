import { z } from "zod";

import { readCampaignSpec, type CampaignSpec } from "../../../domain/campaigns/campaign-spec.ts";
import { isOver } from "../../../domain/campaigns/campaign-state.ts";
import type { Whom } from "../../../domain/campaigns/cloned-people.ts";
import { clonedSpecOf, type CloneChanges } from "../../../domain/campaigns/cloned-spec.ts";
import { specDifference } from "../../../domain/campaigns/spec-difference.ts";
import type { SpecProblem } from "../../../domain/ground/spec-problems.ts";
import { DISPOSITIONS } from "../../../domain/policy/disposition.ts";
import { findCampaign, readCampaign, type Campaign } from "../../../ledger/campaigns/campaigns.ts";
import { beginClone, cloneDigest, findClone, takeClonedPeople } from "../../../ledger/campaigns/cloning.ts";
import { listImports, type ListImport } from "../../../ledger/campaigns/list-imports.ts";
import { readHeldSlots } from "../../../ledger/campaigns/progress.ts";
import { noteManyContacts } from "../../../ledger/ground/statistics.ts";
import { actorOf } from "../../actor.ts";
import { wordingWarnings } from "../../agent-wording.ts";
import { checkCaller } from "../../caller-check.ts";
import { estimateIfPossible } from "../../cost-estimate.ts";
import type { HttpDeps } from "../../deps.ts";
import { warningsFor } from "../../missing.ts";
import { Problem } from "../../problem.ts";
import { campaignClonedSchema, type CampaignClonedWire } from "../../wire/campaigns.ts";
import { existing, invalidSpec } from "./create.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import { campaignView } from "./views.ts";
import type { Routes } from "../../route-scope.ts";

const dateSchema = z.iso.datetime({ offset: true }).nullable();

const cloneBody = z
  .strictObject({
    /** Absent: that of the campaign, of which it is the next run then. */
    name: z.string().min(1).max(100).optional(),
    /** Whose people come into it, as they stand now. */
    contacts: z
      .union([
        z.enum(["none", "all", "unreached"]),
        z.strictObject({
          dispositions: z
            .array(z.enum(DISPOSITIONS))
            .min(1)
            .max(DISPOSITIONS.length)
            .transform((words) => [...new Set(words)].sort()),
        }),
      ])
      .default("none"),
    /** Of these only whoever has this word. */
    tag: z.string().min(1).max(100).optional(),
    /** Instead of the campaign's; null: none. */
    starts_at: dateSchema.optional(),
    ends_at: dateSchema.optional(),
  })
  .refine(({ contacts, tag }) => contacts !== "none" || tag === undefined, {
    message: "chooses among contacts, of whom none are asked for: say which in `contacts`",
    path: ["tag"],
  });

/** Another campaign like one that there is. Nothing dials before it is started. */
export function cloneRoutes(deps: HttpDeps): Routes {
  const { db } = deps.ledger;
  return async (app) => {
    app.post(
      "/v1/campaigns/:ref/clone",
      {
        schema: {
          params: campaignParams,
          querystring: brandQuery,
          body: cloneBody,
          response: { 201: campaignClonedSchema },
        },
      },
      async (request, reply) => {
        const named = await requireCampaign(db, request.params.ref, request.query.brand);
        if (named.standing) throw standingRefused(named);
        const whom = whomOf(request.body);
        const name = request.body.name ?? named.name;
        const { starts_at: startsAt, ends_at: endsAt } = request.body;
        // One moment: what is taken up again is judged by that at which it was begun.
        const nowMs = deps.now();
        const specAt = (atMs: number) => readClonedSpec(named, { name, startsAt, endsAt, nowMs: atMs });
        const begun = await findBegun(deps, { named, name, specAt, whom });
        const { spec, dropped } = specOrThrow(begun ? specAt(begun.clone.createdAtMs) : specAt(nowMs));
        const source = begun?.source ?? named;
        if (!begun) await refuseTaken(deps, source, name);
        await checkCaller(deps.platform, spec);
        const warnings = [
          ...(await warningsFor(deps, spec, [spec.brand])),
          ...(await wordingWarnings(deps.platform, spec)),
        ];
        const clone =
          begun?.clone ??
          (await beginClone(
            deps.ledger,
            { source, spec, whom, actor: actorOf(request), nowMs },
            // Somebody else may have made a campaign of that name since, to its end even.
            (created) => {
              if (created.run > 1 && name !== source.name) throw existing(created);
            },
          ));
        if (whom) await takePeople(deps, clone.id);
        const view = await clonedView(deps, { id: clone.id, source, warnings, dropped });
        return reply.code(201).send(view);
      },
    );
  };
}

type ReadClone =
  | { ok: true; spec: CampaignSpec; dropped: string[] }
  | { ok: false; problems: readonly SpecProblem[] };

function readClonedSpec(named: Campaign, changes: CloneChanges): ReadClone {
  const cloned = clonedSpecOf(named.spec, changes);
  if (!cloned.ok) return cloned;
  const reading = readCampaignSpec(cloned.spec);
  return reading.ok ? { ok: true, spec: reading.spec, dropped: cloned.dropped } : reading;
}

/** @throws Problem 422 */
function specOrThrow(read: ReadClone): Extract<ReadClone, { ok: true }> {
  if (!read.ok) throw invalidSpec(read.problems);
  return read;
}

function whomOf({ contacts, tag }: z.output<typeof cloneBody>): Whom | undefined {
  if (contacts === "none") return undefined;
  return { people: typeof contacts === "string" ? contacts : contacts.dispositions, tag };
}

function standingRefused({ name }: Campaign): Problem {
  return new Problem({
    status: 409,
    code: "command_refused",
    detail: `campaign "${name}" stands for the calls of a sequence, or for callbacks, which are placed into it one by one: clone the campaign whose callbacks these are`,
  });
}

/** @throws Problem 409 where there is a campaign of that name, other than the source as one that is over */
async function refuseTaken({ ledger }: HttpDeps, source: Campaign, name: string): Promise<void> {
  const newest = await findCampaign(ledger.db, source.brand, name);
  if (newest && !(name === source.name && isOver(newest.state))) throw existing(newest);
}

/**
 * The same clone, where it was cut off before all people were taken: it goes on, whatever dates have passed since it was
 * begun. The name may mean the clone by now, which is the newest run of it.
 */
async function findBegun(
  { ledger }: HttpDeps,
  {
    named,
    name,
    specAt,
    whom,
  }: { named: Campaign; name: string; specAt: (atMs: number) => ReadClone; whom: Whom | undefined },
): Promise<{ clone: Campaign; source: Campaign } | undefined> {
  const newest = whom && (await findCampaign(ledger.db, named.brand, name));
  if (!newest) return undefined;
  const read = specAt(newest.createdAtMs);
  if (!read.ok || specDifference(newest.spec, read.spec).length > 0) return undefined;
  const begun = await findClone(ledger.db, newest.id);
  if (!begun || (begun.sourceId !== named.id && newest.id !== named.id)) return undefined;
  const list = await listOfClone(ledger.db, newest.id, begun.importId);
  if (list?.completedAtMs !== undefined || list?.digest !== cloneDigest(begun.sourceId, whom))
    return undefined;
  const source = await readCampaign(ledger.db, begun.sourceId);
  return source && { clone: newest, source };
}

async function listOfClone(
  db: HttpDeps["ledger"]["db"],
  campaignId: string,
  importId: number,
): Promise<ListImport | undefined> {
  const lists = await listImports(db, { campaignId });
  return lists.find(({ id }) => id === importId);
}

async function takePeople(deps: HttpDeps, campaignId: string): Promise<void> {
  await takeClonedPeople(deps.ledger, campaignId, deps.now);
  const { open = 0 } = (await readCampaign(deps.ledger.db, campaignId))?.tallies ?? {};
  await noteManyContacts(deps.ledger.db, open);
  // It may have been started with a part of them.
  deps.wake.campaign(campaignId);
}

async function clonedView(
  deps: HttpDeps,
  { id, source, ...told }: { id: string; source: Campaign; warnings: string[]; dropped: string[] },
): Promise<CampaignClonedWire> {
  const { ledger } = deps;
  const campaign = await readCampaign(ledger.db, id);
  if (!campaign) throw new Error(`campaign ${id} vanished while it was cloned`);
  const lists = await listImports(ledger.db, { campaignId: id });
  const clone = await findClone(ledger.db, id);
  const list = lists.find((one) => one.id === clone?.importId);
  const leftOut = { ...clone?.leftOut };
  return {
    ...campaignView(campaign, lists, await readHeldSlots(ledger.db, id)),
    ...told,
    estimate: await estimateIfPossible(deps, campaign),
    cloned_from: { id: source.id, name: source.name, run: source.run },
    people: {
      looked_at: Object.values(leftOut).reduce((sum, n) => sum + n, list?.rowsRead ?? 0),
      taken: list?.rowsAccepted ?? 0,
      excluded: campaign.tallies.excluded,
      left_out: leftOut,
      still_open: clone?.stillOpen ?? 0,
    },
  };
}
