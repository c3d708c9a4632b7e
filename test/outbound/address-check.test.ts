import { describe, expect, it } from "vitest";

import { createAddressCheck } from "../../src/outbound/address-check.ts";

const leadsTo = (address: string) => async () => [{ address, family: 4 }];

describe("an address that is looked at before it is used", () => {
  it("is refused as a request to it would be", async () => {
    const check = createAddressCheck({ allow: [], lookup: leadsTo("10.0.0.7") });
    expect(await check("https://crm.internal/hook")).toMatch(
      /crm\.internal leads to 10\.0\.0\.7.*OUTDIAL_OUTBOUND_ALLOW/,
    );
    expect(await check("https://127.0.0.1/hook")).toContain("this machine itself");
    expect(await check("https://[::1]/hook")).toContain("this machine itself");
    expect(await check("https://user:pass@example.com/")).toContain("user name or password");
    const inTheOpen = createAddressCheck({ allow: [], lookup: leadsTo("93.184.216.34") });
    expect(await inTheOpen("http://example.com/")).toContain("must be reached by https");
    expect(await inTheOpen("https://example.com/")).toBeUndefined();
  });

  it("is let be where the settings allow it, and where its name leads nowhere at present", async () => {
    const allowed = createAddressCheck({ allow: ["crm.internal"], lookup: leadsTo("10.0.0.7") });
    expect(await allowed("http://crm.internal/hook")).toBeUndefined();
    const nowhere = createAddressCheck({ allow: [], lookup: () => Promise.reject(new Error("ENOTFOUND")) });
    expect(await nowhere("https://gone.example.com/")).toBeUndefined();
    const slow = createAddressCheck({ allow: [], lookup: () => new Promise(() => {}), withinMs: 5 });
    expect(await slow("https://slow.example.com/")).toBeUndefined();
  });
});
