import { expect, it } from "vitest";

import { describeSomeLedger } from "../support/ledgers.ts";
import { openApi } from "./support.ts";

describeSomeLedger("consent over HTTP", (ledger) => {
  it("is recorded once, shown with where it can be seen, and withdrawn with a reason", async () => {
    const api = await openApi(ledger());
    const add = () =>
      api.app.inject({
        method: "POST",
        url: "/v1/consents",
        payload: {
          brand: "acme",
          entries: [
            {
              phone: "(202) 555-8101",
              basis: "express_written",
              at: "2026-03-01T10:00:00+01:00",
              proof: "form 81",
              expires_at: "2036-03-01",
            },
          ],
          default_region: "US",
        },
      });
    expect((await add()).json()).toEqual({ added: 1, already: 0 });
    expect((await add()).json()).toEqual({ added: 0, already: 1 });
    const withdrawn = await api.app.inject({
      method: "POST",
      url: "/v1/consents/withdraw",
      payload: { phone: "+12025558101", brand: "acme", reason: "wrote to us" },
    });
    expect(withdrawn.json()).toMatchObject({ phone: "+12025558101", brand: "acme", stopped_batches: 0 });
    const shown = await api.app.inject({ url: "/v1/consents?phone=%2B12025558101&brand=acme" });
    expect(shown.json().items).toMatchObject([
      { basis: null, proof: "wrote to us", source: "api" },
      {
        basis: "express_written",
        at: "2026-03-01T09:00:00.000Z",
        proof: "form 81",
        expires_at: "2036-03-01T00:00:00.000Z",
      },
    ]);
    const other = await api.app.inject({ url: "/v1/consents?phone=%2B12025558101" });
    expect(other.json()).toEqual({ items: [] });
  });

  it("is recorded of nobody where one entry can't be, and every wrong field is named", async () => {
    const api = await openApi(ledger());
    const refused = await api.app.inject({
      method: "POST",
      url: "/v1/consents",
      payload: {
        entries: [
          { phone: "+12025558102", basis: "express", at: "2026-03-01" },
          { phone: "12", basis: "yes", at: "2026-03-01" },
          { phone: "+12025558103", basis: "express", at: "2999-03-01" },
        ],
      },
    });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().errors.map(({ field }: { field: string }) => field)).toEqual([
      "entries.1.phone",
      "entries.1.basis",
      "entries.2.at",
    ]);
    const shown = await api.app.inject({ url: "/v1/consents?phone=%2B12025558102" });
    expect(shown.json()).toEqual({ items: [] });
  });
});
