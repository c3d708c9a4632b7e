import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { CampaignNotOverError, createCampaign } from "../../../src/ledger/campaigns/campaign-specs.ts";
import {
  findCampaign,
  listCampaigns,
  listLiveCampaignIds,
  lockCampaign,
  readCampaign,
  type Campaign,
} from "../../../src/ledger/campaigns/campaigns.ts";
import { moveCampaign } from "../../../src/ledger/campaigns/campaign-moves.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import {
  goOn,
  readInstallation,
  releaseRecovery,
  requireRecovery,
  stopEverything,
} from "../../../src/ledger/ground/installation.ts";
import { holdLease } from "../../../src/ledger/ground/leases.ts";
import { beginSession } from "../../../src/ledger/ground/sessions.ts";
import { letIn, signedIn } from "../../backup/support.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  createScheduled,
  freshPhones,
  MINUTE_MS,
  NOW_MS,
  plan,
  running,
  specOf,
  tell,
} from "../support/scenario.ts";

function create(ledger: Ledger, changes: object, nowMs = NOW_MS): Promise<Campaign> {
  const spec = specOf(changes);
  return ledger.transaction((tx) => createCampaign(tx, { spec, actor: "test", nowMs }));
}

async function bringToItsEnd(ledger: Ledger, id: string, command?: "cancel"): Promise<void> {
  if (command) await tell(ledger, command, id);
  else await tell(ledger, "start", id);
  await plan(ledger, id);
}

