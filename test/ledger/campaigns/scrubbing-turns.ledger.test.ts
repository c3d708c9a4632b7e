import { createServer, type Server } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { createScrubbing, type Scrubbing } from "../../../src/chores/campaigns/scrubbing.ts";
import { declareSource, dropSource } from "../../../src/ledger/campaigns/renewing.ts";
import { listSources, readSource } from "../../../src/ledger/ground/suppression-sources.ts";
import { createOutbound } from "../../../src/outbound/client.ts";
import type { Outbound } from "../../../src/outbound/outbound.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { noFollowUpPorts } from "../../support/ports.ts";
import { startReceiver, type Receiver } from "../../support/receiver.ts";
import { place, standing } from "../support/placing.ts";
import { DAY_MS, freshPhones, NOW_MS, PACE, plan, running } from "../support/scenario.ts";
import { PATIENCE_MS } from "../../support/until.ts";

/* Turns of scrubbing services: none waits for another, and none of its campaigns for all of a long list. */

const BOUND = { timeout: PATIENCE_MS, interval: 20 };

let count = 0;
const fresh = () => {
  count += 1;
  return { brand: `turns-${count}`, name: `turns-service-${count}` };
};

const phonesIn = (body: string): string[] => (JSON.parse(body) as { data: { phones: string[] } }).data.phones;

const clear = ({ body }: { body: string }) => ({
  status: 200,
  body: JSON.stringify({ listed: [], clear: phonesIn(body) }),
});

