import { expect } from "vitest";
import type { WorkflowCreate } from "../../../src/platform/index.ts";
import {
  CREDENTIAL,
  DEPLOYED,
  EXECUTED,
  EXECUTION,
  GENERATED,
  LINK,
  SCHEDULE,
  WORKFLOW_DETAIL,
} from "./fields.ts";
import type { Walks } from "./walk.ts";
import { all, eventually, given, PUBLISHED_AGENT, type World } from "./world.ts";

const DEFINITION = {
  nodes: [{ name: "Start", type: "n8n-nodes-base.start", parameters: {} }],
  connections: {},
};

async function newWorkflow({ platform }: World, extra: Partial<WorkflowCreate> = {}): Promise<string> {
  const created = await platform.workflows.create({
    name: "Tell sales",
    trigger_type: "post_call",
    workflow_json: DEFINITION,
    ...extra,
  });
  return created.workflow_id;
}

async function deployed(world: World, extra: Partial<WorkflowCreate> = {}): Promise<string> {
  const id = await newWorkflow(world, extra);
  expect(await world.platform.workflows.deploy(id)).toMatchObject({ status: "active" });
  return id;
}

const generate = ({ platform }: World) =>
  platform.workflows.generate({
    name: "Alert",
    description: "Post to Slack when a call failed",
    trigger_type: "post_call",
    agent_id: PUBLISHED_AGENT,
  });

/** Contract 4.5, the records. */
const recordWalks: Walks = {
  "POST /v1/workflows": async (world) => {
    const created = await world.platform.workflows.create({
      name: "Lead in",
      trigger_type: "webhook",
      workflow_json: DEFINITION,
      description: "From the site",
      trigger_config: { path: "lead" },
      execution_mode: "sync",
      timeout_seconds: 7,
    });
    world.has(created, ["workflow_id"]);
    world.says(await world.platform.workflows.get(created.workflow_id), {
      name: "Lead in",
      trigger_type: "webhook",
      workflow_json: DEFINITION,
      description: "From the site",
      trigger_config: { path: "lead" },
      execution_mode: "sync",
      timeout_seconds: 7,
      is_active: false,
    });
  },
  "GET /v1/workflows/{workflow_id}": async (world) => {
    const id = await newWorkflow(world);
    const workflow = await world.platform.workflows.get(id);
    world.has(workflow, [...WORKFLOW_DETAIL, "status", "is_active"]);
    expect(workflow).toMatchObject({ workflow_id: id, name: "Tell sales", workflow_json: DEFINITION });
  },
  "GET /v1/workflows": async (world) => {
    const { workflows } = world.platform;
    const id = await newWorkflow(world, { trigger_type: "in_call" });
    const live = await deployed(world, { trigger_type: "in_call" });
    await workflows.linkAgent(live, PUBLISHED_AGENT);
    const idsOf = async (query: object) =>
      (await all(workflows.iterate({ trigger_type: "in_call", per_page: 1, ...query }))).map(
        (workflow) => workflow.workflow_id,
      );
    expect(await idsOf({})).toEqual(expect.arrayContaining([id, live]));
    expect(await idsOf({ status: "active" })).toContain(live);
    expect(await idsOf({ status: "active" })).not.toContain(id);
    expect(await idsOf({ agent_id: PUBLISHED_AGENT })).toEqual([live]);
    await workflows.delete(id);
    expect(await idsOf({})).not.toContain(id);
    expect(await idsOf({ include_deleted: true })).toContain(id);
    expect((await workflows.list({ trigger_type: "in_call", page: 99 })).items).toEqual([]);
  },
  "PATCH /v1/workflows/{workflow_id}": async (world) => {
    const { workflows } = world.platform;
    const id = await deployed(world);
    const changes = {
      name: "Tell support",
      description: "New",
      execution_mode: "sync",
      timeout_seconds: 9,
    } as const;
    await workflows.update(id, { ...changes, is_active: false });
    expect(await workflows.get(id)).toMatchObject({ ...changes, is_active: false, status: "paused" });
    await workflows.update(id, { status: "active" });
    expect(await workflows.get(id)).toMatchObject({ is_active: true, status: "active" });
  },
  "DELETE /v1/workflows/{workflow_id}": async (world) => {
    const { workflows } = world.platform;
    const id = await newWorkflow(world);
    await workflows.delete(id);
    await expect(workflows.get(id)).rejects.toMatchObject({ code: "not_found" });
  },
  "GET /v1/workflows/{workflow_id}/export": async (world) => {
    const id = await newWorkflow(world);
    const exported = await world.platform.workflows.export(id);
    expect(exported).toMatchObject({ workflow_json: DEFINITION, name: "Tell sales" });
  },
  "POST /v1/workflows/import": async (world) => {
    const { workflows } = world.platform;
    const exported = await workflows.export(await newWorkflow(world, { timeout_seconds: 11 }));
    const imported = await workflows.import(exported);
    expect(imported).toMatchObject({ name: "Tell sales", timeout_seconds: 11, is_active: false });
    expect(await workflows.export(imported.workflow_id)).toEqual(exported);
  },
};

