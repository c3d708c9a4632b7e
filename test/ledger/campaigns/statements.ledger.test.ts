import { expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { declareSource } from "../../../src/ledger/campaigns/renewing.ts";
import { recordAnswers } from "../../../src/ledger/ground/scrub-answers.ts";
import { scrubOf } from "../../../src/ledger/ground/suppression-sources.ts";
import { recordBegun } from "../../../src/ledger/campaigns/batch-steps.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { counted } from "../support/counted.ts";
import {
  contact,
  create,
  DAY_MS,
  ended,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  PACE,
  permit,
  plan,
  running,
} from "../support/scenario.ts";

/*
 * What a batch costs the ledger in statements: that they are a batch's and not a contact's, and what rules add to them.
 * docs/costs.md says the same in words: who changes a number here changes it there.
 */

const consent = {
  basis: "express_written",
  obtainedAtMs: NOW_MS - DAY_MS,
  proof: "form 1",
  expiresAtMs: undefined,
} as const;

/** Every rule that is asked of a contact, a batch or a call, and lets them all through. */
const ALL_RULES: Partial<CampaignSpecInput> = {
  brand: "all-rules",
  starts_at: "2026-05-30T00:00:00Z",
  ends_at: "2026-07-30T00:00:00Z",
  window: { weekdays: ["08:00-21:00"] },
  holidays: ["US"],
  exceptions: [{ date: "2026-06-20" }],
  presets: ["us-states", "careful"],
  consent: { require: "express", max_age: "30d" },
  numbers: { countries: ["US"] },
  frequency: [
    { attempts: 3, within: "1d", across: "brand" },
    { conversations: 2, within: "7d", across: "everything" },
  ],
  not_called_within: "1d",
  least_gap: "5m",
  retry: {
    max_attempts: 3,
    delays: { no_answer: { after: "30m", at: "other_part_of_day" }, busy: ["10m", "next_window"] },
    max_per_disposition: { busy: 2 },
  },
  caller_ids: { sticky: true, per_hour: 1_000, per_day: 5_000 },
  variants: [
    { name: "a", weight: 1, agent_id: "agent" },
    { name: "b", weight: 1, agent_id: "agent-b" },
  ],
  breaker: { failed: 0.9 },
  requires_sources: ["all-rules"],
  budget: { total: 10_000, per_day: 1_000 },
  transfers: {
    hours: { weekdays: ["07:00-21:00"] },
    timezone: "America/New_York",
    capacity: 1_000,
    expect: 0.1,
    talk: "6m",
    answer: "analysis.transferred",
  },
};

let phonesGiven = 0;
/** Numbers of New York that no other test of this file has. */
const freshPhones = (count: number) =>
  Array.from({ length: count }, () => `+1212555${String(1_000 + (phonesGiven += 1))}`);

type Step = "plan" | "permit" | "settle" | "close";

describeLedgers("a batch costs the ledger", (ledger) => {
  const statementsOf = async (
    people: number,
    spec: Partial<CampaignSpecInput>,
  ): Promise<Record<Step, number>> => {
    const { ledger: counting, take } = counted(ledger());
    const list = freshPhones(people).map((phone, index) =>
      contact(phone, index + 2, { consent, places: ["US-NY"] }),
    );
    if (spec.requires_sources) await clear(list.map(({ phone }) => phone));
    const id = await running(ledger(), list, { concurrency: people, ...spec });
    const planned = await plan(counting, id);
    const planning = take();
    const batchId = given(planned.batchIds[0]);
    await create(ledger(), batchId);
    take();
    expect((await permit(counting, batchId)).kind).toBe("permitted");
    const permitting = take();
    await recordBegun(ledger().db, batchId, NOW_MS);
    const nowMs = NOW_MS + 2 * MINUTE_MS;
    const phones = await openPhones(ledger(), batchId);
    expect(phones.length).toBeGreaterThan(people / 4);
    const findings = phones.map((phone) => ended(phone, "no_answer"));
    take();
    await settleFindings(counting, { batchId, findings, nowMs });
    const settling = take();
    await closeBatch(counting, batchId, nowMs);
    return { plan: planning, permit: permitting, settle: settling, close: take() };
  };

  /** A service that is asked about numbers of the brand says that they may be called. */
  const clear = async (phones: readonly string[]) => {
    const { source } = await declareSource(ledger(), {
      name: "all-rules",
      brand: "all-rules",
      type: "scrub",
      maxAgeMs: undefined,
      scrub: { url: "https://scrub.example/", secret: "key", cacheMs: 30 * DAY_MS, whenAway: "wait" },
      actor: "test",
      dialByMarginMs: PACE.dialByMarginMs,
      nowMs: NOW_MS - MINUTE_MS,
    });
    const reading = { listed: new Map(), clear: new Set(phones), missing: [] };
    const asked = { ...source, scrub: given(scrubOf(source)) };
    await ledger().transaction((tx) =>
      recordAnswers(tx, { source: asked, reading, askedAtMs: NOW_MS, nowMs: NOW_MS }),
    );
  };

  it("as many statements for eighty people as for eight, with no rule and with all of them", async () => {
    expect(await statementsOf(80, {})).toEqual(await statementsOf(8, {}));
    expect(await statementsOf(80, ALL_RULES)).toEqual(await statementsOf(8, ALL_RULES));
  });

  it("few statements more with all rules", async () => {
    expect(await statementsOf(20, {})).toEqual({ plan: 16, permit: 8, settle: 8, close: 4 });
    expect(await statementsOf(20, ALL_RULES)).toEqual({ plan: 21, permit: 9, settle: 10, close: 4 });
  });
});
