import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Campaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import {
  placeCall,
  placeCallback,
  placementOf as keyOf,
  readPlacement,
  type Asker,
  type PlaceInput,
  type Placement,
  type PlaceResult,
} from "../../../src/ledger/campaigns/placements.ts";
import { ensureStanding } from "../../../src/ledger/campaigns/standing.ts";
import type { SequenceStep, StandsFor } from "../../../src/ledger/campaigns/stands-for.ts";
import { given } from "../../support/ledgers.ts";
import { NOW_MS, specOf } from "./scenario.ts";

/* Standing campaigns, and calls that are placed into them, in one line. */

export function standing(
  ledger: Ledger,
  changes: Partial<CampaignSpecInput> = {},
  standsFor: StandsFor = stepOf(),
  nowMs = NOW_MS,
): Promise<Campaign> {
  return ledger.transaction((tx) =>
    ensureStanding(tx, { standsFor, spec: specOf(changes), actor: "test", nowMs }),
  );
}

/** A call step, of a sequence of which there is nothing else. */
export function stepOf(sequenceId: string = randomUUID(), step = "call"): SequenceStep {
  return { sequenceId, step, digest: "digest" };
}

/** A call of an enrolment that nobody made, and its key. */
export function enrolmentCall(callNo = 1): { enrolmentId: string; asker: Asker; placement: string } {
  const enrolmentId = randomUUID();
  const asker = { enrolmentId, callNo };
  return { enrolmentId, asker, placement: keyOf(asker) };
}

/** An action that nobody made, and that asks for a callback. */
export function callbackAsker(askedAtMs = NOW_MS): Asker & { actionId: string } {
  return { actionId: randomUUID(), askedAtMs };
}

/** Places a call of an enrolment of its own. */
export function place(
  ledger: Ledger,
  campaignId: string,
  phone: string,
  changes: Partial<PlaceInput> = {},
): Promise<PlaceResult> {
  return ledger.transaction((tx) =>
    placeCall(tx, {
      campaignId,
      asker: enrolmentCall().asker,
      phone,
      region: "US",
      zones: ["America/New_York"],
      variables: { name: "Ann" },
      dueAtMs: NOW_MS,
      nowMs: NOW_MS,
      ...changes,
    }),
  );
}

/** Places a callback to somebody whom a campaign called, under an asker of its own; returns the campaign of its callbacks. */
export async function callBack(
  ledger: Ledger,
  campaignId: string,
  phone: string,
  changes: Partial<Pick<PlaceInput, "dueAtMs" | "nowMs">> = {},
): Promise<string> {
  const placed = await ledger.transaction((tx) =>
    placeCallback(tx, {
      campaignId,
      asker: callbackAsker(),
      phone,
      region: "US",
      zones: ["America/New_York"],
      variables: {},
      dueAtMs: NOW_MS,
      most: 20,
      actor: "test",
      nowMs: NOW_MS,
      ...changes,
    }),
  );
  if (placed.kind === "refused") throw new Error(placed.detail);
  return placed.campaignId;
}

export async function placementOf(ledger: Ledger, placement: string): Promise<Placement> {
  return given(await readPlacement(ledger.db, placement));
}

/** What waits in the outbox for a subject. */
export function outboxOf(
  ledger: Ledger,
  subject: string,
): Promise<{ kind: string; turn: number; due_ms: number }[]> {
  return rows(
    ledger.db,
    sql`select kind, turn, round(extract(epoch from due_at) * 1000)::float8 as due_ms from outbox
        where subject = ${subject} order by kind`,
  );
}
