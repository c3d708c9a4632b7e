import type { Transport } from "./transport.ts";

export function blackoutsOver(transport: Transport) {
  return {
    add: (body: { from: string; to?: string | undefined; name: string; brand?: string | undefined }) =>
      transport.ask("addBlackout", { body }),
    list: (query: { brand?: string | undefined }) => transport.ask("listBlackouts", { query }),
    remove: (id: number, reason: string) =>
      transport.ask("removeBlackout", { path: { id }, body: { reason } }),
  };
}
