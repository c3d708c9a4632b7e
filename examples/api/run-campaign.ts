// A program that has people called over Outdial's API and waits for what comes of it: `npm install outdial`, then, beside
// a server (`outdial server`) that OUTDIAL_API_URL and OUTDIAL_API_TOKEN name, with the numbers to call,
// `npx tsx run-campaign.ts +12125550143 +12125550144`. Begun again under the same name it goes on where it was.
import { createHash } from "node:crypto";
import { env } from "node:process";
import { setTimeout as wait } from "node:timers/promises";

import { ApiProblem, createClient } from "outdial/api";

const api = createClient({
  baseUrl: env["OUTDIAL_API_URL"] ?? "http://127.0.0.1:8480",
  token: env["OUTDIAL_API_TOKEN"] ?? "",
  actor: "run-campaign",
});

/** Makes the campaign; one of the name that is not over yet is gone on with. */
async function createOrFind(name: string) {
  const spec = {
    name,
    agent_id: env["AGENT_ID"] ?? "11111111-1111-4111-8111-111111111111",
    from_numbers: [env["FROM_NUMBER"] ?? "+12025550100"],
    concurrency: 5,
    window: "always" as const,
  };
  try {
    return await api.createCampaign({ body: { spec, new: true } });
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== "campaign_exists") throw error;
    return api.readCampaign({ path: { ref: name } });
  }
}

/** What happens in a campaign from its beginning on, as it is told, until the campaign is over. */
async function* eventsOf(campaign: { id: string; created_at: string }) {
  let after: string | undefined;
  for (;;) {
    const from = after === undefined ? { since: campaign.created_at } : { after };
    for await (const event of api.pages("listEvents", { query: { campaign: campaign.id, ...from } })) {
      yield event;
      if (event.type === "campaign.completed" || event.type === "campaign.cancelled") return;
      after = event.id;
    }
    await wait(1_000);
  }
}

const campaign = await createOrFind(env["CAMPAIGN"] ?? "renewals");
const path = { ref: campaign.id };

// The same list again is no second one, and a campaign that was started is started already.
const list = ["phone", ...process.argv.slice(2)].join("\n");
const digest = createHash("sha256").update(list).digest("hex");
const { rows } = await api.uploadContacts({ path, query: { source_name: "people.csv", digest }, body: list });
console.log(`${rows.accepted} of ${rows.read} people are to be called`);
await api.startCampaign({ path, body: { reason: "run by a program" } });

for await (const { type, data } of eventsOf(campaign))
  console.log(type, data["phone"] ?? "", data["disposition"] ?? data["outcome"] ?? "");

const report = await api.readReport({ path });
console.log(`${report.contacts.done} people were called in ${report.attempts} calls:`, report.dispositions);
const results = await api.downloadResults({ path });
console.log(await results.text());
