import { randomUUID } from "node:crypto";
import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import { type ActivityDeps, paceAt } from "../../../src/activities/deps.ts";
import { planBatch } from "../../../src/activities/campaigns/plan-batch.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { createCampaign } from "../../../src/ledger/campaigns/campaign-specs.ts";
import { startCampaign } from "../../../src/ledger/campaigns/commands.ts";
import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import { beginImport, importChunk } from "../../../src/ledger/campaigns/imports.ts";
import { type CampaignReport, readReport } from "../../../src/ledger/campaigns/reports.ts";
import type { Platform } from "../../../src/platform/index.ts";
import { noFollowUpPorts } from "../../support/ports.ts";
import { CALLER_ID, given, PUBLISHED_AGENT } from "./world.ts";
import { completeImport } from "../../../src/ledger/campaigns/list-imports.ts";

/** Much longer than a campaign of a few people takes at such a speed. */
const BOUND_MS = 60_000;

/**
 * Runs a campaign from its list to its report with the engine's own activities, one after the other and without
 * Temporal: real ledger, real client.
 */
export async function runCampaign(
  ledger: Ledger,
  platform: Platform,
  speed: number,
  phones: readonly string[],
): Promise<CampaignReport> {
  const campaignId = await beginCampaign(ledger, phones);
  const deps: ActivityDeps = {
    ledger,
    platform,
    wake: { campaign() {}, batch() {} },
    ...noFollowUpPorts(),
    pace: { ...paceAt(speed), gatherMs: 0 },
    log: { info() {}, warn() {}, error() {} },
    now: Date.now,
  };
  const deadlineMs = Date.now() + BOUND_MS;
  for (;;) {
    const plan = given(await planBatch(deps, { campaignId, seenPlannings: 0 }));
    if (plan.state === "completed") return given(await readReport(ledger.db, campaignId));
    if (Date.now() > deadlineMs) throw new Error(`the campaign is still ${plan.state}`);
    for (const batchId of plan.batchIds) await takeToEnd(deps, batchId, deadlineMs);
    if (plan.batchIds.length === 0) await pass(Math.min(plan.waitMs, 50));
  }
}

const ACTIVITY_OF = { create: createBatch, start: startBatch, tend: tendBatch } as const;

async function takeToEnd(deps: ActivityDeps, batchId: string, deadlineMs: number): Promise<void> {
  let step = await createBatch(deps, { batchId });
  while (step.next !== "done") {
    if (Date.now() > deadlineMs) throw new Error(`a batch has not ended; its next step is ${step.next}`);
    await pass(Math.min(step.waitMs, 50));
    step = await ACTIVITY_OF[step.next](deps, { batchId, lastStep: step.next });
  }
}

/** The engine's own waits, which the sandbox's clock runs through meanwhile. */
function pass(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

async function beginCampaign(ledger: Ledger, phones: readonly string[]): Promise<string> {
  const reading = readCampaignSpec({
    name: `shapes ${randomUUID()}`,
    // A brand each, so that nothing of one campaign holds back the next.
    brand: `brand-${randomUUID()}`,
    agent_id: PUBLISHED_AGENT,
    from_numbers: [CALLER_ID],
    concurrency: 5,
    window: "always",
    retry: { max_attempts: 2, delays: { no_answer: "1s", busy: "1s" } },
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const nowMs = Date.now();
  const { id: campaignId } = await ledger.transaction((tx) =>
    createCampaign(tx, { spec: reading.spec, actor: "test", nowMs }),
  );
  const begun = await beginImport(ledger, {
    campaignId,
    digest: campaignId,
    sourceName: "people.csv",
    settings: {},
    nowMs,
  });
  await importChunk(ledger, {
    campaignId,
    importId: begun.id,
    throughLine: phones.length + 1,
    nowMs,
    rows: phones.map((phone, index) => ({
      kind: "contact" as const,
      line: index + 2,
      phone,
      region: "US",
      zones: ["America/Los_Angeles"],
      strictZones: ["America/Los_Angeles"],
      variables: { name: `contact ${index}` },
    })),
  });
  await completeImport(ledger, { importId: begun.id, nowMs });
  await startCampaign(ledger, {
    campaignId,
    commandId: randomUUID(),
    actor: "test",
    reason: undefined,
    nowMs,
    allowPartial: false,
  });
  return campaignId;
}
