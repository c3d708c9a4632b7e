import { expect, it } from "vitest";

import { MOST_WALKS, readSteadily } from "../../../src/activities/campaigns/steady-listing.ts";
import { paceAt } from "../../../src/activities/deps.ts";
import type { BatchCall, Platform } from "../../../src/platform/index.ts";

/** What each walk through the list of batches shows, by id and the minute that the batch was created in. */
type Shown = Readonly<Record<string, number | undefined>>;

async function read(walks: (walk: number) => Shown) {
  let walk = 0;
  const looked: string[] = [];
  const iterate = async function* () {
    walk += 1;
    for (const [id, minute] of Object.entries(walks(walk))) {
      const created =
        minute === undefined ? undefined : new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
      yield { batch_call_id: id, created_at: created } as BatchCall;
    }
  };
  const platform = { batchCalls: { iterate } } as unknown as Platform;
  const pace = { ...paceAt(1), lookMs: 0 };
  const listing = await readSteadily({ platform, pace }, async (row) => void looked.push(row.batch_call_id));
  return { ...listing, looked, walks: walk };
}

it("a list that holds still is walked twice, and each batch is looked at once", async () => {
  expect(await read(() => ({ b: 2, a: 1 }))).toMatchObject({ isSteady: true, walks: 2, looked: ["b", "a"] });
});

it("a list that loses a row is walked until none is gone", async () => {
  const shown = [
    { c: 3, b: 2 },
    { b: 2, a: 1 },
    { b: 2, a: 1 },
  ];
  expect(await read((walk) => shown[walk - 1] ?? {})).toMatchObject({
    isSteady: true,
    walks: 3,
    looked: ["c", "b", "a"],
  });
});

it("a row that comes into its midst was passed over: the list is walked again", async () => {
  const whole = { b: 2, a: 1 };
  expect(await read((walk) => (walk === 1 ? { b: 2 } : whole))).toMatchObject({
    walks: 3,
    looked: ["b", "a"],
  });
  const undated = { b: 2, a: undefined };
  expect(await read((walk) => (walk === 1 ? { b: 2 } : undated))).toMatchObject({ walks: 3 });
});

it("batches that others go on to create keep no walk from being the last one", async () => {
  const shown = (walk: number) =>
    Object.fromEntries(Array.from({ length: walk }, (_, index) => [`new ${index}`, index]));
  expect(await read(shown)).toMatchObject({ isSteady: true, walks: 2, looked: ["new 0", "new 1"] });
});

it("a list that loses rows for ever is given up", async () => {
  const listing = await read((walk) => ({ [`row ${walk}`]: 1 }));
  expect(listing).toMatchObject({ isSteady: false, walks: MOST_WALKS });
});
