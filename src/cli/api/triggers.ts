import {
  deliveryPageSchema,
  deliverySchemaOut,
  retriedSchema,
  triggerListSchema,
  triggerPutSchema,
  triggerSchemaOut,
} from "../../http/wire/trigger.ts";
import type { Query, Transport } from "./transport.ts";

export function triggersOver(transport: Transport) {
  const pathOf = (name: string, rest = "") => `/v1/triggers/${encodeURIComponent(name)}${rest}`;
  return {
    put: (definition: unknown) =>
      transport.ask(triggerPutSchema, { method: "PUT", path: "/v1/triggers", body: { definition } }),
    list: () => transport.ask(triggerListSchema, { path: "/v1/triggers" }),
    get: (name: string) => transport.ask(triggerSchemaOut, { path: pathOf(name) }),
    enable: (name: string) =>
      transport.ask(triggerSchemaOut, { method: "POST", path: pathOf(name, "/enable") }),
    disable: (name: string) =>
      transport.ask(triggerSchemaOut, { method: "POST", path: pathOf(name, "/disable") }),
    deliveries: (name: string, query: Query) =>
      transport.ask(deliveryPageSchema, { path: pathOf(name, "/deliveries"), query }),
    delivery: (id: string) =>
      transport.ask(deliverySchemaOut, { path: `/v1/deliveries/${encodeURIComponent(id)}` }),
    retry: (name: string) => transport.ask(retriedSchema, { method: "POST", path: pathOf(name, "/retry") }),
    retryOne: (id: string) =>
      transport.ask(retriedSchema, {
        method: "POST",
        path: `/v1/deliveries/${encodeURIComponent(id)}/retry`,
      }),
  };
}
