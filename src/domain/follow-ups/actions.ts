import { z } from "zod";

import type { JsonValue } from "../expressions/expressions.ts";

/*
 * Actions: what is done outside of the ledger, or written into it, after a call or by a step of a sequence.
 *
 * 1. An action is tried by its row alone: everything that a try needs stands in its spec, filled in when it was made.
 * 2. Its key is the same in every try: whoever receives it can tell a repetition from something new (I5).
 * 3. Secrets stand in a spec by name only.
 */

export const ACTION_KINDS = [
  "automation",
  "webhook",
  "callback",
  "suppress",
  "enroll",
  "tag",
  "recording",
] as const;

export type ActionKind = (typeof ACTION_KINDS)[number];

export const ACTION_STATES = [
  /** The one before it is not over. */
  "waiting",
  /** To be tried, now or when its time has come. */
  "due",
  "done",
  /** Beyond its tries, or refused: waits for a person. */
  "failed",
  /** It may have happened, and nothing tells: waits for a person. */
  "unknown",
  /** A person said that it need not be done, or there is nothing to be done. */
  "skipped",
] as const;

export type ActionState = (typeof ACTION_STATES)[number];

/** Whether it is tried no more by itself. */
export function isActionOver(state: ActionState): boolean {
  return state !== "waiting" && state !== "due";
}

const json: z.ZodType<JsonValue> = z.json();
const fields = z.record(z.string(), json);

/** What every action carries, whichever kind it is. */
const base = {
  /** Whom and what it is about: goes with what is sent. */
  subject: fields,
  /** Try n + 1 is made `delaysMs[n - 1]` after try n; the last one holds for all behind it. */
  retry: z.object({ maxTries: z.int().min(1), delaysMs: z.array(z.number().min(0)).min(1) }),
  /** How it stands to the other actions of its rule; absent for a step of a sequence. */
  flow: z.object({ inOrder: z.boolean(), onFailure: z.enum(["stop", "continue"]) }).optional(),
  /** Its key instead of its id, where a person had it done again as something new. */
  key: z.string().optional(),
  /** Tries of earlier rounds: a person's retry begins a new one. */
  triesBefore: z.int().min(0).optional(),
  /** Expressions that had no value, by field: null was put in their place. */
  problems: z.array(z.string()).optional(),
  /** Why it could not be filled in: it is not tried, and waits for a person. */
  unplanned: z.string().optional(),
  /** The person whom it was about was forgotten, or it is too old to be kept: nothing of it can be done again. */
  forgotten: z.literal(true).optional(),
};

const automationSpec = z.object({
  ...base,
  kind: z.literal("automation"),
  workflowId: z.string().min(1),
  data: fields,
  /** How long an execution may take before it counts as failed. */
  timeoutMs: z.number().positive(),
  /** Whether it may be run again where it can't be seen that it was run. */
  repeat: z.enum(["safe", "never"]),
});

const webhookSpec = z.object({
  ...base,
  kind: z.literal("webhook"),
  /** Whose it is: secrets of other brands are not there for it. Absent in what was written before it was said. */
  brand: z.string().optional(),
  /** An address, or the name of the secret that is one. */
  url: z.union([z.string().min(1), z.object({ secret: z.string() })]),
  /** Name of the secret that signs. */
  secret: z.string().optional(),
  /** Values are texts, or names of secrets. */
  headers: z.record(z.string(), z.union([z.string(), z.object({ secret: z.string() })])),
  /** `type` of the body: what happened. */
  type: z.string().min(1),
  data: fields,
  timeoutMs: z.number().positive(),
  /** Statuses at which it is given up at once. */
  finalStatuses: z.array(z.int()),
});

const callbackSpec = z.object({
  ...base,
  kind: z.literal("callback"),
  campaignId: z.string(),
  contactId: z.number(),
  /**
   * When to call at the earliest; the window of the person's zones is the planner's affair (I2). Absent: a person has
   * to say it.
   */
  atMs: z.number().optional(),
  /** Why it is absent, with what was said. */
  unreadable: z.string().optional(),
  maxPerContact: z.int().min(1),
});

const suppressSpec = z.object({
  ...base,
  kind: z.literal("suppress"),
  phone: z.string(),
  /** Undefined: for every brand. */
  brand: z.string().optional(),
  reason: z.string().min(1),
});

const enrollSpec = z.object({
  ...base,
  kind: z.literal("enroll"),
  brand: z.string(),
  sequence: z.string().min(1),
  contactId: z.number(),
  phone: z.string(),
  variables: z.record(z.string(), z.string()),
  personKey: z.string().optional(),
});

const tagSpec = z.object({
  ...base,
  kind: z.literal("tag"),
  brand: z.string(),
  phone: z.string(),
  tag: z.string().min(1),
  source: z.string(),
});

const recordingSpec = z.object({
  ...base,
  kind: z.literal("recording"),
  callId: z.string().optional(),
  /** Why there is no recording, where that is known. */
  absence: z.string().optional(),
  /** A folder inside of the one for recordings. */
  folder: z.string(),
  timeoutMs: z.number().positive(),
});

/** An action with its expressions filled in: what `actions.spec` holds. */
export const actionSpecSchema = z.discriminatedUnion("kind", [
  automationSpec,
  webhookSpec,
  callbackSpec,
  suppressSpec,
  enrollSpec,
  tagSpec,
  recordingSpec,
]);

export type ActionSpec = z.output<typeof actionSpecSchema>;
export type SpecOf<K extends ActionKind> = Extract<ActionSpec, { kind: K }>;

/** What is done next with an action one of whose tries failed. `tries` are all that were made. */
export function afterFailedTry(
  spec: ActionSpec,
  tries: number,
): { kind: "again"; delayMs: number } | { kind: "given_up" } {
  const made = tries - (spec.triesBefore ?? 0);
  if (made >= spec.retry.maxTries) return { kind: "given_up" };
  const { delaysMs } = spec.retry;
  return { kind: "again", delayMs: delaysMs[Math.min(made, delaysMs.length) - 1] ?? 0 };
}

/** One of the actions of a follow-up or a step, as far as the order among them goes. */
export interface ActionPlace {
  id: string;
  /** Its rule. */
  owner: string;
  n: number;
  state: ActionState;
  flow: { inOrder: boolean; onFailure: "stop" | "continue" };
}

/**
 * Which waiting actions have their turn now, and how the whole stands after that. Those behind one that failed for
 * good stay waiting where their rule says so: a person who mends that one lets them go on.
 */
export function turnOf(actions: readonly ActionPlace[]): {
  due: string[];
  state: "acting" | "done" | "failed";
} {
  const due: string[] = [];
  for (const owner of new Set(actions.map((action) => action.owner))) {
    const own = actions.filter((action) => action.owner === owner).sort((a, b) => a.n - b.n);
    for (const action of own) {
      if (action.state === "waiting") due.push(action.id);
      if (action.flow.inOrder && holdsUp(action)) break;
    }
  }
  const isOpen = due.length > 0 || actions.some((action) => action.state === "due");
  if (isOpen) return { due, state: "acting" };
  const isFailed = actions.some((action) => action.state === "failed" || action.state === "unknown");
  return { due, state: isFailed ? "failed" : "done" };
}

function holdsUp({ state, flow }: ActionPlace): boolean {
  if (state === "waiting" || state === "due") return true;
  return (state === "failed" || state === "unknown") && flow.onFailure === "stop";
}
