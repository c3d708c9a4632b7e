import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { readContactGroups } from "../../../src/ledger/campaigns/outlook.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import type { AnswerOf } from "../../../src/api/index.ts";
import { cancelCampaign } from "../../../src/ledger/campaigns/commands.ts";
import { freshPhones, HOUR_MS, NOW_MS, running, specOf } from "../../ledger/support/scenario.ts";
import { describeLedgers } from "../../support/ledgers.ts";
import { openApi } from "../support.ts";

describeLedgers("what is to come of a campaign", (ledger) => {
  it("counts everybody once, however few are read at once, and whatever they came to", async () => {
    const id = await running(ledger(), freshPhones(40), specOf({ name: "counted", window: "always" }));
    await rows(
      ledger().db,
      sql`update contacts set
            state = (array['open', 'open', 'done', 'excluded', 'done'])[1 + line % 5],
            outcome = case line % 5 when 2 then 'answered' when 4 then 'no_answer' end,
            reason = case when line % 5 = 3 then 'suppressed' when line % 5 in (2, 4) then 'reached' end,
            attempts = (array[0, 2, 1, 0, 3])[1 + line % 5],
            last_disposition = case line % 5 when 1 then 'busy' end,
            due_at = to_timestamp(${NOW_MS} / 1000.0) + make_interval(hours => case line % 5 when 1 then 3 else -1 end, mins => 30)
          where campaign_id = ${id}::uuid`,
    );
    const read = (atOnce: number) =>
      readContactGroups(ledger().db, { campaignId: id, nowMs: NOW_MS, atOnce }).then((groups) =>
        groups
          .map(({ state, came, attempts, last, dueHours, lane, contacts }) => ({
            said: [state, came, attempts, last, dueHours, lane !== undefined].join(),
            contacts,
          }))
          .sort((a, b) => (a.said < b.said ? -1 : 1)),
      );
    const whole = await read(1_000);
    expect(whole).toEqual([
      { said: "done,answered,1,,,false", contacts: 8 },
      { said: "done,no_answer,3,,,false", contacts: 8 },
      { said: "excluded,suppressed,0,,,false", contacts: 8 },
      { said: "open,,0,,-1,true", contacts: 8 },
      { said: "open,,2,busy,3,true", contacts: 8 },
    ]);
    for (const atOnce of [1, 7, 8, 40]) expect(await read(atOnce), `${atOnce} at once`).toEqual(whole);
  });

  it("is told by the API: who falls due, how far people came, where they are, and when it ends", async () => {
    const id = await running(ledger(), freshPhones(6), specOf({ name: "ahead", window: "always" }));
    const api = await openApi(ledger());
    const ask = () => api.app.inject({ url: `/v1/campaigns/${id}/outlook` });
    const found = (await ask()).json<AnswerOf<"readOutlook">>();
    expect(found.funnel).toEqual([{ call: 0, contacts: 6, done: {}, excluded: 0, open: 6 }]);
    expect(found.due.now).toEqual({ first: 6, retries: 0 });
    expect(found.due.hours).toHaveLength(48);
    const atMs = Date.parse(found.at);
    const day = { from: found.at, until: new Date(atMs + 24 * HOUR_MS).toISOString() };
    expect(found.zones).toMatchObject([{ contacts: 6, open: [day] }]);
    expect(found.forecast).toMatchObject({ people: 6, lines: 10, runs: 10, open: { high: 0 } });
    expect(found.forecast?.calls.median).toBeGreaterThanOrEqual(6);
    expect(Date.parse(found.forecast?.end.median ?? "")).toBeGreaterThan(atMs);
    // It is kept for all who ask.
    await rows(ledger().db, sql`update contacts set attempts = 1 where campaign_id = ${id}::uuid`);
    expect((await ask()).json()).toEqual(found);
    // What somebody decides is seen at once.
    await cancelCampaign(ledger(), {
      campaignId: id,
      commandId: "cancel the outlook",
      actor: "ann",
      reason: "enough",
      nowMs: NOW_MS,
    });
    const after = (await ask()).json<AnswerOf<"readOutlook">>();
    expect(after).toMatchObject({ forecast: null, forecast_unknown: expect.stringMatching(/over|end/) });
    expect(after.funnel[1]).toMatchObject({ contacts: 6 });
  });
});
