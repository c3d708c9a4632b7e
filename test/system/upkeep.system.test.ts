import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { createPlatform, type Platform } from "../../src/platform/index.ts";
import { given } from "../support/ledgers.ts";
import { createDatabase } from "../support/postgres.ts";
import { seededRandom } from "../support/random.ts";
import { until } from "../support/until.ts";
import { startGate, type Gate, type Moment, type Passing } from "./support/gate.ts";
import { apiAt } from "./support/journeys.ts";
import { closedPort, openStage, type Stage } from "./support/stage.ts";

/** What deploying one automation asks of the platform, in order. The one that nobody stops shows that it is so. */
const REQUESTS = [
  "POST /v1/workflows",
  "POST /v1/workflows/*/secrets",
  "GET /v1/workflows/*/credential-schema",
  "GET /v1/agents/*",
  "POST /v1/workflows/*/test",
  "POST /v1/workflows/*/deploy",
  "GET /v1/workflows/*",
  "GET /v1/workflows/*/agents",
  "POST /v1/workflows/*/agents/*",
  "GET /v1/workflows/*/agents",
] as const;
const CREATE = 1;
const TEST = 5;

/** Of a rotation: each of these is asked once or more often; it is the first one that is stopped. */
const ROTATION_REQUESTS = [
  /^POST \/v1\/api-keys\/[^/]+\/rotate$/,
  /^GET \/v1\/api-keys\/[^/]+$/,
  /^GET \/v1\/api-keys\/[^/]+\/usage$/,
  /^DELETE \/v1\/api-keys\/[^/]+$/,
] as const;

/** An hour in the life of keys takes 1.8 s: the old one is revoked while the test looks on. */
const SPEED = 2_000;

const SECRET = "a-secret-of-the-upkeep-tests-77";

/** Nothing that people or programs see may look like a key of the sandbox. */
const A_KEY = /sbx_[\w-]{30,}/;

/** One automation, stopped at one of its requests. */
interface Stopped {
  name: string;
  agentId: string;
  at: number;
  moment: Moment | undefined;
}

describe.skipIf(inject("postgresUrl") === undefined)("a worker that is killed with kill -9", () => {
  let stage: Stage;
  let gate: Gate;
  let platform: Platform;
  /** Asked of each request of the worker. */
  let momentOf: (request: Passing) => Moment | undefined = () => undefined;
  const owners = new Map<string, string>();
  const requests = new Map<string, string[]>();
  const held: string[] = [];

  beforeAll(async () => {
    stage = await openStage();
    platform = createPlatform({ baseUrl: stage.sandbox.url, apiKey: stage.sandbox.apiKey });
    gate = await startGate(stage.sandbox.url, {
      momentOf: (request) => momentOf(request),
      onAnswer(request, body) {
        if (request.method !== "POST" || request.path !== "/v1/workflows") return;
        owners.set((JSON.parse(body) as { workflow_id: string }).workflow_id, nameIn(request));
      },
      onHeld: ({ method, path: at }) => void held.push(`${method} ${at}`),
    });
  });
  afterAll(async () => {
    await stage.close();
    await gate.close();
    await platform.close();
  });

  it("at every request of a deployment, and in a rotation, leaves nothing done twice, and no key lost", async () => {
    const random = seededRandom("upkeep");
    // By itself one in twenty-five fails, as real ones do.
    stage.sandbox.faults.add({ kind: "execution", outcome: "success" });
    const automations: Stopped[] = [{ name: "unhindered", agentId: "", at: 0, moment: undefined }];
    for (let at = 1; at <= REQUESTS.length; at += 1) {
      // One that may have been created is looked for while its request may be under way: half a minute.
      const isBefore = random() < (at === CREATE ? 0.05 : 0.5);
      automations.push({ name: `stopped-${at}`, agentId: "", at, moment: isBefore ? "before" : "after" });
    }
    for (const one of automations) {
      const agent = await platform.agents.create({ agent_name: one.name });
      one.agentId = agent.agent_id;
      owners.set(one.agentId, one.name);
    }
    const made = await platform.apiKeys.create({ name: "outdial", rate_limit_tier: "enterprise" });
    const file = path.join(fs.mkdtempSync(`${stage.folder}/key-`), "platform-key");
    fs.writeFileSync(file, `${made.key}\n`, { mode: 0o600 });
    const rotationRequest = given(ROTATION_REQUESTS[Math.floor(random() * ROTATION_REQUESTS.length)]);
    let rotationMoment: Moment | undefined = random() < 0.5 ? "before" : "after";
    console.log(`stopped in the rotation: ${rotationMoment} ${String(rotationRequest)}`);
    momentOf = (request) => {
      const owner = ownerOf(request, owners);
      if (owner !== undefined) {
        const asked = [...(requests.get(owner) ?? []), routeOf(request)];
        requests.set(owner, asked);
        const stopped = automations.find(({ name }) => name === owner);
        return stopped?.at === asked.length ? stopped.moment : undefined;
      }
      if (!rotationRequest.test(`${request.method} ${request.path}`)) return undefined;
      const moment = rotationMoment;
      rotationMoment = undefined;
      return moment;
    };

    const port = await closedPort();
    const settings = stage.settings(fs.mkdtempSync(`${stage.folder}/data-`), {
      DATABASE_URL: await createDatabase(given(inject("postgresUrl"))),
      PLATFORM_API_KEY: "",
      PLATFORM_API_KEY_FILE: file,
      OUTDIAL_SPEED: String(SPEED),
      OUTDIAL_SECRET_SLACK: SECRET,
      OUTDIAL_API_PORT: String(port),
      OUTDIAL_LOG_LEVEL: "info",
    });
    // The server's own looks pass beside the gate.
    const server = stage.start(["server"], settings);
    await server.waitFor(/"apiUrl":/);
    const worker = () => stage.start(["worker"], { ...settings, PLATFORM_BASE_URL: gate.url });
    const killed = worker();
    const { api } = apiAt(port);
    for (const one of automations) await api.automations.put(definitionOf(one));
    await api.keys.rotate(24);
    try {
      await until("everything to be stopped", () => held.length === automations.length);
    } catch (error) {
      const facts = JSON.stringify({ held, requests: [...requests] });
      throw new Error(`${String(error)}: ${facts}\n${killed.stdout().slice(-3_000)}`, { cause: error });
    }
    // The one that nobody stops may be anywhere by now; it is the witness of what a deployment asks.
    await until(
      "the unhindered one",
      async () => (await api.automations.get("unhindered")).state === "ready",
    );
    const asked = given(requests.get("unhindered"));
    expect(asked.slice(0, REQUESTS.length)).toEqual(REQUESTS);
    // One that is ready is looked at, and no more.
    expect(asked.slice(REQUESTS.length).filter((route) => !route.startsWith("GET "))).toEqual([]);
    await killed.kill();
    momentOf = () => undefined;
    const heir = worker();

    for (const one of automations) {
      const ready = await until(`${one.name} to be ready`, async () => {
        const shown = await api.automations.get(one.name);
        return shown.state === "changing" || shown.state === "undoing" ? undefined : shown;
      });
      const where = `${one.name}, ${one.moment ?? ""} its request`;
      expect(ready.state, `${where}: ${ready.error}`).toBe("ready");
      await expectOnce(platform, one, where);
    }
    const [rotation] = await until("the rotation to be over", async () => {
      const { items } = await api.keys.rotations({});
      return items[0]?.ended_at ? items : undefined;
    });
    expect(rotation).toMatchObject({ state: "done", old_key_id: made.id });
    const inUse = fs.readFileSync(file, "utf8").trim();
    expect(inUse).not.toBe(made.key);
    expect(await opens(stage, inUse)).toBe(true);
    expect(await opens(stage, made.key)).toBe(false);
    const { items: listed } = await platform.apiKeys.list({ limit: 100 });
    const keys = listed.filter(({ name }) => name === "outdial");
    expect(keys.map(({ id }) => id)).toEqual([rotation?.new_key_id]);
    expect(fs.readdirSync(path.dirname(file))).toEqual([path.basename(file)]);

    const said = [server, killed, heir].map(({ stdout, stderr }) => `${stdout()}${stderr()}`).join("");
    expect(said).not.toMatch(A_KEY);
    expect(said).not.toContain(SECRET);
    await api.close();
    for (const one of [heir, server]) expect(await one.end(), one.stderr()).toBe(0);
  });
});

