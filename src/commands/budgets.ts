import { removeBudget, setBudget, type NewBudget } from "../ledger/campaigns/budgets.ts";
import type { Budget } from "../ledger/campaigns/brand-caps.ts";
import type { CommandPorts } from "./ports.ts";

/** Sets what a brand, or all of them together, may spend; campaigns look again at once. */
export async function putBudget(
  ports: CommandPorts,
  input: NewBudget & { restart: boolean; actor: string },
): Promise<Budget> {
  const { budget, campaignIds } = await setBudget(ports.ledger, { ...input, nowMs: ports.now() });
  tell(ports, campaignIds);
  return budget;
}

/** Takes one back; undefined where there is none. */
export async function dropBudget(
  ports: CommandPorts,
  input: { brand: string | undefined; reason: string; actor: string },
): Promise<Budget | undefined> {
  const removed = await removeBudget(ports.ledger, { ...input, nowMs: ports.now() });
  if (removed) tell(ports, removed.campaignIds);
  return removed?.budget;
}

/** Sooner than the outbox would, which makes sure of it. */
function tell({ wake, outbox }: CommandPorts, campaignIds: readonly string[]): void {
  for (const campaignId of campaignIds) wake.campaign(campaignId);
  outbox.kick();
}
