import { expect, it } from "vitest";

import { readKeyRotation } from "../../../src/ledger/keys/key-rotations.ts";
import { keyRotationWorkflowId } from "../../../src/temporal/workflow-ids.ts";
import { startEngine } from "../../support/engine.ts";
import { begin, keyFileWith, keyProcess, readKey } from "../../support/keys.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { textsIn } from "../../support/texts-in.ts";
import { until } from "../../support/until.ts";

withLedger((ledger) => {
  it("a rotation is taken to its end by its workflow, and no key is in its history", async () => {
    const engine = await startEngine(ledger(), { speed: 2_000 });
    try {
      const { sandbox, deps } = engine;
      const made = await deps.platform.apiKeys.create({ name: "outdial" });
      const file = keyFileWith(made.key);
      const { platform, keys } = keyProcess(ledger(), sandbox, file, {
        aheadMs: 0,
        now: Date.now,
      }).deps;
      deps.platform = platform;
      deps.keys = given(keys);
      await engine.startWorkers();
      const rotationId = await begin(deps);
      const rotation = await until("the rotation to be over", async () => {
        const found = await readKeyRotation(ledger().db, rotationId);
        return found?.endedAtMs === undefined ? undefined : found;
      });
      expect(rotation.state).toBe("done");
      const fresh = readKey(file);
      expect(fresh).not.toBe(made.key);
      await deps.platform.agents.list();
      const handle = engine.client.workflow.getHandle(keyRotationWorkflowId(rotationId));
      await handle.result();
      const history = textsIn(await handle.fetchHistory());
      expect(`${history}${JSON.stringify(engine.logged)}`).not.toMatch(/sbx_[\w-]{30,}/);
    } finally {
      await engine.close();
    }
  });
});
