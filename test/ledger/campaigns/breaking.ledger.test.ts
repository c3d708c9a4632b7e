import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { callbackSpecOf } from "../../../src/domain/campaigns/callback-spec.ts";
import { readCampaignSpec, type CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { breakCampaign } from "../../../src/ledger/campaigns/breaking.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { amendSpec, approveCampaign } from "../../../src/ledger/campaigns/commands.ts";
import { listFirstCalls } from "../../../src/ledger/campaigns/first-calls.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import { goOn, stopEverything } from "../../../src/ledger/ground/installation.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  batchOf,
  ended,
  freshPhones,
  holdsOf,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  PACE,
  plan,
  running,
  SECOND_MS,
  specOf,
  start,
  tell,
} from "../support/scenario.ts";
import { callBack } from "../support/placing.ts";

const BREAKER: NonNullable<CampaignSpecInput["breaker"]> = { newest: 10, at_least: 5, failed: 0.5 };
const PROBE = { after: "10m", calls: 3, tries: 2 };

/** Plans and starts what may be, ends all of it with this, and closes its batches. Says how many calls that were. */
async function callAll(
  ledger: Ledger,
  id: string,
  disposition: Disposition,
  nowMs: number,
): Promise<{ calls: number; opens: boolean }> {
  const { batchIds } = await plan(ledger, id, nowMs);
  let calls = 0;
  let opens = false;
  for (const batchId of batchIds) {
    await start(ledger, batchId, nowMs);
    const phones = await openPhones(ledger, batchId);
    calls += phones.length;
    const findings = phones.map((phone) => ended(phone, disposition, nowMs));
    const result = await settleFindings(ledger, { batchId, findings, nowMs });
    opens ||= result?.opensBreaker === true;
    await closeBatch(ledger, batchId, nowMs);
  }
  return { calls, opens };
}

const campaignOf = async (ledger: Ledger, id: string) => given(await readCampaign(ledger.db, id));

async function waitingFor(ledger: Ledger, subject: string) {
  const { items } = await listAttention(ledger.db, { subject, resolved: false, limit: 10 });
  return items;
}

const attentionOf = async (ledger: Ledger, subject: string) =>
  (await waitingFor(ledger, subject)).map(({ kind }) => kind);

/** The standing campaign of its callbacks, with one in it, which is due in an hour. */
const callbacksOf = (ledger: Ledger, campaignId: string, phone: string) =>
  callBack(ledger, campaignId, phone, { dueAtMs: NOW_MS + 60 * MINUTE_MS });

const FINAL = { retry: { max_attempts: 1 } } as const;

