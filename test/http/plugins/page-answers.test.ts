import Fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";

import type { Caller, Role } from "../../../src/domain/ground/access.ts";
import { cursorOf } from "../../../src/http/cursor.ts";
import { showsEdited, tagAnswers } from "../../../src/http/plugins/etags.ts";
import { maskForViewers } from "../../../src/http/plugins/masking.ts";
import { sharePageAnswers, SHARED_ROUTES } from "../../../src/http/plugins/page-answers.ts";
import { ROUTE_ACCESS } from "../../../src/http/route-access.ts";
import { BEGINNING, isBefore, type Place } from "../../../src/ledger/events/events.ts";

const URL = "/v1/campaigns";

interface Who {
  role?: Role;
  brands?: string[];
  /** Shows a token. */
  isScript?: boolean;
}

/** A server with one route of pages, whose answers the test gives, and one that is nobody else's. */
async function opened({ isByHand = false } = {}) {
  const clock = { ms: 0 };
  const feed: { through: Place } = { through: BEGINNING };
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  const app = Fastify();
  onTestFinished(() => app.close());
  app.decorateRequest("caller", null);
  app.decorateRequest("browserSession", null);
  app.addHook("onRequest", async (request) => {
    const { role = "viewer", brands, isScript } = JSON.parse(String(request.headers["x-who"] ?? "{}")) as Who;
    request.caller = { kind: "person", name: "x", role, brands } satisfies Caller;
    if (isScript) return;
    request.browserSession = { session: {} as never, csrfToken: "", idleEndsAtMs: 0 };
  });
  maskForViewers(app);
  sharePageAnswers(app, { through: async () => feed.through }, () => clock.ms);
  tagAnswers(app);
  let fails = false;
  for (const url of [URL, "/v1/session"])
    app.get(url, async (request, reply) => {
      begun.push(request.url);
      const n = begun.length;
      if (isByHand)
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      if (fails) return reply.code(503).send({ n });
      showsEdited(request, "document");
      return { n, phone: "+12025550143" };
    });
  return {
    clock,
    feed,
    begun,
    waiting,
    fail: (does: boolean) => {
      fails = does;
    },
    ask: async (who: Who = {}, headers: Record<string, string> = {}, url = URL) => {
      const answer = await app.inject({ url, headers: { "x-who": JSON.stringify(who), ...headers } });
      const { n, phone } = answer.body === "" ? {} : answer.json<{ n?: number; phone?: string }>();
      return { status: answer.statusCode, n, phone, etag: answer.headers["etag"], body: answer.body };
    },
    until: async (count: number) => {
      while (begun.length < count || waiting.length < count) await new Promise(setImmediate);
    },
  };
}

const seen = (place: Place) => ({ "x-outdial-seen": cursorOf(place) });

