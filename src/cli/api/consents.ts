import type { Transport } from "./transport.ts";

const wire = () => import("../../http/wire/consents.ts");

interface ConsentEntry {
  phone: string;
  basis: string;
  at: string;
  proof?: string | undefined;
  expires_at?: string | undefined;
}

export function consentsOver(transport: Transport) {
  const path = "/v1/consents";
  return {
    add: (body: {
      brand?: string | undefined;
      entries: readonly ConsentEntry[];
      default_region?: string | undefined;
    }) => transport.ask(async () => (await wire()).consentAddedSchema, { method: "POST", path, body }),
    withdraw: (body: {
      phone: string;
      brand?: string | undefined;
      reason: string;
      default_region?: string | undefined;
    }) =>
      transport.ask(async () => (await wire()).consentWithdrawnSchema, {
        method: "POST",
        path: `${path}/withdraw`,
        body,
      }),
    list: (query: { phone: string; brand?: string | undefined }) =>
      transport.ask(async () => (await wire()).consentListSchema, { path, query }),
  };
}