describeLedgers("turns of scrubbing services", (ledger) => {
  let outbound: Outbound;
  let service: Receiver;
  /** Takes requests, and never answers one. */
  let silent: Server;
  let silentUrl: string;
  let heldOpen = 0;
  let begun: Scrubbing[] = [];

  beforeAll(async () => {
    outbound = createOutbound({ allow: ["127.0.0.1"] });
    service = await startReceiver();
    silent = createServer((request) => {
      heldOpen += 1;
      request.resume();
    });
    await new Promise<void>((resolve) => {
      silent.listen(0, "127.0.0.1", resolve);
    });
    const address = silent.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    silentUrl = `http://127.0.0.1:${address.port}/`;
  });
  afterAll(async () => {
    silent.closeAllConnections();
    silent.close();
    await service.close();
    await outbound.close();
  });
  beforeEach(() => {
    service.received.length = 0;
    service.answer = clear;
    heldOpen = 0;
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(begun.map((one) => one.stop()));
    begun = [];
    for (const { name } of await listSources(ledger().db, undefined))
      await dropSource(ledger(), { name, reason: "over", actor: "test", nowMs: NOW_MS });
  });

  function scrubbing(): Scrubbing {
    const one = createScrubbing({
      ...noFollowUpPorts(),
      ledger: ledger(),
      outbound,
      secrets: { read: () => ["a secret of our own"] },
      wake: { campaign() {}, batch() {} },
      log: { info() {}, warn() {}, error() {} },
      now: () => NOW_MS,
    } as unknown as ActivityDeps);
    begun.push(one);
    return one;
  }

  const declare = ({ name, brand }: { name: string; brand: string }, url = service.url) =>
    declareSource(ledger(), {
      name,
      brand,
      maxAgeMs: undefined,
      type: "scrub",
      scrub: { url, secret: "scrub-key", cacheMs: DAY_MS, whenAway: "wait" },
      actor: "test",
      dialByMarginMs: PACE.dialByMarginMs,
      nowMs: NOW_MS,
    });

  const asked = () => service.received.map(({ body }) => phonesIn(body));

  it("a service that never answers keeps neither another brand's lists nor its placed calls from being asked about and dialed", async () => {
    const slow = fresh();
    const quick = fresh();
    await declare(slow, silentUrl);
    await declare(quick);
    await running(ledger(), freshPhones(3), { brand: slow.brand });
    const first = await running(ledger(), freshPhones(2), { brand: quick.brand });
    const turns = scrubbing();
    await turns.begin();
    await vi.waitFor(() => {
      expect(heldOpen).toBe(1);
      expect(asked()).toHaveLength(1);
    }, BOUND);
    await vi.waitFor(async () => {
      expect((await plan(ledger(), first)).batchIds).toHaveLength(1);
    }, BOUND);
    // It is still being asked, and whoever comes meanwhile is asked about and dialed: a list, and a call that is placed.
    const later = await running(ledger(), freshPhones(2), { brand: quick.brand });
    const { id: placed } = await standing(ledger(), { brand: quick.brand });
    await place(ledger(), placed, given(freshPhones(1)[0]));
    await vi.waitFor(async () => {
      await turns.begin();
      expect(asked().flat()).toHaveLength(5);
      expect((await plan(ledger(), later)).batchIds).toHaveLength(1);
      expect((await plan(ledger(), placed)).batchIds).toHaveLength(1);
    }, BOUND);
    expect(heldOpen).toBe(1);
    // Nor does it keep the process from ending; then it may be asked at once again.
    await turns.stop();
    expect(await readSource(ledger().db, slow.name)).toMatchObject({ failures: 0, askAfterMs: undefined });
    await scrubbing().begin();
    await vi.waitFor(() => {
      expect(heldOpen).toBe(2);
    }, BOUND);
  });

  it("campaigns are asked about in turn, a request's worth of each, and no list has to wait for a longer one", async () => {
    const source = fresh();
    await declare(source);
    const long = freshPhones(2_300);
    const other = freshPhones(1_200);
    await running(ledger(), long, { brand: source.brand }, NOW_MS - 1_000);
    await running(ledger(), other, { brand: source.brand });
    const turns = scrubbing();
    await turns.begin();
    await turns.settled();
    expect(asked()).toEqual([
      long.slice(0, 1_000),
      other.slice(0, 1_000),
      long.slice(1_000, 2_000),
      [...other.slice(1_000), ...long.slice(2_000)],
    ]);
  });

  it("a turn ends in time, and the next one goes on with the campaign that was asked about longest ago", async () => {
    const source = fresh();
    await declare(source);
    const lists = [freshPhones(1_500), freshPhones(1_500), freshPhones(1_500)] as const;
    for (const [n, phones] of lists.entries())
      await running(ledger(), phones, { brand: source.brand }, NOW_MS - 10_000 + n * 1_000);
    let lateMs = 0;
    const clock = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => clock() + lateMs);
    service.answer = (delivery) => {
      // More than a turn has.
      lateMs += 61_000;
      return clear(delivery);
    };
    const turns = scrubbing();
    const begins: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      await turns.begin();
      await turns.settled();
      expect(asked()).toHaveLength(n + 1);
      begins.push(given(asked().at(-1)?.[0]));
    }
    expect(begins).toEqual([lists[0][0], lists[1][0], lists[2][0], lists[0][1_000]]);
  });

  it("a call that is placed while a long list is asked about goes before the rest of it", async () => {
    const source = fresh();
    await declare(source);
    const long = freshPhones(3_000);
    await running(ledger(), long, { brand: source.brand });
    const [early, late] = freshPhones(2) as [string, string];
    const { id } = await standing(ledger(), { brand: source.brand });
    await place(ledger(), id, early);
    let lateMs = 0;
    const clock = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => clock() + lateMs);
    const placing: Promise<unknown>[] = [];
    const request = outbound.request.bind(outbound);
    const spied = vi.spyOn(outbound, "request").mockImplementation(async (input) => {
      // Placed while the first request about the list is under way, which takes six seconds.
      if (spied.mock.calls.length === 2) {
        placing.push(place(ledger(), id, late));
        await Promise.all(placing);
        lateMs += 6_000;
      }
      return request(input);
    });
    const turns = scrubbing();
    await turns.begin();
    await turns.settled();
    expect(asked()).toEqual([
      [early],
      long.slice(0, 1_000),
      [late],
      long.slice(1_000, 2_000),
      long.slice(2_000),
    ]);
  });
});
