import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { readAutomationDefinition } from "../../../src/domain/automations/automation.ts";
import { readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { readRoute } from "../../../src/domain/notices/route.ts";
import { readScheduleDefinition } from "../../../src/domain/schedules/schedule.ts";
import { readSequence } from "../../../src/domain/sequences/definition.ts";
import { readTriggerDefinition } from "../../../src/domain/triggers/trigger.ts";
import { buildApp } from "../../../src/http/app.ts";
import { BODY_EXAMPLES, TEXT_EXAMPLES } from "../../../src/http/description/examples.ts";
import { OPERATIONS, operationOf } from "../../../src/http/description/operations.ts";
import { TAGS } from "../../../src/http/description/operations/operation.ts";
import { PARAMETERS } from "../../../src/http/description/parameters.ts";
import { PROBLEMS } from "../../../src/http/description/problem-words.ts";
import { ROUTE_ACCESS } from "../../../src/http/route-access.ts";
import { describeApi } from "../../../scripts/docs.mjs";

/** The description itself, the files of the dashboard, and where browsers are sent to sign in. */
const UNDESCRIBED: ReadonlySet<string> = new Set([
  "GET /openapi.json",
  "GET /",
  "GET /assets/*",
  "GET /v1/session/oidc/start",
  "GET /v1/session/oidc/callback",
]);

const media = z.record(z.string(), z.looseObject({ schema: z.record(z.string(), z.unknown()) }));
const operationSchema = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  parameters: z.array(z.looseObject({ $ref: z.string().optional(), description: z.string().optional() })),
  requestBody: z.looseObject({ content: media }).optional(),
  responses: z.record(z.string(), z.looseObject({ $ref: z.string().optional(), content: media.optional() })),
});
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({ responses: z.record(z.string(), z.looseObject({ content: media })) }),
  "x-problems": z.record(z.string(), z.unknown()),
});

type Operation = z.output<typeof operationSchema>;

let raw: object;
let document: z.output<typeof documentSchema>;
let operations: { route: string; at: string; operation: Operation }[];

beforeAll(async () => {
  raw = await describeApi(buildApp);
  document = documentSchema.parse(raw);
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      at: `#/paths/${path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")}/${method}`,
      operation,
    })),
  );
  // Every route and schema is loaded for it, on a machine that others use.
}, 60_000);

