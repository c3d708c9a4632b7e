import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { sightingOf, type SeenAgent } from "../../../src/domain/campaigns/agent-sighting.ts";
import {
  listAgentsInUse,
  listUninformed,
  noteSighting,
  readAgents,
  takeInAgents,
} from "../../../src/ledger/campaigns/agents.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { placeCallback } from "../../../src/ledger/campaigns/placements.ts";
import { readReport } from "../../../src/ledger/campaigns/reports.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { callbackAsker, place, standing } from "../support/placing.ts";
import {
  batchOf,
  create,
  ended,
  freshPhones,
  holdsOf,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  permit,
  plan,
  running,
  start,
  tell,
} from "../support/scenario.ts";

const LATER_MS = NOW_MS + MINUTE_MS;

/** The platform shows an agent like this, and a campaign takes it in. */
async function see(
  ledger: Ledger,
  { agentId, campaignId, nowMs }: { agentId: string; campaignId: string; nowMs: number },
  agent: SeenAgent | undefined,
) {
  await noteSighting(ledger.db, sightingOf(agentId, agent), nowMs);
  return takeInAgents(ledger, { campaignId, nowMs });
}

const version = (published_version: number): SeenAgent => ({
  agent_name: "Sales",
  is_published: true,
  published_version,
});
const campaignOf = async (ledger: Ledger, id: string) => given(await readCampaign(ledger.db, id));

function versionsOf(ledger: Ledger, campaignId: string) {
  return rows<{ phone: string; agent: number | null; changed: number | null }>(
    ledger.db,
    sql`select phone, agent_version as agent, agent_changed_to as changed from attempts
        where campaign_id = ${campaignId}::uuid and state <> 'returned' order by phone`,
  );
}

async function attentionOf(ledger: Ledger, subject: string, isResolved = false) {
  const { items } = await listAttention(ledger.db, { subject, resolved: isResolved, limit: 10 });
  return items;
}

