import { z } from "zod";

import { ATTENTION_KINDS } from "../../domain/ground/attention.ts";
import { pageOf } from "./page.ts";

const instant = z.iso.datetime();

export const attentionKind = z.enum(ATTENTION_KINDS);

export const attentionSchema = z.object({
  id: z.int(),
  kind: attentionKind,
  /** What it is about: the id of an action, a delivery, an enrolment. */
  subject: z.string(),
  brand: z.string(),
  summary: z.string(),
  /** What a person can do about it. */
  remedy: z.string(),
  /** When it was first so, and how often since. */
  at: instant,
  times: z.int(),
  /** Somebody looks after it, until then; null: for as long as it is there. */
  acknowledged_at: instant.nullable(),
  acknowledged_by: z.string().nullable(),
  acknowledged_until: instant.nullable(),
  resolved_at: instant.nullable(),
  resolved_by: z.string().nullable(),
  resolution: z.string().nullable(),
});

export const attentionPageSchema = pageOf(attentionSchema).extend({ total: z.int() });

export type AttentionWire = z.output<typeof attentionSchema>;
