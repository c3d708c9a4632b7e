import { expect, test } from "vitest";

import { nextWorkflowStatus, WORKFLOW_STATUSES } from "../../src/sandbox/state/workflow-status.ts";
import type { WorkflowEvent } from "../../src/sandbox/state/workflow-status.ts";

const EVENTS: readonly WorkflowEvent[] = ["deploy", "reject", "activate", "pause", "shelve"];

test("only what is deployed can be activated; everything can be deployed, refused by the engine, and shelved", () => {
  const table = WORKFLOW_STATUSES.map((status) => [
    status,
    ...EVENTS.map((event) => nextWorkflowStatus(status, event)),
  ]);
  expect(table).toEqual([
    ["draft", "active", "error", null, "draft", "draft"],
    ["active", "active", "error", "active", "paused", "draft"],
    ["paused", "active", "error", "active", "paused", "draft"],
    ["error", "active", "error", null, "error", "draft"],
  ]);
});
