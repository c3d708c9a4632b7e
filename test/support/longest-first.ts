import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take a minute and more on two cores. In a fresh checkout Vitest knows no durations, begins with the largest
 * file, and would have everybody wait for one of these at the end.
 */
const LONGEST = [
  "test/system/kill.system.test.ts",
  "test/system/run.system.test.ts",
  "test/system/running.system.test.ts",
  "test/system/outages.system.test.ts",
  "test/system/bad-input.system.test.ts",
  "test/system/schedules.system.test.ts",
  "test/system/journeys.system.test.ts",
  "test/engine/campaigns/hostile-platform.temporal.test.ts",
  "test/engine/campaigns/stalls.temporal.test.ts",
  "test/engine/campaigns/stopping.temporal.test.ts",
  "test/engine/campaigns/lost-answers.temporal.test.ts",
  "test/temporal/server/provide.temporal.test.ts",
  "test/engine/campaigns/concurrency.temporal.test.ts",
  "test/engine/follow-ups/follow-up.temporal.test.ts",
  "test/ledger/campaigns/account-lines.ledger.test.ts",
  "test/engine/recovery/restored.ledger.test.ts",
  "test/engine/campaigns/loop.ledger.test.ts",
  "test/ledger/ground/data-dir.ledger.test.ts",
  "test/engine/triggers/intake.ledger.test.ts",
];

/** Begins with what is known to take long; else as Vitest does. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return at === -1 ? LONGEST.length : at;
    };
    const groupOf = (file: TestSpecification) => file.project.config.sequence.groupOrder;
    return sorted.sort((a, b) => groupOf(a) - groupOf(b) || rank(a) - rank(b));
  }
}
