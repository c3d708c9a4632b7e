import { expect, inject, it } from "vitest";

import { brokenBounds } from "../../bench/campaign-bounds.ts";
import { measureCampaign } from "../../bench/measure-campaign.ts";
import { given } from "../support/ledgers.ts";
import { sized } from "../support/long.ts";
import { cacheDir } from "../support/setup-temporal.ts";

/** `npm run bench -- campaign` does the same with 100,000 contacts; what a contact costs falls with the number. */
const CONTACTS = sized({ short: 5_000, long: 10_000 });

it.skipIf(inject("postgresUrl") === undefined)(
  "a large campaign keeps within its bounds of actions, requests, history and memory",
  async () => {
    const measure = await measureCampaign({
      contacts: CONTACTS,
      concurrency: 1_000,
      speed: 200,
      attempts: 3,
      isBlind: false,
      postgresUrl: given(inject("postgresUrl")),
      cacheDir: cacheDir(),
    });
    console.log(JSON.stringify({ ...measure, report: undefined }));
    expect(measure.report).toMatchObject({
      state: "completed",
      contacts: { total: CONTACTS, done: CONTACTS, open: 0 },
    });
    // Heartbeats go by the time that it took, and that is the machine's: the others are counted.
    const { contacts, actionsPerContact, heartbeatsAtSpeed1 } = measure;
    const counted = actionsPerContact - heartbeatsAtSpeed1 / contacts;
    expect(brokenBounds({ ...measure, actionsPerContact: counted })).toEqual([]);
  },
);
