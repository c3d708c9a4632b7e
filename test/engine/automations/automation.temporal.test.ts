import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

import { watchAutomations } from "../../../src/chores/automations/watch.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { readAutomation } from "../../../src/ledger/automations/automations.ts";
import { outdial, temporaryFolder, writeFile } from "../../cli/support.ts";
import { openApi } from "../../http/support.ts";
import { AGENT, onPlatform, workflowJson } from "../../support/automation-run.ts";
import { startEngine, until } from "../../support/engine.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { textsIn } from "../../support/texts-in.ts";

const TOKEN = "a-token-of-this-test-0123456789";

withLedger((ledger) => {
  describe("an automation", () => {
    it("is declared, tested, watched, run again, exported, imported and removed from the command line", async () => {
      const engine = await startEngine(ledger(), { speed: 200, secrets: { slack: ["xoxb-secret"] } });
      onTestFinished(() => engine.close());
      const { platform } = engine.deps;
      const { app } = await openApi(ledger(), { token: TOKEN, platform });
      const url = await app.listen({ host: "127.0.0.1", port: 0 });
      const folder = temporaryFolder();
      const settings = { OUTDIAL_API_URL: url, OUTDIAL_API_TOKEN: TOKEN, OUTDIAL_DATA_DIR: folder };
      const run = (...args: string[]) => outdial(["automation", ...args], settings);
      const success = engine.sandbox.faults.add({ kind: "execution", outcome: "success" });
      writeFile(folder, "crm.json", JSON.stringify(workflowJson("crm", "slackApi")));
      const declared = (more = "") =>
        writeFile(
          folder,
          "crm.yaml",
          `kind: automation
name: crm-sync
trigger_type: post_call
workflow: { file: crm.json }
secrets: { slackApi.accessToken: { secret: slack } }
test: { data: { call_id: c }, expect: 'output.ok == true' }
agents: [{ agent_id: ${AGENT}, when: the call was answered }]
${more}`,
        );
      // Nobody is there to do it: what was accepted waits.
      expect((await run("put", declared())).stdout).toContain("is declared, and is being brought");
      await engine.startWorkers();
      const put = await run("put", declared("repeat: safe\n"), "--wait");
      expect(put).toMatchObject({ code: 0, stdout: expect.stringContaining("automation crm-sync is ready") });
      expect((await run("put", declared("repeat: safe\n"))).stdout).toContain("as the file says already");
      expect(await onPlatform(platform, "crm-sync")).toHaveLength(1);

      expect((await run("test", "crm-sync", "--wait")).stdout).toContain("came to what is expected");
      engine.sandbox.faults.remove(success.fault_id);
      engine.sandbox.faults.add({ kind: "execution", outcome: "failed", error: "CRM says no", times: 1 });
      const { workflowId = "" } = given(await readAutomation(ledger().db, "crm-sync"));
      await platform.workflows.execute(workflowId, {
        context_data: { call_id: "c1" },
        execution_mode: "async",
      });
      await until("the failure to be seen", async () => {
        await watchAutomations(engine.deps);
        const { total } = await listAttention(ledger().db, {
          subject: "crm-sync",
          resolved: false,
          limit: 1,
        });
        return total > 0;
      });
      const health = await run("health");
      expect(health.stdout).toMatch(/crm-sync\s+ready\s+0 %/);
      expect(health.stdout).toContain("CRM says no");
      const failed = await run("executions", "crm-sync", "--failed", "--json");
      const [execution] = (JSON.parse(failed.stdout) as { items: { execution_id: string }[] }).items;
      engine.sandbox.faults.add({ kind: "execution", outcome: "success" });
      const id = given(execution).execution_id;
      expect((await run("rerun", id)).stdout).toContain("is run again");
      await until("the rerun to be done", async () =>
        (await run("show", "crm-sync")).stdout.includes(`rerun of ${id}: done`),
      );
      expect(await run("rerun", id)).toMatchObject({
        code: expect.not.stringMatching(/^0$/),
        stderr: expect.stringContaining("was run again"),
      });

      const shown = await run("show", "crm-sync");
      expect(shown.stdout + put.stdout).not.toContain("xoxb");
      const exported = path.join(folder, "exported.json");
      fs.writeFileSync(exported, (await run("export", "crm-sync")).stdout);
      expect((await run("import", exported, "--name", "crm-copy")).stdout).toContain("crm-copy is declared");
      await until(
        "the copy to be ready",
        async () => (await run("list")).stdout.match(/crm-copy\s+ready/) !== null,
      );
      expect((await run("restore", "crm-copy", "--version", "1", "--wait")).stdout).toContain(
        "version 1 was brought back",
      );
      expect((await run("restore", "crm-copy", "--version", "77", "--wait")).code).not.toBe(0);
      expect((await run("retry", "crm-copy", "--wait")).stdout).toContain("crm-copy is ready");

      for (const name of ["crm-sync", "crm-copy"]) await run("remove", name, "--platform");
      await until("both to be gone", async () => (await run("list")).stdout.includes("no automations"));
      expect(await onPlatform(platform, "crm-")).toEqual([]);
      expect((await run("show", "crm-sync")).stderr).toContain("there is no automation");
      const workflow = engine.client.workflow.list({ query: "WorkflowType = 'automationWorkflow'" });
      for await (const { workflowId: ran } of workflow) {
        const history = textsIn(await engine.client.workflow.getHandle(ran).fetchHistory());
        expect(history).not.toContain("xoxb");
        expect(history).not.toContain("n8n-nodes");
      }
    });

    it("is refused by the API with every problem, and answered 404 and 409 where that is so", async () => {
      const { app } = await openApi(ledger());
      const ask = async (method: "GET" | "PUT" | "POST" | "DELETE", at: string, payload?: object) => {
        const { statusCode, body } = await app.inject({
          method,
          url: `/v1/automations${at}`,
          ...(payload && { payload }),
        });
        return { statusCode, body: JSON.parse(body) as Record<string, unknown> };
      };
      const refused = await ask("PUT", "", { definition: { name: "X", trigger_type: "often" } });
      expect(refused).toMatchObject({ statusCode: 422, body: { code: "invalid_spec" } });
      expect(refused.body["errors"]).toHaveLength(3);
      expect(await ask("POST", "/import", { exported: {} })).toMatchObject({ statusCode: 422 });
      expect(await ask("GET", "/absent")).toMatchObject({
        statusCode: 404,
        body: { code: "unknown_automation" },
      });
      expect(await ask("POST", "/absent/retry")).toMatchObject({ statusCode: 404 });
      expect(await ask("DELETE", "/absent")).toMatchObject({ statusCode: 404 });
      expect(await ask("POST", "/executions/absent/rerun")).toMatchObject({
        statusCode: 404,
        body: { code: "unknown_execution" },
      });
      const definition = { name: "waiting", trigger_type: "webhook", workflow: {} };
      expect(await ask("PUT", "", { definition })).toMatchObject({
        statusCode: 200,
        body: { change: "created" },
      });
      expect(await ask("POST", "/waiting/test")).toMatchObject({ statusCode: 409 });
      expect(await ask("GET", "/waiting/export")).toMatchObject({ statusCode: 409 });
      expect(await ask("GET", "/waiting/executions")).toMatchObject({ statusCode: 200, body: { total: 0 } });
      expect(await ask("GET", "/health")).toMatchObject({
        body: {
          items: expect.arrayContaining([
            expect.objectContaining({ name: "waiting", success_rate: null, last: null }),
          ]),
        },
      });
    });
  });
});
