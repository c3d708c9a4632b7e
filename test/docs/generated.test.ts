import { describe, expect, it } from "vitest";

import {
  cliPage,
  collectHelp,
  configurationPage,
  describeApi,
  eventTables,
  helpThrough,
  metricTables,
  presetTables,
  reasonTable,
  storyKindTable,
  problemTable,
  routeTable,
  withTable,
} from "../../scripts/docs.mjs";
import { apiClientText } from "../../scripts/api-client.mjs";
import { runProgram } from "../../src/cli/program.ts";
import { SETTING_DOCS } from "../../src/config.ts";
import { EVENT_TYPES } from "../../src/domain/ground/event-types.ts";
import { STORY_KINDS } from "../../src/domain/people/story.ts";
import { NEVER_REASONS, WAIT_REASONS } from "../../src/domain/policy/gate-reasons.ts";
import { ruleText } from "../../src/domain/policy/presets/preset.ts";
import { newestPresets } from "../../src/domain/policy/presets/registry.ts";
import { buildApp } from "../../src/http/app.ts";
import { METRICS } from "../../src/telemetry/metric-table.ts";
import { readText } from "./support/documents.ts";

/* Out of date? `npm run docs` writes them. */

describe("what the program writes of itself is current", () => {
  it("docs/configuration.md has every setting", () => {
    expect(readText("docs/configuration.md")).toBe(configurationPage(SETTING_DOCS));
  });

  it("docs/cli.md has every command", async () => {
    const helps = await collectHelp(helpThrough(runProgram));
    expect(helps.map(({ words }) => words.join(" "))).toEqual(
      expect.arrayContaining(["", "run", "campaign pause", "suppress add"]),
    );
    expect(readText("docs/cli.md")).toBe(cliPage(helps));
  });

  it("docs/api.md has every route", async () => {
    const page = readText("docs/api.md");
    const routes = routeTable(await describeApi(buildApp));
    expect(routes).toContain("POST /v1/campaigns/{ref}/start");
    expect(page).toBe(withTable(page, "routes", routes));
  });

  it("docs/api.md has every problem, and the client every route", async () => {
    const page = readText("docs/api.md");
    const description = await describeApi(buildApp);
    const problems = problemTable(description);
    expect(problems).toContain("| 404 | `unknown_campaign` |");
    expect(page).toBe(withTable(page, "problems", problems));
    expect(readText("src/api/generated.ts")).toBe(apiClientText(description));
  });

  it("docs/policies.md has every reason of the policy gate", () => {
    const page = readText("docs/policies.md");
    const reasons = reasonTable({ never: NEVER_REASONS, wait: WAIT_REASONS });
    expect(reasons).toContain("| `suppressed` | never |");
    expect(page).toBe(withTable(page, "reasons", reasons));
  });

  it("docs/presets.md has every rule of every preset", () => {
    const page = readText("docs/presets.md");
    const presets = presetTables(newestPresets(), ruleText);
    expect(presets).toContain("| `us-la.sundays` | Louisiana | no calls on Sundays |");
    expect(page).toBe(withTable(page, "presets", presets));
  });

  it("docs/metrics.md has every metric", () => {
    const page = readText("docs/metrics.md");
    const metrics = metricTables(METRICS);
    expect(metrics).toContain("| `outdial_dials_total` | counter |");
    expect(page).toBe(withTable(page, "metrics", metrics));
  });

  it("docs/events.md has every type of event", () => {
    const page = readText("docs/events.md");
    const events = eventTables(EVENT_TYPES);
    expect(events).toContain("| `call.ended` |");
    expect(page).toBe(withTable(page, "events", events));
  });

  it("docs/evidence.md has every kind of entry of a story", () => {
    const page = readText("docs/evidence.md");
    const kinds = storyKindTable(STORY_KINDS);
    expect(kinds).toContain("| `refused` |");
    expect(page).toBe(withTable(page, "kinds", kinds));
  });
});
