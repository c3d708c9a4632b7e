import type { Query, Transport } from "./transport.ts";

export function schedulesOver(transport: Transport) {
  return {
    put: (definition: unknown) => transport.ask("putSchedule", { body: { definition } }),
    list: () => transport.ask("listSchedules"),
    get: (name: string) => transport.ask("readSchedule", { path: { name } }),
    next: (name: string, query: Query) => transport.ask("readNextRuns", { path: { name }, query }),
    command: (name: string, command: "pause" | "resume" | "repair", reason: string | undefined) =>
      transport.ask(`${command}Schedule`, { path: { name }, body: { reason } }),
    remove: (name: string) => transport.ask("removeSchedule", { path: { name } }),
    runs: (name: string, query: Query) => transport.ask("listRuns", { path: { name }, query }),
    run: (name: string, commandId: string | undefined) =>
      transport.ask("runSchedule", { path: { name }, body: { command_id: commandId } }),
    backfill: (name: string, span: { from: string; to: string }) =>
      transport.ask("backfillSchedule", { path: { name }, body: span }),
  };
}
