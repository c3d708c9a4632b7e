import type { Query, Transport } from "./transport.ts";

export function triggersOver(transport: Transport) {
  return {
    put: (definition: unknown) => transport.ask("putTrigger", { body: { definition } }),
    list: () => transport.ask("listTriggers"),
    get: (name: string) => transport.ask("readTrigger", { path: { name } }),
    enable: (name: string) => transport.ask("enableTrigger", { path: { name } }),
    disable: (name: string) => transport.ask("disableTrigger", { path: { name } }),
    deliveries: (name: string, query: Query) => transport.ask("listDeliveries", { path: { name }, query }),
    delivery: (id: string) => transport.ask("readDelivery", { path: { id } }),
    retry: (name: string, query: Query) => transport.ask("retryDeliveries", { path: { name }, query }),
    retryOne: (id: string) => transport.ask("retryDelivery", { path: { id } }),
    skip: (id: string, reason: string | undefined) =>
      transport.ask("skipDelivery", { path: { id }, body: { reason } }),
  };
}
