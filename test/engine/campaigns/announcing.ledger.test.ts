import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";

import { announce } from "../../../src/activities/campaigns/batch-settling.ts";
import { paceAt, type ActivityDeps } from "../../../src/activities/deps.ts";
import type { Finding } from "../../../src/domain/campaigns/findings.ts";
import type { Batch } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { settleFindings, type SettleResult } from "../../../src/ledger/campaigns/settling.ts";
import { createPlatform } from "../../../src/platform/index.ts";
import {
  batchOf,
  ended,
  freshPhones,
  NOW_MS,
  openPhones,
  planAndStart,
  running,
} from "../../ledger/support/scenario.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { noFollowUpPorts } from "../../support/ports.ts";

const NOTHING: SettleResult = {
  fenced: false,
  calls: [],
  ended: 0,
  open: 1,
  provisional: 0,
  wakeCampaign: false,
  opensBreaker: false,
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

    const withDeps = async (work: (deps: ActivityDeps) => Promise<void>) => {
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
      try {
        await work(deps);
      } finally {
        await platform.close();
      }
    };

    const announced = async (result: Partial<SettleResult> | undefined) => {
      const id = await running(ledger(), freshPhones(1));
      const [batchId] = await planAndStart(ledger(), id);
      const batch = await batchOf(ledger(), given(batchId));
      await withDeps((deps) => announce(deps, batch, result && { ...NOTHING, ...result }));
      return { id, batchId: given(batchId) };
    };

    const settleAndAnnounce = (batch: Batch, findings: readonly Finding[]) =>
      withDeps(async (deps) => {
        const result = await settleFindings(ledger(), { batchId: batch.id, findings, nowMs: NOW_MS });
        await announce(deps, batch, result);
      });

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

    it("to the campaign whose breaker it opens: it is paused, and its batches are stopped", async () => {
      const breaker = { newest: 5, at_least: 5, failed: 1 };
      const id = await running(ledger(), freshPhones(50), { breaker, retry: { max_attempts: 1 } });
      const [batchId, ...others] = await planAndStart(ledger(), id);
      const batch = await batchOf(ledger(), given(batchId));
      const phones = await openPhones(ledger(), batch.id);
      const findings = phones.slice(0, 5).map((phone) => ended(phone, "failed"));
      await settleAndAnnounce(batch, findings);
      expect(await readCampaign(ledger().db, id)).toMatchObject({ state: "paused", breaker: "open" });
      expect(heard).toEqual(
        expect.arrayContaining([`campaign ${id}`, ...[batch.id, ...others].map((one) => `batch ${one}`)]),
      );
    });

    it("in the log, with whose outcome could not be written", async () => {
      const { batchId } = await announced({
        refused: [{ phone: "+12025550143", isBare: true, why: "out of range" }],
      });
      expect(heard).toEqual([JSON.stringify({ batchId, phone: "+12025550143", error: "out of range" })]);
    });
  });
});
