import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";

import { readRowOf } from "../../../src/contacts/take-list.ts";
import { ContactRows } from "../../../src/contacts/contact-row.ts";
import { readContact } from "../../../src/contacts/one-contact.ts";
import { decideZones } from "../../../src/domain/policy/policy-gate.ts";
import { policyOf, type CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { createWindowMemo } from "../../../src/domain/policy/calling-window.ts";
import type { ConsentGiven } from "../../../src/domain/policy/consent.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { placeCallback } from "../../../src/ledger/campaigns/placements.ts";
import { readLanes } from "../../../src/ledger/campaigns/planning-lanes.ts";
import { readReport } from "../../../src/ledger/campaigns/reports.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import type { ReadContact } from "../../../src/ledger/campaigns/list-imports.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import { callOf, enrolled, enrolmentOf, turn, written } from "../support/enrolling.ts";
import {
  batchOf,
  contactsOf,
  create,
  createScheduled,
  ended,
  holdsOf,
  HOUR_MS,
  importWhole,
  MINUTE_MS,
  PACE,
  permit,
  plan,
  running,
  specOf,
  start,
} from "../support/scenario.ts";

/** Tuesday, 2026-11-17, in Miami, where it is five hours behind UTC. */
const miami = (clock: string) => Date.parse(`2026-11-17T${clock}:00-05:00`);

let given_ = 0;

/** A number of this area code that no other test has. */
function numberIn(area: string): string {
  given_ += 1;
  return `+1${area}555${String(1_000 + given_).slice(-4)}`;
}

/** A row of a list, read as a list is. */
function row(phone: string, line: number, cells: { state?: string; postalCode?: string } = {}): ReadContact {
  const read = readRowOf(
    new ContactRows(undefined).row(
      { line, raw: "" },
      { phone, timeZone: "", region: "", country: "", state: "", postalCode: "", variables: {}, ...cells },
    ),
  );
  if (read.kind === "rejected") throw new Error(read.reason);
  return { ...read, consent: CONSENT };
}

/** What the rules of consent ask for. */
const CONSENT: ConsentGiven = {
  basis: "express",
  obtainedAtMs: Date.UTC(2026, 0, 1),
  proof: undefined,
  expiresAtMs: undefined,
};

const US: Partial<CampaignSpecInput> = { presets: ["us-states"], window: "always" };

describeLedgers("presets", (ledger) => {
  const placesOf = (campaignId: string) =>
    rows<{ places: string[] }>(
      ledger().db,
      sql`select z.places from contacts c join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id
          where c.campaign_id = ${campaignId}::uuid order by c.line`,
    ).then((found) => found.map(({ places }) => places));

  const amend = async (id: string, changes: Partial<CampaignSpecInput>, nowMs: number, actor = "test") => {
    const { spec } = given(await readCampaign(ledger().db, id));
    const { name, brand, concurrency } = spec;
    return amendSpec(ledger(), {
      campaignId: id,
      commandId: randomUUID(),
      actor,
      reason: undefined,
      nowMs,
      dialByMarginMs: PACE.dialByMarginMs,
      spec: specOf({ window: "always", ...changes, name, brand, concurrency }),
    });
  };

  it("call nobody in Florida at half past eight in the evening, and others of the same clock", async () => {
    const [florida, newYork] = [numberIn("305"), numberIn("212")];
    const nowMs = miami("20:30");
    const id = await running(ledger(), [row(florida, 2), row(newYork, 3)], US, nowMs);
    expect(await placesOf(id)).toEqual([["US-FL"], ["US-NY"]]);
    const { batchIds } = await plan(ledger(), id, nowMs);
    expect(batchIds).toHaveLength(1);
    expect(await batchOf(ledger(), batchIds[0])).toMatchObject({
      size: 1,
      // Nine in New York, by the federal rule, less the minute in which it is stopped.
      dialByMs: miami("20:59"),
    });
    const [hold] = await holdsOf(ledger(), id);
    expect(hold?.reason).toBe("window");
    expect(hold?.detail).toBe(
      `until ${new Date(miami("08:00") + 24 * HOUR_MS).toISOString()}: us-states 2026.1: Florida, 08:00-20:00 every day (us-fl.hours; Fla. Stat. § 501.616(6), § 501.059(8))`,
    );
    const explained = given(await explainContact(ledger().db, id, florida));
    expect(explained.contact.places).toEqual(["US-FL"]);
    expect(explained.holds.map(({ detail }) => detail).join()).toContain("us-fl.hours");
  });

  it("are asked again in the transaction that permits a start", async () => {
    const id = await running(ledger(), [row(numberIn("305"), 2)], US, miami("19:55"));
    const batchId = given((await plan(ledger(), id, miami("19:55"))).batchIds[0]);
    expect(await batchOf(ledger(), batchId)).toMatchObject({ dialByMs: miami("19:59") });
    await create(ledger(), batchId, miami("19:56"));
    expect(await permit(ledger(), batchId, miami("20:01"))).toMatchObject({
      kind: "stopped",
      reason: "window",
    });
  });

  it("go by the row's state and by the number's, both", async () => {
    // Both of Chicago's clock. It is Sunday, and Louisiana calls nobody.
    const sundayMs = Date.parse("2026-11-22T13:00:00-06:00");
    const list = [
      row(numberIn("512"), 2),
      row(numberIn("512"), 3, { state: "LA" }),
      row(numberIn("504"), 4, { state: "TX" }),
      row(numberIn("512"), 5, { postalCode: "70112" }),
    ];
    const id = await running(ledger(), list, US, sundayMs);
    expect(await placesOf(id)).toEqual([
      ["US-TX"],
      ["US-LA", "US-TX"],
      ["US-LA", "US-TX"],
      ["US-LA", "US-TX"],
    ]);
    const { batchIds } = await plan(ledger(), id, sundayMs);
    expect(await batchOf(ledger(), batchIds[0])).toMatchObject({ size: 1 });
    expect((await holdsOf(ledger(), id)).map(({ detail }) => detail).join()).toContain("us-la.sundays");
  });

  it("under `zones: strict` are those of every state, where the row names none", async () => {
    const nowMs = Date.parse("2026-11-21T12:00:00-05:00");
    const list = [row(numberIn("212"), 2), row(numberIn("212"), 3, { state: "NY" })];
    const id = await running(ledger(), list, { ...US, zones: "strict" }, nowMs);
    expect(await placesOf(id)).toEqual([["US"], ["US-NY"]]);
    // Saturday noon: Maine and South Dakota call nobody at weekends.
    const { batchIds } = await plan(ledger(), id, nowMs);
    expect(await batchOf(ledger(), batchIds[0])).toMatchObject({ size: 1 });
  });

  it("cap calls for those in whose state a cap is, over campaigns of the brand", async () => {
    const brand = "capped";
    const [florida, newYork] = [numberIn("305"), numberIn("212")];
    const call = async (nowMs: number, disposition: Disposition = "busy") => {
      const id = await running(ledger(), [row(florida, 2), row(newYork, 3)], { ...US, brand }, nowMs);
      const { batchIds } = await plan(ledger(), id, nowMs);
      for (const batchId of batchIds) {
        await start(ledger(), batchId, nowMs);
        const findings = [florida, newYork].map((phone) => ended(phone, disposition, nowMs));
        await settleFindings(ledger(), { batchId, findings, nowMs });
        await closeBatch(ledger(), batchId, nowMs);
      }
      return id;
    };
    for (const clock of ["09:00", "10:00", "11:00"]) await call(miami(clock));
    const id = await call(miami("12:00"));
    expect(await contactsOf(ledger(), id)).toMatchObject([
      { phone: florida, attempts: 0, due_ms: miami("09:00") + 24 * HOUR_MS },
      { phone: newYork, attempts: 1 },
    ]);
    const { refusals } = given(await explainContact(ledger().db, id, florida));
    expect(refusals).toMatchObject([{ reason: "frequency", detail: expect.stringContaining("us-fl.calls") }]);
    // Whoever lifts the cap has them asked again at once.
    const override = [{ rule: "us-fl.calls", reason: "they asked for this call" }];
    await amend(id, { ...US, brand, override }, miami("12:05"));
    await plan(ledger(), id, miami("12:06"));
    expect((await contactsOf(ledger(), id))[0]).toMatchObject({ phone: florida, state: "leased" });
  });

  it("are stricter under way at once, and looser with a name and a reason", async () => {
    const override = [{ rule: "us-fl.hours", reason: "counsel, 2026-11-02: existing customers" }];
    const nowMs = miami("20:30");
    const id = await running(ledger(), [row(numberIn("305"), 2)], { ...US, override }, nowMs);
    const batchId = given((await plan(ledger(), id, nowMs)).batchIds[0]);
    await start(ledger(), batchId, nowMs);
    expect(await readReport(ledger().db, id)).toMatchObject({
      presets: ["us-states@2026.1", "us-federal@2026.1", "careful@2026.1"],
      overrides: override,
    });
    const audited = () =>
      rows<{ actor: string; detail: unknown }>(
        ledger().db,
        sql`select actor, detail from audit where campaign_id = ${id}::uuid and action = 'campaign.override' order by id`,
      );
    expect(await audited()).toMatchObject([{ actor: "test", detail: { version: 1, override } }]);
    const { stoppedBatchIds } = await amend(id, US, nowMs + MINUTE_MS);
    expect(stoppedBatchIds).toEqual([batchId]);
    expect(await batchOf(ledger(), batchId)).toMatchObject({ stopReason: "window" });
    await amend(id, { ...US, override }, nowMs + 2 * MINUTE_MS, "dana");
    expect(await audited()).toMatchObject([
      { actor: "test", detail: { version: 1 } },
      { actor: "dana", detail: { version: 3, override } },
    ]);
  });

  it("that come under way hold whoever was taken before to all states of their country", async () => {
    const nowMs = miami("16:30");
    const list = [row(numberIn("212"), 2), row("+33612345678", 3)];
    const id = await running(ledger(), list, {}, nowMs);
    expect(await placesOf(id)).toEqual([[], []]);
    const batchIds = (await plan(ledger(), id, nowMs)).batchIds;
    for (const batchId of batchIds) await start(ledger(), batchId, nowMs);
    // Ten in the evening in Paris, and within the hours of Maine until five.
    const { stoppedBatchIds } = await amend(id, { presets: ["us-states", "fr"] }, nowMs);
    expect(stoppedBatchIds).toEqual(batchIds);
    expect(await decisionFor(id, ["America/New_York"], miami("16:59"))).toBe("dial");
    expect(await decisionFor(id, ["America/New_York"], miami("17:00"))).toBe("wait");
  });

  const decisionFor = async (id: string, zones: string[], nowMs: number) => {
    const { spec } = given(await readCampaign(ledger().db, id));
    const policy = policyOf(spec, 1);
    const windowOf = createWindowMemo(policy.window);
    return decideZones({ facts: { zones, places: [] }, policy, nowMs, windowOf, lists: [] }).kind;
  };

  it("make no lanes where none are named", async () => {
    const list = ["305", "212", "404", "617"].map((area, index) => row(numberIn(area), index + 2));
    const without = await createScheduled(ledger(), {});
    await importWhole(ledger(), without.id, list);
    expect(await readLanes(ledger().db, without.id)).toHaveLength(1);
    const named = await createScheduled(ledger(), US);
    await importWhole(ledger(), named.id, list);
    expect(await readLanes(ledger().db, named.id)).toHaveLength(4);
  });

  it("call nobody who is not known to have consented, by the rule of their place, unless that is lifted", async () => {
    const [without, withIt] = [numberIn("305"), numberIn("305")];
    const nowMs = miami("12:00");
    const { consent: _consent, ...silent } = row(without, 2);
    const id = await running(ledger(), [silent, row(withIt, 3)], US, nowMs);
    expect((await plan(ledger(), id, nowMs)).batchIds).toHaveLength(1);
    expect(await contactsOf(ledger(), id)).toMatchObject([
      { phone: without, state: "excluded", reason: "no_consent" },
      { phone: withIt, state: "leased" },
    ]);
    const lifts = ["us.consent", "us-fl.consent"].map((rule) => ({
      rule,
      reason: "a person calls, not a machine",
    }));
    const lifted = { ...US, override: lifts };
    const free = await running(ledger(), [{ ...silent, phone: numberIn("305") }], lifted, nowMs);
    expect((await plan(ledger(), free, nowMs)).batchIds).toHaveLength(1);
  });

  it("hold for calls of sequences and for callbacks, by the person's state", async () => {
    const { name } = await written(ledger(), [{ id: "first", call: {} }], { presets: ["us-states"] });
    const person = readContact(numberIn("305"));
    if (!person.ok) throw new Error(person.reason);
    const { phone, region, zones, strictZones, places, strictPlaces } = person;
    const nowMs = miami("20:30");
    const them = { phone, region, zones, strictZones, places, strictPlaces, consent: CONSENT, nowMs };
    const enrolmentId = await enrolled(ledger(), name, them);
    expect((await enrolmentOf(ledger(), enrolmentId)).places).toEqual(["US-FL"]);
    await turn(ledger(), enrolmentId, nowMs);
    const { campaignId, contactId } = await callOf(ledger(), enrolmentId);
    expect((await plan(ledger(), campaignId, nowMs)).batchIds).toEqual([]);
    expect((await plan(ledger(), campaignId, miami("08:00") + 24 * HOUR_MS)).batchIds).toHaveLength(1);

    const parentId = await running(ledger(), [row(numberIn("305"), 2)], US, miami("12:00"));
    const placed = await ledger().transaction((tx) =>
      placeCallback(tx, {
        campaignId: parentId,
        asker: { actionId: randomUUID(), askedAtMs: nowMs },
        phone: numberIn("305"),
        region,
        zones,
        places,
        variables: {},
        dueAtMs: nowMs,
        nowMs,
        actor: "test",
        most: 3,
      }),
    );
    if (placed.kind === "refused") throw new Error(placed.detail);
    expect((await plan(ledger(), placed.campaignId, nowMs)).batchIds).toEqual([]);
    expect(contactId).toBeGreaterThan(0);
    await expectInvariants(ledger());
  });
});
