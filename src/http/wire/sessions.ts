import { z } from "zod";

import { CALLER_KINDS } from "../../domain/ground/access.ts";
import { roleSchema } from "./access.ts";

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

export type SessionWire = z.output<typeof sessionSchema>;
export type SignInCodeWire = z.output<typeof signInCodeSchema>;
