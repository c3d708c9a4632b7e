import { expect, test } from "vitest";

import type { Api } from "../../../src/cli/api/client.ts";
import { ApiProblemError } from "../../../src/cli/api/errors.ts";
import type { Voice } from "../../../src/cli/context.ts";
import { driveCampaign, type DriveInput } from "../../../src/cli/campaigns/run/drive.ts";
import { coloursOf } from "../../../src/cli/view/colours.ts";
import { openScreen } from "../../../src/cli/view/screen.ts";
import { readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { campaignOf, progressOf, temporaryFolder, writeFile } from "../support.ts";

function inputOf(changes: Partial<DriveInput> = {}): DriveInput {
  const reading = readCampaignSpec(campaignOf().spec);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const path = writeFile(temporaryFolder(), "list.csv", "phone\n+12025550143\n");
  return {
    spec: reading.spec,
    list: { path, name: "list.csv", bytes: 20, digest: "aaaa" },
    reading: { map: {}, defaultRegion: undefined },
    amend: false,
    isNew: false,
    partial: false,
    ...changes,
  };
}

/** A system in which another `run` makes the campaign between our look and our creating it. */
function raced() {
  const said: string[] = [];
  let isMade = false;
  const campaigns = {
    find: async () => (isMade ? campaignOf() : undefined),
    async create() {
      isMade = true;
      throw new ApiProblemError({
        title: "Conflict",
        status: 409,
        code: "campaign_exists",
        detail: 'campaign "spring" exists and is scheduled (run 1)',
      });
    },
    progress: async () => progressOf({ state: "completed", live_batches: 0 }),
  };
  const voice: Voice = {
    screen: openScreen({ write: (text) => said.push(text) }, { live: false }),
    colours: coloursOf(false),
    inWords: true,
    tell: () => {},
    present: () => {},
    json: () => {},
  };
  const { signal } = new AbortController();
  return { driver: { api: { campaigns } as unknown as Api, voice, signal }, said };
}

test("a run whose campaign another one has just made carries on with it", async () => {
  const { driver, said } = raced();
  expect(await driveCampaign(driver, inputOf())).toEqual({ kind: "over", campaignId: "c" });
  expect(said.join("")).toContain('campaign "spring" is running (run 1): carrying on with it');
});

test("a run with another list is not put together with the one that was quicker", async () => {
  const { driver } = raced();
  const list = { ...inputOf().list, digest: "bbbb" };
  await expect(driveCampaign(driver, inputOf({ list }))).rejects.toThrow("exists and is scheduled");
});

test("a new run that was asked for is not joined to somebody else's", async () => {
  const { driver } = raced();
  await expect(driveCampaign(driver, inputOf({ isNew: true }))).rejects.toThrow("exists and is scheduled");
});

test("a run that amends says what the changed campaign needs that is not there", async () => {
  const { driver, said } = raced();
  const campaigns = {
    find: async () => campaignOf(),
    amend: async () => ({
      state: "running",
      command_id: "x",
      policy_version: 2,
      differences: [{ field: "follow_ups", before: "[]", after: "[...]" }],
      warnings: ["follow_ups[0].actions[0].webhook.secret: set OUTDIAL_SECRET_CRM"],
    }),
    progress: async () => progressOf({ state: "completed", live_batches: 0 }),
  };
  const reading = readCampaignSpec({ ...campaignOf().spec, concurrency: 7 });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const api = { campaigns } as unknown as Api;
  await driveCampaign({ ...driver, api }, inputOf({ spec: reading.spec, amend: true }));
  expect(said.join("")).toContain("warning: follow_ups[0].actions[0].webhook.secret: set OUTDIAL_SECRET_CRM");
});
