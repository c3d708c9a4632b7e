import {
  declarationListSchema,
  declaredAppliedSchema,
  declaredDiffSchema,
  declaredDocumentsSchema,
  declaredPrunedSchema,
} from "../../http/wire/declared.ts";
import type { DeclaredKey } from "../../domain/declared/documents.ts";
import type { ScheduleSays } from "../../domain/recurring-spec.ts";
import type { Query, Transport } from "./transport.ts";

const path = "/v1/declared";

export function declaredOver(transport: Transport) {
  return {
    /** `schedules`: all that are declared with them. */
    diff: (documents: readonly unknown[], schedules: readonly ScheduleSays[]) =>
      transport.ask(declaredDiffSchema, {
        method: "POST",
        path: `${path}/diff`,
        body: { documents, ...(schedules.length > 0 && { schedules }) },
      }),
    apply: (document: unknown, schedules: readonly ScheduleSays[]) =>
      transport.ask(declaredAppliedSchema, {
        method: "POST",
        path: `${path}/apply`,
        body: { document, ...(schedules.length > 0 && { schedules }) },
      }),
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
