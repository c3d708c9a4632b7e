import type { Query, Transport } from "./transport.ts";

const wire = () => import("../../http/wire/schedules.ts");

export function schedulesOver(transport: Transport) {
  const pathOf = (name: string, rest = "") => `/v1/schedules/${encodeURIComponent(name)}${rest}`;
  return {
    put: (definition: unknown) =>
      transport.ask(async () => (await wire()).schedulePutSchema, {
        method: "PUT",
        path: "/v1/schedules",
        body: { definition },
      }),
    list: () => transport.ask(async () => (await wire()).scheduleListSchema, { path: "/v1/schedules" }),
    get: (name: string) =>
      transport.ask(async () => (await wire()).scheduleSchemaOut, { path: pathOf(name) }),
    next: (name: string, query: Query) =>
      transport.ask(async () => (await wire()).scheduleNextSchema, { path: pathOf(name, "/next"), query }),
    command: (name: string, command: "pause" | "resume" | "repair", reason: string | undefined) =>
      transport.ask(async () => (await wire()).scheduleSchemaOut, {
        method: "POST",
        path: pathOf(name, `/${command}`),
        body: { reason },
      }),
    remove: (name: string) =>
      transport.ask(async () => (await wire()).scheduleViewSchema, { method: "DELETE", path: pathOf(name) }),
    runs: (name: string, query: Query) =>
      transport.ask(async () => (await wire()).scheduleRunPageSchema, { path: pathOf(name, "/runs"), query }),
    run: (name: string, commandId: string | undefined) =>
      transport.ask(async () => (await wire()).scheduleRunSchema, {
        method: "POST",
        path: pathOf(name, "/run"),
        body: { command_id: commandId },
      }),
    backfill: (name: string, span: { from: string; to: string }) =>
      transport.ask(async () => (await wire()).scheduleBackfillSchema, {
        method: "POST",
        path: pathOf(name, "/backfill"),
        body: span,
      }),
  };
}
