import type { Transport } from "./transport.ts";

export function budgetsOver(transport: Transport) {
  return {
    set: (body: {
      brand?: string | undefined;
      total?: string | undefined;
      per_day?: string | undefined;
      zone?: string | undefined;
      restart: boolean;
    }) => transport.ask("putBudget", { body }),
    list: () => transport.ask("listBudgets"),
    check: () => transport.ask("checkBalance"),
    remove: (body: { brand?: string | undefined; reason: string }) => transport.ask("removeBudget", { body }),
  };
}
