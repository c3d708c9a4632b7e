import type { Client } from "@temporalio/client";
import { expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { advanceEnrolment } from "../../../src/activities/sequences/advance.ts";
import { takeOverdue } from "../../../src/ledger/ground/look-by.ts";
import { claimOutbox, finishOutbox, OUTBOX_KINDS } from "../../../src/ledger/ground/outbox.ts";
import { readEnrolment, readJourney } from "../../../src/ledger/sequences/enrolments.ts";
import { overdueLooks } from "../../../src/temporal/overdue.ts";
import { enrolled, written } from "../../ledger/support/enrolling.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";

const DAY_MS = 86_400_000;

describeSomeLedger("somebody who sleeps", (ledger) => {
  it("a month, until a working day's morning where they are, and for an event that never comes, is woken at each moment", async () => {
    let nowMs = Date.UTC(2026, 4, 5, 12, 34, 56);
    const { name } = await written(ledger(), [
      { id: "month", wait: { for: "30d" } },
      { id: "morning", wait: { until: "10:00", days: "weekdays" } },
      {
        id: "answer",
        wait_for: { event: "replied", timeout: "90d" },
        on: { event: "month", timeout: "end" },
      },
      { id: "end", exit: { outcome: "silent" } },
    ]);
    const enrolmentId = await enrolled(ledger(), name, { nowMs, zones: ["America/New_York"] });
    const deps = { ledger: ledger(), now: () => nowMs } as ActivityDeps;
    let step = await advanceEnrolment(deps, { enrolmentId });
    let turns = 1;
    while (step.next === "sleep") {
      const untilMs = given(step.untilMs);
      // Nobody wakes it up before, and whoever looks then finds it.
      nowMs = untilMs - 1;
      expect(await takeOverdue(ledger().db, "enrolment", { nowMs, limit: 10 })).toEqual([]);
      nowMs = untilMs;
      const overdue = await takeOverdue(ledger().db, "enrolment", { nowMs, limit: 10 });
      expect(overdue.map(({ id }) => id)).toEqual([enrolmentId]);
      step = await advanceEnrolment(deps, { enrolmentId });
      turns += 1;
    }
    expect(await readEnrolment(ledger().db, enrolmentId)).toMatchObject({
      state: "done",
      outcome: "silent",
      lookByMs: undefined,
    });
    const journey = await readJourney(ledger().db, enrolmentId, { after: 0, limit: 100 });
    expect(journey.map(({ step: at, what }) => `${at}: ${what}`)).toEqual([
      "month: waits",
      "morning: waits",
      "answer: waits_for_event",
      "answer: timeout",
      "end: ended",
    ]);
    const [month = 0, morning = 0, answer = 0, timeout = 0] = journey.map(({ atMs }) => atMs);
    expect(morning - month).toBe(30 * DAY_MS);
    expect(timeout - answer).toBe(90 * DAY_MS);
    const local = new Date(answer).toLocaleString("en-US", {
      timeZone: "America/New_York",
      weekday: "short",
      hour: "numeric",
      hourCycle: "h23",
    });
    expect(local).toMatch(/^(?:Mon|Tue|Wed|Thu|Fri), 10$/);
    // Asleep for months it took a turn for each of its moments, and none in between.
    expect(turns).toBe(4);
  });

  it("is woken though its last turn's row in the outbox was still in somebody's hands when its time came", async () => {
    let nowMs = Date.now();
    const { name } = await written(ledger(), [
      { id: "moment", wait: { for: "1s" } },
      { id: "end", exit: { outcome: "awake" } },
    ]);
    const enrolmentId = await enrolled(ledger(), name, { nowMs });
    const deps = { ledger: ledger(), now: () => nowMs } as ActivityDeps;
    const claim = async () => {
      const rowsOf = { kinds: OUTBOX_KINDS, limit: 10, leaseMs: 15_000, nowMs };
      const claimed = await claimOutbox(ledger().db, rowsOf);
      return given(claimed.find(({ subject }) => subject === enrolmentId));
    };
    const first = await claim();
    const step = await advanceEnrolment(deps, { enrolmentId });
    nowMs = given(step.next === "sleep" ? step.untilMs : undefined);
    const log = { info() {}, warn() {}, error() {} };
    const client = {} as Client;
    await overdueLooks({ client, ledger: ledger(), kick() {}, log, now: () => nowMs }).look();
    await finishOutbox(ledger().db, first, nowMs);
    expect((await claim()).kind).toBe("enrolment_due");
    expect(await advanceEnrolment(deps, { enrolmentId })).toMatchObject({ next: "done" });
  });
});
