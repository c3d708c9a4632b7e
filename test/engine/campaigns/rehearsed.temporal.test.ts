import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";

import { policyOf } from "../../../src/domain/campaigns/campaign-spec.ts";
import { rehearse, type SeededRun } from "../../../src/domain/campaigns/rehearsal/forecast.ts";
import { WindowBook } from "../../../src/domain/campaigns/rehearsal/lane-hours.ts";
import { USUAL_OUTCOMES } from "../../../src/domain/campaigns/rehearsal/outcome-model.ts";
import { PeopleGatherer } from "../../../src/domain/campaigns/rehearsal/people.ts";
import { numberKindOf } from "../../../src/domain/policy/number-kind.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { expectAccounted } from "../../support/accounts.ts";
import {
  phoneNumbers,
  startEngine,
  startTestCampaign,
  untilOver,
  type Engine,
} from "../../support/engine.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";

/*
 * A forecast against what the engine then does, of people whose calls come to what the sandbox has for them: it is told
 * nothing but how often that is what. The sandbox draws by numbers of its own, so that the two agree as far as the
 * forecast is right, and no further.
 *
 * Compared are calls, outcomes and the time of lines, which are the same on any machine. That the end is not before the
 * forecast's is compared as well; how long after it, on a machine at sixty times its pace, is a matter of that machine:
 * what lines have of a batch's own time is held in test/domain/campaigns/rehearsal/simulation.test.ts, without clocks.
 */

const SPEED = 60;
const LINES = 25;
const CONTACTS = 250;
const RUNS = 40;

describeSomeLedger("a forecast", (ledger) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine(ledger(), { speed: SPEED, sandbox: { seed: 11 } });
    await engine.startWorkers();
  });
  afterAll(() => engine.close());

  it("says beforehand what the engine's campaign comes to", async () => {
    const phones = phoneNumbers(CONTACTS, 700_000);
    const startedMs = Date.now();
    const id = await startTestCampaign(engine, phones, {
      concurrency: LINES,
      // Delays of a spec are not divided by the speed.
      retry: { max_attempts: 3, delays: { no_answer: "1s", busy: "1s", voicemail: "1s", failed: "1s" } },
    });
    const runs = forecast(phones, given(await readCampaign(ledger().db, id)).spec);
    await untilOver(engine, id);
    const endedMs = Date.now();
    await expectAccounted(engine, id);
    const made = await rows<{ disposition: string; calls: number; done: number }>(
      ledger().db,
      sql`select a.disposition, count(*)::int as calls,
            count(*) filter (where a.attempt_no = c.attempts)::int as done
          from attempts a join contacts c on c.id = a.contact_id
          where a.campaign_id = ${id}::uuid and a.state = 'ended' group by 1`,
    );
    const all = made.reduce((sum, { calls }) => sum + calls, 0);
    expectWithin(
      "calls",
      all,
      runs.map(({ calls }) => calls),
    );
    for (const { disposition, calls, done } of made) {
      const of = (counts: Readonly<Partial<Record<string, number>>>) => counts[disposition] ?? 0;
      expectWithin(
        `calls that were ${disposition}`,
        calls,
        runs.map(({ dispositions }) => of(dispositions)),
      );
      expectWithin(
        `contacts that were ${disposition}`,
        done,
        runs.map((run) => of(run.done)),
      );
    }
    expect(engine.sandbox.dialLog.length).toBe(all);
    const [lines] = await rows<{ ms: number }>(
      ledger().db,
      sql`select sum(extract(epoch from ended_at - started_at))::float8 * 1000 as ms from attempts
          where campaign_id = ${id}::uuid`,
    );
    expectWithin(
      "time of lines",
      given(lines).ms * SPEED,
      runs.map(({ lineMs }) => lineMs),
    );
    const earliest = Math.min(...runs.map(({ endMs }) => endMs - FROM_MS));
    // The retries wait for a minute of their own in the forecast, and for a second of this machine here.
    expect((endedMs - startedMs) * SPEED).toBeGreaterThan(earliest - 3 * 60_000);
  });
});

const FROM_MS = Date.parse("2026-11-30T12:00:00Z");

function forecast(phones: readonly string[], spec: Parameters<typeof policyOf>[0]): SeededRun[] {
  const gatherer = new PeopleGatherer();
  for (const phone of phones) gatherer.add({ zones: ["America/New_York"], kind: numberKindOf(phone) });
  const policy = policyOf(spec, 1);
  const work = rehearse(
    {
      people: gatherer.people(),
      policy,
      windows: new WindowBook(policy.window),
      lines: LINES,
      rampMs: 0,
      isNewestFirst: false,
      rate: undefined,
      // Shares are known here: what is left is luck.
      model: { ...USUAL_OUTCOMES, uncertainty: 0 },
      fromMs: FROM_MS,
      shownIn: "UTC",
    },
    { runs: RUNS, seed: 1 },
  );
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Within what forty runs came to, and a little beyond: the real one is the forty-first, which one time in twenty is
 * the least or the most of them. The seed of the sandbox is given, so that it is within today and tomorrow.
 */
function expectWithin(what: string, value: number, forecasts: readonly number[]): void {
  const [least, most] = [Math.min(...forecasts), Math.max(...forecasts)];
  const beyond = Math.max(2, (most - least) / 4);
  expect(value, what).toBeGreaterThanOrEqual(least - beyond);
  expect(value, what).toBeLessThanOrEqual(most + beyond);
}
