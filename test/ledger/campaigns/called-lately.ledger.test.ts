import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import type { CampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { findUnbookedDial, noteUnbookedDials } from "../../../src/ledger/campaigns/unbooked-dials.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { callBack } from "../support/placing.ts";
import {
  contactsOf,
  create,
  DAY_MS,
  ended,
  freshPhones,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  permit,
  plan,
  running,
  start,
} from "../support/scenario.ts";

describeLedgers("campaigns that leave out whoever was called lately", (ledger) => {
  /** Another campaign calls this number, and the call ends so. */
  const call = async (
    phone: string,
    nowMs: number,
    changes: { brand?: string; disposition?: Disposition } = {},
  ) => {
    const { disposition = "answered", ...spec } = changes;
    const id = await running(ledger(), [phone], spec, nowMs);
    const { batchIds } = await plan(ledger(), id, nowMs);
    const batchId = given(batchIds[0]);
    await start(ledger(), batchId, nowMs);
    const findings = [ended(phone, disposition, nowMs)];
    await settleFindings(ledger(), { batchId, findings, nowMs });
    await closeBatch(ledger(), batchId, nowMs);
    return id;
  };
  const within = { not_called_within: "7d" } as const;
  const statesOf = async (campaignId: string) =>
    (await contactsOf(ledger(), campaignId)).map(({ state, reason }) => reason ?? state);

  const amend = (campaignId: string, spec: CampaignSpec) =>
    amendSpec(ledger(), {
      campaignId,
      commandId: "amend",
      actor: "test",
      reason: undefined,
      nowMs: NOW_MS,
      dialByMarginMs: MINUTE_MS,
      spec,
    });

  it("excludes them with the reason, and says when they were called", async () => {
    const [called, earlier, never] = freshPhones(3) as [string, string, string];
    await call(earlier, NOW_MS - 7 * DAY_MS);
    await call(called, NOW_MS - 7 * DAY_MS + HOUR_MS, { disposition: "no_answer" });
    const id = await running(ledger(), [called, earlier, never], within);
    await plan(ledger(), id);
    expect(await statesOf(id)).toEqual(["called_lately", "leased", "leased"]);
    const explained = given(await explainContact(ledger().db, id, called));
    expect(explained.refusals).toMatchObject([
      { reason: "called_lately", detail: expect.stringMatching(/^called at 2026-05-25T13:00:00.000Z/) },
    ]);
  });

  it("asks about its own brand alone, and not about its own calls", async () => {
    const [others, own] = freshPhones(2) as [string, string];
    await call(others, NOW_MS - HOUR_MS, { brand: "another" });
    const id = await running(ledger(), [others, own], {
      ...within,
      retry: { max_attempts: 2, delays: { busy: "1m" } },
    });
    const { batchIds } = await plan(ledger(), id);
    expect(await statesOf(id)).toEqual(["leased", "leased"]);
    const batchId = given(batchIds[0]);
    await start(ledger(), batchId);
    const nowMs = NOW_MS + MINUTE_MS;
    const findings = [ended(own, "busy", nowMs), ended(others, "answered", nowMs)];
    await settleFindings(ledger(), { batchId, findings, nowMs });
    await closeBatch(ledger(), batchId, nowMs);
    await plan(ledger(), id, nowMs + 2 * MINUTE_MS);
    expect((await contactsOf(ledger(), id)).map(({ state }) => state)).toEqual(["done", "leased"]);
  });

  it("asks again when a batch is to start", async () => {
    const [phone, other] = freshPhones(2) as [string, string];
    await call(phone, NOW_MS - HOUR_MS);
    const id = await running(ledger(), [phone, other]);
    const { batchIds } = await plan(ledger(), id);
    const batchId = given(batchIds[0]);
    await create(ledger(), batchId);
    const { spec } = given(await readCampaign(ledger().db, id));
    await amend(id, { ...spec, ...within });
    expect((await permit(ledger(), batchId)).kind).toBe("stopped");
    expect((await statesOf(id))[0]).toBe("called_lately");
  });

  it("stops leaving them out where it is amended", async () => {
    const [phone] = freshPhones(1) as [string];
    await call(phone, NOW_MS - HOUR_MS);
    const id = await running(ledger(), [phone], {
      ...within,
      starts_at: new Date(NOW_MS + HOUR_MS).toISOString(),
    });
    const { spec } = given(await readCampaign(ledger().db, id));
    const { not_called_within: _within, starts_at: _startsAt, ...open } = spec;
    await amend(id, open);
    await plan(ledger(), id);
    expect(await statesOf(id)).toEqual(["leased"]);
  });

  it("leaves out whom a recovery found dialed and could book on nobody, by when that was at the latest", async () => {
    const [lost, before, others, ours, never] = freshPhones(5) as [string, string, string, string, string];
    const note = (phones: readonly string[], changes: { brand?: string; dialedUntilMs?: number } = {}) =>
      noteUnbookedDials(ledger().db, {
        platformBatchId: crypto.randomUUID(),
        phones,
        dialedUntilMs: NOW_MS - 7 * DAY_MS + HOUR_MS,
        nowMs: NOW_MS - HOUR_MS,
        ...changes,
      });
    await note([lost, ours], {});
    await note([before, lost], { dialedUntilMs: NOW_MS - 7 * DAY_MS });
    await note([others], { brand: "another" });
    await note([ours], { brand: "default", dialedUntilMs: NOW_MS + DAY_MS });
    const id = await running(ledger(), [lost, before, others, ours, never], within);
    await plan(ledger(), id);
    expect(await statesOf(id)).toEqual(["called_lately", "leased", "leased", "called_lately", "leased"]);
    const saidOf = async (phone: string) =>
      given(await explainContact(ledger().db, id, phone)).refusals.map(({ detail }) => detail);
    expect(await saidOf(lost)).toEqual([expect.stringContaining("called at 2026-05-25T13:00:00.000Z")]);
    // No call is of later than when it became known.
    expect(await saidOf(ours)).toEqual([expect.stringContaining("called at 2026-06-01T11:00:00.000Z")]);
  });

  it("has a lost batch once, however often it is found", async () => {
    const phones = freshPhones(2) as [string, string];
    const found = { platformBatchId: "found twice", phones, nowMs: NOW_MS };
    await noteUnbookedDials(ledger().db, found);
    await noteUnbookedDials(ledger().db, { ...found, phones: phones.toReversed() });
    const noted = await rows(
      ledger().db,
      sql`select 1 as one from audit where detail ->> 'platformBatchId' = 'found twice'`,
    );
    expect(noted).toHaveLength(1);
    const [, phone] = phones;
    expect(await findUnbookedDial(ledger().db, { phone })).toBe("found twice");
    // Whoever wanted a call all the same, once that was known, gets it.
    expect(await findUnbookedDial(ledger().db, { phone, sinceMs: NOW_MS })).toBe("found twice");
    expect(await findUnbookedDial(ledger().db, { phone, sinceMs: NOW_MS + 1 })).toBeUndefined();
  });

  it("calls back who asked for it, though they were just called", async () => {
    const [phone] = freshPhones(1) as [string];
    const id = await running(ledger(), [phone], within);
    const { batchIds } = await plan(ledger(), id);
    const batchId = given(batchIds[0]);
    await start(ledger(), batchId);
    const findings = [ended(phone, "callback_requested", NOW_MS)];
    await settleFindings(ledger(), { batchId, findings, nowMs: NOW_MS });
    const callbacksId = await callBack(ledger(), id, phone);
    await plan(ledger(), callbacksId);
    expect(await statesOf(callbacksId)).toEqual(["leased"]);
  });
});
