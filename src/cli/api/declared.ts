import type { DeclaredKey } from "../../domain/declared/documents.ts";
import type { ScheduleSays } from "../../domain/schedules/recurring-spec.ts";
import type { Query, Transport } from "./transport.ts";

const wire = () => import("../../http/wire/declared.ts");

const path = "/v1/declared";

export function declaredOver(transport: Transport) {
  return {
    /** `schedules`: all that are declared with them; `others`: what is compared in other requests. */
    diff: (
      documents: readonly unknown[],
      schedules: readonly ScheduleSays[],
      others: readonly DeclaredKey[] = [],
    ) =>
      transport.ask(async () => (await wire()).declaredDiffSchema, {
        method: "POST",
        path: `${path}/diff`,
        body: {
          documents,
          ...(schedules.length > 0 && { schedules }),
          ...(others.length > 0 && { others }),
        },
      }),
    apply: (document: unknown, schedules: readonly ScheduleSays[]) =>
      transport.ask(async () => (await wire()).declaredAppliedSchema, {
        method: "POST",
        path: `${path}/apply`,
        body: { document, ...(schedules.length > 0 && { schedules }) },
      }),
    list: () => transport.ask(async () => (await wire()).declarationListSchema, { path }),
    documents: (query: Query) =>
      transport.ask(async () => (await wire()).declaredDocumentsSchema, { path: `${path}/documents`, query }),
    /** `digest`: of what was shown to whoever decided. */
    prune: ({ kind, brand, name, digest }: DeclaredKey & { digest: string }, platform: boolean) =>
      transport.ask(async () => (await wire()).declaredPrunedSchema, {
        method: "POST",
        path: `${path}/prune`,
        body: { kind, brand, name, digest, platform },
      }),
  };
}
