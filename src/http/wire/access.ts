import { z } from "zod";

import { CALLER_KINDS, ROLES, TOKEN_NAME } from "../../domain/ground/access.ts";
import { pageOf } from "./page.ts";

export const roleSchema = z.enum(ROLES);

export const tokenNameSchema = z
  .string()
  .regex(
    TOKEN_NAME,
    "must be 1 to 64 lower-case letters, digits, dots, dashes and underscores, the first a letter or a digit",
  );

export const tokenSchema = z.object({
  name: z.string(),
  /** The part of the token that is no secret: what it begins with, behind `outdial_`. */
  id: z.string(),
  role: roleSchema,
  /** Null: all of them. */
  brands: z.array(z.string()).nullable(),
  created_at: z.iso.datetime(),
  created_by: z.string(),
  /** Null: never. */
  expires_at: z.iso.datetime().nullable(),
  expired: z.boolean(),
  /** To the minute; null: never yet. */
  last_used_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
  revoked_by: z.string().nullable(),
  revoked_reason: z.string().nullable(),
});

export const tokenListSchema = z.object({ items: z.array(tokenSchema) });

/** The token itself is told here, and nowhere else. */
export const tokenCreatedSchema = z.object({ token: tokenSchema, secret: z.string() });

export const tokenRevokedSchema = z.object({ revoked: tokenSchema });

export const meSchema = z.object({
  /**
   * `system`: whoever has the token of the system itself, or is on its machine where it has none. `link`: whoever opened
   * a sign-in link. `person`: somebody for whom the OpenID Connect provider vouches.
   */
  kind: z.enum(CALLER_KINDS),
  name: z.string(),
  role: roleSchema,
  /** Null: all of them. */
  brands: z.array(z.string()).nullable(),
  /** What the audit calls the caller. */
  actor: z.string(),
});

export const auditEntrySchema = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  actor: z.string(),
  /** For whom a token said that it acts: its own word. */
  on_behalf_of: z.string().nullable(),
  action: z.string(),
  campaign_id: z.uuid().nullable(),
  /** What exactly, as far as it is not said above; what was, and what is, where something was changed. */
  detail: z.record(z.string(), z.unknown()),
});

/** The newest first. */
export const auditPageSchema = pageOf(auditEntrySchema);

export type TokenWire = z.output<typeof tokenSchema>;
export type MeWire = z.output<typeof meSchema>;
export type AuditEntryWire = z.output<typeof auditEntrySchema>;
