import { expect, test } from "vitest";

import {
  categoryResponse,
  defaultsConfig,
  languageEntry,
  providerConfig,
} from "../../src/sandbox/schemas/config.ts";
import { ask, get, openSandbox, refusal } from "./support.ts";

test("the configuration names providers, languages and defaults, the same wherever it is asked", async () => {
  const sandbox = await openSandbox();
  const all = await get(providerConfig, sandbox, "GET", "/v1/config/providers");
  for (const category of ["stt", "llm", "tts", "realtime"] as const) {
    const one = await get(categoryResponse, sandbox, "GET", `/v1/config/providers/${category}`);
    expect(one).toEqual({ category, ...all[category] });
    expect(one.providers.length).toBeGreaterThan(0);
  }
  expect(await get(defaultsConfig, sandbox, "GET", "/v1/config/defaults")).toEqual(all.defaults);
  expect(await get(languageEntry.array(), sandbox, "GET", "/v1/config/languages")).toEqual(all.languages);
  expect((await refusal(sandbox, "GET", "/v1/config/providers/smell")).status).toBe(422);
});

test("the defaults are what a new agent gets", async () => {
  const sandbox = await openSandbox();
  const defaults = await get(defaultsConfig, sandbox, "GET", "/v1/config/defaults");
  const { body } = await ask(sandbox, "POST", "/v1/agents", { name: "New" });
  const {
    realtime_provider: _provider,
    realtime_model: _model,
    analytics_model_provider: _analytics,
    analytics_model: _analyticsModel,
    ...given
  } = defaults;
  expect(body).toMatchObject(given);
});
