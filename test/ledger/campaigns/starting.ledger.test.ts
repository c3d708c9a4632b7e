import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { moveBatch } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import {
  goOn,
  releaseRecovery,
  requireRecovery,
  stopEverything,
} from "../../../src/ledger/ground/installation.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import { adoptBegun } from "../../../src/ledger/campaigns/starting.ts";
import {
  batchOf,
  contact,
  contactsOf,
  create,
  freshPhones,
  HOUR_MS,
  MINUTE_MS,
  holdsOf,
  NOW_MS,
  openPhones,
  PACE,
  permit,
  plan,
  running,
  tallies,
  tell,
} from "../support/scenario.ts";
import {
  recordBegun,
  recordCreated,
  recordNotStarted,
  reserveCreate,
} from "../../../src/ledger/campaigns/batch-steps.ts";

const OFFICE_HOURS = { weekdays: ["09:00-18:00"] };
const OPENS_MS = Date.UTC(2026, 5, 1, 13);
const CLOSES_MS = Date.UTC(2026, 5, 1, 22);

/** A batch that the platform has and that only waits for its permission. */
async function created(ledger: Ledger, campaignId: string, nowMs = NOW_MS): Promise<string> {
  const { batchIds } = await plan(ledger, campaignId, nowMs);
  const batchId = given(batchIds[0]);
  await create(ledger, batchId, nowMs);
  return batchId;
}

async function amend(ledger: Ledger, campaignId: string, changes: object, nowMs = NOW_MS) {
  const campaign = given(await readCampaign(ledger.db, campaignId));
  return amendSpec(ledger, {
    campaignId,
    commandId: `amend-${campaignId}-${nowMs}`,
    actor: "test",
    reason: undefined,
    nowMs,
    dialByMarginMs: PACE.dialByMarginMs,
    spec: { ...campaign.spec, ...changes },
  });
}

/** As whoever changes a policy and does not look at its batches. */
async function rewrite(ledger: Ledger, campaignId: string, changes: object): Promise<void> {
  await rows(
    ledger.db,
    sql`update campaigns set spec = spec || ${JSON.stringify(changes)}::jsonb where id = ${campaignId}::uuid`,
  );
}

