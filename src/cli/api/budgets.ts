import type { Transport } from "./transport.ts";

const wire = () => import("../../http/wire/budgets.ts");

export function budgetsOver(transport: Transport) {
  const path = "/v1/budgets";
  return {
    set: (body: {
      brand?: string | undefined;
      total?: string | undefined;
      per_day?: string | undefined;
      zone?: string | undefined;
      restart: boolean;
    }) => transport.ask(async () => (await wire()).budgetSetSchema, { method: "PUT", path, body }),
    list: () => transport.ask(async () => (await wire()).budgetListSchema, { path }),
    check: () =>
      transport.ask(async () => (await wire()).balanceSeenSchema, { method: "POST", path: `${path}/check` }),
    remove: (body: { brand?: string | undefined; reason: string }) =>
      transport.ask(async () => (await wire()).budgetRemovedSchema, { method: "DELETE", path, body }),
  };
}
