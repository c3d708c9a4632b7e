import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import type { Bucket } from "../../../src/ledger/campaigns/timeline.ts";
import { readTimeline } from "../../../src/ledger/campaigns/timeline.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import {
  freshPhones,
  MINUTE_MS,
  NOW_MS,
  planAndStart,
  running,
  specOf,
} from "../../ledger/support/scenario.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { openApi } from "../support.ts";

const counted = (buckets: readonly Bucket[]) =>
  buckets.map(({ dials, answered, up }) => [dials, answered, up]);

describeSomeLedger("a campaign over time", (ledger) => {
  it("says of each stretch how many calls began, were answered, and were up at its end", async () => {
    const id = await running(ledger(), freshPhones(5), specOf({ name: "over time", concurrency: 5 }));
    await planAndStart(ledger(), id);
    const at = (minutes: number) => new Date(NOW_MS + minutes * MINUTE_MS).toISOString();
    const attempts = await rows<{ id: number }>(
      ledger().db,
      sql`select id::float8 as id from attempts where campaign_id = ${id}::uuid order by id`,
    );
    // One began before the stretch and ended in it; one is still up; one was never begun.
    const calls: [began: number | undefined, ended: number | undefined, disposition: string | undefined][] = [
      [-1, 1.5, "answered"],
      [0.5, 0.9, "busy"],
      [1.2, undefined, undefined],
      [2.1, 2.9, "answered"],
      [undefined, undefined, undefined],
    ];
    for (const [n, [began, ended, disposition]] of calls.entries())
      await rows(
        ledger().db,
        sql`update attempts set started_at = ${began === undefined ? null : at(began)}::timestamptz,
                   ended_at = ${ended === undefined ? null : at(ended)}::timestamptz,
                   state = ${ended === undefined ? "open" : "ended"}, disposition = ${disposition ?? null}
            where id = ${attempts[n]?.id ?? 0}`,
      );
    const question = { campaignId: id, fromMs: NOW_MS, untilMs: NOW_MS + 4 * MINUTE_MS, bucketMs: MINUTE_MS };
    expect(counted(await readTimeline(ledger().db, question))).toEqual([
      [1, 0, 1],
      [1, 0, 1],
      [1, 1, 1],
      [0, 0, 1],
    ]);
    expect(await readTimeline(ledger().db, { ...question, campaignId: crypto.randomUUID() })).toHaveLength(4);
  });

  it("is shown for an hour or six, in sixty parts that end with the minute that is under way", async () => {
    const id = await running(ledger(), freshPhones(1), specOf({ name: "sixty parts", concurrency: 7 }));
    const api = await openApi(ledger());
    const six = await api.app.inject({ url: `/v1/campaigns/${id}/timeline`, query: { minutes: "360" } });
    const { from, until, buckets, ...rest } = six.json<{ from: string; until: string; buckets: object[] }>();
    expect(rest).toEqual({ bucket_seconds: 360, concurrency: 7 });
    expect(buckets).toHaveLength(60);
    expect(Date.parse(until) - Date.parse(from)).toBe(6 * 60 * MINUTE_MS);
    const refused = await api.app.inject({ url: `/v1/campaigns/${id}/timeline`, query: { minutes: "1440" } });
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain("minutes");
  });

  it("says of each set of zones why nobody in it is called now, what its clocks show, and until when", async () => {
    const id = await running(ledger(), freshPhones(1), specOf({ name: "held back" }));
    await rows(
      ledger().db,
      sql`with two as (
            insert into zone_sets (key, zones) values ('Asia/Kolkata,Europe/Berlin', '{Asia/Kolkata,Europe/Berlin}')
            on conflict (key) do update set key = excluded.key returning id
          )
          insert into holds (campaign_id, zone_set_id, reason, detail, policy_version, from_at)
          select ${id}::uuid, id, 'window', 'until 2026-06-02T07:00:00.000Z: opens then', 1, now() from two
          union all select ${id}::uuid, null, 'paused', 'somebody said so', 1, now()`,
    );
    const api = await openApi(ledger());
    const { items, more } = (await api.app.inject({ url: `/v1/campaigns/${id}/holds` })).json<{
      items: { zones: string[]; until: string | null; local: { at: string; zones: string[] }[] }[];
      more: boolean;
    }>();
    expect(more).toBe(false);
    expect(items).toMatchObject([
      { zones: [], reason: "paused", until: null, local: [] },
      { reason: "window", until: "2026-06-02T07:00:00.000Z" },
    ]);
    expect(items[1]?.local.map(({ zones }) => zones)).toEqual([["Europe/Berlin"], ["Asia/Kolkata"]]);
    expect(items[1]?.local[1]?.at).toMatch(/\+05:30$/);
  });
});
