import type { DeclaredKey } from "../../domain/declared/documents.ts";
import type { ScheduleSays } from "../../domain/schedules/recurring-spec.ts";
import type { Query, Transport } from "./transport.ts";

export function declaredOver(transport: Transport) {
  return {
    /** `schedules`: all that are declared with them; `others`: what is compared in other requests. */
    diff: (
      documents: readonly unknown[],
      schedules: readonly ScheduleSays[],
      others: readonly DeclaredKey[] = [],
    ) =>
      transport.ask("compareDeclared", {
        body: {
          documents,
          ...(schedules.length > 0 && { schedules }),
          ...(others.length > 0 && { others }),
        },
      }),
    apply: (document: unknown, schedules: readonly ScheduleSays[]) =>
      transport.ask("applyDeclared", { body: { document, ...(schedules.length > 0 && { schedules }) } }),
    list: () => transport.ask("listDeclared"),
    documents: (query: Query) => transport.ask("listDocuments", { query }),
    /** `digest`: of what was shown to whoever decided. */
    prune: ({ kind, brand, name, digest }: DeclaredKey & { digest: string }, platform: boolean) =>
      transport.ask("pruneDeclared", { body: { kind, brand, name, digest, platform } }),
  };
}