describe("answers of open pages", () => {
  it("are of routes that there are, which show something to whoever has the role for it", () => {
    for (const route of SHARED_ROUTES)
      expect(ROUTE_ACCESS).toHaveProperty([`GET ${route}`, "role"], expect.any(String));
    expect([...SHARED_ROUTES].filter((route) => /session|token|\/me$|export/.test(route))).toEqual([]);
  });

  it("are made once for all who ask within two seconds, and once for those who ask in one moment", async () => {
    const { ask, clock, begun } = await opened();
    const all = await Promise.all(Array.from({ length: 50 }, () => ask()));
    expect(new Set(all.map(({ n }) => n))).toEqual(new Set([1]));
    clock.ms = 1_999;
    expect((await ask()).n).toBe(1);
    clock.ms = 2_000;
    expect((await ask()).n).toBe(2);
    expect(begun).toHaveLength(2);
  });

  it("are as whoever has the same rights is shown them, masked once, with their tag", async () => {
    const { ask } = await opened();
    const admin = await ask({ role: "admin" });
    const viewer = await ask({ role: "viewer" });
    const again = await ask({ role: "viewer" });
    expect([admin.phone, admin.n, viewer.n]).toEqual(["+12025550143", 1, 2]);
    expect(viewer.phone).not.toContain("2025550143");
    expect(again).toEqual(viewer);
    expect((await ask({ role: "viewer", brands: ["b", "a"] })).n).toBe(3);
    expect((await ask({ role: "viewer", brands: ["a", "b"] })).n).toBe(3);
    expect((await ask({ role: "viewer", brands: ["a"] })).n).toBe(4);
    // Who has it already is told that it is the same.
    const known = await ask({ role: "viewer" }, { "if-none-match": String(viewer.etag) });
    expect([known.status, known.body]).toEqual([304, ""]);
  });

  it("know of whatever the page knows of", async () => {
    const { ask, feed } = await opened();
    feed.through = [1, 5, 1];
    expect((await ask()).n).toBe(1);
    expect((await ask({}, seen([1, 5, 1]))).n).toBe(1);
    // It was told of what happened since, by this process or another.
    expect((await ask({}, seen([1, 5, 2]))).n).toBe(2);
    feed.through = [1, 6, 3];
    expect((await ask({}, seen([1, 6, 3]))).n).toBe(3);
    expect((await ask({}, seen([1, 5, 2]))).n).toBe(3);
    // What nobody was told has not been seen by an answer either.
    expect((await ask({}, seen([9, 9, 9]))).n).toBe(4);
    expect((await ask({}, seen([9, 9, 9]))).n).toBe(5);
    expect((await ask({}, { "x-outdial-seen": "no place" })).n).toBe(6);
    expect(isBefore(BEGINNING, feed.through)).toBe(true);
  });

  it("are made anew for who just did something, and those are for all", async () => {
    const { ask } = await opened();
    await ask();
    expect((await ask({}, { "cache-control": "no-cache" })).n).toBe(2);
    expect((await ask()).n).toBe(2);
  });

  it("are nobody's who shows a token, nor of routes that say who asks", async () => {
    const { ask } = await opened();
    expect([(await ask({ isScript: true })).n, (await ask({ isScript: true })).n]).toEqual([1, 2]);
    const own = [await ask({}, {}, "/v1/session"), await ask({}, {}, "/v1/session")];
    expect(own.map(({ n }) => n)).toEqual([3, 4]);
    expect((await ask({}, {}, `${URL}?limit=1`)).n).toBe(5);
  });

  it("that fail are for nobody else: one of those who waited is answered anew, for all of them", async () => {
    const { ask, waiting, until, fail } = await opened({ isByHand: true });
    fail(true);
    const first = ask();
    await until(1);
    const others = [ask(), ask(), ask()];
    waiting[0]?.();
    expect((await first).status).toBe(503);
    fail(false);
    await until(2);
    waiting[1]?.();
    const answers = await Promise.all(others);
    expect(answers.map(({ status, n }) => [status, n])).toEqual([
      [200, 2],
      [200, 2],
      [200, 2],
    ]);
  });

  it("that fail again are asked for by each for itself, so that nobody waits for a row of failures", async () => {
    const { ask, waiting, until, fail, begun } = await opened({ isByHand: true });
    fail(true);
    const all = [ask(), ask(), ask(), ask()];
    await until(1);
    waiting[0]?.();
    await until(2);
    waiting[1]?.();
    await until(4);
    for (const one of waiting) one();
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(begun).toHaveLength(4);
  });

  it("that were begun before what a page knows are not waited for", async () => {
    const { ask, waiting, until, feed } = await opened({ isByHand: true });
    const first = ask();
    await until(1);
    feed.through = [1, 1, 1];
    const second = ask({}, seen([1, 1, 1]));
    await until(2);
    waiting[1]?.();
    expect((await second).n).toBe(2);
    // The one that ends last was begun first, and takes no place of the newer one.
    waiting[0]?.();
    expect((await first).n).toBe(1);
    expect((await ask({}, seen([1, 1, 1]))).n).toBe(2);
  });
});
