import type { Transport } from "./transport.ts";

const wire = () => import("../../http/wire/blackouts.ts");

export function blackoutsOver(transport: Transport) {
  const path = "/v1/blackouts";
  return {
    add: (body: { from: string; to?: string | undefined; name: string; brand?: string | undefined }) =>
      transport.ask(async () => (await wire()).blackoutAddedSchema, { method: "POST", path, body }),
    list: (query: { brand?: string | undefined }) =>
      transport.ask(async () => (await wire()).blackoutListSchema, { path, query }),
    remove: (id: number, reason: string) =>
      transport.ask(async () => (await wire()).blackoutRemovedSchema, {
        method: "DELETE",
        path: `${path}/${id}`,
        body: { reason },
      }),
  };
}
