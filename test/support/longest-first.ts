import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take half a minute and more on two cores, in each project the longest first. In a fresh checkout Vitest
 * knows no durations, begins with the largest file, and would have everybody wait for one of these at the end: so it was
 * with the lives of the dial log, four minutes in a file of a page.
 */
export const LONGEST = [
  "test/cli/qualify.test.ts",
  "test/ledger/campaigns/dial-log.ledger.test.ts",
  "test/ledger/campaigns/account-lines.ledger.test.ts",
  "test/ledger/campaigns/scrubbing.ledger.test.ts",
  "test/engine/notices/notices.ledger.test.ts",
  "test/engine/recovery/restored.ledger.test.ts",
  "test/engine/triggers/intake.ledger.test.ts",
  "test/engine/automations/automations.ledger.test.ts",
  "test/http/people/story.ledger.test.ts",
  "test/engine/campaigns/withdrawn-while-dialing.ledger.test.ts",
  "test/backup/embedded.ledger.test.ts",
  "test/engine/campaigns/stalled-starts.ledger.test.ts",
  "test/ledger/campaigns/concurrency.ledger.test.ts",
  "test/engine/campaigns/loop.ledger.test.ts",
  "test/engine/campaigns/stop-all.ledger.test.ts",
  "test/engine/campaigns/hostile-platform.temporal.test.ts",
  "test/engine/campaigns/stalls.temporal.test.ts",
  "test/engine/campaigns/stopping.temporal.test.ts",
  "test/engine/campaigns/lost-answers.temporal.test.ts",
  "test/engine/campaigns/concurrency.temporal.test.ts",
  "test/temporal/server/provide.temporal.test.ts",
  "test/engine/follow-ups/follow-up.temporal.test.ts",
  "test/temporal/versioning.temporal.test.ts",
  "test/engine/schedules/schedule-waits.temporal.test.ts",
  "test/engine/campaigns/poison.temporal.test.ts",
  "test/engine/campaigns/account-lines.temporal.test.ts",
  "test/engine/recovery/recovery.temporal.test.ts",
  "test/temporal/schedules.temporal.test.ts",
  "test/temporal/server/time-skipping.temporal.test.ts",
  "test/engine/long-histories.temporal.test.ts",
  "test/engine/schedules/schedules.temporal.test.ts",
  "test/engine/campaigns/rehearsed.temporal.test.ts",
  "test/engine/schedules/recurring.temporal.test.ts",
  "test/temporal/relay.temporal.test.ts",
  "test/engine/sequences/sequence.temporal.test.ts",
  "test/engine/automations/automation.temporal.test.ts",
  "test/system/run.system.test.ts",
  "test/system/kill.system.test.ts",
  "test/system/running.system.test.ts",
  "test/system/bad-input.system.test.ts",
  "test/system/journeys.system.test.ts",
  "test/dashboard/editing.system.test.ts",
  "test/system/replaced.system.test.ts",
  "test/system/outages.system.test.ts",
  "test/system/stop-all.system.test.ts",
  "test/system/notices.system.test.ts",
  "test/system/schedules.system.test.ts",
  "test/system/kill-commands.system.test.ts",
  "test/costs/campaign-costs.system.test.ts",
  "test/system/backup.system.test.ts",
  "test/docs/one-machine.system.test.ts",
  "test/system/upkeep.system.test.ts",
  "test/system/fresh-checkout.system.test.ts",
  "test/system/metrics.system.test.ts",
  "test/sandbox/rooms/rooms.system.test.ts",
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
