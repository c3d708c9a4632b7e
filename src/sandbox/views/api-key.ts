import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type { apiKeyResponse, apiKeyUsageResponse } from "../schemas/api-keys.ts";
import type { ApiKeyRecord } from "../state/api-keys.ts";
import { RATE_LIMITS } from "../state/rate-limits.ts";

/** APIKey (contract 2.8): nothing in it opens anything. */
export function apiKeyView(record: ApiKeyRecord, clock: Clock): z.output<typeof apiKeyResponse> {
  return {
    id: record.id,
    name: record.name,
    key_prefix: record.prefix,
    scopes: [...record.scopes],
    rate_limit_tier: record.tier,
    ip_allowlist: [...record.ipAllowlist],
    is_active: record.isActive,
    usage_count: record.usageCount,
    last_used_at: clock.isoOrNull(record.lastUsedAt),
    last_used_ip: record.lastUsedIp,
    created_at: clock.iso(record.createdAt),
    expires_at: clock.isoOrNull(record.expiresAt),
    grace_period_ends_at: clock.isoOrNull(record.graceEndsAt),
  };
}

/** APIKeyUsage (contract 2.8). */
export function apiKeyUsageView(record: ApiKeyRecord, clock: Clock): z.output<typeof apiKeyUsageResponse> {
  return {
    key_id: record.id,
    key_name: record.name,
    key_prefix: record.prefix,
    total_requests: record.usageCount,
    last_used_at: clock.isoOrNull(record.lastUsedAt),
    last_used_ip: record.lastUsedIp,
    rate_limit_tier: record.tier,
    rate_limits: RATE_LIMITS[record.tier],
    is_active: record.isActive,
    expires_at: clock.isoOrNull(record.expiresAt),
  };
}
