import { createHash } from "node:crypto";

import swagger from "@fastify/swagger";
import type { FastifyInstance, RouteOptions } from "fastify";
import { createJsonSchemaTransform, jsonSchemaTransform } from "fastify-type-provider-zod";
import { z } from "zod";

import { scopeOf } from "./auth.ts";
import { describePublished } from "./dialect.ts";
import type { Dialect } from "./dialect.ts";
import { importable } from "./schemas/importable.ts";

/** One error as the platform words it (contract 7; the body as FastAPI writes it). */
const errorResponse = z.object({ detail: z.string() });

const fieldErrorsResponse = z.object({
  detail: z.array(
    z.object({
      loc: z.array(z.union([z.string(), z.number()])),
      msg: z.string(),
      type: z.string(),
    }),
  ),
});

/** What any route of the platform may answer instead, and where in the contract that is. */
const ERRORS: Readonly<Record<string, z.ZodType>> = {
  401: errorResponse.describe("Missing, invalid or expired API key"),
  402: errorResponse.describe("Credits are used up"),
  403: errorResponse.describe("The key's scopes or its list of IP addresses do not allow the operation"),
  404: errorResponse.describe("The resource does not exist, for this organization"),
  409: errorResponse.describe("The operation does not fit the present state"),
  413: errorResponse.describe("The body is too large"),
  416: errorResponse.describe("The range of bytes begins behind the end"),
  422: fieldErrorsResponse.describe("Invalid input, with a list of field errors"),
  429: errorResponse.describe("Rate limit reached; `Retry-After` says for how many seconds"),
};

/** Bodies have no marks, so that only answers are described otherwise. */
const publishedTransform = createJsonSchemaTransform({
  zodToJsonConfig: {
    override: ({ zodSchema, jsonSchema }) => describePublished(zodSchema, jsonSchema),
  },
});

/** Describes every route of the platform that is registered after it, bodies that may be left out included. */
export async function describeRoutes(app: FastifyInstance, dialect: Dialect): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Voice agent platform, in a sandbox",
        version: "1",
        description:
          "What Outdial's sandbox serves: the platform's REST interface as the sandbox reads its contract. " +
          "Every request carries an API key as bearer token.",
      },
      components: { securitySchemes: { apiKey: { type: "http", scheme: "bearer" } } },
      security: [{ apiKey: [] }],
    },
    transform: dialect === "published" ? publishedTransform : jsonSchemaTransform,
    transformObject: (document) => {
      if (!("openapiObject" in document)) {
        return document.swaggerObject;
      }
      const operations = Object.values(document.openapiObject.paths ?? {}).flatMap((path) =>
        Object.values(path ?? {}),
      );
      for (const operation of operations) {
        relaxBody(operation);
        addForm(operation);
      }
      return document.openapiObject;
    },
  });
}

/** Marks a body that may be left out; the plugin calls every body required. */
const OPTIONAL_BODY = "x-body-optional";

/** Marks JSON that may come as the file of a form, too. */
const FORM_TOO = "x-body-as-form";

const asFile = {
  type: "object",
  properties: { file: { type: "string", format: "binary" } },
  required: ["file"],
};

const importing = z.object({
  [FORM_TOO]: z.literal(true),
  requestBody: z.object({ content: z.custom<Record<string, unknown>>(isObject) }),
});

function addForm(operation: unknown): void {
  const parsed = importing.safeParse(operation);
  if (parsed.success) {
    parsed.data.requestBody.content["multipart/form-data"] = { schema: asFile };
  }
}

const relaxable = z.object({
  [OPTIONAL_BODY]: z.literal(true),
  requestBody: z.custom<{ required?: boolean }>(isObject),
});

function relaxBody(operation: unknown): void {
  const parsed = relaxable.safeParse(operation);
  if (parsed.success) {
    parsed.data.requestBody.required = false;
  }
}

/** Completes the description of a route: what it is called, what it belongs to, and what else it may answer. */
export function completeDescription(route: RouteOptions, path: string): void {
  const { schema } = route;
  if (schema === undefined) {
    return;
  }
  const scope = scopeOf([route.onRequest ?? []].flat());
  route.schema = {
    ...schema,
    // Only documentation reads these: nothing that is sent is held to them at run time.
    response: { ...ERRORS, ...asRecord(schema.response) },
    tags: [resourceOf(path)],
    operationId: operationIdOf(String(route.method), path),
    // Roles, as OpenAPI 3.1 calls them for schemes without scopes of their own.
    security: [{ apiKey: scope === null ? [] : [scope] }],
    // A form is read as a stream, and its schema describes it without checking it.
    ...(schema.consumes === undefined &&
    schema.body instanceof z.ZodType &&
    schema.body.safeParse(undefined).success
      ? { [OPTIONAL_BODY]: true }
      : {}),
    ...(schema.body instanceof z.ZodType && importable.has(schema.body) ? { [FORM_TOO]: true } : {}),
  };
}

/** What a path is about: the step after `/v1`. */
function resourceOf(path: string): string {
  return path.split("/")[2] ?? "platform";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function asRecord(response: unknown): Record<string, unknown> {
  return typeof response === "object" && response !== null ? { ...response } : {};
}

/** `GET /v1/agents/:id/versions` is `get_agents_id_versions`. */
function operationIdOf(method: string, path: string): string {
  const words = path.split("/").filter((step) => step !== "" && step !== "v1");
  return [method.toLowerCase(), ...words.map((step) => step.replace(/^:/, "").replaceAll("-", "_"))].join(
    "_",
  );
}

export interface Served {
  readonly method: string;
  /** Without the base path, parameters as `:id`. */
  readonly path: string;
}

/** The page at `/`: what is served, and where to read more. It loads nothing and runs nothing. */
export function pageOf(title: string, basePath: string, served: readonly Served[]): string {
  const resources = new Set(served.map(({ path }) => resourceOf(path)));
  const sections = [...resources].map((resource) => {
    const items = served
      .filter(({ path }) => resourceOf(path) === resource)
      .map(({ method, path }) => `<li><b>${method}</b> <code>${escaped(basePath + path)}</code></li>`);
    return `<section><h2>${escaped(resource)}</h2><ul>${items.join("")}</ul></section>`;
  });
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body>` +
    `<h1>${title}</h1><p>A stand-in for the voice agent platform, on this machine. Every request below takes ` +
    `<code>Authorization: Bearer</code> and an API key. ` +
    `<a href="${escaped(basePath)}/openapi.json">OpenAPI description</a></p>${sections.join("")}</body></html>`
  );
}

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}" +
  "ul{list-style:none;padding:0}b{display:inline-block;width:4.5rem}";

/** The page may show its own style and nothing else. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