/** Contract 4.5: how a workflow comes to what it does. */
const buildWalks: Walks = {
  "POST /v1/workflows/generate": async (world) => {
    const generated = await generate(world);
    world.has(generated, GENERATED);
    expect(given(generated.required_secrets).length).toBeGreaterThan(0);
    expect(await world.platform.workflows.get(generated.workflow_id)).toMatchObject({
      name: "Alert",
      workflow_json: generated.workflow_json,
    });
    const agents = await world.platform.workflows.agents(generated.workflow_id);
    expect(agents.map((link) => link.agent_id)).toEqual([PUBLISHED_AGENT]);
  },
  "POST /v1/workflows/{workflow_id}/refine": async (world) => {
    const { workflows } = world.platform;
    const { workflow_id: id, workflow_json: before } = await generate(world);
    const refined = await workflows.refine(id, "Send an email, too");
    world.has(refined, GENERATED);
    expect(refined.workflow_id).toBe(id);
    expect(refined.workflow_json).not.toEqual(before);
    const workflow = await workflows.get(id);
    expect(workflow.workflow_json).toEqual(refined.workflow_json);
    expect(given(workflow.generation_history)).toHaveLength(2);
  },
  "POST /v1/workflows/{workflow_id}/restore": async (world) => {
    const { workflows } = world.platform;
    const { workflow_id: id, workflow_json: first } = await generate(world);
    await workflows.refine(id, "Send an email, too");
    const restored = await workflows.restore(id, 1);
    world.has(restored, WORKFLOW_DETAIL);
    expect(restored.workflow_json).toEqual(first);
    expect((await workflows.get(id)).workflow_json).toEqual(first);
    await expect(workflows.restore(id, 99)).rejects.toMatchObject({ code: "not_found" });
  },
  "POST /v1/workflows/{workflow_id}/secrets": async (world) => {
    const { workflows } = world.platform;
    const { workflow_id: id } = await generate(world);
    expect(await workflows.deploy(id)).toMatchObject({ status: "error" });
    const value = "xoxb-very-secret";
    const answer = await workflows.setSecrets(id, {
      secrets: [{ key_name: "slackApi.accessToken", value, type: "string" }],
      validate_credentials: true,
    });
    expect(JSON.stringify([answer, await workflows.get(id), await workflows.export(id)])).not.toContain(
      value,
    );
    expect(await workflows.deploy(id)).toMatchObject({ status: "active" });
  },
  "GET /v1/workflows/{workflow_id}/credential-schema": async (world) => {
    const { workflow_id: id } = await generate(world);
    const [credential] = await world.platform.workflows.credentialSchema(id);
    world.has(credential, CREDENTIAL);
    expect(given(credential).credential_type).toBe("slackApi");
    expect(given(credential).fields).toMatchObject([{ name: "accessToken", required: true }]);
  },
};

/** Contract 4.5: in the engine. */
const runWalks: Walks = {
  "POST /v1/workflows/{workflow_id}/deploy": async (world) => {
    const { workflows } = world.platform;
    const id = await newWorkflow(world);
    const deployment = await workflows.deploy(id);
    world.has(deployment, DEPLOYED);
    expect(deployment).toMatchObject({ status: "active", workflow_id: id });
    expect(await workflows.get(id)).toMatchObject({
      status: "active",
      is_active: true,
      n8n_workflow_id: deployment.n8n_workflow_id,
    });
  },
  "POST /v1/workflows/{workflow_id}/test": async (world) => {
    const { workflows } = world.platform;
    const id = await newWorkflow(world);
    world.sandbox.faults.add({ kind: "execution", outcome: "success", workflow_id: id });
    const result = await workflows.test(id);
    world.has(result, EXECUTED);
    expect(result).toMatchObject({ status: "success" });
    const { items } = await workflows.executions(id);
    expect(items.map((one) => one.execution_id)).toEqual([result.execution_id]);
  },
  "POST /v1/workflows/{workflow_id}/execute": async (world) => {
    const { workflows } = world.platform;
    const id = await deployed(world);
    world.sandbox.faults.add({ kind: "execution", outcome: "success", workflow_id: id });
    const result = await workflows.execute(id, { context_data: { lead: 5 }, execution_mode: "sync" });
    world.has(result, EXECUTED);
    expect(result).toMatchObject({ status: "success" });
    const begun = await workflows.execute(id, { execution_mode: "async" });
    await eventually(async () => {
      const { items } = await workflows.executions(id, { status: "success" });
      expect(items.map((one) => one.execution_id)).toEqual([result.execution_id, begun.execution_id]);
      expect(items[0]).toMatchObject({ input_snapshot: { lead: 5 } });
    });
  },
  "GET /v1/workflows/{workflow_id}/executions": async (world) => {
    const { workflows } = world.platform;
    const id = await deployed(world);
    world.sandbox.faults.add({ kind: "execution", outcome: "failed", error: "no route", workflow_id: id });
    await workflows.execute(id, { execution_mode: "sync" });
    await workflows.execute(id, { execution_mode: "sync" });
    const runs = await all(workflows.iterateExecutions(id, { limit: 1 }));
    expect(runs).toHaveLength(2);
    for (const run of runs) world.has(run, EXECUTION);
    expect(runs[0]).toMatchObject({ status: "failed", error_message: "no route", workflow_id: id });
    expect((await workflows.executions(id, { status: "success" })).items).toEqual([]);
  },
};

