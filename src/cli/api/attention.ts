import type { Transport } from "./transport.ts";

const wire = () => import("../../http/wire/attention.ts");

export function attentionOver(transport: Transport) {
  const path = "/v1/attention";
  return {
    list: (query: {
      kind?: string | undefined;
      brand?: string | undefined;
      resolved?: boolean;
      after_id?: number;
      limit?: number;
    }) => transport.ask(async () => (await wire()).attentionPageSchema, { path, query }),
    resolve: (id: number, reason: string) =>
      transport.ask(async () => (await wire()).attentionSchema, {
        method: "POST",
        path: `${path}/${id}/resolve`,
        body: { reason },
      }),
  };
}
