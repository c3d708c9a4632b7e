import type { FastifyInstance } from "fastify";
import swagger from "@fastify/swagger";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";

import { VERSION } from "../version.ts";
import { nameComponents } from "./components.ts";
import { definitionComponents } from "./definitions.ts";
import { isFields, type Fields } from "./json.ts";
import { describeOperation, HEADERS, PROBLEM_RESPONSES } from "./operation.ts";
import { operationOf } from "./operations.ts";
import { TAGS } from "./operations/operation.ts";
import type { RouteFacts } from "./problem-rules.ts";
import { PROBLEMS } from "./problem-words.ts";

const ABOUT = `Durable campaigns of phone calls by AI voice agents.

Problems are \`application/problem+json\` (RFC 9457) with a stable \`code\`. Lists come in pages: \`next_after\` of one is
\`after\` of the next. What changes
something takes an \`Idempotency-Key\`.`;

/** Describes every route that is registered after it; /openapi.json hands the description out. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  nameComponents();
  const facts = new Map<string, RouteFacts & { consumes: readonly string[]; isBodyNeeded: boolean }>();
  app.addHook("onRoute", ({ method, url, schema = {}, config = {} }) => {
    for (const one of [method].flat()) {
      if (one === "HEAD" || Reflect.get(schema, "hide") === true) continue;
      const operation = operationOf(one, url);
      if (!config.access) throw new Error(`nobody says who may ask for ${one} ${url}`);
      const { consumes = [], body } = schema;
      facts.set(operation.id, {
        method: one,
        access: config.access,
        hasParams: url.includes(":"),
        authenticatesItself: config.authenticatesItself === true,
        isPublic: config.isPublic === true,
        requestKey: config.requestKey,
        etag: config.etag,
        consumes,
        // No body is one without fields.
        isBodyNeeded: body instanceof z.ZodType && !body.safeParse({}).success,
      });
    }
  });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Outdial",
        version: VERSION,
        description: ABOUT,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          token: { type: "http", scheme: "bearer" },
          session: { type: "apiKey", in: "cookie", name: "outdial_session" },
        },
      },
      security: [{ token: [] }, { session: [] }],
    },
    transform: (input) => {
      const { schema, url } = jsonSchemaTransform(input);
      const [method = ""] = [input.route.method].flat();
      if (schema === undefined || schema.hide === true) return { schema, url };
      const { id, tag, summary } = operationOf(method, url);
      const { access } = input.route.config ?? {};
      const rights =
        access?.role === undefined
          ? { security: [] }
          : { "x-outdial-role": access.role, "x-outdial-brand": access.brand };
      return { schema: { ...schema, operationId: id, tags: [tag], summary, ...rights }, url };
    },
    transformObject: (document) => {
      const whole = jsonSchemaTransformObject(document);
      if (!("openapi" in whole)) throw new Error("the description is one of OpenAPI 3.1");
      const { paths = {}, components = {} } = whole;
      const schemas: Fields = { ...components.schemas, ...definitionComponents() };
      for (const methods of Object.values(paths)) {
        for (const [method, described] of Object.entries(methods ?? {})) {
          if (!isFields(described)) continue;
          const known = facts.get(String(described["operationId"]));
          if (!known) continue;
          Reflect.set(methods ?? {}, method, describeOperation(described, known, schemas));
        }
      }
      const used = nameOnce(paths, onlyUsed(schemas, { paths, responses: PROBLEM_RESPONSES }));
      const all = { ...components, schemas: used, parameters: HEADERS, responses: PROBLEM_RESPONSES };
      return Object.assign(whole, { components: all, "x-problems": PROBLEMS });
    },
  });
  // It takes some 300 ms, which are spent as the process begins, and not when somebody asks while people are called.
  let text: string | undefined;
  const described = () => (text ??= JSON.stringify(app.swagger()));
  app.addHook("onListen", async () => void described());
  app.get("/openapi.json", { schema: { hide: true } }, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(described()),
  );
}

/** Of components those that something refers to, by whatever way. */
function onlyUsed(components: Fields, from: unknown): Fields {
  const used = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    if (!isFields(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const [, called] = (name === "$ref" && /^#\/components\/schemas\/(.+)$/.exec(String(inner))) || [];
      if (called === undefined) look(inner);
      else if (!used.has(called)) {
        used.add(called);
        look(components[called]);
      }
    }
  };
  look(from);
  return Object.fromEntries(
    Object.entries(components)
      .filter(([name]) => used.has(name))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

const AT = "#/components/schemas/";

/**
 * The provider names a schema that requests hold `RoleInput` beside the `Role` of answers. Where both are the same, or
 * only the one is there, it has the short name. Where a format says what is taken, its pattern goes.
 */
function nameOnce(paths: unknown, schemas: Fields): Fields {
  const once = new Set(
    Object.keys(schemas).filter((name) => {
      const short = name.slice(0, -"Input".length);
      if (!name.endsWith("Input")) return false;
      return (
        !Object.hasOwn(schemas, short) || JSON.stringify(schemas[short]) === JSON.stringify(schemas[name])
      );
    }),
  );
  const nameOf = (name: string) => (once.has(name) ? name.slice(0, -"Input".length) : name);
  const rename = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(rename);
    if (!isFields(value)) return;
    const { $ref } = value;
    if (typeof $ref === "string" && $ref.startsWith(AT)) value["$ref"] = AT + nameOf($ref.slice(AT.length));
    // Its format says it, and in fewer than two hundred characters.
    if (typeof value["format"] === "string" && typeof value["pattern"] === "string") delete value["pattern"];
    Object.values(value).forEach(rename);
  };
  rename([paths, schemas]);
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [nameOf(name), schema]));
}