describeLedgers("agents that change under way", (opened) => {
  it("are recorded on each attempt as they were when its batch was planned, or before it was started", async () => {
    const ledger = opened();
    const agentId = randomUUID();
    const id = await running(ledger, freshPhones(3), { agent_id: agentId, concurrency: 10 });
    const at = { agentId, campaignId: id };
    // Nobody has been asked yet: what is planned says so, until its first look.
    const { batchIds } = await plan(ledger, id);
    expect((await versionsOf(ledger, id)).map(({ agent }) => agent)).toEqual([null, null, null]);
    expect(await see(ledger, { ...at, nowMs: NOW_MS }, version(3))).toMatchObject({
      told: [],
      isPaused: false,
    });
    expect((await versionsOf(ledger, id)).map(({ agent }) => agent)).toEqual([3, 3, 3]);
    // Planned and not started: it will be of the new version, and of that alone.
    await create(ledger, given(batchIds[0]));
    await see(ledger, { ...at, nowMs: LATER_MS }, version(4));
    expect(await versionsOf(ledger, id)).toMatchObject([
      { agent: 4, changed: null },
      { agent: 4, changed: null },
      { agent: 4, changed: null },
    ]);
    expect(await see(ledger, { ...at, nowMs: LATER_MS }, version(4))).toBeUndefined();
  });

  it("are named beside the version that a call began with, where it was up then, and in the report", async () => {
    const ledger = opened();
    const agentId = randomUUID();
    const phones = freshPhones(3);
    const id = await running(ledger, phones, {
      agent_id: agentId,
      concurrency: 3,
      retry: { max_attempts: 1 },
    });
    const at = { agentId, campaignId: id };
    await see(ledger, { ...at, nowMs: NOW_MS }, version(3));
    const { batchIds } = await plan(ledger, id);
    const batchId = given(batchIds[0]);
    await start(ledger, batchId);
    const [first, second] = (await openPhones(ledger, batchId)).sort();
    // One is over long before, one since the platform was asked last, one is up.
    const over = (phone: string | undefined, endedAtMs: number) => ended(given(phone), "answered", endedAtMs);
    await settleFindings(ledger, { batchId, findings: [over(first, NOW_MS + 1_000)], nowMs: NOW_MS + 1_000 });
    await noteSighting(ledger.db, sightingOf(agentId, version(3)), LATER_MS);
    await settleFindings(ledger, {
      batchId,
      findings: [over(second, LATER_MS + 1_000)],
      nowMs: LATER_MS + 1_000,
    });
    const news = await see(ledger, { ...at, nowMs: LATER_MS + MINUTE_MS }, version(4));
    expect(news).toMatchObject({
      told: [`agent Sales (${agentId}) was version 3 and is version 4 now`],
      isPaused: false,
    });
    expect(await versionsOf(ledger, id)).toMatchObject([
      { agent: 3, changed: null },
      { agent: 3, changed: 4 },
      { agent: 3, changed: 4 },
    ]);
    const [third] = await openPhones(ledger, batchId);
    await settleFindings(ledger, {
      batchId,
      findings: [ended(given(third), "no_answer", LATER_MS + 2 * MINUTE_MS)],
      nowMs: LATER_MS + 2 * MINUTE_MS,
    });
    await closeBatch(ledger, batchId, LATER_MS + 2 * MINUTE_MS);
    expect(given(await readReport(ledger.db, id)).agentVersions).toEqual([
      {
        agentId,
        version: 3,
        attempts: 3,
        changedUnderWay: 2,
        attemptDispositions: { answered: 2, no_answer: 1 },
      },
    ]);
  });

  it("are told by default, and the campaign goes on", async () => {
    const ledger = opened();
    const agentId = randomUUID();
    const id = await running(ledger, freshPhones(2), { agent_id: agentId });
    const at = { agentId, campaignId: id };
    await see(ledger, { ...at, nowMs: NOW_MS }, version(3));
    const silent = { ...version(4), greeting_message: "Hi", system_prompt: "Sell." };
    await see(ledger, { ...at, nowMs: LATER_MS }, silent);
    expect((await campaignOf(ledger, id)).state).toBe("running");
    const [entry] = await attentionOf(ledger, id);
    expect(entry).toMatchObject({ kind: "agent_changed" });
    expect(given(entry).summary).toMatch(/was version 3 and is version 4 now$/);
    // What the new version is not set up to say stands beside it.
    expect(given(entry).remedy).toMatch(/of the new version: .*automated/);
    const [agent] = await readAgents(ledger.db, await campaignOf(ledger, id));
    expect(agent).toMatchObject({ version: 4, wasVersion: 3, changedAtMs: LATER_MS });
    const audit = await rows<{ action: string }>(
      ledger.db,
      sql`select action from audit where campaign_id = ${id}::uuid and action = 'campaign.agent_changed'`,
    );
    expect(audit).toHaveLength(1);
  });

  it("pause a campaign that says so, by both versions; whoever resumes it accepts the new one", async () => {
    const ledger = opened();
    const agentId = randomUUID();
    const id = await running(ledger, freshPhones(40), {
      agent_id: agentId,
      concurrency: 2,
      on_agent_change: "pause",
    });
    const at = { agentId, campaignId: id };
    await see(ledger, { ...at, nowMs: NOW_MS }, version(3));
    const { batchIds } = await plan(ledger, id);
    await create(ledger, given(batchIds[0]));
    const news = await see(ledger, { ...at, nowMs: LATER_MS }, version(4));
    expect(news).toMatchObject({ isPaused: true, stoppedBatchIds: batchIds });
    const paused = await campaignOf(ledger, id);
    expect(paused).toMatchObject({ state: "paused" });
    expect(paused.stateReason).toMatch(/was version 3 and is version 4 now; resume it to call with that$/);
    expect(await permit(ledger, given(batchIds[0]), LATER_MS)).toMatchObject({ kind: "elsewhere" });
    expect(await see(ledger, { ...at, nowMs: LATER_MS + 1 }, version(4))).toBeUndefined();

    await tell(ledger, "resume", id, { nowMs: LATER_MS + 2 });
    expect(await attentionOf(ledger, id)).toEqual([]);
    expect(await see(ledger, { ...at, nowMs: LATER_MS + 3 }, version(4))).toBeUndefined();
    expect((await campaignOf(ledger, id)).state).toBe("running");
    const again = await plan(ledger, id, LATER_MS + MINUTE_MS);
    expect(again.batchIds).not.toEqual([]);
    // The next one pauses it again.
    expect(await see(ledger, { ...at, nowMs: LATER_MS + 2 * MINUTE_MS }, version(5))).toMatchObject({
      isPaused: true,
    });
  });

  it("pause the calls of a sequence's step that says so, until they are resumed", async () => {
    const ledger = opened();
    const agentId = randomUUID();
    const { id } = await standing(ledger, { agent_id: agentId, on_agent_change: "pause" });
    const at = { agentId, campaignId: id };
    await place(ledger, id, given(freshPhones(1)[0]));
    await see(ledger, { ...at, nowMs: NOW_MS }, version(3));
    const news = await see(ledger, { ...at, nowMs: LATER_MS }, version(4));
    expect(news).toMatchObject({ isPaused: true });
    expect(await campaignOf(ledger, id)).toMatchObject({ state: "paused", pausedBy: "itself" });
    expect((await plan(ledger, id, LATER_MS)).batchIds).toEqual([]);
    expect(await attentionOf(ledger, id)).toMatchObject([{ kind: "agent_changed" }]);
    await tell(ledger, "resume", id, { nowMs: LATER_MS });
    expect((await plan(ledger, id, LATER_MS)).batchIds).toHaveLength(1);
    expect(await attentionOf(ledger, id)).toEqual([]);
  });

  it("pause callbacks with their campaign, which alone is told", async () => {
    const ledger = opened();
    const agentId = randomUUID();
    const [asked = "", other = ""] = freshPhones(2);
    const id = await running(ledger, [other], { agent_id: agentId, on_agent_change: "pause" });
    const placed = await ledger.transaction((tx) =>
      placeCallback(tx, {
        campaignId: id,
        asker: callbackAsker(),
        phone: asked,
        region: "US",
        zones: ["America/New_York"],
        variables: {},
        dueAtMs: NOW_MS,
        most: 3,
        actor: "test",
        nowMs: NOW_MS,
      }),
    );
    if (placed.kind !== "placed") throw new Error(placed.kind);
    const callbacks = placed.campaignId;
    for (const campaignId of [id, callbacks])
      await see(ledger, { agentId, campaignId, nowMs: NOW_MS }, version(1));
    await noteSighting(ledger.db, sightingOf(agentId, version(2)), LATER_MS);
    expect(
      (await listUninformed(ledger.db, 1_000)).filter((one) => [id, callbacks].includes(one)),
    ).toHaveLength(2);
    expect(await takeInAgents(ledger, { campaignId: callbacks, nowMs: LATER_MS })).toMatchObject({
      isPaused: false,
    });
    expect(await takeInAgents(ledger, { campaignId: id, nowMs: LATER_MS })).toMatchObject({
      callbackCampaignIds: [callbacks],
    });
    expect(await campaignOf(ledger, callbacks)).toMatchObject({ state: "paused", pausedBy: "parent" });
    expect(await attentionOf(ledger, callbacks)).toEqual([]);
  });

  it("that are not published any more have the campaign wait, and nobody is called until they are", async () => {
    const ledger = opened();
    const agentId = randomUUID();
    const id = await running(ledger, freshPhones(2), { agent_id: agentId });
    const at = { agentId, campaignId: id };
    await see(ledger, { ...at, nowMs: NOW_MS }, version(3));
    const { batchIds } = await plan(ledger, id);
    const batchId = given(batchIds[0]);
    await create(ledger, batchId);
    const news = await see(ledger, { ...at, nowMs: LATER_MS }, { ...version(3), is_published: false });
    expect(news).toMatchObject({ isPaused: false, stoppedBatchIds: [batchId] });
    expect(await batchOf(ledger, batchId)).toMatchObject({ state: "draining", stopReason: "policy" });
    expect(await plan(ledger, id, LATER_MS + MINUTE_MS)).toMatchObject({ batchIds: [], state: "running" });
    expect(await holdsOf(ledger, id)).toMatchObject([
      { reason: "agent", detail: `agent Sales (${agentId}) is not published any more` },
    ]);
    expect(await attentionOf(ledger, id)).toMatchObject([{ kind: "agent_unpublished" }]);
    // Gone is told anew, and is the same wait.
    await see(ledger, { ...at, nowMs: LATER_MS + MINUTE_MS }, undefined);
    expect((await plan(ledger, id, LATER_MS + 2 * MINUTE_MS)).batchIds).toEqual([]);

    // It comes back as another version: that is a change, too.
    const back = await see(ledger, { ...at, nowMs: LATER_MS + 3 * MINUTE_MS }, version(5));
    expect(back?.told).toEqual([`agent Sales (${agentId}) was version 3 and is version 5 now`]);
    expect(await attentionOf(ledger, id)).toMatchObject([{ kind: "agent_changed" }]);
    expect((await plan(ledger, id, LATER_MS + 20 * MINUTE_MS)).batchIds).not.toEqual([]);
    expect((await versionsOf(ledger, id)).map(({ agent }) => agent)).toEqual([5, 5]);
  });

  it("that are gone do not keep a campaign from its end", async () => {
    const ledger = opened();
    const agentId = randomUUID();
    const endsMs = NOW_MS + 10 * MINUTE_MS;
    const id = await running(ledger, freshPhones(2), {
      agent_id: agentId,
      ends_at: new Date(endsMs).toISOString(),
    });
    await see(ledger, { agentId, campaignId: id, nowMs: NOW_MS }, undefined);
    expect(await plan(ledger, id, endsMs - 1)).toMatchObject({ batchIds: [], state: "running" });
    expect(await holdsOf(ledger, id)).toMatchObject([{ reason: "agent" }]);
    expect(await plan(ledger, id, endsMs)).toMatchObject({
      batchIds: [],
      state: "completed",
      tallies: { open: 0, leased: 0, excluded: 2 },
    });
    // Nobody waits for its agent any more.
    expect(await attentionOf(ledger, id)).toEqual([]);
  });

  it("of variants are all looked at, and each has its own version", async () => {
    const ledger = opened();
    const [one, two] = [randomUUID(), randomUUID()];
    const id = await running(ledger, freshPhones(30), {
      agent_id: one,
      concurrency: 50,
      variants: [{ name: "control" }, { name: "warm", agent_id: two }],
    });
    const inUse = await listAgentsInUse(ledger.db, 1_000);
    expect(inUse.filter((agent) => agent === one || agent === two)).toHaveLength(2);
    await noteSighting(ledger.db, sightingOf(one, version(3)), NOW_MS);
    await see(ledger, { agentId: two, campaignId: id, nowMs: NOW_MS }, version(8));
    await plan(ledger, id);
    const planned = await rows<{ agent: string; version: number | null }>(
      ledger.db,
      sql`select distinct b.agent_id as agent, a.agent_version as version from attempts a join batches b on b.id = a.batch_id
          where a.campaign_id = ${id}::uuid`,
    );
    expect(new Map(planned.map((row) => [row.agent, row.version]))).toEqual(
      new Map([
        [one, 3],
        [two, 8],
      ]),
    );
    const news = await see(ledger, { agentId: two, campaignId: id, nowMs: LATER_MS }, version(9));
    expect(news?.told).toEqual([`agent Sales (${two}) was version 8 and is version 9 now`]);
    expect((await readAgents(ledger.db, await campaignOf(ledger, id))).map((agent) => agent.version)).toEqual(
      [3, 9],
    );
  });

  it("are not read back by an answer that is older", async () => {
    const ledger = opened();
    const agentId = randomUUID();
    const id = await running(ledger, freshPhones(1), { agent_id: agentId });
    await see(ledger, { agentId, campaignId: id, nowMs: LATER_MS }, version(4));
    expect(await see(ledger, { agentId, campaignId: id, nowMs: NOW_MS }, version(3))).toBeUndefined();
    // Whoever is not under way is not asked about.
    await tell(ledger, "pause", id, { nowMs: LATER_MS });
    expect(await listAgentsInUse(ledger.db, 1_000)).not.toContain(agentId);
  });
});
