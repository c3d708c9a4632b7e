import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BATCH, clientOf, failureOf, json, type SeenRequest, startPlatform } from "./fake-platform.ts";
import { EndlessListError } from "../../src/platform/index.ts";
import { walk, type WalkOptions } from "../../src/platform/paging.ts";

const rows = (count: number): { id: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: `i${index}` }));

const windowOf = (all: readonly { id: string }[], { query }: SeenRequest, cap = 1000) => {
  const skip = Number(query["skip"]);
  return all.slice(skip, skip + Math.min(Number(query["limit"]), cap));
};

async function idsOf(list: AsyncIterable<{ item_id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const row of list) ids.push(row.item_id);
  return ids;
}

describe("a walk over a list", () => {
  const every = rows(25);
  const ids = every.map((row) => row.id);

  test.each<[string, number, WalkOptions, (request: SeenRequest) => unknown]>([
    ["ends at the total", 3, {}, (r) => ({ items: windowOf(every, r), total: 25 })],
    ["ends at a total that is a text", 3, {}, (r) => ({ items: windowOf(every, r), total: "25" })],
    [
      "goes on to an empty page for proof",
      4,
      { untilEmpty: true },
      (r) => ({ items: windowOf(every, r), total: 25 }),
    ],
    ["ends at an empty page without a total", 4, {}, (r) => windowOf(every, r)],
    [
      "goes on where a page is shorter than asked",
      7,
      {},
      (r) => ({ items: windowOf(every, r, 4), total: 25 }),
    ],
    ["goes on where bare pages are shorter than asked", 8, {}, (r) => windowOf(every, r, 4)],
    ["does not believe a total that is too small", 4, {}, (r) => ({ items: windowOf(every, r), total: 7 })],
    ["does not believe a total that is too large", 4, {}, (r) => ({ items: windowOf(every, r), total: 99 })],
    ["ends at once where a platform sends all rows together", 1, {}, () => ({ items: every, total: 25 })],
  ])("%s (%i requests)", async (_, requests, options, answer) => {
    const server = await startPlatform((request, response) => json(response, 200, answer(request)));
    const found = await idsOf(clientOf(server).batchCalls.iterateItems(BATCH, { limit: 10 }, options));
    expect(found).toEqual(ids);
    expect(server.seen.length).toBe(requests);
  });

  test("asks for what comes after the rows received", async () => {
    const server = await startPlatform((request, response) =>
      json(response, 200, windowOf(every, request, 9)),
    );
    await idsOf(clientOf(server).batchCalls.iterateItems(BATCH, { skip: 2, limit: 10, status: "x" }));
    expect(server.seen.map((one) => one.query)).toEqual([
      { skip: "2", limit: "10", status: "x" },
      { skip: "11", limit: "10", status: "x" },
      { skip: "20", limit: "10", status: "x" },
      { skip: "25", limit: "10", status: "x" },
    ]);
  });

  test("asks for the contract's page sizes by default", async () => {
    const server = await startPlatform((_, response) => json(response, 200, []));
    const platform = clientOf(server);
    await platform.batchCalls.iterate().next();
    await platform.batchCalls.iterateItems(BATCH).next();
    await platform.phoneNumbers.iterate().next();
    await platform.calls.iterate().next();
    await platform.agents.iterate().next();
    await platform.workflows.iterateExecutions("w").next();
    await platform.apiKeys.iterate().next();
    await platform.chat.iterate().next();
    await platform.billing.iterateUsage().next();
    expect(server.seen.map((one) => one.query["limit"])).toEqual([
      "50",
      "100",
      "50",
      "50",
      "50",
      "50",
      "20",
      "50",
      "50",
    ]);
  });

  test("counts pages where the list counts pages, and offsets where it counts those", async () => {
    const server = await startPlatform((request, response) => {
      const { page, offset } = request.query;
      const done = page === "3" || offset === "20";
      json(response, 200, done ? [] : rows(10).map(({ id }) => ({ id: `${page ?? offset}-${id}` })));
    });
    const platform = clientOf(server);
    const found: string[] = [];
    for await (const one of platform.workflows.iterate({ per_page: 10, status: "active" }))
      found.push(one.workflow_id);
    for await (const one of platform.billing.iterateTransactions({ limit: 10 })) found.push(one.id);
    expect(new Set(found).size).toBe(40);
    expect(server.seen.map((one) => one.query)).toEqual([
      { status: "active", page: "1", per_page: "10" },
      { status: "active", page: "2", per_page: "10" },
      { status: "active", page: "3", per_page: "10" },
      { limit: "10", offset: "0" },
      { limit: "10", offset: "10" },
      { limit: "10", offset: "20" },
    ]);
  });

  test("asks for nothing more once its reader has had enough", async () => {
    const server = await startPlatform((request, response) => json(response, 200, windowOf(every, request)));
    for await (const row of clientOf(server).batchCalls.iterateItems(BATCH, { limit: 10 })) {
      if (row.item_id === "i3") break;
    }
    expect(server.seen.length).toBe(1);
  });

  test("hands on the error of a page, and stops at an abort", async () => {
    const abort = new AbortController();
    const server = await startPlatform((request, response, nth) => {
      if (nth === 3) json(response, 500, {});
      else json(response, 200, windowOf(every, request));
    });
    const platform = clientOf(server);
    const error = await failureOf(idsOf(platform.batchCalls.iterateItems(BATCH, { limit: 10 })));
    expect(error).toMatchObject({ status: 500, effect: "none" });
    const walking = platform.batchCalls.iterateItems(BATCH, { limit: 10 }, { signal: abort.signal });
    await walking.next();
    abort.abort();
    expect(await failureOf(idsOf(walking))).toMatchObject({ code: "aborted" });
  });
});

