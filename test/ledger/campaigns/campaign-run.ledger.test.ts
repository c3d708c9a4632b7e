import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { readCampaignSpec, type CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Finding } from "../../../src/domain/campaigns/findings.ts";
import { listUnsettled, readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { createCampaign } from "../../../src/ledger/campaigns/campaign-specs.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { pauseCampaign, resumeCampaign, startCampaign } from "../../../src/ledger/campaigns/commands.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { beginImport, importChunk } from "../../../src/ledger/campaigns/imports.ts";
import { planBatches, type PlanResult } from "../../../src/ledger/campaigns/planning.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { permitStart } from "../../../src/ledger/campaigns/starting.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { completeImport } from "../../../src/ledger/campaigns/list-imports.ts";
import { recordBegun, recordCreated, reserveCreate } from "../../../src/ledger/campaigns/batch-steps.ts";

const PACE = {
  gatherMs: 0,
  busyLookMs: 60_000,
  idleLookMs: 300_000,
  dialByMarginMs: 60_000,
  minLeadMs: 30_000,
  openAttemptWaitMs: 60_000,
};
let names = 0;
let commands = 0;

async function campaignOf(
  ledger: Ledger,
  phones: readonly string[],
  changes: Partial<CampaignSpecInput> = {},
): Promise<{ id: string; nowMs: number }> {
  names += 1;
  const nowMs = Date.UTC(2026, 10, 23, 15);
  const reading = readCampaignSpec({
    name: `run ${names}`,
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 10,
    window: "always",
    least_gap: "0s",
    retry: { max_attempts: 2, delays: { busy: "10m" } },
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const campaign = await ledger.transaction((tx) =>
    createCampaign(tx, { spec: reading.spec, actor: "test", nowMs }),
  );
  const begun = await beginImport(ledger, {
    campaignId: campaign.id,
    digest: "d",
    sourceName: "list.csv",
    settings: {},
    nowMs,
  });
  await importChunk(ledger, {
    campaignId: campaign.id,
    importId: begun.id,
    throughLine: phones.length + 1,
    nowMs,
    rows: phones.map((phone, index) => ({
      kind: "contact" as const,
      line: index + 2,
      phone,
      region: "US",
      zones: ["America/New_York"],
      strictZones: ["America/New_York"],
      variables: { row: String(index) },
    })),
  });
  await completeImport(ledger, { importId: begun.id, nowMs });
  await startCampaign(ledger, {
    campaignId: campaign.id,
    commandId: `c${(commands += 1)}`,
    actor: "test",
    reason: undefined,
    nowMs,
    allowPartial: false,
  });
  return { id: campaign.id, nowMs };
}

async function plan(
  ledger: Ledger,
  campaignId: string,
  nowMs: number,
  seenPlannings = 0,
): Promise<PlanResult> {
  return given(
    await planBatches(ledger, { campaignId, seenPlannings, blockedBy: undefined, pace: PACE, nowMs }),
  );
}

async function startBatch(ledger: Ledger, batchId: string, nowMs: number): Promise<void> {
  await reserveCreate(ledger.db, batchId);
  expect(await recordCreated(ledger.db, batchId, `platform-${batchId}`, nowMs)).toBe(true);
  const permission = await permitStart(ledger, {
    batchId,
    blockedBy: undefined,
    pace: PACE,
    nowMs,
  });
  expect(permission.kind).toBe("permitted");
  expect(await recordBegun(ledger.db, batchId, nowMs)).toBe(true);
}

function ended(phone: string, disposition: "answered" | "busy", endedAtMs: number): Finding {
  return {
    phone,
    itemId: `item-${phone}`,
    callId: `call-${phone}`,
    itemStatus: disposition,
    errorText: undefined,
    startedAtMs: endedAtMs - 30_000,
    endedAtMs,
    durationSeconds: 20,
    outcome: { kind: "ended", disposition, reason: "test" },
  };
}

/** I3, checked against the contacts themselves. */
async function expectTalliesTrue(ledger: Ledger, campaignId: string): Promise<void> {
  const campaign = given(await readCampaign(ledger.db, campaignId));
  const counted = await rows<{ state: string; n: number }>(
    ledger.db,
    sql`select state, count(*)::int as n from contacts where campaign_id = ${campaignId}::uuid group by state`,
  );
  const by = Object.fromEntries(counted.map((row) => [row.state, row.n]));
  const { open, leased, done, excluded } = campaign.tallies;
  expect({ open, leased, done, excluded }).toEqual({
    open: by["open"] ?? 0,
    leased: by["leased"] ?? 0,
    done: by["done"] ?? 0,
    excluded: by["excluded"] ?? 0,
  });
}

const phonesFrom = (start: number, count: number) =>
  Array.from({ length: count }, (_, i) => `+1202555${String(start + i).padStart(4, "0")}`);

describeLedgers("a campaign's run in the ledger", (ledger) => {
  it("goes from leased attempts through a retry to a completed campaign with true tallies", async () => {
    const phones = phonesFrom(1000, 12);
    const { id, nowMs } = await campaignOf(ledger(), phones);
    const first = await plan(ledger(), id, nowMs);
    expect(first.tallies).toMatchObject({ open: 2, leased: 10 });
    expect(first.heldSlots).toBe(10);
    await expectTalliesTrue(ledger(), id);

    let clockMs = nowMs;
    let last = first;
    for (let round = 0; round < 10 && last.state === "running"; round += 1) {
      for (const batch of await listUnsettled(ledger().db, id)) {
        await startBatch(ledger(), batch.id, clockMs);
        const dialed = await rows<{ phone: string; attempt_no: number }>(
          ledger().db,
          sql`select phone, attempt_no from attempts where batch_id = ${batch.id}::uuid and state = 'open'`,
        );
        clockMs += 60_000;
        const findings = dialed.map((row) =>
          ended(row.phone, row.attempt_no === 1 && row.phone.endsWith("1") ? "busy" : "answered", clockMs),
        );
        const settled = await settleFindings(ledger(), { batchId: batch.id, findings, nowMs: clockMs });
        expect(settled).toMatchObject({ open: 0, provisional: 0, ended: findings.length });
        expect(await closeBatch(ledger(), batch.id, clockMs)).toMatchObject({ isClosed: true });
        await expectTalliesTrue(ledger(), id);
      }
      last = await plan(ledger(), id, clockMs, last.plannings);
      clockMs += last.waitMs;
      last = await plan(ledger(), id, clockMs, last.plannings);
    }
    expect(last.state).toBe("completed");
    expect(last.tallies).toEqual({
      open: 0,
      leased: 0,
      done: 12,
      excluded: 0,
      attempts: 14,
      dispositions: { answered: 12 },
    });
  });

  it("gives the same batches back to a planning whose answer was lost", async () => {
    const { id, nowMs } = await campaignOf(ledger(), phonesFrom(2000, 5));
    const lost = await plan(ledger(), id, nowMs);
    const again = await plan(ledger(), id, nowMs);
    expect(again.batchIds).toEqual(lost.batchIds);
    expect(again.heldSlots).toBe(5);
  });

  it("never has two open attempts on one number, and the other campaign gets its turn", async () => {
    const phones = phonesFrom(3000, 3);
    const one = await campaignOf(ledger(), phones);
    const two = await campaignOf(ledger(), phones);
    const first = await plan(ledger(), one.id, one.nowMs);
    expect(first.tallies.leased).toBe(3);
    const second = await plan(ledger(), two.id, two.nowMs);
    expect(second.tallies).toMatchObject({ open: 3, leased: 0 });
    const [batch] = await listUnsettled(ledger().db, one.id);
    await startBatch(ledger(), given(batch).id, one.nowMs);
    await settleFindings(ledger(), {
      batchId: given(batch).id,
      findings: phones.map((phone) => ended(phone, "answered", one.nowMs)),
      nowMs: one.nowMs,
    });
    const later = await plan(ledger(), two.id, two.nowMs + second.waitMs);
    expect(later.tallies).toMatchObject({ open: 0, leased: 3 });
  });

  it("plans two campaigns over the same numbers at once without deadlock", async () => {
    const phones = phonesFrom(4000, 60);
    const one = await campaignOf(ledger(), phones, { concurrency: 60 });
    const two = await campaignOf(ledger(), [...phones].reverse(), { concurrency: 60 });
    await Promise.all([plan(ledger(), one.id, one.nowMs), plan(ledger(), two.id, two.nowMs)]);
    const open = await rows<{ n: number; phones: number }>(
      ledger().db,
      sql`select count(*)::int as n, count(distinct phone)::int as phones from attempts where state = 'open' and phone like '+12025554%'`,
    );
    expect(open).toEqual([{ n: 60, phones: 60 }]);
    await expectTalliesTrue(ledger(), one.id);
    await expectTalliesTrue(ledger(), two.id);
  });

  it("refuses the start of a batch whose contact was suppressed after planning, and excludes only that contact", async () => {
    const phones = phonesFrom(5000, 4);
    const { id, nowMs } = await campaignOf(ledger(), phones);
    const planned = await plan(ledger(), id, nowMs);
    const batchId = given(planned.batchIds[0]);
    await reserveCreate(ledger().db, batchId);
    await recordCreated(ledger().db, batchId, "p", nowMs);
    await ledger().transaction((tx) =>
      addSuppressions(tx, {
        entries: [{ phone: given(phones[0]), brand: undefined, source: "test", reason: "asked" }],
        actor: "test",
        nowMs,
      }),
    );
    const permission = await permitStart(ledger(), {
      batchId,
      blockedBy: undefined,
      pace: PACE,
      nowMs,
    });
    expect(permission).toEqual({ kind: "stopped", reason: "policy", campaignId: id });
    const batch = given(await readBatch(ledger().db, batchId));
    expect(batch).toMatchObject({ state: "draining", held: 0 });
    const campaign = given(await readCampaign(ledger().db, id));
    expect(campaign.tallies).toMatchObject({ open: 3, leased: 0, excluded: 1 });
    await expectTalliesTrue(ledger(), id);
  });

  it("permits no start after a pause, and leases the same people again after resuming", async () => {
    const { id, nowMs } = await campaignOf(ledger(), phonesFrom(6000, 4));
    const planned = await plan(ledger(), id, nowMs);
    const batchId = given(planned.batchIds[0]);
    await reserveCreate(ledger().db, batchId);
    await recordCreated(ledger().db, batchId, "p", nowMs);
    const paused = await pauseCampaign(ledger(), {
      campaignId: id,
      commandId: `c${(commands += 1)}`,
      actor: "test",
      reason: "lunch",
      nowMs,
    });
    expect(paused.stoppedBatchIds).toEqual([batchId]);
    const permission = await permitStart(ledger(), {
      batchId,
      blockedBy: undefined,
      pace: PACE,
      nowMs,
    });
    expect(permission).toMatchObject({ kind: "elsewhere", batch: { state: "draining" } });
    expect((await plan(ledger(), id, nowMs)).tallies).toMatchObject({ open: 4, leased: 0 });
    await resumeCampaign(ledger(), {
      campaignId: id,
      commandId: `c${(commands += 1)}`,
      actor: "test",
      reason: undefined,
      nowMs,
    });
    expect((await plan(ledger(), id, nowMs + 1_000)).tallies).toMatchObject({ open: 0, leased: 4 });
  });

  it("writes an outcome once: telling it again, or telling another one later, changes nothing", async () => {
    const phones = phonesFrom(7000, 2);
    const { id, nowMs } = await campaignOf(ledger(), phones);
    const planned = await plan(ledger(), id, nowMs);
    const batchId = given(planned.batchIds[0]);
    await startBatch(ledger(), batchId, nowMs);
    const phone = given(phones[0]);
    const first = await settleFindings(ledger(), { batchId, findings: [ended(phone, "busy", nowMs)], nowMs });
    expect(first).toMatchObject({ ended: 1, open: 1 });
    const again = await settleFindings(ledger(), {
      batchId,
      findings: [ended(phone, "answered", nowMs)],
      nowMs,
    });
    expect(again).toMatchObject({ ended: 0, open: 1 });
    const [attempt] = await rows<{ disposition: string }>(
      ledger().db,
      sql`select disposition from attempts where phone = ${phone} and state = 'ended'`,
    );
    expect(attempt?.disposition).toBe("busy");
    await expectTalliesTrue(ledger(), id);
  });

  it("stops all dialing when its ledger is older than what its workflow saw", async () => {
    const { id, nowMs } = await campaignOf(ledger(), phonesFrom(8000, 2));
    const planned = await plan(ledger(), id, nowMs, 1_000_000);
    expect(planned.batchIds).toEqual([]);
    const holds = await rows<{ reason: string }>(
      ledger().db,
      sql`select reason from holds where campaign_id = ${id}::uuid and until_at is null`,
    );
    expect(holds).toEqual([{ reason: "recovery" }]);
    await rows(ledger().db, sql`update installation set recovery_reason = null`);
  });
});
