import { z } from "zod";

import { ACTION_KINDS, ACTION_STATES } from "../../domain/follow-ups/actions.ts";
import { pageOf } from "./page.ts";

const instant = z.iso.datetime();
const count = z.int().min(0);
const object = z.record(z.string(), z.unknown());

export const FOLLOW_UP_STATES = ["waiting", "acting", "done", "failed"] as const;

export const followUpSchema = z.object({
  id: z.uuid(),
  campaign_id: z.uuid(),
  campaign: z.string(),
  phone: z.string(),
  /** Time zones, of all that the contact may be in. */
  zones: z.array(z.string()),
  /** Null: the attempt has none. */
  call_id: z.string().nullable(),
  disposition: z.string(),
  /** The version of the campaign's policy whose rules select and act. */
  policy_version: z.int(),
  state: z.enum(FOLLOW_UP_STATES),
  /** How the waiting for the call's processing ended; null while it waits. */
  processing: z.string().nullable(),
  wait_until: instant,
  hinted_at: instant.nullable(),
  looks: count,
  /** Rules that selected the call; null while it waits. */
  rules: z.array(z.string()).nullable(),
  labels: z.record(z.string(), z.string()).nullable(),
  /** Actions that failed for good or may have been done, while others may still be tried. */
  failed_actions: count,
  created_at: instant,
  ended_at: instant.nullable(),
});

export const actionSchema = z.object({
  id: z.uuid(),
  follow_up_id: z.uuid().nullable(),
  enrolment_id: z.uuid().nullable(),
  /** Its rule or step, and its place there. */
  owner: z.string(),
  n: count,
  kind: z.enum(ACTION_KINDS),
  state: z.enum(ACTION_STATES),
  /** The action with its expressions filled in; secrets by name. */
  spec: object,
  tries: count,
  next_try_at: instant.nullable(),
  sent_at: instant.nullable(),
  /** What it began elsewhere: an execution, an enrolment, a placement, a file. */
  external_id: z.string().nullable(),
  /** Of the last try, without secrets, bounded. */
  request: object.nullable(),
  answer: object.nullable(),
  error: z.string().nullable(),
  created_at: instant,
  ended_at: instant.nullable(),
});

export const followUpDetailSchema = followUpSchema.extend({ actions: z.array(actionSchema) });

export const followUpPageSchema = pageOf(followUpSchema).extend({ total: count });

export type FollowUpWire = z.output<typeof followUpSchema>;
export type FollowUpDetailWire = z.output<typeof followUpDetailSchema>;
export type ActionWire = z.output<typeof actionSchema>;
