import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { rows } from "../../src/ledger/ground/connection.ts";
import { outdial, temporaryFolder, writeFile } from "../cli/support.ts";
import { withLedger } from "../support/ledgers.ts";
import { secretsOf } from "../support/secrets.ts";
import { createCampaign, openApi, openSandbox, specOf, type TestApi } from "./support.ts";

const AUTHORIZATION = { Authorization: "Bearer S3CRET" };
const INNOCENT = { "X-Forwarded-User": "Basic dXNlcjpTM0NSRVQ=" };
const WITH_PASSWORD = "https://user:S3CRET@crm.example.com/hook";
const PLAIN = "https://crm.example.com/hook";

const hook = (changes: object) => ({ webhook: { url: PLAIN, ...changes } });
const rule = (changes: object) => [{ id: "tell", actions: [hook(changes)] }];
const steps = (changes: object) => [
  { id: "tell", ...hook(changes), on: { done: "end", failed: "end" } },
  { id: "end", exit: { outcome: "over" } },
];
const { concurrency: _concurrency, ...sequence } = specOf();

/** What is put through each door with a secret's value in it, and the field that is named. */
const DOORS: readonly [door: string, method: "PUT" | "POST", url: string, payload: object, field: string][] =
  [
    [
      "a sequence's webhook",
      "PUT",
      "/v1/sequences",
      { definition: { ...sequence, name: "a", steps: steps({ headers: AUTHORIZATION }) } },
      "steps[0].webhook.headers.Authorization",
    ],
    [
      "a sequence's webhook's address",
      "PUT",
      "/v1/sequences",
      { definition: { ...sequence, name: "b", steps: steps({ url: WITH_PASSWORD }) } },
      "steps[0].webhook.url",
    ],
    [
      "a sequence's webhook whose address is a secret",
      "PUT",
      "/v1/sequences",
      {
        definition: {
          ...sequence,
          name: "d",
          steps: steps({ url: "https://hooks.slack.com/services/T0/B0/S3CRET" }),
        },
      },
      "steps[0].webhook.url",
    ],
    [
      "a rule of a call step",
      "PUT",
      "/v1/sequences",
      {
        definition: {
          ...sequence,
          name: "c",
          steps: [{ id: "first", call: { follow_ups: rule({ headers: INNOCENT }) } }],
        },
      },
      "steps[0].call.follow_ups[0].actions[0].webhook.headers.X-Forwarded-User",
    ],
    [
      "a campaign's rule",
      "POST",
      "/v1/campaigns",
      { spec: { ...specOf(), follow_ups: rule({ headers: AUTHORIZATION }) } },
      "follow_ups[0].actions[0].webhook.headers.Authorization",
    ],
    [
      "a campaign's source of contacts",
      "POST",
      "/v1/campaigns",
      { spec: { ...specOf(), contacts: { url: "https://crm.example.com/list.csv?api_key=S3CRET" } } },
      "contacts.url",
    ],
    [
      "a trigger",
      "PUT",
      "/v1/triggers",
      {
        definition: {
          name: "a",
          auth: { scheme: "bearer", secret: "sk_live_S3CRETS3CRETS3CRET".toLowerCase() },
          event: { name: "seen", phone: "payload.phone" },
        },
      },
      "auth.secret",
    ],
    [
      "an automation",
      "PUT",
      "/v1/automations",
      {
        definition: {
          name: "a",
          workflow: { nodes: [] },
          secrets: { CRM: { secret: "sk_live_s3crets3crets3cret" } },
        },
      },
      "secrets.CRM.secret",
    ],
    [
      "a schedule's source of contacts",
      "PUT",
      "/v1/schedules",
      {
        definition: {
          name: "a",
          run: { campaign: "x", contacts: { url: "https://user:S3CRET@crm.example.com/l.csv" } },
          cron: "0 9 * * *",
        },
      },
      "run.contacts.url",
    ],
    [
      "the campaign in a schedule",
      "PUT",
      "/v1/schedules",
      {
        definition: {
          name: "b",
          run: {
            campaign: "x",
            contacts: { file: "l.csv" },
            spec: { ...omit(specOf(), "name"), follow_ups: rule({ url: WITH_PASSWORD }) },
          },
          cron: "0 9 * * *",
        },
      },
      "run.spec.follow_ups[0].actions[0].webhook.url",
    ],
    [
      "what is applied",
      "POST",
      "/v1/declared/apply",
      { document: { kind: "campaign", ...specOf(), follow_ups: rule({ headers: AUTHORIZATION }) } },
      "follow_ups[0].actions[0].webhook.headers.Authorization",
    ],
  ];

