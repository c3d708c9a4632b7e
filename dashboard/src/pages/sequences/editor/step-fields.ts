import type { Kind } from "./draft.ts";

/** How a field of a step is put in. */
export type Input =
  | { as: "text"; hint?: string }
  | { as: "number"; least: number; most: number }
  /** Such as 90m or 2d. */
  | { as: "duration" }
  /** A time of day. */
  | { as: "clock" }
  /** CEL. */
  | { as: "expression" }
  /** The first of them holds where nothing is said. */
  | { as: "choice"; of: readonly string[] }
  /** Words, one a line. */
  | { as: "lines" }
  /** A map of names to expressions. */
  | { as: "expressions" };

/** The fields of each kind of step that have an input of their own, in the order in which they are asked for. */
export const FIELDS = {
  call: {
    give_up_after: { as: "duration" },
    agent_id: { as: "text" },
    from_numbers: { as: "lines" },
    concurrency: { as: "number", least: 1, most: 100_000 },
    least_gap: { as: "duration" },
    variables: { as: "expressions" },
  },
  wait: {
    for: { as: "duration" },
    until: { as: "clock" },
    days: { as: "choice", of: ["", "weekdays", "weekend", "business"] },
    business_days: { as: "number", least: 1, most: 250 },
    until_date: { as: "expression" },
    at: { as: "clock" },
    offset: { as: "text", hint: "-3d, +2h" },
  },
  wait_for: {
    event: { as: "text" },
    when: { as: "expression" },
    timeout: { as: "duration" },
  },
  automation: {
    workflow_id: { as: "text" },
    timeout: { as: "duration" },
    repeat: { as: "choice", of: ["", "never", "safe"] },
    data: { as: "expressions" },
  },
  webhook: {
    url: { as: "text", hint: "https://…" },
    secret: { as: "text" },
    data: { as: "expressions" },
  },
  suppress: {
    reason: { as: "text" },
    scope: { as: "choice", of: ["", "brand", "global"] },
  },
  exit: {
    outcome: { as: "text" },
    reason: { as: "text" },
  },
} as const satisfies Partial<Record<Kind, Readonly<Record<string, Input>>>>;

/** What of them is changed in the step's YAML: lists and groups that the whole sequence mostly says once. */
export const BY_TEXT: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  call: [
    "window",
    "holidays",
    "exceptions",
    "presets",
    "override",
    "frequency",
    "numbers",
    "consent",
    "requires_sources",
    "transfers",
    "on_agent_change",
    "weight",
    "retry",
    "analysis",
    "follow_ups",
  ],
  automation: ["retry"],
  webhook: ["headers", "retry", "timeout", "give_up_on"],
};

/** Which fields of a wait go with which of its four ways. */
export const WAITS = {
  for: ["for"],
  until: ["until", "days"],
  business_days: ["business_days", "at"],
  until_date: ["until_date", "at", "offset"],
} as const;

/** What `on` of a step may speak of. */
export const WAYS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  call: [
    "answered",
    "callback_requested",
    "voicemail",
    "no_answer",
    "busy",
    "failed",
    "invalid_number",
    "opted_out",
    "unknown",
    "otherwise",
    "refused",
    "not_reached_in_time",
    "problem",
  ],
  wait: ["problem"],
  wait_for: ["event", "timeout"],
  automation: ["done", "failed", "unknown"],
  webhook: ["done", "failed"],
  set: ["problem"],
};
