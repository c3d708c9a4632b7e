import { expect, it } from "vitest";

import { keptHeaders } from "../../../src/http/routes/triggers/sent.ts";

it("of a delivery's headers none is kept that proves who sent it, and all that tell it apart are", () => {
  const proofs = {
    authorization: "Bearer S3CRET",
    "x-auth-key": "S3CRET",
    "x-auth": "S3CRET",
    "ocp-apim-subscription-key": "S3CRET",
    "x-passphrase": "S3CRET",
    "x-shopify-hmac-sha256": "S3CRET",
    "webhook-signature": "S3CRET",
    "x-sent-by": "S3CRET",
  };
  const told = {
    "webhook-id": "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W",
    "idempotency-key": "9f86d081884c7d659a2feaa0c55ad015",
    "x-request-id": "9f86d081884c7d659a2feaa0c55ad015",
    "content-type": "application/json",
    "user-agent": "crm/1.2",
  };
  const auth = { scheme: "hmac", header: "X-Sent-By", secret: "crm", algorithm: "sha256", encoding: "hex" };
  expect(keptHeaders({ ...proofs, ...told }, auth as Parameters<typeof keptHeaders>[1])).toEqual(told);
});
