import { inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { measureCampaign } from "./measure-campaign.ts";

/** Settings come from `npm run bench -- fill --contacts N --concurrency N --speed N --attempts N --blind 1`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

it("fill", async () => {
  const {
    fill,
    batches,
    contacts,
    attempts,
    seconds,
    requestsPerContact,
    actionsPerContact,
    actions,
    heartbeatsAtSpeed1,
    requests,
  } = await measureCampaign({
    contacts: settings["contacts"] ?? 2_000,
    concurrency: settings["concurrency"] ?? 100,
    speed: settings["speed"] ?? 2,
    attempts: settings["attempts"] ?? 1,
    isBlind: settings["blind"] === 1,
    postgresUrl: given(inject("postgresUrl")),
    cacheDir: cacheDir(),
  });
  console.log(
    `\n${JSON.stringify({ ...fill, contacts, attempts, batches, seconds, requestsPerContact, actionsPerContact, heartbeatsAtSpeed1, actions, requests })}`,
  );
});
