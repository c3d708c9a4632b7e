import { expect, test } from "vitest";

import { Queue } from "../../src/platform/rooms/queue.ts";

test("what a reader that stopped did not read waits for the next one, in order", async () => {
  const queue = new Queue<string>(3);
  for (const item of ["lost", "a", "b", "c"]) queue.put(item);
  for await (const item of queue.read()) {
    expect(item).toBe("a");
    break;
  }
  queue.put("d");
  queue.end();
  const rest: string[] = [];
  for await (const item of queue.read()) rest.push(item);
  expect(rest).toEqual(["b", "c", "d"]);
  expect(queue.missed).toBe(1);
});
