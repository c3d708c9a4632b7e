import { describe, expect, it } from "vitest";

import { literalSecrets, withoutSecrets } from "../../../src/domain/ground/literal-secrets.ts";

const inHeader = (header: string, value: string) =>
  literalSecrets({ webhook: { headers: { [header]: value } } }).length > 0;
const inAddress = (url: string) => literalSecrets({ webhook: { url } }).length > 0;

describe("a secret that is written out", () => {
  it.each([
    "Authorization",
    "Proxy-Authorization",
    "X-Authorization",
    "X-Auth-Key",
    "X-Auth",
    "X-AppKey",
    "X-Functions-Key",
    "Ocp-Apim-Subscription-Key",
    "X-Passphrase",
    "X-Pass",
    "X-User-Password",
    "X-Pwd",
    "X-Credentials",
    "X-Shopify-Hmac-SHA256",
    "X-Hub-Signature-256",
    "X-Api-Token",
    "Cookie",
    "apikey",
    "Key",
  ])("is found in the header %s", (header) => {
    expect(inHeader(header, "abc")).toBe(true);
    expect(literalSecrets({ webhook: { headers: { [header]: { secret: "crm" } } } })).toEqual([]);
  });

  it.each([
    "9f86d081884c7d659a2feaa0c55ad015",
    "AKIA4Q7ZXM2P9LTR5WBD",
    "q8Zr2LxV7mKp4TnB9sYwE1uJ",
    "wJ8rXUt3nFEMI9K7MDENG2bPxRf1CYEXa",
    "sk-proj1234567890abcdef",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
  ])("is found in a header of any name by its look: %s", (value) => {
    expect(inHeader("X-Acme", value)).toBe(true);
  });

  it.each([
    ["X-Team", "sales"],
    ["Content-Language", "en-GB"],
    ["Accept", "application/vnd.acme.v2+json"],
    ["X-Api-Version", "2026-11-22"],
    ["X-Version", "2026-11-22T10:00:00.000Z"],
    ["X-Acme", "2026-11-22T10:00:00.000Z"],
    ["X-Acme", "v1.24.0-rc.3+build.20261122"],
    ["X-Request-Id", "2f1b8f0e-6f2b-4a55-9d6c-0e1b1b0f3c9d"],
    ["X-Acme", "2f1b8f0e-6f2b-4a55-9d6c-0e1b1b0f3c9d"],
    ["X-Tenant-Id", "9f86d081884c7d659a2feaa0c55ad015"],
    ["Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
    ["X-Campaign", "winter-2026-north-region-follow-up-2"],
    ["X-Source", "OutdialCampaignWinter2026NorthRegion"],
    ["X-Note", "called from the campaign of winter 2026, region 12, list 3"],
    ["X-Phone", "+4915112345678"],
    ["X-Number", "12345678901234567890123"],
    ["Idempotency-Key", "winter-2026"],
    ["X-Bypass-Cache", "1"],
    ["X-Passenger-Count", "2"],
    ["X-Author", "ann"],
    ["X-Keyboard", "de"],
    ["X-Callback", "https://crm.example.com/callbacks/2026/11/22"],
  ])("is not suspected in %s: %s", (header, value) => {
    expect(inHeader(header, value)).toBe(false);
  });

  it.each([
    "https://fn.example.net/api/hook?code=S3CRET",
    "https://crm.example.com/hook?user=a&pwd=S3CRET",
    "https://crm.example.com/hook?pass=S3CRET",
    "https://crm.example.com/hook?x-auth-key=S3CRET",
    "https://crm.example.com/hook?sig=S3CRET",
    "https://hooks.slack.com/services/T000/B000/S3CRET",
    "https://hooks.slack.com/workflows/T000/A000/1/S3CRET",
    "https://acme.webhook.office.com/webhookb2/S3CRET@S3CRET/IncomingWebhook/S3CRET/1",
    "https://outlook.office.com/webhook/S3CRET",
    "https://discord.com/api/webhooks/123/S3CRET",
    "https://canary.discord.com/api/v10/webhooks/123/S3CRET",
    "https://discordapp.com/api/webhooks/123/S3CRET",
  ])("is found in the address %s, which is shown without it", (url) => {
    expect(inAddress(url)).toBe(true);
    const shown = JSON.stringify(withoutSecrets({ url }));
    expect(shown).not.toContain("S3CRET");
    expect(shown).toContain(new URL(url).host);
  });

  it.each([
    "https://crm.example.com/hook?country_code=de&page=2",
    "https://crm.example.com/list.csv?sort_key=name&code=",
    "https://hooks.slack.com/",
    "https://discord.com/api/v10/channels/1",
    "https://crm.example.com/services/T000/B000",
  ])("is not suspected in the address %s", (url) => {
    expect(inAddress(url)).toBe(false);
    expect(withoutSecrets({ url })).toEqual({ url });
  });
});
