import type { CommandPorts } from "../ports.ts";
import { isOver } from "../../domain/campaigns/campaign-state.ts";
import { nameOf, type DeclaredKey } from "../../domain/declared/documents.ts";
import { removeAutomation } from "../../ledger/automations/automation-commands.ts";
import { readAutomation } from "../../ledger/automations/automations.ts";
import { findCampaign, lockCampaign } from "../../ledger/campaigns/campaigns.ts";
import { moveCampaign } from "../../ledger/campaigns/campaign-moves.ts";
import type { Db } from "../../ledger/ground/connection.ts";
import { putOutbox } from "../../ledger/ground/outbox.ts";
import { writePruned } from "../../ledger/declared/declarations.ts";
import { findWebhook, removeWebhook } from "../../ledger/events/webhooks.ts";
import { findRoute, removeRoute } from "../../ledger/notices/routes.ts";
import { removeSchedule } from "../../ledger/schedules/schedule-changes.ts";
import { findSchedule } from "../../ledger/schedules/schedules.ts";
import { readSource } from "../../ledger/ground/suppression-sources.ts";
import { closeSequence } from "../../ledger/sequences/sequence-commands.ts";
import { findSequence } from "../../ledger/sequences/sequences.ts";
import { findStoredTrigger, setTriggerEnabled } from "../../ledger/triggers/triggers.ts";
import { CommandRefusedError } from "../../ledger/ground/command-refused.ts";

/** What pruning comes to. */
export interface Removal {
  prunable: "yes" | "refused" | "never";
  /** In words: what is done, or why it is not. */
  words: string;
}

const GONE: Removal = { prunable: "yes", words: "is gone already: forgotten" };
const REASON = "declared no more";

const yes = (words: string): Removal => ({ prunable: "yes", words });
const no = (words: string): Removal => ({ prunable: "refused", words });

/** What would become of something that is declared no more. */
export async function removalOf(db: Db, { kind, brand, name }: DeclaredKey): Promise<Removal> {
  switch (kind) {
    case "suppression-source":
      // Whoever is on its list could be called once it is gone.
      return (await readSource(db, name))
        ? {
            prunable: "never",
            words: `stays: a source, and who is on its list, is taken back by hand alone (\`outdial suppress source remove ${name}\`)`,
          }
        : GONE;
    case "suppression-list":
      return { prunable: "never", words: "stays: suppressions are never pruned" };
    case "attention-route":
      return (await findRoute(db, name)) ? yes("removed: nobody is told by it any more") : GONE;
    case "event-webhook":
      return (await findWebhook(db, name)) ? yes("removed: it is sent nothing any more") : GONE;
    case "automation": {
      const there = await readAutomation(db, name);
      if (!there || there.state === "removing") return GONE;
      return yes("leaves Outdial's care; on the platform it stays, unless --platform removes it there, too");
    }
    case "schedule":
      return (await findSchedule(db, name))
        ? yes("removed: nothing is due any more; runs under way end")
        : GONE;
    case "trigger": {
      const there = await findStoredTrigger(db, name);
      if (!there?.enabled) return there ? yes("is disabled already: forgotten") : GONE;
      return yes("disabled: takes no deliveries; those that it took stay");
    }
    case "sequence": {
      const there = await findSequence(db, brand, name);
      if (!there) return GONE;
      if (there.state === "paused") return no("is paused: resume it before it is pruned");
      if (there.state === "closed") return yes("is closed already: forgotten");
      return yes("closed: takes nobody any more; those who are in it go on");
    }
    case "campaign": {
      const there = await findCampaign(db, brand, name);
      if (!there) return GONE;
      if (isOver(there.state)) return yes("is over already: forgotten");
      if (there.startedAtMs === undefined) return yes("cancelled: it was never started");
      return no(`was started and is ${there.state}: cancel it yourself, or wait until it is over`);
    }
  }
}

/**
 * Removes what is declared no more, as its kind is removed. Once more changes nothing.
 *
 * @throws CommandRefusedError where it is not to be.
 */
export async function pruneOne(
  ports: Pick<CommandPorts, "ledger" | "outbox" | "now">,
  key: DeclaredKey,
  by: { actor: string; platform: boolean },
): Promise<Removal> {
  const { db } = ports.ledger;
  const removal = await removalOf(db, key);
  if (removal.prunable !== "yes") throw new CommandRefusedError(`${nameOf(key)} ${removal.words}`);
  const nowMs = ports.now();
  await ports.ledger.transaction(async (tx) => {
    const isClosed = await removeIn(tx, key, { ...by, nowMs });
    await writePruned(tx, { key, isClosed, actor: by.actor, nowMs });
  });
  ports.outbox.kick();
  return removal;
}

/** Whether this closed what was open, so that a document that comes back opens it. */
async function removeIn(
  tx: Db,
  { kind, brand, name }: DeclaredKey,
  by: { actor: string; platform: boolean; nowMs: number },
): Promise<boolean> {
  const input = { name, actor: by.actor, reason: REASON, nowMs: by.nowMs };
  switch (kind) {
    case "suppression-source":
      if (await readSource(tx, name)) throw new CommandRefusedError(`the source ${name} is never pruned`);
      return false;
    case "suppression-list":
      throw new CommandRefusedError("suppressions are never pruned");
    case "attention-route":
      await removeRoute(tx, input);
      return false;
    case "event-webhook":
      await removeWebhook(tx, input);
      return false;
    case "automation": {
      const there = await readAutomation(tx, name);
      if (there && there.state !== "removing")
        await removeAutomation(tx, { ...input, platform: by.platform });
      return false;
    }
    case "schedule":
      if (await findSchedule(tx, name)) await removeSchedule(tx, input);
      return false;
    case "trigger": {
      const isClosed = (await findStoredTrigger(tx, name))?.enabled === true;
      await setTriggerEnabled(tx, { ...input, enabled: false });
      return isClosed;
    }
    case "sequence": {
      const there = await findSequence(tx, brand, name);
      if (!there) return false;
      await closeSequence(tx, { ...input, sequenceId: there.id });
      return there.state === "active";
    }
    case "campaign":
      return cancelUnstarted(tx, { brand, name }, input);
  }
}

/** Its workflow brings it to its end. @throws CommandRefusedError where it was started meanwhile. */
async function cancelUnstarted(
  tx: Db,
  { brand, name }: { brand: string; name: string },
  { actor, reason, nowMs }: { actor: string; reason: string; nowMs: number },
): Promise<boolean> {
  const found = await findCampaign(tx, brand, name);
  const campaign = found && (await lockCampaign(tx, found.id));
  if (!campaign) return false;
  if (campaign.startedAtMs !== undefined) {
    if (isOver(campaign.state)) return false;
    throw new CommandRefusedError(`campaign "${name}" was started meanwhile: cancel it yourself`);
  }
  const change = { campaignId: campaign.id, actor, reason, nowMs } as const;
  const moved = await moveCampaign(tx, {
    ...change,
    from: ["scheduled"],
    to: "draining",
    ending: "cancelled",
  });
  if (moved) await putOutbox(tx, [{ kind: "campaign", subject: campaign.id, dueAtMs: nowMs }]);
  return true;
}
