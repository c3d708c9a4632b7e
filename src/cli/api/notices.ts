import type { Transport } from "./transport.ts";

const wire = () => import("../../http/wire/notices.ts");

/** Who is told of what waits for people, over the HTTP API. */
export function noticesOver(transport: Transport) {
  const path = "/v1/attention/routes";
  const pathOf = (name: string) => `${path}/${encodeURIComponent(name)}`;
  return {
    list: () => transport.ask(async () => (await wire()).routeListSchema, { path }),
    show: (name: string) =>
      transport.ask(async () => (await wire()).routeShownSchema, { path: pathOf(name) }),
    put: (definition: unknown) =>
      transport.ask(async () => (await wire()).routePutSchema, { method: "PUT", path, body: { definition } }),
    remove: (name: string) =>
      transport.ask(async () => (await wire()).routeRemovedSchema, { method: "DELETE", path: pathOf(name) }),
    test: (route: string | undefined) =>
      transport.ask(async () => (await wire()).routesTestedSchema, {
        method: "POST",
        path: "/v1/attention/test",
        body: { route },
      }),
  };
}
