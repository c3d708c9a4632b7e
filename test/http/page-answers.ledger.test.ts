import { expect, it } from "vitest";

import { counted } from "../ledger/support/counted.ts";
import { untilTold } from "../ledger/support/told.ts";
import { freshName } from "../support/intake.ts";
import { describeLedgers, given } from "../support/ledgers.ts";
import { openGuarded, type Guarded } from "./access/support.ts";
import { specOf } from "./support.ts";

const PAGES = 20;

/** Somebody with a browser, and a page that was told up to a place. */
async function openPage({ ask, makeToken }: Guarded) {
  const { secret } = await makeToken("operator");
  const entered = await ask({ method: "POST", url: "/v1/session", payload: { token: secret } }, "");
  const cookie = given(String(entered.headers["set-cookie"]).split(";")[0]);
  return (url: string, seen?: string) =>
    ask({ url, headers: { cookie, ...(seen !== undefined && { "x-outdial-seen": seen }) } }, "");
}

describeLedgers("answers of open pages", (ledger) => {
  it("cost the ledger hardly more for many than for one, whoever they are", async () => {
    const { ledger: counting, take } = counted(ledger());
    const guarded = await openGuarded(counting, { monotonicMs: () => 0 });
    const pages = await Promise.all(Array.from({ length: PAGES }, () => openPage(guarded)));
    const [first] = pages as [(typeof pages)[0], ...typeof pages];
    // What a process asks once is asked.
    await first("/v1/campaigns?limit=6");
    const one = await costOf(take, () => first("/v1/campaigns?limit=8"));
    const many = await costOf(take, () => Promise.all(pages.map((page) => page("/v1/campaigns?limit=9"))));
    expect(one).toBeGreaterThan(1);
    // Who they are is looked up by two statements in the place of one.
    expect(many).toBeLessThanOrEqual(one + 1);
  });

  it("are counted for each of them, from one office as well as from many", async () => {
    const guarded = await openGuarded(ledger());
    const left = async (page: Awaited<ReturnType<typeof openPage>>) =>
      Number((await page("/v1/campaigns?limit=5")).headers["x-ratelimit-remaining"]);
    const [busy, other] = [await openPage(guarded), await openPage(guarded)];
    const before = await left(busy);
    for (let n = 0; n < 10; n += 1) await busy("/v1/campaigns?limit=5");
    expect([await left(busy), await left(other)]).toEqual([before - 11, before]);
  });

  it("show what happened to whoever was told of it, and to who asks after that", async () => {
    const guarded = await openGuarded(ledger(), { monotonicMs: () => 0 });
    const { ask } = guarded;
    const [page, other] = [await openPage(guarded), await openPage(guarded)];
    const url = "/v1/campaigns?limit=1";
    const nameIn = (answer: Awaited<ReturnType<typeof page>>) =>
      answer.json<{ items: { name: string }[] }>().items[0]?.name;
    const before = nameIn(await page(url));
    const name = freshName("new");
    const created = await ask({ method: "POST", url: "/v1/campaigns", payload: { spec: specOf({ name }) } });
    expect(created.statusCode).toBe(201);
    await untilTold(ledger());
    const events = (await ask({ url: "/v1/events?types=campaign.created&limit=500" })).json<{
      items: { id: string }[];
    }>().items;
    const seen = given(events.at(-1)).id;
    // One that was told of nothing has what there was a moment ago.
    expect(nameIn(await page(url))).toBe(before);
    expect(nameIn(await other(url, seen))).toBe(name);
    expect(nameIn(await page(url))).toBe(name);
  });
});

async function costOf(take: () => number, work: () => Promise<unknown>): Promise<number> {
  take();
  await work();
  return take();
}
