import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { stopBatchesDialing } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import {
  listConsents,
  recordConsents,
  withdrawConsent,
  type NewConsent,
} from "../../../src/ledger/ground/consents.ts";
import type { ConsentGiven } from "../../../src/domain/policy/consent.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  batchOf,
  contact,
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
  planAndStart,
  running,
  specOf,
} from "../support/scenario.ts";

const consentOf = (changes: Partial<ConsentGiven> = {}): ConsentGiven => ({
  basis: "express_written",
  obtainedAtMs: NOW_MS - DAY_MS,
  proof: "form 1",
  expiresAtMs: undefined,
  ...changes,
});

let brandsGiven = 0;
const freshBrand = () => `consent-${(brandsGiven += 1)}`;

const record = (ledger: Ledger, brand: string, consents: readonly NewConsent[], nowMs = NOW_MS) =>
  ledger.transaction((tx) => recordConsents(tx, { brand, consents, source: "api", nowMs }));

const withdraw = (ledger: Ledger, brand: string, phone: string, nowMs = NOW_MS) =>
  ledger.transaction((tx) =>
    withdrawConsent(tx, { brand, phone, reason: "asked", source: "api", actor: "test", nowMs }),
  );

const CONSENT = { require: "express_written" } as const;
const ALWAYS = { window: "always", consent: CONSENT } as const;

const stateOf = async (ledger: Ledger, id: string) =>
  (await contactsOf(ledger, id)).map(({ state, reason }) =>
    reason === null ? state : `${state}: ${reason}`,
  );

