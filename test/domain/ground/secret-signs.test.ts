import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

import { isHidden, literalSecrets, withoutSecrets } from "../../../src/domain/ground/literal-secrets.ts";
import { shownPathStart } from "../../../src/domain/ground/secret-signs.ts";
import { seededRandom } from "../../support/random.ts";

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
    " q8Zr2LxV7mKp4TnB9sYwE1uJ ",
    "acme-q8zr2lxv7mkp4tnb9sywe1uj",
    "1a2b3c4d1a2b3c4d1a2b3c4d",
    "aB3_dE5-gH7_jK9-mN1_pQ3-sT",
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
    ["X-Source", "campaign2026region12north"],
    ["X-Source", "week1week2week3week4week5"],
    ["X-Source", "base1site2base3site4base5"],
    ["X-Order", "AB3-DE5-GH7-JK9-MN1-PQ3-ST5"],
    ["X-Order", "aB3dE5gH7jK9"],
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
    "https://hooks.slack-gov.com/services/T000/B000/S3CRET",
    "https://api.telegram.org/bot123456:S3CRET/sendMessage",
    "https://api.telegram.org/file/bot123456:S3CRET/documents/list.csv",
    "https://maker.ifttt.com/trigger/call_ended/with/key/S3CRET",
    "https://maker.ifttt.com/trigger/call_ended/json/with/key/S3CRET",
    "https://maker.ifttt.com/use/S3CRET",
    "https://hooks.zapier.com/hooks/catch/1234567/S3CRET/",
    "https://hooks.zapier.com/hooks/standard/1234567/S3CRET/",
    "https://hook.eu1.make.com/S3CRET",
    "https://hook.us2.make.com/S3CRET/sub",
    "https://hook.eu1.make.celonis.com/S3CRET",
    "https://hook.integromat.com/S3CRET",
    "https://chat.googleapis.com/v1/spaces/AAA/messages?key=k&token=S3CRET",
    "https://prod-12.westeurope.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?api-version=1&sp=r&sv=1.0&sig=S3CRET",
    "https://default1.2.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/1/triggers/manual/paths/invoke?api-version=1&sig=S3CRET",
    "https://services.leadconnectorhq.com/hooks/abc/webhook-trigger/S3CRET",
    "https://acme.bitrix24.de/rest/1/S3CRET/crm.lead.add.json",
    "https://connect.pabbly.com/workflow/sendwebhookdata/S3CRET",
    "https://webhooks.workato.com/webhooks/rest/S3CRET/call",
    "https://hooks.airtable.com/workflows/v1/genericWebhook/app1/wfl1/S3CRET",
    "https://webexapis.com/v1/webhooks/incoming/S3CRET",
    "https://events.pagerduty.com/integration/S3CRET/enqueue",
    "https://alert.victorops.com/integrations/generic/20131114/alert/S3CRET/team",
    "https://open.larksuite.com/open-apis/bot/v2/hook/S3CRET",
    "https://open.feishu.cn/open-apis/bot/v2/hook/S3CRET",
    "https://script.google.com/macros/s/S3CRET/exec",
    "https://docs.google.com/spreadsheets/d/e/S3CRET/pub?output=csv",
    "https://hooks.nabu.casa/S3CRET",
    "https://api-na1.hubapi.com/automation/v4/webhook-triggers/123/S3CRET",
    "https://www.dropbox.com/scl/fi/abc/list.csv?rlkey=S3CRET&dl=1",
    "https://crm.example.com/hook#access_token=S3CRET",
    "https://crm.example.com/hook#code=S3CRET",
    "https://ann:S3CRET@crm.example.com/hook",
    "https://S3CRET@crm.example.com/hook",
    "https://:S3CRET@crm.example.com/hook",
  ])("is found in the address %s, which is shown without it", (url) => {
    expect(inAddress(url)).toBe(true);
    // A signature, or a secret in a header, takes nothing from what such an address lets do.
    expect(literalSecrets({ webhook: { url, secret: "crm", headers: { a: { secret: "b" } } } })).toEqual([
      "webhook.url",
    ]);
    const shown = JSON.stringify(withoutSecrets({ url }));
    expect(shown).not.toContain("S3CRET");
    expect(shown).toContain(new URL(url).host);
  });

  it.each([
    "https://crm.example.com/hook?country_code=de&page=2",
    "https://crm.example.com/list.csv?sort_key=name&code=",
    "https://crm.example.com/hook?codec=opus",
    "https://crm.example.com/reports/100%",
    "https://hooks.slack.com/",
    "https://discord.com/api/v10/channels/1",
    "https://crm.example.com/services/T000/B000",
    "https://api.telegram.org/",
    "https://core.telegram.org/bots/api",
    "https://hook.make.example.com/a",
    "https://www.make.com/en/help",
    "https://zapier.com/apps/webhook/integrations",
    "https://docs.google.com/spreadsheets/create",
    "https://acme.bitrix24.de/crm/lead/details/1/",
    // Ids, and words, however long.
    "https://n8n.example.com/webhook/2f1b8f0e-6f2b-4a55-9d6c-0e1b1b0f3c9d",
    "https://crm.example.com/v2/accounts/507f1f77bcf86cd799439011/calls",
    "https://crm.example.com/v2/calls/01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "https://api.twilio.com/2010-04-01/Accounts/AC0123456789abcdef0123456789abcdef/Messages.json",
    "https://crm.example.com/campaigns/winter-2026-north-region-follow-up-2/results",
    "https://crm.example.com/key-account-management-2026/hook",
    "https://crm.example.com/exports/contacts-20261122T101500Z-region12.csv",
    "https://crm.example.com/OutdialCampaignWinter2026NorthRegion",
    "https://developer.example.com/API/SVGTextContentElement/getCharNumAtPosition",
    "https://us-central1-acme-crm-prod.cloudfunctions.net/receiveCallOutcomeV2",
    "https://crm.example.com/hook?since=2026-11-22&folder_id=1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms",
  ])("is not suspected in the address %s", (url) => {
    expect(inAddress(url)).toBe(false);
    expect(withoutSecrets({ url })).toEqual({ url });
  });

  it.each([
    ["https://hooks.slack.com/services/T000/B000/S3CRET", "https://hooks.slack.com/services/(not shown)"],
    ["https://ann:S3CRET@crm.example.com/hook", "https://(not shown)@crm.example.com/hook"],
    ["https://S3CRET@crm.example.com/hook", "https://(not shown)@crm.example.com/hook"],
    ["https://:S3CRET@crm.example.com/hook", "https://(not shown)@crm.example.com/hook"],
    [
      "https://crm.example.com/hook?page=2&to=a%20b&token=S3CRET#code=S3CRET",
      "https://crm.example.com/hook?page=2&to=a%20b&token=(not shown)",
    ],
  ])("is told apart from the rest of the address %s, which is shown", (url, shown) => {
    expect(withoutSecrets({ url })).toEqual({ url: shown });
  });

  it("is looked for in addresses, headers and names of secrets, and not in other fields", () => {
    const url = "https://crm.example.com/hook?token=S3CRET";
    const others = { agent_id: "2f1b8f0e-6f2b-4a55-9d6c-0e1b1b0f3c9d", note: url };
    expect(literalSecrets(others)).toEqual([]);
    expect(withoutSecrets(others)).toEqual(others);
    expect(literalSecrets({ url: { url }, secret: { url } })).toEqual(["url.url", "secret.url"]);
    expect(literalSecrets({ secret: others.agent_id })).toEqual(["secret"]);
    expect(withoutSecrets({ secret: others.agent_id })).toEqual({ secret: "(not shown)" });
  });

  it("is not looked for in the platform's own JSON, which is a definition's `workflow`", () => {
    const url = "https://crm.example.com/hook?token=S3CRET";
    expect(literalSecrets({ workflow: { url } })).toEqual([]);
    expect(literalSecrets({ steps: [{ workflow: { url } }], run: { workflow: { url } } })).toEqual([
      "steps[0].workflow.url",
      "run.workflow.url",
    ]);
  });

  it.each([
    ["follow_ups[0].actions[0].webhook.headers.Authorization", true],
    ["headers.X-Api-Key", true],
    ["follow_ups[0].actions[0].webhook.headers.Accept", false],
    ["follow_ups[0].actions[0].webhook.secret", false],
    ["workflow.nodes[0].parameters.api_key", true],
    ["workflow.nodes[0].parameters.text", false],
  ])("may stand in a field of a difference: %s, %j", (field, hidden) => {
    expect(isHidden(field)).toBe(hidden);
  });

  const LONG = [
    "https://chat.example.com/hooks/8f3kq7z1n5x2m9c4v6b0t1wq5e",
    "https://ha.example.com/api/webhook/9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015",
    "https://crm.example.com/in/q8Zr2LxV7mKp4TnB9sYwE1uJ",
    "https://crm.example.com/in/aB3_dE5-gH7_jK9-mN1_pQ3-sT5_vW7-yZ9",
    "https://crm.example.com/in/sk_live_51HqLyjWDarjtT1zdp7dc/calls",
    "https://crm.example.com/in/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "https://crm.example.com/in/q8Zr2LxV7mKp4TnB9sYwE1uJ%3D%3D",
    "https://crm.example.com/in?k=q8Zr2LxV7mKp4TnB9sYwE1uJ",
  ];

  it.each(LONG)("is suspected in %s by its look, where nothing else shows who sends", (url) => {
    expect(literalSecrets({ webhook: { url } })).toEqual(["webhook.url"]);
    expect(literalSecrets({ contacts: { url, headers: { Accept: "text/csv" } } })).toEqual(["contacts.url"]);
    const { url: shown } = { ...Object(withoutSecrets({ url })) };
    expect(withoutSecrets(url, "url"), "as a difference shows it").toBe(shown);
    expect(shown).toMatch(/^https:\/\/[a-z]+\.example\.com\/[^?]*\(not shown\)|\?k=\(not shown\)$/);
  });

  it.each(LONG)("is an id in %s, where a signature or a header's secret shows who sends", (url) => {
    const headers = { Authorization: { secret: "crm" } };
    for (const proof of [{ secret: "crm" }, { headers }, { headers: { Accept: "text/csv", ...headers } }]) {
      expect(literalSecrets({ webhook: { url, ...proof } })).toEqual([]);
      expect(withoutSecrets({ webhook: { url, ...proof } })).toEqual({ webhook: { url, ...proof } });
    }
  });

  it("is suspected in the path of an address of which nothing else is known", () => {
    expect(shownPathStart(new URL("https://crm.example.com/in/q8Zr2LxV7mKp4TnB9sYwE1uJ/calls"))).toBe("/in/");
    expect(shownPathStart(new URL("https://crm.example.com/in/calls"))).toBeUndefined();
  });

  it("is looked for in letters without a neighbour, too", () => {
    expect(() => inHeader("X-Acme", "a-B-3-d-E-5-g-H-7-j-K-9-m-N-1-p-Q-3-s-T")).not.toThrow();
  });

  it("is found nearly always where it was made by chance, in letters and digits of any kind", () => {
    const kinds = {
      "0123456789abcdef": 0.9,
      "0123456789abcdefghijklmnopqrstuvwxyz": 0.9,
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ": 0.9,
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_": 0.9,
    };
    const next = seededRandom("keys by chance");
    for (const [letters, least] of Object.entries(kinds)) {
      const made = Array.from({ length: 500 }, () =>
        Array.from({ length: 26 }, () => letters[Math.floor(next() * letters.length)]).join(""),
      );
      const found = made.filter((key) => inAddress(`https://crm.example.com/in/${key}`));
      expect(found.length / made.length, letters).toBeGreaterThan(least);
    }
  });

  it("is suspected in no address of the documents and examples", () => {
    const files = ["README.md", "docs", "examples"].flatMap((at) => filesIn(at));
    const texts = files.map((file) => fs.readFileSync(file, "utf8")).join("\n");
    const addresses = [...new Set(texts.match(/https?:\/\/[\w.:/?#@!$&'*+,;=%~-]+/g))];
    expect(addresses.length).toBeGreaterThan(20);
    expect(addresses.filter(inAddress)).toEqual([]);
  });
});

function filesIn(at: string): string[] {
  if (!fs.statSync(at).isDirectory()) return [at];
  return fs.readdirSync(at).flatMap((name) => filesIn(path.join(at, name)));
}
