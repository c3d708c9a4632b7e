import { z } from "zod";

import {
  KEY_ROTATION_STATES,
  LONGEST_GRACE_HOURS,
  SHORTEST_GRACE_HOURS,
} from "../../domain/keys/key-rotation.ts";

/* The platform's key and its rotations, as the API shows them: never a key, only what the platform shows of it. */

const instant = z.iso.datetime();

export const keyRotationSchema = z.object({
  id: z.string(),
  state: z.enum(KEY_ROTATION_STATES),
  old_key_id: z.string(),
  old_key_prefix: z.string(),
  new_key_id: z.string().nullable(),
  new_key_prefix: z.string().nullable(),
  /** How often the platform was asked for a new key. */
  tries: z.int().min(0),
  grace_hours: z.int(),
  /** Until when the old key is good, as far as is known. */
  grace_until: instant.nullable(),
  error: z.string().nullable(),
  actor: z.string(),
  created_at: instant,
  ended_at: instant.nullable(),
});

export const keyStatusSchema = z.object({
  source: z.enum(["file", "environment"]),
  file: z.string().nullable(),
  /** Why the key can't be rotated where it is kept; null: it can. */
  fixed: z.string().nullable(),
  /** The key in use as the platform shows it; null where that can't be told, and `unknown` says why. */
  key: z
    .object({
      id: z.string(),
      name: z.string().nullable(),
      prefix: z.string().nullable(),
      scopes: z.array(z.string()).nullable(),
      expires_at: z.string().nullable(),
      grace_period_ends_at: z.string().nullable(),
      last_used_at: z.string().nullable(),
    })
    .nullable(),
  unknown: z.string().nullable(),
  /** When it stops working; null: never, or the platform does not say. */
  ends_at: instant.nullable(),
  last_rotation: keyRotationSchema.nullable(),
});

export const keyRotateBody = z
  .strictObject({
    /** How long the old key stays good, in hours; absent: a day. */
    grace_hours: z.int().min(SHORTEST_GRACE_HOURS).max(LONGEST_GRACE_HOURS).optional(),
  })
  .default({});

export const keyRotationsQuery = z.object({ limit: z.coerce.number().int().min(1).max(200).default(20) });

export const keyRotationListSchema = z.object({ items: z.array(keyRotationSchema) });

export type KeyRotationWire = z.output<typeof keyRotationSchema>;
export type KeyStatusWire = z.output<typeof keyStatusSchema>;
