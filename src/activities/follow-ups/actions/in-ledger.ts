import { strictPlacesOfNumber, strictZonesOfNumber } from "../../../contacts/one-contact.ts";
import type { SpecOf } from "../../../domain/follow-ups/actions.ts";
import { latenessOf } from "../../../domain/follow-ups/callback-time.ts";
import { keyOf, type Action } from "../../../ledger/follow-ups/actions.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import type { DataKeys } from "../../../ledger/ground/data-keys.ts";
import { enroll, type EnrollRefusal } from "../../../ledger/sequences/enrolling.ts";
import { lockFollowUp } from "../../../ledger/follow-ups/follow-ups.ts";
import {
  placeCallback,
  placementOf,
  readCallee,
  readPlacement,
} from "../../../ledger/campaigns/placements.ts";
import { suppressAndStop } from "../../../ledger/campaigns/suppressing.ts";
import { addTag } from "../../../ledger/campaigns/tags.ts";
import { findUnbookedDial } from "../../../ledger/campaigns/unbooked-dials.ts";
import type { ActivityDeps } from "../../deps.ts";
import type { PerformedAction, Step } from "./step.ts";
import { claimTry, settleTry, type TryOutcome } from "../../../ledger/follow-ups/action-tries.ts";

/*
 * Actions that change the ledger alone. Each is done in one transaction with its outcome: all of it, or nothing.
 * Suppressing is two, since batches that are dialing the number are stopped under the locks of their campaigns; both
 * may be done again.
 */

type LedgerSpec = SpecOf<"callback" | "enroll" | "tag">;

interface Effect {
  outcome: TryOutcome;
  /** What makes it quicker, once it is committed. */
  wakeCampaign?: string;
  kick?: true;
}

/**
 * Undefined where somebody else has the action in hands.
 *
 * @param doubtSinceMs since then it may have been done, in a part of the ledger that was lost
 */
export async function performInLedger(
  deps: ActivityDeps,
  action: Action,
  spec: LedgerSpec,
  doubtSinceMs: number | undefined,
): Promise<PerformedAction | undefined> {
  const nowMs = deps.now();
  const done = await deps.ledger.transaction(async (tx) => {
    if (action.followUpId !== undefined) await lockFollowUp(tx, action.followUpId);
    if (!(await claimTry(tx, action, nowMs))) return undefined;
    const doubt = doubtSinceMs === undefined ? undefined : await doubtAbout(tx, action, spec);
    const effect = doubt ?? (await effectOf(tx, action, spec, { dataKeys: deps.dataKeys, nowMs }));
    const performed = await settleTry(tx, { ...action, tries: action.tries + 1 }, effect.outcome, nowMs);
    return { performed, effect };
  });
  if (done?.effect.wakeCampaign !== undefined) deps.wake.campaign(done.effect.wakeCampaign);
  if (done?.effect.kick) deps.outbox.kick();
  return done?.performed;
}

/** Whoever was dialed for nobody knows what, before a recovery, is not dialed for this by itself (I1). */
async function doubtAbout(tx: Db, action: Action, spec: LedgerSpec): Promise<Effect | undefined> {
  if (spec.kind === "tag") return undefined;
  const phone = spec.kind === "enroll" ? spec.phone : (await readCallee(tx, spec.contactId))?.phone;
  if (phone === undefined) return undefined;
  const batch = await findUnbookedDial(tx, { phone, sinceMs: action.insistedAtMs });
  if (batch === undefined) return undefined;
  const error = `the number may have been called for this already, in batch ${batch} of the platform, which the restored ledger does not have`;
  return { outcome: { kind: "unknown", error } };
}

async function effectOf(
  tx: Db,
  action: Action,
  spec: LedgerSpec,
  { dataKeys, nowMs }: { dataKeys: DataKeys | undefined; nowMs: number },
): Promise<Effect> {
  switch (spec.kind) {
    case "tag": {
      const { brand, phone, tag, source } = spec;
      const isNew = await addTag(tx, { brand, phone, tag, source, nowMs });
      return { outcome: { kind: "done", answer: { new: isNew } } };
    }
    case "callback":
      return placeIt(tx, action, spec, nowMs);
    case "enroll":
      return enrollThem(tx, action, spec, { dataKeys, nowMs });
  }
}

