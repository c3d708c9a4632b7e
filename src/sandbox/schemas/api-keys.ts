import { z } from "zod";

import { published } from "../dialect.ts";
import { RATE_TIERS } from "../state/rate-limits.ts";
import { pageQuery } from "./page.ts";
import { queryBoolean, queryInteger } from "./query.ts";

/** Contract 5.4, as the list there has it. */
export const SCOPES = [
  "agents:read",
  "agents:write",
  "agents:delete",
  "calls:read",
  "calls:write",
  "calls:delete",
  "phone_numbers:read",
  "phone_numbers:write",
  "phone_numbers:delete",
  "batch_calls:read",
  "batch_calls:write",
  "batch_calls:delete",
  "workflows:read",
  "workflows:write",
  "workflows:delete",
  "analytics:read",
  "knowledge_bases:read",
  "knowledge_bases:write",
  "knowledge_bases:delete",
  "webhooks:read",
  "webhooks:write",
  "config:read",
  "api_keys:read",
  "api_keys:write",
  "api_keys:delete",
  "*",
] as const;

const name = z.string().min(1).max(255);
const scopes = z.array(z.enum(SCOPES)).max(SCOPES.length);
const tier = z.enum(RATE_TIERS);
/** Bounds what every request of the key is compared with. */
const MOST_ADDRESSES = 100;
const ipAllowlist = z
  .array(
    z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
      error: "Must be an IP address or a CIDR range, e.g. 192.0.2.0/24",
    }),
  )
  .max(MOST_ADDRESSES);

/** Contract 4.10. */
export const apiKeyCreateBody = z.object({
  name,
  scopes: scopes.default(["*"]),
  expires_in_days: z.int().min(1).max(730).default(365),
  rate_limit_tier: tier.default("starter"),
  ip_allowlist: ipAllowlist.default([]),
});

export const apiKeyPatchBody = z.object({
  name: name.optional(),
  scopes: scopes.optional(),
  rate_limit_tier: tier.optional(),
  ip_allowlist: ipAllowlist.optional(),
  is_active: z.boolean().optional(),
});

export type ApiKeyCreate = z.output<typeof apiKeyCreateBody>;
export type ApiKeyPatch = z.output<typeof apiKeyPatchBody>;

/** The contract gives no bound; a month is long enough to roll a key out anywhere. */
const LONGEST_GRACE_HOURS = 720;

const graceHours = z.int().min(0).max(LONGEST_GRACE_HOURS).optional();

export const rotateBody = z.object({ grace_period_hours: graceHours }).nullish();

/** The same in the query, where some clients have it; the body wins. */
export const rotateQuery = z.object({ grace_period_hours: queryInteger(graceHours) });

/** Contract 4.10. */
export const DEFAULT_GRACE_HOURS = 24;

export const apiKeysQuery = pageQuery(20, { include_inactive: queryBoolean(z.boolean().default(false)) });

/** APIKey (contract 2.8), masked. */
export const apiKeyResponse = z.object({
  id: z.string(),
  name: z.string(),
  key_prefix: z.string(),
  scopes: z.array(z.string()),
  rate_limit_tier: tier,
  ip_allowlist: z.array(z.string()),
  is_active: z.boolean(),
  usage_count: z.int(),
  last_used_at: z.string().nullable(),
  last_used_ip: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  grace_period_ends_at: z.string().nullable(),
});

/** APIKeyCreated (contract 2.8): the only answer that holds the key. */
export const apiKeyCreatedResponse = apiKeyResponse.extend({ key: z.string(), message: z.string() });

/** APIKeyUsage (contract 2.8). */
export const apiKeyUsageResponse = z
  .object({
    key_id: z.string(),
    key_name: z.string(),
    key_prefix: z.string(),
    total_requests: z.int(),
    last_used_at: z.string().nullable(),
    last_used_ip: z.string().nullable(),
    rate_limit_tier: tier,
    rate_limits: z.object({ requests_per_minute: z.int(), burst: z.int() }),
    is_active: z.boolean(),
    expires_at: z.string().nullable(),
  })
  .register(published, { idFrom: "key_id", nameFrom: "key_name" });
