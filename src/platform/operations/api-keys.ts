import { z } from "zod";
import { flag, id, map, number, readings, record, text, texts } from "../decoding.ts";
import { addressRule, scopeRule, windowRules, wordRule } from "../rules.ts";
import { get, nothing, object, type OperationsOf, page, patch, post, remove } from "./operation.ts";

const keyFields = {
  scopes: z.array(scopeRule).min(1).optional(),
  rate_limit_tier: z.enum(["free", "starter", "professional", "enterprise"]).optional(),
  ip_allowlist: z.array(addressRule).optional(),
};

const createRules = z.strictObject({
  name: wordRule,
  ...keyFields,
  expires_in_days: z.int().min(1).max(730).optional(),
});

/**
 * Contract 4.10. Left out: all scopes, 365 days, tier `starter`, every address. `ip_allowlist`: addresses and
 * CIDRs.
 */
export type ApiKeyCreate = z.input<typeof createRules>;

const updateRules = z.strictObject({
  name: wordRule.optional(),
  ...keyFields,
  is_active: z.boolean().optional(),
});

/** Contract 4.10. `is_active` false makes the key inactive; true brings it back (3.5). */
export type ApiKeyUpdate = z.input<typeof updateRules>;

const rotateRules = z.strictObject({ grace_period_hours: z.int().min(0).optional() });

/** Contract 4.10: how long the old key stays valid, in hours (default 24). */
export type ApiKeyRotate = z.input<typeof rotateRules>;

const listQuery = z.strictObject({ ...windowRules, include_inactive: z.boolean().optional() });

/** Contract 4.10. `skip` from 0 (default 0), `limit` 1 to 1,000 (default 20). */
export type ApiKeysQuery = z.input<typeof listQuery>;

const maskedFields = {
  id,
  name: text,
  key_prefix: text,
  scopes: texts,
  rate_limit_tier: text,
  ip_allowlist: texts,
  is_active: flag,
  usage_count: number,
  last_used_at: text,
  last_used_ip: text,
  created_at: text,
  expires_at: text,
  grace_period_ends_at: text,
};

export const apiKey = record({ id: "key_id" }, maskedFields);

/** Contract 2.8: a key, of which only `key_prefix` is shown. */
export type ApiKey = z.output<typeof apiKey>;

/** It is why the answer is wanted: one without is none. */
const secret = z.string().min(1).register(readings, { as: "text" });

export const createdKey = record({ id: "key_id" }, { ...maskedFields, key: secret, message: text });

/** Contract 2.8: an `ApiKey` with `key`, the whole secret. It is never shown again: keep it, and out of logs. */
export type ApiKeyCreated = z.output<typeof createdKey>;

export const keyUsage = record(
  { key_id: "id", key_name: "name" },
  {
    key_id: text,
    key_name: text,
    key_prefix: text,
    total_requests: number,
    last_used_at: text,
    last_used_ip: text,
    rate_limit_tier: text,
    rate_limits: map,
    is_active: flag,
    expires_at: text,
  },
);

/** Contract 2.8. */
export type ApiKeyUsage = z.output<typeof keyUsage>;

export const apiKeyOperations = {
  "apiKeys.create": post("/v1/api-keys", {
    summary: "Create a key; the secret is shown once",
    body: createRules,
    answer: object(createdKey),
  }),
  "apiKeys.list": get("/v1/api-keys", {
    summary: "List keys",
    query: listQuery,
    answer: page("skip", 20, apiKey, "id", "api_keys"),
  }),
  "apiKeys.get": get("/v1/api-keys/{key_id}", { summary: "Show a key, masked", answer: object(apiKey) }),
  "apiKeys.update": patch("/v1/api-keys/{key_id}", {
    summary: "Change a key, or make it inactive",
    body: updateRules,
    answer: object(apiKey),
  }),
  "apiKeys.delete": remove("/v1/api-keys/{key_id}", {
    summary: "Revoke a key at once",
    answer: nothing,
    asks: "deletes",
  }),
  "apiKeys.rotate": post("/v1/api-keys/{key_id}/rotate", {
    summary: "Replace a key; the old one stays valid for a grace period",
    body: rotateRules,
    answer: object(createdKey),
  }),
  "apiKeys.usage": get("/v1/api-keys/{key_id}/usage", {
    summary: "Show how a key was used",
    answer: object(keyUsage),
  }),
} as const satisfies OperationsOf<"apiKeys">;