describeLedgers("permission to start", (ledger) => {
  describe("given", () => {
    it("once: whoever asks again is told where the batch stands", async () => {
      const batchId = await created(ledger(), await running(ledger(), freshPhones(2)));
      expect(await permit(ledger(), batchId)).toMatchObject({
        kind: "permitted",
        batch: { id: batchId, state: "starting" },
      });
      expect(await permit(ledger(), batchId)).toMatchObject({
        kind: "elsewhere",
        batch: { state: "starting" },
      });
      await recordBegun(ledger().db, batchId, NOW_MS);
      expect(await permit(ledger(), batchId)).toMatchObject({
        kind: "elsewhere",
        batch: { state: "running" },
      });
    });

    it("to one of many who ask at once", async () => {
      const batchId = await created(ledger(), await running(ledger(), freshPhones(2)));
      const answers = await Promise.all(Array.from({ length: 8 }, () => permit(ledger(), batchId)));
      expect(answers.filter((answer) => answer.kind === "permitted")).toHaveLength(1);
    });

    it("again only after the start's own answer said that nothing happened", async () => {
      const batchId = await created(ledger(), await running(ledger(), freshPhones(2)));
      await permit(ledger(), batchId);
      expect(await recordNotStarted(ledger().db, batchId)).toBe(true);
      expect((await batchOf(ledger(), batchId)).startSentAtMs).toBeUndefined();
      expect((await permit(ledger(), batchId, NOW_MS + 1_000)).kind).toBe("permitted");
      await recordBegun(ledger().db, batchId, NOW_MS);
      expect(await recordNotStarted(ledger().db, batchId)).toBe(false);
    });

    it("with what the ledger holds of the batch by then: which start it is, and by when it has to dial", async () => {
      const id = await running(ledger(), freshPhones(1), { window: OFFICE_HOURS }, OPENS_MS);
      const batchId = await created(ledger(), id, OPENS_MS);
      const permitted = async (nowMs: number) => {
        const answer = await permit(ledger(), batchId, nowMs);
        if (answer.kind !== "permitted") throw new Error(answer.kind);
        const { state, startNo, startRefusal, dialByMs, startSentAtMs } = await batchOf(ledger(), batchId);
        expect(answer.batch).toMatchObject({ state, startNo, startRefusal, dialByMs });
        return { startNo, startRefusal, dialByMs, startSentAtMs };
      };
      const dialByMs = CLOSES_MS - PACE.dialByMarginMs;
      const first = { startNo: 1, startRefusal: undefined, dialByMs, startSentAtMs: OPENS_MS };
      expect(await permitted(OPENS_MS)).toEqual(first);
      await recordNotStarted(ledger().db, batchId, "no such batch");
      expect((await batchOf(ledger(), batchId)).startRefusal).toBe("no such batch");
      const secondMs = OPENS_MS + MINUTE_MS;
      expect(await permitted(secondMs)).toEqual({ ...first, startNo: 2, startSentAtMs: secondMs });
    });

    it("without an end where the campaign may always dial", async () => {
      const batchId = await created(ledger(), await running(ledger(), freshPhones(1)));
      expect(await permit(ledger(), batchId)).toMatchObject({ batch: { dialByMs: undefined } });
      expect((await batchOf(ledger(), batchId)).dialByMs).toBeUndefined();
    });

    it("not to a batch that is only planned, nor to one that there is not", async () => {
      const { batchIds } = await plan(ledger(), await running(ledger(), freshPhones(1)));
      expect(await permit(ledger(), given(batchIds[0]))).toMatchObject({
        kind: "elsewhere",
        batch: { state: "planned" },
      });
      expect(await permit(ledger(), "00000000-0000-4000-8000-000000000000")).toEqual({ kind: "missing" });
    });
  });

  describe("under the policy of this moment", () => {
    it("cites the version in force, though the batch was planned under an earlier one", async () => {
      const id = await running(ledger(), freshPhones(2));
      const batchId = await created(ledger(), id);
      await amend(ledger(), id, { concurrency: 9 });
      expect((await permit(ledger(), batchId)).kind).toBe("permitted");
      expect((await batchOf(ledger(), batchId)).policyVersion).toBe(2);
      const versions = await rows<{ policy_version: number }>(
        ledger().db,
        sql`select distinct policy_version from attempts where batch_id = ${batchId}::uuid`,
      );
      expect(versions).toEqual([{ policy_version: 2 }]);
    });

    it("moves the last moment of a dial forward where the window now closes sooner, and never back", async () => {
      const id = await running(ledger(), freshPhones(2), { window: OFFICE_HOURS }, OPENS_MS);
      const batchId = await created(ledger(), id, OPENS_MS);
      await amend(ledger(), id, { window: { weekdays: ["09:00-12:00"] } }, OPENS_MS);
      await permit(ledger(), batchId, OPENS_MS);
      expect((await batchOf(ledger(), batchId)).dialByMs).toBe(
        Date.UTC(2026, 5, 1, 16) - PACE.dialByMarginMs,
      );
      const other = await running(ledger(), freshPhones(2), { window: OFFICE_HOURS }, OPENS_MS);
      const longer = await created(ledger(), other, OPENS_MS);
      await amend(ledger(), other, { window: { weekdays: ["09:00-20:00"] } }, OPENS_MS);
      await permit(ledger(), longer, OPENS_MS);
      expect((await batchOf(ledger(), longer)).dialByMs).toBe(CLOSES_MS - PACE.dialByMarginMs);
    });

    it.each([
      ["the margin before the window closes has begun", CLOSES_MS - PACE.dialByMarginMs],
      ["the window has closed since it was planned", CLOSES_MS],
      ["it is long closed", CLOSES_MS + 3 * HOUR_MS],
    ])("is refused where %s", async (_name, nowMs) => {
      const id = await running(ledger(), freshPhones(2), { window: OFFICE_HOURS }, OPENS_MS);
      const batchId = await created(ledger(), id, OPENS_MS);
      expect(await permit(ledger(), batchId, nowMs)).toEqual({
        kind: "stopped",
        reason: "window",
        campaignId: id,
      });
      expect(await batchOf(ledger(), batchId)).toMatchObject({
        state: "draining",
        held: 0,
        stopReason: "window",
      });
      expect(await tallies(ledger(), id)).toMatchObject({ open: 2, leased: 0 });
      await expectInvariants(ledger());
    });

    it("has the first end of permission of its people, less the margin, though nobody told the batch", async () => {
      const people = [
        contact(given(freshPhones(1)[0]), 2, { zones: ["Europe/London"] }),
        contact(given(freshPhones(1)[0]), 3, { zones: ["Europe/Berlin"] }),
        contact(given(freshPhones(1)[0]), 4, { zones: ["Europe/Lisbon"] }),
      ];
      const id = await running(ledger(), people, {}, OPENS_MS);
      const batchId = await created(ledger(), id, OPENS_MS);
      await rewrite(ledger(), id, { window: OFFICE_HOURS });
      const berlinClosesMs = Date.UTC(2026, 5, 1, 16);
      const dialByMs = berlinClosesMs - PACE.dialByMarginMs;
      expect(await permit(ledger(), batchId, OPENS_MS)).toMatchObject({
        kind: "permitted",
        batch: { size: 3, dialByMs },
      });
      expect((await batchOf(ledger(), batchId)).dialByMs).toBe(dialByMs);
    });

    it.each([
      ["is refused from the margin on, though nobody told the batch", 0, "stopped"],
      ["is given until the margin, though nobody told the batch", -1, "permitted"],
    ])("%s", async (_name, laterMs, kind) => {
      const people = [contact(given(freshPhones(1)[0]), 2, { zones: ["Europe/Berlin"] })];
      const id = await running(ledger(), people, {}, OPENS_MS);
      const batchId = await created(ledger(), id, OPENS_MS);
      await rewrite(ledger(), id, { window: OFFICE_HOURS });
      const nowMs = Date.UTC(2026, 5, 1, 16) - PACE.dialByMarginMs + laterMs;
      expect((await permit(ledger(), batchId, nowMs)).kind).toBe(kind);
    });

    it("is refused where the time that it was planned for is over, though the window now closes later", async () => {
      const id = await running(ledger(), freshPhones(1), { window: OFFICE_HOURS }, OPENS_MS);
      const batchId = await created(ledger(), id, OPENS_MS);
      await amend(ledger(), id, { window: { weekdays: ["09:00-20:00"] } }, OPENS_MS);
      expect(await permit(ledger(), batchId, CLOSES_MS - PACE.dialByMarginMs)).toMatchObject({
        kind: "stopped",
        reason: "window",
      });
    });

    it("is still given a moment before the margin begins", async () => {
      const id = await running(ledger(), freshPhones(1), { window: OFFICE_HOURS }, OPENS_MS);
      const batchId = await created(ledger(), id, OPENS_MS);
      const lastMs = CLOSES_MS - PACE.dialByMarginMs - 1;
      expect((await permit(ledger(), batchId, lastMs)).kind).toBe("permitted");
    });
  });

  describe("refused", () => {
    it.each([
      [
        "everything was stopped",
        "stop_all",
        () =>
          ledger().transaction((tx) => stopEverything(tx, { actor: "test", reason: "fire", nowMs: NOW_MS })),
      ],
      ["the ledger has to be recovered", "recovery", () => requireRecovery(ledger().db, "restored", NOW_MS)],
    ] as const)("because %s", async (_why, reason, bringAbout) => {
      const id = await running(ledger(), freshPhones(2));
      const batchId = await created(ledger(), id);
      await bringAbout();
      expect(await permit(ledger(), batchId)).toEqual({ kind: "stopped", reason, campaignId: id });
      await ledger().transaction(async (tx) => {
        await goOn(tx, { actor: "test", reason: "over", nowMs: NOW_MS });
        await releaseRecovery(tx, "test", NOW_MS, {});
      });
      expect(await tallies(ledger(), id)).toMatchObject({ open: 2, leased: 0 });
    });

    it("because clocks disagree", async () => {
      const id = await running(ledger(), freshPhones(1));
      const batchId = await created(ledger(), id);
      const answer = await permit(ledger(), batchId, NOW_MS, { reason: "clocks", detail: "9 minutes apart" });
      expect(answer).toEqual({ kind: "stopped", reason: "policy", campaignId: id });
      expect(await tallies(ledger(), id)).toMatchObject({ open: 1, leased: 0 });
    });

    it.each([
      ["pause", "pause"],
      ["cancel", "cancel"],
    ] as const)("after %s, whichever of the two comes first", async (command, reason) => {
      const id = await running(ledger(), freshPhones(2));
      const batchId = await created(ledger(), id);
      await permit(ledger(), batchId);
      await tell(ledger(), command, id);
      // The start request met a 429: it may be sent again, if it is still allowed.
      await recordNotStarted(ledger().db, batchId);
      expect(await permit(ledger(), batchId)).toEqual({ kind: "stopped", reason, campaignId: id });
      await expectInvariants(ledger());
    });

    it.each([
      ["scheduled", "pause"],
      ["paused", "pause"],
      ["failed", "pause"],
      ["draining", "cancel"],
      ["cancelled", "cancel"],
    ])("to a campaign that is %s, though nobody told the batch", async (state, reason) => {
      const id = await running(ledger(), freshPhones(1));
      const batchId = await created(ledger(), id);
      const setState = (to: string) =>
        rows(
          ledger().db,
          sql`update campaigns set state = ${to}, paused_by = case when ${to} = 'paused' then 'person' end where id = ${id}::uuid`,
        );
      await setState(state);
      expect(await permit(ledger(), batchId)).toEqual({ kind: "stopped", reason, campaignId: id });
      await setState("running");
    });

    it("because of one contact takes the others back, and excludes only that one", async () => {
      const phones = freshPhones(5);
      const id = await running(ledger(), phones);
      const batchId = await created(ledger(), id);
      await ledger().transaction((tx) =>
        addSuppressions(tx, {
          entries: [{ phone: given(phones[2]), brand: "default", source: "call", reason: "asked" }],
          actor: "test",
          nowMs: NOW_MS,
        }),
      );
      expect(await permit(ledger(), batchId)).toEqual({ kind: "stopped", reason: "policy", campaignId: id });
      expect((await contactsOf(ledger(), id)).map((row) => row.reason ?? row.state)).toEqual([
        "open",
        "open",
        "suppressed",
        "open",
        "open",
      ]);
      const refusals = await rows(
        ledger().db,
        sql`select r.reason, r.detail, r.policy_version, r.times from refusals r join contacts c on c.id = r.contact_id
            where c.campaign_id = ${id}::uuid`,
      );
      expect(refusals).toEqual([
        { reason: "suppressed", detail: "brand suppression (call): asked", policy_version: 1, times: 1 },
      ]);
      expect((await plan(ledger(), id)).tallies).toMatchObject({ open: 0, leased: 4 });
      await expectInvariants(ledger());
    });

    it("by an amended policy: fewer attempts, dates, another window", async () => {
      const id = await running(ledger(), freshPhones(2));
      const batchId = await created(ledger(), id);
      await rewrite(ledger(), id, { starts_at: "2026-06-02T00:00:00Z" });
      expect(await permit(ledger(), batchId)).toMatchObject({ kind: "stopped", reason: "policy" });
      expect((await contactsOf(ledger(), id)).map((row) => [row.state, row.due_ms])).toEqual([
        ["open", NOW_MS],
        ["open", NOW_MS],
      ]);
      // What is of the campaign holds it, and no contact: it may be amended again.
      expect((await plan(ledger(), id)).batchIds).toEqual([]);
      expect(await holdsOf(ledger(), id)).toMatchObject([{ reason: "before_start" }]);
    });
  });

  describe("the platform batch that may be started", () => {
    it("is the first that was recorded, and stays so", async () => {
      const { batchIds } = await plan(ledger(), await running(ledger(), freshPhones(1)));
      const batchId = given(batchIds[0]);
      expect(await reserveCreate(ledger().db, batchId)).toBe(1);
      expect(await reserveCreate(ledger().db, batchId)).toBe(2);
      expect(await recordCreated(ledger().db, batchId, "second", NOW_MS)).toBe(true);
      expect(await recordCreated(ledger().db, batchId, "first", NOW_MS)).toBe(false);
      expect(await batchOf(ledger(), batchId)).toMatchObject({ platformBatchId: "second", createNo: 2 });
      expect(await reserveCreate(ledger().db, batchId)).toBeUndefined();
    });

    it("is none once the batch was stopped before", async () => {
      const id = await running(ledger(), freshPhones(1));
      const { batchIds } = await plan(ledger(), id);
      const batchId = given(batchIds[0]);
      await reserveCreate(ledger().db, batchId);
      await tell(ledger(), "pause", id);
      expect(await recordCreated(ledger().db, batchId, "late", NOW_MS)).toBe(false);
      expect(await permit(ledger(), batchId)).toMatchObject({
        kind: "elsewhere",
        batch: { state: "draining" },
      });
      expect(await openPhones(ledger(), batchId)).toEqual([]);
    });

    it("moves only from the state that is named, and only where that is a move", async () => {
      const batchId = await created(ledger(), await running(ledger(), freshPhones(1)));
      expect(await recordBegun(ledger().db, batchId, NOW_MS)).toBe(false);
      expect(await moveBatch(ledger().db, batchId, "running", "draining")).toBe(false);
      await expect(moveBatch(ledger().db, batchId, "created", "settled")).rejects.toThrow(
        "does not go from created to settled",
      );
      expect((await batchOf(ledger(), batchId)).state).toBe("created");
    });
  });

  describe("a batch that the platform shows as begun, though it had denied its start,", () => {
    it("is taken for started, whatever policy says by now", async () => {
      const id = await running(ledger(), freshPhones(2));
      const batchId = await created(ledger(), id);
      await permit(ledger(), batchId);
      await recordNotStarted(ledger().db, batchId, "no such batch");
      await rewrite(ledger(), id, { starts_at: "2026-06-02T00:00:00Z" });
      await adoptBegun(ledger(), { batchId, nowMs: NOW_MS + MINUTE_MS });
      expect(await batchOf(ledger(), batchId)).toMatchObject({
        state: "starting",
        startNo: 2,
        startSentAtMs: NOW_MS + MINUTE_MS,
      });
      expect(await openPhones(ledger(), batchId)).toHaveLength(2);
    });

    it("stays as it is where it is not about to start, or is none of ours", async () => {
      const { batchIds } = await plan(ledger(), await running(ledger(), freshPhones(1)));
      const planned = given(batchIds[0]);
      await adoptBegun(ledger(), { batchId: planned, nowMs: NOW_MS });
      expect(await batchOf(ledger(), planned)).toMatchObject({ state: "planned", startNo: 0 });
      const begun = await created(ledger(), await running(ledger(), freshPhones(1)));
      await permit(ledger(), begun);
      await recordBegun(ledger().db, begun, NOW_MS);
      await adoptBegun(ledger(), { batchId: begun, nowMs: NOW_MS + MINUTE_MS });
      expect(await batchOf(ledger(), begun)).toMatchObject({
        state: "running",
        startNo: 1,
        startSentAtMs: NOW_MS,
      });
      const nobody = "00000000-0000-4000-8000-000000000000";
      await expect(adoptBegun(ledger(), { batchId: nobody, nowMs: NOW_MS })).resolves.toBeUndefined();
    });
  });

  it("a permission holds the slots and the numbers until the batch says otherwise", async () => {
    const phones = freshPhones(3);
    const id = await running(ledger(), phones);
    const batchId = await created(ledger(), id);
    await permit(ledger(), batchId);
    expect((await plan(ledger(), id, NOW_MS + 5 * MINUTE_MS)).heldSlots).toBe(3);
    const rival = await running(ledger(), phones);
    expect((await plan(ledger(), rival, NOW_MS + 5 * MINUTE_MS)).tallies).toMatchObject({
      open: 3,
      leased: 0,
    });
  });
});