describe("a platform that does not page as agreed", () => {
  const repeats = "repeats a page";
  test.each<[string, WalkOptions, unknown]>([
    ["repeats a full page", {}, rows(10)],
    ["repeats a full page under a total", {}, { items: rows(10), total: 500 }],
    ["repeats a short page under a total", {}, { items: rows(3), total: 500 }],
    ["repeats a short bare array while proof is wanted", { untilEmpty: true }, rows(3)],
  ])("%s: an error instead of a loop", async (_, options, body) => {
    const server = await startPlatform((_request, response) => json(response, 200, body));
    const error = await failureOf(
      idsOf(clientOf(server).batchCalls.iterateItems(BATCH, { limit: 10 }, options)),
    );
    expect(error).toBeInstanceOf(EndlessListError);
    expect(error).toMatchObject({ code: "unexpected_response", effect: "none" });
    expect(error.message).toContain(repeats);
    expect(error.message).toContain("/v1/batch-calls/{batch_id}/items");
    expect(server.seen.length).toBe(2);
  });

  test("a short bare array that repeats is a whole list from a platform without paging", async () => {
    const server = await startPlatform((_, response) => json(response, 200, rows(3)));
    const found = await idsOf(clientOf(server).batchCalls.iterateItems(BATCH, { limit: 10 }));
    expect(found).toEqual(["i0", "i1", "i2"]);
  });

  test("a list that never ends is given up", async () => {
    let next = 0;
    const server = await startPlatform((_, response) => json(response, 200, [{ id: `n${next++}` }]));
    const walking = clientOf(server).batchCalls.iterateItems(BATCH, {}, { maxPages: 20 });
    const error = await failureOf(idsOf(walking));
    expect(error).toBeInstanceOf(EndlessListError);
    expect(error.message).toContain("has not ended after 20 pages");
    expect(server.seen.length).toBe(20);
  });
});

/** A list of numbers behind each of the contract's three ways of paging, with a page size of its own. */
function numbers(style: "skip" | "page" | "offset", count: number, limit: number, cap: number) {
  const all = Array.from({ length: count }, (_, index) => index);
  return walk<number>(
    {
      style,
      limit,
      skip: 0,
      idOf: String,
      unreadable: (rows: number) => new Error(`${rows} unreadable`),
      broken: (problem) => new Error(problem),
      fetchPage: async (position) => {
        const size = Math.min(position["limit"] ?? position["per_page"] ?? 0, cap);
        const start = position["skip"] ?? position["offset"] ?? ((position["page"] ?? 0) - 1) * size;
        return { items: all.slice(start, start + size), total: style === "page" ? undefined : count };
      },
    },
    {},
  );
}

test("no row is lost or repeated in any of the three styles, whatever the page sizes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("skip" as const, "page" as const, "offset" as const),
      fc.nat(60),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 20 }),
      async (style, count, limit, cap) => {
        const found: number[] = [];
        for await (const row of numbers(style, count, limit, cap)) found.push(row);
        expect(found).toEqual(Array.from({ length: count }, (_, index) => index));
      },
    ),
  );
});