function omit(value: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([field]) => field !== name));
}

interface Refusal {
  detail: string;
  errors: { field: string; message: string }[];
}

withLedger((ledger) => {
  const secrets = { read: () => ["value"] };
  const open = async () => openApi(ledger(), { platform: (await openSandbox()).platform, secrets });

  it.each(DOORS)(
    "%s takes no secret's value, and says how it is given",
    async (_door, method, url, payload, field) => {
      const api = await open();
      const answer = await api.app.inject({ method, url, payload });
      expect(answer.statusCode, answer.body).toBe(422);
      const { errors } = answer.json<Refusal>();
      const found = errors.filter((error) => error.message.includes("holds a secret itself"));
      expect(found).toHaveLength(1);
      // What is applied is a document among others, and named as such.
      expect(found[0]?.field.endsWith(field), found[0]?.field).toBe(true);
      expect(found[0]?.message).toContain("{ secret: crm }");
      expect(answer.body.toLowerCase()).not.toContain("s3cret");
    },
  );

  it("a secret of another brand is warned of where it is named, and one of its own is not", async () => {
    const limited = secretsOf({ chat: "https://chat.example.com", pager: "value" }, "chat=acme, pager=-");
    const { platform } = await openSandbox();
    const { app } = await openApi(ledger(), { platform, secrets: limited });
    const put = async (brand: string, name: string, headers: object) => {
      const definition = { ...sequence, brand, name, steps: steps({ url: { secret: "chat" }, headers }) };
      const answer = await app.inject({ method: "PUT", url: "/v1/sequences", payload: { definition } });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<{ warnings: string[] }>().warnings.filter((one) => one.includes("secret"));
    };
    expect(await put("acme", "limited", {})).toEqual([]);
    expect(await put("beta", "limited", {})).toEqual([
      expect.stringContaining('steps[0].webhook.url.secret: there is no secret "chat" for brand beta'),
    ]);
    expect(await put("acme", "paged", { "x-key": { secret: "pager" } })).toEqual([
      expect.stringContaining('there is no secret "pager" for brand acme'),
    ]);
    const contacts = { url: { secret: "chat" }, format: "csv" };
    const schedule = (brand: string) => ({
      name: `limited-${brand}`,
      cron: "0 0 1 1 *",
      run: { campaign: "limited", brand, spec: omit(specOf(), "name"), contacts },
    });
    for (const [brand, found] of [
      ["acme", 0],
      ["beta", 1],
    ] as const) {
      const payload = { definition: schedule(brand) };
      const answer = await app.inject({ method: "PUT", url: "/v1/schedules", payload });
      expect(answer.statusCode, answer.body).toBe(200);
      const { warnings } = answer.json<{ warnings: string[] }>();
      expect(warnings.filter((one) => one.includes("no secret"))).toHaveLength(found);
    }
  });

  it("an address that is a secret is taken and shown by its name", async () => {
    const api = await open();
    const definition = { ...sequence, name: "by-name", steps: steps({ url: { secret: "chat" } }) };
    const put = await api.app.inject({ method: "PUT", url: "/v1/sequences", payload: { definition } });
    expect(put.statusCode, put.body).toBe(200);
    const shown = await api.app.inject({ url: "/v1/sequences/by-name" });
    expect(shown.body).toContain('"url":{"secret":"chat"}');
  });

  it("a campaign under way takes none with an amendment", async () => {
    const api = await open();
    const spec = specOf();
    const id = await createCampaign(api, spec);
    const answer = await api.app.inject({
      method: "POST",
      url: `/v1/campaigns/${id}/amend`,
      payload: { spec: { ...spec, follow_ups: rule({ headers: AUTHORIZATION }) } },
    });
    expect([answer.statusCode, answer.json<Refusal>().errors[0]?.message]).toEqual([
      422,
      expect.stringContaining("holds a secret itself"),
    ]);
  });

  it("one that was stored before such were refused goes on, and is not shown", async () => {
    const api = await open();
    const put = async (url: string, payload: object) => {
      const answer = await api.app.inject({ method: "PUT", url, payload });
      expect(answer.statusCode, answer.body).toBe(200);
    };
    const id = await createCampaign(api, { name: "stored", follow_ups: rule({}) });
    await put("/v1/sequences", { definition: { ...sequence, name: "stored", steps: steps({}) } });
    await put("/v1/automations", {
      definition: {
        name: "stored",
        trigger_type: "webhook",
        workflow: { nodes: [] },
        secrets: { CRM: { secret: "crm" } },
      },
    });
    await put("/v1/triggers", {
      definition: {
        name: "stored",
        auth: { scheme: "bearer", secret: "crm" },
        event: { name: "seen", phone: "payload.phone" },
      },
    });
    const long = "sk_live_s3crets3crets3cret";
    for (const statement of [
      sql`update campaigns set spec = jsonb_set(spec, '{follow_ups,0,actions,0,webhook,url}', to_jsonb(${WITH_PASSWORD}::text)) where id = ${id}::uuid`,
      // A version that nobody has read yet.
      sql`insert into sequence_versions (sequence_id, version, definition, digest, actor, created_at)
          select sequence_id, 2, jsonb_set(definition, '{steps,0,webhook,headers}', ${JSON.stringify(AUTHORIZATION)}::jsonb), 'd', actor, created_at
          from sequence_versions where version = 1`,
      sql`update sequences set version = 2`,
      sql`update automations set definition = jsonb_set(definition, '{secrets,CRM,secret}', to_jsonb(${long}::text))`,
      sql`update triggers set definition = jsonb_set(definition, '{auth,secret}', to_jsonb(${long}::text))`,
    ])
      await rows(ledger().db, statement);
    for (const url of [
      `/v1/campaigns/${id}`,
      "/v1/sequences/stored",
      "/v1/automations/stored",
      "/v1/triggers/stored",
      "/v1/triggers",
    ]) {
      const shown = await api.app.inject({ url });
      expect(shown.statusCode, shown.body).toBe(200);
      expect(shown.body.toLowerCase(), url).not.toContain("s3cret");
      expect(shown.body, url).toContain("(not shown)");
    }
    const amended = await amend(api, id, specOf({ name: "stored" }));
    expect(amended.statusCode, amended.body).not.toBe(422);
    expect(amended.body).not.toContain("S3CRET");
  });

  const amend = (api: TestApi, id: string, spec: object) =>
    api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/amend`, payload: { spec } });
});

it("no command takes a file with a secret's value, with nothing that runs", async () => {
  const folder = temporaryFolder();
  const environment = { OUTDIAL_DATA_DIR: folder };
  const file = (name: string, value: object) => writeFile(folder, `${name}.json`, JSON.stringify(value));
  const campaign = file("campaign", { ...specOf(), follow_ups: rule({ headers: AUTHORIZATION }) });
  const trial = file("sequence", { ...sequence, name: "x", steps: steps({ headers: AUTHORIZATION }) });
  const list = writeFile(folder, "list.csv", "phone\n+12025550143\n");
  for (const args of [
    ["sequence", "check", trial],
    ["sequence", "put", trial],
    ["campaign", "create", campaign],
    ["campaign", "amend", campaign],
    ["doctor", campaign],
    ["run", campaign, "--contacts", list],
    [
      "diff",
      "-f",
      file("declared", { kind: "campaign", ...specOf(), follow_ups: rule({ url: WITH_PASSWORD }) }),
    ],
  ]) {
    const { code, stdout, stderr } = await outdial(args, environment);
    expect([args.join(" "), code]).toEqual([args.join(" "), 2]);
    expect(stderr, args.join(" ")).toContain("holds a secret itself");
    expect(stdout + stderr).not.toContain("S3CRET");
  }
});
