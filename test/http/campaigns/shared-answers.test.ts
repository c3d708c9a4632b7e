import { expect, it } from "vitest";

import { shareAnswers } from "../../../src/http/routes/campaigns/shared-answers.ts";

function asked() {
  const times: string[] = [];
  let nowMs = 0;
  const shared = shareAnswers<string>(() => nowMs);
  const ask = (key: string, answer: () => Promise<string> = async () => `of ${key}`) =>
    shared.of(key, 10, () => {
      times.push(key);
      return answer();
    });
  return { times, ask, pass: (ms: number) => (nowMs += ms) };
}

it("one question is under way for all who ask the same, however long it takes, and kept from its answer on", async () => {
  const { times, ask, pass } = asked();
  let answer: (text: string) => void = () => {};
  const slow = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const first = ask("a", () => slow);
  pass(1_000);
  const second = ask("a");
  await ask("b");
  answer("the same");
  expect(await Promise.all([first, second])).toEqual(["the same", "the same"]);
  pass(9);
  expect(await ask("a")).toBe("the same");
  expect(times).toEqual(["a", "b"]);
  pass(1);
  expect(await ask("a")).toBe("of a");
  expect(times).toEqual(["a", "b", "a"]);
});

it("what failed is told to who waits for it, and asked again by the next", async () => {
  const { times, ask } = asked();
  const failing = () => Promise.reject(new Error("the ledger is away"));
  await expect(Promise.all([ask("a", failing), ask("a")])).rejects.toThrow("the ledger is away");
  expect(await ask("a")).toBe("of a");
  expect(times).toEqual(["a", "a"]);
});

it("no more than 200 are kept: those that are stale go first, then the oldest", async () => {
  const { times, ask, pass } = asked();
  await ask("stale");
  pass(10);
  for (let n = 0; n < 200; n += 1) await ask(`key ${n}`);
  times.length = 0;
  await ask("key 0");
  expect(times, "the stale one made room").toEqual([]);
  await ask("one more");
  await ask("key 1");
  expect(times).toEqual(["one more"]);
  await ask("key 0");
  expect(times).toEqual(["one more", "key 0"]);
});
