import type { Transport } from "./transport.ts";

/** Who is told of what waits for people, over the HTTP API. */
export function noticesOver(transport: Transport) {
  return {
    list: () => transport.ask("listRoutes"),
    show: (name: string) => transport.ask("readRoute", { path: { name } }),
    put: (definition: unknown) => transport.ask("putRoute", { body: { definition } }),
    remove: (name: string) => transport.ask("removeRoute", { path: { name } }),
    test: (route: string | undefined) => transport.ask("testRoutes", { body: { route } }),
  };
}