describeLedgers("a campaign with a breaker", (ledger) => {
  const breaking = (changes: Partial<CampaignSpecInput> = {}) =>
    running(ledger(), freshPhones(60), { concurrency: 5, breaker: BREAKER, ...FINAL, ...changes });
  /** What people are told once nobody but they can end it. */
  const expectAsked = async (id: string) => {
    const [entry, ...others] = await waitingFor(ledger(), id);
    expect(others).toEqual([]);
    expect(entry?.kind).toBe("breaker_open");
    expect(entry?.summary).toMatch(/is paused: it does not probe any more$/);
    expect(entry?.remedy).toBe(
      "see what its calls come to (outdial campaign export), and resume it once that is mended",
    );
  };
  const amendBreaker = async (id: string, breaker: CampaignSpecInput["breaker"], nowMs: number) => {
    const { breaker: _before, ...spec } = (await campaignOf(ledger(), id)).spec;
    const reading = readCampaignSpec({ ...spec, ...(breaker && { breaker }) });
    if (!reading.ok) throw new Error("no spec");
    await amendSpec(ledger(), {
      campaignId: id,
      commandId: randomUUID(),
      actor: "test",
      reason: undefined,
      spec: reading.spec,
      dialByMarginMs: MINUTE_MS,
      nowMs,
    });
  };

  it("pauses itself once too many of its newest calls failed, and people are told why", async () => {
    const id = await breaking();
    const { batchIds } = await plan(ledger(), id);
    const [batchId] = batchIds;
    await start(ledger(), given(batchId));
    const phones = await openPhones(ledger(), given(batchId));
    const findings = phones.slice(0, 5).map((phone) => ended(phone, "failed"));
    const result = await settleFindings(ledger(), { batchId: given(batchId), findings, nowMs: NOW_MS });
    expect(result).toMatchObject({ opensBreaker: true });

    const broken = await breakCampaign(ledger(), { campaignId: id, nowMs: NOW_MS });
    expect(broken).toMatchObject({
      reason:
        "breaker: 5 of the last 5 calls came to failed (50 % open its breaker); resume it once that is mended",
      stoppedBatchIds: batchIds,
    });
    expect(await campaignOf(ledger(), id)).toMatchObject({
      state: "paused",
      pausedBy: "itself",
      stateReason: broken?.reason,
      breaker: "open",
      probeAtMs: undefined,
    });
    expect(await batchOf(ledger(), batchId)).toMatchObject({ stopReason: "pause" });
    expect(await attentionOf(ledger(), id)).toEqual(["breaker_open"]);
    expect(
      await breakCampaign(ledger(), { campaignId: id, nowMs: NOW_MS }),
      "once is enough",
    ).toBeUndefined();
  });

  it("leases nobody more where whoever settled was killed before it was paused", async () => {
    const id = await breaking();
    const { calls, opens } = await callAll(ledger(), id, "failed", NOW_MS);
    expect(opens).toBe(true);
    expect(calls).toBeGreaterThanOrEqual(5);
    expect(await plan(ledger(), id, NOW_MS + SECOND_MS)).toMatchObject({ state: "paused", batchIds: [] });
    expect(await attentionOf(ledger(), id)).toEqual(["breaker_open"]);
    const reason = (await campaignOf(ledger(), id)).stateReason;
    expect(await holdsOf(ledger(), id)).toContainEqual(
      expect.objectContaining({ reason: "paused", detail: reason }),
    );
  });

  it("goes on, and counts anew, once a person resumes it", async () => {
    const id = await breaking();
    await callAll(ledger(), id, "failed", NOW_MS);
    await plan(ledger(), id, NOW_MS);
    await tell(ledger(), "resume", id, { nowMs: NOW_MS + MINUTE_MS });
    expect(await attentionOf(ledger(), id)).toEqual([]);
    expect(await campaignOf(ledger(), id)).toMatchObject({ breaker: "closed", newestCalls: "" });
    const again = await plan(ledger(), id, NOW_MS + MINUTE_MS);
    expect(again).toMatchObject({ state: "running" });
    expect(again.batchIds).not.toEqual([]);
  });

  it("does not pause where its calls come to what everybody wants, nor without a breaker", async () => {
    const well = await breaking();
    expect(await callAll(ledger(), well, "answered", NOW_MS)).toMatchObject({ opens: false });
    const without = await running(ledger(), freshPhones(20), { concurrency: 20, ...FINAL });
    expect(await callAll(ledger(), without, "failed", NOW_MS)).toMatchObject({ opens: false });
    for (const id of [well, without]) {
      await plan(ledger(), id, NOW_MS + SECOND_MS);
      expect((await campaignOf(ledger(), id)).state).not.toBe("paused");
    }
  });

  it("probes with a few calls when their time has come, and goes on where they went well", async () => {
    const id = await breaking({ breaker: { ...BREAKER, probe: PROBE } });
    await callAll(ledger(), id, "failed", NOW_MS);
    const probeMs = NOW_MS + 10 * MINUTE_MS;
    const paused = await plan(ledger(), id, NOW_MS);
    expect(paused).toMatchObject({ state: "paused" });
    expect((await campaignOf(ledger(), id)).probeAtMs).toBe(probeMs);
    const late = await plan(ledger(), id, probeMs - SECOND_MS);
    expect(late, "looks by itself when it is to probe").toMatchObject({ state: "paused", waitMs: SECOND_MS });

    expect(await callAll(ledger(), id, "answered", probeMs)).toMatchObject({ calls: 3, opens: false });
    const after = await plan(ledger(), id, probeMs + MINUTE_MS);
    expect(await campaignOf(ledger(), id)).toMatchObject({ state: "running", breaker: "closed", opened: 0 });
    expect(after.batchIds).not.toEqual([]);
    expect(await attentionOf(ledger(), id)).toEqual([]);
  });

  it("makes no more than the probe's calls while they are up, and says so", async () => {
    const id = await breaking({ breaker: { ...BREAKER, probe: PROBE } });
    await callAll(ledger(), id, "failed", NOW_MS);
    await plan(ledger(), id, NOW_MS);
    const probeMs = NOW_MS + 10 * MINUTE_MS;
    const first = await plan(ledger(), id, probeMs);
    const sizes = await Promise.all(first.batchIds.map((batchId) => batchOf(ledger(), batchId)));
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBe(3);
    const held = [
      expect.objectContaining({
        reason: "breaker",
        detail: "it probes with 3 calls after its breaker opened: 0 are over",
      }),
    ];
    const heldNow = async () => (await holdsOf(ledger(), id)).filter(({ until_ms }) => until_ms === null);
    expect(await heldNow(), "at once").toEqual(held);
    for (const batchId of first.batchIds) await start(ledger(), batchId, probeMs);
    expect(await plan(ledger(), id, probeMs + MINUTE_MS)).toMatchObject({ batchIds: [] });
    expect(await heldNow()).toEqual(held);
  });

  it("opens again where a probe goes no better, and after so many asks a person", async () => {
    const id = await breaking({ breaker: { ...BREAKER, probe: PROBE } });
    await callAll(ledger(), id, "failed", NOW_MS);
    let nowMs = NOW_MS;
    for (const opened of [1, 2, 3]) {
      await plan(ledger(), id, nowMs);
      const { probeAtMs, ...campaign } = await campaignOf(ledger(), id);
      expect(campaign).toMatchObject({ state: "paused", breaker: "open", opened });
      if (opened > 1) expect(campaign.stateReason).toMatch(/^breaker: its probe went no better: 3 of the/);
      if (opened === 3) expect(probeAtMs, "a person looks now").toBeUndefined();
      else nowMs = given(probeAtMs);
      const { calls } = await callAll(ledger(), id, "failed", nowMs);
      expect(calls).toBe(opened === 3 ? 0 : 3);
    }
    expect(await attentionOf(ledger(), id), "one entry, however often").toEqual(["breaker_open"]);
  });

  it("does not probe while everything is stopped", async () => {
    const id = await breaking({ breaker: { ...BREAKER, probe: PROBE } });
    await callAll(ledger(), id, "failed", NOW_MS);
    await plan(ledger(), id, NOW_MS);
    const told = { actor: "test", reason: "fire" };
    await ledger().transaction((tx) => stopEverything(tx, { ...told, nowMs: NOW_MS }));
    expect(
      await plan(ledger(), id, NOW_MS + 60 * MINUTE_MS),
      "and does not look over and over",
    ).toMatchObject({
      state: "paused",
      waitMs: PACE.idleLookMs,
    });
    await ledger().transaction((tx) => goOn(tx, { ...told, nowMs: NOW_MS + 60 * MINUTE_MS }));
    await plan(ledger(), id, NOW_MS + 61 * MINUTE_MS);
    expect(await campaignOf(ledger(), id)).toMatchObject({ state: "running", breaker: "probing" });
  });

  it("is resumed by hand where the breaker was amended away while it was open", async () => {
    const id = await breaking({ breaker: { ...BREAKER, probe: PROBE } });
    await callAll(ledger(), id, "failed", NOW_MS);
    await plan(ledger(), id, NOW_MS);
    await amendBreaker(id, undefined, NOW_MS);
    const later = await plan(ledger(), id, NOW_MS + 60 * MINUTE_MS);
    expect(later).toMatchObject({ state: "paused", waitMs: PACE.idleLookMs });
    expect((await campaignOf(ledger(), id)).stateReason).toBe(
      "breaker: it has none any more, or none that probes; resume it once what opened it is mended",
    );
    await expectAsked(id);
    await tell(ledger(), "resume", id, { nowMs: NOW_MS + 61 * MINUTE_MS });
    expect((await plan(ledger(), id, NOW_MS + 61 * MINUTE_MS)).batchIds).not.toEqual([]);
  });

  it.each([
    ["its breaker", undefined],
    ["its probe", BREAKER],
  ])("waits for a person where %s was amended away while it probed", async (_what, breaker) => {
    const id = await breaking({ breaker: { ...BREAKER, probe: PROBE } });
    await callAll(ledger(), id, "failed", NOW_MS);
    await plan(ledger(), id, NOW_MS);
    const probeMs = NOW_MS + 10 * MINUTE_MS;
    const { batchIds } = await plan(ledger(), id, probeMs);
    expect(await campaignOf(ledger(), id)).toMatchObject({ state: "running", breaker: "probing" });
    await amendBreaker(id, breaker, probeMs);
    const later = await plan(ledger(), id, probeMs + SECOND_MS);
    expect(later).toMatchObject({ state: "paused", batchIds: [] });
    expect(await campaignOf(ledger(), id)).toMatchObject({
      breaker: "open",
      stateReason:
        "breaker: it has none any more, or none that probes; resume it once what opened it is mended",
    });
    const { stopReason } = await batchOf(ledger(), given(batchIds[0]));
    expect(stopReason).toBe("pause");
    await expectAsked(id);
    await tell(ledger(), "resume", id, { nowMs: NOW_MS + 61 * MINUTE_MS });
    expect((await plan(ledger(), id, NOW_MS + 61 * MINUTE_MS)).batchIds).not.toEqual([]);
  });

  it("takes its callbacks along, which do not probe and go on once it does", async () => {
    const id = await breaking({ breaker: { ...BREAKER, probe: PROBE } });
    const callbacks = await callbacksOf(ledger(), id, given(freshPhones(1)[0]));
    await callAll(ledger(), id, "failed", NOW_MS);
    await plan(ledger(), id, NOW_MS);
    const paused = { state: "paused", pausedBy: "parent", breaker: "closed" };
    expect(await campaignOf(ledger(), callbacks)).toMatchObject(paused);
    const probeMs = NOW_MS + 10 * MINUTE_MS;
    await callAll(ledger(), id, "answered", probeMs);
    expect(await campaignOf(ledger(), callbacks), "while it probes").toMatchObject(paused);
    await plan(ledger(), id, probeMs + MINUTE_MS);
    expect(await campaignOf(ledger(), callbacks)).toMatchObject({ state: "running" });
  });

  it("stays paused where a person pauses it once more, whatever its probe's time", async () => {
    const id = await breaking({ breaker: { ...BREAKER, probe: PROBE } });
    await callAll(ledger(), id, "failed", NOW_MS);
    await plan(ledger(), id, NOW_MS);
    await tell(ledger(), "pause", id, { reason: "not today", nowMs: NOW_MS + MINUTE_MS });
    const later = await plan(ledger(), id, NOW_MS + 60 * MINUTE_MS);
    expect(later).toMatchObject({ state: "paused", batchIds: [], waitMs: PACE.idleLookMs });
    expect(await campaignOf(ledger(), id)).toMatchObject({ stateReason: "not today", probeAtMs: undefined });
    await tell(ledger(), "resume", id, { nowMs: NOW_MS + 61 * MINUTE_MS });
    expect((await plan(ledger(), id, NOW_MS + 61 * MINUTE_MS)).batchIds).not.toEqual([]);
  });

  it("that probes goes on at once, and its callbacks with it, where a person resumes it, whatever the probe comes to", async () => {
    const id = await breaking({ breaker: { ...BREAKER, probe: PROBE } });
    const callbacks = await callbacksOf(ledger(), id, given(freshPhones(1)[0]));
    await callAll(ledger(), id, "failed", NOW_MS);
    await plan(ledger(), id, NOW_MS);
    const probeMs = NOW_MS + 10 * MINUTE_MS;
    const { batchIds } = await plan(ledger(), id, probeMs);
    for (const batchId of batchIds) await start(ledger(), batchId, probeMs);
    expect(await campaignOf(ledger(), id)).toMatchObject({ state: "running", breaker: "probing" });

    const byHandMs = probeMs + MINUTE_MS;
    const resumed = { commandId: randomUUID(), nowMs: byHandMs };
    const told = await tell(ledger(), "resume", id, resumed);
    expect(told).toEqual({ state: "running", stoppedBatchIds: [], callbackCampaignIds: [callbacks] });
    const closed = {
      state: "running",
      breaker: "closed",
      opened: 0,
      newestCalls: "",
      stateReason: undefined,
    };
    expect(await campaignOf(ledger(), id)).toMatchObject(closed);
    expect(await campaignOf(ledger(), callbacks)).toMatchObject({ state: "running" });
    expect(await attentionOf(ledger(), id)).toEqual([]);
    expect((await plan(ledger(), id, byHandMs)).batchIds, "more than the probe's calls").not.toEqual([]);

    for (const batchId of batchIds) {
      const findings = (await openPhones(ledger(), batchId)).map((phone) => ended(phone, "failed", byHandMs));
      await settleFindings(ledger(), { batchId, findings, nowMs: byHandMs });
    }
    expect(await campaignOf(ledger(), id), "its probe's calls decide nothing").toMatchObject(closed);
  });

  it("is not let go on by a resume that comes a second time while it probes again", async () => {
    const id = await breaking({ breaker: { ...BREAKER, probe: PROBE } });
    const commandId = randomUUID();
    await callAll(ledger(), id, "failed", NOW_MS);
    await plan(ledger(), id, NOW_MS);
    await tell(ledger(), "resume", id, { commandId, nowMs: NOW_MS + MINUTE_MS });
    await callAll(ledger(), id, "failed", NOW_MS + 2 * MINUTE_MS);
    await plan(ledger(), id, NOW_MS + 2 * MINUTE_MS);
    await plan(ledger(), id, NOW_MS + 12 * MINUTE_MS);
    expect(await campaignOf(ledger(), id)).toMatchObject({ breaker: "probing" });
    await tell(ledger(), "resume", id, { commandId, nowMs: NOW_MS + 13 * MINUTE_MS });
    expect(await campaignOf(ledger(), id)).toMatchObject({ state: "running", breaker: "probing" });
  });

  it("ends where nobody is left to be called, whatever its last calls came to", async () => {
    const id = await running(ledger(), freshPhones(5), { concurrency: 5, breaker: BREAKER, ...FINAL });
    expect(await callAll(ledger(), id, "failed", NOW_MS)).toEqual({ calls: 5, opens: false });
    expect(await plan(ledger(), id, NOW_MS + SECOND_MS)).toMatchObject({ state: "completed" });
    expect(await attentionOf(ledger(), id)).toEqual([]);
  });

  it("that ends while it probes lets its callbacks go on", async () => {
    const people = freshPhones(7);
    const id = await running(ledger(), people, {
      concurrency: 1,
      breaker: { ...BREAKER, probe: { ...PROBE, calls: 5 } },
      ...FINAL,
    });
    const callbacks = await callbacksOf(ledger(), id, given(freshPhones(1)[0]));
    let nowMs = NOW_MS;
    // One at a time, until the breaker opens with one or two left.
    while ((await campaignOf(ledger(), id)).state === "running") {
      nowMs += MINUTE_MS;
      await callAll(ledger(), id, "failed", nowMs);
      await plan(ledger(), id, nowMs);
    }
    const open = await campaignOf(ledger(), id);
    expect(open).toMatchObject({ state: "paused", breaker: "open" });
    expect(open.tallies.open).toBeGreaterThan(0);
    expect(open.tallies.open).toBeLessThan(5);
    nowMs = given(open.probeAtMs);
    for (let turn = 0; turn < 4; turn += 1) {
      nowMs += MINUTE_MS;
      await callAll(ledger(), id, "answered", nowMs);
    }
    await plan(ledger(), id, nowMs + MINUTE_MS);
    await plan(ledger(), id, nowMs + 2 * MINUTE_MS);
    expect(await campaignOf(ledger(), id)).toMatchObject({ state: "completed" });
    expect(await campaignOf(ledger(), callbacks)).toMatchObject({ state: "running" });
  });

  it("is not decided, while it probes, by calls that were up when it opened", async () => {
    const id = await breaking({ concurrency: 40, breaker: { ...BREAKER, probe: PROBE } });
    const [batchId = ""] = (await plan(ledger(), id)).batchIds;
    await start(ledger(), batchId);
    const phones = await openPhones(ledger(), batchId);
    const settle = (some: readonly string[], disposition: Disposition, nowMs: number) =>
      settleFindings(ledger(), {
        batchId,
        findings: some.map((phone) => ended(phone, disposition, nowMs)),
        nowMs,
      });
    await settle(phones.slice(0, 5), "failed", NOW_MS + SECOND_MS);
    await breakCampaign(ledger(), { campaignId: id, nowMs: NOW_MS + SECOND_MS });
    const probeMs = NOW_MS + 10 * MINUTE_MS + SECOND_MS;
    await plan(ledger(), id, probeMs);
    expect(await campaignOf(ledger(), id)).toMatchObject({ state: "running", breaker: "probing" });
    await settle(phones.slice(5, 9), "answered", probeMs + SECOND_MS);
    await plan(ledger(), id, probeMs + SECOND_MS);
    expect(await campaignOf(ledger(), id)).toMatchObject({ breaker: "probing", newestCalls: "" });
  });

  it("can be cancelled while its breaker is open", async () => {
    const id = await breaking({ breaker: { ...BREAKER, probe: PROBE } });
    await callAll(ledger(), id, "failed", NOW_MS);
    await plan(ledger(), id, NOW_MS);
    await tell(ledger(), "cancel", id);
    await plan(ledger(), id, NOW_MS + MINUTE_MS);
    expect(await campaignOf(ledger(), id)).toMatchObject({ state: "cancelled", breaker: "closed" });
    expect(await attentionOf(ledger(), id)).toEqual([]);
  });
});

