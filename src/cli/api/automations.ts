import type { Query, Transport } from "./transport.ts";

export function automationsOver(transport: Transport) {
  return {
    put: (definition: unknown) => transport.ask("putAutomation", { body: { definition } }),
    import: (exported: unknown, definition: Readonly<Record<string, unknown>>) =>
      transport.ask("importAutomation", { body: { exported, definition } }),
    list: () => transport.ask("listAutomations"),
    get: (name: string) => transport.ask("readAutomation", { path: { name } }),
    health: () => transport.ask("readAutomationHealth"),
    export: (name: string) => transport.ask("exportAutomation", { path: { name } }),
    command: (name: string, command: "test" | "deploy" | "retry") =>
      transport.ask(`${command}Automation`, { path: { name } }),
    restore: (name: string, version: number) =>
      transport.ask("restoreAutomation", { path: { name }, query: { version } }),
    remove: (name: string, platform: boolean) =>
      transport.ask("removeAutomation", { path: { name }, query: { platform } }),
    executions: (name: string, query: Query) => transport.ask("listExecutions", { path: { name }, query }),
    rerun: (executionId: string) => transport.ask("rerunExecution", { path: { id: executionId } }),
  };
}
