import type { Caller } from "../caller.ts";
import type { Page } from "../decoding.ts";
import { iterate } from "../lists.ts";
import type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyRotate,
  ApiKeysQuery,
  ApiKeyUpdate,
  ApiKeyUsage,
} from "../operations/api-keys.ts";
import type { WalkOptions } from "../paging.ts";
import type { CallOptions } from "../request.ts";
import type { Answering } from "../sent.ts";

/** The keys of the platform's API (contract 4.10, 3.5). */
export interface ApiKeys {
  /**
   * Creates a key. Its secret is in this answer only: where the answer is lost (`may_have_happened`), find the
   * key by its name, delete it and create another.
   */
  create(key: ApiKeyCreate, options?: CallOptions): Promise<ApiKeyCreated>;
  /** One page. Inactive keys only with `include_inactive`. */
  list(query?: ApiKeysQuery, options?: CallOptions): Promise<Page<ApiKey>>;
  iterate(query?: ApiKeysQuery, options?: WalkOptions): AsyncGenerator<ApiKey, void, undefined>;
  get(keyId: string, options?: CallOptions): Promise<ApiKey>;
  update(keyId: string, changes: ApiKeyUpdate, options?: CallOptions): Promise<ApiKey>;
  /** Revokes the key at once. */
  delete(keyId: string, options?: CallOptions): Promise<void>;
  /** Answers with a new secret; the old one stays valid for the grace period (hours, default 24). */
  rotate(keyId: string, grace?: ApiKeyRotate, options?: CallOptions): Promise<ApiKeyCreated>;
  usage(keyId: string, options?: CallOptions): Promise<ApiKeyUsage>;
}

export function apiKeys(caller: Caller): Answering<ApiKeys> {
  const at = (keyId: string) => ({ key_id: keyId });
  return {
    create: (body, options) => caller.call("apiKeys.create", { params: {}, body }, options),
    list: (query, options) => caller.call("apiKeys.list", { params: {}, query }, options),
    iterate: (query, options) => iterate(caller, "apiKeys.list", { params: {}, query }, options),
    get: (keyId, options) => caller.call("apiKeys.get", { params: at(keyId) }, options),
    update: (keyId, body, options) => caller.call("apiKeys.update", { params: at(keyId), body }, options),
    delete: (keyId, options) => caller.call("apiKeys.delete", { params: at(keyId) }, options),
    rotate: (keyId, body, options) => caller.call("apiKeys.rotate", { params: at(keyId), body }, options),
    usage: (keyId, options) => caller.call("apiKeys.usage", { params: at(keyId) }, options),
  };
}
