import { expect, test } from "vitest";

import { nextBatchStatus } from "../../src/sandbox/state/batch-status.ts";
import type { BatchEvent, BatchStatus } from "../../src/sandbox/state/batch-status.ts";

const EVENTS = [
  "start",
  "pause",
  "resume",
  "cancel",
  "pickup",
  "refuse",
  "drain",
  "starve",
  "delete",
] as const;

/** One row a status, one column an event; a dash does not fit (409). */
const TABLE: Record<BatchStatus, string> = {
  pending: "queued - - cancelled - - - - pending",
  queued: "- paused - cancelled running failed completed - queued",
  running: "- paused - cancelled - - completed paused -",
  paused: "queued - queued cancelled - - completed - paused",
  completed: "- - - - - - - - completed",
  cancelled: "- - - - - - - - cancelled",
  failed: "- - - - - - - - failed",
};

const statuses = Object.keys(TABLE) as BatchStatus[];

test.each(statuses)("a batch that is %s goes where the table says", (status) => {
  const reached = EVENTS.map((event: BatchEvent) => nextBatchStatus(status, event) ?? "-");
  expect(reached.join(" ")).toBe(TABLE[status]);
});
