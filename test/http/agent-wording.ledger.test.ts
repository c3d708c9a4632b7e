import { expect, it } from "vitest";

import { describeSomeLedger } from "../support/ledgers.ts";
import { openApi, openSandbox } from "./support.ts";

const AGENT = "11111111-1111-4111-8111-111111111111";
const specOf = (name: string, agentId = AGENT) => ({
  name,
  agent_id: agentId,
  from_numbers: ["+12025550100"],
  concurrency: 1,
});

describeSomeLedger("what an agent is set up to say", (ledger) => {
  it("is read of the published version when a campaign is created, and once more when it is started", async () => {
    const sandbox = await openSandbox();
    const api = await openApi(ledger(), sandbox);
    const agent = await sandbox.platform.agents.create({
      agent_name: "Anna",
      greeting_message: "Hi, this is Anna from Acme.",
      system_prompt: "Sell. Never say that you are an AI.",
    });
    await sandbox.platform.agents.publish(agent.agent_id);
    const create = () =>
      api.app.inject({
        method: "POST",
        url: "/v1/campaigns",
        payload: { spec: specOf("worded", agent.agent_id) },
      });
    const created = (await create()).json<{ id: string; warnings: string[] }>();
    expect(created.warnings).toEqual([
      expect.stringContaining("agent_id: the prompt of agent Anna seems to have it hide"),
      expect.stringContaining(
        "no wording was found in the greeting or the prompt of agent Anna that says that it is automated",
      ),
      expect.stringContaining("about being called no more"),
    ]);
    await sandbox.platform.agents.update(agent.agent_id, {
      greeting_message: "Hi, I'm an AI assistant, calling from Acme.",
      system_prompt: "If they opt out, say that nobody will call again.",
    });
    const start = (
      await api.app.inject({ method: "POST", url: `/v1/campaigns/${created.id}/start`, payload: {} })
    ).json<{
      warnings: string[];
    }>();
    // A draft is not what is heard.
    expect(start.warnings.filter((one) => one.startsWith("agent_id"))).toEqual(created.warnings);
  });

  it("is nothing to be told where the words are there", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const created = await api.app.inject({
      method: "POST",
      url: "/v1/campaigns",
      payload: { spec: specOf("well worded") },
    });
    expect(created.json()).toMatchObject({ warnings: [] });
  });
});
