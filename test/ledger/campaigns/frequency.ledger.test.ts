import { expect, it } from "vitest";

import type { CampaignSpec, CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { noteUnbookedDials } from "../../../src/ledger/campaigns/unbooked-dials.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  contactsOf,
  create,
  DAY_MS,
  ended,
  freshPhones,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  PACE,
  permit,
  plan,
  running,
  start,
} from "../support/scenario.ts";

type Cap = NonNullable<CampaignSpecInput["frequency"]>[number];

const iso = (momentMs: number) => new Date(momentMs).toISOString();

describeLedgers("how often a number is called", (ledger) => {
  /** A campaign without caps calls the number, and the call comes to this at that moment. */
  const call = async (
    phone: string,
    nowMs: number,
    disposition: Disposition = "no_answer",
    changes: Partial<CampaignSpecInput> = {},
  ) => {
    const id = await running(ledger(), [phone], { retry: { max_attempts: 1 }, ...changes }, nowMs);
    await callIn(id, phone, nowMs, disposition);
    return id;
  };

  const callIn = async (id: string, phone: string, nowMs: number, disposition: Disposition) => {
    const { batchIds } = await plan(ledger(), id, nowMs);
    const batchId = given(batchIds[0]);
    await start(ledger(), batchId, nowMs);
    await settleFindings(ledger(), { batchId, findings: [ended(phone, disposition, nowMs)], nowMs });
    await closeBatch(ledger(), batchId, nowMs);
  };

  /** What becomes of the number in a new campaign with these caps: it is planned, waits until then, or is left out. */
  const asked = async (
    phone: string,
    frequency: Cap[],
    nowMs: number,
    changes: Partial<CampaignSpecInput> = {},
  ) => {
    const id = await running(ledger(), [phone], { frequency, ...changes }, nowMs);
    return lookAt(id, phone, nowMs);
  };

  const lookAt = async (id: string, phone: string, nowMs: number) => {
    const { batchIds } = await plan(ledger(), id, nowMs);
    if (batchIds.length > 0) return "dial";
    const { refusals } = given(await explainContact(ledger().db, id, phone));
    const { reason, detail } = given(refusals[0]);
    // Until then nobody looks at them.
    if (reason === "frequency") {
      const [waiting] = await contactsOf(ledger(), id);
      expect(waiting?.due_ms).toBe(Date.parse(detail.slice("until ".length, "until ".length + 24)));
    }
    return `${reason}: ${detail}`;
  };

  it("is counted over campaigns of the brand, and lets go when the oldest call is out of reach", async () => {
    const [phone] = freshPhones(1) as [string];
    const cap: Cap = { attempts: 3, within: "7d" };
    for (const day of [0, 1, 3]) await call(phone, NOW_MS + day * DAY_MS);
    const wait = `frequency: until ${iso(NOW_MS + 7 * DAY_MS)}: 3 attempts of the brand within 7d`;
    expect(await asked(phone, [cap], NOW_MS + 4 * DAY_MS)).toBe(wait);
    expect(await asked(phone, [{ ...cap, attempts: 4 }], NOW_MS + 4 * DAY_MS)).toBe("dial");
  });

  it("lets go at the moment, and not before", async () => {
    const [phone] = freshPhones(1) as [string];
    await call(phone, NOW_MS);
    await call(phone, NOW_MS + HOUR_MS);
    const id = await running(
      ledger(),
      [phone],
      { frequency: [{ attempts: 2, within: "1d" }] },
      NOW_MS + HOUR_MS,
    );
    const wait = `frequency: until ${iso(NOW_MS + DAY_MS)}: 2 attempts of the brand within 1d`;
    expect(await lookAt(id, phone, NOW_MS + HOUR_MS)).toBe(wait);
    expect(await lookAt(id, phone, NOW_MS + DAY_MS - 1)).toBe(wait);
    expect(await lookAt(id, phone, NOW_MS + DAY_MS)).toBe("dial");
  });

  it("holds the retries of a campaign of its own, too", async () => {
    const [phone] = freshPhones(1) as [string];
    const id = await running(ledger(), [phone], {
      retry: { max_attempts: 5, delays: { busy: "10m" } },
      frequency: [{ attempts: 2, within: "1d" }],
    });
    await callIn(id, phone, NOW_MS, "busy");
    await callIn(id, phone, NOW_MS + 10 * MINUTE_MS, "busy");
    expect(await lookAt(id, phone, NOW_MS + 20 * MINUTE_MS)).toBe(
      `frequency: until ${iso(NOW_MS + DAY_MS)}: 2 attempts of the brand within 1d`,
    );
    await callIn(id, phone, NOW_MS + DAY_MS, "answered");
  });

  it("of conversations counts calls that reached somebody, or may have", async () => {
    const spoken: Disposition[] = ["answered", "callback_requested", "unknown"];
    const unspoken: Disposition[] = ["no_answer", "busy", "voicemail", "failed"];
    for (const disposition of [...spoken, ...unspoken]) {
      const [phone] = freshPhones(1) as [string];
      await call(phone, NOW_MS, disposition);
      const cap: Cap = { conversations: 1, within: "30d" };
      expect([disposition, await asked(phone, [cap], NOW_MS + DAY_MS)]).toEqual([
        disposition,
        spoken.includes(disposition)
          ? `frequency: until ${iso(NOW_MS + 30 * DAY_MS)}: 1 conversation of the brand within 30d`
          : "dial",
      ]);
    }
  });

  it("waits a while for a call of which nobody knows yet whether it was a conversation, and forgets one that was none", async () => {
    for (const at_cap of ["wait", "end"] as const) {
      const [phone] = freshPhones(1) as [string];
      const rules = [{ key: "spoke", equals: true, disposition: "answered" as const }];
      const first = await running(ledger(), [phone], { analysis: { rules, wait: "30m" } });
      const { batchIds } = await plan(ledger(), first);
      const batchId = given(batchIds[0]);
      await start(ledger(), batchId);
      const over = {
        ...ended(phone, "answered", NOW_MS),
        outcome: { kind: "provisional" as const, reason: "x" },
      };
      await settleFindings(ledger(), { batchId, findings: [over], nowMs: NOW_MS });
      const frequency: Cap[] = [{ conversations: 1, within: "30d", at_cap }];
      const nowMs = NOW_MS + MINUTE_MS;
      const id = await running(ledger(), [phone], { frequency }, nowMs);
      expect(await lookAt(id, phone, nowMs)).toBe(
        `undecided_call: until ${iso(nowMs + PACE.openAttemptWaitMs)}: perhaps 1 conversation of the brand within 30d`,
      );
      await settleFindings(ledger(), { batchId, findings: [ended(phone, "voicemail", NOW_MS)], nowMs });
      expect(await lookAt(id, phone, nowMs + PACE.openAttemptWaitMs)).toBe("dial");
    }
  });

  it("is of the brand, or of every brand where the cap says so", async () => {
    const [phone] = freshPhones(1) as [string];
    await call(phone, NOW_MS, "answered", { brand: "acme" });
    const cap: Cap = { attempts: 1, within: "1d" };
    const nowMs = NOW_MS + HOUR_MS;
    expect(await asked(phone, [cap], nowMs, { brand: "umbrella" })).toBe("dial");
    const [other] = freshPhones(1) as [string];
    await call(other, NOW_MS, "answered", { brand: "acme" });
    expect(await asked(other, [cap], nowMs, { brand: "acme" })).toContain("1 attempt of the brand");
    expect(await asked(other, [{ ...cap, across: "everything" }], nowMs, { brand: "umbrella" })).toContain(
      "1 attempt of every brand within 1d",
    );
  });

  it("leaves whoever is at a cap out, where it says so", async () => {
    const [phone] = freshPhones(1) as [string];
    await call(phone, NOW_MS);
    const id = await running(
      ledger(),
      [phone],
      { frequency: [{ attempts: 1, within: "1d", at_cap: "end" }] },
      NOW_MS + HOUR_MS,
    );
    expect(await lookAt(id, phone, NOW_MS + HOUR_MS)).toBe("called_often: 1 attempt of the brand within 1d");
    expect(await contactsOf(ledger(), id)).toMatchObject([{ state: "excluded", reason: "called_often" }]);
  });

  it("counts calls that no campaign has booked: each may have been a conversation", async () => {
    const [phone] = freshPhones(1) as [string];
    await noteUnbookedDials(ledger().db, {
      platformBatchId: "lost",
      phones: [phone],
      dialedUntilMs: NOW_MS,
      nowMs: NOW_MS,
    });
    const nowMs = NOW_MS + HOUR_MS;
    expect(await asked(phone, [{ conversations: 1, within: "2h" }], nowMs)).toBe(
      `frequency: until ${iso(NOW_MS + 2 * HOUR_MS)}: 1 conversation of the brand within 2h`,
    );
    expect(await asked(phone, [{ attempts: 2, within: "2h" }], nowMs)).toBe("dial");
  });

  it("that is amended frees whom it had put off, and moves no retry that is still to come", async () => {
    const [phone, other] = freshPhones(2) as [string, string];
    const retry = { max_attempts: 5, delays: { busy: "4h" } };
    const frequency: Cap[] = [{ attempts: 1, within: "30d" }];
    const id = await running(ledger(), [phone, other], { retry, frequency });
    const { batchIds } = await plan(ledger(), id);
    const batchId = given(batchIds[0]);
    await start(ledger(), batchId);
    const findings = [ended(phone, "busy", NOW_MS), ended(other, "busy", NOW_MS + HOUR_MS)];
    await settleFindings(ledger(), { batchId, findings, nowMs: NOW_MS + HOUR_MS });
    await closeBatch(ledger(), batchId, NOW_MS + HOUR_MS);
    const nowMs = NOW_MS + 4 * HOUR_MS;
    await plan(ledger(), id, nowMs);
    const dueMs = async () => (await contactsOf(ledger(), id)).map(({ due_ms }) => due_ms);
    const retriedMs = NOW_MS + 5 * HOUR_MS;
    expect(await dueMs()).toEqual([NOW_MS + 30 * DAY_MS, retriedMs]);
    const amend = async (changes: Partial<CampaignSpec>) => {
      const { spec } = given(await readCampaign(ledger().db, id));
      await amendSpec(ledger(), {
        campaignId: id,
        commandId: JSON.stringify(changes),
        actor: "test",
        reason: undefined,
        nowMs: nowMs + MINUTE_MS,
        dialByMarginMs: 60_000,
        spec: { ...spec, ...changes },
      });
    };
    await amend({ concurrency: 5 });
    expect(await dueMs()).toEqual([NOW_MS + 30 * DAY_MS, retriedMs]);
    await amend({ frequency: [{ attempts: 2, within: "30d", across: "brand", at_cap: "wait" }] });
    expect((await plan(ledger(), id, nowMs + MINUTE_MS)).batchIds).toHaveLength(1);
    expect((await contactsOf(ledger(), id)).map(({ state, due_ms }) => [state, due_ms])).toEqual([
      ["leased", nowMs + MINUTE_MS],
      ["open", retriedMs],
    ]);
    expect(given(await readCampaign(ledger().db, id)).asksAgain).toBe(false);
  });

  it("that is amended asks about each whom it had put off once, however many stay put off", async () => {
    const phones = freshPhones(2_100);
    const strict: Cap[] = [{ attempts: 1, within: "30d" }];
    const id = await running(ledger(), phones, { frequency: strict, concurrency: 100 });
    await noteUnbookedDials(ledger().db, {
      platformBatchId: "all",
      phones,
      dialedUntilMs: NOW_MS - MINUTE_MS,
      nowMs: NOW_MS,
    });
    let looks = 0;
    const planUntilCalm = async (nowMs: number) => {
      for (looks = 1; looks < 20; looks += 1) {
        const { waitMs, batchIds } = await plan(ledger(), id, nowMs);
        expect(batchIds).toEqual([]);
        if (waitMs > 0) return;
      }
    };
    await planUntilCalm(NOW_MS);
    const { spec } = given(await readCampaign(ledger().db, id));
    await amendSpec(ledger(), {
      campaignId: id,
      commandId: "longer",
      actor: "test",
      reason: undefined,
      nowMs: NOW_MS + 1,
      dialByMarginMs: 60_000,
      spec: { ...spec, frequency: [{ attempts: 1, within: "31d", across: "brand", at_cap: "wait" }] },
    });
    await planUntilCalm(NOW_MS + MINUTE_MS);
    expect(looks).toBeLessThan(6);
    expect(given(await readCampaign(ledger().db, id)).asksAgain).toBe(false);
    const dues = new Set((await contactsOf(ledger(), id)).map(({ due_ms }) => due_ms));
    expect([...dues]).toEqual([NOW_MS - MINUTE_MS + 31 * DAY_MS]);
  });

  it("counts a call that a restore lost for its brand, and for every brand where nobody knows whose it was", async () => {
    const nowMs = NOW_MS + HOUR_MS;
    const lost = async (brand: string | undefined) => {
      const [phone] = freshPhones(1) as [string];
      const note = {
        platformBatchId: `lost ${phone}`,
        phones: [phone],
        dialedUntilMs: NOW_MS,
        nowMs: NOW_MS,
      };
      await noteUnbookedDials(ledger().db, { ...note, ...(brand !== undefined && { brand }) });
      const wait = async (across: "brand" | "everything") =>
        (await asked(phone, [{ attempts: 1, within: "1d", across }], nowMs)).split(":")[0];
      // What is planned first has the number.
      return [await wait("everything"), await wait("brand")];
    };
    expect(await lost("umbrella")).toEqual(["frequency", "dial"]);
    expect(await lost("default")).toEqual(["frequency", "frequency"]);
    expect(await lost(undefined)).toEqual(["frequency", "frequency"]);
  });

  it("is asked for again when a batch is to start", async () => {
    const [phone, other] = freshPhones(2) as [string, string];
    const id = await running(ledger(), [phone, other], { frequency: [{ attempts: 1, within: "1d" }] });
    const { batchIds } = await plan(ledger(), id);
    const batchId = given(batchIds[0]);
    await create(ledger(), batchId);
    await noteUnbookedDials(ledger().db, {
      platformBatchId: "found",
      phones: [phone],
      dialedUntilMs: NOW_MS + MINUTE_MS,
      nowMs: NOW_MS + MINUTE_MS,
    });
    expect((await permit(ledger(), batchId, NOW_MS + 2 * MINUTE_MS)).kind).toBe("stopped");
    await closeBatch(ledger(), batchId, NOW_MS + 2 * MINUTE_MS);
    const { refusals } = given(await explainContact(ledger().db, id, phone));
    expect(refusals).toMatchObject([{ reason: "frequency" }]);
    expect((await plan(ledger(), id, NOW_MS + 2 * MINUTE_MS)).batchIds).toHaveLength(1);
    expect((await contactsOf(ledger(), id)).map(({ state }) => state)).toEqual(["open", "leased"]);
  });
});
