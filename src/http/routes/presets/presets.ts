import { z } from "zod";

import { presetNamed, presetProblem } from "../../../domain/policy/presets/registry.ts";
import { Problem } from "../../problem.ts";
import { presetListView, presetView } from "../../wire/preset-view.ts";
import { presetListSchema, presetSchema } from "../../wire/presets.ts";
import type { Routes } from "../../route-scope.ts";

const ABOUT =
  "Rules of countries and states about calls that campaigns keep to by naming their preset, each with its source. No legal advice.";

/** What a campaign's `presets` may name. Nothing but the program is asked. */
export function presetRoutes(): Routes {
  return async (app) => {
    app.get(
      "/v1/presets",
      { schema: { description: ABOUT, response: { 200: presetListSchema } } },
      async () => presetListView(),
    );
    app.get(
      "/v1/presets/:name",
      {
        schema: {
          description:
            "A preset with its rules: the newest version, or that of a name such as us-states@2026.1.",
          params: z.object({ name: z.string().min(1).max(100) }),
          response: { 200: presetSchema },
        },
      },
      async (request) => {
        const { name } = request.params;
        const preset = presetNamed(name);
        if (preset !== undefined) return presetView(preset);
        throw new Problem({
          status: 404,
          code: "unknown_preset",
          detail: `${JSON.stringify(name)} ${presetProblem(name) ?? "is not known"}`,
        });
      },
    );
  };
}
