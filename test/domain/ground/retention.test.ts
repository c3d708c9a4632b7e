import { expect, it } from "vitest";

import {
  cutoffsAt,
  objectionToKeeping,
  RETENTION,
  RETENTION_KINDS,
  retentionOf,
} from "../../../src/domain/ground/retention.ts";
import { readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { DAY_MS } from "../../../src/domain/time/local-day.ts";

const NOW_MS = 2_000 * DAY_MS;

it("keeps everything for good but deliveries and events, unless somebody says otherwise", () => {
  const kept = Object.entries(cutoffsAt(retentionOf({}), NOW_MS)).filter(
    ([, before]) => before !== undefined,
  );
  expect(kept).toEqual([
    ["deliveries", NOW_MS - 7 * DAY_MS],
    ["events", NOW_MS - 30 * DAY_MS],
  ]);
});

it("takes variables, recordings and the platform's records with the number, whatever is said of those", () => {
  const said = { attempts: 400 * DAY_MS, contacts: null, recordings: 900 * DAY_MS, platform_calls: null };
  expect(cutoffsAt(retentionOf(said), NOW_MS)).toMatchObject({
    contacts: NOW_MS - 400 * DAY_MS,
    recordings: NOW_MS - 400 * DAY_MS,
    platform_calls: NOW_MS - 400 * DAY_MS,
    attempts: NOW_MS - 400 * DAY_MS,
  });
  const sooner = { ...said, contacts: 30 * DAY_MS, platform_calls: 60 * DAY_MS };
  expect(cutoffsAt(retentionOf(sooner), NOW_MS)).toMatchObject({
    contacts: NOW_MS - 30 * DAY_MS,
    platform_calls: NOW_MS - 60 * DAY_MS,
  });
});

it("keeps numbers for as long as any campaign may look back", () => {
  const reading = readCampaignSpec({
    name: "a",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 1,
    frequency: [{ attempts: 1, within: "366d" }],
  });
  expect(reading.ok).toBe(true);
  expect(objectionToKeeping("attempts", 366 * DAY_MS)).toBeUndefined();
  expect(objectionToKeeping("attempts", 366 * DAY_MS - 1)).toMatch(/366d at least/);
});

it("says of each kind why no less, and no more where that is bounded", () => {
  for (const kind of RETENTION_KINDS) {
    const { leastMs, mostMs } = RETENTION[kind];
    expect(objectionToKeeping(kind, leastMs)).toBeUndefined();
    expect(objectionToKeeping(kind, leastMs - 1)).toMatch(/at least, since/);
    expect(objectionToKeeping(kind, undefined) === undefined).toBe(mostMs === undefined);
    if (mostMs === undefined) continue;
    expect(objectionToKeeping(kind, mostMs)).toBeUndefined();
    expect(objectionToKeeping(kind, mostMs + 1)).toMatch(/at most/);
  }
});
