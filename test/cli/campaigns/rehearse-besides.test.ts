import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";

import { createPlatform } from "../../../src/platform/index.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/sandbox.ts";
import { given } from "../../support/ledgers.ts";
import { AGENT, outdial, reportOf, temporaryFolder, writeFile } from "../support.ts";
import { VERSION } from "../../../src/http/version.ts";

/* What a rehearsal learns from elsewhere: a platform's price, a system's blackouts and earlier campaigns. */

const SPEC = `name: spring
agent_id: ${AGENT}
from_numbers: ["+12025550100"]
concurrency: 5
window: always
`;
const FROM = ["--from", "2026-11-30T12:00:00Z", "--json"];

function rehearsing(): string[] {
  const folder = temporaryFolder();
  const people = Array.from({ length: 20 }, (_, n) => `+1212555${String(1_000 + n)}`).join("\n");
  const list = writeFile(folder, "list.csv", `phone\n${people}\n`);
  return ["rehearse", writeFile(folder, "campaign.yaml", SPEC), "--contacts", list, ...FROM];
}

const answers: Record<string, unknown> = {
  "/v1/blackouts": {
    items: [
      {
        id: 1,
        brand: null,
        from: "2026-11-30",
        to: "2026-12-01",
        name: "Fair",
        created_at: "2026-11-01T00:00:00Z",
      },
    ],
  },
  "/v1/campaigns/autumn/report": reportOf({
    attempt_dispositions: { answered: 90, no_answer: 10 },
    talk_seconds: 9_000,
  }),
  "/v1/campaigns/nobody/report": reportOf({ attempt_dispositions: {}, talk_seconds: 0 }),
};
let system: http.Server;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
  system = http.createServer((request, response) => {
    response.setHeader("x-outdial-version", VERSION);
    const answer = answers[given(request.url?.split("?")[0])];
    response.statusCode = answer === undefined ? 404 : 200;
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify(answer ?? { type: "about:blank", title: "x", status: 404, code: "x", detail: "x" }),
    );
  });
  await new Promise<void>((resolve) => {
    system.listen(0, "127.0.0.1", resolve);
  });
});
afterAll(async () => {
  system.closeAllConnections();
  await new Promise((resolve) => {
    system.close(resolve);
  });
  await sandbox.close();
});

const running = () => ({ OUTDIAL_API_URL: `http://127.0.0.1:${(system.address() as AddressInfo).port}` });

it("a rehearsal costs what the platform estimates for a minute of the campaign's agent", async () => {
  const said = await outdial(
    rehearsing(),
    { PLATFORM_BASE_URL: sandbox.url, PLATFORM_API_KEY: sandbox.apiKey },
    { openPlatform: async () => createPlatform({ baseUrl: sandbox.url, apiKey: sandbox.apiKey }) },
  );
  const object = JSON.parse(said.stdout);
  // The sandbox's prices: telephony, hearing, thinking and speaking, a second each, as docs/sandbox.md has them.
  expect(object.cost_per_minute_usd).toBeCloseTo(60 * (0.0003 + 0.0002 + 0.0005 + 0.0005), 6);
  expect(object.cost_usd.median).toBeCloseTo(
    (object.talk_seconds.median / 60) * object.cost_per_minute_usd,
    1,
  );
});

it("a rehearsal says that no price is known where the platform does not answer, and goes on", async () => {
  const baseUrl = "http://127.0.0.1:9";
  const said = await outdial(
    rehearsing().filter((word) => word !== "--json"),
    { PLATFORM_BASE_URL: baseUrl, PLATFORM_API_KEY: "key" },
    { openPlatform: async () => createPlatform({ baseUrl, apiKey: "key" }) },
  );
  expect(said.code).toBe(0);
  expect(said.stdout).toContain("cost         not known: the platform could not be asked (");
});

it("a rehearsal keeps the blackouts of a running system", async () => {
  const object = JSON.parse((await outdial(rehearsing(), running())).stdout);
  expect(object.blackouts).toBe(1);
  // Both days are silent in New York: the first call is on Wednesday, at midnight there.
  expect(object.calls_by_hour[0].hour).toBe("2026-12-02T05:00");
  expect(object.held_contact_hours.day_off).toBeGreaterThan(0);
  expect(object.not_known.join()).not.toContain("blackouts");
});

it("a rehearsal takes its outcomes from an earlier campaign, unless that called nobody", async () => {
  const object = JSON.parse((await outdial([...rehearsing(), "--like", "autumn"], running())).stdout);
  expect(object.outcomes).toMatchObject({ from: 'as campaign "autumn" had them', shares: { answered: 90 } });
  expect(object.attempt_dispositions.answered.median).toBeGreaterThan(14);
  const none = await outdial([...rehearsing(), "--like", "nobody"], running());
  expect(none.code).toBe(2);
  expect(none.stderr).toContain("has no call that is over");
});
