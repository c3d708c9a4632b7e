import type { Query, Transport } from "./transport.ts";

const wire = () => import("../../http/wire/triggers.ts");

export function triggersOver(transport: Transport) {
  const pathOf = (name: string, rest = "") => `/v1/triggers/${encodeURIComponent(name)}${rest}`;
  return {
    put: (definition: unknown) =>
      transport.ask(async () => (await wire()).triggerPutSchema, {
        method: "PUT",
        path: "/v1/triggers",
        body: { definition },
      }),
    list: () => transport.ask(async () => (await wire()).triggerListSchema, { path: "/v1/triggers" }),
    get: (name: string) => transport.ask(async () => (await wire()).triggerSchemaOut, { path: pathOf(name) }),
    enable: (name: string) =>
      transport.ask(async () => (await wire()).triggerSchemaOut, {
        method: "POST",
        path: pathOf(name, "/enable"),
      }),
    disable: (name: string) =>
      transport.ask(async () => (await wire()).triggerSchemaOut, {
        method: "POST",
        path: pathOf(name, "/disable"),
      }),
    deliveries: (name: string, query: Query) =>
      transport.ask(async () => (await wire()).deliveryPageSchema, {
        path: pathOf(name, "/deliveries"),
        query,
      }),
    delivery: (id: string) =>
      transport.ask(async () => (await wire()).deliverySchemaOut, {
        path: `/v1/deliveries/${encodeURIComponent(id)}`,
      }),
    retry: (name: string) =>
      transport.ask(async () => (await wire()).retriedSchema, {
        method: "POST",
        path: pathOf(name, "/retry"),
      }),
    retryOne: (id: string) =>
      transport.ask(async () => (await wire()).retriedSchema, {
        method: "POST",
        path: `/v1/deliveries/${encodeURIComponent(id)}/retry`,
      }),
  };
}
