import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { advanceEnrolment } from "../../../src/activities/sequences/advance.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { tendFollowUp } from "../../../src/activities/follow-ups/tend-follow-up.ts";
import { listActionsOf } from "../../../src/ledger/follow-ups/actions.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import type { Platform } from "../../../src/platform/index.ts";
import { readEnrolment, readJourney } from "../../../src/ledger/sequences/enrolments.ts";
import type { ForcedOutcome } from "../../../src/sandbox/outcomes.ts";
import { enrolled, written } from "../../ledger/support/enrolling.ts";
import { contactsOf, running } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, takeToEnd, type Stepping } from "../../support/stepping.ts";
import { until } from "../../support/until.ts";

const CALLER = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };
const WHOLE_CALL = "GET /v1/calls/:id";

describe("rules over calls", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    let from = 640_000;
    beforeAll(async () => {
      stepping = await openStepping();
      deps = stepping.depsOf(ledger());
    });
    afterAll(() => stepping.close());

    const somebody = (outcome: ForcedOutcome): string => {
      const phone = given(phoneNumbers(1, (from += 1_000))[0]);
      stepping.sandbox.outcomes.force(phone, [outcome]);
      return phone;
    };
    const wholeReads = () => stepping.sandbox.stats().routes[WHOLE_CALL]?.requests ?? 0;
    const reasonsOf = (campaignId: string) =>
      rows<{
        phone: string;
        disposition: string | null;
        reason: string | null;
        state: string;
        kept: unknown;
      }>(
        ledger().db,
        sql`select phone, disposition, disposition_reason as reason, state, kept from attempts
            where campaign_id = ${campaignId}::uuid order by id`,
      );

    it("decide what calls came to by their analysis, their length and what went wrong, and each says which did", async () => {
      const interested = somebody({ outcome: "answered", talk_ms: 44_000, analysis: { interested: true } });
      const short = somebody({ outcome: "answered", talk_ms: 4_000, analysis: { interested: true } });
      const other = somebody({ outcome: "answered", talk_ms: 44_000, analysis: { interested: "perhaps" } });
      const bare = somebody({ outcome: "answered", talk_ms: 44_000, analysis: null });
      const failed = somebody({ outcome: "failed", error: "SIP 503 carrier blocked us" });
      const phones = [interested, short, other, bare, failed];
      const id = await running(
        ledger(),
        phones,
        {
          ...CALLER,
          concurrency: 5,
          analysis: {
            rules: [
              {
                when: "call.analysis.interested == true && call.duration_seconds > 20",
                disposition: "callback_requested",
              },
              {
                when: "call.duration_seconds < 10 && call.disposition == 'answered'",
                disposition: "voicemail",
              },
              { when: 'call.error.contains("blocked")', disposition: "invalid_number" },
            ],
          },
        },
        Date.now(),
      );
      await takeToEnd(deps, await beginOne(deps, id));
      const byPhone = new Map((await reasonsOf(id)).map((row) => [row.phone, row]));
      expect(phones.map((phone) => byPhone.get(phone)?.disposition)).toEqual([
        "callback_requested",
        "voicemail",
        "answered",
        "answered",
        "invalid_number",
      ]);
      expect(byPhone.get(interested)?.reason).toBe(
        "rule 1: call.analysis.interested == true && call.duration_seconds > 20",
      );
      expect(byPhone.get(bare)?.reason).toMatch(/^item completed.*; no value: rule 1 finds no interested/);
      expect(wholeReads()).toBeGreaterThan(0);
      expect((await contactsOf(ledger(), id)).map(({ state }) => state)).toEqual(phones.map(() => "done"));
    });

    it("that ask for nothing of the analysis read no call whole, and wait for no processing", async () => {
      const phone = somebody({ outcome: "answered", talk_ms: 4_000, processing: "never" });
      const before = wholeReads();
      const analysis = { rules: [{ when: "call.duration_seconds < 10", disposition: "voicemail" as const }] };
      const id = await running(ledger(), [phone], { ...CALLER, concurrency: 1, analysis }, Date.now());
      await takeToEnd(deps, await beginOne(deps, id));
      expect(await reasonsOf(id)).toMatchObject([
        { disposition: "voicemail", reason: "rule 1: call.duration_seconds < 10", kept: null },
      ]);
      expect(wholeReads()).toBe(before);
    });

    it("choose the actions that follow a call", async () => {
      const warm = somebody({
        outcome: "answered",
        analysis: { interested: true },
        summary: "Wants an offer.",
      });
      const cold = somebody({ outcome: "answered", analysis: { interested: false } });
      const id = await running(
        ledger(),
        [warm, cold],
        {
          ...CALLER,
          concurrency: 2,
          follow_ups: [
            {
              id: "warm",
              when: 'call.analysis.interested == true && call.summary.contains("offer") && call.transcript_length > 0',
              actions: [{ tag: { tag: "warm" } }],
            },
          ],
        },
        Date.now(),
      );
      await takeToEnd(deps, await beginOne(deps, id));
      const followUps = await rows<{ id: string; phone: string }>(
        ledger().db,
        sql`select id, phone from follow_ups where campaign_id = ${id}::uuid`,
      );
      const tagged: string[] = [];
      for (const followUp of followUps) {
        let look = await tendFollowUp(deps, { followUpId: followUp.id, startedAtMs: 0 });
        while (!look.done && look.actionIds.length === 0) {
          await new Promise((resolve) => setTimeout(resolve, Math.min(look.waitMs, 50)));
          look = await tendFollowUp(deps, { followUpId: followUp.id, startedAtMs: 0 });
        }
        const actions = await listActionsOf(ledger().db, { followUpId: followUp.id });
        if (actions.length > 0) tagged.push(followUp.phone);
      }
      expect(followUps).toHaveLength(2);
      expect(tagged).toEqual([warm]);
    });

    describe("in a sequence", () => {
      const STEPS = [
        { id: "first", call: {}, on: { answered: "which", unknown: "lost", otherwise: "lost" } },
        {
          id: "which",
          branch: [
            { when: "last_call.analysis.interested == true && last_call.duration_seconds > 20", to: "won" },
            { otherwise: "lost" },
          ],
        },
        { id: "won", exit: { outcome: "won" } },
        { id: "lost", exit: { outcome: "lost" } },
      ];

      async function begun(outcome: ForcedOutcome, steps: readonly object[] = STEPS, changes: object = {}) {
        const phone = somebody(outcome);
        const { name } = await written(ledger(), steps, { ...CALLER, ...changes });
        const enrolmentId = await enrolled(ledger(), name, { phone, nowMs: Date.now() });
        await advanceEnrolment(deps, { enrolmentId });
        const [campaign] = await rows<{ id: string }>(
          ledger().db,
          sql`select campaign_id as id from contacts where enrolment_id = ${enrolmentId}::uuid`,
        );
        return { enrolmentId, campaignId: given(campaign).id };
      }

      it("a branch on the analysis waits until the call is processed, and takes the way that it says", async () => {
        const { enrolmentId, campaignId } = await begun({
          outcome: "answered",
          talk_ms: 44_000,
          analysis: { interested: true, secret: "nobody asks for this" },
        });
        const batchId = await beginOne(deps, campaignId);
        // However long it takes to look: processing is not seen to end before the test has seen that it is waited for.
        const unprocessed = { ...deps, platform: withoutProcessing(stepping.platform) };
        await until("the call to be over", async () => {
          await tendBatch(unprocessed, { batchId });
          return (await reasonsOf(campaignId))[0]?.state === "provisional";
        });
        // The call is over, and nobody goes on without its analysis.
        expect(await advanceEnrolment(deps, { enrolmentId })).toMatchObject({ next: "sleep" });
        expect((await readEnrolment(ledger().db, enrolmentId))?.step).toBe("first");
        await takeToEnd(deps, batchId);
        expect(await advanceEnrolment(deps, { enrolmentId })).toMatchObject({ next: "done" });
        expect(await readEnrolment(ledger().db, enrolmentId)).toMatchObject({ outcome: "won" });
        const journey = await readJourney(ledger().db, enrolmentId, { after: 0, limit: 100 });
        expect(journey.find(({ what }) => what === "branch")?.detail).toMatchObject({ to: "won" });
        // Of the analysis there is what somebody asks for, and nothing else.
        const [attempt] = await reasonsOf(campaignId);
        expect(attempt?.kept).toEqual({ analysis: { interested: true }, duration_seconds: 44 });
        const [stored] = await rows<{ position: string }>(
          ledger().db,
          sql`select position::text as position from enrolments where id = ${enrolmentId}::uuid`,
        );
        expect(stored?.position).not.toContain("nobody asks for this");
      });

      it("one whose analysis never comes goes on after the wait, without it", async () => {
        const steps = [
          { ...STEPS[0], call: { analysis: { keep: ["processed"], wait: "1s" } } },
          ...STEPS.slice(1),
        ];
        const { enrolmentId, campaignId } = await begun({ outcome: "answered", processing: "never" }, steps);
        await takeToEnd(deps, await beginOne(deps, campaignId));
        await advanceEnrolment(deps, { enrolmentId });
        expect(await readEnrolment(ledger().db, enrolmentId)).toMatchObject({
          state: "done",
          outcome: "lost",
        });
        const journey = await readJourney(ledger().db, enrolmentId, { after: 0, limit: 100 });
        expect(journey.find(({ what }) => what === "problem")?.detail).toMatchObject({
          problem: expect.stringContaining("finds no interested"),
        });
      });

      it("one that asks for nothing of it goes on at once, and no call is read whole", async () => {
        const before = wholeReads();
        const steps = [
          { id: "first", call: {} },
          {
            ...STEPS[1],
            branch: [{ when: 'last_call.disposition == "answered"', to: "won" }, { otherwise: "lost" }],
          },
          ...STEPS.slice(2),
        ];
        const { enrolmentId, campaignId } = await begun({ outcome: "answered", processing: "never" }, steps);
        await takeToEnd(deps, await beginOne(deps, campaignId));
        await advanceEnrolment(deps, { enrolmentId });
        expect(await readEnrolment(ledger().db, enrolmentId)).toMatchObject({ outcome: "won" });
        expect(wholeReads()).toBe(before);
      });
    });
  });
});

/** The platform, with calls that it has not processed yet. */
function withoutProcessing(platform: Platform): Platform {
  const { calls } = platform;
  return {
    ...platform,
    calls: {
      ...calls,
      get: async (...asked: Parameters<typeof calls.get>) => ({
        ...(await calls.get(...asked)),
        processing_status: "processing",
        call_analysis: null,
      }),
    },
  };
}
