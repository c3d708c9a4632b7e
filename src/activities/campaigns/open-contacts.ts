import { isRowToBlame, type Sealed } from "../../domain/ground/sealed.ts";
import { listDialedContacts } from "../../ledger/campaigns/attempts.ts";
import type { Batch } from "../../ledger/campaigns/batches.ts";
import { readCampaign } from "../../ledger/campaigns/campaigns.ts";
import { refuseLeased } from "../../ledger/campaigns/leased-refusals.ts";
import { CannotOpenError, DataKeys } from "../../ledger/ground/data-keys.ts";
import { listSealedBeside, type SealedRow } from "../../ledger/ground/sealed-rows.ts";
import type { ActivityDeps } from "../deps.ts";

/*
 * Opens what is sealed of the people of a batch, for the platform.
 *
 * Where something does not open, either the settings are wrong (the key is missing, or another one has its id), which
 * concerns everybody and is for people to mend, or the row was changed beside Outdial, which concerns nobody else: then
 * its neighbours open with the same key.
 */

/** A contact as the platform is told of it. */
export interface OpenedContact {
  phone: string;
  trace_parent: string | null;
  variables: Record<string, string>;
}

/** Somebody of whom a value does not open. */
export interface Unopened {
  id: number;
  phone: string;
  keyId: string;
  /** Its message names the contact by its id where the value is to blame. */
  why: CannotOpenError;
}

/** Whom a batch is to call, with what the agent is told of them: what the variant says goes before their own. */
export async function openContacts(
  { ledger: { db }, dataKeys = new DataKeys() }: ActivityDeps,
  batch: Batch,
): Promise<{ contacts: OpenedContact[]; unopened: Unopened[] }> {
  const contacts: OpenedContact[] = [];
  const unopened: Unopened[] = [];
  const ofVariant = await variablesOfVariant(batch, () => readCampaign(db, batch.campaignId));
  for (const { id, phone, variables, sealed, trace_parent } of await listDialedContacts(db, batch.id)) {
    const opened = sealed === null ? {} : openOf(dataKeys, { id, phone, sealed });
    if (opened instanceof CannotOpenError)
      unopened.push({ id, phone, keyId: sealed?.with ?? "", why: opened });
    else contacts.push({ phone, trace_parent, variables: { ...variables, ...opened, ...ofVariant } });
  }
  return { contacts, unopened };
}

async function variablesOfVariant(
  { variant }: Batch,
  read: () => ReturnType<typeof readCampaign>,
): Promise<Readonly<Record<string, string>>> {
  if (variant === undefined) return {};
  return (await read())?.spec.variants?.find(({ name }) => name === variant)?.variables ?? {};
}

function openOf(
  dataKeys: DataKeys,
  { id, phone, sealed }: { id: number; phone: string; sealed: Sealed },
): Record<string, string> | CannotOpenError {
  try {
    return dataKeys.open(phone, sealed);
  } catch (error) {
    if (!(error instanceof CannotOpenError)) throw error;
    return error.isKeyMissing ? error : new CannotOpenError(`contact ${id}: ${error.message}`, false);
  }
}

/**
 * Whether it is the rows that are to blame, each of them: those that were sealed before and after with the same key open,
 * but for a few.
 */
export async function areDamaged(
  { ledger: { db }, dataKeys = new DataKeys() }: ActivityDeps,
  unopened: readonly Unopened[],
): Promise<boolean> {
  if (unopened.some(({ why }) => why.isKeyMissing)) return false;
  for (const { id, keyId } of unopened) {
    const { before, after } = await listSealedBeside(db, { id, keyId });
    // An older key that seals nobody else opened all the others: they were sealed anew.
    if (before.length + after.length === 0 && keyId !== dataKeys.currentId) continue;
    const opening = (side: readonly SealedRow[]) => side.map((row) => doesOpen(dataKeys, keyId, row));
    if (!isRowToBlame({ before: opening(before), after: opening(after) })) return false;
  }
  return true;
}

function doesOpen(dataKeys: DataKeys, keyId: string, { phone, values }: SealedRow): boolean {
  return !(openOf(dataKeys, { id: 0, phone, sealed: { with: keyId, values } }) instanceof CannotOpenError);
}

/** They alone are not called; the others of the batch are due again, in another one. */
export async function excludeDamaged(
  deps: ActivityDeps,
  batch: Batch,
  damaged: readonly Unopened[],
): Promise<void> {
  await refuseLeased(deps.ledger, {
    batchId: batch.id,
    reason: "values_unreadable",
    refused: damaged.map(({ phone, why }) => ({ phone, detail: why.message })),
    nowMs: deps.now(),
  });
  deps.wake.campaign(batch.campaignId);
  deps.outbox.kick();
}
