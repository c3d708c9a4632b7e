import { listQuery, type ListUpload } from "./list-upload.ts";
import type { Transport } from "./transport.ts";

interface SuppressionEntry {
  phone: string;
  brand?: string | undefined;
  reason: string;
  expires_at?: string | undefined;
}

export function suppressionsOver(transport: Transport) {
  return {
    add: (entries: readonly SuppressionEntry[], defaultRegion: string | undefined) =>
      transport.ask("addSuppressions", { body: { entries, default_region: defaultRegion } }),
    remove: (input: {
      phone: string;
      brand: string | undefined;
      source?: string | undefined;
      reason: string;
      defaultRegion: string | undefined;
    }) =>
      transport.ask("removeSuppression", {
        body: {
          phone: input.phone,
          brand: input.brand,
          source: input.source,
          reason: input.reason,
          default_region: input.defaultRegion,
        },
      }),
    list: (query: {
      phone?: string | undefined;
      brand?: string | undefined;
      after?: string | undefined;
      limit?: number;
    }) => transport.ask("listSuppressions", { query }),
    import: (
      list: Omit<ListUpload, "digest"> & {
        digest?: string | undefined;
        brand?: string | undefined;
        reason?: string | undefined;
      },
    ) =>
      transport.ask(
        "importSuppressions",
        {
          query: { ...listQuery(list), digest: list.digest, brand: list.brand, reason: list.reason },
          body: list.readable,
        },
        { answerWithinMs: 0 },
      ),
    sources: sourcesOver(transport),
  };
}

/** Lists that are replaced as a whole. */
function sourcesOver(transport: Transport) {
  return {
    list: (query: { brand?: string | undefined }) => transport.ask("listSources", { query }),
    read: (name: string) => transport.ask("readSource", { path: { name } }),
    put: (
      name: string,
      body: {
        type: string;
        brand?: string | undefined;
        max_age?: string | undefined;
        scrub?: {
          url: string;
          secret: string;
          cache_for?: string | undefined;
          when_away?: string | undefined;
        };
      },
    ) => transport.ask("putSource", { path: { name }, body }),
    remove: (name: string, reason: string) =>
      transport.ask("removeSource", { path: { name }, body: { reason } }),
    check: (name: string, phones: readonly string[], defaultRegion: string | undefined) =>
      transport.ask("checkSource", { path: { name }, body: { phones, default_region: defaultRegion } }),
    replace: (
      name: string,
      list: ListUpload & {
        asOf?: string | undefined;
        allowShrink?: boolean | undefined;
        allowOlder?: boolean | undefined;
      },
    ) =>
      transport.ask(
        "replaceSourceList",
        {
          path: { name },
          query: {
            ...listQuery(list),
            digest: list.digest,
            as_of: list.asOf,
            allow_shrink: list.allowShrink,
            allow_older: list.allowOlder,
          },
          body: list.readable,
        },
        { answerWithinMs: 0 },
      ),
  };
}