describeLedgers("a campaign with a canary", (ledger) => {
  const careful = (people: number, changes: Partial<CampaignSpecInput> = {}) =>
    running(ledger(), freshPhones(people), { concurrency: 50, canary: 7, ...FINAL, ...changes });

  const approve = (id: string, nowMs = NOW_MS) =>
    approveCampaign(ledger(), {
      campaignId: id,
      commandId: randomUUID(),
      actor: "test",
      reason: undefined,
      nowMs,
    });

  it("makes its first calls and no more, says what it waits for, and goes on once they are approved of", async () => {
    const id = await careful(40);
    expect(await callAll(ledger(), id, "answered", NOW_MS)).toEqual({ calls: 7, opens: false });
    expect(await plan(ledger(), id, NOW_MS + SECOND_MS)).toMatchObject({ state: "paused", batchIds: [] });
    expect(await campaignOf(ledger(), id)).toMatchObject({
      canary: "waiting",
      stateReason:
        "canary: its first 7 calls are made; listen to them (outdial campaign canary), then approve of them (outdial campaign approve)",
    });
    expect(await attentionOf(ledger(), id)).toEqual(["canary_waiting"]);
    const calls = await listFirstCalls(ledger().db, id, 7);
    expect(calls).toHaveLength(7);
    expect(calls.every(({ disposition, callId }) => disposition === "answered" && callId !== null)).toBe(
      true,
    );

    await expect(tell(ledger(), "resume", id)).rejects.toThrow(/its first calls wait for approval/);
    expect(await approve(id)).toMatchObject({ state: "running" });
    expect(await attentionOf(ledger(), id)).toEqual([]);
    expect(await callAll(ledger(), id, "answered", NOW_MS + MINUTE_MS)).toMatchObject({ calls: 33 });
    expect(await plan(ledger(), id, NOW_MS + 2 * MINUTE_MS)).toMatchObject({ state: "completed" });
  });

  it("says that it is at its first calls, and not at its slots, as soon as they are planned", async () => {
    const id = await careful(40, { concurrency: 20 });
    await plan(ledger(), id, NOW_MS);
    expect(await holdsOf(ledger(), id)).toEqual([
      expect.objectContaining({
        reason: "canary",
        detail: "of its first 7 calls 0 are over; then somebody has to approve of them",
      }),
    ]);
  });

  it("waits until the last of them is over", async () => {
    const id = await careful(40);
    const { batchIds } = await plan(ledger(), id);
    for (const batchId of batchIds) await start(ledger(), batchId);
    expect(await plan(ledger(), id, NOW_MS + SECOND_MS)).toMatchObject({ state: "running", batchIds: [] });
    expect(await holdsOf(ledger(), id)).toContainEqual(
      expect.objectContaining({
        reason: "canary",
        detail: "of its first 7 calls 0 are over; then somebody has to approve of them",
      }),
    );
  });

  it("makes the calls up for which it leased somebody who was then not called", async () => {
    const id = await careful(40);
    const { batchIds } = await plan(ledger(), id);
    expect(batchIds).not.toEqual([]);
    // Nobody of them was called: a pause takes them back.
    await tell(ledger(), "pause", id);
    await tell(ledger(), "resume", id, { nowMs: NOW_MS + SECOND_MS });
    expect(await callAll(ledger(), id, "answered", NOW_MS + MINUTE_MS)).toMatchObject({ calls: 7 });
  });

  it("lists its first calls, though those who were leased before them came back", async () => {
    const id = await careful(40, { canary: 1 });
    await plan(ledger(), id);
    await tell(ledger(), "pause", id);
    await tell(ledger(), "resume", id, { nowMs: NOW_MS + SECOND_MS });
    expect(await callAll(ledger(), id, "answered", NOW_MS + MINUTE_MS)).toMatchObject({ calls: 1 });
    expect(await listFirstCalls(ledger().db, id, 1)).toHaveLength(1);
  });

  it("that is shorter than that ends without anybody's approval", async () => {
    const id = await careful(5);
    expect(await callAll(ledger(), id, "answered", NOW_MS)).toMatchObject({ calls: 5 });
    expect(await plan(ledger(), id, NOW_MS + SECOND_MS)).toMatchObject({ state: "completed" });
  });

  it("refuses an approval that nobody waits for", async () => {
    const without = await running(ledger(), freshPhones(1), {});
    await tell(ledger(), "pause", without);
    await expect(approve(without)).rejects.toThrow(/it has no `canary`/);
    const id = await careful(20);
    await callAll(ledger(), id, "answered", NOW_MS);
    await plan(ledger(), id, NOW_MS);
    await approve(id);
    await tell(ledger(), "pause", id);
    await expect(approve(id)).rejects.toThrow(/approved of before: resume it/);
  });
});

describe("the callbacks of a campaign", () => {
  it("have no breaker and no canary of their own", () => {
    const spec = callbackSpecOf(specOf({ breaker: BREAKER, canary: 5 }));
    expect(spec).not.toHaveProperty("breaker");
    expect(spec).not.toHaveProperty("canary");
  });
});
