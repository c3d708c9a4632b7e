import { randomUUID } from "node:crypto";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { addTag } from "../../../src/ledger/campaigns/tags.ts";
import { withdrawContacts } from "../../../src/ledger/campaigns/withdrawing.ts";
import { recordConsents, withdrawConsent } from "../../../src/ledger/ground/consents.ts";
import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import { beginLoad, loadChunk, takeLoad } from "../../../src/ledger/ground/listed-numbers.ts";
import { putSource } from "../../../src/ledger/ground/suppression-sources.ts";
import { addSuppressions, removeSuppression } from "../../../src/ledger/ground/suppressions.ts";
import { takeInboundCall } from "../../../src/ledger/triggers/inbound-calls.ts";
import { claimItem, keepItem } from "../../../src/ledger/triggers/trigger-items.ts";
import { sequenceOf, triggerOf } from "../../support/intake.ts";
import { given } from "../../support/ledgers.ts";
import { enrolled, turn } from "./enrolling.ts";
import {
  contact,
  createScheduled,
  DAY_MS,
  ended,
  HOUR_MS,
  importWhole,
  MINUTE_MS,
  plan,
  planAndStart,
  specOf,
  tell,
} from "./scenario.ts";

/*
 * The life of one number over two campaigns, a sequence, a trigger and a suppression: nearly everything that a story may
 * have. Its person is in New York or Phoenix, and between the two calls New York puts its clocks forward.
 */

export const ZONES = ["America/New_York", "America/Phoenix"];

/** A Friday. 07:00 in New York, 05:00 in Phoenix. */
export const FRIDAY_MS = Date.UTC(2026, 2, 6, 12);
/** 12:00 in New York, 10:00 in Phoenix. */
export const FIRST_CALL_MS = Date.UTC(2026, 2, 6, 17);
/** A Monday, and New York is an hour on: 13:00 there, 10:00 in Phoenix. */
export const SECOND_CALL_MS = Date.UTC(2026, 2, 9, 17);

const SPEC: Partial<CampaignSpecInput> = {
  name: "spring-renewal",
  window: { weekdays: ["09:00-18:00"] },
  least_gap: "1h",
  frequency: [{ attempts: 2, within: "7d" }],
  retry: { max_attempts: 3, delays: { no_answer: "2h" } },
  follow_ups: [{ id: "keep", on: ["answered"], actions: [{ tag: { tag: "reached" } }] }],
};

export interface Life {
  phone: string;
  campaignId: string;
  enrolmentId: string;
  trigger: string;
}

export async function liveThrough(
  ledger: Ledger,
  phone: string,
  changes: Partial<CampaignSpecInput> = {},
): Promise<Life> {
  const spec = { ...SPEC, ...changes };
  const { id: campaignId } = await createScheduled(ledger, spec, FRIDAY_MS);
  const variables = { name: "<script>alert(1)</script>", referred_by: "+12025550199", api_token: "hush" };
  const row = contact(phone, 2, { zones: ZONES, variables });
  const national = phone.slice(2);
  await importWhole(
    ledger,
    campaignId,
    [
      row,
      { ...row, line: 3 },
      {
        line: 4,
        kind: "rejected",
        code: "phone_no_country",
        reason: "It is a national number.",
        raw: `(${national.slice(0, 3)}) ${national.slice(3, 6)}-${national.slice(6)},Ann`,
      },
    ],
    `digest of ${campaignId}`,
    FRIDAY_MS,
  );
  await tell(ledger, "start", campaignId, { nowMs: FRIDAY_MS });
  // Too early in Phoenix.
  await plan(ledger, campaignId, FRIDAY_MS);
  await call(ledger, campaignId, phone, "no_answer", FIRST_CALL_MS);
  await amendSpec(ledger, {
    campaignId,
    commandId: randomUUID(),
    actor: "ann",
    reason: undefined,
    nowMs: FIRST_CALL_MS + HOUR_MS,
    dialByMarginMs: MINUTE_MS,
    spec: specOf({ ...spec, least_gap: "2h" }),
  });
  await takeCallFromThem(ledger, phone, FIRST_CALL_MS + DAY_MS);
  await call(ledger, campaignId, phone, "answered", SECOND_CALL_MS);
  await ledger.transaction((tx) =>
    addTag(tx, {
      brand: "default",
      phone,
      tag: "reached",
      source: "follow-up keep",
      nowMs: SECOND_CALL_MS + HOUR_MS,
    }),
  );
  const other = await createScheduled(
    ledger,
    { ...SPEC, name: `${given(spec.name)}-again`, frequency: [{ attempts: 2, within: "7d" }] },
    SECOND_CALL_MS + HOUR_MS,
  );
  await importWhole(
    ledger,
    other.id,
    [contact(phone, 7, { zones: ZONES })],
    `digest of ${other.id}`,
    SECOND_CALL_MS + HOUR_MS,
  );
  await tell(ledger, "start", other.id, { nowMs: SECOND_CALL_MS + HOUR_MS });
  // Two calls in seven days are enough.
  await plan(ledger, other.id, SECOND_CALL_MS + 2 * HOUR_MS);
  const { enrolmentId, trigger } = await toldByTrigger(ledger, phone, SECOND_CALL_MS + 3 * HOUR_MS);
  await suppressAndAllow(ledger, phone, SECOND_CALL_MS + 4 * HOUR_MS);
  return { phone, campaignId, enrolmentId, trigger };
}

