import { expect, it } from "vitest";

import { readConfig } from "../../src/config.ts";
import { lookForMissing } from "../../src/look-for-missing.ts";
import { openSandbox } from "../http/support.ts";
import { AGENT, outdial, temporaryFolder, writeFile } from "./support.ts";
import { checkNeeds } from "../../src/cli/doctor/check-all.ts";

const SEQUENCE = `name: trial-welcome
agent_id: ${AGENT}
from_numbers: ["+12025550100"]
steps:
  - id: tell
    webhook: { url: "https://192.168.7.7/hook", secret: crm }
    on: { done: run, failed: run }
  - id: run
    automation: { workflow_id: 00000000-0000-4000-8000-000000000009 }
    on: { done: end, failed: end, unknown: end }
  - id: end
    exit: { outcome: told }
`;

it("a check of a sequence says what it needs that is not there, and is content where it is", async () => {
  const { sandbox } = await openSandbox();
  const environment = {
    OUTDIAL_DATA_DIR: temporaryFolder(),
    PLATFORM_BASE_URL: sandbox.url,
    PLATFORM_API_KEY: sandbox.apiKey,
  };
  const file = writeFile(temporaryFolder(), "sequence.yaml", SEQUENCE);
  const end = await outdial(["sequence", "check", file], environment, { lookForMissing });
  expect(end.code).toBe(0);
  expect(end.stdout).toContain("is in order: 3 steps");
  expect(end.stdout).toMatch(/warning: steps\[0\]\.webhook\.url: 192\.168\.7\.7 is in a private network/);
  expect(end.stdout).toMatch(/warning: steps\[0\]\.webhook\.secret: .*OUTDIAL_SECRET_CRM/);
  expect(end.stdout).toContain("warning: steps[1].automation.workflow_id: the platform has no automation");
  const mended = await outdial(
    ["sequence", "check", file, "--json"],
    {
      OUTDIAL_DATA_DIR: temporaryFolder(),
      OUTDIAL_OUTBOUND_ALLOW: "192.168.7.7",
      OUTDIAL_SECRET_CRM: "a-long-enough-secret",
    },
    { lookForMissing },
  );
  expect(JSON.parse(mended.stdout)).toMatchObject({ ok: true, warnings: [] });
});

it("the doctor fails over what a campaign needs that is not there", async () => {
  const { sandbox } = await openSandbox();
  const config = readConfig({
    OUTDIAL_DATA_DIR: temporaryFolder(),
    PLATFORM_BASE_URL: sandbox.url,
    PLATFORM_API_KEY: sandbox.apiKey,
    OUTDIAL_SECRET_CRM: "a-long-enough-secret",
  });
  const absent = () => Promise.reject(new Error("not there in this test"));
  const ports = {
    openLedger: absent,
    startSystem: absent,
    openPlatform: absent,
    runSandbox: absent,
    lookAtProvider: absent,
    provideTemporalServer: absent,
    lookForMissing,
  };
  const spec = (secret: string, url: string) => ({
    follow_ups: [{ id: "a", actions: [{ webhook: { url, secret } }, { enroll: { sequence: "welcome" } }] }],
  });
  expect(await checkNeeds(config, ports, spec("other", "https://10.0.0.1/"))).toMatchObject([
    { status: "fail", detail: expect.stringContaining("actions[0].webhook.url: 10.0.0.1") },
    { status: "fail", detail: expect.stringContaining("OUTDIAL_SECRET_OTHER") },
  ]);
  // Nobody runs whom it could ask for the sequence.
  expect(await checkNeeds(config, ports, spec("crm", "https://93.184.216.34/"))).toMatchObject([
    { status: "ok" },
  ]);
  expect(await checkNeeds(config, ports, {})).toEqual([]);
  const sequences = await lookForMissing(
    config,
    spec("crm", "https://93.184.216.34/"),
    async () => "missing",
  );
  expect(sequences).toMatchObject([{ field: "follow_ups[0].actions[1].enroll.sequence" }]);
});
