import type { Query, Transport } from "./transport.ts";

const wire = () => import("../../http/wire/automations.ts");

export function automationsOver(transport: Transport) {
  const pathOf = (name: string, rest = "") => `/v1/automations/${encodeURIComponent(name)}${rest}`;
  return {
    put: (definition: unknown) =>
      transport.ask(async () => (await wire()).automationPutSchema, {
        method: "PUT",
        path: "/v1/automations",
        body: { definition },
      }),
    import: (exported: unknown, definition: Readonly<Record<string, unknown>>) =>
      transport.ask(async () => (await wire()).automationPutSchema, {
        method: "POST",
        path: "/v1/automations/import",
        body: { exported, definition },
      }),
    list: () => transport.ask(async () => (await wire()).automationListSchema, { path: "/v1/automations" }),
    get: (name: string) =>
      transport.ask(async () => (await wire()).automationSchemaOut, { path: pathOf(name) }),
    health: () =>
      transport.ask(async () => (await wire()).automationHealthSchema, { path: "/v1/automations/health" }),
    export: (name: string) =>
      transport.ask(async () => (await wire()).automationExportSchema, { path: pathOf(name, "/export") }),
    command: (name: string, command: "test" | "deploy" | "retry") =>
      transport.ask(async () => (await wire()).automationViewSchema, {
        method: "POST",
        path: pathOf(name, `/${command}`),
      }),
    restore: (name: string, version: number) =>
      transport.ask(async () => (await wire()).automationViewSchema, {
        method: "POST",
        path: pathOf(name, "/restore"),
        query: { version },
      }),
    remove: (name: string, platform: boolean) =>
      transport.ask(async () => (await wire()).automationViewSchema, {
        method: "DELETE",
        path: pathOf(name),
        query: { platform },
      }),
    executions: (name: string, query: Query) =>
      transport.ask(async () => (await wire()).executionPageSchema, {
        path: pathOf(name, "/executions"),
        query,
      }),
    rerun: (executionId: string) =>
      transport.ask(async () => (await wire()).rerunSchema, {
        method: "POST",
        path: `/v1/automations/executions/${encodeURIComponent(executionId)}/rerun`,
      }),
  };
}