async function placeIt(tx: Db, action: Action, spec: SpecOf<"callback">, nowMs: number): Promise<Effect> {
  const { atMs } = spec;
  if (atMs === undefined)
    return refusal(`when to call back is not known: ${spec.unreadable ?? "nobody said"}`);
  const callee = await readCallee(tx, spec.contactId);
  if (!callee) return refusal("the contact is not in the ledger any more: call them by hand");
  const { campaignId, isCleared, ...person } = callee;
  // One that a person had done again as something new is asked for now.
  const askedAtMs = spec.key === undefined ? action.createdAtMs : nowMs;
  const asker = { actionId: action.id, key: spec.key, askedAtMs };
  const placement = placementOf(asker);
  if (isCleared && !(await readPlacement(tx, placement)))
    return refusal(
      "the variables of the contact were too old to be kept: what to say is not known, so call them by hand",
    );
  // It may have been held, or tried again, for hours. What is placed already stays the same.
  const late = latenessOf(atMs, nowMs);
  if (late !== undefined && !(await readPlacement(tx, placement)))
    return refusal(`when to call back was ${late}`);
  const result = await placeCallback(tx, {
    ...person,
    campaignId,
    asker,
    dueAtMs: atMs,
    most: spec.maxPerContact,
    actor: "engine",
    nowMs,
  });
  if (result.kind === "refused") {
    return refusal(`the callback can't be placed (${result.reason}): ${result.detail}`);
  }
  return {
    outcome: {
      kind: "done",
      externalId: placement,
      answer: { placed: result.kind, campaign_id: result.campaignId, at: new Date(atMs).toISOString() },
    },
    wakeCampaign: result.campaignId,
    kick: true,
  };
}

/** What a person may mend so that the same enrolment succeeds later. */
const MENDABLE: ReadonlySet<EnrollRefusal> = new Set(["unknown_sequence", "sequence_closed", "no_data_key"]);

async function enrollThem(
  tx: Db,
  action: Action,
  spec: SpecOf<"enroll">,
  { dataKeys, nowMs }: { dataKeys: DataKeys | undefined; nowMs: number },
): Promise<Effect> {
  const callee = await readCallee(tx, spec.contactId);
  const result = await enroll(tx, {
    sequenceName: spec.sequence,
    brand: spec.brand,
    phone: spec.phone,
    region: callee?.region,
    zones: callee?.zones ?? [],
    strictZones: strictZonesOfNumber(spec.phone, callee?.zones ?? []),
    places: callee?.places ?? [],
    strictPlaces: strictPlacesOfNumber(spec.phone, callee?.places ?? []),
    variables: spec.variables,
    ...(spec.personKey !== undefined && { key: spec.personKey }),
    source: "follow-up",
    dataKeys,
    requestKey: `action:${keyOf(action)}`,
    nowMs,
  });
  if (result.kind === "refused") {
    const error = `not enrolled in ${spec.sequence} (${result.reason}): ${result.detail}`;
    return MENDABLE.has(result.reason) ? { outcome: { kind: "failed_try", error } } : refusal(error);
  }
  const { kind, enrolmentId } = result;
  return {
    outcome: {
      kind: "done",
      externalId: enrolmentId,
      answer: { enrolment: kind, enrolment_id: enrolmentId },
    },
    kick: true,
  };
}

function refusal(error: string): Effect {
  return { outcome: { kind: "refused", error } };
}

/** Suppresses the number, and has batches that are dialing it take no new dial. Safe to do again. */
export async function performSuppression(
  deps: ActivityDeps,
  action: Action,
  spec: SpecOf<"suppress">,
): Promise<Step | undefined> {
  const nowMs = deps.now();
  if (!(await claimTry(deps.ledger.db, action, nowMs))) return undefined;
  const { added, stoppedBatches } = await suppressAndStop(deps.ledger, {
    entries: [{ phone: spec.phone, brand: spec.brand, source: "follow-up", reason: spec.reason }],
    actor: "engine",
    nowMs,
  });
  for (const batchId of stoppedBatches) deps.wake.batch(batchId);
  return {
    action: { ...action, tries: action.tries + 1, sentAtMs: nowMs },
    outcome: { kind: "done", answer: { new: added > 0, stopped_batches: stoppedBatches.length } },
  };
}
