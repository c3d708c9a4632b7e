import diagnostics from "node:diagnostics_channel";
import type { FastifyInstance, FastifyReply } from "fastify";
import { onTestFinished } from "vitest";
import { z } from "zod";

/*
 * Every problem that a route of the API answers with, in any test here, has to stand in its description: clients decide
 * by its status and its code.
 */

const problemSchema = z.object({ status: z.int(), code: z.string() });

const codesSchema = z.object({
  schema: z.object({
    allOf: z.array(
      z.object({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }).optional() }),
    ),
  }),
});
const responseSchema = z.object({
  $ref: z.string().optional(),
  content: z.object({ "application/problem+json": codesSchema }).partial().optional(),
});
const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ responses: z.record(z.string(), responseSchema) })),
  ),
  components: z.object({ responses: z.record(z.string(), responseSchema) }),
});

/** The description itself, files of the dashboard, and where browsers are sent to sign in. */
const UNDESCRIBED = / \/(?:openapi\.json|assets\/\*|v1\/session\/oidc\/\w+)?:/;

const seen = new Set<string>();

/** The message of Fastify's own channel, told for each server that is made. */
const madeSchema = z.object({ fastify: z.custom<FastifyInstance>() });

diagnostics.subscribe("fastify.initialization", (message) => {
  const { fastify } = madeSchema.parse(message);
  fastify.addHook("onSend", async (request, reply, payload) => {
    const { url, config } = request.routeOptions;
    if (url !== undefined && config.access !== undefined && isProblem(reply) && typeof payload === "string") {
      const { status, code } = problemSchema.parse(JSON.parse(payload));
      seen.add(`${request.method} ${url}: ${status} ${code}`);
    }
    return payload;
  });
});

function isProblem(reply: FastifyReply): boolean {
  return String(reply.getHeader("content-type")).startsWith("application/problem+json");
}

let declared: ReadonlySet<string> | undefined;

/** Fails the test that it is called in where a problem was answered that this app's description does not have. */
export function holdDeclaredProblems(app: FastifyInstance): void {
  onTestFinished(() => {
    declared ??= declaredIn(app);
    const known = declared;
    const strangers = [...seen].filter((one) => !known.has(one) && !UNDESCRIBED.test(one));
    seen.clear();
    if (strangers.length > 0)
      throw new Error(`the description has no such problems: ${strangers.join("; ")}`);
  });
}

function declaredIn(app: FastifyInstance): Set<string> {
  const { paths, components } = documentSchema.parse(app.swagger());
  const all = new Set<string>();
  for (const [path, methods] of Object.entries(paths)) {
    const url = path.replaceAll(/\{(\w+)\}/g, ":$1");
    for (const [method, { responses }] of Object.entries(methods)) {
      for (const [status, response] of Object.entries(responses)) {
        const shared = components.responses[response.$ref?.split("/").at(-1) ?? ""];
        const content = (shared ?? response).content?.["application/problem+json"];
        for (const code of content?.schema.allOf.flatMap(({ properties }) => properties?.code.enum ?? []) ??
          [])
          all.add(`${method.toUpperCase()} ${url}: ${status} ${code}`);
      }
    }
  }
  return all;
}
