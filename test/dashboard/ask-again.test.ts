import { expect, it, onTestFinished } from "vitest";

import { askAgain, type Asked, type Asking } from "../../dashboard/src/api/ask-again.ts";
import { ASKING } from "../../dashboard/src/api/query-options.ts";

interface Query extends Asked {
  readonly state: { fetchStatus: string; data?: unknown; isInvalidated: boolean };
}

interface Observing {
  queryKey: string[];
  queryFn: () => Promise<string>;
}

interface Library {
  QueryClient: new (of: { defaultOptions: typeof ASKING }) => Asking<Query>;
  QueryObserver: new (
    queries: Asking<Query>,
    of: Observing,
  ) => { subscribe(told: () => void): () => void; getCurrentResult(): { data?: string } };
}

/** Its types bring those of browsers, with which nothing else here is read. */
const LIBRARY: string = "@tanstack/preact-query";
const { QueryClient, QueryObserver } = (await import(LIBRARY)) as Library;

/** Something that a page shows, and a server that answers when it is told to. */
function shown(queries: Asking<Query> = new QueryClient({ defaultOptions: ASKING }), name = "listFollowUps") {
  const asked: { answer: (data: string) => void; fail: (error: Error) => void }[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: [name],
    queryFn: () =>
      new Promise<string>((answer, fail) => {
        asked.push({ answer, fail });
      }),
  });
  onTestFinished(observer.subscribe(() => {}));
  const answer = async (data: string) => {
    asked.at(-1)?.answer(data);
    await expect.poll(() => observer.getCurrentResult().data).toBe(data);
  };
  return { queries, asked, answer, data: () => observer.getCurrentResult().data };
}

it("asks again after a first answer that was on its way when it became old", async () => {
  const page = shown();
  const again = askAgain(page.queries);
  expect(page.asked).toHaveLength(1);
  await page.answer("from before");
  await expect.poll(() => page.asked).toHaveLength(2);
  await page.answer("from after");
  await again;
  expect(page.data()).toBe("from after");
});

it("shows answers that take longer than events are apart, and asks once more for all that came meanwhile", async () => {
  const page = shown();
  await page.answer("first");
  const news = [1, 2, 3].map(() => askAgain(page.queries));
  expect(page.asked).toHaveLength(2);
  await page.answer("second");
  await expect.poll(() => page.asked).toHaveLength(3);
  await page.answer("third");
  await Promise.all(news);
  expect(page.asked).toHaveLength(3);
});

it("asks once more after an answer that failed, too", async () => {
  const page = shown();
  await page.answer("first");
  const again = [askAgain(page.queries), askAgain(page.queries)];
  page.asked.at(-1)?.fail(Object.assign(new Error("cut"), { name: "Cut" }));
  // The library tries again by itself, after a second.
  await expect.poll(() => page.asked.length).toBeGreaterThanOrEqual(3);
  await page.answer("second");
  await expect.poll(() => page.asked).toHaveLength(4);
  await page.answer("third");
  await Promise.all(again);
});

it("asks for what is old and for nothing else, and for nothing that nobody looks at", async () => {
  const page = shown();
  const other = shown(page.queries, "readSystem");
  await page.answer("first");
  await other.answer("first");
  await askAgain(
    page.queries,
    () => true,
    () => false,
  );
  expect([page.asked.length, other.asked.length]).toEqual([1, 1]);
  expect(
    page.queries
      .getQueryCache()
      .findAll({ predicate: () => true })
      .map(({ state }) => state.isInvalidated),
  ).toEqual([true, true]);
  const again = askAgain(page.queries, ({ queryKey }) => queryKey[0] === "readSystem");
  expect([page.asked.length, other.asked.length]).toEqual([1, 2]);
  await other.answer("second");
  await again;
});