/** Contract 4.5: links, which are the same from both sides. */
const linkWalks: Walks = {
  "POST /v1/workflows/{workflow_id}/agents/{agent_id}": async (world) => {
    const { workflows, agents } = world.platform;
    const id = await newWorkflow(world);
    const fields = {
      trigger_condition_description: "angry",
      priority: 4,
      execution_mode_override: "async",
    } as const;
    const link = await workflows.linkAgent(id, PUBLISHED_AGENT, fields);
    world.has(link, LINK);
    expect(link).toMatchObject({ ...fields, is_enabled: true });
    const seen = (await agents.workflows(PUBLISHED_AGENT)).find((one) => one.workflow_id === id);
    expect(seen).toMatchObject(fields);
  },
  "PATCH /v1/workflows/{workflow_id}/agents/{agent_id}": async (world) => {
    const { workflows } = world.platform;
    const id = await newWorkflow(world);
    await workflows.linkAgent(id, PUBLISHED_AGENT, { priority: 4 });
    const link = await workflows.updateAgentLink(id, PUBLISHED_AGENT, { is_enabled: false });
    world.has(link, LINK);
    expect(link).toMatchObject({ is_enabled: false, priority: 4 });
    expect(await workflows.agents(id)).toMatchObject([{ agent_id: PUBLISHED_AGENT, is_enabled: false }]);
  },
  "DELETE /v1/workflows/{workflow_id}/agents/{agent_id}": async (world) => {
    const { workflows } = world.platform;
    const id = await newWorkflow(world);
    await workflows.linkAgent(id, PUBLISHED_AGENT);
    await workflows.unlinkAgent(id, PUBLISHED_AGENT);
    expect(await workflows.agents(id)).toEqual([]);
  },
  "GET /v1/workflows/{workflow_id}/agents": async (world) => {
    const { workflows } = world.platform;
    const id = await newWorkflow(world);
    await workflows.linkAgent(id, PUBLISHED_AGENT, { priority: 2 });
    const [link] = await workflows.agents(id);
    world.has(link, ["agent_id", ...LINK]);
    expect(link).toMatchObject({ agent_id: PUBLISHED_AGENT, priority: 2 });
  },
};

/** Contract 4.5: schedules. */
const scheduleWalks: Walks = {
  "POST /v1/workflows/{workflow_id}/schedule": async (world) => {
    const { workflows } = world.platform;
    const id = await newWorkflow(world, { trigger_type: "schedule" });
    const set = await workflows.setSchedule(id, { cron: "0 9 * * 1-5", timezone: "Europe/Berlin" });
    world.has(set, SCHEDULE);
    expect(set).toMatchObject({ workflow_id: id, is_scheduled: true, trigger_type: "schedule" });
    expect(Number.isNaN(Date.parse(given(set.next_run)))).toBe(false);
    expect(await workflows.schedule(id)).toMatchObject({ is_scheduled: true, next_run: set.next_run });
  },
  "GET /v1/workflows/{workflow_id}/schedule": async (world) => {
    const { workflows } = world.platform;
    const id = await newWorkflow(world, { trigger_type: "schedule" });
    expect(await workflows.schedule(id)).toMatchObject({ workflow_id: id, is_scheduled: false });
    await workflows.setSchedule(id, { interval_minutes: 90 });
    const schedule = await workflows.schedule(id);
    world.has(schedule, SCHEDULE);
    expect(schedule).toMatchObject({ is_scheduled: true, job_details: { interval_minutes: 90 } });
  },
  "DELETE /v1/workflows/{workflow_id}/schedule": async (world) => {
    const { workflows } = world.platform;
    const id = await newWorkflow(world, { trigger_type: "schedule" });
    await workflows.setSchedule(id, { interval_minutes: 90 });
    await workflows.deleteSchedule(id);
    expect((await workflows.schedule(id)).is_scheduled).toBe(false);
    await expect(workflows.deleteSchedule(id)).rejects.toMatchObject({ code: "not_found" });
  },
  "GET /v1/workflows/schedules": async (world) => {
    const { workflows } = world.platform;
    const id = await newWorkflow(world, { trigger_type: "schedule" });
    await workflows.setSchedule(id, { interval_minutes: 525_600 });
    const schedule = (await workflows.schedules()).find((one) => one.workflow_id === id);
    world.has(schedule, SCHEDULE);
    expect(schedule).toMatchObject({ is_scheduled: true });
  },
};

export const workflowWalks: Walks = {
  ...recordWalks,
  ...buildWalks,
  ...runWalks,
  ...linkWalks,
  ...scheduleWalks,
};
