import {
  declarationListSchema,
  declaredAppliedSchema,
  declaredDiffSchema,
  declaredDocumentsSchema,
  declaredPrunedSchema,
} from "../../http/wire/declared.ts";
import type { DeclaredKey } from "../../domain/declared/documents.ts";
import type { Query, Transport } from "./transport.ts";

const path = "/v1/declared";

export function declaredOver(transport: Transport) {
  return {
    diff: (documents: readonly unknown[]) =>
      transport.ask(declaredDiffSchema, { method: "POST", path: `${path}/diff`, body: { documents } }),
    apply: (document: unknown) =>
      transport.ask(declaredAppliedSchema, { method: "POST", path: `${path}/apply`, body: { document } }),
    list: () => transport.ask(declarationListSchema, { path }),
    documents: (query: Query) => transport.ask(declaredDocumentsSchema, { path: `${path}/documents`, query }),
    /** `digest`: of what was shown to whoever decided. */
    prune: ({ kind, brand, name, digest }: DeclaredKey & { digest: string }, platform: boolean) =>
      transport.ask(declaredPrunedSchema, {
        method: "POST",
        path: `${path}/prune`,
        body: { kind, brand, name, digest, platform },
      }),
  };
}
