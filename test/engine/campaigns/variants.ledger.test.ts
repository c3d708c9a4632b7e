import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import { variantOf } from "../../../src/domain/campaigns/variants.ts";
import { recordBegun } from "../../../src/ledger/campaigns/batch-steps.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { readReport } from "../../../src/ledger/campaigns/reports.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import type { BatchCallCreate, Platform } from "../../../src/platform/index.ts";
import { batchOf, contact, ended, openPhones, permit, running } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { openStepping, planSome, type Stepping } from "../../support/stepping.ts";

const AGENT = "11111111-1111-4111-8111-111111111111";
const OTHER = "22222222-2222-4222-8222-222222222222";
const SPEC = {
  agent_id: AGENT,
  from_numbers: ["+12025550100"],
  concurrency: 40,
  variants: [{ name: "control" }, { name: "warm", agent_id: OTHER, variables: { tone: "warm" } }],
  retry: { max_attempts: 1 },
};

describe("a campaign with variants", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    beforeAll(async () => {
      stepping = await openStepping();
      deps = stepping.depsOf(ledger());
      await stepping.platform.agents.publish(OTHER);
    });
    afterAll(() => stepping.close());

    /** The platform, that notes what it is asked to create. */
    const noting = (asked: BatchCallCreate[]): Platform => ({
      ...stepping.platform,
      batchCalls: {
        ...stepping.platform.batchCalls,
        create: (body, options) => {
          asked.push(body);
          return stepping.platform.batchCalls.create(body, options);
        },
      },
    });

    it("has each called by their variant's agent, told what that says, and compares what came of it", async () => {
      const people = phoneNumbers(40, 700_000).map((phone, index) =>
        contact(phone, index + 2, { variables: { tone: "of the row", first_name: "Ada" } }),
      );
      const id = await running(ledger(), people, SPEC, Date.now());
      const { spec } = given(await readCampaign(ledger().db, id));
      const asked: BatchCallCreate[] = [];
      const batchIds = await planSome(deps, id);
      for (const batchId of batchIds) await createBatch({ ...deps, platform: noting(asked) }, { batchId });

      const called = asked.flatMap(({ agent_id, contacts }) =>
        contacts.map(({ phone_number: phone, dynamic_variables: variables }) => ({
          phone,
          agent_id,
          variables,
        })),
      );
      expect(called).toHaveLength(40);
      for (const { phone, agent_id, variables } of called) {
        const isWarm = variantOf(spec, phone)?.name === "warm";
        expect(agent_id).toBe(isWarm ? OTHER : AGENT);
        expect(variables).toEqual({ tone: isWarm ? "warm" : "of the row", first_name: "Ada" });
      }
      expect(new Set(called.map(({ agent_id }) => agent_id))).toEqual(new Set([AGENT, OTHER]));

      const reached = { control: 0, warm: 0 };
      const contacts = { control: 0, warm: 0 };
      for (const batchId of batchIds) {
        await startCreated(batchId);
        const { variant } = await batchOf(ledger(), batchId);
        if (variant !== "control" && variant !== "warm") throw new Error(`variant ${variant}`);
        const phones = await openPhones(ledger(), batchId);
        contacts[variant] += phones.length;
        // Everybody answers the warm one, and every other the control.
        const findings = phones.map((phone, index) => {
          const isReached = variant === "warm" || index % 2 === 0;
          reached[variant] += isReached ? 1 : 0;
          return ended(phone, isReached ? "answered" : "no_answer");
        });
        await settleFindings(ledger(), { batchId, findings, nowMs: Date.now() });
        await closeBatch(ledger(), batchId, Date.now());
      }
      const { variants } = given(await readReport(ledger().db, id));
      expect(variants).toMatchObject([
        { name: "control", contacts: contacts.control, reached: reached.control, attempts: contacts.control },
        {
          name: "warm",
          contacts: contacts.warm,
          reached: contacts.warm,
          attemptDispositions: { answered: contacts.warm },
        },
      ]);
    });

    const startCreated = async (batchId: string) => {
      expect((await permit(ledger(), batchId, Date.now())).kind).toBe("permitted");
      await recordBegun(ledger().db, batchId, Date.now());
    };
  });
});
