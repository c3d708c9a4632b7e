import { z } from "zod";

import type { Core } from "../core.ts";
import { notFound, rateLimited } from "../errors.ts";
import { executeResponse } from "../schemas/executions.ts";
import { RateLimiter } from "../state/rate-limits.ts";
import { executedView } from "../views/executions.ts";
import type { Routes } from "../route-scope.ts";

/** More than a program says of one event. */
const LARGEST_BODY_BYTES = 1024 * 1024;

/** For each address: others are held to what a small customer is. */
const TIER = "starter";

const hookParams = z.object({ slug: z.string() });

/** What sets the automation off: its fields are what the automation is given. */
const hookBody = z.record(z.string(), z.unknown()).nullish();

/**
 * Where others set automations off (contract 3.4, trigger `webhook`). The address is all that they know and need: no key
 * opens it or is asked for. Which address that is the contract does not show; `/hooks/{webhook_slug}` is the sandbox's.
 */
export function hookRoutes({ organizations, workflowRun, clock }: Core): Routes {
  const limiter = new RateLimiter();
  return async (app) => {
    app.post(
      "/hooks/:slug",
      {
        bodyLimit: LARGEST_BODY_BYTES,
        schema: { hide: true, params: hookParams, body: hookBody, response: { 200: executeResponse } },
      },
      async (request, reply) => {
        const { slug } = request.params;
        const found = organizations
          .map((organization) => ({ organization, workflow: organization.workflows.findByWebhookSlug(slug) }))
          .find(({ workflow }) => workflow !== null);
        // Whether there is one that is not active is nobody's business who may only set it off.
        if (!found?.workflow || found.workflow.status !== "active") throw notFound("Webhook");
        const { organization, workflow } = found;
        const waitSeconds = limiter.take(workflow.id, TIER);
        if (waitSeconds > 0) throw rateLimited(waitSeconds);
        const mode = workflow.executionMode;
        const input = request.body ?? null;
        const execution = workflowRun.run({
          organization,
          workflow,
          source: "external",
          mode,
          input,
          call: null,
        });
        if (mode === "sync")
          await new Promise<void>((resolve) => {
            organization.executions.whenOver(execution, resolve);
          });
        return await reply.send(executedView(execution, organization, clock));
      },
    );
  };
}