describeLedgers("campaigns and switches", (ledger) => {
  describe("campaigns", () => {
    describe("names and runs", () => {
      it("a name begins with run 1, and is run anew only once it is over", async () => {
        const first = await create(ledger(), { name: "spring", brand: "runs" });
        expect(first).toMatchObject({ run: 1, state: "scheduled", policyVersion: 1, createdAtMs: NOW_MS });
        await expect(create(ledger(), { name: "spring", brand: "runs" })).rejects.toThrow(
          CampaignNotOverError,
        );
        await bringToItsEnd(ledger(), first.id);
        const second = await create(ledger(), { name: "spring", brand: "runs" });
        expect(second.run).toBe(2);
        await bringToItsEnd(ledger(), second.id, "cancel");
        const third = await create(ledger(), { name: "spring", brand: "runs", concurrency: 3 });
        expect(third.run).toBe(3);
        expect(await findCampaign(ledger().db, "runs", "spring")).toMatchObject({ id: third.id });
      });

      it("each brand has its own names", async () => {
        const one = await create(ledger(), { name: "spring", brand: "one" });
        const two = await create(ledger(), { name: "spring", brand: "two" });
        expect([one.run, two.run]).toEqual([1, 1]);
        expect(await findCampaign(ledger().db, "three", "spring")).toBeUndefined();
      });

      it("of two who create a name at once, one is told that it is not over", async () => {
        const tries = await Promise.allSettled(
          Array.from({ length: 8 }, () => create(ledger(), { name: "race", brand: "race" })),
        );
        expect(tries.filter((one) => one.status === "fulfilled")).toHaveLength(1);
        for (const one of tries.filter((other) => other.status === "rejected"))
          expect(one.reason).toBeInstanceOf(CampaignNotOverError);
        const found = await rows(ledger().db, sql`select run from campaigns where brand = 'race'`);
        expect(found).toEqual([{ run: 1 }]);
      });

      it("what was refused leaves nothing behind", async () => {
        await create(ledger(), { name: "left", brand: "left" });
        const before = await rows(ledger().db, sql`select count(*) as n from audit`);
        await expect(create(ledger(), { name: "left", brand: "left" })).rejects.toThrow(/scheduled/);
        expect(await rows(ledger().db, sql`select count(*) as n from audit`)).toEqual(before);
      });

      it("keeps the spec as it was read", async () => {
        const spec = specOf({
          name: "kept",
          default_region: "DE",
          analysis: { rules: [{ key: "k", equals: 1, disposition: "busy" }] },
        });
        const { id } = await ledger().transaction((tx) =>
          createCampaign(tx, { spec, actor: "test", nowMs: NOW_MS }),
        );
        expect(given(await readCampaign(ledger().db, id)).spec).toEqual(spec);
      });
    });

    describe("lists", () => {
      it("show the newest first, page by page, and on demand those that are not over", async () => {
        const [{ total: before }, { total: openBefore }] = [
          await listCampaigns(ledger().db, { limit: 1 }),
          await listCampaigns(ledger().db, { limit: 1, open: true }),
        ];
        const made: string[] = [];
        for (let index = 0; index < 5; index += 1)
          made.push((await createScheduled(ledger(), {}, NOW_MS + (index + 1) * MINUTE_MS)).id);
        await bringToItsEnd(ledger(), given(made[4]));
        const pages = [];
        let after: { atMs: number; id: string } | undefined;
        for (let page = 0; page < 3; page += 1) {
          const { campaigns } = await listCampaigns(ledger().db, { ...(after && { after }), limit: 2 });
          pages.push(...campaigns.map((one) => one.id));
          const last = given(campaigns.at(-1));
          after = { atMs: last.createdAtMs, id: last.id };
        }
        expect(pages.slice(0, 5)).toEqual([...made].reverse());
        expect((await listCampaigns(ledger().db, { limit: 9 })).total).toBe(before + 5);
        const open = await listCampaigns(ledger().db, { limit: 3, open: true });
        expect([open.total, open.campaigns[0]?.id]).toEqual([openBefore + 4, made[3]]);
      });

      it("of campaigns that need their workflow has those that began and are not over", async () => {
        const scheduled = await createScheduled(ledger());
        const live = await running(ledger(), freshPhones(1));
        const paused = await running(ledger(), freshPhones(1));
        await tell(ledger(), "pause", paused);
        const over = await running(ledger(), []);
        await plan(ledger(), over);
        const ids = await listLiveCampaignIds(ledger().db);
        expect(ids).toEqual(expect.arrayContaining([live, paused]));
        expect(ids.filter((id) => id === scheduled.id || id === over)).toEqual([]);
      });
    });

    describe("a change of state", () => {
      it("happens from the states that are named, once", async () => {
        const { id } = await createScheduled(ledger());
        const move = (from: "scheduled" | "running") =>
          moveCampaign(ledger().db, {
            campaignId: id,
            from: [from],
            to: "paused",
            actor: "test",
            reason: "r",
            nowMs: NOW_MS,
          });
        expect(await move("running")).toBe(false);
        expect(await move("scheduled")).toBe(true);
        expect(await move("scheduled")).toBe(false);
        expect(await readCampaign(ledger().db, id)).toMatchObject({
          state: "paused",
          stateReason: "r",
          plannings: 0,
        });
      });

      it("of a campaign that there is not is none", async () => {
        const nobody = "00000000-0000-4000-8000-000000000000";
        expect(await readCampaign(ledger().db, nobody)).toBeUndefined();
        expect(await ledger().transaction((tx) => lockCampaign(tx, nobody))).toBeUndefined();
      });
    });
  });

  describe("the installation's switches", () => {
    it("has one id for good, however many ask first", async () => {
      const ids = await Promise.all(Array.from({ length: 6 }, () => readInstallation(ledger().db)));
      expect(new Set(ids.map((one) => one.installationId)).size).toBe(1);
      expect(ids[0]).toMatchObject({ stopped: undefined, recoveryReason: undefined });
      const count = await rows(ledger().db, sql`select count(*)::int as n from installation`);
      expect(count).toEqual([{ n: 1 }]);
    });

    it("stop-all stays from its first moment until it is lifted, and both are written down with their reasons", async () => {
      const stop = (reason: string, nowMs: number) =>
        ledger().transaction((tx) => stopEverything(tx, { actor: "anna", reason, nowMs }));
      await stop("fire", NOW_MS);
      await stop("still burning", NOW_MS + MINUTE_MS);
      expect((await readInstallation(ledger().db)).stopped).toEqual({
        atMs: NOW_MS,
        reason: "still burning",
      });
      await ledger().transaction((tx) => goOn(tx, { actor: "ben", reason: "false alarm", nowMs: NOW_MS }));
      expect((await readInstallation(ledger().db)).stopped).toBeUndefined();
      const entries = await rows(
        ledger().db,
        sql`select actor, action, detail ->> 'reason' as reason from audit where action in ('stop_all', 'go_on') order by id`,
      );
      expect(entries).toEqual([
        { actor: "anna", action: "stop_all", reason: "fire" },
        { actor: "anna", action: "stop_all", reason: "still burning" },
        { actor: "ben", action: "go_on", reason: "false alarm" },
      ]);
    });

    it("recovery keeps the first reason, is written down once, and is released with what was found", async () => {
      await requireRecovery(ledger().db, "first", NOW_MS);
      await requireRecovery(ledger().db, "second", NOW_MS);
      expect((await readInstallation(ledger().db)).recoveryReason).toBe("first");
      await ledger().transaction((tx) => releaseRecovery(tx, "anna", NOW_MS, { adopted: 3 }));
      expect((await readInstallation(ledger().db)).recoveryReason).toBeUndefined();
      const entries = await rows(
        ledger().db,
        sql`select action, detail from audit where action like 'recovery.%' order by id`,
      );
      expect(entries).toEqual([
        { action: "recovery.required", detail: { reason: "first" } },
        { action: "recovery.released", detail: { adopted: 3 } },
      ]);
    });
  });

  it("ends sessions and links when it comes to wait for its recovery, and none that began since", async () => {
    const { db } = ledger();
    await ledger().transaction(letIn);
    await requireRecovery(db, "restored", NOW_MS);
    expect(await signedIn(db)).toEqual([]);
    const who = { kind: "person", name: "ann@example.com", role: "viewer", brands: undefined } as const;
    await ledger().transaction((tx) => beginSession(tx, who, { nowMs: NOW_MS, lifeMs: MINUTE_MS }));
    await requireRecovery(db, "again", NOW_MS);
    expect(await signedIn(db)).toEqual(["session"]);
  });

  describe("a lease", () => {
    const hold = (name: string, holder: string, nowMs: number) =>
      holdLease(ledger().db, { name, holder, termMs: MINUTE_MS, nowMs });

    it("is one holder's until it has run out, and is prolonged by that holder", async () => {
      expect(await hold("reconciler", "a", NOW_MS)).toBe(true);
      expect(await hold("reconciler", "b", NOW_MS)).toBe(false);
      expect(await hold("reconciler", "a", NOW_MS + 50_000)).toBe(true);
      expect(await hold("reconciler", "b", NOW_MS + 61_000)).toBe(false);
      expect(await hold("reconciler", "b", NOW_MS + 50_000 + MINUTE_MS + 1)).toBe(true);
      expect(await hold("reconciler", "a", NOW_MS + 50_000 + MINUTE_MS + 2)).toBe(false);
      expect(await hold("other work", "a", NOW_MS)).toBe(true);
    });

    it("that was taken by a clock which was hours ahead is anybody's", async () => {
      expect(await hold("ahead", "a", NOW_MS + 2 * 60 * MINUTE_MS)).toBe(true);
      expect(await hold("ahead", "b", NOW_MS)).toBe(true);
      // Clocks that are right are no more than a minute apart.
      expect(await hold("ahead", "a", NOW_MS + MINUTE_MS / 2)).toBe(false);
      expect(await hold("near", "a", NOW_MS + MINUTE_MS)).toBe(true);
      expect(await hold("near", "b", NOW_MS)).toBe(false);
    });

    it("is got by one of many who want it at once", async () => {
      const got = await Promise.all(
        Array.from({ length: 8 }, (_, index) => hold("race", `holder ${index}`, NOW_MS)),
      );
      expect(got.filter(Boolean)).toHaveLength(1);
    });
  });
});
