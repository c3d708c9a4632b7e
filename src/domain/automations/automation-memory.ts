import { z } from "zod";

/*
 * What is kept of an automation's way onto the platform: enough to go on from wherever a process died.
 *
 * 1. A build is one automation on the platform. `live` is the one that works; `target` is what is being brought up:
 *    a build of its own, or the live one with something changed.
 * 2. A request that would do something twice if it were repeated stands in `sent` before it is sent, and is looked
 *    for before it is sent again. Every other request may be repeated as it is.
 * 3. `turn` is raised with everything that is written: whoever acts on an older one is not heard.
 */

const moment = z.number();

/** What of an automation can be changed on the platform by hand. */
export const DRIFT_FACETS = ["missing", "definition", "settings", "active", "links"] as const;

const buildSchema = z.object({
  /** Part of its mark on the platform. */
  n: z.int(),
  workflowId: z.string().optional(),
  /** Digest of what it was made from. */
  source: z.string(),
  /** Digests of the refinements that it has, in their order. */
  refined: z.array(z.string()),
  /** Digests of what it was last told; absent: it has still to be told. */
  settings: z.string().optional(),
  /** Keyed digests of the secrets' values, by key. */
  secrets: z.record(z.string(), z.string()).optional(),
  checked: z.string().optional(),
  tested: z.string().optional(),
  deployed: z.string().optional(),
  active: z.boolean().optional(),
  links: z.string().optional(),
  /** An earlier version that is to be brought back next. */
  restoring: z.int().optional(),
  /** The version that a person had brought back. */
  pinned: z.int().optional(),
  /** What it does was changed on the platform since it was last live. */
  moved: z.boolean().optional(),
  /** As they were when it became live: how drift is seen, and what is brought back. */
  version: z.int().optional(),
  json: z.string().optional(),
});

export type Build = z.output<typeof buildSchema>;

const sentSchema = z.object({
  step: z.enum(["create", "generate", "refine", "test"]),
  atMs: moment,
  /** From then on absence says that it did not happen. */
  certainAtMs: moment,
  /** Of a refinement: how the automation was before. */
  before: z.object({ versions: z.int().optional(), json: z.string().optional() }).optional(),
  /** What it is about, as it was declared when it was sent: of a refinement its digest, of a test run its key. */
  key: z.string().optional(),
  /** Of a test run: `execute` carries a key in its input, `test` can't. */
  way: z.enum(["test", "execute"]).optional(),
  executionId: z.string().optional(),
});

export type Sent = z.output<typeof sentSchema>;

const noteSchema = z.object({ step: z.string(), at: z.iso.datetime(), found: z.string() });

/** What a step did and found. */
export type StepNote = z.output<typeof noteSchema>;

export const RERUN_STATES = ["due", "running", "done", "failed", "unknown"] as const;

const rerunSchema = z.object({
  id: z.string(),
  /** The execution that is run again. */
  of: z.string(),
  actor: z.string(),
  atMs: moment,
  state: z.enum(RERUN_STATES),
  /** The automation of the platform on which it runs. */
  workflowId: z.string().optional(),
  sentAtMs: moment.optional(),
  executionId: z.string().optional(),
  error: z.string().optional(),
});

/** A failed execution that a person has run again, with what it was given. */
export type Rerun = z.output<typeof rerunSchema>;

export const memorySchema = z.object({
  turn: z.int(),
  /** How many builds were begun. */
  builds: z.int(),
  target: buildSchema.optional(),
  live: buildSchema.optional(),
  /** Builds that were replaced, the newest first: kept inactive, so that what they ran can be read and run again. */
  former: z.array(z.object({ workflowId: z.string(), isQuiet: z.boolean() })),
  sent: sentSchema.optional(),
  /** Why what was begun is being undone, and of which definition. */
  undo: z.object({ step: z.string(), why: z.string(), remedy: z.string(), digest: z.string() }).optional(),
  /** What a person asked for beside the definition. */
  asked: z.object({ kind: z.enum(["test", "deploy", "restore"]), version: z.int().optional() }).optional(),
  /** Of the change that is under way, or was last. */
  steps: z.array(noteSchema),
  /** Since when one step has been waiting for the platform, and how often it was tried. */
  waits: z.int(),
  drift: z
    .object({
      found: z.string(),
      facets: z.array(z.enum(DRIFT_FACETS)),
      foundAt: z.iso.datetime(),
      repairedAt: z.iso.datetime().optional(),
    })
    .optional(),
  /** Since when the platform says that it does not have the live one. */
  missingSinceMs: moment.optional(),
  /** When drift was repaired lately. */
  repairs: z.array(moment),
  lastTest: z
    .object({ ok: z.boolean(), at: z.iso.datetime(), executionId: z.string().optional(), found: z.string() })
    .optional(),
  reruns: z.array(rerunSchema),
  /** Of a removal: what is live stays on the platform. */
  keepLive: z.boolean().optional(),
});

export type Memory = z.output<typeof memorySchema>;

export const NEW_MEMORY: Memory = {
  turn: 0,
  builds: 0,
  former: [],
  steps: [],
  waits: 0,
  repairs: [],
  reruns: [],
};

/** Of one change; a link more or less is a step of its own. */
const MOST_NOTES = 60;

export function noted(memory: Memory, note: StepNote): Memory {
  return { ...memory, steps: [...memory.steps, note].slice(-MOST_NOTES) };
}

/** Reruns that are over and still shown. */
const MOST_RERUNS = 50;

export function isRerunOpen({ state }: Rerun): boolean {
  return state === "due" || state === "running";
}

/** With one rerun more, or as it is now. Those that are over go first where there are too many. */
export function withRerun(memory: Memory, rerun: Rerun): Memory {
  const isKnown = memory.reruns.some(({ id }) => id === rerun.id);
  const all = isKnown
    ? memory.reruns.map((other) => (other.id === rerun.id ? rerun : other))
    : [...memory.reruns, rerun];
  const shown = new Set(all.filter((other) => !isRerunOpen(other)).slice(-MOST_RERUNS));
  return { ...memory, reruns: all.filter((other) => isRerunOpen(other) || shown.has(other)) };
}
