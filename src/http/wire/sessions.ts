import { z } from "zod";

import { CALLER_KINDS } from "../../domain/ground/access.ts";
import { roleSchema } from "./access.ts";
import { pageOf } from "./page.ts";

export const sessionSchema = z.object({
  /** By what it began: the system's own token, a named one, a sign-in link, or the OpenID Connect provider. */
  kind: z.enum(CALLER_KINDS),
  name: z.string(),
  role: roleSchema,
  /** Null: all of them. */
  brands: z.array(z.string()).nullable(),
  /** What the audit calls whoever is signed in. */
  actor: z.string(),
  created_at: z.iso.datetime(),
  /** When it ends, however much it is used. */
  expires_at: z.iso.datetime(),
  /** When it ends if nothing is asked by it until then. */
  idle_expires_at: z.iso.datetime(),
  /** What each request that changes something shows in the header `x-csrf-token`. */
  csrf_token: z.string(),
});

/** A session as admins see it: nobody gets in by what stands here. */
export const sessionSeenSchema = z.object({
  id: z.string(),
  /** By what it began: as of `GET /v1/session`. */
  kind: z.enum(CALLER_KINDS),
  name: z.string(),
  role: roleSchema,
  /** Null: all of them. */
  brands: z.array(z.string()).nullable(),
  /** What the audit calls whoever is signed in. */
  actor: z.string(),
  created_at: z.iso.datetime(),
  /** To the minute. */
  last_used_at: z.iso.datetime(),
  /** When it ends, however much it is used. */
  expires_at: z.iso.datetime(),
  /** When it ends if nothing is asked by it until then. */
  idle_expires_at: z.iso.datetime(),
  /** It is that of the request. */
  own: z.boolean(),
});

/** The newest first. */
export const sessionPageSchema = pageOf(sessionSeenSchema);

export const sessionEndedSchema = z.object({ ended: sessionSeenSchema });

export const sessionsEndedSchema = z.object({ ended: z.array(sessionSeenSchema) });

export const signInWaysSchema = z.object({
  /** The OpenID Connect provider that people can sign in by; null: there is none. */
  oidc: z.object({ name: z.string() }).nullable(),
});

/** The code is told here, and nowhere else. */
export const signInCodeSchema = z.object({
  code: z.string(),
  name: z.string(),
  role: roleSchema,
  /** Null: all of them. */
  brands: z.array(z.string()).nullable(),
  expires_at: z.iso.datetime(),
});

export type SessionSeenWire = z.output<typeof sessionSeenSchema>;
export type SessionWire = z.output<typeof sessionSchema>;
export type SignInCodeWire = z.output<typeof signInCodeSchema>;
