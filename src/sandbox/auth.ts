import type { FastifyRequest } from "fastify";

import { ApiError, rateLimited } from "./errors.ts";
import { isReplay } from "./fault-hooks.ts";
import { digestOf, isAddressAllowed } from "./state/api-keys.ts";
import type { ApiKeyRecord } from "./state/api-keys.ts";
import type { Organization } from "./state/organization.ts";
import { RateLimiter } from "./state/rate-limits.ts";

const RESOURCES = [
  "agents",
  "calls",
  "phone_numbers",
  "batch_calls",
  "workflows",
  "analytics",
  "knowledge_bases",
  "webhooks",
  "config",
  "api_keys",
] as const;

type Resource = (typeof RESOURCES)[number];
type Right = "read" | "write" | "delete";

/** Contract 5.4. Combinations that the list there does not name (such as `analytics:write`) grant nothing. */
export type Scope = `${Resource}:${Right}` | "*";

const RANK: Readonly<Record<string, number>> = { read: 1, write: 2, delete: 3 };

/** Contract 5.5: write implies read, delete implies write and read, `*` is everything. */
export function allows(granted: readonly string[], needed: Scope): boolean {
  return granted.some((scope) => {
    if (scope === "*" || scope === needed) {
      return true;
    }
    const [resource, right] = scope.split(":");
    const [neededResource, neededRight] = needed.split(":");
    return resource === neededResource && (RANK[right ?? ""] ?? 0) >= (RANK[neededRight ?? ""] ?? Infinity);
  });
}

/** Who sent a request: the organization that the key belongs to, and what the key may do. */
export interface Caller {
  readonly organization: Organization;
  readonly key: ApiKeyRecord;
  readonly scopes: readonly string[];
}

/** Finds out who bears a key, among the keys of all organizations. */
export class KeyRing {
  readonly #organizations: readonly Organization[];
  readonly #limiter = new RateLimiter();

  constructor(organizations: readonly Organization[]) {
    this.#organizations = organizations;
  }

  /** Who bears the key; null if nobody does, or it is no good any more. */
  find(key: string | null): Caller | null {
    if (key === null) {
      return null;
    }
    // Keys are looked up by digest, so the time that it takes says nothing about the key.
    const digest = digestOf(key);
    for (const organization of this.#organizations) {
      const record = organization.apiKeys.findByDigest(digest);
      if (record !== null) {
        return organization.apiKeys.isValid(record)
          ? { organization, key: record, scopes: record.scopes }
          : null;
      }
    }
    return null;
  }

  /**
   * Lets a request in and books it as a use of its key. Throws 401 for a key that opens nothing, 403 for an address
   * that is not on the key's list, 429 above the rate of its tier (contract 5.3, 5.6, 7).
   */
  admit(key: string | null, address: string): Caller {
    const caller = this.find(key);
    if (caller === null) {
      throw new ApiError(401, key === null ? "Not authenticated" : "Invalid or expired API key");
    }
    if (!isAddressAllowed(caller.key.ipAllowlist, address)) {
      throw new ApiError(403, "The API key may not be used from this IP address");
    }
    const waitSeconds = this.#limiter.take(caller.key.id, caller.key.tier);
    if (waitSeconds > 0) {
      throw rateLimited(waitSeconds);
    }
    caller.organization.apiKeys.used(caller.key, address);
    return caller;
  }
}

/** The key in an `Authorization: Bearer` header (contract 5.1). */
export function bearerOf(header: string | undefined): string | null {
  return /^Bearer\s+(\S+)$/i.exec(header ?? "")?.[1] ?? null;
}

const CALLER = "caller";

/**
 * The hook that lets only bearers of a known key in (contract 5.6). A late effect was admitted when it was sent; it
 * needs a key that is still good, and counts no second time.
 */
export function authenticate(keys: KeyRing) {
  return async (request: FastifyRequest): Promise<void> => {
    const { authorization } = request.headers;
    // A header without a key in it is an invalid key, not a missing one.
    const key = bearerOf(authorization) ?? (authorization === undefined ? null : "");
    request.setDecorator<Caller>(
      CALLER,
      (isReplay(request) ? keys.find(key) : null) ?? keys.admit(key, request.ip),
    );
  };
}

/** As `authenticate`, for what is no part of the platform: no rate holds, and no use is counted. */
export function recognize(keys: KeyRing) {
  return async (request: FastifyRequest): Promise<void> => {
    const caller = keys.find(bearerOf(request.headers.authorization));
    if (caller === null) {
      throw new ApiError(401, "Not authenticated");
    }
    request.setDecorator<Caller>(CALLER, caller);
  };
}

/** By hook, for the description of its route. */
const scopesOfHooks = new WeakMap<object, Scope>();

/** The hook of a route that needs a scope (contract 5.6: 403 without it). */
export function requires(scope: Scope) {
  const hook = async (request: FastifyRequest): Promise<void> => {
    if (!allows(callerOf(request).scopes, scope)) {
      throw new ApiError(403, `The API key lacks the scope ${scope}`);
    }
  };
  scopesOfHooks.set(hook, scope);
  return hook;
}

/** The scope that a route with these hooks needs; null where any key will do. */
export function scopeOf(hooks: readonly object[]): Scope | null {
  return hooks.map((hook) => scopesOfHooks.get(hook)).find((scope) => scope !== undefined) ?? null;
}

function callerOf(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>(CALLER);
}

/** What the caller's organization owns. Routes reach state only through this, so nothing leaks to another one. */
export function organizationOf(request: FastifyRequest): Organization {
  return callerOf(request).organization;
}
