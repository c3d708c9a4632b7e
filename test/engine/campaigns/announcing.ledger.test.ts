import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";

import { announce } from "../../../src/activities/campaigns/batch-settling.ts";
import { paceAt, type ActivityDeps } from "../../../src/activities/deps.ts";
import type { SettleResult } from "../../../src/ledger/campaigns/settling.ts";
import { createPlatform } from "../../../src/platform/index.ts";
import { batchOf, freshPhones, planAndStart, running } from "../../ledger/support/scenario.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { noFollowUpPorts } from "../../support/ports.ts";

const NOTHING: SettleResult = {
  fenced: false,
  ended: 0,
  open: 1,
  provisional: 0,
  wakeCampaign: false,
  isFreed: false,
  tellsOthers: false,
  stoppedBatches: [],
  refused: [],
};

describe("a settling is announced", () => {
  withLedger((ledger) => {
    const heard: string[] = [];
    beforeEach(() => {
      heard.length = 0;
    });

    const announced = async (result: Partial<SettleResult> | undefined) => {
      const platform = createPlatform({ baseUrl: "http://127.0.0.1:9", apiKey: "none" });
      const deps: ActivityDeps = {
        ledger: ledger(),
        platform,
        ...noFollowUpPorts(),
        wake: {
          campaign: (id) => void heard.push(`campaign ${id}`),
          batch: (id) => void heard.push(`batch ${id}`),
        },
        outbox: { kick: () => void heard.push("outbox") },
        pace: paceAt(1),
        log: { info() {}, warn() {}, error: (fields) => void heard.push(JSON.stringify(fields)) },
        now: Date.now,
      };
      const id = await running(ledger(), freshPhones(1));
      const [batchId] = await planAndStart(ledger(), id);
      const batch = await batchOf(ledger(), given(batchId));
      try {
        await announce(deps, batch, result && { ...NOTHING, ...result });
      } finally {
        await platform.close();
      }
      return { id, batchId: given(batchId) };
    };

    it("to nobody where it changed nothing for others, or there was none", async () => {
      await announced({});
      await announced(undefined);
      expect(heard).toEqual([]);
    });

    it("to its campaign where planning would do something", async () => {
      const { id } = await announced({ wakeCampaign: true });
      expect(heard).toEqual([`campaign ${id}`]);
    });

    it("to whom follow-ups and journeys wait for", async () => {
      await announced({ tellsOthers: true });
      expect(heard).toEqual(["outbox"]);
    });

    it("to the batches that it stopped", async () => {
      const stoppedBatches = [randomUUID(), randomUUID()];
      await announced({ stoppedBatches });
      expect(heard).toEqual(stoppedBatches.map((one) => `batch ${one}`));
    });

    it("in the log, with whose outcome could not be written", async () => {
      const { batchId } = await announced({
        refused: [{ phone: "+12025550143", isBare: true, why: "out of range" }],
      });
      expect(heard).toEqual([JSON.stringify({ batchId, phone: "+12025550143", error: "out of range" })]);
    });
  });
});
