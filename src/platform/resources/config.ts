import type { Caller } from "../caller.ts";
import { rows } from "../lists.ts";
import type {
  DefaultsConfig,
  LanguageEntry,
  ProviderCategory,
  ProviderConfig,
} from "../operations/config.ts";
import type { CallOptions } from "../request.ts";
import type { Answering } from "../sent.ts";

/** What agents can be made of (contract 4.8). */
export interface Config {
  /** All providers, models, languages and defaults. */
  providers(options?: CallOptions): Promise<ProviderConfig>;
  /** The providers of one category. */
  category(category: ProviderCategory, options?: CallOptions): Promise<Readonly<Record<string, unknown>>>;
  defaults(options?: CallOptions): Promise<DefaultsConfig>;
  languages(options?: CallOptions): Promise<readonly LanguageEntry[]>;
}

export function config(caller: Caller): Answering<Config> {
  return {
    providers: (options) => caller.call("config.providers", { params: {} }, options),
    category: (category, options) => caller.call("config.category", { params: { category } }, options),
    defaults: (options) => caller.call("config.defaults", { params: {} }, options),
    languages: (options) => rows(caller, "config.languages", { params: {} }, options),
  };
}
