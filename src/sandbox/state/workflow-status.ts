/** Values seen in published clients; contract 3.4 shows none. `is_active` is true of `active` alone. */
export const WORKFLOW_STATUSES = ["draft", "active", "paused", "error"] as const;
export type WorkflowStatus = (typeof WORKFLOW_STATUSES)[number];

/**
 * What can happen to a workflow. `deploy` is a deployment that the engine took, `reject` one that it did not;
 * `shelve` takes it out of service, until it is deployed again.
 */
export type WorkflowEvent = "deploy" | "reject" | "activate" | "pause" | "shelve";

const TRANSITIONS: Readonly<Record<WorkflowStatus, Partial<Record<WorkflowEvent, WorkflowStatus>>>> = {
  draft: { deploy: "active", reject: "error", pause: "draft", shelve: "draft" },
  active: { deploy: "active", reject: "error", activate: "active", pause: "paused", shelve: "draft" },
  paused: { deploy: "active", reject: "error", activate: "active", pause: "paused", shelve: "draft" },
  error: { deploy: "active", reject: "error", pause: "error", shelve: "draft" },
};

/** The status that an event leads to; null if it does not fit the present one (409 for a caller). */
export function nextWorkflowStatus(status: WorkflowStatus, event: WorkflowEvent): WorkflowStatus | null {
  return TRANSITIONS[status][event] ?? null;
}