describe("the description of the API", () => {
  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(raw)));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toBe("3.1");
  });

  it("has every route that there is, and no line of its table is of none", () => {
    const routes = operations.map(({ route }) => route).toSorted();
    const guarded = Object.keys(ROUTE_ACCESS).filter((route) => !UNDESCRIBED.has(route));
    expect(routes).toEqual(guarded.toSorted());
    expect(routes).toEqual(Object.keys(OPERATIONS).toSorted());
    expect(() => operationOf("GET", "/v1/nowhere")).toThrow(/src\/http\/description\/operations/);
  });

  it("says of routes that need no token that they need none, and of no other", () => {
    const open = operations.filter(({ operation }) => JSON.stringify(operation["security"]) === "[]");
    const unguarded = Object.entries(ROUTE_ACCESS)
      .filter(([route, { role }]) => role === undefined && !UNDESCRIBED.has(route))
      .map(([route]) => route);
    expect(open.map(({ route }) => route).toSorted()).toEqual(unguarded.toSorted());
  });

  it("says of every route what it is called, what about, its parameters, its body and its answers", () => {
    const missing: string[] = [];
    for (const { route, operation } of operations) {
      const lacks = (what: string) => missing.push(`${route} lacks ${what}`);
      const { operationId, tags, summary, parameters, requestBody, responses } = operation;
      if (!/^[a-z]+(?:[A-Z][a-z]+)*$/.test(operationId)) lacks("a name in camel case");
      if (tags.length !== 1 || !Object.hasOwn(TAGS, tags[0] ?? "")) lacks("a tag");
      if (!/^[A-Z].*[a-z]\.$/.test(summary) || summary.length > 100) lacks("a summary of one sentence");
      for (const { $ref, description } of parameters)
        if ($ref === undefined && (description ?? "") === "") lacks("words for a parameter");
      for (const [type, { example }] of Object.entries(requestBody?.content ?? {}))
        if (example === undefined) lacks(`an example of its body as ${type}`);
      const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
      if (successes.length === 0) lacks("an answer");
      for (const [status, { content }] of successes) {
        if (status !== "204" && Object.keys(content ?? {}).length === 0) lacks(`what ${status} answers with`);
        for (const [type, { schema, example }] of Object.entries(content ?? {})) {
          if (example === undefined) lacks(`an example of ${status}`);
          if (type === "application/json" && schema["$ref"] === undefined) lacks(`a component for ${status}`);
        }
      }
      if (responses["500"] === undefined) lacks("its problems");
    }
    expect(missing).toEqual([]);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("gives examples that fit their schemas", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    for (const format of ["binary"]) ajv.addFormat(format, true);
    ajv.addSchema({ $id: "openapi", ...raw });
    const wrong: string[] = [];
    let tried = 0;
    const judge = (where: string, at: string, example: unknown) => {
      tried += 1;
      const validate = ajv.compile({ $ref: `openapi${at}/schema` });
      if (!validate(example)) wrong.push(`${where}: ${ajv.errorsText(validate.errors)}`);
    };
    const of = (type: string) => type.replaceAll("/", "~1");
    for (const { route, at, operation } of operations) {
      for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {}))
        judge(route, `${at}/requestBody/content/${of(type)}`, example);
      for (const [status, { content = {} }] of Object.entries(operation.responses))
        for (const [type, { example }] of Object.entries(content))
          judge(`${route} ${status}`, `${at}/responses/${status}/content/${of(type)}`, example);
    }
    for (const [name, { content }] of Object.entries(document.components.responses))
      for (const [type, { example }] of Object.entries(content))
        judge(name, `#/components/responses/${name}/content/${of(type)}`, example);
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(400);
  });

  it("shows documents that are taken as they stand", () => {
    const body = z.object({ spec: z.unknown(), definition: z.unknown() }).partial();
    const shown = (id: string) => body.parse(BODY_EXAMPLES[id]);
    const readings = [
      readCampaignSpec(shown("createCampaign").spec),
      readCampaignSpec(shown("amendCampaign").spec),
      readCampaignSpec(shown("previewAmendment").spec),
      readSequence(shown("putSequence").definition),
      readTriggerDefinition(shown("putTrigger").definition),
      readScheduleDefinition(shown("putSchedule").definition),
      readAutomationDefinition(shown("putAutomation").definition),
      readRoute(shown("putRoute").definition),
    ];
    expect(readings.flatMap((reading) => (reading.ok ? [] : reading.problems))).toEqual([]);
  });

  it("has no word, example or problem of something that is not there", () => {
    const ids = new Set(operations.map(({ operation }) => operation.operationId));
    const strangers = [...Object.keys(BODY_EXAMPLES), ...Object.keys(TEXT_EXAMPLES)].filter(
      (id) => !ids.has(id),
    );
    expect(strangers).toEqual([]);
    const used = new Set(operations.flatMap(({ operation }) => operation.parameters.map(({ name }) => name)));
    const unused = Object.keys(PARAMETERS).filter((name) => !used.has(name.replace(/^.*\./, "")));
    expect(unused).toEqual([]);
    expect(Object.keys(document["x-problems"]).toSorted()).toEqual(Object.keys(PROBLEMS).toSorted());
    const text = JSON.stringify(document.paths) + JSON.stringify(document.components);
    // These are answered where browsers are sent alone (test/http/access/oidc.ledger.test.ts), and where there is no route.
    expect(Object.keys(PROBLEMS).filter((code) => !text.includes(`"${code}"`))).toEqual([
      "sign_in_refused",
      "no_role",
      "method_not_allowed",
      "provider_unavailable",
    ]);
  });
});
