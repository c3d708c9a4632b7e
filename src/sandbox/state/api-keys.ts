import { createHash, randomBytes } from "node:crypto";

import ipaddr from "ipaddr.js";

import type { Clock } from "../clock.ts";
import type { IdSequence } from "../ids.ts";
import type { ApiKeyCreate, ApiKeyPatch } from "../schemas/api-keys.ts";
import type { RateTier } from "./rate-limits.ts";
import type { Kept } from "./kept.ts";

/** An API key, without the key: what is kept is its digest. Times are the clock's `now()`. */
export interface ApiKeyRecord {
  readonly id: string;
  /** SHA-256 in hex. Keys are random and long, so a plain hash is as good as a slow one. */
  readonly digest: string;
  /** The only part of the key that is ever shown again. */
  readonly prefix: string;
  readonly createdAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  name: string;
  scopes: readonly string[];
  tier: RateTier;
  ipAllowlist: readonly string[];
  isActive: boolean;
  usageCount: number;
  lastUsedAt: number | null;
  lastUsedIp: string | null;
  /** Until when a key that was rotated is still good; null for one that was not. */
  graceEndsAt: number | null;
}

/** A key as it is given in options, the key itself included. */
export interface KnownKey {
  readonly key: string;
  readonly scopes: readonly string[];
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Of 43 random characters this tells keys apart and gives nothing away. */
const PREFIX_LENGTH = 14;

export function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** The API keys of an organization, oldest first (contract 3.5). Revoked ones are forgotten. */
export class ApiKeys implements Kept<SavedKeys> {
  readonly #clock: Clock;
  readonly #ids: IdSequence;
  readonly #keys = new Map<string, ApiKeyRecord>();
  readonly #byDigest = new Map<string, ApiKeyRecord>();
  #created = 0;

  constructor(clock: Clock, ids: IdSequence) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Makes a key. The plaintext is in the answer alone. Its life is counted in the sandbox's simulated days. */
  create(input: ApiKeyCreate): { readonly record: ApiKeyRecord; readonly key: string } {
    return this.#issue(input, this.#clock.now() + (input.expires_in_days * DAY_MS) / this.#clock.speed);
  }

  /** Lets a key of the options in: it never expires, and has the tier that holds nobody up. */
  admit({ key, scopes }: KnownKey): void {
    if (this.#byDigest.has(digestOf(key))) {
      return;
    }
    this.#keep(key, key.slice(0, Math.min(PREFIX_LENGTH, Math.floor(key.length / 2))), null, {
      name: "Sandbox key",
      scopes,
      rate_limit_tier: "enterprise",
      ip_allowlist: [],
    });
  }

  /**
   * Makes a key in the place of another, with the same rights, the same time to live and an id of its own. The old
   * one stays good for the grace period.
   */
  rotate(old: ApiKeyRecord, graceHours: number): { readonly record: ApiKeyRecord; readonly key: string } {
    const now = this.#clock.now();
    const lifeMs = old.expiresAt === null ? null : old.expiresAt - old.createdAt;
    old.graceEndsAt = Math.min(
      now + (graceHours * HOUR_MS) / this.#clock.speed,
      old.graceEndsAt ?? Number.POSITIVE_INFINITY,
    );
    return this.#issue(
      {
        name: old.name,
        scopes: old.scopes,
        rate_limit_tier: old.tier,
        ip_allowlist: [...old.ipAllowlist],
      },
      lifeMs === null ? null : now + lifeMs,
    );
  }

  find(id: string): ApiKeyRecord | null {
    return this.#keys.get(id) ?? null;
  }

  findByDigest(digest: string): ApiKeyRecord | null {
    return this.#byDigest.get(digest) ?? null;
  }

  all(): ApiKeyRecord[] {
    return [...this.#keys.values()];
  }

  patch(record: ApiKeyRecord, changes: ApiKeyPatch): void {
    record.name = changes.name ?? record.name;
    record.scopes = changes.scopes ?? record.scopes;
    record.tier = changes.rate_limit_tier ?? record.tier;
    record.ipAllowlist = changes.ip_allowlist ?? record.ipAllowlist;
    record.isActive = changes.is_active ?? record.isActive;
  }

  revoke(record: ApiKeyRecord): void {
    this.#keys.delete(record.id);
    this.#byDigest.delete(record.digest);
  }

  /** Whether a key opens anything now: active, not expired, not rotated away. */
  isValid(record: ApiKeyRecord): boolean {
    const now = this.#clock.now();
    return (
      record.isActive &&
      (record.expiresAt === null || now < record.expiresAt) &&
      (record.graceEndsAt === null || now < record.graceEndsAt)
    );
  }

  used(record: ApiKeyRecord, address: string): void {
    record.usageCount += 1;
    record.lastUsedAt = this.#clock.now();
    record.lastUsedIp = address;
  }

  dump(): SavedKeys {
    return { created: this.#created, keys: this.all() };
  }

  restore(saved: SavedKeys): void {
    this.#created = saved.created;
    for (const record of saved.keys) {
      this.#hold({ ...record });
    }
  }

  #issue(input: KeyRights, expiresAt: number | null) {
    const key = `sbx_${randomBytes(32).toString("base64url")}`;
    return { record: this.#keep(key, key.slice(0, PREFIX_LENGTH), expiresAt, input), key };
  }

  #keep(key: string, prefix: string, expiresAt: number | null, input: KeyRights): ApiKeyRecord {
    const record: ApiKeyRecord = {
      id: this.#ids.at(this.#created),
      digest: digestOf(key),
      prefix,
      createdAt: this.#clock.now(),
      expiresAt,
      name: input.name,
      scopes: input.scopes,
      tier: input.rate_limit_tier,
      ipAllowlist: input.ip_allowlist,
      isActive: true,
      usageCount: 0,
      lastUsedAt: null,
      lastUsedIp: null,
      graceEndsAt: null,
    };
    this.#created += 1;
    this.#hold(record);
    return record;
  }

  #hold(record: ApiKeyRecord): void {
    this.#keys.set(record.id, record);
    this.#byDigest.set(record.digest, record);
  }
}

/** What a key is made with, its life aside. */
interface KeyRights extends Omit<ApiKeyCreate, "expires_in_days" | "scopes"> {
  readonly scopes: readonly string[];
}

interface SavedKeys {
  readonly created: number;
  readonly keys: readonly ApiKeyRecord[];
}

/** Whether an address may use a key (contract 5.3: an empty list allows all). IPv4 inside IPv6 counts as IPv4. */
export function isAddressAllowed(allowlist: readonly string[], address: string): boolean {
  if (allowlist.length === 0) {
    return true;
  }
  if (!ipaddr.isValid(address)) {
    return false;
  }
  const from = ipaddr.process(address);
  return allowlist.some((entry) => {
    const [range, bits] = entry.includes("/") ? ipaddr.parseCIDR(entry) : rangeOfOne(entry);
    // `match` compares addresses of one kind only.
    return range.kind() === from.kind() && from.match(range, bits);
  });
}

function rangeOfOne(address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const parsed = ipaddr.process(address);
  return [parsed, parsed.kind() === "ipv4" ? 32 : 128];
}
