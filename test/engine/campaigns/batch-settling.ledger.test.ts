import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import {
  announce,
  closeIfSettled,
  readCallsFor,
  releaseIdleSlots,
  settleByWord,
  settleFromItems,
  settleUnknown,
} from "../../../src/activities/campaigns/batch-settling.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { batchStep, noteStepFailure, noteStepSuccess } from "../../../src/activities/ground/failing-steps.ts";
import { policyOf } from "../../../src/domain/campaigns/campaign-spec.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { settleFindings, type SettleResult } from "../../../src/ledger/campaigns/settling.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { ended, MINUTE_MS, plan, running, freshPhones } from "../../ledger/support/scenario.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { call, item, toldBatches } from "../../support/told-batches.ts";
import { endless, toldPlatform, type ToldPlatform } from "../../support/told-platform.ts";

/** Whoever is interested says so in the analysis of the call. */
const BY_ANALYSIS = {
  analysis: {
    rules: [{ key: "interested", equals: true, disposition: "callback_requested" as const }],
    wait: "5m",
  },
};

const ACCOUNT = { limit: 2, reserve: 0 };

/* What is written of a batch after each look at the platform (src/activities/campaigns/batch-settling.ts). */
describe("a look at the people of a batch", () => {
  withLedger((ledger) => {
    let platform: ToldPlatform;
    beforeAll(() => {
      platform = toldPlatform(ledger());
    });
    afterEach(() => platform.forget());
    afterAll(() => platform.close());

    const { begun, starting, batchOf, comeOf, reasonsOf } = toldBatches(ledger, () => platform);
    const settle = async (
      batchId: string,
      more: { signal?: AbortSignal; deps?: Partial<ActivityDeps> } = {},
    ) => {
      const { deps, ...options } = more;
      return settleFromItems({ ...platform.deps, ...deps }, await batchOf(batchId), {
        proof: false,
        ...options,
      });
    };
    const completed = (phone: string) =>
      item(phone, { status: "completed", call_id: `call-${phone}`, attempt_count: 1 });
    /** Another campaign that waits for lines of the account, of which the batch has all; what other tests left has none. */
    const waiting = async (batchId: string, nowMs: number): Promise<string> => {
      await rows(
        ledger().db,
        sql`update batches set state = 'settled', held = 0, look_by = null where id <> ${batchId}::uuid`,
      );
      await rows(ledger().db, sql`update campaigns set waiting = 0`);
      const id = await running(ledger(), freshPhones(2), { concurrency: 2 }, nowMs);
      await plan(ledger(), id, nowMs, { account: ACCOUNT });
      platform.woken.length = 0;
      return id;
    };
    const dispositionsOf = async (batchId: string) =>
      (
        await rows<{ disposition: string }>(
          ledger().db,
          sql`select disposition from attempts where batch_id = ${batchId}::uuid order by phone`,
        )
      ).map(({ disposition }) => disposition);
    const askedFor = (what: string) => platform.asked.filter((one) => one === what).length;

    it("writes what items say by themselves, tells whoever counts, and wakes the campaign up at its end", async () => {
      const { id, batchId, phones } = await begun(2);
      platform.told.items = phones.map((phone) => item(phone, { status: "voicemail" }));
      const { attempts, view, reading, result } = await settle(batchId);
      expect([attempts.length, view.items.length, reading.findings.length]).toEqual([2, 2, 2]);
      expect(result).toMatchObject({ ended: 2, open: 0 });
      expect(await comeOf(id)).toEqual(["voicemail", "voicemail"]);
      expect(platform.asked).toEqual(["items"]);
      expect(platform.metered).toEqual([{ ended: 2 }]);
      expect(platform.woken).toEqual([id]);
    });

    it("asks the platform for nothing where nobody of it is left", async () => {
      const { batchId, phones } = await begun(1);
      await settleFindings(ledger(), {
        batchId,
        findings: [ended(given(phones[0]), "answered", platform.clock.nowMs)],
        nowMs: platform.clock.nowMs,
      });
      const { attempts, view } = await settle(batchId);
      expect(attempts).toEqual([]);
      expect(view).toEqual({ items: [], calls: new Map() });
      expect(platform.asked).toEqual([]);
    });

    it("does not wake the campaign up while others are still up, nor deliver what nobody waits for", async () => {
      const { batchId, phones } = await begun(2);
      platform.told.items = [
        item(phones[0], { status: "busy" }),
        item(phones[1], { status: "ringing", call_id: "call-up" }),
      ];
      await settle(batchId);
      expect(platform.woken).toEqual([]);
      expect(platform.clock.kicks).toBe(0);
    });

    it("lists the calls where what somebody came to stands there", async () => {
      const { id, batchId, phones } = await begun(2);
      platform.told.items = phones.map(completed);
      platform.told.calls = [call(phones[0]), call(phones[1], { duration_seconds: 0 })];
      await settle(batchId);
      expect(new Set(platform.asked)).toEqual(new Set(["items", "calls"]));
      expect(await comeOf(id)).toEqual(["answered", "open"]);
      expect(await reasonsOf(id)).toEqual([
        "item completed, call ended, 20 s",
        "item completed, call ended, 0 s",
      ]);
    });

    it("writes what does not depend on calls where those can't be listed, and gives nobody up for it", async () => {
      const { id, batchId, phones } = await begun(2);
      const endedAt = new Date(platform.clock.nowMs).toISOString();
      platform.told.items = [
        item(phones[0], { status: "voicemail" }),
        { ...completed(given(phones[1])), completed_at: endedAt },
      ];
      platform.told.calls = 503;
      await expect(settle(batchId)).rejects.toThrow("503");
      platform.clock.nowMs += 60 * MINUTE_MS;
      await expect(settle(batchId)).rejects.toThrow("503");
      expect(await comeOf(id)).toEqual(["voicemail", "leased"]);
      platform.told.calls = [];
      await settle(batchId);
      expect(await comeOf(id)).toEqual(["voicemail", "unknown"]);
    });

    it("takes what calls say that stand in a listing which leads to no end", async () => {
      const { id, batchId, phones } = await begun(1);
      platform.told.items = phones.map(completed);
      platform.told.calls = endless(phones.map((phone) => call(phone)));
      await settle(batchId);
      expect(await comeOf(id)).toEqual(["answered"]);
    });

    it("gives nobody up whose call was not asked for, however long it was waited for", async () => {
      const { id, batchId, phones, nowMs } = await begun(1);
      const { spec } = given(await readCampaign(ledger().db, id));
      const endedAt = new Date(nowMs).toISOString();
      platform.told.items = [{ ...completed(given(phones[0])), completed_at: endedAt }];
      const { attempts, view } = await settle(batchId);
      const [attempt] = attempts;
      platform.clock.nowMs += 60 * MINUTE_MS;
      const reads = async (mayList: boolean) =>
        readCallsFor(platform.deps, await batchOf(batchId), view, {
          attempts: [{ ...given(attempt), state: "provisional" }],
          policy: policyOf(spec, 1),
          mayList: () => mayList,
          callsAtMost: 1,
          signal: undefined,
        });
      platform.asked.length = 0;
      const unasked = await reads(false);
      expect(unasked).toMatchObject({ isListed: false, unlisted: undefined });
      expect(unasked.reading.findings).toMatchObject([{ outcome: { kind: "provisional" } }]);
      expect(platform.asked).toEqual([]);
      const asked = await reads(true);
      expect(asked).toMatchObject({ isListed: true, unlisted: undefined });
      expect(asked.reading.findings).toMatchObject([{ outcome: { kind: "ended", disposition: "unknown" } }]);
    });

    it("writes nothing once it is called off, or fails for a reason of ours", async () => {
      const { id, batchId, phones } = await begun(2);
      platform.told.items = [item(phones[0], { status: "voicemail" }), completed(given(phones[1]))];
      const calledOff = new AbortController();
      platform.told.calls = () => {
        calledOff.abort();
        return [];
      };
      await expect(settle(batchId, { signal: calledOff.signal })).rejects.toThrow("abort");
      expect(await comeOf(id)).toEqual(["leased", "leased"]);
      const { deps } = platform;
      const broken = {
        ...deps.platform,
        calls: {
          ...deps.platform.calls,
          iterate: () => {
            throw new TypeError("ours");
          },
        },
      };
      await expect(settle(batchId, { deps: { platform: broken } })).rejects.toThrow("ours");
      expect(await comeOf(id)).toEqual(["leased", "leased"]);
    });

    describe("whose calls have to be read whole", () => {
      const whole = (changes: object) => ({ ...call("one", changes), processing_status: "completed" });
      const pending = { ...call("one"), processing_status: "pending" };
      const unprocessed = async (count: number) => {
        const batch = await begun(count, BY_ANALYSIS);
        const endedAt = new Date(platform.clock.nowMs).toISOString();
        platform.told.items = batch.phones.map((phone) => ({ ...completed(phone), completed_at: endedAt }));
        platform.told.calls = batch.phones.map((phone) => call(phone));
        return batch;
      };

      it("reads twenty at most, and the others at its next looks", async () => {
        const { id, batchId } = await unprocessed(25);
        platform.told.call = () => whole({ call_analysis: { interested: true } });
        await settle(batchId);
        expect(askedFor("call")).toBe(20);
        await settle(batchId);
        expect(askedFor("call")).toBe(25);
        expect(new Set(await comeOf(id))).toEqual(new Set(["callback_requested"]));
      });

      it("decides of nobody without the analysis whose call it did not ask for, however late", async () => {
        const { id, batchId } = await unprocessed(25);
        platform.told.call = pending;
        await settle(batchId);
        // Nobody looked for longer than anybody waits.
        platform.clock.nowMs += 60 * MINUTE_MS;
        platform.told.call = () => whole({ call_analysis: { interested: true } });
        await settle(batchId);
        await settle(batchId);
        expect(await comeOf(id)).toEqual(Array.from({ length: 25 }, () => "callback_requested"));
        expect(askedFor("call"), "who waits is asked for once more, and nobody besides").toBe(20 + 25);
      });

      it("asks for those first who were not asked for, or not for the longest", async () => {
        const { id, batchId, phones } = await unprocessed(25);
        const asked = new Map<string, number>();
        const stuck = new Set(phones.slice(0, 20));
        const calls = platform.deps.platform.calls;
        const get: typeof calls.get = (callId, options) => {
          const phone = callId.replace("call-", "");
          asked.set(phone, (asked.get(phone) ?? 0) + 1);
          platform.told.call = stuck.has(phone) ? pending : whole({ call_analysis: { interested: true } });
          return calls.get(callId, options);
        };
        const look = () =>
          settle(batchId, { deps: { platform: { ...platform.deps.platform, calls: { ...calls, get } } } });
        await look();
        expect([...asked.keys()]).toEqual(phones.slice(0, 20));
        platform.clock.nowMs += MINUTE_MS;
        await look();
        expect((await comeOf(id)).slice(20)).toEqual(Array.from({ length: 5 }, () => "callback_requested"));
        // The five, and fifteen of those before; now it is the other five's turn.
        platform.clock.nowMs += MINUTE_MS;
        await look();
        expect([...asked.values()].filter((times) => times === 2)).toHaveLength(5);
        expect([...asked.values()].filter((times) => times === 3)).toHaveLength(15);
        platform.clock.nowMs += 5 * MINUTE_MS;
        await look();
        expect((await comeOf(id)).slice(0, 20)).toEqual(Array.from({ length: 20 }, () => "answered"));
      });

      it("takes silence for no answer, and decides without one after a day of it", async () => {
        const { id, batchId } = await unprocessed(1);
        platform.told.call = pending;
        await settle(batchId);
        const lookIn = async (minutes: number, silence: number) => {
          platform.clock.nowMs += minutes * MINUTE_MS;
          platform.told.call = silence;
          await settle(batchId);
          return comeOf(id);
        };
        // What nobody asked for while nobody looked was not silent.
        expect(await lookIn(3 * 24 * 60, 429)).toEqual(["leased"]);
        expect(await lookIn(23 * 60, 503)).toEqual(["leased"]);
        expect(await lookIn(60, 429)).toEqual(["answered"]);
      });

      it("leaves those for the next look whom a silence before them kept from being asked for", async () => {
        const { id, batchId } = await unprocessed(6);
        platform.told.call = 429;
        await settle(batchId);
        platform.clock.nowMs += 60 * MINUTE_MS;
        await settle(batchId);
        expect(new Set(await comeOf(id))).toEqual(new Set(["leased"]));
        platform.told.call = () => whole({ call_analysis: { interested: true } });
        await settle(batchId);
        expect(new Set(await comeOf(id))).toEqual(new Set(["callback_requested"]));
      });

      it("goes on where one of them can't be read, and decides of it without once it was waited for", async () => {
        const { id, batchId } = await unprocessed(3);
        let asked = 0;
        platform.told.call = () => {
          asked += 1;
          return asked === 2 ? 500 : whole({ call_analysis: { interested: true } });
        };
        await settle(batchId);
        expect(asked).toBe(3);
        expect((await comeOf(id)).toSorted()).toEqual(["callback_requested", "callback_requested", "leased"]);
        platform.told.call = 500;
        platform.clock.nowMs += 5 * MINUTE_MS;
        await settle(batchId);
        expect((await comeOf(id)).toSorted()).toEqual([
          "answered",
          "callback_requested",
          "callback_requested",
        ]);
      });

      it("decides without their analysis once it was waited for, where no call has to be listed", async () => {
        const { id, batchId, phones, nowMs } = await begun(1, BY_ANALYSIS);
        const completed_at = new Date(nowMs).toISOString();
        platform.told.items = [item(phones[0], { status: "voicemail", call_id: "a call", completed_at })];
        await settle(batchId);
        expect(await comeOf(id)).toEqual(["leased"]);
        platform.clock.nowMs += 5 * MINUTE_MS;
        await settle(batchId);
        expect(await comeOf(id)).toEqual(["voicemail"]);
        expect(askedFor("calls")).toBe(0);
      });

      it("stops at two silences in a row, since more would only take time", async () => {
        const { batchId } = await unprocessed(6);
        platform.told.call = 429;
        await settle(batchId);
        expect(askedFor("call")).toBe(2);
        platform.told.call = () => {
          throw new Error("the connection is lost");
        };
        await settle(batchId);
        expect(askedFor("call")).toBe(4);
        // An answer in between, be it a no, shows that the platform is there.
        const answers = [429, 404, 429, whole({}), 429, 429];
        platform.told.call = () => answers.shift() ?? 404;
        await settle(batchId);
        expect(answers).toEqual([]);
      });

      it("leaves them alone where a look is called off meanwhile, or fails for a reason of ours", async () => {
        const { id, batchId } = await unprocessed(2);
        const { deps } = platform;
        for (const error of [new TypeError("ours"), await abortedError(deps)]) {
          const broken = {
            ...deps.platform,
            calls: { ...deps.platform.calls, get: () => Promise.reject(error) },
          };
          await expect(settle(batchId, { deps: { platform: broken } })).rejects.toBe(error);
          expect(await comeOf(id)).toEqual(["leased", "leased"]);
        }
      });
    });

    describe("tells", () => {
      it("its own batch that it stops, where one of its numbers is suppressed", async () => {
        const { id, batchId, phones, nowMs } = await begun(2);
        await ledger().transaction((tx) =>
          addSuppressions(tx, {
            entries: [{ phone: given(phones[0]), brand: undefined, source: "test", reason: "asked" }],
            actor: "test",
            nowMs,
          }),
        );
        platform.told.items = phones.map((phone) => item(phone, { status: "pending" }));
        await settle(batchId);
        expect(platform.woken).toEqual([batchId]);
        expect(await batchOf(batchId)).toMatchObject({ stopReason: "suppression" });
        expect(await comeOf(id)).toEqual(["leased", "leased"]);
      });

      it("whoever waits for what is in the outbox", async () => {
        const { batchId, phones } = await begun(1, {
          follow_ups: [{ id: "rule", on: ["voicemail"], actions: [{ tag: { tag: "warm" } }] }],
        });
        platform.told.items = [item(phones[0], { status: "voicemail" })];
        await settle(batchId);
        expect(platform.clock.kicks).toBe(1);
      });

      it("a campaign whose newest calls open its breaker that it is paused, and its batches that they stop", async () => {
        const breaker = { newest: 10, at_least: 5, voicemail: 0.5 };
        const { id, batchId, phones } = await begun(6, { breaker, retry: { max_attempts: 1 } });
        const come = (count: number) =>
          phones.map((phone, index) => item(phone, { status: index < count ? "voicemail" : "pending" }));
        platform.told.items = come(4);
        await settle(batchId);
        expect((await batchOf(batchId)).stopReason).toBeUndefined();
        platform.told.items = come(5);
        await settle(batchId);
        expect(await batchOf(batchId)).toMatchObject({ stopReason: "pause" });
        expect(platform.woken).toEqual(expect.arrayContaining([id, batchId]));
        expect(platform.logged).toContain("campaign paused by its breaker");
      });

      it("the campaigns that wait for the lines which are free now", async () => {
        const { batchId, phones, nowMs } = await begun(2);
        const other = await waiting(batchId, nowMs);
        platform.told.items = [item(phones[0], { status: "ringing", call_id: "a call" })];
        await settle(batchId, { deps: { account: ACCOUNT } });
        expect(platform.woken, "nothing is free").toEqual([]);
        platform.told.items = phones.map((phone) => item(phone, { status: "voicemail" }));
        await settle(batchId, { deps: { account: ACCOUNT } });
        expect(platform.woken).toContain(other);
      });

      const refused = (isBare: boolean): SettleResult["refused"][number] => ({
        phone: "+12025550199",
        isBare,
        why: "the ledger would not have it",
      });
      const resultWith = async (batchId: string, changes: Partial<SettleResult>): Promise<SettleResult> => ({
        ...given(await settleFindings(ledger(), { batchId, findings: [], nowMs: platform.clock.nowMs })),
        ...changes,
      });
      const listed = async (batchId: string) =>
        (await listAttention(ledger().db, { resolved: false, limit: 100 })).items.filter(({ subject }) =>
          subject.includes(batchId),
        );

      it("people what can't be written, once that goes on, and takes it off the list once it can", async () => {
        const { batchId } = await begun(2);
        const batch = await batchOf(batchId);
        const lost = await resultWith(batchId, { refused: [refused(false), refused(true), refused(false)] });
        for (let look = 1; look <= 5; look += 1) {
          expect(await listed(batchId), `before look ${look}`).toEqual([]);
          await announce(platform.deps, batch, lost);
        }
        expect(await listed(batchId)).toMatchObject([
          {
            summary: expect.stringContaining(
              "what 2 calls came to can't be written: the ledger would not have it",
            ),
          },
        ]);
        expect(platform.logged.filter((line) => line.includes("written"))).toContain(
          "what a call came to is written without what else was told of it",
        );
        await announce(platform.deps, batch, await resultWith(batchId, { refused: [refused(true)] }));
        expect(await listed(batchId)).toEqual([]);
      });

      it("people of one call in the words for one", async () => {
        const { batchId } = await begun(1);
        const batch = await batchOf(batchId);
        const lost = await resultWith(batchId, { refused: [refused(false)] });
        for (let look = 1; look <= 5; look += 1) await announce(platform.deps, batch, lost);
        expect(await listed(batchId)).toMatchObject([
          { summary: expect.stringContaining("what a call came to can't be written") },
        ]);
      });

      it("nobody that the platform answers again: what was written needed none of its answers", async () => {
        const { batchId } = await begun(1);
        const isAway = async () =>
          (await listAttention(ledger().db, { resolved: false, subject: "platform", limit: 1 })).items.length;
        const { deps, clock, told } = platform;
        told.get = () => {
          throw new Error("it is away");
        };
        const away = await deps.platform.batchCalls.get("one").catch((error: unknown) => error);
        for (let minute = 0; minute < 30; minute += 1) {
          await noteStepFailure(deps, batchStep(batchId, "tend"), away);
          clock.nowMs += MINUTE_MS;
        }
        expect(await isAway()).toBe(1);
        await announce(deps, await batchOf(batchId), await resultWith(batchId, {}));
        expect(await isAway()).toBe(1);
        await noteStepSuccess(deps, batchStep(batchId, "tend"), { asked: true });
        expect(await isAway()).toBe(0);
      });

      it("nobody of a batch that the ledger does not have", async () => {
        const { batchId } = await begun(1);
        await announce(platform.deps, await batchOf(batchId), undefined);
        expect([platform.woken, platform.metered]).toEqual([[], []]);
      });
    });

    it("ends those whose fate stays unknown as dialed, and others by the word of their item", async () => {
      const { id, batchId, phones } = await begun(3, { retry: { max_attempts: 1 } });
      const batch = await batchOf(batchId);
      const [first = "", second = "", third = ""] = phones;
      await settleUnknown(platform.deps, batch, [first, third], "nobody can tell");
      expect(await comeOf(id)).toEqual(["unknown", "leased", "unknown"]);
      await settleByWord(platform.deps, batch, [{ phone: second, why: "no route" }]);
      expect(await reasonsOf(id)).toEqual(["nobody can tell", "item failed: no route", "nobody can tell"]);
      const { attempts, held } = {
        attempts: await dispositionsOf(batchId),
        held: (await batchOf(batchId)).held,
      };
      expect([attempts, held]).toEqual([["unknown", "failed", "unknown"], 0]);
      expect(platform.metered).toEqual([{ ended: 2 }, { ended: 1 }]);
      expect(platform.woken).toContain(id);
      expect(platform.logged).toContain("attempts end as unknown");
    });

    it("ends nobody by a word, or as unknown, where there is nobody to end", async () => {
      const { id, batchId } = await begun(1);
      const batch = await batchOf(batchId);
      await settleUnknown(platform.deps, batch, [], "no reason");
      await settleByWord(platform.deps, batch, []);
      expect([platform.logged, platform.metered]).toEqual([[], []]);
      expect(await comeOf(id)).toEqual(["leased"]);
    });

    describe("of one that was stopped", () => {
      const stopped = async (count: number) => {
        const batch = await begun(count);
        await rows(
          ledger().db,
          sql`update batches set state = 'draining', stop_reason = 'pause' where id = ${batch.batchId}::uuid`,
        );
        await rows(ledger().db, sql`update campaigns set starved = true where id = ${batch.id}::uuid`);
        return batch;
      };
      const release = async (batchId: string, up: string[], missing: string[], active: number, more = {}) =>
        releaseIdleSlots({ ...platform.deps, ...more }, await batchOf(batchId), { up, missing }, active);

      it("gives back the lines of whoever is not up, by the items or by the count, whichever is more", async () => {
        const { id, batchId } = await stopped(10);
        await release(batchId, ["one", "two"], ["three"], 7);
        expect((await batchOf(batchId)).held).toBe(7);
        await release(batchId, ["one", "two"], ["three"], 0);
        expect((await batchOf(batchId)).held).toBe(3);
        platform.woken.length = 0;
        await release(batchId, [], [], 0);
        expect((await batchOf(batchId)).held).toBe(0);
        expect(platform.woken).toEqual([id]);
        await release(batchId, [], [], 0);
        expect(platform.woken, "nothing more is free").toEqual([id]);
      });

      it("offers them to other campaigns", async () => {
        const { batchId, nowMs } = await stopped(2);
        const other = await waiting(batchId, nowMs);
        await release(batchId, [], [], 0, { account: ACCOUNT });
        expect(platform.woken).toContain(other);
      });

      it("keeps them where its start was never seen: it may take effect yet", async () => {
        const { batchId } = await starting(2);
        await rows(ledger().db, sql`update batches set state = 'draining' where id = ${batchId}::uuid`);
        await release(batchId, [], [], 0);
        expect((await batchOf(batchId)).held).toBe(2);
      });
    });

    it("closes a batch once nobody of it is open, and wakes its campaign and whoever waits for lines up", async () => {
      const { id, batchId, phones, nowMs } = await begun(2);
      const other = await waiting(batchId, nowMs);
      const close = async () =>
        closeIfSettled({ ...platform.deps, account: ACCOUNT }, await batchOf(batchId));
      expect(await close()).toBe(false);
      expect(platform.woken).toEqual([]);
      await settleFindings(ledger(), {
        batchId,
        findings: phones.map((phone) => ended(phone, "answered", nowMs)),
        nowMs,
      });
      expect(await close()).toBe(true);
      expect(platform.woken).toEqual([id, other]);
      expect((await batchOf(batchId)).state).toBe("settled");
    });
  });
});

/** What the client throws where a request is called off. */
async function abortedError(deps: ActivityDeps): Promise<unknown> {
  const calledOff = AbortSignal.abort();
  return deps.platform.calls.get("one", { signal: calledOff }).then(
    () => undefined,
    (error: unknown) => error,
  );
}
