import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { previewAmendment, type PreviewPart } from "../../../src/ledger/campaigns/amendment-preview.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { amendmentOf } from "../../../src/ledger/campaigns/commands.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { callBack } from "../support/placing.ts";
import {
  amend,
  contact,
  contactsOf,
  ended,
  freshPhones,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  PACE,
  plan,
  planAndStart,
  running,
  specOf,
  tell,
} from "../support/scenario.ts";

describeLedgers("a look at what an amendment would do", (ledger) => {
  const specWith = async (id: string, changes: Partial<CampaignSpecInput>) => {
    const campaign = given(await readCampaign(ledger().db, id));
    return { campaign, spec: specOf({ ...campaign.spec, ...changes }) };
  };
  const preview = async (
    id: string,
    changes: Partial<CampaignSpecInput>,
    { nowMs = NOW_MS, ...options }: { nowMs?: number; mostAsked?: number } = {},
  ): Promise<PreviewPart[]> => {
    const input = await specWith(id, changes);
    return previewAmendment(ledger().db, { ...input, pace: PACE, nowMs, ...options });
  };
  /** Every row of every table: what nothing may have changed. */
  const whole = async () => {
    const tables = await rows<{ name: string }>(
      ledger().db,
      sql`select tablename::text as name from pg_tables where schemaname = current_schema() order by 1`,
    );
    const dump: Record<string, unknown> = {};
    for (const { name } of tables)
      dump[name] = await rows(
        ledger().db,
        sql`select to_jsonb(t)::text as row from ${sql.identifier(name)} t order by 1`,
      );
    return dump;
  };

  it("counts who would be excluded, wait and be called, by why before and after, with some numbers of each", async () => {
    const [newYork = "", other = "", berlin = "", london = ""] = freshPhones(4);
    const people = [
      contact(newYork, 2),
      contact(other, 3),
      contact(berlin, 4, { zones: ["Europe/Berlin"] }),
      contact(london, 5, { zones: ["Europe/London", "Asia/Tokyo"] }),
    ];
    // It is eight in New York, two in the afternoon in Berlin, and nine in the evening in Tokyo.
    const id = await running(ledger(), people);
    const [part] = await preview(id, { window: { weekdays: ["13:00-18:00"] } });
    expect(part).toMatchObject({ open: 4, asked: 4, oneIn: 1, unchanged: 1, stopped: [] });
    expect(part?.effects).toEqual([
      {
        before: { kind: "called" },
        after: { kind: "waits", reason: "window" },
        contacts: 2,
        untilMs: { first: NOW_MS + 5 * HOUR_MS, last: NOW_MS + 5 * HOUR_MS },
        samples: [newYork, other],
      },
      {
        before: { kind: "called" },
        after: { kind: "excluded", reason: "no_common_window" },
        contacts: 1,
        untilMs: undefined,
        samples: [london],
      },
    ]);
    const [back] = await preview(id, { ends_at: "2026-05-31T00:00:00Z" });
    expect(back?.effects).toMatchObject([{ after: { kind: "excluded", reason: "after_end" }, contacts: 4 }]);
  });

  it("is what the amendment and the next planning do", async () => {
    const zones = [["America/New_York"], ["Europe/Berlin"], ["Asia/Tokyo"], ["America/Los_Angeles"]];
    const phones = freshPhones(20);
    const people = phones.map((phone, index) => contact(phone, index + 2, { zones: zones[index % 4] ?? [] }));
    const id = await running(ledger(), people, { concurrency: 100 });
    const changes = { window: { weekdays: ["05:00-13:30"], saturday: ["10:00-11:00"] } };
    const [part] = await preview(id, changes);
    await amend(ledger(), id, changes);
    await plan(ledger(), id);
    const contacts = await contactsOf(ledger(), id);
    const waiting = contacts.filter(({ state }) => state === "open").length;
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThan(20);
    const told = part?.effects.reduce((sum, { contacts: count }) => sum + count, 0);
    expect(told).toBe(waiting);
    expect(part?.unchanged).toBe(20 - waiting);
  });

  it("names the batches that would be stopped, each once, as the amendment then stops them", async () => {
    for (const [changes, reason] of [
      [{ window: { weekdays: ["13:00-18:00"] } }, "window"],
      [{ numbers: { countries: ["DE"] } }, "policy"],
      [{ concurrency: 1 }, "concurrency"],
      [{ concurrency: 1, window: { weekdays: ["13:00-18:00"] }, numbers: { countries: ["DE"] } }, "window"],
    ] as const) {
      const id = await running(ledger(), freshPhones(6), { concurrency: 2 });
      const batchIds = await planAndStart(ledger(), id);
      const calls = (await Promise.all(batchIds.map((batchId) => openPhones(ledger(), batchId)))).flat()
        .length;
      const [part] = await preview(id, changes as Partial<CampaignSpecInput>);
      const { stoppedBatchIds } = await amend(ledger(), id, changes as Partial<CampaignSpecInput>);
      expect(new Set(stoppedBatchIds).size).toBe(part?.stopped[0]?.batches);
      expect(part?.stopped).toEqual([{ reason, batches: batchIds.length, calls }]);
      expect((await preview(id, changes as Partial<CampaignSpecInput>))[0]?.stopped).toEqual([]);
    }
  });

  it("has those asked again whom the policy had put off, as the amendment does", async () => {
    const phones = freshPhones(2);
    const spec = { least_gap: "2h", retry: { max_attempts: 3, delays: { busy: "4h" } } };
    const first = await running(ledger(), phones);
    const batchId = given((await planAndStart(ledger(), first))[0]);
    await settleFindings(ledger(), {
      batchId,
      findings: phones.map((phone) => ended(phone, "answered", NOW_MS)),
      nowMs: NOW_MS,
    });
    await closeBatch(ledger(), batchId, NOW_MS);
    const id = await running(ledger(), phones, spec);
    await plan(ledger(), id, NOW_MS + MINUTE_MS);
    const nowMs = NOW_MS + 10 * MINUTE_MS;
    const [part] = await preview(id, { least_gap: "5m" }, { nowMs });
    expect(part?.effects).toMatchObject([
      { before: { kind: "waits", reason: "called_just_now" }, after: { kind: "called" }, contacts: 2 },
    ]);
    const [later] = await preview(id, { least_gap: "3h" }, { nowMs });
    expect(later?.effects).toMatchObject([
      {
        before: { kind: "waits", reason: "called_just_now" },
        after: { kind: "waits", reason: "called_just_now" },
        untilMs: { first: NOW_MS + 3 * HOUR_MS },
      },
    ]);
    const [same] = await preview(id, { concurrency: 3 }, { nowMs });
    expect(same).toMatchObject({ open: 2, asked: 0, unchanged: 0, effects: [] });
  });

  it("asks about the callbacks, under what the amendment makes of their policy", async () => {
    const [phone = ""] = freshPhones(1);
    const id = await running(ledger(), [phone, ...freshPhones(1)]);
    await callBack(ledger(), id, phone);
    const parts = await preview(id, { window: { weekdays: ["13:00-18:00"] } });
    expect(parts).toMatchObject([
      { isCallbacks: false, effects: [{ contacts: 2 }] },
      {
        isCallbacks: true,
        open: 1,
        effects: [{ after: { kind: "waits", reason: "window" }, samples: [phone] }],
      },
    ]);
  });

  it("of more people than its bound asks about evenly many, and says so", async () => {
    const id = await running(ledger(), freshPhones(90));
    const [part] = await preview(id, { window: { weekdays: ["13:00-18:00"] } }, { mostAsked: 30 });
    expect(part).toMatchObject({ open: 90, asked: 30, oneIn: 3, effects: [{ contacts: 30 }] });
  });

  it("walks past one chunk, and asks about everybody once", async () => {
    const id = await running(ledger(), freshPhones(1_203));
    const [part] = await preview(id, { numbers: { countries: ["DE"] } });
    expect(part).toMatchObject({ open: 1_203, asked: 1_203, unchanged: 0 });
    expect(part?.effects).toMatchObject([{ after: { reason: "number_not_allowed" }, contacts: 1_203 }]);
  });

  it("changes nothing, whatever it looks at", async () => {
    const id = await running(ledger(), freshPhones(12), {
      concurrency: 2,
      frequency: [{ attempts: 1, within: "1d" }],
    });
    await planAndStart(ledger(), id);
    const before = await whole();
    await preview(id, {
      window: { weekdays: ["13:00-18:00"] },
      numbers: { countries: ["DE"] },
      concurrency: 1,
      least_gap: "1h",
      frequency: [{ attempts: 2, within: "2d", at_cap: "end" }],
    });
    expect(await whole()).toEqual(before);
  });

  it("is refused where the amendment would be", async () => {
    const id = await running(ledger(), freshPhones(1));
    const { campaign, spec } = await specWith(id, { agent_id: "another" });
    expect(() => amendmentOf(campaign, spec)).toThrow(/can't be amended in agent_id/);
    await tell(ledger(), "cancel", id);
    const over = await specWith(id, { concurrency: 3 });
    expect(() => amendmentOf(over.campaign, over.spec)).toThrow(CommandRefusedError);
  });

  it("holds for the version that it names: an amendment given with that is refused where another came first", async () => {
    const id = await running(ledger(), freshPhones(1));
    await amend(ledger(), id, { concurrency: 3 }, { ifVersion: 1, commandId: "first" });
    await expect(amend(ledger(), id, { concurrency: 4 }, { ifVersion: 1 })).rejects.toThrow(
      /policy version 2 is in force, and not 1 any more/,
    );
    // The first one again is no other amendment.
    expect(await amend(ledger(), id, { concurrency: 3 }, { ifVersion: 1, commandId: "first" })).toMatchObject(
      {
        policyVersion: 2,
      },
    );
    expect(await amend(ledger(), id, { concurrency: 4 }, { ifVersion: 2 })).toMatchObject({
      policyVersion: 3,
    });
  });
});
