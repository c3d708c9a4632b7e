import { ApiProblem } from "outdial/api";
import { expect, it, onTestFinished } from "vitest";

import { ASKING } from "../../dashboard/src/api/query-options.ts";
import { sessionEndIn } from "../../dashboard/src/api/session-end.ts";

interface Queries {
  fetchQuery(of: { queryKey: string[]; queryFn: () => Promise<string> }): Promise<string>;
}

interface Library {
  onlineManager: { setOnline(isOnline: boolean): void };
  QueryClient: new (of: { defaultOptions: typeof ASKING }) => Queries;
  MutationObserver: new (
    queries: Queries,
    of: { mutationFn: (what: string) => Promise<string> },
  ) => { mutate(what: string): Promise<string>; getCurrentResult(): { isPaused: boolean } };
}

/** Its types bring those of browsers, with which nothing else here is read. */
const LIBRARY: string = "@tanstack/preact-query";
const { MutationObserver, onlineManager, QueryClient } = (await import(LIBRARY)) as Library;

/** The pages' queries, in a browser that takes itself to be offline. */
function offline(): Queries {
  onlineManager.setOnline(false);
  onTestFinished(() => onlineManager.setOnline(true));
  return new QueryClient({ defaultOptions: ASKING });
}

it("acts at once or not at all, whatever the browser takes the network for", async () => {
  const sent: string[] = [];
  const act = new MutationObserver(offline(), {
    mutationFn: async (what) => {
      sent.push(what);
      throw new TypeError("Failed to fetch");
    },
  });
  await expect(act.mutate("resume")).rejects.toThrow("Failed to fetch");
  onlineManager.setOnline(true);
  await Promise.resolve();
  expect([sent, act.getCurrentResult().isPaused]).toEqual([["resume"], false]);
});

it("reads from a server on the same machine while there is no other network", async () => {
  const queries = offline();
  expect(await queries.fetchQuery({ queryKey: ["readSystem"], queryFn: async () => "there" })).toBe("there");
});

it("asks again for what a second try may change, and for nothing else", () => {
  const { retry } = ASKING.queries;
  const problem = (status: number) =>
    new ApiProblem({ title: "", status, code: "unreadable", detail: "" }, {});
  expect([retry(0, problem(403)), retry(0, problem(404)), retry(0, problem(409))]).toEqual([
    false,
    false,
    false,
  ]);
  expect([retry(0, problem(429)), retry(1, problem(503)), retry(2, problem(503))]).toEqual([
    true,
    true,
    false,
  ]);
});

it("tells a session that is over, and another one in the same browser, from what is refused otherwise", async () => {
  const problem = (status: number, code: string) => new Response(JSON.stringify({ code }), { status });
  const changed = problem(403, "csrf_token");
  expect(await sessionEndIn(changed)).toBe("other");
  expect(await changed.json(), "whoever asked reads it, too").toEqual({ code: "csrf_token" });
  expect(await sessionEndIn(problem(401, "session_over"))).toBe("over");
  expect(await sessionEndIn(problem(403, "role_needed"))).toBeUndefined();
  expect(await sessionEndIn(new Response("<html>", { status: 403 }))).toBeUndefined();
  expect(await sessionEndIn(new Response("{}"))).toBeUndefined();
});
