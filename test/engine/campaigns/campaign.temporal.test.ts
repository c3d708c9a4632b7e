import { afterAll, beforeAll, expect, it } from "vitest";

import { expectAccounted } from "../../support/accounts.ts";
import {
  phoneNumbers,
  startEngine,
  startTestCampaign,
  untilOver,
  type Engine,
} from "../../support/engine.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";

describeSomeLedger("a campaign on a real Temporal server", (ledger) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine(ledger());
    await engine.startWorkers();
  });
  afterAll(() => engine.close());

  it("dials everybody, retries, and ends with everyone accounted for", async () => {
    const id = await startTestCampaign(engine, phoneNumbers(200));
    const campaign = await untilOver(engine, id);
    expect(campaign.state).toBe("completed");
    await expectAccounted(engine, id);
  });
});
