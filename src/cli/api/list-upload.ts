import type { Readable } from "node:stream";

import type { Query } from "./transport.ts";

/** A list on its way. */
export interface ListUpload {
  readable: Readable;
  digest: string;
  sourceName: string;
  map?: Readonly<Record<string, string>>;
  defaultRegion?: string | undefined;
  signal?: AbortSignal;
}

export function listQuery(list: Omit<ListUpload, "digest">): Query {
  return {
    source_name: list.sourceName,
    map: list.map && JSON.stringify(list.map),
    default_region: list.defaultRegion,
  };
}
