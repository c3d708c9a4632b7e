import type { FastifyReply, FastifyRequest } from "fastify";

import type { Served } from "./documentation.ts";

interface Pattern {
  readonly method: string;
  readonly pattern: RegExp;
  readonly parameters: number;
}

/** Answers what no route takes: 404 for a path that leads nowhere, 405 where only the method is wrong, as FastAPI. */
export class UnknownPaths {
  readonly #basePath: string;
  readonly #served: readonly Served[];
  #patterns: readonly Pattern[] | null = null;

  /** `served` may still grow until the first request. */
  constructor(basePath: string, served: readonly Served[]) {
    this.#basePath = basePath;
    this.#served = served;
  }

  answer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const allowed = this.#methodsOf(request.url.split("?", 1)[0] ?? "");
    return allowed.length === 0
      ? reply.code(404).send({ detail: "Not Found" })
      : reply.code(405).header("allow", allowed.join(", ")).send({ detail: "Method Not Allowed" });
  }

  #methodsOf(path: string): string[] {
    this.#patterns ??= this.#served.map(({ method, path: template }) => ({
      method,
      pattern: new RegExp(`^${(this.#basePath + template).replaceAll(/:[A-Za-z_]+/g, "[^/]+")}/?$`),
      parameters: template.split(":").length - 1,
    }));
    const fitting = this.#patterns.filter(({ pattern }) => pattern.test(path));
    // Paths without parameters win over those with: `/v1/agents/import` is no agent.
    const fewest = Math.min(...fitting.map(({ parameters }) => parameters));
    return fitting.filter(({ parameters }) => parameters === fewest).map(({ method }) => method);
  }
}
