import { expect, it } from "vitest";

import { openEmbeddedLedger } from "../../src/ledger/ground/embedded.ts";
import { provideTemporalServer } from "../../src/temporal/server/index.ts";
import { campaignWorkflowId } from "../../src/temporal/workflow-ids.ts";
import { expectAccounted } from "../support/accounts.ts";
import { phoneNumbers, startEngine, startTestCampaign, until, untilOver, tell } from "../support/engine.ts";
import { freshDataDir } from "../support/ledgers.ts";
import { cacheDir } from "../support/setup-temporal.ts";

it("a campaign that has to continue as new over and over loses no batch, no command and nobody", async () => {
  const suggestAt = 60;
  const server = await provideTemporalServer({
    searchPath: process.env["PATH"] ?? "",
    cacheDir: cacheDir(),
    headless: true,
    dynamicConfig: { "limit.historyCount.suggestContinueAsNew": suggestAt },
    onProgress: () => {},
  });
  const ledger = await openEmbeddedLedger(freshDataDir());
  const engine = await startEngine(ledger, { speed: 200, temporalAddress: server.address });
  try {
    await engine.startWorkers();
    const id = await startTestCampaign(engine, phoneNumbers(200, 600_000), { concurrency: 8 });
    const handle = engine.client.workflow.getHandle(campaignWorkflowId(id));
    const runIds = new Set<string>();
    const noteRun = async () => runIds.add((await handle.describe()).runId);
    // Commands in the middle of it: an update that meets the end of a run is taken by the next one.
    for (let nth = 1; nth <= 3; nth += 1) {
      await until("some dials", async () => {
        await noteRun();
        return engine.sandbox.dialLog.length > nth * 40;
      });
      expect((await tell(engine, id, "pause", `pause ${nth}`)).state).toBe("paused");
      expect((await tell(engine, id, "resume", `resume ${nth}`)).state).toBe("running");
    }
    expect((await untilOver(engine, id)).state).toBe("completed");
    await noteRun();
    await expectAccounted(engine, id);
    expect(runIds.size).toBeGreaterThan(2);
    // People see in the last run what it is.
    const { memo } = await handle.describe();
    expect(memo).toMatchObject({ name: expect.stringMatching(/^test /), brand: "default" });
    const lengths: number[] = [];
    for await (const execution of engine.client.workflow.list()) lengths.push(execution.historyLength);
    // A little beyond the suggestion, because what is under way when it comes is brought to its end.
    expect(Math.max(...lengths)).toBeLessThan(suggestAt * 2);
  } finally {
    await engine.close();
    await ledger.close();
    await server.stop();
  }
});
