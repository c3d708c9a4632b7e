import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";

import { effectsOf, NO_PROFILE, readPlatformProfile } from "../../src/domain/campaigns/platform-profile.ts";
import { listUnsettled } from "../../src/ledger/campaigns/batches.ts";
import { rows } from "../../src/ledger/ground/connection.ts";
import { readReport } from "../../src/ledger/campaigns/reports.ts";
import { expectAccounted, expectEachDialOnce } from "../support/accounts.ts";
import {
  phoneNumbers,
  startEngine,
  startTestCampaign,
  until,
  untilOver,
  type Engine,
  tell,
} from "../support/engine.ts";
import { given, withLedger } from "../support/ledgers.ts";

/** What the engine goes by where a profile says this. */
function effectsWith(fields: Readonly<Record<string, unknown>>) {
  return effectsOf(
    given(
      readPlatformProfile({
        outdial_platform_profile: 1,
        made_at: "2026-11-20T09:00:00.000Z",
        base_url: "http://127.0.0.1:8490",
        ...fields,
      }),
    ),
  );
}

describe("a campaign on a platform whose profile is known", () => {
  withLedger((ledger) => {
    let engine: Engine;
    let from = 700_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    afterEach(() => engine.close());

    it("learns from a word of its own what its calls came to, and calls again who did not answer", async () => {
      engine = await startEngine(ledger(), { speed: 200 });
      engine.sandbox.faults.add({ kind: "item_words", words: { no_answer: "gone fishing" } });
      engine.deps.profile = effectsWith({
        ended_item_words: ["gone fishing"],
        page_limits: { items: 7 },
        page_refused: { items: 10 },
      });
      await engine.startWorkers();
      const id = await startTestCampaign(engine, people(20));
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
      const report = given(await readReport(ledger().db, id));
      expect(report.dispositions["unknown"]).toBeUndefined();
      expect(engine.requests.get("GET /v1/batch-calls/{batch_id}/items")).toBeGreaterThan(2);
    });

    it("gives nobody back where the calls of a batch can't be listed: they count as dialed", async () => {
      engine = await startEngine(ledger(), { speed: 100 });
      engine.deps.profile = { ...NO_PROFILE, callsListingProves: false };
      await engine.startWorkers();
      const id = await startTestCampaign(engine, people(40), { concurrency: 5 });
      await until("calls to be up", () => engine.sandbox.stats().activeCalls > 3);
      await tell(engine, id, "pause");
      await until(
        "the batches to be settled",
        async () => (await listUnsettled(ledger().db, id)).length === 0,
      );
      const givenBack = await rows(
        ledger().db,
        sql`select a.phone from attempts a join batches b on b.id = a.batch_id
            where a.campaign_id = ${id}::uuid and a.state = 'returned' and b.start_seen_at is not null`,
      );
      expect(givenBack).toEqual([]);
      await tell(engine, id, "resume");
      await untilOver(engine, id);
      await expectEachDialOnce(engine, id);
    });
  });
});
