import type { Transport } from "./transport.ts";

interface ConsentEntry {
  phone: string;
  basis: string;
  at: string;
  proof?: string | undefined;
  expires_at?: string | undefined;
}

export function consentsOver(transport: Transport) {
  return {
    add: (body: {
      brand?: string | undefined;
      entries: readonly ConsentEntry[];
      default_region?: string | undefined;
    }) => transport.ask("addConsents", { body }),
    withdraw: (body: {
      phone: string;
      brand?: string | undefined;
      reason: string;
      default_region?: string | undefined;
    }) => transport.ask("withdrawConsent", { body }),
    list: (query: { phone: string; brand?: string | undefined }) => transport.ask("listConsents", { query }),
  };
}
