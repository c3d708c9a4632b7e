import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";

import { goOnText } from "../../src/cli/hints.ts";
import { checkLedger } from "../../src/cli/doctor/ledger.ts";
import { readConfig } from "../../src/config.ts";
import { runSandbox } from "../../src/sandbox/run-sandbox.ts";
import { outdial } from "./support.ts";
import { VERSION } from "../../src/http/version.ts";

/** A running system that answers each path as it is told here. */
async function systemThatSays(answers: Readonly<Record<string, readonly [status: number, body: object]>>) {
  const server = http.createServer((request, response) => {
    request.resume();
    response.setHeader("x-outdial-version", VERSION);
    const { pathname } = new URL(request.url ?? "", "http://x");
    const [status, body] = answers[pathname] ?? [
      404,
      { type: "about:blank", title: "x", status: 404, code: "no_route", detail: "no such route" },
    ];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { OUTDIAL_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe("what was given on the command line is named as it was given there", () => {
  it.each([
    ["follow-up", "retry", "nope"],
    ["follow-up", "skip", "nope"],
    ["follow-up", "show", "nope"],
    ["sequence", "enrolment", "nope"],
  ])("an id that is none: %s %s", async (...args) => {
    const { code, stderr } = await outdial(args);
    expect(code).toBe(2);
    expect(stderr).toContain("nope");
    expect(stderr).toMatch(/argument <(?:action|follow-up|id)>/);
    expect(stderr).toContain("must be an id such as");
    expect(stderr).not.toContain("address");
  });

  it.each([
    ["suppress", "add", "+12025550143", "--reason", "asked", "--expires", "2026-12-01T10:00"],
    ["schedule", "backfill", "x", "--to", "2026-12-01T10:00:00Z", "--from", "2026-12-01T10:00"],
    ["schedule", "backfill", "x", "--from", "2026-12-01T10:00:00Z", "--to", "2026-13-01T10:00:00Z"],
  ])("a time without its zone, or that is none: %s %s", async (...args) => {
    const { code, stderr } = await outdial(args);
    expect(code).toBe(2);
    expect(stderr).toContain(`option '${args.at(-2)} <time>'`);
    expect(stderr).toContain("such as 2026-12-01T10:00:00Z");
  });

  it("the sandbox's data file, and not the lock beside it", async () => {
    const { code, stderr } = await outdial(
      ["sandbox", "--port", "0", "--data", "/nonexist/x/y.json"],
      {},
      { runSandbox },
    );
    expect(code).toBe(2);
    expect(stderr).toContain("/nonexist/x/y.json: ");
    expect(stderr).not.toContain(".lock");
  });
});

describe("what to do next", () => {
  it("is, for a number that is no contact, the rows of the lists that made none", async () => {
    const environment = await systemThatSays({
      "/v1/campaigns/r1/contacts/%2B12025550143/explanation": [
        404,
        {
          type: "about:blank",
          title: "x",
          status: 404,
          code: "unknown_contact",
          detail:
            'campaign "r1" (run 1) has no contact with this number: its rejects say which rows of its lists made none',
        },
      ],
    });
    const { code, stderr } = await outdial(
      ["campaign", "explain", "r1", "+12025550143", "--json", "--brand", "acme"],
      environment,
    );
    const { error } = JSON.parse(stderr) as { error: Record<string, string> };
    expect({ code, error: error["code"] }).toEqual({ code: 1, error: "unknown_contact" });
    expect(error["remedy"]).toContain("outdial campaign export r1 --brand acme");
    expect(error["remedy"]).toContain("rejects.csv");
  });

  it("finds the folder that was named", () => {
    expect(goOnText({})).toBe('outdial go-on --reason "..."');
    expect(goOnText({ dataDir: "/tmp/my runs" })).toBe(
      "outdial go-on --reason \"...\" --data-dir '/tmp/my runs'",
    );
  });

  it("is said once, where the ledger can't be reached", async () => {
    const config = readConfig(
      { OUTDIAL_DATA_DIR: "/nowhere", DATABASE_URL: "postgres://outdial@127.0.0.1:9/x" },
      {},
    );
    const [check] = await checkLedger(config);
    expect(check).toMatchObject({
      name: "ledger",
      status: "fail",
      remedy: expect.stringContaining("DATABASE_URL"),
    });
    expect(check?.detail).not.toContain("DATABASE_URL");
  });
});

it("the runs of a schedule show its own clocks beside UTC", async () => {
  const run = {
    id: "1",
    due_at: "2026-11-23T14:00:00.000Z",
    cause: "schedule",
    state: "done",
    reason: null,
    campaign_id: null,
    execution_id: "e",
    result: null,
    started_at: null,
    ended_at: null,
  };
  const at = "2026-11-22T00:00:00.000Z";
  const schedule = {
    id: "1",
    name: "daily",
    state: "active",
    reason: null,
    definition: { time_zone: "America/New_York" },
    installed: true,
    drift: null,
    looked_at: null,
    created_at: at,
    updated_at: at,
    next: [],
    last_run: null,
  };
  const environment = await systemThatSays({
    "/v1/schedules/daily/runs": [200, { items: [run], total: 1, next_after: null }],
    "/v1/schedules/daily": [200, schedule],
  });
  const { code, stdout, stderr } = await outdial(["schedule", "runs", "daily"], environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("2026-11-23 09:00:00 America/New_York (14:00:00 UTC)");
});
