import { expect, it } from "vitest";

import { UnknownSecretError } from "../../src/domain/ground/secrets.ts";
import { createAddressCheck } from "../../src/outbound/address-check.ts";
import { describeSomeLedger } from "../support/ledgers.ts";
import { openApi, openSandbox, specOf, type TestApi } from "./support.ts";

/** A rule with one of everything that can be missing. */
const FOLLOW_UPS = [
  {
    id: "tell",
    on: ["answered"],
    actions: [
      {
        webhook: {
          url: "http://10.1.2.3/hook",
          secret: "bent",
          headers: { "x-key": { secret: "absent" } },
        },
      },
      { automation: { workflow_id: "00000000-0000-4000-8000-000000000009" } },
      { enroll: { sequence: "nowhere" } },
    ],
  },
];

const AT = "follow_ups[0].actions";

const TOLD = [
  expect.stringMatching(
    /actions\[0\]\.webhook\.url: 10\.1\.2\.3 is in a private network.*OUTDIAL_OUTBOUND_ALLOW/,
  ),
  expect.stringContaining(`${AT}[0].webhook.secret: secret "bent" begins with whsec_`),
  expect.stringContaining(`${AT}[0].webhook.headers.x-key.secret: set OUTDIAL_SECRET_ABSENT`),
  expect.stringContaining(`${AT}[1].automation.workflow_id: the platform has no automation`),
  expect.stringContaining(`${AT}[2].enroll.sequence: there is no sequence "nowhere" in brand "default"`),
];

const secrets = {
  read(name: string) {
    if (name === "bent") return ["whsec_!!"];
    if (name === "absent") throw new UnknownSecretError(name, "set OUTDIAL_SECRET_ABSENT");
    return ["a-good-one"];
  },
};

describeSomeLedger("what a definition needs", (ledger) => {
  const open = async () =>
    openApi(ledger(), {
      platform: (await openSandbox()).platform,
      secrets,
      refusalOf: createAddressCheck({ allow: [] }),
    });
  const send = async (api: TestApi, method: "POST" | "PUT", url: string, payload: object) => {
    const answer = await api.app.inject({ method, url, payload });
    const { warnings, detail } = answer.json<{ warnings?: string[]; detail?: string }>();
    return { status: answer.statusCode, warnings: warnings ?? detail };
  };
  const sequenceOf = (more: object) => {
    const { concurrency: _concurrency, ...campaign } = specOf();
    return { ...campaign, steps: [{ id: "wait", wait: { for: "1d" } }], ...more };
  };

  it("and is not there is told when a campaign is created", async () => {
    const api = await open();
    const spec = { ...specOf(), follow_ups: FOLLOW_UPS };
    expect(await send(api, "POST", "/v1/campaigns", { spec })).toEqual({ status: 201, warnings: TOLD });
    expect(await send(api, "POST", "/v1/campaigns", { spec: specOf() })).toEqual({
      status: 201,
      warnings: [],
    });
  });

  it("and is not there is told when a campaign is amended, and amends it all the same", async () => {
    const api = await open();
    const spec = specOf();
    await send(api, "POST", "/v1/campaigns", { spec });
    const amend = async (changes: object) => {
      const url = `/v1/campaigns/${encodeURIComponent(String(spec["name"]))}/amend`;
      return send(api, "POST", url, { spec: { ...spec, ...changes } });
    };
    expect(await amend({ follow_ups: FOLLOW_UPS })).toEqual({ status: 200, warnings: TOLD });
    expect(await amend({ contacts: { url: "https://10.4.5.6/due.csv", headers: {} } })).toEqual({
      status: 200,
      warnings: [expect.stringContaining("contacts.url: 10.4.5.6 is in a private network")],
    });
    expect(await amend({ concurrency: 3 })).toEqual({ status: 200, warnings: [] });
  });

  it("and is not there is told when a sequence is put, by its steps, too", async () => {
    const api = await open();
    const definition = sequenceOf({
      steps: [
        {
          id: "call",
          call: { follow_ups: FOLLOW_UPS },
          on: { answered: "tell", unknown: "end", otherwise: "end" },
        },
        {
          id: "tell",
          webhook: { url: "https://127.0.0.1/", secret: "good" },
          on: { done: "end", failed: "end" },
        },
        { id: "end", exit: { outcome: "told" } },
      ],
    });
    const { status, warnings } = await send(api, "PUT", "/v1/sequences", { definition });
    expect(status).toBe(200);
    expect(warnings).toHaveLength(TOLD.length + 1);
    expect(warnings).toEqual(
      expect.arrayContaining([
        ...TOLD,
        expect.stringContaining("steps[1].webhook.url: 127.0.0.1 is this machine itself"),
      ]),
    );
  });

  it("is not told of where it is there; a sequence that takes nobody any more is", async () => {
    const api = await open();
    const name = "that-is-there";
    await send(api, "PUT", "/v1/sequences", { definition: sequenceOf({ name }) });
    const spec = () => ({
      ...specOf(),
      follow_ups: [{ id: "go-on", on: ["answered"], actions: [{ enroll: { sequence: name } }] }],
    });
    expect((await send(api, "POST", "/v1/campaigns", { spec: spec() })).warnings).toEqual([]);
    await send(api, "POST", `/v1/sequences/${name}/close`, {});
    expect((await send(api, "POST", "/v1/campaigns", { spec: spec() })).warnings).toEqual([
      expect.stringContaining("is closed and takes nobody"),
    ]);
  });

  it("is told of a trigger whose sequence is not there", async () => {
    const api = await open();
    const definition = {
      name: "signup",
      auth: { scheme: "bearer", secret: "absent" },
      idempotency: { field: "payload.id" },
      enroll: { sequence: "nowhere", phone: "payload.phone" },
    };
    expect(await send(api, "PUT", "/v1/triggers", { definition })).toEqual({
      status: 200,
      warnings: [
        "set OUTDIAL_SECRET_ABSENT",
        expect.stringContaining('enroll.sequence: there is no sequence "nowhere"'),
      ],
    });
  });

  it("says nothing of automations where the platform does not say", async () => {
    const { sandbox, platform } = await openSandbox();
    const api = await openApi(ledger(), { platform, secrets });
    const definition = sequenceOf({
      steps: [
        {
          id: "run",
          automation: { workflow_id: "wf-1" },
          on: { done: "end", failed: "end", unknown: "end" },
        },
        { id: "end", exit: { outcome: "told" } },
      ],
    });
    await sandbox.close();
    expect(await send(api, "PUT", "/v1/sequences", { definition })).toEqual({ status: 200, warnings: [] });
  });
});