/** Noon in Miami, a Tuesday. */
export const FLORIDA_CALL_MS = Date.UTC(2026, 2, 10, 16);

/**
 * The life of a number in Florida whose campaign keeps to the rules of the states, for a brand of its own with a register
 * that may be 31 days old. What comes later than its call has nothing to do with that.
 */
export async function liveInFlorida(ledger: Ledger, phone: string, brand: string): Promise<string> {
  const earlier = FLORIDA_CALL_MS - DAY_MS;
  const later = FLORIDA_CALL_MS + HOUR_MS;
  const source = `register of ${brand}`;
  const spec = {
    name: `calls of ${brand}`,
    brand,
    presets: ["us-states"],
    consent: { require: "any" as const },
  };
  const { id: campaignId } = await createScheduled(ledger, spec, earlier);
  const row = contact(phone, 2, { places: ["US-FL"] });
  await importWhole(ledger, campaignId, [row], `digest of ${campaignId}`, earlier);
  await tell(ledger, "start", campaignId, { nowMs: earlier });
  const obtainedAtMs = earlier - 30 * DAY_MS;
  await ledger.transaction((tx) =>
    recordConsents(tx, {
      brand,
      consents: [{ phone, basis: "express_written", obtainedAtMs, proof: "form 7", expiresAtMs: undefined }],
      source: "list",
      nowMs: earlier,
    }),
  );
  const put = { name: source, type: "do_not_call" as const, brand, maxAgeMs: 31 * DAY_MS };
  await ledger.transaction((tx) => putSource(tx, { ...put, actor: "ann", nowMs: earlier }));
  await takeList(ledger, source, [`${phone}0`], earlier);
  await call(ledger, campaignId, phone, "no_answer", FLORIDA_CALL_MS);
  await takeList(ledger, source, [phone], later);
  await takeList(ledger, source, [`${phone}1`], later + HOUR_MS);
  await ledger.transaction((tx) =>
    withdrawConsent(tx, { brand, phone, reason: "said so", source: "api", actor: "ben", nowMs: later }),
  );
  const whom = { phones: [phone] };
  await withdrawContacts(ledger, { campaignId, whom, actor: "eve", reason: "moved away", nowMs: later });
  return campaignId;
}

/** A list that comes in whole and is taken, whatever it lacks. */
export async function takeList(
  ledger: Ledger,
  name: string,
  phones: readonly string[],
  nowMs: number,
): Promise<void> {
  const list = {
    name,
    sourceName: "register.csv",
    digest: "0",
    asOfMs: nowMs,
    allowOlder: false,
    actor: "ann",
    nowMs,
  };
  const loading = await beginLoad(ledger, list);
  await loadChunk(ledger, loading, phones);
  await ledger.transaction((tx) => takeLoad(tx, loading, { allowShrink: true, actor: "ann", nowMs }));
}

/** Dials the number in a campaign, and has the call come to something two minutes later. */
export async function call(
  ledger: Ledger,
  campaignId: string,
  phone: string,
  disposition: "no_answer" | "answered",
  nowMs: number,
): Promise<string> {
  const [batchId] = await planAndStart(ledger, campaignId, nowMs);
  if (batchId === undefined) throw new Error("nobody was dialed");
  const endedMs = nowMs + 2 * MINUTE_MS;
  await settleFindings(ledger, { batchId, findings: [ended(phone, disposition, endedMs)], nowMs: endedMs });
  return batchId;
}

function takeCallFromThem(ledger: Ledger, phone: string, atMs: number): Promise<boolean> {
  return ledger.transaction((tx) =>
    takeInboundCall(tx, {
      callId: `inbound-${phone}`,
      phone,
      toNumber: "+12025550100",
      atMs,
      endedAtMs: atMs + MINUTE_MS,
      nowMs: atMs + MINUTE_MS,
    }),
  );
}

async function toldByTrigger(ledger: Ledger, phone: string, nowMs: number) {
  const sequence = await sequenceOf(ledger);
  const { id: triggerId, name: trigger } = await triggerOf(ledger, sequence);
  const enrolmentId = await enrolled(ledger, sequence, {
    phone,
    zones: ZONES,
    source: `trigger ${trigger}`,
    nowMs,
  });
  await turn(ledger, enrolmentId, nowMs);
  const claim = {
    triggerId,
    key: `key ${phone}`,
    what: "enroll" as const,
    deliveryId: randomUUID(),
    element: "0",
    phone,
    nowMs,
  };
  await ledger.transaction(async (tx) => {
    await claimItem(tx, claim);
    await keepItem(tx, claim, { what: "enroll", enrolment_id: enrolmentId, already: false });
  });
  return { enrolmentId, trigger };
}

async function suppressAndAllow(ledger: Ledger, phone: string, nowMs: number): Promise<void> {
  const entries = [{ phone, brand: "default", source: "api", reason: "asked us to stop" }];
  await ledger.transaction((tx) => addSuppressions(tx, { entries, actor: "ann", nowMs }));
  await ledger.transaction((tx) =>
    removeSuppression(tx, {
      phone,
      brand: "default",
      reason: "asked us to go on",
      actor: "ben",
      nowMs: nowMs + HOUR_MS,
    }),
  );
  const again = [{ phone, brand: undefined, source: "dnc", reason: "register of March" }];
  await ledger.transaction((tx) =>
    addSuppressions(tx, { entries: again, actor: "import", nowMs: nowMs + 2 * HOUR_MS }),
  );
}
