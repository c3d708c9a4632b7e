import { listQuery, type ListUpload } from "./list-upload.ts";
import type { Transport } from "./transport.ts";

const wire = () => import("../../http/wire/suppressions.ts");

interface SuppressionEntry {
  phone: string;
  brand?: string | undefined;
  reason: string;
  expires_at?: string | undefined;
}

export function suppressionsOver(transport: Transport) {
  const path = "/v1/suppressions";
  return {
    add: (entries: readonly SuppressionEntry[], defaultRegion: string | undefined) =>
      transport.ask(async () => (await wire()).suppressionAddedSchema, {
        method: "POST",
        path,
        body: { entries, default_region: defaultRegion },
      }),
    remove: (input: {
      phone: string;
      brand: string | undefined;
      source?: string | undefined;
      reason: string;
      defaultRegion: string | undefined;
    }) =>
      transport.ask(async () => (await wire()).suppressionRemovedSchema, {
        method: "DELETE",
        path,
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
    }) => transport.ask(async () => (await wire()).suppressionPageSchema, { path, query }),
    import: (
      list: Omit<ListUpload, "digest"> & {
        digest?: string | undefined;
        brand?: string | undefined;
        reason?: string | undefined;
      },
    ) =>
      transport.ask(async () => (await wire()).suppressionImportSchema, {
        method: "POST",
        path: `${path}/import`,
        query: { ...listQuery(list), digest: list.digest, brand: list.brand, reason: list.reason },
        stream: { contentType: "application/octet-stream", readable: list.readable },
        answerWithinMs: 0,
      }),
    sources: sourcesOver(transport, `${path}/sources`),
  };
}

/** Lists that are replaced as a whole. */
function sourcesOver(transport: Transport, path: string) {
  const at = (name: string) => `${path}/${encodeURIComponent(name)}`;
  return {
    list: (query: { brand?: string | undefined }) =>
      transport.ask(async () => (await wire()).sourceListSchema, { path, query }),
    read: (name: string) => transport.ask(async () => (await wire()).sourceShownSchema, { path: at(name) }),
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
    ) => transport.ask(async () => (await wire()).sourcePutSchema, { method: "PUT", path: at(name), body }),
    remove: (name: string, reason: string) =>
      transport.ask(async () => (await wire()).sourceRemovedSchema, {
        method: "DELETE",
        path: at(name),
        body: { reason },
      }),
    check: (name: string, phones: readonly string[], defaultRegion: string | undefined) =>
      transport.ask(async () => (await wire()).sourceCheckedSchema, {
        method: "POST",
        path: `${at(name)}/check`,
        body: { phones, default_region: defaultRegion },
      }),
    replace: (
      name: string,
      list: ListUpload & { asOf?: string | undefined; allowShrink?: boolean | undefined },
    ) =>
      transport.ask(async () => (await wire()).listReplacedSchema, {
        method: "POST",
        path: `${at(name)}/list`,
        query: {
          ...listQuery(list),
          digest: list.digest,
          as_of: list.asOf,
          allow_shrink: list.allowShrink,
        },
        stream: { contentType: "application/octet-stream", readable: list.readable },
        answerWithinMs: 0,
      }),
  };
}
