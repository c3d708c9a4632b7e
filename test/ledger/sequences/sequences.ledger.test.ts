import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { tellEnrolments } from "../../../src/ledger/sequences/enrolment-inbox.ts";
import { listEnrolments } from "../../../src/ledger/sequences/enrolments.ts";
import {
  closeSequence,
  closeUnusedStanding,
  pauseSequence,
  resumeSequence,
} from "../../../src/ledger/sequences/sequence-commands.ts";
import {
  countEnrolments,
  findSequence,
  listSequences,
  listVersions,
  readSequenceById,
} from "../../../src/ledger/sequences/sequences.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  callOf,
  CALL_THEN_END,
  definitionOf,
  dial,
  END,
  enrolled,
  enrollIn,
  enrolmentOf,
  put,
  standingOf,
  storedDefinitionOf,
  turn,
  wayOf,
  written,
  isEnrolmentOpen,
} from "../support/enrolling.ts";
import { outboxOf } from "../support/placing.ts";
import { freshPhones, MINUTE_MS, NOW_MS } from "../support/scenario.ts";

const WAIT = { id: "first", wait: { for: "1d" } };

describeLedgers("sequences", (ledger) => {
  const told = (command: typeof pauseSequence, sequenceId: string, reason?: string) =>
    ledger().transaction((tx) => command(tx, { sequenceId, actor: "test", reason, nowMs: NOW_MS }));

  describe("written down", () => {
    it("the same again is no new version; another one is, and those who are in it stay on theirs", async () => {
      const definition = definitionOf([WAIT]);
      expect(await put(ledger(), definition)).toMatchObject({ kind: "created", sequence: { version: 1 } });
      const first = await enrolled(ledger(), definition.name);
      const reordered = Object.fromEntries(Object.entries(definition).reverse()) as typeof definition;
      expect((await put(ledger(), reordered)).kind).toBe("same");
      const changed = definitionOf([WAIT, END], { name: definition.name });
      const { kind, sequence } = await put(ledger(), changed);
      expect([kind, sequence.version]).toEqual(["new_version", 2]);
      const second = await enrolled(ledger(), definition.name);
      expect((await enrolmentOf(ledger(), first)).version).toBe(1);
      expect((await enrolmentOf(ledger(), second)).version).toBe(2);
      expect((await listVersions(ledger().db, sequence.id)).map(({ version }) => version)).toEqual([2, 1]);
      const day = NOW_MS + 86_400_000;
      for (const id of [first, second]) await turn(ledger(), id);
      for (const id of [first, second]) await turn(ledger(), id, day);
      expect((await enrolmentOf(ledger(), first)).outcome).toBe("completed");
      expect((await enrolmentOf(ledger(), second)).outcome).toBe("over");
    });

    it("by a release that let it go round through calls alone, those who are in it go on", async () => {
      const on = { answered: "end", unknown: "end", otherwise: "first" };
      const definition = storedDefinitionOf([{ id: "first", call: {}, on }, END]);
      const { sequence } = await put(ledger(), definition);
      const [phone] = freshPhones(1) as [string];
      const id = await enrolled(ledger(), definition.name, { phone });
      await turn(ledger(), id);
      const [campaignId] = given((await standingOf(ledger(), sequence.id))[0]).split(" ") as [string];
      await dial(ledger(), campaignId, phone, "answered");
      await turn(ledger(), id, NOW_MS + MINUTE_MS);
      expect(await enrolmentOf(ledger(), id)).toMatchObject({ state: "done", outcome: "over" });
    });

    it("two who write its first version at once make one sequence", async () => {
      const definition = definitionOf([WAIT]);
      const results = await Promise.all([1, 2, 3].map(() => put(ledger(), definition)));
      expect(results.map(({ kind }) => kind).sort()).toEqual(["created", "same", "same"]);
      const { sequences } = await listSequences(ledger().db, { limit: 100, brand: "default" });
      expect(sequences.filter(({ name }) => name === definition.name)).toHaveLength(1);
    });

    it("a call step has its standing campaign, which versions with the same settings share", async () => {
      const { id, definition } = await written(ledger(), CALL_THEN_END);
      const before = await standingOf(ledger(), id);
      expect(before).toHaveLength(1);
      await put(ledger(), definitionOf([...CALL_THEN_END, END], { name: definition.name }));
      expect(await standingOf(ledger(), id)).toEqual(before);
      const who = await enrolled(ledger(), definition.name);
      await put(ledger(), definitionOf(CALL_THEN_END, { name: definition.name, agent_id: "other" }));
      expect(await standingOf(ledger(), id)).toHaveLength(2);
      await turn(ledger(), who);
      await ledger().transaction((tx) =>
        closeSequence(tx, { sequenceId: id, actor: "test", reason: "over", nowMs: NOW_MS }),
      );
      // Somebody still waits for a call of the older settings; nobody will ever use the newer ones.
      expect(await standingOf(ledger(), id)).toEqual(before);
      await closeUnusedStanding(ledger(), NOW_MS);
      expect(await standingOf(ledger(), id)).toEqual(before);
    });
  });

  describe("taking somebody", () => {
    it("is durable with its transaction, and handed to the relay once", async () => {
      const { name, id } = await written(ledger(), [WAIT], { variables: { plan: "basic", tone: "kind" } });
      const who = await enrolled(ledger(), name, { variables: { plan: "gold" } });
      expect(await outboxOf(ledger(), who)).toMatchObject([{ kind: "enrolment" }]);
      expect((await enrolmentOf(ledger(), who)).position.at.variables).toEqual({
        plan: "gold",
        tone: "kind",
      });
      expect(await countEnrolments(ledger().db, id)).toMatchObject({ total: 1, active: 1, notStarted: 1 });
      await turn(ledger(), who);
      expect(await countEnrolments(ledger().db, id)).toMatchObject({ notStarted: 0, steps: { first: 1 } });
    });

    it("the same request, a hundred times at once and again after the end, is one enrolment", async () => {
      const { name, id } = await written(ledger(), [WAIT], { re_enrolment: { policy: "restart" } });
      const [phone] = freshPhones(1) as [string];
      const requestKey = `delivery:${phone}`;
      const results = await Promise.all(
        Array.from({ length: 100 }, () => enrollIn(ledger(), name, { phone, requestKey })),
      );
      const ids = new Set(
        results.map((result) => (result.kind === "refused" ? result.reason : result.enrolmentId)),
      );
      expect(ids.size).toBe(1);
      expect(results.filter(({ kind }) => kind === "enrolled")).toHaveLength(1);
      const [who] = [...ids] as [string];
      await turn(ledger(), who);
      await turn(ledger(), who, NOW_MS + 86_400_000);
      expect(await enrollIn(ledger(), name, { phone, requestKey })).toEqual({
        kind: "already",
        enrolmentId: who,
      });
      expect(await countEnrolments(ledger().db, id)).toMatchObject({ total: 1, active: 0 });
    });

    it("`ignore` leaves who is in it where they are, and takes them again once they are through", async () => {
      const { name } = await written(ledger(), [WAIT]);
      const [phone] = freshPhones(1) as [string];
      const first = await enrolled(ledger(), name, { phone });
      await turn(ledger(), first);
      expect(await enrollIn(ledger(), name, { phone })).toEqual({ kind: "already", enrolmentId: first });
      await turn(ledger(), first, NOW_MS + 86_400_000);
      expect(await enrollIn(ledger(), name, { phone })).toMatchObject({ kind: "enrolled" });
    });

    it("`restart` ends the old one, withdraws its call and begins anew", async () => {
      const { name, id } = await written(ledger(), CALL_THEN_END, { re_enrolment: { policy: "restart" } });
      const [phone] = freshPhones(1) as [string];
      const old = await enrolled(ledger(), name, { phone });
      await turn(ledger(), old);
      expect((await callOf(ledger(), old)).state).toBe("open");
      const results = await Promise.all([1, 2, 3, 4].map(() => enrollIn(ledger(), name, { phone })));
      expect(results.map(({ kind }) => kind)).toEqual(Array(4).fill("enrolled"));
      expect(await enrolmentOf(ledger(), old)).toMatchObject({ state: "done", outcome: "restarted" });
      expect(await callOf(ledger(), old)).toMatchObject({ state: "excluded", reason: "enrolled again" });
      expect(await wayOf(ledger(), old)).toEqual(["first: call", "first: exit"]);
      expect(await countEnrolments(ledger().db, id)).toMatchObject({ active: 1, outcomes: { restarted: 4 } });
      // Its workflow is told, and finds nothing left to do.
      expect(await outboxOf(ledger(), old)).toHaveLength(1);
      expect((await turn(ledger(), old)).next).toBe("done");
    });

    it("`parallel` takes one person once for each key, given or worked out", async () => {
      const { name, id } = await written(ledger(), [WAIT], {
        re_enrolment: { policy: "parallel", key: "variables.deal_id" },
      });
      const [phone] = freshPhones(1) as [string];
      const one = await enrolled(ledger(), name, { phone, variables: { deal_id: "7" } });
      const two = await enrolled(ledger(), name, { phone, variables: { deal_id: "8" } });
      expect(await enrollIn(ledger(), name, { phone, key: "7" })).toEqual({
        kind: "already",
        enrolmentId: one,
      });
      expect(new Set([one, two]).size).toBe(2);
      const refused = await enrollIn(ledger(), name, { phone });
      expect(refused).toMatchObject({
        kind: "refused",
        reason: "invalid_key",
        detail: expect.stringContaining("deal_id"),
      });
      expect((await countEnrolments(ledger().db, id)).active).toBe(2);
    });

    it("a key that is worked out sees text where the region is not known", async () => {
      const { name } = await written(ledger(), [WAIT], {
        re_enrolment: { policy: "parallel", key: 'contact.region + "/" + contact.phone' },
      });
      const [known, unknown] = freshPhones(2) as [string, string];
      const ids = [
        await enrolled(ledger(), name, { phone: known, region: "US" }),
        await enrolled(ledger(), name, { phone: unknown, region: undefined }),
      ];
      const keys = await Promise.all(ids.map(async (id) => (await enrolmentOf(ledger(), id)).key));
      expect(keys).toEqual([`US/${known}`, `/${unknown}`]);
    });

    it("is refused with its reason, and nothing is written down", async () => {
      const { name, id } = await written(ledger(), CALL_THEN_END, { window: { weekdays: ["09:00-10:00"] } });
      const [phone] = freshPhones(1) as [string];
      const entries = [{ phone, brand: "default", source: "test", reason: "asked" }];
      await ledger().transaction((tx) => addSuppressions(tx, { entries, actor: "test", nowMs: NOW_MS }));
      const reasonOf = async (sequence: string, changes: object) => {
        const result = await enrollIn(ledger(), sequence, changes);
        return result.kind === "refused" ? result.reason : result.kind;
      };
      expect(await reasonOf(name, { phone })).toBe("suppressed");
      expect(await reasonOf(name, { zones: [] })).toBe("no_time_zone");
      expect(await reasonOf(name, { zones: ["America/New_York", "Asia/Tokyo"] })).toBe("no_common_window");
      expect(await reasonOf("no such", {})).toBe("unknown_sequence");
      expect(await reasonOf(name, { brand: "other" })).toBe("unknown_sequence");
      await told(closeSequence, id);
      expect(await reasonOf(name, {})).toBe("sequence_closed");
      await told(resumeSequence, id);
      expect(await reasonOf(name, {})).toBe("enrolled");
      expect((await countEnrolments(ledger().db, id)).total).toBe(1);
    });
  });

  it("list who is in them newest first, each once on some page, whether they are through or not", async () => {
    const { name, id: sequenceId } = await written(ledger(), [WAIT, END]);
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1)
      ids.push(await enrolled(ledger(), name, { nowMs: NOW_MS + Math.floor(n / 2) * MINUTE_MS }));
    const through = [1, 4, 6].map((n) => given(ids[n]));
    for (const id of through) {
      await turn(ledger(), id);
      await turn(ledger(), id, NOW_MS + 2 * 24 * 60 * MINUTE_MS);
    }
    const pages = async (state?: "active" | "done") => {
      const listed: { id: string; createdAtMs: number }[] = [];
      for (;;) {
        const last = listed.at(-1);
        const page = await listEnrolments(ledger().db, {
          sequenceId,
          ...(last && { after: { atMs: last.createdAtMs, id: last.id } }),
          limit: 3,
          ...(state && { state }),
        });
        expect(page.total).toBe(state === undefined ? 7 : state === "done" ? 3 : 4);
        listed.push(...page.enrolments);
        if (page.enrolments.length === 0) return listed;
      }
    };
    const all = await pages();
    expect(all.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const times = all.map(({ createdAtMs }) => createdAtMs);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect((await pages("done")).map(({ id }) => id).toSorted()).toEqual(through.toSorted());
    expect(await pages("active")).toHaveLength(4);
  });

  describe("events", () => {
    it("before the enrolment's first turn are kept for it, once each", async () => {
      const { name } = await written(ledger(), [
        {
          id: "answer",
          wait_for: { event: "replied", timeout: "2d" },
          on: { event: "end", timeout: "late" },
        },
        END,
        { id: "late", exit: { outcome: "late" } },
      ]);
      const [phone] = freshPhones(1) as [string];
      const who = await enrolled(ledger(), name, { phone });
      const event = { name: "replied", data: { text: "yes" }, requestKey: "delivery:1", at: NOW_MS };
      for (let times = 0; times < 3; times += 1) {
        const told = await ledger().transaction((tx) =>
          tellEnrolments(tx, { brand: "default", phone, event }),
        );
        expect(told).toEqual({ told: 1, heard: 1 });
      }
      await turn(ledger(), who);
      const { position } = await enrolmentOf(ledger(), who);
      expect(position.at.events).toEqual([
        { name: "replied", data: { text: "yes" }, at: new Date(NOW_MS).toISOString() },
      ]);
    });

    it("reach everybody whom they are about, and nobody else", async () => {
      const [one, two] = [await written(ledger(), [WAIT]), await written(ledger(), [WAIT])];
      const [phone, other] = freshPhones(2) as [string, string];
      const both = [
        await enrolled(ledger(), one.name, { phone }),
        await enrolled(ledger(), two.name, { phone }),
      ];
      const stranger = await enrolled(ledger(), one.name, { phone: other });
      const tell = (changes: object) =>
        ledger().transaction((tx) =>
          tellEnrolments(tx, {
            brand: "default",
            phone,
            event: { name: "bought", data: {}, requestKey: JSON.stringify(changes), at: NOW_MS },
            ...changes,
          }),
        );
      // Their sequence asks for no event.
      expect(await tell({})).toEqual({ told: 2, heard: 0 });
      expect(await tell({ sequenceName: two.name })).toEqual({ told: 1, heard: 0 });
      expect(await tell({ brand: "another" })).toEqual({ told: 0, heard: 0 });
      const inboxes = await rows<{ enrolment_id: string; n: number }>(
        ledger().db,
        sql`select enrolment_id, count(*)::int as n from enrolment_inbox group by 1`,
      );
      const of = (id: string | undefined) => inboxes.find(({ enrolment_id }) => enrolment_id === id)?.n;
      expect([of(both[0]), of(both[1]), of(stranger)]).toEqual([1, 2, undefined]);
    });
  });

  describe("paused", () => {
    it("parks whoever takes a turn and dials nobody; going on wakes the parked, all at once", async () => {
      const { id, name } = await written(ledger(), CALL_THEN_END);
      const [before, after] = [await enrolled(ledger(), name), await enrolled(ledger(), name)];
      await turn(ledger(), before);
      await told(pauseSequence, id, "holiday");
      expect(await standingOf(ledger(), id)).toEqual([expect.stringContaining("paused")]);
      expect(await turn(ledger(), after)).toMatchObject({
        next: "wait",
        untilMs: undefined,
        campaignIds: [],
      });
      expect(await wayOf(ledger(), after)).toEqual([]);
      await told(pauseSequence, id);
      expect(given(await findSequence(ledger().db, "default", name))).toMatchObject({
        state: "paused",
        stateReason: "holiday",
      });
      await rows(ledger().db, sql`delete from outbox where subject = ${after}`);
      await told(resumeSequence, id);
      expect(await outboxOf(ledger(), after)).toMatchObject([{ kind: "enrolment_bulk" }]);
      expect(await standingOf(ledger(), id)).toEqual([expect.stringContaining("running")]);
      expect((await turn(ledger(), after)).campaignIds).toHaveLength(1);
      expect((await enrolmentOf(ledger(), after)).parked).toBe(false);
    });

    it("while closed, it is closed again when it goes on; closing a paused one is refused", async () => {
      const { id, name } = await written(ledger(), [WAIT]);
      await told(closeSequence, id);
      await told(pauseSequence, id);
      await expect(told(closeSequence, id)).rejects.toThrow(CommandRefusedError);
      await told(resumeSequence, id);
      expect((await readSequenceById(ledger().db, id))?.state).toBe("closed");
      await told(resumeSequence, id);
      expect((await enrollIn(ledger(), name)).kind).toBe("enrolled");
    });

    it("nobody slips through between a pause, its end and turns that are taken at the same moment", async () => {
      const { id, name } = await written(ledger(), [WAIT]);
      const people = await Promise.all(Array.from({ length: 12 }, () => enrolled(ledger(), name)));
      await Promise.all([
        told(pauseSequence, id),
        ...people.slice(0, 6).map((one) => turn(ledger(), one)),
        told(resumeSequence, id),
        ...people.slice(6).map((one) => turn(ledger(), one)),
      ]);
      if ((await readSequenceById(ledger().db, id))?.state === "paused") await told(resumeSequence, id);
      // Whoever is still parked has been handed to the relay.
      for (const one of people) {
        const { parked } = await enrolmentOf(ledger(), one);
        const waiting = await outboxOf(ledger(), one);
        if (parked) expect(waiting.map(({ kind }) => kind)).toContain("enrolment_bulk");
        expect(await isEnrolmentOpen(ledger(), one)).toBe(true);
      }
    });
  });
});
