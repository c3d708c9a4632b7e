import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { DISPOSITIONS } from "../../src/domain/policy/disposition.ts";
import { METRICS } from "../../src/telemetry/metric-table.ts";
import { until } from "../support/engine.ts";
import { readExposition, sumOf, type Family } from "../support/exposition.ts";
import { given } from "../support/ledgers.ts";
import { createDatabase } from "../support/postgres.ts";
import { promtool } from "../support/promtool.ts";
import {
  closedPort,
  expectRefusal,
  finalLine,
  openStage,
  type Environment,
  type Stage,
} from "./support/stage.ts";

const PEOPLE = 40;

/** What must be nowhere in it: each is found by chance nowhere else. */
const TOKEN = "a-token-that-is-shown-to-nobody-5f20c6";
const SECRET = "whsec_that-is-shown-to-nobody-71bd";
const PERSON = "Wilhelmina Canarybird";

type Scraped = Map<string, Family>;

describe.skipIf(inject("postgresUrl") === undefined)("metrics of a worker and a server", () => {
  let stage: Stage;
  let settings: Environment;
  const ports: Record<string, number> = {};
  const texts: string[] = [];

  beforeAll(async () => {
    stage = await openStage();
    const url = await createDatabase(given(inject("postgresUrl")));
    settings = stage.settings(stage.dataDir(), {
      DATABASE_URL: url,
      OUTDIAL_API_TOKEN: TOKEN,
      OUTDIAL_SECRET_CRM: SECRET,
      OUTDIAL_LOG_LEVEL: "info",
    });
    for (const command of ["server", "worker"]) {
      ports[command] = await closedPort();
      const listen = command === "server" ? `127.0.0.1:${ports[command]}` : String(ports[command]);
      const started = stage.start([command], {
        ...settings,
        OUTDIAL_API_PORT: "0",
        OUTDIAL_METRICS_LISTEN: listen,
      });
      await started.waitFor(new RegExp(`"url":"http://127.0.0.1:${ports[command]}/metrics"`));
      if (command === "worker") continue;
      const [, apiUrl] = await started.waitFor(/"apiUrl":"([^"]+)"/);
      settings = { ...settings, OUTDIAL_API_URL: given(apiUrl) };
    }
  });
  afterAll(() => stage.close());

  const scrape = async (command: "server" | "worker"): Promise<Scraped> => {
    const got = await fetch(`http://127.0.0.1:${ports[command]}/metrics`);
    expect(got.status).toBe(200);
    const text = await got.text();
    texts.push(text);
    return readExposition(text);
  };

  it("count what the report of a campaign says, and tell of it while it runs", async () => {
    const spec = stage.spec("spring renewal", "concurrency: 4");
    const list = stage.list(PEOPLE);
    fs.writeFileSync(list, fs.readFileSync(list, "utf8").replaceAll(/Contact \d+/g, PERSON));
    // The ledger is read at most every 10 s for metrics: calls last until one of those readings met them.
    const asUsual = stage.slowCalls();
    const run = stage.outdial(["run", spec, "--contacts", list, "--json"], settings);
    const during = await until("lines that are busy", async () => {
      const now = await scrape("server");
      return (sumOf(now, "outdial_lines_busy") ?? 0) > 0 && now;
    });
    asUsual();
    const labels = { brand: "default", campaign: "spring renewal", run: "1" };
    expect(sumOf(during, "outdial_campaign_contacts", labels)).toBe(PEOPLE);
    expect(sumOf(during, "outdial_lines_limit")).toBe(4);
    expect(sumOf(during, "outdial_campaigns", { state: "running" })).toBe(1);
    const done = await run;
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const report = finalLine(done);
    const worker = await until("the worker to have counted all of them", async () => {
      const now = await scrape("worker");
      return (sumOf(now, "outdial_calls_ended_total") ?? 0) >= report.attempts && now;
    });
    expect(sumOf(worker, "outdial_calls_ended_total")).toBe(report.attempts);
    const dials = given(sumOf(worker, "outdial_dials_total"));
    expect(dials - given(sumOf(worker, "outdial_dials_returned_total"))).toBe(report.attempts);
    expect(stage.sandbox.dialLog.length).toBe(report.attempts);
    // Of each person the report has what the last call came to: no call is counted under another word.
    for (const disposition of DISPOSITIONS)
      expect(
        given(sumOf(worker, "outdial_calls_ended_total", { disposition })),
        disposition,
      ).toBeGreaterThanOrEqual(report.dispositions[disposition] ?? 0);
    expect(sumOf(worker, "outdial_planning_duration_seconds_count")).toBeGreaterThan(0);
    expect(sumOf(worker, "outdial_call_end_to_dial_seconds_count")).toBeGreaterThan(0);
    expect(sumOf(worker, "outdial_call_seconds_total")).toBeGreaterThan(0);
    const starts = { method: "POST", route: "/v1/batch-calls/{batch_id}/start", result: "ok" };
    const asked = Object.entries(stage.sandbox.stats().routes).filter(([route]) => route.endsWith("/start"));
    expect(sumOf(worker, "outdial_platform_requests_total", starts)).toBe(
      asked.reduce((sum, [, { requests }]) => sum + requests, 0),
    );
  });

  it("a worker tells what Temporal's SDK counts, in its own answer, and nothing of the ledger", async () => {
    const worker = await scrape("worker");
    expect(sumOf(worker, "outdial_temporal_metrics_up")).toBe(1);
    expect(sumOf(worker, "temporal_activity_execution_latency_seconds_count")).toBeGreaterThan(0);
    expect(sumOf(worker, "temporal_request_total")).toBeGreaterThan(0);
    for (const [name, { from }] of Object.entries(METRICS))
      expect(worker.has(name), name).toBe(from === "process");
    const server = await scrape("server");
    expect(sumOf(server, "outdial_ledger_up")).toBe(1);
    expect([...server.keys()].filter((name) => name.startsWith("temporal_"))).toEqual([]);
    const routes = given(server.get("outdial_http_requests_total")).samples.map(
      ({ labels }) => labels["route"],
    );
    expect(routes).toContain("/v1/campaigns/:ref/report");
    expect(routes.every((route) => /^(?:none|\/[a-z0-9_.:/-]*)$/.test(given(route)))).toBe(true);
  });

  it("no number, name, key, token or secret is in any of it", async () => {
    expect(texts.length).toBeGreaterThan(3);
    const everything = texts.join("\n");
    const numbers = stage.sandbox.dialLog.entries().map(({ phone }) => phone.slice(1));
    for (const canary of [
      ...numbers,
      PERSON,
      "Canarybird",
      TOKEN,
      SECRET,
      given(settings["PLATFORM_API_KEY"]),
    ])
      expect(everything.includes(canary), `${canary.slice(0, 4)}... is in the metrics`).toBe(false);
  });

  it("a port that is taken keeps a process from starting, which says what to do", async () => {
    const second = await stage.outdial(["worker"], {
      ...settings,
      OUTDIAL_METRICS_LISTEN: `127.0.0.1:${ports["worker"]}`,
    });
    expectRefusal(
      {
        ...second,
        stderr: second.stderr
          .split("\n")
          .filter((line) => !line.startsWith("{"))
          .join("\n"),
      },
      2,
      "OUTDIAL_METRICS_LISTEN is 127.0.0.1:",
      "give each process of this machine a port of its own",
    );
  });

  it.skipIf(promtool === undefined)("Prometheus' own tool takes all of it", async () => {
    await scrape("worker");
    await scrape("server");
    for (const text of texts.slice(-2))
      execFileSync(given(promtool), ["check", "metrics"], { input: text, stdio: ["pipe", "pipe", "pipe"] });
  });
});