function definitionOf({ name, agentId, moment, at }: Stopped): object {
  return {
    name,
    trigger_type: "post_call",
    timeout_seconds: 1,
    workflow: {
      nodes: [{ name: "Slack", type: "n8n-nodes-base.slack", credentials: { slackApi: {} } }],
      connections: {},
    },
    secrets: { "slackApi.accessToken": { secret: "slack" } },
    test: { expect: 'result.status == "success"' },
    agents: [{ agent_id: agentId, priority: 1 }],
    // A test run that was never begun may be made again only where that is said to do no harm.
    repeat: at === TEST && moment === "before" ? "safe" : "never",
  };
}

/** There is one of it on the platform, tested once, deployed, and linked once. */
async function expectOnce(platform: Platform, { name, agentId }: Stopped, where: string): Promise<void> {
  const ids: string[] = [];
  for await (const workflow of platform.workflows.iterate({ per_page: 200 }))
    if (workflow.name === name) ids.push(workflow.workflow_id);
  expect(ids, where).toHaveLength(1);
  const id = given(ids[0]);
  expect(await platform.workflows.get(id), where).toMatchObject({ is_active: true, status: "active" });
  expect(
    (await platform.workflows.agents(id)).map((link) => link.agent_id),
    where,
  ).toEqual([agentId]);
  expect((await platform.workflows.executions(id, { limit: 10 })).items, where).toHaveLength(1);
}

/** Whose request it is, by the workflow or agent in its path, or by the name of what is created. */
function ownerOf(request: Passing, owners: ReadonlyMap<string, string>): string | undefined {
  if (request.method === "POST" && request.path === "/v1/workflows") return nameIn(request);
  const [, kind, id = ""] = /^\/v1\/(workflows|agents)\/([\w-]+)/.exec(request.path) ?? [];
  return kind === undefined ? undefined : owners.get(id);
}

function routeOf({ method, path: at }: Passing): string {
  return `${method} ${at.replace(/\?.*$/, "").replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "*")}`;
}

function nameIn({ body }: Passing): string {
  return (JSON.parse(body) as { name: string }).name;
}

/** Whether a key is let in, be it with the answer that others ask too much with it. */
async function opens(stage: Stage, key: string): Promise<boolean> {
  const answer = await fetch(`${stage.sandbox.url}/v1/agents`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await answer.body?.cancel();
  if (answer.ok || answer.status === 429) return true;
  expect(answer.status).toBe(401);
  return false;
}