describeLedgers("consent", (ledger) => {
  describe("that a campaign asks for", () => {
    it("comes with the list, for rows that make contacts and those that are there already, and is there once", async () => {
      const brand = freshBrand();
      const [has, other, none, expired] = freshPhones(4) as [string, string, string, string];
      const list = [
        contact(has, 2, { consent: consentOf() }),
        contact(other, 3, { consent: consentOf({ basis: "express" }) }),
        contact(none, 4),
        contact(expired, 5, { consent: consentOf({ expiresAtMs: NOW_MS + MINUTE_MS }) }),
        contact(other, 6, { consent: consentOf() }),
      ];
      const id = await running(ledger(), list, { brand, ...ALWAYS });
      const again = await running(ledger(), list, { brand, ...ALWAYS });
      expect(await listConsents(ledger().db, { brand, phone: has })).toHaveLength(1);
      expect(await listConsents(ledger().db, { brand, phone: other })).toHaveLength(2);
      expect((await plan(ledger(), id)).batchIds).toHaveLength(1);
      expect(await stateOf(ledger(), id)).toEqual([
        "leased",
        "leased",
        "excluded: no_consent",
        "excluded: consent_expired",
      ]);
      const explained = given(await explainContact(ledger().db, again, none));
      expect(explained.contact).toMatchObject({ state: "open" });
      expect(given(await explainContact(ledger().db, id, none)).refusals).toMatchObject([
        { reason: "no_consent", detail: "no consent is known for the number" },
      ]);
    });

    it("is the brand's own: what was said to another is nothing to it", async () => {
      const brand = freshBrand();
      const [phone] = freshPhones(1) as [string];
      await record(ledger(), freshBrand(), [{ ...consentOf(), phone }]);
      const id = await running(ledger(), [phone], { brand, ...ALWAYS });
      await plan(ledger(), id);
      expect(await stateOf(ledger(), id)).toEqual(["excluded: no_consent"]);
    });

    it("is not asked for by others, of whom nothing is read", async () => {
      const [phone] = freshPhones(1) as [string];
      const id = await running(ledger(), [phone], { brand: freshBrand(), window: "always" });
      await plan(ledger(), id);
      expect(await stateOf(ledger(), id)).toEqual(["leased"]);
    });

    it("may come any time before the contact is looked at", async () => {
      const brand = freshBrand();
      const [phone] = freshPhones(1) as [string];
      const id = await running(ledger(), [phone], { brand, ...ALWAYS });
      expect(await record(ledger(), brand, [{ ...consentOf(), phone }])).toBe(1);
      expect(await record(ledger(), brand, [{ ...consentOf(), phone }])).toBe(0);
      await plan(ledger(), id);
      expect(await stateOf(ledger(), id)).toEqual(["leased"]);
    });
  });

  describe("that ends", () => {
    it("bounds the batch, and is asked about again at its start", async () => {
      const brand = freshBrand();
      const [soon, long, later] = freshPhones(3) as [string, string, string];
      const list = [
        contact(soon, 2, { consent: consentOf({ expiresAtMs: NOW_MS + HOUR_MS }) }),
        contact(long, 3, { consent: consentOf() }),
        contact(later, 4, { consent: consentOf({ expiresAtMs: NOW_MS + 400 * DAY_MS }) }),
      ];
      const id = await running(ledger(), list, { brand, ...ALWAYS });
      const { batchIds } = await plan(ledger(), id);
      const bounds = await Promise.all(batchIds.map(async (one) => (await batchOf(ledger(), one)).dialByMs));
      const nextMs = Math.ceil(NOW_MS / DAY_MS) * DAY_MS + 2 * DAY_MS;
      expect(new Set(bounds)).toEqual(
        new Set([NOW_MS + HOUR_MS - PACE.dialByMarginMs, undefined, nextMs - PACE.dialByMarginMs]),
      );
      const batchId = given(batchIds[bounds.indexOf(NOW_MS + HOUR_MS - PACE.dialByMarginMs)]);
      await create(ledger(), batchId);
      // Shortly before its end it is no consent to begin a call on.
      expect(await permit(ledger(), batchId, NOW_MS + HOUR_MS - 2 * MINUTE_MS)).toMatchObject({
        kind: "stopped",
      });
      expect(await stateOf(ledger(), id)).toContain("excluded: consent_expired");
    });

    it("by its age does so for the campaign that asks for that alone", async () => {
      const brand = freshBrand();
      const [phone] = freshPhones(1) as [string];
      const list = [contact(phone, 2, { consent: consentOf({ obtainedAtMs: NOW_MS - 40 * DAY_MS }) })];
      const strict = await running(ledger(), list, {
        brand,
        window: "always",
        consent: { ...CONSENT, max_age: "30d" },
      });
      const lenient = await running(ledger(), list, { brand, ...ALWAYS });
      await plan(ledger(), strict);
      await plan(ledger(), lenient);
      expect(await stateOf(ledger(), strict)).toEqual(["excluded: consent_expired"]);
      expect(await stateOf(ledger(), lenient)).toEqual(["leased"]);
    });
  });

  describe("that is withdrawn", () => {
    it("keeps the number from being started, and from coming back with the list of before", async () => {
      const brand = freshBrand();
      const [phone, other] = freshPhones(2) as [string, string];
      const list = [phone, other].map((one, index) => contact(one, index + 2, { consent: consentOf() }));
      const id = await running(ledger(), list, { brand, ...ALWAYS });
      const { batchIds } = await plan(ledger(), id);
      await create(ledger(), given(batchIds[0]));
      await withdraw(ledger(), brand, phone);
      expect(await permit(ledger(), given(batchIds[0]))).toMatchObject({ kind: "stopped", reason: "policy" });
      expect(await stateOf(ledger(), id)).toEqual(["excluded: no_consent", "open"]);
      const again = await running(ledger(), list, { brand, ...ALWAYS });
      await plan(ledger(), again);
      expect(await stateOf(ledger(), again)).toContain("excluded: no_consent");
      await record(ledger(), brand, [{ ...consentOf({ obtainedAtMs: NOW_MS + MINUTE_MS }), phone }]);
      const third = await running(ledger(), [phone], { brand, ...ALWAYS });
      await plan(ledger(), third, NOW_MS + 2 * MINUTE_MS);
      expect(await stateOf(ledger(), third)).toEqual(["leased"]);
    });

    it("by a server whose clock is behind the one that took the consent is withdrawn all the same; what is said to be of next year is none", async () => {
      const brand = freshBrand();
      const [phone, later] = freshPhones(2) as [string, string];
      const ahead = consentOf({ obtainedAtMs: NOW_MS + 2 * HOUR_MS });
      await record(ledger(), brand, [
        { ...ahead, phone },
        { ...consentOf({ obtainedAtMs: NOW_MS + 300 * DAY_MS }), phone: later },
        { ...ahead, phone: later },
      ]);
      await withdraw(ledger(), brand, phone);
      await withdraw(ledger(), brand, later);
      const withdrawnAt = async (of: string) =>
        (await listConsents(ledger().db, { brand, phone: of })).find(({ basis }) => basis === undefined)
          ?.atMs;
      expect(await withdrawnAt(phone)).toBe(ahead.obtainedAtMs);
      expect(await withdrawnAt(later)).toBe(ahead.obtainedAtMs);
      const id = await running(ledger(), [phone], { brand, ...ALWAYS });
      await plan(ledger(), id, NOW_MS + 3 * HOUR_MS);
      expect(await stateOf(ledger(), id)).toEqual(["excluded: no_consent"]);
    });

    it("stops the batch that is dialing the number, at once or by its next reading, and no other", async () => {
      const brand = freshBrand();
      const phones = freshPhones(3) as [string, string, string];
      const list = phones.map((one, index) => contact(one, index + 2, { consent: consentOf() }));
      const id = await running(ledger(), list, { brand, ...ALWAYS });
      const [batchId] = await planAndStart(ledger(), id);
      await withdraw(ledger(), freshBrand(), phones[1], NOW_MS + 1);
      await settleFindings(ledger(), {
        batchId: given(batchId),
        findings: [ended(phones[0])],
        nowMs: NOW_MS + 2,
      });
      expect((await batchOf(ledger(), batchId)).stopReason).toBeUndefined();
      await withdraw(ledger(), brand, phones[1], NOW_MS + 3);
      // Whoever withdrew it died behind that.
      await settleFindings(ledger(), {
        batchId: given(batchId),
        findings: [ended(phones[2])],
        nowMs: NOW_MS + 4,
      });
      expect((await batchOf(ledger(), batchId)).stopReason).toBe("suppression");
      const stopped = await stopBatchesDialing(ledger(), { phones: [phones[1]], brand, nowMs: NOW_MS + 5 });
      expect(stopped).toEqual([batchId]);
    });

    it("is written down, with who and why", async () => {
      const brand = freshBrand();
      const [phone] = freshPhones(1) as [string];
      await record(ledger(), brand, [{ ...consentOf(), phone }]);
      await withdraw(ledger(), brand, phone);
      expect(
        (await listConsents(ledger().db, { brand, phone })).map(({ basis, proof }) => [basis, proof]),
      ).toEqual([
        [undefined, "asked"],
        ["express_written", "form 1"],
      ]);
      const audit = await rows<{ detail: object }>(
        ledger().db,
        sql`select detail from audit where action = 'consent.withdraw' and detail ->> 'brand' = ${brand}`,
      );
      // Of whom, by the mark: nothing is ever taken out of the audit.
      expect(audit).toEqual([
        { detail: { brand, phone: expect.stringMatching(/^person:[\da-f]{64}$/), reason: "asked" } },
      ]);
    });
  });

  it("that is asked for by an amendment has everybody asked about again", async () => {
    const brand = freshBrand();
    const phones = freshPhones(2) as [string, string];
    const id = await running(ledger(), phones, { brand, window: "always" });
    await record(ledger(), brand, [{ ...consentOf(), phone: phones[1] }]);
    const { batchIds } = await plan(ledger(), id);
    await create(ledger(), given(batchIds[0]));
    const { name, concurrency } = given(await readCampaign(ledger().db, id)).spec;
    await amendSpec(ledger(), {
      campaignId: id,
      commandId: `amend-${id}`,
      actor: "test",
      reason: undefined,
      nowMs: NOW_MS,
      dialByMarginMs: PACE.dialByMarginMs,
      spec: specOf({ name, concurrency, brand, ...ALWAYS }),
    });
    expect(await batchOf(ledger(), batchIds[0])).toMatchObject({ stopReason: "policy" });
    await plan(ledger(), id, NOW_MS + HOUR_MS);
    expect(await stateOf(ledger(), id)).toEqual(["excluded: no_consent", "leased"]);
  });
});
