import { describe, expect, expectTypeOf, it, test } from "vitest";

import { type Call, type EndpointName, type Page, unnamedField } from "../../src/platform/index.ts";
import type { AnswerOf } from "../../src/platform/asking.ts";
import { BATCH, clientOf, json, startPlatform } from "./fake-platform.ts";

/* What a compiler says of answers. `npm run check` compiles this file; what is marked as an error must be one. */

type RecordIn<Answer> = Answer extends Page<infer Row> ? Row : Answer;

/** The operations whose answer takes any name, by the types of the table. */
type Unnamed = {
  [Name in EndpointName]: string extends keyof RecordIn<AnswerOf<Name>> ? Name : never;
}[EndpointName];

describe("answers", () => {
  it("have types that name their fields, but for those of which the contract shows no field", () => {
    expectTypeOf<Unnamed>().toEqualTypeOf<"agents.export" | "config.category" | "workflows.setSecrets">();
  });

  test("of actions say what they tell, and know what they were asked about", async () => {
    const answers: Record<string, unknown> = {
      "POST /v1/calls/c/end": { message: "Call ended" },
      "POST /v1/chat/sessions/s/close": { status: "closed" },
      "PATCH /v1/workflows/w": { status: "updated" },
      "POST /v1/workflows": { workflow_id: "w", status: "draft", message: "Made" },
      "GET /v1/workflows/w/export": { workflow_json: { nodes: [] }, exported_by: "me" },
      "GET /v1/workflows/w/credential-schema": [
        {
          type: "hubspot",
          fields: [
            { name: "key", type: "string", required: true, default: 7, description: "Its key" },
            "key",
          ],
          source: "node",
        },
      ],
      "POST /v1/agents/a/workflows/w": { priority: "3" },
    };
    const server = await startPlatform((request, response) =>
      json(response, 200, answers[`${request.method} ${request.path}`]),
    );
    const platform = clientOf(server);
    expect(await platform.calls.end("c")).toMatchObject({ call_id: "c", message: "Call ended" });
    expect(await platform.chat.close("s")).toMatchObject({ session_id: "s", status: "closed" });
    expect(await platform.workflows.update("w", { name: "new" })).toMatchObject({
      workflow_id: "w",
      status: "updated",
    });
    const made = { name: "new", trigger_type: "post_call", workflow_json: {} } as const;
    expect((await platform.workflows.create(made)).message).toBe("Made");
    const exported = await platform.workflows.export("w");
    expect(exported.workflow_json).toEqual({ nodes: [] });
    expect(unnamedField(exported, "exported_by")).toBe("me");
    // @ts-expect-error: it is `workflow_json`
    expect(exported.json).toBeUndefined();
    const [hubspot] = await platform.workflows.credentialSchema("w");
    const fields = [{ name: "key", type: "string", required: true, default: 7, description: "Its key" }];
    expect(hubspot).toEqual({ credential_type: "hubspot", type: "hubspot", fields, source: "node" });
    expectTypeOf(hubspot?.fields?.[0]?.required).toEqualTypeOf<boolean | undefined>();
    expect(await platform.agents.linkWorkflow("a", "w")).toMatchObject({
      agent_id: "a",
      workflow_id: "w",
      priority: 3,
    });
  });

  test("a misspelt field does not compile, and is not there", async () => {
    const server = await startPlatform((_, response) => json(response, 200, { id: BATCH, items: [] }));
    const platform = clientOf(server);
    const call = await platform.calls.get(BATCH);
    // @ts-expect-error: `call_sumary`
    expect(call.call_sumary).toBeUndefined();
    const batch = await platform.batchCalls.start(BATCH);
    // @ts-expect-error: `progress`
    expect(batch.progress).toBeUndefined();
    const agent = await platform.agents.get(BATCH);
    // @ts-expect-error: `system_promt`
    expect(agent.system_promt).toBeUndefined();
    const page = await platform.phoneNumbers.list();
    // @ts-expect-error: `number`
    expect(page.items.map((row) => row.number)).toEqual([]);
    const base = await platform.knowledgeBases.get(BATCH);
    // @ts-expect-error: `knowledge_base_id`
    expect(base.knowledge_base_id).toBeUndefined();
    // @ts-expect-error: `workflows.get` has no `nodes`
    expect((await platform.workflows.get(BATCH)).nodes).toBeUndefined();
    // @ts-expect-error: keys are shown as `key_prefix`
    expect((await platform.apiKeys.get(BATCH)).key).toBeUndefined();
  });

  it("keep what nobody knows yet, in reach and out of the types", async () => {
    const answer = { call_id: "c", mood: { calm: 0.9 }, transcript: [{ role: "agent" }] };
    const server = await startPlatform((_, response) => json(response, 200, answer));
    const call = await clientOf(server).calls.get("c");
    expect(unnamedField(call, "mood")).toEqual({ calm: 0.9 });
    expect(unnamedField(call, "toString")).toBeUndefined();
    expectTypeOf(unnamedField(call, "mood")).toBeUnknown();
  });

  it("have records inside of records with types, and leave out what is none", async () => {
    const workflow_executions = [{ id: "e", status: "success", execution_time_ms: "12" }, "none", null];
    const server = await startPlatform((_, response) =>
      json(response, 200, { id: "c", workflow_executions, call_summary: null, call_cost: "0.12" }),
    );
    const call = await clientOf(server).calls.get("c");
    expect(call.workflow_executions).toMatchObject([
      { execution_id: "e", id: "e", status: "success", execution_time_ms: 12 },
    ]);
    expect(call.workflow_executions).toHaveLength(1);
    // What may come in any shape is as it came.
    expect([call.call_summary, call.call_cost]).toEqual([null, "0.12"]);
    expectTypeOf<Call["transcript"]>().toEqualTypeOf<unknown[] | undefined>();
  });

  test("an empty prompt is one, and no missing one", async () => {
    const server = await startPlatform((_, response) =>
      json(response, 200, { id: "a", greeting_message: "", versions: [{ greeting_message: "" }] }),
    );
    const agent = await clientOf(server).agents.get("a");
    expect(agent.greeting_message).toBe("");
    expect(agent.versions).toMatchObject([{ greeting_message: "" }]);
  });
});
