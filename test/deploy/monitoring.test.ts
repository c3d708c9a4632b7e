import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { createInstruments } from "../../src/telemetry/instruments.ts";
import { METRICS, type MetricDefinition } from "../../src/telemetry/metric-table.ts";
import { readExposition } from "../support/exposition.ts";
import { given } from "../support/ledgers.ts";
import { promtool } from "../support/promtool.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const prometheus = path.join(root, "deploy/prometheus");

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook: string };
}

const rules = (
  parse(fs.readFileSync(path.join(prometheus, "alerts.yaml"), "utf8")) as {
    groups: readonly { rules: readonly Rule[] }[];
  }
).groups.flatMap((group) => group.rules);

const dashboard = JSON.parse(fs.readFileSync(path.join(root, "deploy/grafana/outdial.json"), "utf8")) as {
  panels: readonly { id: number; title: string; targets?: readonly { expr: string }[] }[];
};

/** Names in an expression, and the labels that it asks of each. */
function selectorsIn(expr: string): { name: string; labels: string[] }[] {
  return [...expr.matchAll(/\b((?:outdial|process|nodejs|temporal)_[a-z0-9_]+)(\{[^}]*\})?/g)].map(
    ([, name = "", labels = ""]) => ({
      name,
      labels: [...labels.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => given(label)),
    }),
  );
}

/** What of an expression is not served: a metric, or a label of one of ours. */
async function unknownIn(expr: string): Promise<string[]> {
  const served = readExposition(await createInstruments({ ofLedger: true }).text());
  return selectorsIn(expr).flatMap(({ name, labels }) => {
    // Those of Temporal's SDK are held by test/system/metrics.system.test.ts against what a worker serves.
    if (name.startsWith("temporal_")) return [];
    const stem = name.replace(/_(?:bucket|sum|count)$/, "");
    const family = served.get(name) ?? served.get(stem);
    if (!family || (served.has(name) && family.type === "histogram")) return [name];
    if (!Object.hasOwn(METRICS, family.name)) return [];
    const known: MetricDefinition = METRICS[family.name as keyof typeof METRICS];
    return labels.filter(
      (label) => !["job", "instance", "le"].includes(label) && !Object.hasOwn(known.labels, label),
    );
  });
}

describe("alerts", () => {
  it.each(rules)("$alert asks for metrics and labels that are served", async ({ expr }) => {
    expect(await unknownIn(expr)).toEqual([]);
  });

  it.each(rules)("$alert says what to do, on a page of its own", ({ alert, annotations, labels }) => {
    expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    const page = fs.readFileSync(path.join(root, "docs/operations.md"), "utf8");
    const [, section = ""] = new RegExp(`^### ${alert}\n\n([^]*?)(?=^#|$(?![^]))`, "m").exec(page) ?? [];
    expect(section.length, "it has some sentences").toBeGreaterThan(80);
    expect(["warning", "critical"]).toContain(labels.severity);
    expect(annotations.summary.length).toBeLessThan(120);
  });

  it("each has a case in which it fires, and one in which it stays silent", () => {
    const { tests } = parse(fs.readFileSync(path.join(prometheus, "alerts.test.yaml"), "utf8")) as {
      tests: readonly { alert_rule_test: readonly { alertname: string; exp_alerts: readonly unknown[] }[] }[];
    };
    const cases = tests.flatMap((test) => test.alert_rule_test);
    for (const { alert } of rules) {
      const own = cases
        .filter(({ alertname }) => alertname === alert)
        .map(({ exp_alerts: exp }) => exp.length > 0);
      expect(new Set(own), alert).toEqual(new Set([true, false]));
    }
    const names = new Set(rules.map(({ alert }) => alert));
    expect(cases.map(({ alertname }) => alertname).filter((name) => !names.has(name))).toEqual([]);
  });

  it.skipIf(promtool === undefined)("pass Prometheus' own check, and fire when they should", () => {
    const run = (...args: string[]) =>
      execFileSync(given(promtool), args, {
        cwd: prometheus,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
    expect(run("check", "rules", "alerts.yaml")).toContain(`${rules.length} rules found`);
    expect(run("test", "rules", "alerts.test.yaml")).toContain("SUCCESS");
  });
});

describe("the Helm chart", () => {
  it("has Prometheus call the job as alerts and dashboard do, by a label that all pods have", () => {
    const templates = path.join(root, "deploy/helm/outdial/templates");
    const monitor = fs.readFileSync(path.join(templates, "monitoring.yaml"), "utf8");
    expect(monitor).toMatch(/^spec:\n(?: {2}#.*\n)* {2}jobLabel: app\.kubernetes\.io\/name\n/m);
    const labels = fs.readFileSync(path.join(templates, "_helpers.tpl"), "utf8");
    expect(labels).toMatch(/define "outdial\.selector" -\}\}\napp\.kubernetes\.io\/name: outdial\n/);
    const jobs = rules.flatMap(({ expr }) => [...expr.matchAll(/job="([^"]*)"/g)].map(([, job]) => job));
    expect(new Set(jobs)).toEqual(new Set(["outdial"]));
  });
});

describe("the dashboard", () => {
  const targets = dashboard.panels.flatMap(({ title, targets: of = [] }) =>
    of.map(({ expr }) => ({ title, expr })),
  );

  it.each(targets)("$title: $expr is served", async ({ expr }) => {
    expect(await unknownIn(expr)).toEqual([]);
    for (const { labels, name } of selectorsIn(expr))
      expect(labels, `${name} of Outdial alone`).toContain("job");
  });

  it("shows every metric of the ledger but those about its reading", () => {
    const shown = new Set(targets.flatMap(({ expr }) => selectorsIn(expr).map(({ name }) => name)));
    const notShown = Object.entries(METRICS).flatMap(([name, { from }]) =>
      from === "ledger" && !shown.has(name) ? [name] : [],
    );
    expect(notShown).toEqual([
      "outdial_ledger_up",
      "outdial_ledger_read_age_seconds",
      "outdial_ledger_has_room",
      "outdial_campaign_attempts",
      "outdial_campaign_lines_limit",
      "outdial_platform_balance_age_seconds",
    ]);
  });

  it("has panels that Grafana can tell apart", () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
