import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

/**
 * Routes that stand in the scope that they are given: they can add no hook to it, and no parser of bodies. Whatever adds
 * one is a plugin with a scope of its own, which takes milliseconds to make, and a hundred of them most of what it takes
 * to start.
 */
export type Routes = (
  scope: Pick<
    Parameters<FastifyPluginAsyncZod>[0],
    "get" | "post" | "put" | "patch" | "delete" | "route" | "register"
  >,
) => Promise<void>;
