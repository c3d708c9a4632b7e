import {
  scheduleBackfillSchema,
  scheduleListSchema,
  scheduleNextSchema,
  schedulePutSchema,
  scheduleRunPageSchema,
  scheduleRunSchema,
  scheduleSchemaOut,
  scheduleViewSchema,
} from "../../http/wire/schedule.ts";
import type { Query, Transport } from "./transport.ts";

export function schedulesOver(transport: Transport) {
  const pathOf = (name: string, rest = "") => `/v1/schedules/${encodeURIComponent(name)}${rest}`;
  return {
    put: (definition: unknown) =>
      transport.ask(schedulePutSchema, { method: "PUT", path: "/v1/schedules", body: { definition } }),
    list: () => transport.ask(scheduleListSchema, { path: "/v1/schedules" }),
    get: (name: string) => transport.ask(scheduleSchemaOut, { path: pathOf(name) }),
    next: (name: string, query: Query) =>
      transport.ask(scheduleNextSchema, { path: pathOf(name, "/next"), query }),
    command: (name: string, command: "pause" | "resume" | "repair", reason: string | undefined) =>
      transport.ask(scheduleSchemaOut, {
        method: "POST",
        path: pathOf(name, `/${command}`),
        body: { reason },
      }),
    remove: (name: string) => transport.ask(scheduleViewSchema, { method: "DELETE", path: pathOf(name) }),
    runs: (name: string, query: Query) =>
      transport.ask(scheduleRunPageSchema, { path: pathOf(name, "/runs"), query }),
    run: (name: string, commandId: string | undefined) =>
      transport.ask(scheduleRunSchema, {
        method: "POST",
        path: pathOf(name, "/run"),
        body: { command_id: commandId },
      }),
    backfill: (name: string, span: { from: string; to: string }) =>
      transport.ask(scheduleBackfillSchema, { method: "POST", path: pathOf(name, "/backfill"), body: span }),
  };
}
