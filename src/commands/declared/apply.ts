import { randomUUID } from "node:crypto";

import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { isOver } from "../../domain/campaigns/campaign-state.ts";
import type { FieldChange } from "../../domain/declared/difference.ts";
import { documentOf, keyOf, nameOf, type Declared } from "../../domain/declared/documents.ts";
import type { SuppressionListDefinition } from "../../domain/declared/suppression-list.ts";
import type { ScheduleSays } from "../../domain/schedules/recurring-spec.ts";
import type { SequenceDefinition } from "../../domain/sequences/definition.ts";
import type { TriggerDefinition } from "../../domain/triggers/trigger.ts";
import { putAutomation } from "../../ledger/automations/automations.ts";
import { stopBatchesDialing } from "../../ledger/campaigns/batches.ts";
import {
  amendCampaign,
  CampaignNotOverError,
  createCampaign,
} from "../../ledger/campaigns/campaign-specs.ts";
import { findCampaign, lockCampaign } from "../../ledger/campaigns/campaigns.ts";
import type { Db } from "../../ledger/ground/connection.ts";
import { writeDeclaration } from "../../ledger/declared/declarations.ts";
import { digestOf } from "../../ledger/ground/digest.ts";
import { putWebhook } from "../../ledger/events/webhooks.ts";
import { putRoute } from "../../ledger/notices/routes.ts";
import { putSchedule } from "../../ledger/schedules/schedule-changes.ts";
import type { Schedule } from "../../ledger/schedules/schedules.ts";
import { putSequenceVersion, resumeSequence } from "../../ledger/sequences/sequence-commands.ts";
import { putTrigger, setTriggerEnabled, type StoredTrigger } from "../../ledger/triggers/triggers.ts";
import { amendCampaign as amendStarted } from "../campaigns.ts";
import type { CommandPorts } from "../ports.ts";
import { declaredBy, putSource } from "../suppression-sources.ts";
import { suppress } from "../suppressions.ts";
import { judge, phonesOf, type Judgement } from "./judge.ts";
import { CommandRefusedError } from "../../ledger/ground/command-refused.ts";

/*
 * 1. An object of the ledger and the note that it was declared are written in one transaction.
 * 2. Where more is needed than a transaction (a campaign under way, batches that are to stop), the note comes last:
 *    whoever is killed before it does all of that again, which changes nothing the second time.
 */

export interface Applied {
  change: "created" | "changed" | "none";
  fields: FieldChange[];
}

/** What applying stands on. */
export interface DeclaredPorts extends CommandPorts {
  /** Asks the platform whether it would call so. @throws CallerRefusedError */
  checkCaller: (spec: CampaignSpec) => Promise<void>;
  checkCallers: (definition: SequenceDefinition) => Promise<void>;
}

/** Writes what belongs to a document, and that it was declared, in one transaction. */
type Within = (work?: (tx: Db) => Promise<unknown>) => Promise<void>;

/** More at once would hold the lock of too many batches; each is a statement. */
const SUPPRESSED_AT_ONCE = 1_000;

/** What is applied, for whom. */
interface Applying {
  declared: Declared;
  /** The schedules that are applied after it. */
  beside: readonly ScheduleSays[];
  actor: string;
  /** Told what stands under a name that all brands share. @throws where it is not for this caller to change */
  requireOwn?: OwnNames | undefined;
}

interface OwnNames {
  trigger: (before: StoredTrigger) => void;
  schedule: (before: Schedule) => void;
}

/**
 * Brings what a document declares about. The same document again changes nothing.
 *
 * @throws CommandRefusedError where it can't be brought about as things are, CallerRefusedError where the platform would
 * not call so.
 */
export async function applyDocument(ports: DeclaredPorts, applying: Applying): Promise<Applied> {
  try {
    return await applyAsJudged(ports, applying);
  } catch (error) {
    // Another apply was first, often with the same: judged again, there may be nothing left to do.
    if (!(error instanceof CampaignNotOverError) && !(error instanceof MovedOnError)) throw error;
    return applyAsJudged(ports, applying);
  }
}

async function applyAsJudged(ports: DeclaredPorts, applying: Applying): Promise<Applied> {
  const { declared, beside, actor, requireOwn } = applying;
  const key = keyOf(declared);
  const judgement = await judge(ports.ledger.db, declared, beside);
  const { change, fields, reason } = judgement;
  if (change === "refused") throw new CommandRefusedError(`${nameOf(key)} ${reason ?? ""}`);
  const document = documentOf(declared);
  const digest = digestOf(document);
  const within: Within = async (work) => {
    await ports.ledger.transaction(async (tx) => {
      await work?.(tx);
      await writeDeclaration(tx, { key, document, digest, actor, nowMs: ports.now() });
    });
    ports.outbox.kick();
  };
  await bringAbout(ports, { declared, judgement, actor, within, requireOwn });
  return { change: ({ create: "created", change: "changed", same: "none" } as const)[change], fields };
}

