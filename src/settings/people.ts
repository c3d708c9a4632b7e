import { z } from "zod";

import { parseDurationMs } from "../domain/time/duration.ts";
import { isBrandOrEvery, isRole, readClaimRule, type ClaimRule } from "../domain/ground/claims.ts";
import type { RightsByClaims } from "../domain/ground/sign-in-provider.ts";
import { isLoopback } from "../http/loopback.ts";
import { httpUrl, setting, type ValuesOf } from "./setting.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A duration between two bounds, as milliseconds. */
function duration({ leastMs, mostMs, bounds }: { leastMs: number; mostMs: number; bounds: string }) {
  return z
    .string()
    .transform((text) => parseDurationMs(text) ?? Number.NaN)
    .refine((ms) => ms >= leastMs && ms <= mostMs, { message: `must be a duration such as 8h, ${bounds}` });
}

function claimRule(isMeaning: (word: string) => boolean) {
  return z
    .string()
    .transform((text, context): ClaimRule => {
      const rule = readClaimRule(text, isMeaning);
      if (typeof rule !== "string") return rule;
      context.addIssue({ code: "custom", message: rule });
      return z.NEVER;
    })
    .optional();
}

export const PEOPLE_SETTINGS = {
  OUTDIAL_PUBLIC_URL: setting({
    schema: httpUrl
      .refine((text) => URL.canParse(text) && new URL(text).pathname === "/", {
        message: "must have no path: the dashboard is at the root of its address",
      })
      .optional(),
    meaning:
      "Address at which people open the dashboard, where it is another than the server's own: that of a proxy before it. An https address makes cookies `Secure`.",
    example: "https://outdial.example.com",
    default: "the address that the server listens at",
  }),
  OUTDIAL_SESSION_IDLE: setting({
    schema: duration({ leastMs: 5 * MINUTE_MS, mostMs: 30 * DAY_MS, bounds: "of 5m to 30d" }).prefault("8h"),
    meaning: "A session in a browser that nobody uses for so long ends.",
    example: "1h",
    default: "8h",
  }),
  OUTDIAL_SESSION_LIFE: setting({
    schema: duration({ leastMs: 5 * MINUTE_MS, mostMs: 90 * DAY_MS, bounds: "of 5m to 90d" }).prefault("7d"),
    meaning: "However much it is used, a session in a browser ends after this.",
    example: "12h",
    default: "7d",
  }),
  OUTDIAL_OIDC_ISSUER: setting({
    schema: httpUrl
      .refine((text) => !text.startsWith("http:") || isLoopback(new URL(text).hostname), {
        message: "must be an https address: whoever can change what it says decides who is in",
      })
      .optional(),
    meaning:
      "The OpenID Connect provider by which people sign in to the dashboard, as it names itself. Absent: they sign in by tokens and links.",
    example: "https://id.example.com",
  }),
  OUTDIAL_OIDC_CLIENT_ID: setting({
    schema: z.string().min(1).optional(),
    meaning:
      "What the provider calls Outdial. There it is a web application with the redirect address `/v1/session/oidc/callback` of OUTDIAL_PUBLIC_URL.",
    example: "outdial",
  }),
  OUTDIAL_OIDC_CLIENT_SECRET: setting({
    schema: z.string().min(1).optional(),
    meaning: "The secret that goes with it; absent where the provider gives none (a public client).",
    example: "the secret as the provider showed it",
    secret: true,
  }),
  OUTDIAL_OIDC_NAME: setting({
    schema: z.string().min(1).max(100).default("OpenID Connect"),
    meaning: "What the provider is called where people sign in.",
    example: "Example SSO",
    default: "OpenID Connect",
  }),
  OUTDIAL_OIDC_ROLES: setting({
    schema: claimRule(isRole),
    meaning:
      "Which claim of the provider gives a person which role: its name, a colon, and what its values stand for; `*` is everybody whom the provider lets in. The greatest counts. Whoever gets none is not let in.",
    example: "groups: ops-admins=admin, ops=operator, *=viewer",
  }),
  OUTDIAL_OIDC_BRANDS: setting({
    schema: claimRule(isBrandOrEvery),
    meaning:
      "Likewise which brands a person is for; `*` behind the equals sign is every brand. Whoever gets none is not let in. Absent: every brand.",
    example: "groups: acme-team=acme, head-office=*",
    default: "every brand",
  }),
  OUTDIAL_OIDC_PERSON: setting({
    schema: z.string().min(1).optional(),
    meaning:
      "The claim by which the audit names a person. Let it be one that people can't change at the provider by themselves.",
    example: "preferred_username",
    default: "email, where the provider says that it is verified; else sub",
  }),
  OUTDIAL_OIDC_SCOPES: setting({
    schema: z
      .string()
      .regex(/(?:^|\s)openid(?:\s|$)/, "must hold openid")
      .default("openid profile email"),
    meaning: "What the provider is asked for; some send groups only where `groups` is among it.",
    example: "openid profile email groups",
    default: "openid profile email",
  }),
} as const;

/** How people sign in, in browsers. */
export interface PeopleSettings {
  /** Without a slash at its end. Undefined: what the server listens at. */
  readonly publicUrl: string | undefined;
  readonly sessionIdleMs: number;
  readonly sessionLifeMs: number;
  /** Undefined: people sign in by tokens and links. */
  readonly oidc: OidcSettings | undefined;
}

export interface OidcSettings {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  readonly redirectUri: string;
  readonly rights: RightsByClaims;
}

export function readPeopleSettings(
  values: ValuesOf<typeof PEOPLE_SETTINGS>,
  problems: string[],
): PeopleSettings {
  const { OUTDIAL_PUBLIC_URL: text } = values;
  const publicUrl = text === undefined ? undefined : new URL(text).origin;
  return {
    publicUrl,
    oidc: readOidcSettings(values, publicUrl, problems),
    sessionIdleMs: values.OUTDIAL_SESSION_IDLE,
    sessionLifeMs: values.OUTDIAL_SESSION_LIFE,
  };
}

function readOidcSettings(
  values: ValuesOf<typeof PEOPLE_SETTINGS>,
  publicUrl: string | undefined,
  problems: string[],
): OidcSettings | undefined {
  const { OUTDIAL_OIDC_ISSUER: issuer, OUTDIAL_OIDC_CLIENT_ID: clientId, OUTDIAL_OIDC_ROLES: roles } = values;
  const needed = {
    OUTDIAL_OIDC_ISSUER: issuer,
    OUTDIAL_OIDC_CLIENT_ID: clientId,
    OUTDIAL_OIDC_ROLES: roles,
    OUTDIAL_PUBLIC_URL: publicUrl,
  };
  const { OUTDIAL_OIDC_CLIENT_SECRET: clientSecret, OUTDIAL_OIDC_BRANDS: brands } = values;
  const isMeant = [issuer, clientId, roles, clientSecret, brands].some((value) => value !== undefined);
  if (!isMeant) return undefined;
  if (issuer === undefined || clientId === undefined || roles === undefined || publicUrl === undefined) {
    for (const [name, value] of Object.entries(needed)) {
      if (value === undefined)
        problems.push(
          `${name} must be set where people sign in by OpenID Connect: set it, or unset every OUTDIAL_OIDC_ setting`,
        );
    }
    return undefined;
  }
  return {
    name: values.OUTDIAL_OIDC_NAME,
    issuer,
    clientId,
    clientSecret,
    scopes: values.OUTDIAL_OIDC_SCOPES,
    redirectUri: `${publicUrl}/v1/session/oidc/callback`,
    rights: { roles, brands, person: values.OUTDIAL_OIDC_PERSON },
  };
}
