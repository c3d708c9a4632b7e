import { z } from "zod";

import { RERUN_STATES } from "../../domain/automations/automation-memory.ts";
import { AUTOMATION_STATES } from "../../domain/automations/automation-state.ts";
import { pageOf } from "./page.ts";

/*
 * Automations, what they ran and how they are, as the API shows them.
 */

const instant = z.iso.datetime();
const count = z.int().min(0);

export const automationViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(AUTOMATION_STATES),
  /** The step that is under way, or failed. */
  step: z.string().nullable(),
  error: z.string().nullable(),
  /** Of the platform, while it works there. */
  workflow_id: z.string().nullable(),
  trigger_type: z.string(),
  active: z.boolean(),
  /** How it was found changed on the platform; null: it is as declared. */
  drift: z.object({ found: z.string(), found_at: instant, repaired_at: instant.nullable() }).nullable(),
  created_at: instant,
  updated_at: instant,
});

export const automationSchemaOut = automationViewSchema.extend({
  definition: z.record(z.string(), z.unknown()),
  /** Of the version that is live, where the platform shows it. */
  version: z.int().nullable(),
  /** The version that a person had brought back. */
  pinned_version: z.int().nullable(),
  /** What each step of the change that is under way, or was last, did and found. */
  steps: z.array(z.object({ step: z.string(), at: instant, found: z.string() })),
  last_test: z
    .object({ ok: z.boolean(), at: instant, found: z.string(), execution_id: z.string().nullable() })
    .nullable(),
  reruns: z.array(
    z.object({
      id: z.string(),
      repeats: z.string(),
      state: z.enum(RERUN_STATES),
      execution_id: z.string().nullable(),
      error: z.string().nullable(),
      asked_at: instant,
      actor: z.string(),
    }),
  ),
});

export const automationPutSchema = automationViewSchema.extend({
  change: z.enum(["created", "changed", "none"]),
  /** What it needs and is not there yet, each with its field. */
  warnings: z.array(z.string()),
});

export const automationListSchema = z.object({ items: z.array(automationViewSchema) });

export const automationExportSchema = z.object({
  /** A declaration of it as it is on the platform now: what was generated has become its JSON. */
  definition: z.record(z.string(), z.unknown()),
  /** As the platform exported it. */
  exported: z.record(z.string(), z.unknown()),
});

export const executionSchema = z.object({
  execution_id: z.string(),
  workflow_id: z.string(),
  status: z.string(),
  trigger_source: z.string().nullable(),
  error: z.string().nullable(),
  repeats: z.string().nullable(),
  started_at: instant,
  ended_at: instant.nullable(),
});

export const executionPageSchema = pageOf(executionSchema).extend({ total: count });

export const rerunSchema = z.object({
  id: z.string(),
  automation: z.string(),
  repeats: z.string(),
  state: z.enum(RERUN_STATES),
});

export const automationHealthSchema = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      state: z.enum(AUTOMATION_STATES),
      workflow_id: z.string().nullable(),
      /** Of the executions that began within a day and ended; null where none did. */
      success_rate: z.number().min(0).max(1).nullable(),
      succeeded: count,
      failed: count,
      running: count,
      last: z
        .object({
          execution_id: z.string(),
          status: z.string(),
          started_at: instant,
          ended_at: instant.nullable(),
        })
        .nullable(),
      alerts: z.array(z.object({ kind: z.string(), summary: z.string(), remedy: z.string(), at: instant })),
    }),
  ),
});

export type AutomationWire = z.output<typeof automationViewSchema>;
export type AutomationDetailWire = z.output<typeof automationSchemaOut>;
export type ExecutionWire = z.output<typeof executionSchema>;
export type AutomationHealthWire = z.output<typeof automationHealthSchema>;