interface Work {
  declared: Declared;
  judgement: Judgement;
  actor: string;
  within: Within;
  requireOwn: OwnNames | undefined;
}

async function bringAbout(ports: DeclaredPorts, work: Work): Promise<void> {
  const { declared, judgement, actor, within, requireOwn } = work;
  const { kind, definition } = declared;
  const nowMs = ports.now();
  switch (kind) {
    case "attention-route":
      return within((tx) => putRoute(tx, { definition, actor, nowMs }));
    case "event-webhook":
      // One that was disabled has nobody who takes what it is sent: declaring the same again mends nothing of that.
      return within(
        judgement.change === "same" ? undefined : (tx) => putWebhook(tx, { definition, actor, nowMs }),
      );
    case "automation":
      return within((tx) => putAutomation(tx, { definition, actor, nowMs }));
    case "schedule":
      return within((tx) => putSchedule(tx, { definition, actor, nowMs, requireOwn: requireOwn?.schedule }));
    case "trigger":
      return within((tx) =>
        putOpenTrigger(tx, definition, { judgement, actor, nowMs, requireOwn: requireOwn?.trigger }),
      );
    case "sequence":
      if (judgement.change !== "same") await ports.checkCallers(definition);
      return within((tx) => putOpenSequence(tx, definition, { judgement, actor, nowMs }));
    case "campaign":
      return applyCampaign(ports, judgement.spec ?? definition, work);
    case "suppression-source":
      if (judgement.change !== "same")
        await putSource(ports, { ...declaredBy(definition), onlyChanges: true, actor });
      return within();
    case "suppression-list":
      return applySuppressions(ports, definition, work);
  }
}

interface By {
  judgement: Judgement;
  actor: string;
  nowMs: number;
}

async function putOpenTrigger(
  tx: Db,
  definition: TriggerDefinition,
  by: By & { requireOwn: OwnNames["trigger"] | undefined },
): Promise<void> {
  await putTrigger(tx, { definition, ...by });
  if (isOpened(by.judgement, "enabled"))
    await setTriggerEnabled(tx, { name: definition.name, enabled: true, ...by });
}

async function putOpenSequence(tx: Db, definition: SequenceDefinition, by: By): Promise<void> {
  const { sequence } = await putSequenceVersion(tx, { definition, ...by });
  if (isOpened(by.judgement, "state"))
    await resumeSequence(tx, {
      sequenceId: sequence.id,
      actor: by.actor,
      reason: undefined,
      nowMs: by.nowMs,
    });
}

/** What pruning had closed is open again. */
function isOpened({ fields }: Judgement, field: "enabled" | "state"): boolean {
  return fields.some((one) => one.field === field);
}

async function applyCampaign(
  ports: DeclaredPorts,
  spec: CampaignSpec,
  { judgement, actor, within }: Work,
): Promise<void> {
  const nowMs = ports.now();
  if (judgement.change === "same") return within();
  if (judgement.change === "create") {
    await ports.checkCaller(spec);
    return within((tx) => createCampaign(tx, { spec, actor, nowMs }));
  }
  const campaign = await findCampaign(ports.ledger.db, spec.brand, spec.name);
  if (!campaign || isOver(campaign.state)) throw new MovedOnError(spec.name);
  if (campaign.state === "scheduled") {
    // It has no batch that another policy could stop.
    return within(async (tx) => {
      const locked = await lockCampaign(tx, campaign.id);
      if (locked?.state !== "scheduled" || locked.policyVersion !== campaign.policyVersion)
        throw new MovedOnError(spec.name);
      await amendCampaign(tx, { campaign: locked, spec, actor, nowMs });
    });
  }
  const command = { campaignId: campaign.id, commandId: randomUUID(), actor, reason: "declared so" };
  await amendStarted(ports, { ...command, spec });
  return within();
}

/** What was judged is not what is there any more. */
class MovedOnError extends CommandRefusedError {
  constructor(campaign: string) {
    super(`campaign "${campaign}" was changed by somebody meanwhile: apply again`);
  }
}

async function applySuppressions(
  ports: DeclaredPorts,
  list: SuppressionListDefinition,
  { judgement, actor, within }: Work,
): Promise<void> {
  // Numbers of a file were imported before: the command line does so.
  const { phones } = phonesOf(list);
  const { brand, reason, name } = list;
  for (let from = 0; from < phones.length; from += SUPPRESSED_AT_ONCE) {
    const some = phones.slice(from, from + SUPPRESSED_AT_ONCE);
    if (judgement.change === "same") {
      // Whoever was killed behind the suppression may not have come to the batches that dial one of them.
      const stopped = await stopBatchesDialing(ports.ledger, { phones: some, brand, nowMs: ports.now() });
      if (stopped.length > 0) await ports.haltBatches(stopped);
      continue;
    }
    const entries = some.map((phone) => ({
      phone,
      brand,
      reason,
      saidBy: "list" as const,
      source: `declared:${name}`,
    }));
    await suppress(ports, { entries, actor });
  }
  return within();
}
