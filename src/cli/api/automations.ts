import {
  automationExportSchema,
  automationHealthSchema,
  automationListSchema,
  automationPutSchema,
  automationSchemaOut,
  automationViewSchema,
  executionPageSchema,
  rerunSchema,
} from "../../http/wire/automation.ts";
import type { Query, Transport } from "./transport.ts";

export function automationsOver(transport: Transport) {
  const pathOf = (name: string, rest = "") => `/v1/automations/${encodeURIComponent(name)}${rest}`;
  return {
    put: (definition: unknown) =>
      transport.ask(automationPutSchema, { method: "PUT", path: "/v1/automations", body: { definition } }),
    import: (exported: unknown, definition: Readonly<Record<string, unknown>>) =>
      transport.ask(automationPutSchema, {
        method: "POST",
        path: "/v1/automations/import",
        body: { exported, definition },
      }),
    list: () => transport.ask(automationListSchema, { path: "/v1/automations" }),
    get: (name: string) => transport.ask(automationSchemaOut, { path: pathOf(name) }),
    health: () => transport.ask(automationHealthSchema, { path: "/v1/automations/health" }),
    export: (name: string) => transport.ask(automationExportSchema, { path: pathOf(name, "/export") }),
    command: (name: string, command: "test" | "deploy" | "retry") =>
      transport.ask(automationViewSchema, { method: "POST", path: pathOf(name, `/${command}`) }),
    restore: (name: string, version: number) =>
      transport.ask(automationViewSchema, {
        method: "POST",
        path: pathOf(name, "/restore"),
        query: { version },
      }),
    remove: (name: string, platform: boolean) =>
      transport.ask(automationViewSchema, { method: "DELETE", path: pathOf(name), query: { platform } }),
    executions: (name: string, query: Query) =>
      transport.ask(executionPageSchema, { path: pathOf(name, "/executions"), query }),
    rerun: (executionId: string) =>
      transport.ask(rerunSchema, {
        method: "POST",
        path: `/v1/automations/executions/${encodeURIComponent(executionId)}/rerun`,
      }),
  };
}
